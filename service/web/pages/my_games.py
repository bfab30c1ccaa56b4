"""All my games, by what I look for: `/me/games`."""

from typing import Any, Final

from flask import render_template, request

from domain.engine.sentences import say
from domain.rulesets import RULESETS
from service.api.http.answers import write_cursor
from service.api.http.reading import is_id
from service.games import game_lists
from service.games.overviews import overviews
from service.store.across import careers
from service.store.clocks import decisions
from service.web.http.cursors import place_of
from service.web.http.forms import Pages
from service.web.http.session import member, members_only, services

bp = Pages("my_games", __name__)
PAGE: Final = 20
WAITING: Final = "waiting"
STATUSES: Final = {
    WAITING: say("waiting for me"),
    "running": say("under way"),
    "open": say("waiting for players"),
    "finished": say("finished"),
    "abandoned": say("closed without a result"),
}
RESULTS: Final = {"won": say("won by me"), "lost": say("won by others")}
ORDERS: Final = {"moved": say("what moved last"), "opened": say("the newest table")}


@bp.get("/me/games")
@members_only
def page() -> str:
    """My games, by what the address asks for."""
    mine, wanted = member().id, _wanted()
    with services().database.read() as connection:
        opponents = sorted(careers.people_met(connection, mine).items(), key=lambda entry: entry[1].casefold())
        items, after = game_lists.lobby(
            connection,
            mine,
            status=None if wanted["status"] == WAITING else wanted["status"],
            mine=True,
            awaiting_me=wanted["status"] == WAITING,
            after=place_of(request.args.get("cursor", "")),
            limit=PAGE,
            ruleset=wanted["game"],
            beside=wanted["with"],
            result=wanted["result"],
            order=wanted["order"],
        )
        owed = {row.decision.game_id: row.decision for row in decisions.waiting_for(connection, mine)}
        views = list(overviews(services(), connection, mine, [item["id"] for item in items], owed))
    return render_template(
        "people/my_games.html",
        views=views,
        wanted=wanted,
        asked={name: value for name, value in wanted.items() if value},
        statuses=STATUSES,
        results=RESULTS,
        orders=ORDERS,
        opponents=opponents,
        rulesets=RULESETS.values(),
        following=None if after is None else write_cursor(after),
    )


def _wanted() -> dict[str, Any]:
    """What the address asks for; what it cannot ask for is as if it had not."""
    met = request.args.get("with", "")
    return {
        "status": _one_of("status", STATUSES),
        "game": _one_of("game", RULESETS),
        "with": met if is_id(met) else None,
        "result": _one_of("result", RESULTS),
        "order": _one_of("order", ORDERS) or "moved",
    }


def _one_of(field: str, choices: Any) -> str | None:
    chosen = request.args.get(field, "")
    return chosen if chosen in choices else None
