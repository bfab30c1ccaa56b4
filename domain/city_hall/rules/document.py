"""The state document of CH-18.2 as types: what `view` shows a seat, for descriptions and for type checkers."""

from typing import Literal, NotRequired, TypedDict

from domain.city_hall.rules.pieces import Land, Office, Permit

Phase = Literal["draft", "build", "activate", "bid", "decide", "resolve", "over"]


class BiddingDocument(TypedDict):
    """The auction of the Office in process: each bid as seat and amount, null for a pass."""

    bids: list[tuple[int, int | None]]
    high: int
    waiting: list[int]


class SeatDocument(TypedDict):
    """What belongs to one seat; null where the reader may not know (CH-18.3)."""

    name: str
    money: int | None
    influence: int | None
    hand: dict[Permit, int] | None
    hand_count: int
    approval: int
    rating: int
    population: int
    stars: int


class OfficeDocument(TypedDict):
    """One Office: the Influence on it, and whose Staffer stands on it."""

    influence: int
    staffer: int | None


class LandDocument(TypedDict):
    """One Land space (CH-2.2)."""

    state: Literal["deck", "available", "owned"]
    money: int
    owner: int | None
    permit: Permit | None
    stars: int | None


class ResultDocument(TypedDict):
    """The election (CH-12): votes by seat, and who won each Endorsement."""

    base_votes: list[int]
    endorsements: dict[str, int | None]
    votes: list[int]
    mayor: int


class StateDocument(TypedDict):
    """The position of City Hall as its reader may see it (CH-18.2)."""

    format: Literal["city-hall-state/1"]
    players: int
    round: int
    phase: Phase
    active: list[int]
    final: bool
    turn_order: list[int]
    schedule: list[int]
    turn: int
    office: Office | None
    controller: int | None
    bidding: BiddingDocument | None
    deputy: int | None
    star_token: int
    seats: list[SeatDocument]
    offices: dict[Office, OfficeDocument]
    lands: dict[Land, LandDocument]
    land_deck: list[Land] | None
    permit_deck: list[Permit] | None
    land_deck_count: int
    permit_deck_count: int
    revealed: list[Permit]
    result: ResultDocument | None
    looked_into: NotRequired[list[int]]
