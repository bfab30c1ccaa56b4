"""Slander: favor chips drive a rival's bosses out of one ward, and of a neighbouring one (TH-8)."""

from domain.engine.game import Event, Seat
from domain.engine.refusals import require
from domain.engine.sentences import typed
from domain.tammany_hall.rules.actions import Slander
from domain.tammany_hall.rules.board import INDEX, PAWNS
from domain.tammany_hall.rules.events import BossSlandered, evolves
from domain.tammany_hall.rules.options import option
from domain.tammany_hall.rules.position import require_adjacent, require_touchable, term
from domain.tammany_hall.rules.state import State
from domain.tammany_hall.rules.words import NO, favor_chips, immigrants

FIRST_STEP, BOTH_STEPS = 1, 3
"""What a slander costs in favor chips (TH-8.3, TH-8.6)."""


def decide_slander(state: State, seat: Seat, action: Slander) -> list[Event]:
    """Decide a slander of one step or two, all or nothing (TH-8.7).

    Raises RuleViolation; the first rule broken is the one reported.
    """
    player = state.players[seat]
    require(term(state) >= 2, "slander-too-early", "TH-8.1", "You can slander from year 5 on.")
    unused = not player.slandered and player.slander > 0
    require(unused, "slander-used", "TH-8.2", "You have slandered in this term already.")
    require(action.target != seat, "slander-self", "TH-8.3", "You cannot slander yourself.")
    _require_step(state, seat, action, action.ward, FIRST_STEP)
    if action.then is None:
        return [_slandered(seat, action, FIRST_STEP)]
    require_adjacent(action.ward, action.then)
    _require_step(state, seat, action, action.then, BOTH_STEPS)
    return [_slandered(seat, action, BOTH_STEPS)]


def _require_step(state: State, seat: Seat, action: Slander, number: int, price: int) -> None:
    """Refuse one step of a slander (TH-8.3, TH-8.4); `price` is for all steps up to this one."""
    rule = "TH-8.3" if price == FIRST_STEP else "TH-8.4"
    colour = INDEX[action.favor]
    held = state.players[seat].chips
    require_touchable(state, number)
    ward = state.wards[number]
    present = ward.bosses[seat] or (price == BOTH_STEPS and option(state, "second-slander-presence") == "not-required")
    require(present, "no-own-boss", rule, "You have no ward boss in ward {ward}.", ward=number)
    require(
        ward.bosses[action.target],
        "no-target-boss",
        rule,
        "{player} has no ward boss in ward {ward}.",
        player=lambda: typed(PAWNS[action.target]),
        ward=number,
    )
    require(
        ward.cubes[colour],
        "colour-not-in-ward",
        rule,
        "No {colour} immigrant lives in ward {ward}; there are {cubes}.",
        colour=NO[action.favor],
        ward=number,
        cubes=lambda: immigrants(ward.cubes),
    )
    require(
        held[colour] >= price,
        "not-enough-chips",
        rule,
        "That costs a slander chip and {chips}; you have {held} of that colour.",
        chips=lambda: favor_chips(action.favor, price),
        held=held[colour],
    )


def _slandered(seat: Seat, action: Slander, chips: int) -> BossSlandered:
    return BossSlandered(seat, action.target, action.ward, action.favor, action.then, chips, slander=1)


@evolves(BossSlandered)
def boss_slandered(state: State, event: BossSlandered) -> None:
    """The target's pawns have left, the prices are paid."""
    colour = INDEX[event.favor]
    player = state.players[event.seat]
    player.slandered = True
    player.slander -= event.slander
    player.chips[colour] -= event.chips
    state.supply[colour] += event.chips
    state.wards[event.ward].bosses[event.target] -= 1
    if event.then is not None:
        state.wards[event.then].bosses[event.target] -= 1
