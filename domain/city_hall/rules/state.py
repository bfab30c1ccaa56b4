"""The state of one game of City Hall: everything `fold` changes, and nothing a rule can work out."""

from dataclasses import dataclass, field
from typing import Literal

from domain.city_hall.rules.board import Board
from domain.city_hall.rules.pieces import Land, Office, Permit

Phase = Literal[
    "setup",  # the board is laid (CH-3)
    "turn-order",  # chance fills the Turn Order Track (CH-3.7)
    "draft",
    "build",
    "activate",
    "bid",  # also while what the Surveyor or the Zoning Board reveals is still to be drawn
    "decide",  # also for a moment when all have passed, and nothing is asked (CH-7.8)
    "resolve",
    "ended",  # an action is complete: the next turn follows (CH-7.1)
    "round-over",  # the next round follows, or the end (CH-6, CH-11.3)
    "election",  # CH-11.4, CH-12
    "over",
]


@dataclass(slots=True)
class Player:
    """What belongs to one seat. `money`, `influence` and `hand` (by kind) are None where the reader may not know."""

    money: int | None = 0
    influence: int | None = 0
    hand: list[int] | None = field(default_factory=lambda: [0, 0, 0, 0])
    hand_count: int = 0
    approval: int = 1  # space on the Approval Rating Track
    population: int = 1


@dataclass(slots=True)
class Space:
    """One Land space (CH-2.2): dollars on it while available; owner, Permit and Star Value once owned."""

    state: Literal["deck", "available", "owned"] = "deck"
    money: int = 0
    owner: int | None = None
    permit: Permit | None = None
    stars: int | None = None  # of a Building; a Park has none (CH-9.4)


@dataclass(slots=True)
class Chair:
    """One Office: Influence lying on it, and whose Staffer stands on it this round (CH-2.9)."""

    influence: int = 0
    staffer: int | None = None


@dataclass(frozen=True, slots=True)
class Laid:
    """One card at the bottom of the Permit deck. `by`: the one seat that knows it, None if everybody does;
    `permit` is None where the reader does not."""

    permit: Permit | None
    by: int | None = None


@dataclass(frozen=True, slots=True)
class Result:
    """The election (CH-12): votes by seat, and who won each Endorsement."""

    base_votes: list[int]
    endorsements: dict[str, int | None]
    votes: list[int]
    mayor: int


@dataclass(slots=True)
class State:
    """A game. Lists by kind have four entries in Permit order; lists by seat one for each seat."""

    options: dict[str, str]
    players: list[Player]
    lands: dict[Land, Space]  # in board order
    offices: dict[Office, Chair]  # in Office order
    board: Board | None = None  # what the game is played on (CH-20.5); None before it is laid
    phase: Phase = "setup"
    round: int = 0
    final: bool = False
    turn_order: list[int] = field(default_factory=list)
    schedule: list[int] = field(default_factory=list)  # the activators of this round
    turn: int = 0  # activations complete in this round
    step: int = 0  # picks of the draft and initial Buildings that are done
    office: Office | None = None  # in process
    controller: int | None = None
    bids: list[tuple[int, int | None]] = field(default_factory=list)  # (seat, amount or None for a pass), as made
    waiting: list[int] = field(default_factory=list)  # opponents still to answer, in order
    deputy: int | None = None  # who controlled the Deputy Mayor this round
    star_token: int = 1
    unknown: list[int] = field(default_factory=lambda: [0, 0, 0, 0])  # by kind: Permit deck, cards of no known order
    bottom: list[Laid] = field(default_factory=list)  # the cards below those, top first
    revealed: list[Permit] = field(default_factory=list)
    lands_due: int = 0  # Land cards to be drawn now
    permits_due: int = 0  # Permits to be revealed now
    result: Result | None = None
