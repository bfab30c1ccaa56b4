"""The texts of the code into the catalogues, for `python3 dev.py words`: what is new comes in, what is gone goes.

Kept translations are never guessed at: a text that changed is a new text. The files name no date, line or person, so
that a change shows what it changes and nothing else.
"""

import ast
import sys
import tomllib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any, Final, cast

from babel.messages.catalog import Catalog, Message
from babel.messages.extract import extract_from_dir
from babel.messages.frontend import parse_keywords
from babel.messages.pofile import write_po
from jinja2.ext import babel_extract

from domain.engine.sentences import COMMAND
from domain.rulesets import RULESETS
from service.languages.catalogues import ENGLISH, LANGUAGES, SHARED, is_translated, po_file, read
from service.languages.commands import UNIVERSAL
from service.languages.modules import texts_of

ROOT: Final = Path(__file__).resolve().parents[2]
PACKAGES: Final = ("domain", "service", "workers")
NAMES: Final = (SHARED, *RULESETS)
"""The catalogues there are."""
IN_CODE: Final[Mapping[str, Any]] = parse_keywords(
    "say:1 say_n:1,2 say_in:1c,2 say_n_in:1c,2,3 require:4 refuse:3".split()
)
"""Each function that takes a template, and where it takes it, as Babel writes that."""
IN_TEMPLATES: Final[Mapping[str, Any]] = parse_keywords("_ gettext ngettext:1,2 pgettext:1c,2".split())
"""The functions that say a text in the templates of mails and pages; `trans` comes as one of these, too."""
FIRST: Final = {"say_in": 1, "say_n_in": 1, "require": 3, "refuse": 2}
"""Where the template stands among the arguments, if not first."""
COUNTING: Final = frozenset({"say_n", "say_n_in"})
"""Those that take a second template, for more than one."""
STRICT: Final = COUNTING | {"say", "say_in"}
"""The functions that take nothing but a template written out."""
MADE_UP: Final = (ast.JoinedStr, ast.BinOp, ast.IfExp)
"""Expressions that never make a template; functions that are not strict may also take a finished Sentence."""
PASSED_ON: Final = frozenset({"template", "text"})
"""The names of parameters with a template that was written out elsewhere."""
ENGLISH_ONLY: Final = "api/**.py"
"""Texts for programs, which are not translated."""
LESSONS: Final = "lessons/*.toml"
"""Lessons and worked examples: data beside each game."""
TOLD: Final = frozenset({"title", "about", "text", "hint", "good", "missed", "end", "look"})
"""Their fields that people read."""
MODULES: Final = "web/static/check/**.js"
"""Modules of pages that say texts of their own, with `say` as in the code."""
TEMPLATES: Final = ("templates/**", "**/templates/**")
OPTIONS: Final = {"encoding": "utf-8", "silent": "false", "trim_blocks": "true", "lstrip_blocks": "true"}
"""How those templates are read."""
WIDTH: Final = 100
HEADER: Final = (
    'msgid ""\n'
    'msgstr ""\n'
    '"Language: {language}\\n"\n'
    '"MIME-Version: 1.0\\n"\n'
    '"Content-Type: text/plain; charset=utf-8\\n"\n'
    '"Content-Transfer-Encoding: 8bit\\n"\n'
    '"Plural-Forms: {plural}\\n"\n'
)


class NoTemplate(Exception):
    """A text for people that is not written out where it is said, so that nobody could translate it."""


@dataclass(frozen=True, slots=True, order=True)
class Text:
    """One text of a catalogue."""

    context: str
    one: str
    many: str = ""

    @property
    def id(self) -> str | tuple[str, str]:
        """The id as gettext has it: a pair where number matters."""
        return (self.one, self.many) if self.many else self.one


def main(names: Iterable[str]) -> None:
    """Bring the catalogues of these names up to date, all of them where none is named."""
    wanted = list(names) or list(NAMES)
    for name in wanted:
        if name not in NAMES:
            sys.exit(f"There is no catalogue {name!r}; there are {', '.join(NAMES)}.")
    for language in LANGUAGES:
        for name in wanted if language != ENGLISH else ():
            missing = update(language, name)
            sys.stdout.write(f"{po_file(language, name).relative_to(ROOT)}: {missing or 'nothing'} to translate\n")


def update(language: str, name: str) -> int:
    """Write one catalogue anew with the texts of the code. How many are not translated."""
    old = read(language, name)
    new = Catalog(locale=language, charset="utf-8")
    for text in texts(name):
        kept = old.get(text.id, text.context or None)
        new.add(text.id, _translation(kept, text), context=text.context or None)
    path = po_file(language, name)
    path.parent.mkdir(exist_ok=True)
    plural = f"nplurals={new.num_plurals}; plural={new.plural_expr};"
    written = path.with_suffix(".new")
    with written.open("wb") as file:
        file.write(HEADER.format(language=language, plural=plural).encode())
        file.write(b"\n")
        write_po(file, new, width=WIDTH, no_location=True, omit_header=True)
    written.replace(path)
    read.cache_clear()
    return sum(1 for message in new if message.id and not is_translated(message))


def texts(name: str) -> list[Text]:
    """The texts of one catalogue, each once, in alphabetical order."""
    return sorted({*_commands(name), *_in_sources(name)})


def _translation(kept: Message | None, text: Text) -> str | tuple[str, ...]:
    """The translation there was, if it was one of the very same text."""
    if kept is None or kept.fuzzy or isinstance(kept.id, str) != isinstance(text.id, str):
        return ""
    if not isinstance(kept.id, str) and tuple(kept.id) != text.id:
        return ""
    return cast("str | tuple[str, ...]", kept.string)


def _commands(name: str) -> Iterator[Text]:
    """The words of the notation that are words: "q1" and "plus3" are the same everywhere."""
    for word in UNIVERSAL if name == SHARED else RULESETS[name].notation.reserved:
        if word.isalpha():
            yield Text(COMMAND, word)


def _in_sources(name: str) -> Iterator[Text]:
    """The texts of the code and templates of one catalogue. Raises NoTemplate."""
    own = {kind: ROOT / "domain" / kind.replace("-", "_") for kind in RULESETS}
    methods: list[Any] = [
        (ENGLISH_ONLY, "ignore"),
        ("**.py", _calls),
        (LESSONS, _told),
        (MODULES, _modules),
        *((pattern, babel_extract) for pattern in TEMPLATES),
    ]
    for folder in [own[name]] if name in own else [ROOT / package for package in PACKAGES]:
        found = extract_from_dir(
            folder,
            methods,
            dict.fromkeys(TEMPLATES, OPTIONS),
            {**IN_CODE, **IN_TEMPLATES},
            directory_filter=lambda path: name in own or Path(path) not in own.values(),
        )
        for _, _, message, _, context in found:
            yield Text(context or "", *([message] if isinstance(message, str) else message))


def _calls(file: IO[bytes], *_: object, **__: object) -> Iterator[tuple[int, str, list[str | None], list[str]]]:
    """Each call in a module that says a text, with its arguments that are written out, for Babel; that one's own
    reader of Python misses calls within calls. Raises NoTemplate for a text that nobody could translate."""
    for call in ast.walk(ast.parse(file.read())):
        if not isinstance(call, ast.Call):
            continue
        function = getattr(call.func, "id", "") or ("refuse" if getattr(call.func, "attr", "") == "refuse" else "")
        if function in IN_CODE:
            _check(call, function, Path(file.name))
            yield call.lineno, function, [_literal(argument) for argument in call.args], []


def _modules(file: IO[bytes], *_: object, **__: object) -> Iterator[tuple[int, str, list[str | None], list[str]]]:
    """Each text that a module says, for Babel."""
    for line, text in texts_of(file.read().decode()):
        yield line, "say", [text], []


def _told(file: IO[bytes], *_: object, **__: object) -> Iterator[tuple[int, None, str, list[str]]]:
    """Each text of a file of lessons or examples, for Babel."""
    yield from ((1, None, text, []) for text in _texts_in(tomllib.load(file)))


def _texts_in(value: Any, field: str = "") -> Iterator[str]:
    match value:
        case dict():
            for name, inner in value.items():
                yield from _texts_in(inner, name)
        case list():
            for inner in value:
                yield from _texts_in(inner)
        case str() if field in TOLD:
            yield value


def _check(call: ast.Call, function: str, path: Path) -> None:
    """Raise NoTemplate unless a text is written out, or was written out elsewhere and is passed on."""
    first = FIRST.get(function, 0)
    given = call.args[: first + 1 + (function in COUNTING)]
    needed = given if function in STRICT else given[first:]
    template = call.args[first] if first < len(call.args) else call
    if len(given) > first and all(_literal(argument) is not None for argument in needed):
        return
    if isinstance(template, MADE_UP) or (function in STRICT and not _is_passed_on(template)):
        where = f"{path.relative_to(ROOT)}:{call.lineno}"
        raise NoTemplate(f"{where}: {function}() wants its template written out, so that it can be translated.")


def _is_passed_on(argument: ast.expr) -> bool:
    return isinstance(argument, ast.Name) and argument.id in PASSED_ON


def _literal(argument: ast.expr) -> str | None:
    """An argument that is a text written out; None for any other."""
    return argument.value if isinstance(argument, ast.Constant) and isinstance(argument.value, str) else None


if __name__ == "__main__":
    main(sys.argv[1:])
