"""The lobby: tables that wait for players, and games to look at."""

from typing import Any, Final

from flask import render_template, request

from domain.engine.sentences import say
from domain.rulesets import RULESETS
from service.api.http.answers import write_cursor
from service.deadlines.policy_text import terms
from service.games import game_lists
from service.games.overviews import overviews
from service.store.people import readers
from service.web.http.cursors import place_of
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
            after=place_of(request.args.get("cursor", "")),
            limit=PAGE,
            ruleset=wanted["game"],
        )
        views = list(overviews(services(), connection, member().id, [item["id"] for item in items]))
        apart = {
            item["id"]: sorted(readers.names_of(connection, item["blocked"]).values())
            for item in items
            if "blocked" in item
        }
    return render_template(
        "tables/lobby.html",
        views=views,
        apart=apart,
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
