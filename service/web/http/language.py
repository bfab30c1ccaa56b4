"""The language of a page: its reader's own, else what the browser asks for."""

from typing import Final

from flask import Flask, g, request

from domain.engine.sentences import Words
from service.kernel import clock
from service.languages.catalogues import ENGLISH, LANGUAGES, catalogue, words
from service.languages.time_text import ReaderLocale
from service.web.http.session import services, viewer

COOKIE: Final = "language"
NAMES: Final = {"en": "English", "fr": "Français", "de": "Deutsch"}


def language() -> str:
    """The language of this page, one of LANGUAGES."""
    if "language" not in g:
        g.language = _chosen()
    found: str = g.language
    return found


def read_by(reader: str) -> None:
    """Let this page be in a language, where a stranger looks at it by a link that was sent to a reader of it."""
    if viewer() is None:
        g.language = reader


def say(text: object, kind: str = "") -> str:
    """A text in the language of this page, with the words of one ruleset."""
    return _words(kind)(text)


def reader_locale() -> ReaderLocale:
    """Zone and language of whoever looks."""
    who = viewer()
    return ReaderLocale("UTC" if who is None else who.timezone, language(), _words(""))


def now() -> int:
    """The time, as the database's clock has it."""
    return services().database.clock.now()


def speak(app: Flask) -> None:
    """Give the templates their functions: gettext's for texts, `say` for Sentences, `when` for moments."""
    env = app.jinja_env
    env.trim_blocks = env.lstrip_blocks = True  # as the texts are extracted
    env.add_extension("jinja2.ext.i18n")
    env.install_gettext_callables(  # type: ignore[attr-defined]
        lambda text: catalogue(language()).gettext(text),
        lambda one, many, count: catalogue(language()).ngettext(one, many, count),
        newstyle=True,
        pgettext=lambda context, text: catalogue(language()).pgettext(context, text),
    )
    env.filters["say"] = say
    env.filters["when"] = lambda at: reader_locale().when(at)
    env.filters["iso"] = clock.text
    app.context_processor(lambda: {"language": language(), "languages": NAMES})


def _words(kind: str) -> Words:
    return words(language(), kind)


def _chosen() -> str:
    who = viewer()
    if who is not None:
        return who.language if who.language in LANGUAGES else ENGLISH
    chosen = request.cookies.get(COOKIE, "")
    return chosen if chosen in LANGUAGES else request.accept_languages.best_match(LANGUAGES, ENGLISH) or ENGLISH
