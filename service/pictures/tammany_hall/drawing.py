"""The board of Tammany Hall as a picture: the map of the wards, the seats, the supplies, and what is being decided."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Final

from domain.engine.game import View
from domain.engine.sentences import Sentence, Words, say, say_in
from domain.tammany_hall.rules.board import (
    CHIP_WARDS,
    CUBE_WARDS,
    ELECTION_ORDER,
    MAYOR,
    TAMMANY_HALL,
    ZONE_OF,
    ZONE_YEARS,
)
from domain.tammany_hall.rules.board import COLOURS as IMMIGRANTS
from domain.tammany_hall.rules.words import OFFICES as TITLES
from domain.tammany_hall.rules.words import ROMAN, scoring_lines
from service.pictures import icons, svg
from service.pictures.palette import ACCENT, BORDER, CLOSED, CUBES, EDGE, ELECTED, FORT, INK, LAND, RULE, SOFT, WATER
from service.pictures.people import Person
from service.pictures.sheet import (
    MARGIN,
    WIDTH,
    Block,
    Column,
    Piece,
    active,
    caption,
    counted,
    heading,
    in_row,
    label,
    lines_of,
    row_block,
    seat_table,
    space,
    token,
)
from service.pictures.tammany_hall import captions
from service.pictures.tammany_hall import map as island

STEP: Final = 25
"""From one row of a ward to the next."""
LETTERS: Final = {"irish": "I", "english": "E", "german": "G", "italian": "T"}
"""By people, the letter on their cubes and chips."""
PRIZES: Final[dict[int, Sentence]] = (
    dict.fromkeys(CUBE_WARDS, say("+1 cube")) | dict.fromkeys(CHIP_WARDS, say("+1 chip")) | {TAMMANY_HALL: say("2 VP")}
)
OFFICES: Final = {MAYOR: say("Mayor"), **{str(title): name for title, name in TITLES.items()}}


def board(view: View, seated: Sequence[Person], title: str, said: Words) -> list[Block]:
    """The picture's blocks from top to bottom."""
    return [
        heading(title, said(captions.when(view)), [said(text) for text in captions.asked(view, seated)]),
        _map(view, seated, said),
        space(8),
        *_bidding(view, seated, said),
        *_scoring(view, seated, said),
        *_seats(view, seated, said),
        space(4),
        *_notes(view, seated, said),
        space(10),
    ]


def cube(colour: str) -> Piece:
    """An immigrant cube or a favor chip with its letter."""
    fill, ink = CUBES[colour]
    return Piece(
        23,
        svg.rect(0, -10, 20, 20, fill, r=3, stroke=EDGE, thick=0.8)
        + svg.text(10, 5, LETTERS[colour], 13, bold=True, anchor="middle", fill=ink),
    )


def _counted(counts: Mapping[str, int]) -> list[Piece]:
    """The colours there are any of, each with its number."""
    return [counted(cube(colour), counts[colour]) for colour in IMMIGRANTS if counts[colour]]


def _map(view: View, seated: Sequence[Person], said: Words) -> Block:
    order = [number for number in ELECTION_ORDER if number != view["ward"]]
    wards = order if view["ward"] is None else [*order, view["ward"]]
    shapes = "".join(_shape(view, number) for number in wards)
    pieces = "".join(_ward(view, number, seated, said) for number in wards)
    water = svg.rect(0, 0, WIDTH, island.HEIGHT, WATER)
    return Block(island.HEIGHT + 6, water + shapes + pieces + _garden(view, said) + _supplies(view, said))


def _shape(view: View, number: int) -> str:
    ward = view["wards"][str(number)]
    elected = view["ward"] == number
    fill = ELECTED if elected else LAND if ward["active"] else CLOSED
    return svg.polygon(island.ring(number), fill, stroke=ACCENT if elected else BORDER, thick=4 if elected else 1.6)


def _ward(view: View, number: int, seated: Sequence[Person], said: Words) -> str:
    ward = view["wards"][str(number)]
    x, y, room, height = island.PLACES[number]
    head = _ward_head(number, ward, room, said)
    if not ward["active"]:
        year = ZONE_YEARS[view["players"]][ZONE_OF[number]]
        opens = svg.text(x, y + 40, said(say("from year {year}", year=year)), 12, fill=SOFT, room=room)
        return in_row(head, x, y + 12) + opens
    rows, scale = arranged(head, _counted(ward["cubes"]), _bosses(ward["bosses"], seated), room, height)
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


def _garden(view: View, said: Words) -> str:
    """Castle Garden in the harbour, with the immigrants who wait there."""
    x, y = island.GARDEN
    fort = svg.circle(x, y, 54, FORT, stroke=BORDER, thick=2) + svg.circle(x, y, 47, LAND, stroke=BORDER)
    here = _counted(view["garden"])
    rows = [here[:2], here[2:]] if len(here) > 2 else [here]
    drawn = "".join(
        in_row(row, x - (sum(piece.width for piece in row) - 8) / 2, y + 8 + 23 * number - 11 * (len(rows) - 1))
        for number, row in enumerate(rows)
    )
    name = svg.text(x, y - 18, said(say("Castle Garden")), 11, anchor="middle", fill=SOFT, room=88)
    none = "" if here else svg.text(x, y + 8, said(say("empty")), 12, anchor="middle", fill=SOFT, room=80)
    return fort + name + drawn + none


def _supplies(view: View, said: Words) -> str:
    """Bag and chip supply, off the East River piers."""
    parts = []
    for below, name, counts in ((0, say("Bag"), view["bag"]), (44, say("Chip supply"), view["chip_supply"])):
        parts.append(svg.text(0, below, said(name), 13, fill=SOFT, room=200))
        parts.append(in_row(_counted(counts) or [label(said(say("empty")), 13, fill=SOFT, room=200)], 0, below + 17))
    x, y = island.PIERS
    return svg.moved(x, y, "".join(parts), 0.9)


def _bidding(view: View, seated: Sequence[Person], said: Words) -> Iterator[Block]:
    """Who bids for the ward, with what they may bid and whether they have; and the reader's own bid."""
    bidding = view["bidding"]
    if not bidding:
        return
    yield caption(said(say("Candidates in ward {ward}", ward=bidding["ward"])))
    for candidate in bidding["candidates"]:
        yield _candidate(candidate, bidding, seated, said)
    if bidding["own"] is not None:
        bid = _counted(bidding["own"]) or [label(said(say("no chips")), 13)]
        yield row_block([label(said(say("Your sealed bid:")), 13, bold=True), *bid])
    yield space(6)


def _candidate(
    candidate: Mapping[str, Any], bidding: Mapping[str, Any], seated: Sequence[Person], said: Words
) -> Block:
    person = seated[candidate["seat"]]
    chips = _counted(candidate["usable"])
    owes = candidate["seat"] in bidding["owes"]
    status = say("has to bid") if owes else say("has bid") if chips else say("bids nothing")
    mark = counted(token(person), candidate["bosses"])
    name = svg.text(MARGIN + mark.width, 18, person.name, 13, room=178 - mark.width)
    usable = chips or [label(said(say("no chips to bid")), 12, fill=SOFT)]
    return Block(
        27,
        svg.moved(MARGIN, 13, mark.drawing)
        + name
        + in_row(usable, 216, 13)
        + svg.text(WIDTH - MARGIN, 18, said(status), 13, bold=owes, anchor="end", room=120),
    )


def _seats(view: View, seated: Sequence[Person], said: Words) -> Iterator[Block]:
    """Everybody's points, chips, slander chips, bosses and office."""
    seats = view["seats"]

    def column(head: Sentence | Piece, x: int, cells: Iterable[object], size: int = 14) -> Column:
        drawn = [label(str(cell), size, bold=size > 14) for cell in cells]
        return Column(head if isinstance(head, Piece) else said(head), x, drawn)

    columns = [
        column(say_in("column", "VP"), 196, [seat["vp"] for seat in seats], 16),
        *(
            column(cube(colour), 236 + 36 * place, [seat["chips"][colour] or "·" for seat in seats])
            for place, colour in enumerate(IMMIGRANTS)
        ),
        column(say_in("column", "slander"), 392, [_slander(seat, view, said) for seat in seats]),
        column(say_in("column", "bosses"), 444, [seat["bosses_left"] for seat in seats]),
        Column(
            said(say_in("column", "office")),
            474,
            [_office(seat["office"], said) for seat in seats],
            start=True,
        ),
    ]
    yield from seat_table(seated, active(view), said(say_in("column", "player")), columns)


def _office(title: str | None, said: Words) -> Piece:
    return label("" if title is None else said(OFFICES[title]), 12.5, room=WIDTH - 484)


def _slander(seat: Mapping[str, Any], view: View, said: Words) -> str:
    """Slander chips left, and whether this term's has been used."""
    used = seat["slandered"] and view["phase"] != "over"
    return said(say("{chips} used", chips=seat["slander"])) if used else str(seat["slander"])


def _scoring(view: View, seated: Sequence[Person], said: Words) -> Iterator[Block]:
    """The final scores line by line, best first."""
    if not view["scoring"]:
        return
    yield caption(said(say("Final scores")))
    for seat in sorted(range(view["players"]), key=lambda seat: -int(view["seats"][seat]["vp"])):
        parts = said(scoring_lines(view["scoring"], seat))
        pieces = [token(seated[seat]), label(str(view["seats"][seat]["vp"]), 15, bold=True), label(parts, 12)]
        yield row_block(pieces)
    yield space(6)


def _notes(view: View, seated: Sequence[Person], said: Words) -> Iterator[Block]:
    """First player, leaders of the peoples, locks left, and what comes with the zones that are still closed."""
    pieces: list[Piece] = []
    if view["first"] is not None and view["phase"] != "over":
        pieces += [label(said(say("First player")), 12, fill=SOFT), token(seated[view["first"]]), _gap()]
    led = [(colour, seats) for colour, seats in view["leaders"].items() if seats]
    if led:
        pieces.append(label(said(say("Immigrant leaders")), 12, fill=SOFT))
        for colour, seats in led:
            pieces += [cube(colour), *(token(seated[seat]) for seat in seats), _gap(6)]
    yield row_block(pieces)
    for zone, box in view["boxes"].items():
        if any(box.values()):
            year = ZONE_YEARS[view["players"]][int(zone)]
            opens = say("Zone {zone} opens in year {year} with", zone=ROMAN[int(zone)], year=year)
            yield row_block([label(said(opens), 12, fill=SOFT), *_counted(box)])
    yield Block(
        24,
        svg.line([(MARGIN, 4), (WIDTH - MARGIN, 4)], RULE)
        + svg.text(MARGIN, 19, said(LEGEND), 11, fill=SOFT, room=WIDTH - 2 * MARGIN),
    )


LEGEND: Final = say(
    "Squares: immigrants and favor chips (I Irish, E English, G German, T Italian). Round: ward bosses."
)


def _gap(width: int = 14) -> Piece:
    return Piece(width, "")
