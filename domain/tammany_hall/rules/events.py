"""What can happen in a game, one struct a fact, with everything it changed; seats as keys are digits."""

from collections.abc import Mapping
from typing import ClassVar, Final, Literal

import msgspec

from domain.engine.game import Draw, Event, Handlers
from domain.tammany_hall.rules.board import Bonus, Colour, Title

EVOLVE: Final = Handlers()
"""The handler of every event; the modules of the chapters fill it."""
evolves: Final = EVOLVE.evolves


class FirstPlayerDrawn(Event, frozen=True):
    """Chance named the first player of term 1 (TH-3.8)."""

    draw: Draw
    result: int


class ZoneOpened(Event, frozen=True):
    """A zone came into play, one cube of its box in each ward (TH-3.7); by ward."""

    draw: Draw
    zone: int
    result: dict[str, Colour]


class GardenFilled(Event, frozen=True):
    """Cubes went from the bag into the Castle Garden (TH-5.1)."""

    draw: Draw
    result: dict[Colour, int]


class TermBegan(Event, frozen=True):
    """The next term began: all may slander again, and a first player is set (TH-12.6)."""

    term: int
    first: int


class YearBegan(Event, frozen=True):
    """A year began (TH-4.8)."""

    year: int


class TurnBegan(Event, frozen=True):
    """A seat's turn began; `draws` where the Castle Garden must be filled first (TH-5.1)."""

    seat: int
    draws: bool


class TurnEnded(Event, frozen=True):
    """A player ended the turn (TH-4.4)."""

    seat: int


class BossesPlaced(Event, frozen=True):
    """A campaign: a pawn into each ward named (TH-6.2)."""

    seat: int
    wards: list[int]


class ImmigrantSettled(Event, frozen=True):
    """A pawn into `boss`, a cube from the garden into `ward`, and a chip, or none where none was left (TH-6.9)."""

    seat: int
    boss: int
    cube: Colour
    ward: int
    chips: int


class BossSlandered(Event, frozen=True):
    """A rival's pawn left a ward, and another the ward `then`, for so many chips of one colour in all (TH-8.6)."""

    seat: int
    target: int
    ward: int
    favor: Colour
    then: int | None
    chips: int
    slander: int


class FavorGranted(Event, frozen=True):
    """The Deputy Mayor took a chip (TH-7.5)."""

    seat: int
    favor: Colour


class WardLocked(Event, frozen=True):
    """The Council President locked a ward (TH-7.9)."""

    seat: int
    ward: int


class ImmigrantExpelled(Event, frozen=True):
    """The Chief of Police put a cube into the bag (TH-7.6)."""

    seat: int
    ward: int
    cube: Colour


class ImmigrantMoved(Event, frozen=True):
    """The Precinct Chairman moved a cube (TH-7.7)."""

    seat: int
    cube: Colour
    origin: int
    to: int


class GardenReturned(Event, frozen=True):
    """The Castle Garden went back into the bag, and an election began (TH-5.5)."""

    cubes: dict[Colour, int]


class WardResolved(Event, frozen=True):
    """A ward election without bids (TH-9.4, TH-9.7): votes, winner, the pawns that left, the bonus offered."""

    ward: int
    votes: dict[str, int]
    winner: int | None
    removed: dict[str, int]
    bonus: Bonus | None


class Candidate(msgspec.Struct, frozen=True):
    """What the referee announces of one candidate (TH-9.5)."""

    seat: int
    bosses: int
    usable: dict[Colour, int]


class BiddingOpened(Event, frozen=True):
    """A ward election waits for bids (TH-9.5)."""

    ward: int
    candidates: list[Candidate]
    owes: list[int]


class BidSealed(Event, frozen=True):
    """A seat handed in a bid, or another one in its place (TH-9.9); the chips are for its eyes only."""

    SEALED: ClassVar[Mapping[str, str]] = {"chips": "seat"}

    seat: int
    ward: int
    chips: dict[Colour, int] | None = None


class BidsRevealed(Event, frozen=True):
    """All bids of a ward, the votes, the winner, the chips that went to the supply, the pawns that left (TH-9.10)."""

    OPENS: ClassVar[bool] = True

    ward: int
    bids: dict[str, dict[Colour, int]]
    votes: dict[str, int]
    winner: int | None
    returned: dict[Colour, int]
    removed: dict[str, int]
    bonus: Bonus | None


class BonusCubePlaced(Event, frozen=True):
    """A ward's winner put a cube from the bag into a ward (TH-9.14)."""

    seat: int
    cube: Colour
    ward: int


class BonusFavorTaken(Event, frozen=True):
    """A ward's winner took a chip (TH-9.15)."""

    seat: int
    favor: Colour


class BonusDeclined(Event, frozen=True):
    """A ward's winner declined the bonus (TH-9.15)."""

    seat: int


class LeadersAwarded(Event, frozen=True):
    """By colour: who leads, with how many cubes, and the chips each leader took (TH-10)."""

    leaders: dict[Colour, list[int]]
    cubes: dict[Colour, int]
    chips: dict[Colour, dict[str, int]]


class MayorElected(Event, frozen=True):
    """The wards won and the points for them; the mayor, old, new or none, and the points of the office (TH-11)."""

    won: dict[str, list[int]]
    points: dict[str, int]
    mayor: int | None
    mayor_points: int
    reason: Literal["wards", "tie-break", "holdover", "tie"]
    next: Literal["assign", "term", "scoring"]


class OfficesAssigned(Event, frozen=True):
    """The mayor gave the offices (TH-12.1)."""

    seat: int
    offices: dict[Title, int]


class LocksLifted(Event, frozen=True):
    """The lock tokens came off (TH-7.14)."""

    wards: list[int]


class GameScored(Event, frozen=True):
    """The end (TH-13): each line {"seat", "for", "vp"}, where "elections" stands for the points held before;
    the final points by seat; the winners."""

    lines: list[dict[str, int | str]]
    scores: list[int]
    winners: list[int]


EVENTS: Final[dict[str, type[Event]]] = {
    "first-player-drawn": FirstPlayerDrawn,
    "zone-opened": ZoneOpened,
    "garden-filled": GardenFilled,
    "term-began": TermBegan,
    "year-began": YearBegan,
    "turn-began": TurnBegan,
    "turn-ended": TurnEnded,
    "bosses-placed": BossesPlaced,
    "immigrant-settled": ImmigrantSettled,
    "boss-slandered": BossSlandered,
    "favor-granted": FavorGranted,
    "ward-locked": WardLocked,
    "immigrant-expelled": ImmigrantExpelled,
    "immigrant-moved": ImmigrantMoved,
    "garden-returned": GardenReturned,
    "ward-resolved": WardResolved,
    "bidding-opened": BiddingOpened,
    "bid-sealed": BidSealed,
    "bids-revealed": BidsRevealed,
    "bonus-cube-placed": BonusCubePlaced,
    "bonus-favor-taken": BonusFavorTaken,
    "bonus-declined": BonusDeclined,
    "leaders-awarded": LeadersAwarded,
    "mayor-elected": MayorElected,
    "offices-assigned": OfficesAssigned,
    "locks-lifted": LocksLifted,
    "game-scored": GameScored,
}
"""By stored name, never renamed once written."""
