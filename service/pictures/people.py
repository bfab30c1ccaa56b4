"""Who sits at the table, as a picture shows them: a name that can be drawn, a short mark, a colour."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from domain.engine.game import View
from service.pictures import font
from service.pictures.palette import PAWNS, Colour

LONGEST: Final = 20
"""Characters of a name within a sentence; where a name stands alone, its room decides."""


@dataclass(frozen=True, slots=True)
class Person:
    """A seat: the name, the mark that stands on its pieces, and the two colours of its pawn."""

    name: str
    pawn: str
    mark: str
    fill: Colour
    ink: Colour

    @property
    def short(self) -> str:
        """The name for use within a sentence."""
        return self.name if len(self.name) <= LONGEST else self.name[: LONGEST - 1].rstrip() + font.ELLIPSIS


def people(view: View, pawns: Sequence[str]) -> list[Person]:
    """The seats of a view."""
    names = [seat["name"] for seat in view["seats"]]
    return [
        Person(name, pawn, mark, *PAWNS[pawn])
        for name, pawn, mark in zip(names, pawns, marks(names, pawns), strict=False)
    ]


def drawn_people(view: View, pawns: Sequence[str]) -> list[Person]:
    """The seats of a view as they can be drawn: a name the font has not all letters of gives way to the pawn's."""
    seats = [
        seat if font.covers(seat["name"]) and seat["name"].strip() else {"name": pawn}
        for seat, pawn in zip(view["seats"], pawns, strict=False)
    ]
    return people({"seats": seats}, pawns)


def marks(names: Sequence[str], pawns: Sequence[str]) -> list[str]:
    """A mark of one or two letters for each seat, no two alike: of the names, or of the pawns if those are alike."""
    for size in (1, 2):
        found = [name.strip()[:size].strip().capitalize() for name in names]
        if len(set(found)) == len(found):
            return found
    return [pawn[:2].capitalize() for pawn in pawns[: len(names)]]
