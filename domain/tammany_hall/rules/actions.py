"""What a player can order, one struct a command (TH-15.1), and what chance can."""

from typing import Annotated, TypeAlias

from msgspec import Meta, field

from domain.engine.game import Action, Draw
from domain.tammany_hall.rules.board import Colour, Title, WardNumber

SeatNumber = Annotated[int, Meta(ge=0, le=4)]
Count = Annotated[int, Meta(ge=0, le=99)]


class Place(Action, frozen=True, tag="place"):
    """Campaign: two bosses into open wards (TH-6.2); one only where one is left (TH-6.7)."""

    wards: Annotated[list[WardNumber], Meta(min_length=1, max_length=2)]


class Settle(Action, frozen=True, tag="settle"):
    """One boss and one immigrant from the Castle Garden into open wards, for a favor chip (TH-6.3)."""

    boss: WardNumber
    cube: Colour
    ward: WardNumber


class Slander(Action, frozen=True, tag="slander"):
    """Drive a rival's boss out of a ward, and another out of a neighbouring one (TH-8)."""

    target: SeatNumber
    ward: WardNumber
    favor: Colour
    then: WardNumber | None = None


class OfficeFavor(Action, frozen=True, tag="office-favor"):
    """Deputy Mayor: take a favor chip (TH-7.5)."""

    favor: Colour


class OfficeLock(Action, frozen=True, tag="office-lock"):
    """Council President: lock a ward (TH-7.9)."""

    ward: WardNumber


class OfficePolice(Action, frozen=True, tag="office-police"):
    """Chief of Police: put an immigrant back into the bag (TH-7.6)."""

    ward: WardNumber
    cube: Colour


class OfficeMove(Action, frozen=True, tag="office-move"):
    """Precinct Chairman: move an immigrant to a neighbouring ward (TH-7.7)."""

    cube: Colour
    origin: WardNumber
    to: WardNumber


class End(Action, frozen=True, tag="end"):
    """End the turn (TH-4.4)."""


class Bid(Action, frozen=True, tag="bid"):
    """A sealed bid (TH-9.8); the ward guards a late message against being taken for the next ward's bid."""

    chips: dict[Colour, Count] = field(default_factory=dict)
    ward: WardNumber | None = None


class BonusCube(Action, frozen=True, tag="bonus-cube"):
    """After winning ward 1 or 2: a cube from the bag into an open ward (TH-9.14)."""

    cube: Colour
    ward: WardNumber


class BonusFavor(Action, frozen=True, tag="bonus-favor"):
    """After winning ward 4 or 7: a favor chip (TH-9.15)."""

    favor: Colour


class BonusPass(Action, frozen=True, tag="bonus-pass"):
    """Decline the bonus (TH-9.15)."""


class Assign(Action, frozen=True, tag="assign", omit_defaults=True):
    """The mayor gives each other player one office (TH-12.1)."""

    offices: dict[Title, SeatNumber]
    twice: Title | None = None
    """An office a text named twice, which a table cannot show; such an assignment is always refused."""


class DrawFirstPlayer(Action, frozen=True, tag="draw-first-player"):
    """Chance draws the first player of term 1 (TH-3.8)."""

    draw: Draw
    result: SeatNumber


class DealZone(Action, frozen=True, tag="deal-zone"):
    """Chance deals a setup box to the wards of its zone (TH-3.7)."""

    draw: Draw
    zone: int
    result: dict[str, Colour]


class FillGarden(Action, frozen=True, tag="fill-garden"):
    """Chance draws from the bag into the Castle Garden (TH-5.1)."""

    draw: Draw
    result: dict[Colour, Count]


ACTIONS: tuple[type[Action], ...] = (
    Place, Settle, Slander, OfficeFavor, OfficeLock, OfficePolice, OfficeMove, End,
    Bid, BonusCube, BonusFavor, BonusPass, Assign,
)  # fmt: skip
"""What a player can do; chance acts besides."""

OfficeAction: TypeAlias = OfficeFavor | OfficeLock | OfficePolice | OfficeMove
BonusAction: TypeAlias = BonusCube | BonusFavor | BonusPass
ChanceAction: TypeAlias = DrawFirstPlayer | DealZone | FillGarden
