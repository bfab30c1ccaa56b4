"""The summary document of TH-16.3 as types: what `view` shows a seat, for descriptions and for type checkers."""

from typing import Literal, NotRequired, TypedDict

from domain.tammany_hall.rules.board import Bonus, Colour

Phase = Literal["turn", "bid", "bonus", "assign", "over"]
WardKey = Literal["1", "2", "3", "4", "5", "6", "7", "8", "9", "10", "11", "13", "14", "15", "17"]
Office = Literal["mayor", "deputy", "council", "police", "precinct"]


class TurnDocument(TypedDict):
    """The turn that is being played (TH-4)."""

    seat: int | None
    placed: bool
    office_used: bool


class WardDocument(TypedDict):
    """One ward: cubes by colour, ward bosses by seat."""

    zone: int
    active: bool
    cubes: dict[Colour, int]
    bosses: list[int]
    locked: bool


class SeatDocument(TypedDict):
    """What lies before one seat."""

    name: str
    pawn: str
    chips: dict[Colour, int]
    slander: int
    slandered: bool
    vp: int
    office: Office | None
    bosses_left: int


class CandidateDocument(TypedDict):
    """A candidate of the ward being bid for, and the chips that count there (TH-9.5)."""

    seat: int
    bosses: int
    usable: dict[Colour, int]


class BiddingDocument(TypedDict):
    """A sealed bidding round: who owes a bid, who handed one in, and the reader's own."""

    ward: int
    candidates: list[CandidateDocument]
    owes: list[int]
    handed_in: list[int]
    own: dict[Colour, int] | None
    bids: NotRequired[dict[str, dict[Colour, int]]]


class BonusDocument(TypedDict):
    """A bonus the winner of a ward may take (TH-9.14, TH-9.15)."""

    ward: int
    kind: Bonus
    seat: int


class AssignmentDocument(TypedDict):
    """The mayor gives the offices to the other seats (TH-12)."""

    mayor: int | None
    others: list[int]


class StateDocument(TypedDict):
    """The position of Tammany Hall as its reader may see it (TH-16.3)."""

    players: int
    year: int
    term: int
    phase: Phase
    active: list[int]
    first: int | None
    mayor: int | None
    ward: int | None
    turn: TurnDocument | None
    locks_left: int
    wards: dict[WardKey, WardDocument]
    seats: list[SeatDocument]
    leaders: dict[Colour, list[int]]
    garden: dict[Colour, int]
    bag: dict[Colour, int]
    chip_supply: dict[Colour, int]
    boxes: dict[Literal["1", "2", "3"], dict[Colour, int]]
    winners: list[int]
    bidding: BiddingDocument | None
    bonus: BonusDocument | None
    assignment: AssignmentDocument | None
    scoring: list[dict[str, int | str]]
