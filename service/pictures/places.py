"""Parts of a map on a page: places that can be read, pointed at and marked, on a ground."""

from collections.abc import Sequence
from dataclasses import dataclass

from domain.engine.sentences import Sentence
from service.pictures.svg import Point


@dataclass(frozen=True, slots=True)
class Place:
    """A part of a board, such as a ward or a space."""

    id: str
    """Such as "ward-14", "garden", "land-Q3": what choices call their target."""
    name: Sentence
    """All there is to see in it, in words."""
    middle: Point
    near: Sequence[str]
    """The ids of the places beside it."""
    outline: str
    """The shape that is pointed at, as SVG without a colour."""
    drawing: str
    dots: Sequence["Dot"] = ()
    """Where a page shows that something has changed, once for each dress of the board."""


@dataclass(frozen=True, slots=True)
class Dot:
    """A dot beside the name of a place: the dress it belongs to, its left end, and the size of a letter in it."""

    dress: str
    left: Point
    letter: float

    @property
    def radius(self) -> float:
        """The radius around a letter."""
        return 0.72 * self.letter


@dataclass(frozen=True, slots=True)
class Map:
    """A whole board: its name, its height and width in units, its ground, its places in reading order."""

    name: Sentence
    height: float
    ground: str
    places: Sequence[Place]
    width: float = 600
