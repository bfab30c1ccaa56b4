"""What a seat orders ahead: a ballot for the election of one term (TH-9, TH-12), and how its turns end (TH-4.4)."""

from collections.abc import Sequence
from typing import Annotated, Final, Literal, TypeVar

import msgspec
from msgspec import Meta, field

from domain.tammany_hall.rules.actions import Assign, BonusAction
from domain.tammany_hall.rules.board import Colour, WardNumber

OTHERS: Final = "others"
"""Stands for every ward without a line of its own."""
LINES: Final = 20
"""So many lines of a kind hold whatever makes sense: orders stay small, and what is stored of them tells little."""

Named = Literal[WardNumber, "others"]
Chips = Annotated[int, Meta(ge=1, le=99)]
Term = Literal[1, 2, 3, 4]


class Vote(msgspec.Struct, frozen=True, tag_field="type", forbid_unknown_fields=True, omit_defaults=True):
    """What is bid in one ward, or in all others; nothing where a condition does not hold."""

    ward: Named


class Exactly(Vote, frozen=True, kw_only=True, tag="exactly"):
    """These chips and no others; none of them bids nothing."""

    chips: dict[Colour, Chips]
    if_contested: bool = False
    while_winnable: bool = False


class UpTo(Vote, frozen=True, kw_only=True, tag="up-to"):
    """The fewest chips that win for certain, at most so many, of these colours in this order."""

    chips: Chips
    colours: Annotated[list[Colour], Meta(min_length=1, max_length=4)]
    if_contested: bool = False
    while_winnable: bool = False


class Reserve(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Chips that no `up to` bid of an earlier ward may touch."""

    chips: Chips
    colour: Colour
    ward: WardNumber


class Choice(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A bonus to take after winning a ward; of several for one ward the first that is legal (TH-9.13)."""

    ward: Named
    take: BonusAction


class Ballot(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """Standing orders. `term` is the one whose election the ballot is for, filled in when it is filed; how turns end
    holds until it is replaced."""

    term: Term | None = None
    bids: Annotated[list[Exactly | UpTo], Meta(max_length=LINES)] = field(default_factory=list)
    keep: Annotated[list[Reserve], Meta(max_length=LINES)] = field(default_factory=list)
    bonuses: Annotated[list[Choice], Meta(max_length=LINES)] = field(default_factory=list)
    assign: Assign | None = None
    pass_slander: bool = False
    end_when_placed: bool = False


L = TypeVar("L", bound=Vote | Choice)


def about(number: int, lines: Sequence[L]) -> list[L]:
    """The lines that name a ward, else those for all others."""
    return [line for line in lines if line.ward == number] or [line for line in lines if line.ward == OTHERS]
