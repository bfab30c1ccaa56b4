"""The state document of CH-18.2 as types: what `view` shows a seat, for descriptions and for type checkers."""

from typing import Annotated, Literal, NotRequired, TypedDict

from msgspec import Meta

from domain.city_hall.rules.pieces import Land, Office, Permit

Phase = Literal["draft", "build", "activate", "bid", "decide", "resolve", "over"]


class BiddingDocument(TypedDict):
    """The auction of the Office in process: each bid as seat and amount, null for a pass."""

    bids: Annotated[
        list[tuple[int, int | None]], Meta(description="seat and amount in the order made, null for a pass")
    ]
    high: Annotated[int, Meta(description="the highest bid so far")]
    waiting: Annotated[list[int], Meta(description="seats that have still to answer, in order")]


class SeatDocument(TypedDict):
    """What belongs to one seat; null where the reader may not know (CH-18.3)."""

    name: Annotated[str, Meta(description="the pawn's colour; people's names are in the game's `seats`")]
    money: Annotated[int | None, Meta(description="dollars")]
    influence: Annotated[int | None, Meta(description="what Offices are paid with")]
    hand: Annotated[dict[Permit, int] | None, Meta(description="Permits in hand, by kind")]
    hand_count: Annotated[int, Meta(description="how many Permits are in hand")]
    approval: Annotated[int, Meta(description="the space on the approval track, 1 to 10")]
    rating: Annotated[
        int,
        Meta(
            description="what that space is worth, 1 to 5: population times rating are the votes, before Endorsements"
        ),
    ]
    population: Annotated[int, Meta(description="the space on the population track")]
    stars: Annotated[int, Meta(description="all stars of own Buildings")]


class OfficeDocument(TypedDict):
    """One Office: the Influence on it, and whose Staffer stands on it."""

    influence: Annotated[int, Meta(description="what lies on it for whoever activates it")]
    staffer: Annotated[
        int | None, Meta(description="the seat whose Staffer stands on it: it cannot be activated again this round")
    ]


class LandDocument(TypedDict):
    """One Land space (CH-2.2)."""

    state: Annotated[
        Literal["deck", "available", "owned"], Meta(description="in the deck, to be bought, or somebody's")
    ]
    money: Annotated[int, Meta(description="what lies on it, while it is available")]
    owner: Annotated[int | None, Meta(description="a seat")]
    permit: Annotated[Permit | None, Meta(description="what is built there")]
    stars: Annotated[int | None, Meta(description="its Star Value, of a Building alone")]


class ResultDocument(TypedDict):
    """The election (CH-12): votes by seat, and who won each Endorsement."""

    base_votes: Annotated[list[int], Meta(description="population times rating, by seat")]
    endorsements: Annotated[
        dict[str, int | None],
        Meta(description="by name: the seat that has most, null for a tie; each is ten votes more"),
    ]
    votes: Annotated[list[int], Meta(description="by seat, in all")]
    mayor: Annotated[int, Meta(description="the seat that wins")]


class StateDocument(TypedDict):
    """The position of City Hall as its reader may see it (CH-18.2)."""

    format: Literal["city-hall-state/1"]
    players: Annotated[int, Meta(description="how many play")]
    round: Annotated[int, Meta(description="0 during setup")]
    phase: Annotated[
        Phase,
        Meta(
            description="what is asked: a Land, a first Building, an Office to activate, a bid for it, "
            "whether to keep it or which bid to take, what the Office does; or it is over"
        ),
    ]
    active: Annotated[list[int], Meta(description="the seats that have to act")]
    final: Annotated[bool, Meta(description="whether this is the last round")]
    turn_order: Annotated[list[int], Meta(description="seats, first to last")]
    schedule: Annotated[list[int], Meta(description="seats that activate an Office this round, in order")]
    turn: Annotated[int, Meta(description="how many of them have done so")]
    office: Annotated[Office | None, Meta(description="the Office in process")]
    controller: Annotated[int | None, Meta(description="who carries out the Office, in phase `resolve`")]
    bidding: Annotated[BiddingDocument | None, Meta(description="in phases `bid` and `decide`")]
    deputy: Annotated[int | None, Meta(description="the seat that controlled the Deputy Mayor this round")]
    star_token: Annotated[int, Meta(description="its space, 1 to 10")]
    seats: Annotated[list[SeatDocument], Meta(description="by seat")]
    offices: Annotated[dict[Office, OfficeDocument], Meta(description="by Office")]
    lands: Annotated[dict[Land, LandDocument], Meta(description="by space")]
    land_deck: Annotated[list[Land] | None, Meta(description="top first; null until it is over")]
    permit_deck: Annotated[list[Permit] | None, Meta(description="top first; null until it is over")]
    land_deck_count: int
    permit_deck_count: int
    revealed: Annotated[list[Permit], Meta(description="Permits that lie open, in the order revealed")]
    result: Annotated[ResultDocument | None, Meta(description="the election, when it is over")]
    looked_into: NotRequired[
        Annotated[list[int], Meta(description="seats whose hands are shown, when the game is over")]
    ]
