"""The map of Tammany Hall on a page: wards tinted by their leader, bosses and immigrants as pieces, ghosts.

A drawing has two dresses, and `board.css` shows one of them. `wide` has words. `narrow` has larger pieces and icons
instead, since a phone shows the map at half its size.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import product
from typing import Any, Final

from domain.engine.game import View
from domain.engine.sentences import Sentence, Words, say
from domain.tammany_hall.rules.board import (
    CHIP_WARDS,
    COLOURS,
    CUBE_WARDS,
    ELECTION_ORDER,
    TAMMANY_HALL,
    ZONE_OF,
    ZONE_YEARS,
)
from domain.tammany_hall.rules.words import PEOPLE
from service.pictures import font, svg
from service.pictures.page import Dot, Map, Place
from service.pictures.people import Person
from service.pictures.pieces import use
from service.pictures.svg import Point
from service.pictures.tammany_hall import captions
from service.pictures.tammany_hall import map as island
from service.pictures.tammany_hall.map import WIDTH

PRIZES: Final[dict[int, Sentence]] = (
    dict.fromkeys(CUBE_WARDS, say("+1 cube")) | dict.fromkeys(CHIP_WARDS, say("+1 chip")) | {TAMMANY_HALL: say("2 VP")}
)
"""The prize of each ward that has one."""
LEGEND: Final = (354, 574, 242, 102)
"""The box that names the pieces: left, top, width and height."""
KEY: Final = (454, 540, 142)
"""The box that names the dots: left, top and width."""
FORT: Final[Point] = (66, 598)
"""The middle of Castle Garden."""
GARDEN_SLOT: Final = 46
"""Units from one colour to the next in Castle Garden: a finger's width on the smallest phone."""


@dataclass(frozen=True, slots=True)
class Dress:
    """Sizes of pieces and letters. The map is 600 units wide."""

    kind: str
    cube: tuple[float, float, float]
    """Width, height, and the step from one to the next."""
    boss: tuple[float, float, float]
    letter: float
    """The size of a number beside a piece, and of a label."""
    mark: float
    """The size of the letter on a boss."""
    head: float
    """The height of the line with the number of the ward."""


WIDE: Final = Dress("wide", (18, 19.8, 20), (26, 34.4, 21.3), 13.5, 12.5, 32)
NARROW: Final = Dress("narrow", (21, 23.1, 23), (29, 38.3, 23.8), 18.8, 18.8, 30)


@dataclass(frozen=True, slots=True)
class Standing:
    """So many pieces of one kind in a ward: `change` is "" for those that stay, "new" or "gone" in a draft."""

    name: str
    mark: str
    count: int
    change: str = ""


@dataclass(frozen=True, slots=True)
class Packed:
    """Pieces laid out in rows: what is drawn, and the height it takes."""

    drawing: str
    height: float
    fits: bool


def page_map(view: View, people: Sequence[Person], said: Words, before: View | None = None) -> Map:
    """Return the whole map. `before` is the position that a draft would change: what differs is drawn as ghosts."""
    wards = [_ward(view, number, people, said, before) for number in sorted(ELECTION_ORDER)]
    ground = _ground(view) + _legend(said, people[0])
    return Map(captions.NAME, island.HEIGHT, ground, [*wards, *_garden(view, said)], key=KEY)


def leader(ward: Mapping[str, Any]) -> int | None:
    """Return the seat with the most bosses in a ward; None at a tie and in an empty ward."""
    most = max(ward["bosses"], default=0)
    leading = [seat for seat, count in enumerate(ward["bosses"]) if count == most]
    return leading[0] if most and len(leading) == 1 else None


def _ground(view: View) -> str:
    """Water, the shore, the wards with their borders, and the fort."""
    shore = svg.points(island.coast())
    drawn = (
        f'<path d="M0 0h{WIDTH}v{island.HEIGHT}H0z" fill="var(--water)"/>'
        f'<path d="M0 0h{WIDTH}v{island.HEIGHT}H0z" fill="url(#s-wave)"/>'
        f'<polygon class="shore" points="{shore}"/>'
    )
    for number in ELECTION_ORDER:
        shut = "" if view["wards"][str(number)]["active"] else " shut"
        drawn += f'<polygon class="land{shut}" points="{svg.points(island.ring(number))}"/>'
        if shut:
            drawn += f'<polygon points="{svg.points(island.ring(number))}" fill="url(#s-fog)"/>'
    x, y = FORT
    return (
        drawn
        + f'<polygon points="{shore}" fill="url(#s-street)"/>'
        + svg.group(svg.circle(x, y, 56, "none") + svg.circle(x, y, 46, "none"), kind="fort")
    )


def _legend(said: Words, person: Person) -> str:
    """Draw the legend in the harbour: a name for each piece."""
    x, y, wide, high = LEGEND
    drawn = svg.rect(0, 0, wide, high, "none", r=8)
    names = [said(PEOPLE[colour]) for colour in COLOURS]
    middle = 29 + max(font.width(name, NARROW.letter) for name in names[::2])
    for place, colour in enumerate(COLOURS):
        left, top = middle * (place % 2), 6 + 28 * (place // 2)
        drawn += use("cube", (left + 5, top), (19, 20.9), f"c-{colour}")
        drawn += _label(left + 26, top + 17, names[place], (wide - middle if left else middle) - 28)
    boss = said(say("boss"))
    drawn += use("boss", (6, 63), (26, 34.4), f"p-{person.pawn}") + _label(35, 89, boss, 0.66 * wide - 37)
    middle = max(0.5 * wide, min(41 + font.width(boss, NARROW.letter), 0.66 * wide))
    sample = f'<rect class="lead p-{person.pawn}" x="{middle:.0f}" y="74" width="17" height="17" rx="3"/>'
    drawn += sample + _label(middle + 22, 89, said(say("leads")), wide - middle - 24)
    return f'<g class="legend" transform="translate({x} {y})">{drawn}</g>'


def _label(x: float, y: float, text: str, room: float) -> str:
    """Write a word of the legend, once for each dress."""
    return "".join(
        svg.styled(f"label {dress.kind}", x, y, font.fitted(text, room, 0.95 * dress.letter))
        for dress in (WIDE, NARROW)
    )


def _ward(view: View, number: int, people: Sequence[Person], said: Words, before: View | None) -> Place:
    x, y, room, height = island.PLACES[number]
    inner = svg.points(island.inner_ring(number, 4))
    ward = view["wards"][str(number)]
    past = ward if before is None else before["wards"][str(number)]
    leads = leader(ward) if ward["active"] else None
    drawing = _lead(number, people[leads]) if leads is not None else ""
    if ward["locked"]:
        chain = svg.points([*island.inner_ring(number, 4.5), island.inner_ring(number, 4.5)[0]])
        drawing += f'<polyline class="chain" points="{chain}"/><polyline class="links" points="{chain}"/>'
    dots = []
    for dress in (WIDE, NARROW):
        head, wide = _head(number, ward, said, dress, room)
        body, is_full = _contents(view, number, ward, past, people, said, dress, wide)
        drawing += f'<g class="{dress.kind}" transform="translate({x + 6} {y})">{head}{body}</g>'
        dots.append(_dot(number, dress, room if is_full else wide))
    if view["ward"] is not None:
        kind = "decided" if view["ward"] == number else "veil"
        drawing += f'<polygon class="{kind}" points="{svg.points(island.ring(number))}"/>'
    return Place(
        id=f"ward-{number}",
        name=captions.ward_name(view, number, people),
        middle=(x + room / 2, y + height / 2),
        near=captions.near(number),
        outline=f'<polygon class="halo" points="{inner}"/><polygon class="line" points="{inner}"/>',
        drawing=drawing,
        dots=dots,
    )


def _dot(number: int, dress: Dress, head: float) -> Dot:
    """Return the dot of a change: after a first line of this width, or in the lower right corner if that is full."""
    x, y, _, high = island.PLACES[number]
    dot = Dot(dress.kind, (x + 8 + head, y + 17), dress.mark)
    if dot.left[0] + 2 * dot.radius < _right_border(number, y + 17):
        return dot
    low = y + high - dot.radius - 6
    return replace(dot, left=(_right_border(number, low) - 2 * dot.radius - 8, low))


def _right_border(number: int, y: float) -> float:
    """Return where a horizontal line leaves a ward."""
    ring = island.inner_ring(number, 4)
    sides = list(zip(ring, [*ring[1:], ring[0]], strict=True))
    crossed = [side for side in sides if (side[0][1] < y) != (side[1][1] < y)]
    return max(x + (to - x) * (y - top) / (bottom - top) for (x, top), (to, bottom) in crossed)


def _lead(number: int, person: Person) -> str:
    """Draw the tint and the inner frame of a ward that this player leads."""
    inner = svg.points(island.inner_ring(number, 9))
    frames = "".join(f'<polygon class="{kind}" points="{inner}"/>' for kind in ("rim", "lead"))
    return f'<g class="p-{person.pawn}">{frames}</g>'


def _contents(
    view: View, number: int, ward: Mapping[str, Any], past: Mapping[str, Any], people: Sequence[Person], said: Words,
    dress: Dress, head: float,
) -> tuple[str, bool]:  # fmt: skip
    """Draw immigrants and bosses in one dress, below a line of this width. Returns whether they use its end, too."""
    _, _, room, height = island.PLACES[number]
    if not ward["active"]:
        year = ZONE_YEARS[view["players"]][ZONE_OF[number]]
        opens = say("from year {year}", year=year) if dress is WIDE else say("year {year}", year=year)
        text = font.fitted(said(opens), room + 6, dress.letter)
        return svg.styled("label soft", 0, dress.head + 17, text), False
    cubes = [*_changes(COLOURS, COLOURS, _row(ward["cubes"]), _row(past["cubes"]))]
    leads = sorted(range(len(people)), key=lambda seat: -ward["bosses"][seat])
    pawns, marks = [people[seat].pawn for seat in leads], [people[seat].mark for seat in leads]
    now, then = ([counts[seat] for seat in leads] for counts in (ward["bosses"], past["bosses"]))
    return _packed(cubes, [*_changes(pawns, marks, now, then)], dress, (room, height), head)


def _row(counts: Mapping[str, int]) -> list[int]:
    return [counts[colour] for colour in COLOURS]


def _changes(names: Sequence[str], marks: Sequence[str], now: Sequence[int], then: Sequence[int]) -> Iterator[Standing]:
    """Yield the pieces that stay, those that a draft adds, and those that it removes."""
    for name, mark, after, before in zip(names, marks, now, then, strict=True):
        for count, change in ((min(after, before), ""), (after - before, "new"), (before - after, "gone")):
            if count > 0:
                yield Standing(name, mark, count, change)


def _head(number: int, ward: Mapping[str, Any], said: Words, dress: Dress, room: float) -> tuple[str, float]:
    """Draw the number of a ward, its padlock and its prize. Returns the drawing and its width."""
    size = 27 if ward["active"] else 22
    drawn = svg.styled("number" if ward["active"] else "number soft", 0, 25, number)
    wide = 0.64 * size * len(str(number)) + 7
    if ward["locked"]:
        drawn += use("lock", (wide, 7), (16, 17.6), "lock")
        wide += 21
    if number in PRIZES:
        tag, more = _tag(number, said, dress, wide, room)
        drawn, wide = drawn + tag, wide + more
    return drawn, wide


def _tag(number: int, said: Words, dress: Dress, x: float, room: float) -> tuple[str, float]:
    """Draw the prize of a ward as a tag: in words, or as a number and a piece."""
    text = said(PRIZES[number])
    name = "" if number == TAMMANY_HALL else "cube" if number in CUBE_WARDS else "chip"
    if dress is NARROW and name:
        shapes = f'<rect x="{x:g}" y="5" width="58" height="26" rx="12"/>'
        shapes += svg.styled("", x + 6, 24, "+1")
        return f'<g class="tag">{shapes}{use(name, (x + 34, 8), (19, 20), "c-any")}</g>', 64
    high, top = (20, 9) if dress is WIDE else (26, 5)
    long = min(font.width(text, dress.letter, bold=True) * 0.93 + 18, max(room + 12 - x, 40))
    text = font.fitted(text, long, dress.letter, bold=True)
    shapes = f'<rect x="{x:g}" y="{top}" width="{svg.number(long)}" height="{high}" rx="{high // 2}"/>'
    shapes += svg.styled("middle", x + long / 2, top + high / 2 + 0.36 * dress.letter, text)
    return f'<g class="tag middle">{shapes}</g>', long + 6


def _packed(
    cubes: Sequence[Standing], bosses: Sequence[Standing], dress: Dress, room: tuple[float, float], head: float
) -> tuple[str, bool]:
    """Draw immigrants and bosses in the clearest order that the ward has room for: pieces shrink before letters do.

    Returns the drawing, and whether immigrants stand beside the first line.
    """
    wide, high = room[0] - 4, room[1] - dress.head
    for whole, scale in product((1, 0.85, 0.7, 0.55), (1, 0.92, 0.85, 0.78, 0.7, 0.6)):
        smaller = replace(dress, cube=_scaled(dress.cube, scale), boss=_scaled(dress.boss, scale))
        for beside in (0.0, head + 10):
            for counted in (0, 1, 2):
                end = wide / whole - (8 if beside else 0)  # the border leans inwards at the top
                upper = _laid(cubes, "cube", smaller, end, beside / whole, counted=counted > 0)
                lower = _laid(bosses, "boss", smaller, wide / whole, 0, counted=counted > 1)
                top = upper.height if not beside else max(0, upper.height - smaller.cube[1] - 3)
                if upper.fits and lower.fits and (top + lower.height) * whole <= high + 2:
                    drawn = svg.moved(0, -smaller.cube[1] - 2 if beside else 0, upper.drawing)
                    drawn += svg.moved(0, top + 4, lower.drawing)
                    return svg.moved(0, dress.head, drawn, whole), beside > 0
    return svg.moved(0, dress.head, upper.drawing + svg.moved(0, upper.height, lower.drawing), whole), True


def _scaled(size: tuple[float, float, float], scale: float) -> tuple[float, float, float]:
    wide, high, step = size
    return wide * scale, high * scale, step * scale


def _laid(standing: Sequence[Standing], name: str, dress: Dress, room: float, begin: float, *, counted: bool) -> Packed:
    """Pieces in as many rows as they need, from `begin` on in the first. Uncounted ones must fit in one row."""
    wide, high, step = dress.cube if name == "cube" else dress.boss
    x, y, rows, drawn = begin, 0.0, 1, ""
    for group in standing:
        each = counted and group.count > 1
        need = wide + 0.6 * dress.letter * len(str(group.count)) + 2 if each else step * (group.count - 1) + wide
        if x + need > room and x > 0:
            x, y, rows = 0.0, y + high + 1, rows + 1
        for place in range(1 if each else group.count):
            drawn += _piece(group, name, dress, (x + step * place, y))
        if each:
            drawn += svg.styled("count", x + wide, y + 0.78 * high, group.count)
        x += need + (step - wide if not each else 2)
    return Packed(drawn, rows * (high + 1) if standing else 0, counted or rows == 1)


def _piece(group: Standing, name: str, dress: Dress, at: Point) -> str:
    """Draw one piece: as a ghost if a draft adds it, as a ghost with a stroke if a draft removes it."""
    wide, high, _ = dress.cube if name == "cube" else dress.boss
    x, y = at
    struck = (
        f'<path class="struck" d="M{x + 2:.1f} {y + high - 3:.1f}L{x + wide - 2:.1f} {y + 3:.1f}"/>'
        if group.change == "gone"
        else ""
    )
    if name == "cube":
        return use("cube-ghost" if group.change else "cube", at, (wide, high), f"c-{group.name}") + struck
    mark = svg.styled("mark", x + wide / 2, y + high - 3.5, group.mark)
    piece = use("ghost" if group.change else "boss", at, (wide, high))
    return f'<g class="p-{group.name}{" changed" if group.change else ""}">{piece}{mark}{struck}</g>'


def _garden(view: View, said: Words) -> Iterator[Place]:
    """Castle Garden, and in it a place for each colour that waits there."""
    x, y = FORT
    here = [colour for colour in COLOURS if view["garden"][colour]]
    name = said(say("Castle Garden"))
    title = svg.styled("label wide", 12, y + 74, name) + svg.styled("label narrow", 3, y + 74, name)
    for dress in () if here else (WIDE, NARROW):
        title += svg.styled(f"label middle {dress.kind}", x, y + 5, said(say("empty")))
    yield Place(
        id="garden",
        name=captions.garden_name(view),
        middle=(x, y),
        near=(),
        outline=f'<circle class="halo" cx="{x}" cy="{y}" r="51"/><circle class="line" cx="{x}" cy="{y}" r="51"/>',
        drawing=title,
    )
    for place, colour in enumerate(here):
        left, top = slot(place, len(here))
        count = view["garden"][colour]
        number = svg.styled("count", left + 23, top + 20, count) if count > 1 else ""
        box = f'{svg.box(left - 10, top - 10, GARDEN_SLOT - 0.5, GARDEN_SLOT - 0.5)} rx="8"'
        yield Place(
            id=f"garden-{colour}",
            name=captions.waiting_name(view, colour),
            middle=(left + 12, top + 12),
            near=(),
            outline=f'<rect class="halo" {box}/><rect class="line" {box}/>',
            drawing=use("cube", (left, top), (21, 23.1), f"c-{colour}") + number,
        )


def slot(place: int, many: int) -> Point:
    """Return the upper left corner of the immigrants of a colour in Castle Garden: in rows of two."""
    x, y = FORT
    rows, columns = (many + 1) // 2, min(many, 2)
    left, top = x - columns * GARDEN_SLOT / 2 + 10, y - rows * GARDEN_SLOT / 2 + 10
    return left + GARDEN_SLOT * (place % 2), top + GARDEN_SLOT * (place // 2)
