"""The lobby: tables that wait for players, and games to look at."""

from typing import Any, Final

from flask import render_template, request

from domain.engine.sentences import say
from domain.rulesets import RULESETS
from service.api.http.answers import read_cursor, write_cursor
from service.api.http.reading import is_id
from service.deadlines.explanation.policy_text import terms
from service.games import game_lists
from service.games.overviews import overviews
from service.web.http.forms import Pages
from service.web.http.session import member, members_only, services

bp = Pages("lobby", __name__)
PAGE: Final = 12
STATUSES: Final = {
    "open": say("waiting for players"),
    "running": say("under way"),
    "finished": say("finished"),
}
"""The states of games that one can look for."""


@bp.get("/tables")
@members_only
def page() -> str:
    """Public games and my own, the newest first, by what the address asks for."""
    wanted = _wanted()
    with services().database.read() as connection:
        items, after = game_lists.lobby(
            connection,
            member().id,
            status=wanted["status"],
            mine=wanted["mine"],
            awaiting_me=False,
            after=_place(),
            limit=PAGE,
            ruleset=wanted["game"],
        )
        views = list(overviews(services(), connection, member().id, [item["id"] for item in items]))
    return render_template(
        "tables/lobby.html",
        views=views,
        terms={view.game: terms(view.clock) for view in views},
        wanted=wanted,
        statuses=STATUSES,
        rulesets=RULESETS.values(),
        following=None if after is None else write_cursor(after),
    )


def _wanted() -> dict[str, Any]:
    """What the address asks for; what it cannot ask for is as if it had not."""
    game, status = request.args.get("game", ""), request.args.get("status", "open")
    return {
        "game": game if game in RULESETS else None,
        "status": status if status in STATUSES else None if status == "any" else "open",
        "mine": request.args.get("mine") == "yes",
    }


def _place() -> tuple[int, str] | None:
    """Where a page begins: at the beginning for a cursor that is none of ours."""
    try:
        created, game = read_cursor(request.args.get("cursor", ""))
    except (ValueError, TypeError):
        return None
    ours = type(created) is int and 0 <= created < 2**63 and isinstance(game, str)
    return (created, game) if ours and is_id(game) else None
