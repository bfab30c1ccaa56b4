"""Features of a position of Tammany Hall: what tells who stands well, the same numbers for every seat.

Most compare a seat with the mean of all. What an election still to come will bring is counted by chances.
"""

from collections.abc import Sequence
from math import exp
from typing import Final

from domain.tammany_hall.rules.board import ELECTION_ORDER, LAST_YEAR, MAYOR, TAMMANY_HALL
from domain.tammany_hall.rules.position import term
from domain.tammany_hall.rules.state import State
from domain.tammany_hall.search import judgement as judge
from domain.tammany_hall.search.weighing import nearness, weighed

NAMES: Final = (
    "points", "clear lead", "wards", "mayor to be", "leaders to be", "chips", "colours led", "bosses on wards",
    "mayor", "office", "slander chips", "turns to come",
)  # fmt: skip
Row = Sequence[float]
"""A number for each seat."""
ELECTING: Final = frozenset({"election", "bid", "bonus", "leaders", "mayor"})
AFTER: Final = frozenset({"assign", "term", "scoring", "over"})
CLEAR: Final = 0.8
"""So many wards, or cubes, ahead make it e times as likely to stay ahead."""


def features(state: State) -> list[list[float]]:
    """By seat how it stands, mostly between -1 and 1; in the order of `NAMES`."""
    players, wards = state.players, state.wards.values()
    points = [player.vp for player in players]
    to_win, mayor, leaders = election_to_come(state)
    columns = [
        _apart(points, 8),
        [max(0, own - max(points[:seat] + points[seat + 1 :])) / 8 for seat, own in enumerate(points)],
        _apart(to_win, 3),
        _apart(mayor, 0.5),
        _apart(leaders, 1),
        _apart([sum(player.chips) for player in players], 6),
        _apart(colours_led(state), 1.5),
        _apart([sum(ward.bosses[seat] for ward in wards) for seat in range(len(players))], 3),
        [float(state.mayor == seat) for seat in range(len(players))],
        _apart([office_power(player.office) for player in players], 1),
        _apart([player.slander for player in players], 1),
        _apart(turns_to_come(state), 0.5),
    ]
    return [list(row) for row in zip(*columns, strict=True)]


def _apart(row: Row, unit: float) -> Row:
    """By seat, how far it is from the mean of all."""
    mean = sum(row) / len(row)
    return [(value - mean) / unit for value in row]


def election_to_come(state: State) -> tuple[Row, Row, Row]:
    """By seat: points of wards (TH-11.1), the chance of being mayor, and of leading colours; 0 after the last."""
    seats = len(state.players)
    nothing = [0.0] * seats
    if state.phase in AFTER and state.year == LAST_YEAR:
        return nothing, nothing, nothing
    won, points, cubes = nothing[:], nothing[:], [nothing[:] for _ in range(4)]
    for number, living, shares in ward_chances(state):
        unit = 1 + (number == TAMMANY_HALL)
        for seat, share in enumerate(shares):
            if share:
                won[seat] += share
                points[seat] += share * unit
                for colour, count in enumerate(living):
                    if count:
                        cubes[colour][seat] += share * count
    leaders = nothing[:]
    for counts in cubes:
        leaders = [known + chance for known, chance in zip(leaders, chances(counts), strict=True)]
    return points, chances(won), leaders


def ward_chances(state: State) -> list[tuple[int, list[int], list[float]]]:
    """The active wards, their cubes, and each seat's chance of them; certain where their election is over."""
    seats = len(state.players)
    found: list[tuple[int, list[int], list[float]]] = []
    over = resolved(state)
    place, _, entry = nearness(state)
    for ward in weighed(state, place, entry)[0]:
        if ward.number in over:
            winner = state.won.get(ward.number)
            shares = [float(seat == winner) for seat in range(seats)]
        else:
            unit = 1 / ward.total
            shares = [weight * unit for weight in ward.weights]
        found.append((ward.number, ward.cubes, shares))
    return found


def resolved(state: State) -> frozenset[int]:
    """The wards whose election is over, while one is held."""
    if state.phase not in ELECTING or (state.ward is None and state.phase == "election"):
        return frozenset()
    if state.ward is None:
        return frozenset(ELECTION_ORDER)
    return frozenset(ELECTION_ORDER[: ELECTION_ORDER.index(state.ward) + (state.phase != "bid")])


def chances(counts: Row) -> list[float]:
    """By seat, the chance of having most in the end."""
    most = max(counts)
    raised = [exp((count - most) / CLEAR) for count in counts]
    unit = 1 / sum(raised)
    return [value * unit for value in raised]


def colours_led(state: State) -> list[float]:
    """By seat, in how many colours it has most chips (TH-13.2); one of several at the top counts half."""
    led = [0.0] * len(state.players)
    for colour in range(4):
        held = [player.chips[colour] for player in state.players]
        best = max(held)
        if best:
            part = 1.0 if held.count(best) == 1 else 0.5
            led = [known + part * (count == best) for known, count in zip(led, held, strict=True)]
    return led


def office_power(office: str | None) -> float:
    """What an office is worth to who holds it."""
    return 0.0 if office is None or office == MAYOR else judge.POWER[office]  # type: ignore[index]


def turns_to_come(state: State) -> Row:
    """By seat, 1 where its turn of this year is still to come, the one that is taken now included."""
    seats = range(len(state.players))
    if state.seat is None or state.first is None or state.phase not in ("garden", "turn", "ended"):
        return [0.0] * len(seats)
    moved = (state.seat - state.first) % len(seats) + (state.phase == "ended")
    return [float((seat - state.first) % len(seats) >= moved) for seat in seats]


def stage(state: State) -> str:
    """The term: which weights hold."""
    return str(term(state))
