"""Placement: campaign or settle, once a turn (TH-6)."""

from domain.engine.game import Event, Seat
from domain.engine.refusals import refuse, require
from domain.engine.sentences import say
from domain.tammany_hall.rules.actions import Place, Settle
from domain.tammany_hall.rules.board import INDEX
from domain.tammany_hall.rules.events import BossesPlaced, ImmigrantSettled, evolves
from domain.tammany_hall.rules.position import available, require_open
from domain.tammany_hall.rules.state import State
from domain.tammany_hall.rules.words import NO, immigrants


def require_placement(state: State) -> None:
    """Refuse a second placement in one turn (TH-6.1)."""
    if state.placed:
        refuse("already-placed", "TH-6.1", "You have made your placement of this turn already.")


def decide_place(state: State, seat: Seat, action: Place) -> list[Event]:
    """Decide a campaign: two bosses, or the last one left (TH-6.2, TH-6.7). Raises RuleViolation."""
    left = available(state, seat)
    require_placement(state)
    require(left, "no-boss-left", "TH-6.7", "You have no ward boss left to place; you may end your turn.")
    require(
        len(action.wards) <= left,
        "no-boss-left",
        "TH-6.7",
        "You have only one ward boss left; name one ward: {order}.",
        order=lambda: say("place {ward}", ward=action.wards[0]),
    )
    require(
        len(action.wards) == min(left, 2),
        "must-place-two",
        "TH-6.7",
        "A campaign places two bosses; name two wards, or one twice: {order}.",
        order=lambda: say("place {ward} {ward}", ward=action.wards[0]),
    )
    for ward in action.wards:
        require_open(state, ward)
    return [BossesPlaced(seat, list(action.wards))]


def decide_settle(state: State, seat: Seat, action: Settle) -> list[Event]:
    """Decide a settlement: a boss, an immigrant, and a chip if the supply has one (TH-6.3, TH-6.9).

    Raises RuleViolation.
    """
    colour = INDEX[action.cube]
    require_placement(state)
    if not available(state, seat):
        refuse("no-boss-left", "TH-6.7", "You have no ward boss left; you may end your turn.")
    if not state.garden[colour]:
        refuse(
            "cube-not-in-garden",
            "TH-6.4",
            "There is no {colour} immigrant in the Castle Garden; it holds {cubes}.",
            colour=NO[action.cube],
            cubes=immigrants(state.garden),
        )
    require_open(state, action.boss)
    require_open(state, action.ward)
    return [ImmigrantSettled(seat, action.boss, action.cube, action.ward, chips=min(1, state.supply[colour]))]


@evolves(BossesPlaced)
def bosses_placed(state: State, event: BossesPlaced) -> None:
    """The pawns stand in their wards."""
    for ward in event.wards:
        state.wards[ward].bosses[event.seat] += 1
    state.placed = True


@evolves(ImmigrantSettled)
def immigrant_settled(state: State, event: ImmigrantSettled) -> None:
    """The pawn and the cube are in their wards, the chip is with its player."""
    colour = INDEX[event.cube]
    seat = event.seat
    state.wards[event.boss].bosses[seat] += 1
    state.wards[event.ward].cubes[colour] += 1
    state.garden[colour] -= 1
    state.players[seat].chips[colour] += event.chips
    state.supply[colour] -= event.chips
    state.placed = True
