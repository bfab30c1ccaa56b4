"""What both boards are composed of: a sheet of blocks one below the other, and pieces with numbers beside them."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import ceil
from typing import Final

from domain.engine.game import View
from domain.engine.sentences import Words
from service.pictures import font, svg
from service.pictures.palette import ACCENT, ASKED, EDGE, INK, PAPER, ROW, RULE, SOFT, Paint
from service.pictures.people import Person

WIDTH: Final = 600
MARGIN: Final = 14
ROOM: Final = WIDTH - 2 * MARGIN
LINE: Final = 26
"""Height of a line of pieces."""


@dataclass(frozen=True, slots=True)
class Block:
    """A part of a sheet: how high it is, and what is drawn there, from y = 0."""

    height: float
    drawing: str


@dataclass(frozen=True, slots=True)
class Piece:
    """Something to be set in a row: how wide it is, and how it is drawn with its left side and middle at (0, 0)."""

    width: int
    drawing: str


def drawn_words(words: Words) -> Words:
    """The same words, but English for those that the font cannot draw."""

    def said(label: object) -> str:
        text = words(label)
        return text if font.covers(text) else str(label)

    return said


def sheet(blocks: Iterable[Block], said: str) -> str:
    """The blocks one below the other as a picture; `said` is what it shows, in words."""
    y, drawings = 0.0, []
    for block in blocks:
        drawings.append(svg.moved(0, y, block.drawing))
        y += block.height
    return svg.document(WIDTH, y, said, PAPER, "".join(drawings))


def heading(title: str, when: str, asked: Sequence[str]) -> Block:
    """The head of a sheet: which game, how far it is, and what is asked, the first of it loudest."""
    when = font.fitted(font.drawable(when), 0.6 * ROOM, 14)
    room = ROOM - font.width(when, 14) - 16
    parts = [
        svg.text(MARGIN, 32, title, 19, bold=True, room=room),
        svg.text(WIDTH - MARGIN, 32, when, 14, anchor="end", fill=SOFT),
    ]
    y = 46.0
    for number, sentence in enumerate(asked):
        size, bold, fill = (15, True, ACCENT) if number == 0 else (13, False, INK)
        for text in font.wrapped(font.drawable(sentence), ROOM, size, bold=bold):
            y += size + 6
            parts.append(svg.text(MARGIN, y - 6, text, size, bold=bold, fill=fill))
    return Block(y + 6, "".join(parts))


def caption(text: str) -> Block:
    """The heading of a part."""
    return Block(
        26,
        svg.text(MARGIN, 18, text, 13, bold=True, fill=SOFT, room=ROOM)
        + svg.line([(MARGIN, 23), (WIDTH - MARGIN, 23)], RULE),
    )


def space(height: float) -> Block:
    """Nothing, so high."""
    return Block(height, "")


def label(
    text: str, size: float = 13, *, bold: bool = False, fill: Paint = INK, room: float = ROOM, caption: bool = False
) -> Piece:
    """A text as a piece, cut to the room."""
    text = font.fitted(font.drawable(text), room, size, bold=bold)
    return Piece(
        ceil(font.width(text, size, bold=bold)) + 6,
        svg.text(0, round(size * 0.36), text, size, bold=bold, fill=fill, caption=caption),
    )


def token(person: Person) -> Piece:
    """The round piece of a seat, with its mark."""
    size = 12
    wide = max(22, ceil(font.width(person.mark, size, bold=True)) + 10)
    return Piece(
        wide + 3,
        svg.rect(0, -11, wide, 22, person.fill, r=11, stroke=EDGE, thick=0.8)
        + svg.text(wide / 2, 4, person.mark, size, bold=True, anchor="middle", fill=person.ink),
    )


def counted(piece: Piece, number: object) -> Piece:
    """A piece with its number behind it."""
    text = str(number)
    return Piece(
        piece.width + ceil(font.width(text, 15, bold=True)) + 8,
        piece.drawing + svg.text(piece.width, 5, text, 15, bold=True),
    )


def lines_of(pieces: Iterable[Piece], room: float) -> list[list[Piece]]:
    """The pieces in rows that fit into the room."""
    rows: list[list[Piece]] = []
    left = 0.0
    for piece in pieces:
        if not rows or piece.width > left:
            rows.append([])
            left = room
        rows[-1].append(piece)
        left -= piece.width
    return rows


def in_row(pieces: Iterable[Piece], x: float = 0, y: float = 0) -> str:
    """Pieces one beside the other from x on, their middle at y."""
    drawings = []
    for piece in pieces:
        drawings.append(svg.moved(x, y, piece.drawing))
        x += piece.width
    return "".join(drawings)


def row_block(pieces: Iterable[Piece], height: float = LINE) -> Block:
    """Pieces in rows across the sheet."""
    rows = lines_of(pieces, ROOM)
    return Block(height * len(rows), "".join(in_row(row, MARGIN, height * (n + 0.5)) for n, row in enumerate(rows)))


def text_block(lines: Iterable[str]) -> Block:
    """Lines of text, broken where they are wider than the sheet."""
    rows = [row for line in lines for row in font.wrapped(font.drawable(line), ROOM, 13) or [""]]
    drawings = [svg.text(MARGIN, 18 + 19 * number, row, 13) for number, row in enumerate(rows) if row]
    return Block(19 * len(rows) + 8, "".join(drawings))


@dataclass(frozen=True, slots=True)
class Column:
    """A column of a table of seats: what stands above it, where its middle or left side is, what is in each cell."""

    head: str | Piece
    x: int
    cells: Sequence[Piece]
    start: bool = False


def seat_table(people: Sequence[Person], active: Iterable[int], name: str, columns: Sequence[Column]) -> list[Block]:
    """A row for each seat: mark, name, and the columns; who must act is marked."""
    asked = frozenset(active)
    first = columns[0].x - 14
    head = svg.text(MARGIN + 4, 18, name, 11.5, fill=SOFT, room=first - MARGIN - 30)
    blocks = [Block(26, head + "".join(_place(column, _head(column, columns), 14) for column in columns))]
    for seat, person in enumerate(people):
        mark = token(person)
        parts = [
            _seat_ground(asked=seat in asked),
            svg.path(f"M{MARGIN - 12} 9l8 6-8 6z", ACCENT) if seat in asked else "",
            svg.moved(MARGIN, 15, mark.drawing),
            svg.text(MARGIN + mark.width + 4, 20, person.name, 14, bold=True, room=first - MARGIN - mark.width - 10),
            *(_place(column, column.cells[seat], 15) for column in columns),
        ]
        blocks.append(Block(31, "".join(parts)))
    return blocks


def _seat_ground(*, asked: bool) -> str:
    """What a row of the table lies on; a line around it where that seat must act."""
    if asked:
        return svg.rect(MARGIN - 6, 1.5, ROOM + 12, 27, ASKED, r=6, stroke=ACCENT, thick=1.5)
    return svg.rect(MARGIN - 6, 1, ROOM + 12, 28, ROW, r=6)


def _head(column: Column, columns: Sequence[Column]) -> Piece:
    """What stands above a column, cut to what the columns beside it leave."""
    if isinstance(column.head, Piece):
        return column.head
    if column.start:
        return label(column.head, 11.5, fill=SOFT, room=WIDTH - MARGIN - column.x)
    room = 2.0 * (WIDTH - 8 - column.x)
    for other in columns:
        if other is not column:
            gap = abs(other.x - column.x) - 3
            room = min(room, max(gap, 2 * (gap - _half(other))))
    return label(column.head, 11.5, fill=SOFT, room=room)


def _half(column: Column) -> float:
    """How far what stands above a column reaches to the left."""
    if column.start:
        return 0
    return (column.head.width if isinstance(column.head, Piece) else font.width(font.drawable(column.head), 11.5)) / 2


def _place(column: Column, piece: Piece, y: float) -> str:
    x = column.x if column.start else column.x - (piece.width - 6) // 2
    return svg.moved(x, y, piece.drawing)


def active(view: View) -> list[int]:
    """The seats that must act."""
    return list(view["active"])
