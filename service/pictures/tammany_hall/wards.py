"""The map of Tammany Hall: the wards with what is in them, and Castle Garden in the harbour."""

from collections.abc import Mapping, Sequence
from typing import Any, Final

from domain.engine.game import View
from domain.engine.sentences import Sentence, Words, say
from domain.tammany_hall.rules.board import CHIP_WARDS, COLOURS, CUBE_WARDS, TAMMANY_HALL, ZONE_OF, ZONE_YEARS
from service.pictures import icons, svg
from service.pictures.palette import ACCENT, BORDER, CLOSED, CUBES, EDGE, ELECTED, FORT, INK, LAND, SOFT
from service.pictures.people import Person
from service.pictures.sheet import Piece, counted, in_row, label, lines_of, token
from service.pictures.tammany_hall import map as island

STEP: Final = 25
"""From one row of a ward to the next."""
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
    return svg.polygon(island.ring(number), fill, stroke=ACCENT if elected else BORDER, thick=4 if elected else 1.6)


def ward_pieces(view: View, number: int, seated: Sequence[Person], said: Words) -> str:
    ward = view["wards"][str(number)]
    x, y, room, height = island.PLACES[number]
    head = _ward_head(number, ward, room, said)
    if not ward["active"]:
        year = ZONE_YEARS[view["players"]][ZONE_OF[number]]
        opens = svg.text(x, y + 40, said(say("from year {year}", year=year)), 12, fill=SOFT, room=room)
        return in_row(head, x, y + 12) + opens
    rows, scale = arranged(head, counted_cubes(ward["cubes"]), _bosses(ward["bosses"], seated), room, height)
    return svg.moved(x, y, "".join(in_row(row, 0, 12 + STEP * place) for place, row in enumerate(rows)), scale)


def _ward_head(number: int, ward: Mapping[str, Any], room: int, said: Words) -> list[Piece]:
    """The number of a ward, what its winner gets, and whether it is locked."""
    head = [label(str(number), 20, bold=True, fill=INK if ward["active"] else SOFT)]
    if number in PRIZES:
        left = room - head[0].width - (72 if ward["locked"] else 0)
        head.append(label(said(PRIZES[number]), 12, fill=SOFT, room=left))
    if ward["locked"]:
        head.append(Piece(17, icons.padlock(8, 0)))
        head.append(label(said(say("locked")), 12, bold=True, room=room - sum(piece.width for piece in head)))
    return head


def arranged(
    head: list[Piece], cubes: list[Piece], bosses: list[Piece], room: int, height: int
) -> tuple[list[list[Piece]], float]:
    """The rows of a ward and their scale: as large as its place allows, the number in a row of its own if it can."""
    for scale in (1, 0.9, 0.8, 0.7):
        wide = room / scale
        for rows in (
            [head, *lines_of(cubes, wide), *lines_of(bosses, wide)],
            [*lines_of([*head, *cubes], wide), *lines_of(bosses, wide)],
        ):
            if len(rows) * STEP * scale <= height:
                return rows, scale
    return rows, scale


def _bosses(counts: Sequence[int], seated: Sequence[Person]) -> list[Piece]:
    return [counted(token(person), count) for person, count in zip(seated, counts, strict=True) if count]


def garden(view: View, said: Words) -> str:
    """Castle Garden in the harbour, with the immigrants who wait there."""
    x, y = island.GARDEN
    fort = svg.circle(x, y, 54, FORT, stroke=BORDER, thick=2) + svg.circle(x, y, 47, LAND, stroke=BORDER)
    here = counted_cubes(view["garden"])
    rows = [here[:2], here[2:]] if len(here) > 2 else [here]
    drawn = "".join(
        in_row(row, x - (sum(piece.width for piece in row) - 8) / 2, y + 8 + 23 * number - 11 * (len(rows) - 1))
        for number, row in enumerate(rows)
    )
    name = svg.text(x, y - 18, said(say("Castle Garden")), 11, anchor="middle", fill=SOFT, room=88)
    none = "" if here else svg.text(x, y + 8, said(say("empty")), 12, anchor="middle", fill=SOFT, room=80)
    return fort + name + drawn + none
