"""What one action makes true: the checks every command shares (CH-17.1), then those of its chapter (CH-17.2)."""

from collections.abc import Callable
from typing import Any, Final

from domain.city_hall import actions as order
from domain.city_hall import auction, campaign, decks, draft, founding, health, lobbyist, setup, surveyor, taxes, zoning
from domain.city_hall.position import awaiting, draw_due
from domain.city_hall.state import State
from domain.city_hall.words import PAWNS, TITLES, one_of
from domain.decider import CHANCE, Action, Event, Seat, require

Decide = Callable[[State, Seat, Any], list[Event]]
COMMANDS: Final[dict[type[Action], tuple[str, str | None, Decide]]] = {
    order.Draft: ("draft", None, draft.decide_draft),
    order.Build: ("build", None, founding.decide_build),
    order.Activate: ("activate", None, auction.decide_activate),
    order.Bid: ("bid", None, auction.decide_bid),
    order.Pass: ("bid", None, auction.decide_pass),
    order.Keep: ("decide", None, auction.decide_keep),
    order.Accept: ("decide", None, auction.decide_accept),
    order.Tax: ("resolve", "tax", taxes.decide_tax),
    order.Campaign: ("resolve", "campaign", campaign.decide_campaign),
    order.Buy: ("resolve", "surveyor", surveyor.decide_buy),
    order.Lobby: ("resolve", "lobbyist", lobbyist.decide_lobby),
    order.Zone: ("resolve", "zoning", zoning.decide_zone),
    order.Health: ("resolve", "health", health.decide_health),
}
"""The state each command belongs to (CH-18.1) and the Office, if it is the action of one; and who decides it."""
DRAWS: Final[dict[type[Action], tuple[str, Decide]]] = {
    order.DrawTurnOrder: (setup.LABEL, setup.decide_turn_order),
    order.DrawLand: (decks.LAND, decks.decide_land),
    order.DrawPermits: (decks.PERMIT, decks.decide_permits),
}
RULES: Final = {"draft": "CH-4.2", "build": "CH-5.1", "bid": "CH-7.5", "decide": "CH-7.9", "resolve": "CH-7.10"}
"""The rule that says whose turn it is, where it is another than CH-7.1."""


def decide(state: State, seat: Seat, action: Action) -> list[Event]:
    """The facts an action makes true.

    Raises RuleViolation; the first rule broken, in the order of CH-17.1, is the one reported.
    """
    if type(action) in DRAWS:
        return _decide_draw(state, seat, action)
    phase, office, decide_command = COMMANDS[type(action)]
    _require_players(state, action)
    require(state.phase != "over", "game-over", "CH-12.6", "The game is over.")
    fits = state.phase == phase and office in (None, state.office)
    require(fits, "wrong-phase", "CH-18.1", f"That is not possible now: {waiting_for(state)}.")
    mine = 0 <= seat < len(state.players) and seat in awaiting(state)
    rule = RULES.get(phase, "CH-7.1")
    require(mine, "not-your-turn", rule, f"It is not your move: {waiting_for(state)}.")
    return decide_command(state, seat, action)


def waiting_for(state: State) -> str:
    """What the game waits for, as a clause: "red has to answer for the Surveyor"."""
    asked = sorted(awaiting(state) - {CHANCE})
    if not asked:
        return "the game is going on by itself"
    who = one_of([PAWNS[seat] for seat in asked])
    title = TITLES[state.office] if state.office else ""
    match state.phase:
        case "draft":
            return f"{who} is choosing land in the draft"
        case "build":
            return f"{who} is placing an initial Building"
        case "activate":
            return f"{who} has to put a Staffer on an Office"
        case "bid":
            return f"{who} has to bid for the {title}, or pass"
        case "decide":
            return f"{who} has to keep the {title} or accept a bid"
        case _:
            return f"{who} has to carry out the {title}"


def _require_players(state: State, action: Action) -> None:
    """Refuse seats that nobody sits on (CH-1.4)."""
    if isinstance(action, order.Accept):
        playing = PAWNS[: len(state.players)]
        known = action.seat < len(playing)
        require(known, "unknown-player", "CH-16.1", f"Nobody sits there; the players are {one_of(playing)}.")


def _decide_draw(state: State, seat: Seat, action: Any) -> list[Event]:
    """Chance alone draws, only when a draw is due, and only that one."""
    label, decide_draw = DRAWS[type(action)]
    require(state.phase != "over", "game-over", "CH-12.6", "The game is over.")
    require(seat == CHANCE, "not-your-turn", "CH-15.1", "Draws are made for everybody, not by a player.")
    due = draw_due(state)
    fits = due == label == action.draw.label
    require(fits, "bad-draw", "CH-15.1", f"The draw that is due is {due}." if due else "Nothing is to be drawn now.")
    return decide_draw(state, seat, action)
