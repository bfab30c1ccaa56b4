"""The picture of a game that links to it show: its map, how far it is, and who has how much; readable when small.

It is drawn of a spectator's view alone, 1200 by 630, which is what previews of links are shown in (ogp.me).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from domain.engine.game import View
from domain.engine.sentences import Words
from domain.rulesets import ruleset
from service.pictures import captions_of, font, has_drawing, svg
from service.pictures.page import drawn_words, map_of
from service.pictures.palette import ACCENT, ASKED, EDGE, PAPER, ROW, RULE, SOFT
from service.pictures.people import Person, drawn_people
from service.pictures.still import still_map

WIDTH: Final = 1200
HEIGHT: Final = 630
MARGIN: Final = 36
MAP_ROOM: Final = 640
"""The most that a map is wide."""
ROW_HEIGHT: Final = 64
MOST_LINES: Final = 3
"""Of the sentence that says what the game waits for."""


@dataclass(frozen=True, slots=True)
class Standing:
    """A seat in the picture: who sits there, what they have, whether the game waits for them."""

    person: Person
    points: str
    is_asked: bool = False


@dataclass(frozen=True, slots=True)
class Card:
    """What stands beside the map."""

    title: str
    when: str
    asked: str
    standings: Sequence[Standing]


_NO_MAP: Final = (0.0, "")


def preview_svg(kind: str, view: View, title: str, words: Words = str) -> str:
    """The position a spectator's view shows, as SVG without scripts, references or ids."""
    said = drawn_words(words)
    seated = drawn_people(view, ruleset(kind).notation.pawns)
    if not has_drawing(kind):
        return _document(Card(title, "", "", [Standing(person, "") for person in seated]), _NO_MAP)
    captions = captions_of(kind)
    waits_for = frozenset() if view["phase"] == "over" else frozenset(view["active"])
    standings = [
        Standing(person, said(points), seat in waits_for)
        for seat, (person, points) in enumerate(zip(seated, captions.points(view), strict=True))
    ]
    asked = said(captions.asked(view, seated)[0])
    return _document(Card(title, said(captions.when(view)), asked, standings), _map(kind, view, seated, said))


def waiting_svg(kind: str, title: str, names: Sequence[str], waits: str) -> str:
    """The picture of a table that waits for players: who sits there, in the order of seats, and that it `waits`."""
    pawns = ruleset(kind).notation.pawns
    seated = drawn_people({"seats": [{"name": name} for name in names]}, pawns)
    return _document(Card(title, "", waits, [Standing(person, "") for person in seated]), _NO_MAP)


def _map(kind: str, view: View, seated: Sequence[Person], said: Words) -> tuple[float, str]:
    """Return the width and the drawing of the map of a game, as large as it fits."""
    board = map_of(kind, view, seated, said)
    scale = round(min(MAP_ROOM / board.width, (HEIGHT - 2 * MARGIN) / board.height), 3)
    return board.width * scale, svg.moved(0, (HEIGHT - board.height * scale) / 2, still_map(kind, board), scale)


def _document(card: Card, board: tuple[float, str]) -> str:
    wide, drawing = board
    left = wide + 2 * MARGIN if wide else MARGIN
    room = WIDTH - MARGIN - left
    y = 150.0 if card.when else 112.0
    drawn = [svg.moved(MARGIN, 0, drawing), svg.text(left, 88, card.title, 50, bold=True, room=room)]
    drawn.append(svg.text(left, 132, card.when, 28, fill=SOFT, room=room))
    for line in font.wrapped(font.drawable(card.asked), room, 30, bold=True)[:MOST_LINES]:
        y += 39
        drawn.append(svg.text(left, y, line, 30, bold=True, fill=ACCENT))
    y += 24
    for standing in card.standings:
        drawn.append(svg.moved(left, y, _row(standing, room)))
        y += ROW_HEIGHT
    drawn.append(svg.text(WIDTH - MARGIN, HEIGHT - 26, "Wardroom", 24, fill=SOFT, anchor="end"))
    frame = svg.rect(0, 0, WIDTH, HEIGHT, "none", stroke=RULE, thick=12)
    said = ". ".join(part for part in (card.title, card.when, card.asked) if part)
    return svg.document(WIDTH, HEIGHT, said, PAPER, "".join(drawn) + frame)


def _row(standing: Standing, room: float) -> str:
    """A seat: its mark, its name, what it has at the right."""
    person, points = standing.person, standing.points
    right = font.width(points, 28, bold=True) + 24
    ground = svg.rect(
        0, 4, room, ROW_HEIGHT - 10, ASKED if standing.is_asked else ROW, r=10,
        stroke=ACCENT if standing.is_asked else None, thick=3,
    )  # fmt: skip
    mark = svg.rect(12, 12, 54, 38, person.fill, r=19, stroke=EDGE, thick=1.5)
    letters = svg.text(39, 40, person.mark, 25, bold=True, anchor="middle", fill=person.ink)
    name = svg.text(80, 42, person.name, 29, bold=True, room=room - 80 - right)
    has = svg.text(room - 14, 42, points, 28, bold=True, anchor="end")
    return ground + mark + letters + name + has
