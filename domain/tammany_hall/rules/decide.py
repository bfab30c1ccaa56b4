"""What one action makes true: the checks every command shares (TH-15.3), then those of its chapter (TH-15.4)."""

from collections.abc import Callable
from functools import partial
from typing import Any, Final

from domain.engine.game import CHANCE, Action, Event, Seat
from domain.engine.refusals import require
from domain.engine.sentences import Sentence, say
from domain.tammany_hall.rules import actions as order
from domain.tammany_hall.rules import bonus, castle_garden, election, mayor, offices, placement, setup, slander, turns
from domain.tammany_hall.rules.position import awaiting, draw_due
from domain.tammany_hall.rules.state import State
from domain.tammany_hall.rules.words import pawns

Decide = Callable[[State, Seat, Any], list[Event]]
COMMANDS: Final[dict[type[Action], tuple[str, Decide]]] = {
    order.Place: ("turn", placement.decide_place),
    order.Settle: ("turn", placement.decide_settle),
    order.Slander: ("turn", slander.decide_slander),
    order.OfficeFavor: ("turn", offices.decide_favor),
    order.OfficeLock: ("turn", offices.decide_lock),
    order.OfficePolice: ("turn", offices.decide_police),
    order.OfficeMove: ("turn", offices.decide_move),
    order.End: ("turn", turns.decide_end),
    order.Bid: ("bid", election.decide_bid),
    order.BonusCube: ("bonus", bonus.decide_bonus_cube),
    order.BonusFavor: ("bonus", bonus.decide_bonus_favor),
    order.BonusPass: ("bonus", bonus.decide_bonus_pass),
    order.Assign: ("assign", mayor.decide_assign),
}
"""The state each command belongs to (TH-16.1), and who decides it."""
NAMING: Final = frozenset({order.Slander, order.Assign})
"""What names players."""
DRAWS: Final[dict[type[Action], Decide]] = {
    order.DrawFirstPlayer: setup.decide_first_player,
    order.DealZone: setup.decide_zone,
    order.FillGarden: castle_garden.decide_garden,
}


def decide(state: State, seat: Seat, action: Action) -> list[Event]:
    """The fact an action makes true.

    Raises RuleViolation; the first rule broken, in the order of TH-15.3, is the one reported.
    """
    kind = type(action)
    if kind in DRAWS:
        return _decide_draw(state, seat, action)
    phase, decide_command = COMMANDS[kind]
    if kind in NAMING:
        require_players(state, action)
    if state.phase != phase or not _may_act(state, seat):
        _refuse(state, phase)
    return decide_command(state, seat, action)


def _may_act(state: State, seat: Seat) -> bool:
    """Bids come in any order (TH-9.9): there, who may bid is a question of its own."""
    return 0 <= seat < len(state.players) and (state.phase == "bid" or seat in awaiting(state))


def _refuse(state: State, phase: str) -> None:
    """Refuse a command of this phase: it is not the time for it, or not for this seat."""
    waiting = partial(waiting_for, state)
    require(state.phase != "over", "game-over", "TH-13.1", "The game is over.")
    require(state.phase == phase, "wrong-phase", "TH-16.1", "You cannot do that now: {waiting}.", waiting=waiting)
    rule = {"bonus": "TH-9.13", "assign": "TH-12.1"}.get(phase, "TH-4.2")
    require(False, "not-your-turn", rule, "It is not your move: {waiting}.", waiting=waiting)


def waiting_for(state: State) -> Sentence:
    """What the game waits for, as a clause: "red is taking a turn"."""
    whom = pawns(sorted(awaiting(state) - {CHANCE}))
    match state.phase:
        case "turn":
            return say("{whom} is taking a turn", whom=whom)
        case "bid":
            return say("sealed bids are made for ward {ward}", ward=state.ward)
        case "bonus":
            return say("{whom} is choosing the bonus of ward {ward}", whom=whom, ward=state.ward)
        case "assign":
            return say("{whom} is giving the city offices", whom=whom)
        case _:
            return say("the game is going on by itself")


def require_players(state: State, action: Action) -> None:
    """Refuse seats that nobody sits on (TH-1.5)."""
    match action:
        case order.Slander(target=target):
            named = [target]
        case order.Assign(offices=offices_given):
            named = list(offices_given.values())
        case _:
            return
    playing = range(len(state.players))
    require(
        all(seat in playing for seat in named),
        "unknown-player",
        "TH-1.5",
        "Nobody sits there; the players are {players}.",
        players=lambda: pawns(playing),
    )


def _decide_draw(state: State, seat: Seat, action: Any) -> list[Event]:
    """Chance alone draws, only when a draw is due, and only that one."""
    require(state.phase != "over", "game-over", "TH-13.1", "The game is over.")
    require(seat == CHANCE, "not-your-turn", "TH-4.2", "Draws are made by the server, not by a player.")
    due = draw_due(state)
    require(due, "bad-draw", "TH-14.3", "Nothing is to be drawn now.")
    assert due is not None
    fits = action.draw.label == due and isinstance(action, _DRAWN[due.partition("-")[0]])
    require(fits, "bad-draw", "TH-14.3", "The draw that is due is {due}.", due=due)
    return DRAWS[type(action)](state, seat, action)


_DRAWN: Final = {"first": order.DrawFirstPlayer, "zone": order.DealZone, "garden": order.FillGarden}
