"""What winning ward 1, 2, 4 or 7 brings (TH-9.13 to TH-9.16)."""

from collections.abc import Sequence

from domain.engine.game import Event, Seat
from domain.engine.refusals import require
from domain.tammany_hall.rules.actions import BonusCube, BonusFavor, BonusPass
from domain.tammany_hall.rules.board import CHIP_WARDS, CUBE_WARDS, INDEX, Bonus
from domain.tammany_hall.rules.events import BonusCubePlaced, BonusDeclined, BonusFavorTaken, evolves
from domain.tammany_hall.rules.forms import BONUS_CUBE, BONUS_FAVOR, BONUS_PASS
from domain.tammany_hall.rules.options import option
from domain.tammany_hall.rules.position import bidding_ward, bonus_kind, require_open
from domain.tammany_hall.rules.state import State
from domain.tammany_hall.rules.words import NO, immigrants, listed


def bonus_offered(state: State, number: int, winner: Seat | None, supply: Sequence[int]) -> Bonus | None:
    """The bonus a ward's winner is offered; None where it lapses for want of cubes or chips (TH-9.16)."""
    if winner is None:
        return None
    if number in CUBE_WARDS:
        return "cube" if any(state.bag) else None
    if number in CHIP_WARDS:
        return "favor" if any(supply) else None
    return None


def require_cube_ward(number: int) -> None:
    """Refuse a cube as the bonus of a ward that brings a chip (TH-9.15)."""
    require(
        bonus_kind(number) == "cube",
        "wrong-bonus",
        "TH-9.15",
        "Ward {ward} brings a favor chip: {take}, or {decline}.",
        ward=number,
        take=BONUS_FAVOR,
        decline=BONUS_PASS,
    )


def require_chip_ward(number: int) -> None:
    """Refuse a chip as the bonus of a ward that brings a cube (TH-9.14)."""
    require(
        bonus_kind(number) == "favor",
        "wrong-bonus",
        "TH-9.14",
        "Ward {ward} earns a cube: {place}, or {decline}.",
        ward=number,
        place=BONUS_CUBE,
        decline=BONUS_PASS,
    )


def decide_bonus_cube(state: State, seat: Seat, action: BonusCube) -> list[Event]:
    """Decide a bonus cube: from the bag into any open ward (TH-9.14). Raises RuleViolation."""
    require_cube_ward(bidding_ward(state))
    require(
        state.bag[INDEX[action.cube]],
        "cube-not-in-bag",
        "TH-9.14",
        "There is no {colour} immigrant in the bag; it holds {cubes}.",
        colour=NO[action.cube],
        cubes=lambda: immigrants(state.bag),
    )
    require_open(state, action.ward, "TH-7.13")
    return [BonusCubePlaced(seat, action.cube, action.ward)]


def decide_bonus_favor(state: State, seat: Seat, action: BonusFavor) -> list[Event]:
    """Decide a bonus chip: of any colour the supply has (TH-9.15). Raises RuleViolation."""
    require_chip_ward(bidding_ward(state))
    require(
        state.supply[INDEX[action.favor]],
        "chip-supply-empty",
        "TH-9.15",
        "The supply has no {colour} favor chip left; it has {chips}.",
        colour=NO[action.favor],
        chips=lambda: listed(state.supply),
    )
    return [BonusFavorTaken(seat, action.favor)]


def decide_bonus_pass(state: State, seat: Seat, action: BonusPass) -> list[Event]:
    """Decide to decline a bonus (TH-9.15). Raises RuleViolation."""
    optional = option(state, "ward-bonus") == "optional"
    require(optional, "bonus-mandatory", "TH-17.3", "In this game a ward's bonus must be taken.")
    return [BonusDeclined(seat)]


@evolves(BonusCubePlaced)
def bonus_cube_placed(state: State, event: BonusCubePlaced) -> None:
    """The cube is in its ward, and the elections go on."""
    state.wards[event.ward].cubes[INDEX[event.cube]] += 1
    state.bag[INDEX[event.cube]] -= 1
    state.phase = "election"


@evolves(BonusFavorTaken)
def bonus_favor_taken(state: State, event: BonusFavorTaken) -> None:
    """The chip is with its player, and the elections go on."""
    state.players[event.seat].chips[INDEX[event.favor]] += 1
    state.supply[INDEX[event.favor]] -= 1
    state.phase = "election"


@evolves(BonusDeclined)
def bonus_declined(state: State, event: BonusDeclined) -> None:
    """The elections go on."""
    state.phase = "election"
