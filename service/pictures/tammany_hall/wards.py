"""The map of Tammany Hall: the wards with what is in them, and Castle Garden in the harbour."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from domain.engine.game import View
from domain.engine.sentences import Sentence, Words, say
from domain.tammany_hall.rules.board import CHIP_WARDS, COLOURS, CUBE_WARDS, TAMMANY_HALL, ZONE_OF, ZONE_YEARS
from service.pictures import icons, svg
from service.pictures.palette import (
    ACCENT,
    BORDER,
    CLOSED,
    CUBES,
    EDGE,
    ELECTED,
    FORT,
    INK,
    LAND,
    LOCK,
    SOFT,
    WATER,
    WAVE,
)
from service.pictures.people import Person
from service.pictures.sheet import WIDTH, Piece, counted, in_row, label, lines_of, token
from service.pictures.tammany_hall import map as island

STEP: Final = 25
"""From one row of a ward to the next."""
LAYOUTS: Final = (
    (1.2, 3), (1.1, 3), (1, 3), (1.1, 2), (1, 2), (0.9, 3), (0.9, 2), (1, 1), (0.9, 1), (0.8, 2), (0.8, 1), (0.7, 1),
)  # fmt: skip
"""The scale of a ward's pieces, and how many groups begin a row of their own: number, immigrants, bosses; number and
immigrants together, bosses; all together. The first that its place allows is taken."""
SLOT: Final = 46
"""The side of the square in which Castle Garden keeps the immigrants of a colour: a finger's width on a phone."""
SLOTS: Final = {"irish": (-0.5, -0.5), "english": (0.5, -0.5), "german": (-0.5, 0.5), "italian": (0.5, 0.5)}
"""Where each square lies, in sides from the middle."""
LETTERS: Final = {"irish": "I", "english": "E", "german": "G", "italian": "T"}
"""By people, the letter on their cubes and chips."""
PRIZES: Final[dict[int, Sentence]] = (
    dict.fromkeys(CUBE_WARDS, say("+1 cube")) | dict.fromkeys(CHIP_WARDS, say("+1 chip")) | {TAMMANY_HALL: say("2 VP")}
)


def cube(colour: str) -> Piece:
    """An immigrant cube or a favor chip with its letter."""
    fill, ink = CUBES[colour]
    return Piece(
        23,
        svg.rect(0, -10, 20, 20, fill, r=3, stroke=EDGE, thick=0.8)
        + svg.text(10, 5, LETTERS[colour], 13, bold=True, anchor="middle", fill=ink),
    )


def counted_cubes(counts: Mapping[str, int]) -> list[Piece]:
    """The colours there are any of, each with its number."""
    return [counted(cube(colour), counts[colour]) for colour in COLOURS if counts[colour]]


def shape(view: View, number: int) -> str:
    ward = view["wards"][str(number)]
    elected = view["ward"] == number
    fill = ELECTED if elected else LAND if ward["active"] else CLOSED
    border = svg.polygon(island.ring(number), fill, stroke=BORDER, thick=1.6)
    if elected:
        border += svg.polygon(island.inner_ring(number, 2), "none", stroke=ACCENT, thick=4)
    return border + (_chain(number) if ward["locked"] else "")


def _chain(number: int) -> str:
    """The chain around a locked ward."""
    corners = island.inner_ring(number, 3.4)
    links = [*corners, corners[0]]
    return svg.line(links, LOCK, 5, dashes="5 7") + svg.line(links, LAND, 1.8, dashes="5 7")


def ward_pieces(view: View, number: int, seated: Sequence[Person], said: Words) -> str:
    ward = view["wards"][str(number)]
    x, y, room, height = island.PLACES[number]
    head = _ward_head(number, ward, room / 1.1, said)
    if not ward["active"]:
        year = ZONE_YEARS[view["players"]][ZONE_OF[number]]
        opens = svg.text(x, y + 40, said(say("from year {year}", year=year)), 12, fill=SOFT, room=room, caption=True)
        return in_row(head, x, y + 12) + opens
    rows, scale = arranged(head, counted_cubes(ward["cubes"]), _bosses(ward["bosses"], seated), room, height)
    return svg.moved(x, y, "".join(in_row(row, 0, 12 + STEP * place) for place, row in enumerate(rows)), scale)


def _ward_head(number: int, ward: Mapping[str, Any], room: float, said: Words) -> list[Piece]:
    """The number of a ward, what its winner gets, and whether it is locked."""
    head = [label(str(number), 20, bold=True, fill=INK if ward["active"] else SOFT)]
    if ward["locked"]:
        head.append(Piece(19, icons.padlock(9, 0, 1.15)))
    for word in _head_words(number, ward, said):
        if sum(piece.width for piece in (*head, word)) <= room:
            head.append(word)
    return head


def _head_words(number: int, ward: Mapping[str, Any], said: Words) -> Iterator[Piece]:
    """What there is to say beside the number, as far as there is room: padlock and chain speak for themselves."""
    if number in PRIZES:
        yield label(said(PRIZES[number]), 12, fill=SOFT, caption=True)
    if ward["locked"]:
        yield label(said(say("locked")), 12, bold=True, caption=True)


def arranged(
    head: list[Piece], cubes: list[Piece], bosses: list[Piece], room: int, height: int
) -> tuple[list[list[Piece]], float]:
    """The rows of a ward and their scale: the largest pieces and the clearest order that the place allows."""
    groups = {3: [head, cubes, bosses], 2: [[*head, *cubes], bosses], 1: [[*head, *cubes, *bosses]]}
    for scale, count in LAYOUTS:
        rows = [row for group in groups[count] for row in lines_of(group, room / scale)]
        if len(rows) * STEP * scale <= height and len(lines_of(head, room / scale)) == 1:
            break
    return rows, scale


def _bosses(counts: Sequence[int], seated: Sequence[Person]) -> list[Piece]:
    return [counted(token(person), count) for person, count in zip(seated, counts, strict=True) if count]


def sea() -> str:
    """The water around the city, with the lines of an engraved chart along its coast."""
    lines = [(30, WAVE), (28, WATER), (18, WAVE), (16, WATER), (8, WAVE)]
    shore = "M" + "L".join(f"{x} {y}" for x, y in island.coast())
    return svg.base(
        svg.rect(0, 0, WIDTH, island.HEIGHT, WATER)
        + "".join(svg.path(shore, "none", stroke=paint, thick=thick) for thick, paint in lines)
    )


def fort(said: Words) -> str:
    """Castle Garden in the harbour, empty, with its name below."""
    x, y = island.GARDEN
    name = svg.text(x, y + 77, said(say("Castle Garden")), 12, anchor="middle", fill=SOFT, room=120, caption=True)
    return (
        svg.circle(x, y, 67, WAVE)
        + svg.circle(x, y, 63, FORT, stroke=BORDER, thick=2)
        + svg.circle(x, y, 55, LAND, stroke=BORDER)
        + name
    )


def empty_fort(said: Words) -> str:
    """What stands in Castle Garden when nobody waits there."""
    x, y = island.GARDEN
    return svg.text(x, y + 5, said(say("empty")), 13, anchor="middle", fill=SOFT, room=90)


def waiting(view: View, colour: str) -> str:
    """The immigrants of a colour in Castle Garden, in their square of it."""
    count = view["garden"][colour]
    if not count:
        return ""
    x, y = slot(colour)
    piece = counted(cube(colour), count)
    return svg.moved(x - (piece.width - 5) / 2, y, piece.drawing)


def slot(colour: str) -> svg.Point:
    """The middle of a colour's square in Castle Garden."""
    (x, y), (right, down) = island.GARDEN, SLOTS[colour]
    return x + SLOT * right, y + SLOT * down
