"""Victory points for wards, the mayor, and the offices the mayor gives (TH-11, TH-12)."""

from collections.abc import Callable
from typing import Literal

from domain.engine.game import Event, Seat
from domain.engine.refusals import require
from domain.tammany_hall.rules.actions import Assign
from domain.tammany_hall.rules.board import COLOURS, LAST_YEAR, MAYOR, TAMMANY_HALL, TITLES
from domain.tammany_hall.rules.events import MayorElected, OfficesAssigned, evolves
from domain.tammany_hall.rules.options import option
from domain.tammany_hall.rules.state import State
from domain.tammany_hall.rules.words import pawns

Reason = Literal["wards", "tie-break", "holdover", "tie"]


def most(seats: list[Seat], count: Callable[[Seat], int]) -> list[Seat]:
    """Those of the seats with the highest count."""
    best = max(map(count, seats))
    return [seat for seat in seats if count(seat) == best]


def chips_of(state: State, colour: int) -> Callable[[Seat], int]:
    """How many chips of one colour a seat has."""
    return lambda seat: state.players[seat].chips[colour]


def break_tie(state: State, seats: list[Seat]) -> list[Seat]:
    """Those left of tied seats: most chips in all, then most irish, english, german, italian (TH-11.4)."""
    left = most(seats, lambda seat: sum(state.players[seat].chips))
    for colour in range(len(COLOURS)):
        left = most(left, chips_of(state, colour))
    return left


def ward_points(ward: int) -> int:
    """Return the points for winning a ward (TH-11.1)."""
    return 1 + (ward == TAMMANY_HALL)


def elect_mayor(state: State) -> list[Event]:
    """Points for every ward won, and the mayor: new, or the sitting one in an unbroken tie (TH-11)."""
    won: dict[Seat, list[int]] = {}
    for number, winner in state.won.items():
        won.setdefault(winner, []).append(number)
    mayor, reason = _mayor(state, {seat: len(wards) for seat, wards in won.items()})
    points = 0 if mayor is None else int(option(state, "holdover-vp")) if reason == "holdover" else 3
    following: Literal["assign", "term", "scoring"] = "term" if mayor is None else "assign"
    return [
        MayorElected(
            won={str(seat): wards for seat, wards in sorted(won.items())},
            points={str(seat): sum(map(ward_points, wards)) for seat, wards in sorted(won.items())},
            mayor=mayor,
            mayor_points=points,
            reason=reason,
            next="scoring" if state.year >= LAST_YEAR else following,
        )
    ]


def _mayor(state: State, wards: dict[Seat, int]) -> tuple[Seat | None, Reason]:
    """Who becomes mayor, and why (TH-11.2 to TH-11.6)."""
    tied = most(list(range(len(state.players))), lambda seat: wards.get(seat, 0))
    if len(tied) == 1:
        return tied[0], "wards"
    left = break_tie(state, tied)
    if len(left) == 1:
        return left[0], "tie-break"
    return (None, "tie") if state.mayor is None else (state.mayor, "holdover")


def decide_assign(state: State, seat: Seat, action: Assign) -> list[Event]:
    """Decide the mayor's assignment: one office to each other player (TH-12.1). Raises RuleViolation."""
    given = list(action.offices.values())
    require(
        action.twice is None and len(set(given)) == len(given),
        "assign-duplicate",
        "TH-12.1",
        "No office is given twice, and nobody gets two.",
    )
    require(seat not in given, "assign-self", "TH-12.1", "You are the mayor and cannot give yourself an office.")
    missing = [other for other in range(len(state.players)) if other != seat and other not in given]
    require(
        not missing,
        "assign-incomplete",
        "TH-12.1",
        "Give an office to everyone else, to {players} too.",
        players=lambda: pawns(missing),
    )
    return [OfficesAssigned(seat, {title: action.offices[title] for title in TITLES if title in action.offices})]


@evolves(MayorElected)
def mayor_elected(state: State, event: MayorElected) -> None:
    """The points are on the track; the other offices have lapsed (TH-11.7)."""
    for seat, points in event.points.items():
        state.players[int(seat)].vp += points
    for player in state.players:
        player.office = None
    if event.mayor is not None:
        state.players[event.mayor].vp += event.mayor_points
        state.players[event.mayor].office = MAYOR
    state.mayor = event.mayor
    state.phase = event.next


@evolves(OfficesAssigned)
def offices_assigned(state: State, event: OfficesAssigned) -> None:
    """Everybody has an office."""
    for title, seat in event.offices.items():
        state.players[seat].office = title
    state.phase = "term"
