"""Why somebody would take a turn: what the placement, the chip, the slander and the office bring."""

from collections.abc import Sequence

from domain.engine.game import Action, Seat
from domain.engine.guidance import Move
from domain.engine.sentences import Sentence, one_of, say, say_n, typed
from domain.tammany_hall.rules import actions as order
from domain.tammany_hall.rules.board import INDEX, PAWNS, TAMMANY_HALL, Colour
from domain.tammany_hall.rules.position import is_active
from domain.tammany_hall.rules.state import State, Ward
from domain.tammany_hall.rules.words import PEOPLE, A


def turn_reasons(state: State, seat: Seat, move: Move[Action]) -> list[Sentence]:
    """At most two sentences on a turn: on its placement, and on what else is most remarkable in it."""
    placed: list[Sentence] = []
    others: list[Sentence] = []
    bosses = bosses_placed(move)
    for action in move:
        match action:
            case order.Place(wards=wards):
                best = max(wards, key=lambda ward: standing_order(state.wards[ward], seat, bosses[ward]))
                placed.append(boss_reason(state, seat, best, bosses))
            case order.Settle(boss=boss, cube=cube):
                placed.append(boss_reason(state, seat, boss, bosses))
                others.append(chip_counts(state, cube, open_fights(state, seat, bosses)))
            case order.Slander(target=target, ward=ward):
                others.insert(0, slander_reason(state, seat, target, ward, bosses))
            case order.OfficeFavor(favor=favor):
                others.append(chip_counts(state, favor, open_fights(state, seat, bosses)))
            case order.OfficeLock(ward=ward):
                others.insert(0, say("Behind its lock, ward {ward} stays as it is until the election.", ward=ward))
            case order.OfficePolice(ward=ward, cube=cube) | order.OfficeMove(origin=ward, cube=cube):
                others.append(cube_gone(state, ward, cube))
    return placed[:1] + others[:1]


def bosses_placed(move: Move[Action]) -> dict[int, int]:
    """By ward, how many bosses a turn places."""
    placed: dict[int, int] = {}
    for action in move:
        wards = action.wards if isinstance(action, order.Place) else []
        for ward in [action.boss] if isinstance(action, order.Settle) else wards:
            placed[ward] = placed.get(ward, 0) + 1
    return placed


def boss_reason(state: State, seat: Seat, number: int, placed: dict[int, int]) -> Sentence:
    """How the seat stands in a ward after its placement."""
    bosses = state.wards[number].bosses
    before, own = bosses[seat], bosses[seat] + placed[number]
    rival = max((other for other in range(len(bosses)) if other != seat), key=lambda other: bosses[other])
    known = {"ward": number, "own": own, "count": bosses[rival], "player": typed(PAWNS[rival])}
    if not bosses[rival]:
        if number == TAMMANY_HALL:
            return say("Ward {ward}, which is worth two points, is held by nobody else.", **known)
        return say("Ward {ward} is held by nobody else.", **known)
    if own > bosses[rival]:
        if before <= bosses[rival]:
            return say("This takes the lead in ward {ward}: bosses {own} to {count}.", **known)
        return say("The lead over {player} in ward {ward} grows: bosses {own} to {count}.", **known)
    if own == bosses[rival]:
        return say("This draws level with {player} in ward {ward}.", **known)
    return say("This comes closer to {player} in ward {ward}: bosses {own} to {count}.", **known)


def standing_order(ward: Ward, seat: Seat, placed: int) -> tuple[bool, int]:
    """Wards in which so many bosses more are most remarkable: led by them first, then by how close it is."""
    best = max(bosses for rival, bosses in enumerate(ward.bosses) if rival != seat)
    own = ward.bosses[seat] + placed
    return own > best, -abs(own - best)


def open_fights(state: State, seat: Seat, placed: dict[int, int]) -> list[int]:
    """The wards in which the seat has a boss then."""
    return [
        number for number, ward in state.wards.items() if is_active(ward) and ward.bosses[seat] + placed.get(number, 0)
    ]


def chip_counts(state: State, colour: Colour, wards: Sequence[int]) -> Sentence:
    """Where a chip of a colour counts (TH-9.6)."""
    counts = [number for number in wards if state.wards[number].cubes[INDEX[colour]]]
    if not counts:
        return say("This saves {colour} favor chip for later elections.", colour=A[colour])
    return say_n(
        "In ward {wards} one may bid {colour} favor chip.", "In wards {wards} one may bid {colour} favor chip.",
        len(counts), colour=A[colour], wards=one_of(counts),
    )  # fmt: skip


def slander_reason(state: State, seat: Seat, target: Seat, number: int, placed: dict[int, int]) -> Sentence:
    """What a slander takes from its victim (TH-8.3)."""
    bosses = state.wards[number].bosses
    own, left = bosses[seat] + placed.get(number, 0), bosses[target] - 1
    known = {"player": typed(PAWNS[target]), "ward": number, "own": own, "count": left}
    if not left:
        return say("Slander drives {player} out of ward {ward}.", **known)
    return say("Slander leaves bosses {own} to {count} against {player} in ward {ward}.", **known)


def cube_gone(state: State, number: int, colour: Colour) -> Sentence:
    """What it means that a cube leaves a ward (TH-9.6, TH-10.1)."""
    known = {"ward": number, "colour": A[colour], "people": PEOPLE[colour]}
    if state.wards[number].cubes[INDEX[colour]] == 1:
        return say("In ward {ward} one can no longer bid {colour} favor chip.", **known)
    return say("Whoever wins ward {ward} has one cube less for the immigrant leader ({people}).", **known)
