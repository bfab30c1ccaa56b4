"""Functions that templates call: how many decisions wait, how much time is left, where a rule stands."""

from typing import Any

from flask import Flask, g

from domain.engine.sentences import say
from service.games.bot_text import CHARACTERS, LEVELS, character
from service.games.rule_links import rule_link
from service.languages.time_text import left_words
from service.store.clocks import decisions
from service.web.http import language
from service.web.http.session import services, viewer
from service.web.rules_text import chapters


def waiting() -> int:
    """How many decisions wait for whoever looks, for the navigation; looked up once."""
    who = viewer()
    if who is None:
        return 0
    if "waiting" not in g:
        with services().database.read() as connection:
            g.waiting = decisions.count_of_player(connection, who.id)
    found: int = g.waiting
    return found


def left(due: int) -> str:
    """How much time is left until then, in words."""
    rest = due - language.now()
    return language.say(left_words(rest) if rest > 0 else say("no time"))


def rules_page(kind: str) -> str:
    """Where the rules of a game are read; "" for one whose rules are not written down here."""
    return f"/rules/{kind}" if chapters(kind) else ""


def lesson_text(text: str, kind: str) -> str:
    """A text of a lesson or an example, in the reader's language."""
    return language.say(say(text), kind)


def first_move(view: Any) -> str:
    """Explain the first decision of a game against bots. Empty at any other decision."""
    chairs = view.head.table.chairs
    against_bots = all(chair.bot is not None for seat, chair in enumerate(chairs) if seat != view.seat)
    if view.seat is None or not against_bots or not view.is_asked or view.has_moved:
        return ""
    return language.say(view.head.rules.presentation.first_move, view.kind)


def prepare_lists(app: Flask) -> None:
    """Give the templates these functions."""
    app.jinja_env.globals.update(waiting=waiting, left=left, rule_link=rule_link, rules_page=rules_page)
    app.jinja_env.globals.update(first_move=first_move)
    app.jinja_env.globals.update(bot_levels=LEVELS, bot_characters=CHARACTERS)
    app.jinja_env.filters["lesson"] = lesson_text
    app.jinja_env.filters["character"] = lambda bot: language.say(character(bot))
    app.jinja_env.filters["month"] = lambda month: language.reader_locale().month(month)
    app.jinja_env.filters["brief"] = lambda at: language.reader_locale().brief(at)
