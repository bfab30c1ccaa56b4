"""The state of one game of Tammany Hall: everything `fold` changes, and nothing a rule can work out."""

from dataclasses import dataclass, field
from typing import Literal

Phase = Literal[
    "first-player",  # chance draws the first player (TH-3.8)
    "year",  # a year begins: zones that are due are dealt (TH-3.6)
    "garden",  # a turn begins: the Castle Garden is filled if empty (TH-5)
    "turn",
    "ended",  # a turn is over: the next turn, the next year or an election follows (TH-4.8)
    "election",  # between two ward elections; `ward` is the last one resolved (TH-9.2)
    "bid",
    "bonus",
    "leaders",  # TH-10
    "mayor",  # TH-11
    "assign",
    "term",  # the offices are given, or there is no mayor: the next term begins (TH-12.6)
    "scoring",  # TH-13
    "over",
]


@dataclass(slots=True)
class Ward:
    """One ward: cubes by colour, pawns by seat, whether a lock lies on it. Active while it holds a cube (TH-4.3)."""

    cubes: list[int]
    bosses: list[int]
    locked: bool = False


@dataclass(slots=True)
class Player:
    """What lies before one seat: chips by colour (sealed ones included, TH-2.3), slander chips, points, office."""

    chips: list[int]
    slander: int = 3
    slandered: bool = False  # this term (TH-8.2)
    vp: int = 0
    office: str | None = None  # "mayor" or a title


@dataclass(slots=True)
class State:
    """A game. Lists by colour have four entries in colour order; lists by seat one for each seat."""

    options: dict[str, str]
    players: list[Player]
    wards: dict[int, Ward]  # by printed number, in election order
    bag: list[int]
    garden: list[int]
    supply: list[int]  # of chips
    boxes: dict[int, list[int]]  # by zone
    leaders: list[list[int]]  # by colour: the seats that lead (TH-10.7)
    phase: Phase = "first-player"
    year: int = 1
    first: int | None = None  # first player of the term
    mayor: int | None = None
    seat: int | None = None  # whose turn it is
    placed: bool = False
    office_used: bool = False
    locks_left: int = 2
    ward: int | None = None  # the ward whose election is being resolved
    bids: dict[int, list[int] | None] = field(default_factory=dict)  # handed in, by seat; None: not for these eyes
    won: dict[int, int] = field(default_factory=dict)  # this election: ward -> winner
    winners: list[int] = field(default_factory=list)
    lines: list[dict[str, int | str]] = field(default_factory=list)  # final scoring, line by line (TH-14.1)
