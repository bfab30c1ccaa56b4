"""What one action makes true: the checks every command shares (CH-17.1), then those of its chapter (CH-17.2)."""

from collections.abc import Callable
from functools import partial
from typing import Any, Final

from domain.city_hall.rules import actions as order
from domain.city_hall.rules import (
    auction,
    campaign,
    decks,
    draft,
    founding,
    health,
    lobbyist,
    setup,
    surveyor,
    taxes,
    zoning,
)
from domain.city_hall.rules.pieces import PAWNS
from domain.city_hall.rules.position import awaiting, draw_due
from domain.city_hall.rules.state import State
from domain.city_hall.rules.words import THE_OFFICES, WORDS
from domain.engine.game import CHANCE, Action, Event, Seat
from domain.engine.refusals import require
from domain.engine.sentences import Sentence, one_of, say

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
    waiting = partial(waiting_for, state)
    require(fits, "wrong-phase", "CH-18.1", "You cannot do that now: {waiting}.", waiting=waiting)
    mine = 0 <= seat < len(state.players) and seat in awaiting(state)
    rule = RULES.get(phase, "CH-7.1")
    require(mine, "not-your-turn", rule, "It is not your move: {waiting}.", waiting=waiting)
    return decide_command(state, seat, action)


def waiting_for(state: State) -> Sentence:
    """What the game waits for, as a clause: "red has to answer for the Surveyor"."""
    asked = sorted(awaiting(state) - {CHANCE})
    if not asked:
        return say("the game is going on by itself")
    who = one_of([WORDS[PAWNS[seat]] for seat in asked])
    office = THE_OFFICES[state.office] if state.office else ""
    match state.phase:
        case "draft":
            return say("{who} is choosing land in the draft", who=who)
        case "build":
            return say("{who} is placing an initial Building", who=who)
        case "activate":
            return say("{who} has to put a Staffer on an Office", who=who)
        case "bid":
            return say("{who} has to bid for {office}, or pass", who=who, office=office)
        case "decide":
            return say("{who} has to keep {office} or accept a bid", who=who, office=office)
        case _:
            return say("{who} has to carry out {office}", who=who, office=office)


def _require_players(state: State, action: Action) -> None:
    """Refuse seats that nobody sits on (CH-1.4)."""
    if isinstance(action, order.Accept):
        playing = PAWNS[: len(state.players)]
        require(
            action.seat < len(playing),
            "unknown-player",
            "CH-16.1",
            "Nobody sits there; the players are {players}.",
            players=lambda: one_of([WORDS[pawn] for pawn in playing]),
        )


def _decide_draw(state: State, seat: Seat, action: Any) -> list[Event]:
    """Chance alone draws, only when a draw is due, and only that one."""
    label, decide_draw = DRAWS[type(action)]
    require(state.phase != "over", "game-over", "CH-12.6", "The game is over.")
    require(seat == CHANCE, "not-your-turn", "CH-15.1", "Draws are made by the server, not by a player.")
    due = draw_due(state)
    fits = due == label == action.draw.label
    require(due, "bad-draw", "CH-15.1", "Nothing is to be drawn now.")
    require(fits, "bad-draw", "CH-15.1", "The draw that is due is {due}.", due=due)
    return decide_draw(state, seat, action)
