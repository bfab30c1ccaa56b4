"""The gallery: public games to watch, those under way and those that are over, for anybody."""

from typing import Any, Final

from flask import Response, make_response, render_template, request

from domain.engine.sentences import say
from domain.rulesets import RULESETS
from service.api.http.answers import write_cursor
from service.games.overviews import overviews
from service.games.watchable import public_games
from service.people.searching import words_of
from service.pictures import has_drawing
from service.store.games.game_filters import Wanted
from service.web.game.access import kept_for_strangers
from service.web.http.cursors import place_of
from service.web.http.forms import Pages
from service.web.http.session import services, viewer_id

bp = Pages("gallery", __name__)
PAGE: Final = 12
LONGEST: Final = 100
"""Letters of what is looked for."""
RUNNING: Final = "running"
STATES: Final = {RUNNING: say("under way"), "finished": say("finished")}
BOTS: Final = {"with": say("with bots"), "without": say("people only")}
SORTS: Final = {"newest": say("opened last"), "liveliest": say("played last")}
SEATS: Final = sorted({seats for rules in RULESETS.values() for seats in rules.seats})
"""For how many players there are games."""


@bp.get("/games")
def page() -> Response:
    """Public games by what the address asks for; what it cannot ask for is as if it had not."""
    asked = _asked()
    is_lively = asked["sort"] == "liveliest" and asked["state"] != "finished"
    statuses = [RUNNING] if is_lively else [asked["state"]] if asked["state"] else [*STATES]
    has_bots = {"with": True, "without": False}.get(asked["bots"])
    seats = int(asked["players"]) if asked["players"] else None
    with services().database.read() as connection:
        listed, after = public_games(
            connection, statuses, Wanted(seats, has_bots, words_of(connection, asked["search"], viewer_id())),
            place_of(request.args.get("cursor", "")), PAGE,
            ruleset=asked["game"] or None, order="moved" if is_lively else "opened",
        )  # fmt: skip
        views = list(overviews(services(), connection, viewer_id(), [game.id for game in listed]))
    shown = render_template(
        "gallery.html",
        views=views,
        versions={game.id: game.version for game in listed},
        drawn={view.kind for view in views if has_drawing(view.kind)},
        asked=asked,
        is_narrowed=any(asked[name] for name in asked if name != "sort"),
        states=STATES, bots=BOTS, sorts=SORTS, seats={f"{seats}": f"{seats}" for seats in SEATS}, longest=LONGEST,
        titles={kind: rules.presentation.title for kind, rules in RULESETS.items()},
        following=None if after is None else write_cursor(after),
    )  # fmt: skip
    return kept_for_strangers(make_response(shown))


def _asked() -> dict[str, str]:
    """What the address asks for by field, "" for what does not matter."""
    choices = {
        "game": [*RULESETS], "state": [*STATES], "players": [*map(str, SEATS)], "bots": [*BOTS], "sort": [*SORTS],
    }  # fmt: skip
    given: dict[str, Any] = {name: request.args.get(name, "") for name in choices}
    asked = {name: value if value in choices[name] else "" for name, value in given.items()}
    return asked | {"search": request.args.get("search", "").strip()[:LONGEST]}
