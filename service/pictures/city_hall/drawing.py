"""The board of City Hall as a picture: the map, the Offices, the tracks, the seats, and what is being decided."""

from collections.abc import Iterator, Sequence
from typing import Final

from domain.city_hall.rules.board import BOARD
from domain.city_hall.rules.pieces import PERMITS
from domain.city_hall.rules.words import KINDS, TITLES, dollars
from domain.city_hall.text.drawing import CARDS
from domain.engine.game import View
from domain.engine.sentences import Sentence, Words, say, say_in
from service.pictures import icons, svg
from service.pictures.city_hall import captions, spaces
from service.pictures.city_hall.spaces import PLACES
from service.pictures.palette import (
    ASKED,
    CARD,
    GOLD,
    LAST,
    ON_CARD,
    ROW,
    SOFT,
    TRACK,
)  # fmt: skip
from service.pictures.people import Person
from service.pictures.sheet import (
    MARGIN,
    ROOM,
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

SPACES: Final = len(BOARD.ratings)


def board(view: View, seated: Sequence[Person], title: str, said: Words) -> list[Block]:
    """The picture's blocks from top to bottom."""
    return [
        heading(title, said(captions.when(view)), [said(text) for text in captions.asked(view, seated)]),
        _map(view, seated, said),
        *_votes(view, seated, said),
        *_auction(view, seated, said),
        *_offices(view, seated, said),
        *_hands(view, seated, said),
        *_seats(view, seated, said),
        *_tracks(view, seated, said),
        space(10),
    ]


def _map(view: View, seated: Sequence[Person], said: Words) -> Block:
    lots = [
        spaces.space_drawing(view["lands"][land], land, view["phase"], lot, seated, said)
        for land, lot in PLACES.items()
    ]
    return Block(spaces.HEIGHT + 6, spaces.ground(said) + "".join(lots))


def _influence(number: object) -> Piece:
    """So much Influence: a card with a number behind it."""
    card = svg.rect(0, -9, 13, 18, CARD, r=2) + svg.rect(3, -6, 7, 12, "none", stroke=ON_CARD)
    return counted(Piece(17, card), number)


def _auction(view: View, seated: Sequence[Person], said: Words) -> Iterator[Block]:
    """The Office in play: who activated it, the bids so far, who controls it, and what was revealed."""
    if view["office"] is None:
        return
    office = view["office"]
    yield caption(said(TITLES[office]))
    pieces = [token(seated[view["offices"][office]["staffer"]]), label(said(say("activated it"))), Piece(12, "")]
    if view["bidding"]:
        for seat, amount in view["bidding"]["bids"]:
            pieces.append(token(seated[seat]))
            pieces.append(label(said(say("passes"))) if amount is None else _influence(amount))
            pieces.append(Piece(8, ""))
        for seat in view["bidding"]["waiting"]:
            pieces += [token(seated[seat]), label(said(say("to answer")), fill=SOFT), Piece(8, "")]
    if view["controller"] is not None:
        pieces += [token(seated[view["controller"]]), label(said(say("controls it")), bold=True)]
    yield row_block(pieces, 30)
    if view["revealed"]:
        yield row_block([label(said(say("Revealed:"))), *(_permit(kind, said) for kind in view["revealed"])], 34)
    yield space(4)


def _permit(kind: str, said: Words) -> Piece:
    """A Permit: its building and its name."""
    name = label(said(KINDS[kind]), 13)
    return Piece(name.width + 34, svg.moved(14, 0, icons.permit(kind), 0.85) + svg.moved(29, 0, name.drawing))


def _seats(view: View, seated: Sequence[Person], said: Words) -> Iterator[Block]:
    """Everybody's place in the turn order, holdings and standing."""
    seats, order = view["seats"], view["turn_order"]

    def column(head: Sentence, x: int, cells: Sequence[object], *, bold: bool = False) -> Column:
        drawn = [label(str(cell), 15 if bold else 14, bold=bold) for cell in cells]
        return Column(said(head), x, drawn)

    places = [order.index(seat) + 1 if seat in order else "" for seat in range(len(seats))]
    columns = [
        column(say_in("column", "order"), 182, places),
        column(say_in("column", "money"), 230, [_money(seat["money"], said) for seat in seats]),
        column(say_in("column", "influence"), 286, [_open(seat["influence"]) for seat in seats]),
        column(say_in("column", "permits"), 342, [seat["hand_count"] for seat in seats]),
        column(say_in("column", "rating"), 392, [seat["rating"] for seat in seats]),
        column(say_in("column", "population"), 450, [seat["population"] for seat in seats]),
        column(say_in("column", "stars"), 508, [seat["stars"] for seat in seats]),
        column(say_in("column", "votes"), 560, [_votes_of(view, seat) for seat in range(len(seats))], bold=True),
    ]
    yield from seat_table(seated, active(view), said(say_in("column", "player")), columns)


def _open(number: int | None) -> str:
    """A number the reader may see, or else a question mark."""
    return "?" if number is None else str(number)


def _money(amount: int | None, said: Words) -> str:
    return "?" if amount is None else said(dollars(amount))


def _votes_of(view: View, seat: int) -> int:
    """The votes of a seat in the election; before it, those of rating and population alone (CH-12.2)."""
    if view["result"]:
        return int(view["result"]["votes"][seat])
    return int(view["seats"][seat]["rating"] * view["seats"][seat]["population"])


def _hands(view: View, seated: Sequence[Person], said: Words) -> Iterator[Block]:
    """The Permits in hand, as far as the view shows them: the reader's own, and all of them at the end."""
    for person, seat in zip(seated, view["seats"], strict=True):
        if seat["hand"] is not None:
            held = [counted(_permit(kind, said), seat["hand"][kind]) for kind in PERMITS if seat["hand"][kind]]
            pieces = held or [label(said(say_in("Permits", "none")), fill=SOFT)]
            yield row_block([token(person), label(said(say("Permits in hand:")), bold=True), *pieces], 34)


def _votes(view: View, seated: Sequence[Person], said: Words) -> Iterator[Block]:
    """The votes of the election, best first, with the Endorsements that brought some of them (CH-12)."""
    result = view["result"]
    if not result:
        return
    yield caption(said(say("Votes: rating × population, and Endorsements")))
    names = {card.id: said(CARDS.get(card.name, card.name)) for card in BOARD.endorsements}
    for seat in sorted(range(len(seated)), key=lambda seat: -int(result["votes"][seat])):
        it = view["seats"][seat]
        won = [names.get(card, card) for card, winner in result["endorsements"].items() if winner == seat]
        sum_ = f"{it['rating']} × {it['population']} = {result['base_votes'][seat]}"
        pieces = [token(seated[seat]), label(str(result["votes"][seat]), 16, bold=True), label(sum_)]
        yield row_block([*pieces, *(label(f"+ {name}", 12, fill=SOFT) for name in won)])
    yield space(6)


def _offices(view: View, seated: Sequence[Person], said: Words) -> Iterator[Block]:
    """The Offices two by two, with the Influence and the Staffer on each; then the decks."""
    yield caption(said(say("Offices: Influence on them and Staffers")))
    cells = [_office(view, office, seated, said) for office in view["offices"]]
    cells.append(_decks(view, said))
    for left, right in zip(cells[::2], [*cells[1::2], ""], strict=False):
        yield Block(36, svg.moved(MARGIN, 2, left) + svg.moved(MARGIN + ROOM / 2 + 3, 2, right))
    if view["deputy"] is not None and view["phase"] != "over":
        yield row_block([label(said(say("First in the next round:"))), token(seated[view["deputy"]])], 30)


def _office(view: View, office: str, seated: Sequence[Person], said: Words) -> str:
    chair, here = view["offices"][office], view["office"] == office
    wide = ROOM / 2 - 3
    pieces = [_influence(chair["influence"])] if chair["influence"] else []
    pieces += [token(seated[chair["staffer"]])] if chair["staffer"] is not None else []
    taken = sum(piece.width for piece in pieces)
    return (
        svg.rect(0, 0, wide, 32, ASKED if here else ROW, r=5, stroke=GOLD if here else None, thick=2)
        + svg.text(10, 21, said(TITLES[office]), 13, bold=here, room=wide - taken - 22)
        + in_row(pieces, wide - taken - 5, 16)
    )


def _decks(view: View, said: Words) -> str:
    land, permits = view["land_deck_count"], view["permit_deck_count"]
    text = said(say("Decks: {land} Land, {permits} Permits", land=land, permits=permits))
    return svg.text(10, 21, text, 13, fill=SOFT, room=ROOM / 2 - 12)


def _tracks(view: View, seated: Sequence[Person], said: Words) -> Iterator[Block]:
    """The Approval Rating Track with the Star Token, and the Population Track (CH-2.6, CH-2.7)."""
    yield caption(said(say("Approval: space and rating; the star is the Star Token")))
    wide = ROOM / SPACES
    standing = [_standing(view, number, seated) for number in range(1, SPACES + 1)]
    high = 26 + 25 * max(1, *((len(pieces) + 1) // 2 for pieces in standing))
    cells = [
        svg.moved(MARGIN + wide * place, 4, _approval(place + 1, wide, high, pieces))
        for place, pieces in enumerate(standing)
    ]
    yield Block(high + 8, "".join(cells))
    yield caption(said(say("Population")))
    yield _population(view, seated)


def _standing(view: View, number: int, seated: Sequence[Person]) -> list[Piece]:
    """Who stands on a space of the Approval Rating Track."""
    star = [Piece(25, icons.medal(11, 0))] if view["star_token"] == number else []
    seats = zip(seated, view["seats"], strict=True)
    return star + [token(person) for person, seat in seats if seat["approval"] == number]


def _approval(number: int, wide: float, high: float, pieces: Sequence[Piece]) -> str:
    """A space of the track: its number, the rating on it, and the pieces two by two."""
    rows = [pieces[place : place + 2] for place in range(0, len(pieces), 2)]
    scale = min(1.0, (wide - 6) / max([1, *(sum(piece.width for piece in row) - 3 for row in rows)]))
    return (
        svg.rect(1, 0, wide - 2, high, LAST if number == SPACES else ROW, r=4)
        + svg.text(6, 16, str(number), 12, fill=SOFT)
        + svg.text(wide - 6, 17, f"×{BOARD.ratings[number - 1]}", 13, bold=True, anchor="end")
        + "".join(svg.moved(4, 36 + 25 * place, in_row(row), round(scale, 2)) for place, row in enumerate(rows))
    )


def _population(view: View, seated: Sequence[Person]) -> Block:
    """The track as a ruler; whose pieces would overlap stand in lanes above each other."""
    left, right = MARGIN + 14, WIDTH - MARGIN - 14
    unit = (right - left) / (BOARD.population_max - 1)
    ends: list[float] = []
    placed = []
    for seat in sorted(range(len(seated)), key=lambda seat: int(view["seats"][seat]["population"])):
        piece = token(seated[seat])
        start = round(left + unit * (view["seats"][seat]["population"] - 1) - (piece.width - 3) / 2)
        lane = next((lane for lane, end in enumerate(ends) if end < start), len(ends))
        ends[lane : lane + 1] = [start + piece.width]
        placed.append((start, lane, piece))
    base = 8 + 25 * len(ends)
    ticks = [number for number in range(1, BOARD.population_max + 1) if number == 1 or not number % 5]
    ruler = svg.line([(left, base), (right, base)], TRACK, 3) + "".join(
        svg.line([(left + unit * (tick - 1), base), (left + unit * (tick - 1), base + 6)], TRACK, 2)
        + svg.text(left + unit * (tick - 1), base + 19, str(tick), 11.5, anchor="middle", fill=SOFT)
        for tick in ticks
    )
    pieces = "".join(svg.moved(start, base - 14 - 25 * lane, piece.drawing) for start, lane, piece in placed)
    return Block(base + 26, ruler + pieces)
