"""The summary document of TH-16.3 as types: what `view` shows a seat, for descriptions and for type checkers."""

from typing import Annotated, Literal, NotRequired, TypedDict

from msgspec import Meta

from domain.tammany_hall.rules.board import Bonus, Colour

Phase = Literal["turn", "bid", "bonus", "assign", "over"]
WardKey = Literal["1", "2", "3", "4", "5", "6", "7", "8", "9", "10", "11", "13", "14", "15", "17"]
Office = Literal["mayor", "deputy", "council", "police", "precinct"]


class TurnDocument(TypedDict):
    """The turn that is being played (TH-4)."""

    seat: Annotated[int | None, Meta(description="whose turn it is")]
    placed: Annotated[bool, Meta(description="whether the placement, a campaign or a settlement, is done")]
    office_used: Annotated[bool, Meta(description="whether the office was used this turn")]


class WardDocument(TypedDict):
    """One ward: cubes by colour, ward bosses by seat."""

    zone: Annotated[int, Meta(description="1 to 3; zone 2 opens before year 5, zone 3 before year 9")]
    active: Annotated[bool, Meta(description="whether an immigrant lives in it: only then is it played in")]
    cubes: Annotated[dict[Colour, int], Meta(description="immigrants in it, by colour")]
    bosses: Annotated[list[int], Meta(description="ward bosses in it, by seat")]
    locked: Annotated[bool, Meta(description="whether a lock token lies in it")]


class SeatDocument(TypedDict):
    """What lies before one seat."""

    name: Annotated[str, Meta(description="the pawn's colour, too; people's names are in the game's `seats`")]
    pawn: str
    chips: Annotated[dict[Colour, int], Meta(description="favor chips, by colour; everybody sees them")]
    slander: Annotated[int, Meta(description="slander chips left")]
    slandered: Annotated[bool, Meta(description="whether one was used this term")]
    vp: Annotated[int, Meta(description="points so far")]
    office: Office | None
    bosses_left: Annotated[int, Meta(description="pawns that can still be placed")]


class CandidateDocument(TypedDict):
    """A candidate of the ward being bid for, and the chips that count there (TH-9.5)."""

    seat: int
    bosses: Annotated[int, Meta(description="ward bosses, each of which is a vote")]
    usable: Annotated[
        dict[Colour, int], Meta(description="chips of colours that live in the ward, the most that can be bid")
    ]


class BiddingDocument(TypedDict):
    """A sealed bidding round: who owes a bid, who handed one in, and the reader's own."""

    ward: int
    candidates: Annotated[list[CandidateDocument], Meta(description="the seats with a boss in it")]
    owes: Annotated[list[int], Meta(description="seats that have to bid still")]
    handed_in: Annotated[list[int], Meta(description="seats that bid")]
    own: Annotated[
        dict[Colour, int] | None, Meta(description="your bid, null before it and for a reader who is not asked")
    ]
    bids: NotRequired[
        Annotated[
            dict[str, dict[Colour, int]],
            Meta(description="by seat, when the game is over and its bids are looked into"),
        ]
    ]


class BonusDocument(TypedDict):
    """A bonus the winner of a ward may take (TH-9.14, TH-9.15)."""

    ward: int
    kind: Annotated[Bonus, Meta(description="a cube from the bag, or a favor chip")]
    seat: Annotated[int, Meta(description="who may take it")]


class AssignmentDocument(TypedDict):
    """The mayor gives the offices to the other seats (TH-12)."""

    mayor: int | None
    others: Annotated[list[int], Meta(description="who gets the offices")]


class StateDocument(TypedDict):
    """The position of Tammany Hall as its reader may see it (TH-16.3)."""

    players: Annotated[int, Meta(description="how many play")]
    year: Annotated[int, Meta(description="1 to 16")]
    term: Annotated[int, Meta(description="1 to 4, four years each, then an election")]
    phase: Annotated[
        Phase,
        Meta(description="what is asked: a turn, a bid, whether to take a bonus, the offices; or it is over"),
    ]
    active: Annotated[list[int], Meta(description="the seats that have to act, ascending")]
    first: Annotated[int | None, Meta(description="the seat that began this year")]
    mayor: Annotated[int | None, Meta(description="the seat that is mayor")]
    ward: Annotated[int | None, Meta(description="the ward whose election is held")]
    turn: Annotated[TurnDocument | None, Meta(description="in phase `turn`")]
    locks_left: Annotated[int, Meta(description="lock tokens not on the board")]
    wards: Annotated[dict[WardKey, WardDocument], Meta(description="by number")]
    seats: Annotated[list[SeatDocument], Meta(description="by seat")]
    leaders: Annotated[
        dict[Colour, list[int]],
        Meta(description="by colour: the seats that had most in wards they won, at the last election"),
    ]
    garden: Annotated[dict[Colour, int], Meta(description="immigrants in the Castle Garden, by colour")]
    bag: Annotated[dict[Colour, int], Meta(description="immigrants that may still come, by colour")]
    chip_supply: Annotated[dict[Colour, int], Meta(description="favor chips that can still be taken, by colour")]
    boxes: Annotated[
        dict[Literal["1", "2", "3"], dict[Colour, int]],
        Meta(description="immigrants that wait until a zone opens, by zone and colour"),
    ]
    winners: Annotated[list[int], Meta(description="seats; empty until it is over")]
    bidding: Annotated[BiddingDocument | None, Meta(description="in phase `bid`")]
    bonus: Annotated[BonusDocument | None, Meta(description="in phase `bonus`")]
    assignment: Annotated[AssignmentDocument | None, Meta(description="in phase `assign`")]
    scoring: Annotated[
        list[dict[str, int | str]], Meta(description="the points of the end, a line for each seat, when it is over")
    ]
