"""The races of an election: for the office of mayor, and for the leaders of the four colours (TH-10, TH-11.2)."""

from collections.abc import Sequence
from dataclasses import dataclass
from operator import add
from typing import Protocol

from domain.tammany_hall.rules.state import State
from domain.tammany_hall.search import judgement as judge


class Weighed(Protocol):
    """A ward with the chances of the seats."""

    cubes: list[int]
    weights: list[float]
    total: float


@dataclass(slots=True)
class Races:
    """By seat, what one ward more, or one cube more in a ward won, is worth: most where two are level."""

    mayor: list[float]
    leads: list[list[float]]
    """By colour, then by seat."""


def races(state: State, wards: Sequence[Weighed]) -> Races:
    """The races as the chances of the wards have them."""
    seats = range(len(state.players))
    won, cubes = [0.0] * len(seats), [[0.0] * len(seats) for _ in range(4)]
    for ward in wards:
        unit = 1 / ward.total
        shares = [weight * unit for weight in ward.weights]
        won = list(map(add, won, shares))
        for colour, count in enumerate(ward.cubes):
            if count == 1:
                cubes[colour] = list(map(add, cubes[colour], shares))
            elif count:
                cubes[colour] = [known + count * share for known, share in zip(cubes[colour], shares, strict=True)]
    return standing(state, won, cubes)


ROUGHLY = 0.5
"""How close the races are taken to be without a look."""


def rough_races(state: State) -> Races:
    """The races as if every seat were about level in all of them."""
    term, seats = (state.year + 3) // 4, len(state.players)
    return Races([ROUGHLY * judge.MAYOR[term]] * seats, [[ROUGHLY * judge.LEADER[term]] * seats] * 4)


def standing(state: State, won: list[float], cubes: list[list[float]]) -> Races:
    """The races by the wards, and the cubes of each colour, that each seat seems to get."""
    term = (state.year + 3) // 4
    return Races(
        closeness(won, judge.MAYOR[term], judge.WARDS_APART),
        [closeness(counts, judge.LEADER[term], judge.CUBES_APART) for counts in cubes],
    )


def closeness(counts: list[float], worth: float, half: float) -> list[float]:
    """By seat, `worth` where it is level with the best of the others, half of it so much ahead or behind."""
    *_, second, first = sorted(counts)
    found = []
    for count in counts:
        apart = (count - (second if count == first else first)) / half
        found.append(worth / (1 + apart * apart))
    return found
