"""What a player can order, one struct a command (CH-16.1), and what chance can."""

from typing import Annotated, Literal, TypeAlias

import msgspec
from msgspec import Meta, field

from domain.city_hall.rules.pieces import Land, Office, Permit
from domain.engine.game import Action, Draw

SeatNumber = Annotated[int, Meta(ge=0, le=3)]
Amount = Annotated[int, Meta(ge=0, le=9999)]
Number = Annotated[int, Meta(ge=1, le=9999)]
Clause = Annotated[dict[Literal["buy", "sell"], Number], Meta(min_length=1, max_length=1)]


class Draft(Action, frozen=True, tag="draft"):
    """Choose an available space in the draft (CH-4.3)."""

    land: Land


class Build(Action, frozen=True, tag="build", omit_defaults=True):
    """Place an initial Building, and with 3 or 4 players return another starting Permit (CH-5.1, CH-13.2)."""

    permit: Permit
    land: Land
    returned: Permit | None = field(default=None, name="return")


class Activate(Action, frozen=True, tag="activate", omit_defaults=True):
    """Put a Staffer on an Office; at the Surveyor, perhaps search for a Land card (CH-7.2, CH-8.9)."""

    office: Office
    search: Land | None = None


class Bid(Action, frozen=True, tag="bid"):
    """Bid Influence for the Office in process (CH-7.6)."""

    influence: Amount


class Pass(Action, frozen=True, tag="pass"):
    """Do not bid (CH-7.6)."""


class Keep(Action, frozen=True, tag="keep"):
    """Pay the high bid to the bank and control the Office (CH-7.9)."""


class Accept(Action, frozen=True, tag="accept"):
    """Take a high bidder's Influence and leave the Office to that player (CH-7.9)."""

    seat: SeatNumber


class Tax(Action, frozen=True, tag="tax", omit_defaults=True):
    """Tax Assessor: take the income once, twice or three times (CH-8.3)."""

    times: Literal["plain", "double", "triple"] = "plain"


class Campaign(Action, frozen=True, tag="campaign"):
    """Campaign Manager: advance on the Approval Rating Track for this price (CH-8.4)."""

    pay: Literal[0, 10, 30, "none"]


class Buy(Action, frozen=True, tag="buy"):
    """Surveyor: buy an available space, or none (CH-8.11)."""

    land: Land | None


class Lobby(Action, frozen=True, tag="lobby", omit_defaults=True):
    """Lobbyist: take Influence, then buy and sell some, in this order (CH-8.6, CH-8.7)."""

    steps: list[Clause] = field(default_factory=list)


class Placement(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A Permit, and the space it is placed on."""

    permit: Permit
    land: Land


class Zone(Action, frozen=True, tag="zone", omit_defaults=True):
    """Zoning Board: take two Permits, take one and place one, or place two (CH-8.17); `under`: the order of the
    rest below the deck, nearest to the top first (CH-8.20)."""

    take: Annotated[list[Permit], Meta(max_length=2)] = field(default_factory=list)
    build: Annotated[list[Placement], Meta(max_length=2)] = field(default_factory=list)
    under: Annotated[list[Permit], Meta(min_length=1, max_length=3)] | None = None


class Health(Action, frozen=True, tag="health"):
    """Health Commissioner: count the stars, the own ones perhaps with a bonus (CH-8.22)."""

    bonus: Literal["none", "plus3", "double"]


class DrawTurnOrder(Action, frozen=True, tag="draw-turn-order"):
    """Chance fills the Turn Order Track, first to last (CH-3.7)."""

    draw: Draw
    result: list[SeatNumber]


class DrawLand(Action, frozen=True, tag="draw-land"):
    """Chance draws a card from the Land deck (CH-4.1, CH-4.5, CH-8.9)."""

    draw: Draw
    result: Land


class DrawPermits(Action, frozen=True, tag="draw-permits"):
    """Chance reveals Permits from the top of the deck (CH-8.16)."""

    draw: Draw
    result: list[Permit]


ACTIONS: tuple[type[Action], ...] = (
    Draft, Build, Activate, Bid, Pass, Keep, Accept, Tax, Campaign, Buy, Lobby, Zone, Health,
)  # fmt: skip
"""What a player can do; chance acts besides."""

ChanceAction: TypeAlias = DrawTurnOrder | DrawLand | DrawPermits
