"""The board of Tammany Hall as a picture: the map of the wards, the seats, the supplies, and what is being decided."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Final

from domain.engine.game import View
from domain.engine.sentences import Sentence, Words, say, say_in
from domain.tammany_hall.rules.board import COLOURS as IMMIGRANTS
from domain.tammany_hall.rules.board import (
    ELECTION_ORDER,
    MAYOR,
    ZONE_YEARS,
)
from domain.tammany_hall.rules.words import IN_COLUMN, ROMAN, scoring_lines
from domain.tammany_hall.rules.words import OFFICES as TITLES
from service.pictures import font, svg
from service.pictures.palette import RULE, SOFT
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
    row_block,
    seat_table,
    space,
    token,
)
from service.pictures.tammany_hall import captions, wards
from service.pictures.tammany_hall import map as island
from service.pictures.tammany_hall.wards import counted_cubes, cube

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


def _map(view: View, seated: Sequence[Person], said: Words) -> Block:
    order = [number for number in ELECTION_ORDER if number != view["ward"]]
    numbers = order if view["ward"] is None else [*order, view["ward"]]
    shapes = "".join(wards.shape(view, number) for number in numbers)
    pieces = "".join(wards.ward_pieces(view, number, seated, said) for number in numbers)
    here = "".join(wards.waiting(view, colour) for colour in IMMIGRANTS)
    harbour = wards.fort(said) + (here or wards.empty_fort(said))
    return Block(island.HEIGHT + 6, wards.sea() + shapes + pieces + harbour + _supplies(view, said))


def _supplies(view: View, said: Words) -> str:
    """Bag and chip supply, off the East River piers."""
    parts = []
    for below, name, counts in ((0, say("Bag"), view["bag"]), (44, say("Chip supply"), view["chip_supply"])):
        parts.append(svg.text(0, below, said(name), 13, fill=SOFT, room=200))
        parts.append(
            in_row(counted_cubes(counts) or [label(said(say("empty")), 13, fill=SOFT, room=200)], 0, below + 17)
        )
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
        bid = counted_cubes(bidding["own"]) or [label(said(say("no chips")), 13)]
        yield row_block([label(said(say("Your sealed bid:")), 13, bold=True), *bid])
    yield space(6)


def _candidate(
    candidate: Mapping[str, Any], bidding: Mapping[str, Any], seated: Sequence[Person], said: Words
) -> Block:
    person = seated[candidate["seat"]]
    chips = counted_cubes(candidate["usable"])
    owes = candidate["seat"] in bidding["owes"]
    status = say_in("beside a bid", "has to bid") if owes else say("has bid") if chips else say("bids nothing")
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
    if title is None:
        return label("", 12.5)
    room, whole = WIDTH - 484, said(OFFICES[title])
    return label(whole if font.width(whole, 12.5) <= room else said(IN_COLUMN[title]), 12.5, room=room)


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
            yield row_block([label(said(opens), 12, fill=SOFT), *counted_cubes(box)])
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
