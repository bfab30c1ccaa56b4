"""The board as a page shows it: the map alone, every place with an id and a name that reads it completely.

It names its colours, which `palette.css` gives values, and has no style of its own: `board.css` says how places look
when they are pointed at, lit, drafted or recent. Whatever is drawn or written in it is hidden from those who hear the
page: they hear the names.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any, Final, Protocol, cast
from xml.sax.saxutils import escape, quoteattr

from domain.engine.game import Event, Seat, View
from domain.engine.sentences import Sentence, Words, say, say_in
from domain.rulesets import ruleset
from service.pictures import font, svg
from service.pictures.palette import stylesheet
from service.pictures.people import Person, drawn_people
from service.pictures.pieces import definitions
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
    key: tuple[float, float, float] = (0, 0, 100)
    """The box in the water that says what a dot means: left, top and width."""


STYLE: Final = Path(__file__).parents[1] / "web" / "static" / "board.css"


@dataclass(frozen=True, slots=True)
class Marks:
    """The ids of the places that a page marks: changed by a draft, changed by the last moves, legal targets."""

    drafted: frozenset[str] = frozenset()
    recent: frozenset[str] = frozenset()
    lit: frozenset[str] = frozenset()
    movers: Mapping[str, Person] = field(default_factory=dict)
    """Who changed a recent place last, if a player did."""
    is_explained: bool = False
    """Whether the legend says what the dots of recent places mean."""

    def of(self, place: str) -> str:
        """The classes of a place."""
        marked = {"drafted": self.drafted, "recent": self.recent, "lit": self.lit}
        return " ".join(["place", *(name for name, places in marked.items() if place in places)])

    def mover(self, place: str) -> Person | None:
        """Return who changed a recent place."""
        return self.movers.get(place) if place in self.recent else None


@dataclass(frozen=True, slots=True)
class Drawn:
    """A map in its parts, each an element: how it opens, what its pieces look like, its ground, its places by id."""

    opening: str
    pieces: str
    ground: str
    places: Mapping[str, str]

    def svg(self) -> str:
        """The whole map."""
        return self.opening + self.pieces + self.ground + "".join(self.places.values()) + "</svg>"

    def since(self, before: "Drawn") -> "Drawn":
        """Return the parts that differ from another map of the game; "" for the same ground."""
        ground = "" if self.ground == before.ground else self.ground
        places = {place: drawn for place, drawn in self.places.items() if before.places.get(place) != drawn}
        return Drawn(self.opening, "", ground, places)


class Places(Protocol):
    """The module `places` of a game."""

    def place_names(self, view: View, people: Sequence[Person], /) -> dict[str, Sentence]: ...

    def touched(self, event: Event, /) -> Iterator[str]: ...


class PageMap(Protocol):
    """The module `page_map` of a game."""

    def page_map(self, view: View, people: Sequence[Person], said: Words, before: View | None = None, /) -> Map: ...


UNMARKED: Final = Marks()


def drawn_words(words: Words) -> Words:
    """Return the same words, but English for those that the font cannot draw."""

    def said(label: object) -> str:
        text = words(label)
        return text if font.covers(text) else str(label)

    return said


def map_of(kind: str, view: View, people: Sequence[Person], said: Words = str) -> Map:
    """Return the map of a position."""
    return _page_map(kind).page_map(view, people, said)


def page_board(kind: str, view: View, people: Sequence[Person], words: Words = str, marks: Marks = UNMARKED) -> str:
    """The map of a position as an `<svg>` to be set into a page, without style or script."""
    return drawn_board(kind, view, people, words, marks).svg()


def drawn_board(
    kind: str,
    view: View,
    people: Sequence[Person],
    words: Words = str,
    marks: Marks = UNMARKED,
    before: View | None = None,
) -> Drawn:
    """Return the map in parts. If `before` is given, differences from that position are drawn as ghosts."""
    board = _page_map(kind).page_map(view, people, drawn_words(words), before)
    places = {place.id: _place(place, words, marks) for place in board.places}
    ground = svg.group(board.ground + _key(board, words, marks), kind="ground", hidden=True)
    return Drawn(_opened(kind, board, words), definitions(kind), ground, places)


def page_people(kind: str, view: View) -> list[Person]:
    """The seats of a view for a page, which has all letters: names as typed, marks as on the pieces of a picture."""
    drawn = drawn_people(view, ruleset(kind).notation.pawns)
    return [replace(person, name=seat["name"]) for person, seat in zip(drawn, view["seats"], strict=True)]


def page_document(kind: str, view: View, people: Sequence[Person], words: Words = str) -> str:
    """Return the map as an SVG document that contains its stylesheet."""
    drawn = page_board(kind, view, people, words)
    head, _, rest = drawn.partition(">")
    return f"{head}><style>{stylesheet()}{STYLE.read_text()}</style>{rest}\n"


def changed_places(kind: str, before: View, after: View, people: Sequence[Person]) -> frozenset[str]:
    """The ids of the places that look different in two views of a game."""
    then, now = (_places(kind).place_names(view, people) for view in (before, after))
    return frozenset(place for place, name in now.items() if str(then.get(place)) != str(name))


def last_movers(kind: str, events: Iterable[Event]) -> dict[str, Seat]:
    """Return by place the seat that changed it last: who acted there, or who won it. By the rules alone: no seat."""
    found: dict[str, Seat | None] = {}
    for event in events:
        seat = getattr(event, "seat", getattr(event, "winner", None))
        found |= dict.fromkeys(_places(kind).touched(event), seat)
    return {place: seat for place, seat in found.items() if seat is not None}


def _opened(kind: str, board: Map, words: Words) -> str:
    said = words(board.name)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" class="board {kind}" viewBox="0 0 {board.width:g} {board.height:g}" '
        f'role="group" aria-label={quoteattr(said)} font-family="{font.FAMILY}, Verdana, sans-serif" fill="var(--ink)">'
    )


def _place(place: Place, words: Words, marks: Marks) -> str:
    x, y = place.middle
    near = " ".join(place.near)
    short = place.id.partition("-")[2] or place.id
    mover = marks.mover(place.id)
    edge = f"edge p-{mover.pawn}" if mover else "edge"
    named = say("{place}; changed by {name}", place=place.name, name=mover.name) if mover else place.name
    return (
        f'<g id="{place.id}" class="{marks.of(place.id)}" role="img" data-place="{short}" '
        f'data-x="{x:.0f}" data-y="{y:.0f}" data-near="{near}"><title>{escape(words(named))}</title>'
        f"{svg.group(place.drawing + _drawn_dots(place.dots, mover), hidden=True)}"
        f"{svg.group(place.outline, kind=edge)}</g>"
    )


def _key(board: Map, words: Words, marks: Marks) -> str:
    """Draw the legend of the dots, if there are any: an example, and what it means."""
    dotted = [place.id for place in board.places if place.dots and place.id in marks.recent]
    if not dotted or not marks.is_explained:
        return ""
    mover = next(filter(None, map(marks.mover, dotted)), None)
    left, top, wide = board.key
    said = drawn_words(words)(say_in("a dot on the board", "new"))
    dots = [Dot(dress, (left + 5, top + 15), letter) for dress, letter in (("wide", 15), ("narrow", 18.8))]
    drawn = svg.rect(left, top, wide, 30, "none", r=8) + _drawn_dots(dots, mover)
    for dress, letter in (("wide", 13.5), ("narrow", 20)):
        drawn += svg.styled(f"label {dress}", left + 38, top + 21, font.fitted(said, wide - 42, letter))
    return svg.group(drawn, kind="legend")


def _drawn_dots(dots: Iterable[Dot], mover: Person | None) -> str:
    """Draw the dots of a change: with colour and letter of who made it, if that is known."""
    drawn = ""
    for dot in dots:
        left, y = dot.left
        r = dot.radius if mover else 6.5
        drawn += f'<g class="trace {dot.dress}{f" p-{mover.pawn}" if mover else ""}">'
        drawn += f'<circle cx="{svg.number(left + r)}" cy="{svg.number(y)}" r="{svg.number(r)}"/>'
        drawn += svg.styled("mark", left + r, y + 0.35 * dot.letter, mover.mark) if mover else ""
        drawn += "</g>"
    return drawn


@cache
def _places(kind: str) -> Places:
    module: Any = import_module(f"service.pictures.{kind.replace('-', '_')}.captions")
    return cast(Places, module)


@cache
def _page_map(kind: str) -> PageMap:
    module: Any = import_module(f"service.pictures.{kind.replace('-', '_')}.page_map")
    return cast(PageMap, module)
