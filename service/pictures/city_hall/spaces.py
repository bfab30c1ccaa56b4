"""The map of City Hall: the boroughs, the bridges between them, and what stands on their spaces."""

from collections.abc import Mapping, Sequence
from typing import Any, Final

from domain.city_hall.rules.board import BOARD
from domain.city_hall.rules.surveyor import land_price
from domain.city_hall.rules.words import dollars, signed_price
from domain.engine.sentences import Sentence, Words, say, say_in
from service.pictures import icons, svg
from service.pictures.city_hall import map as city
from service.pictures.city_hall.map import Lot
from service.pictures.palette import BORDER, BRIDGE, GROUND, LOT, MONEY, OFFER, ROAD, SHORE, SOFT, TRACK, WATER, WAVE
from service.pictures.people import Person
from service.pictures.sheet import WIDTH, Piece, in_row, label, token

PLACES: Final = city.places(BOARD)
ROSE: Final = (192, 260)
"""Where the points of the compass are, in the East River."""
HEIGHT: Final = city.TOP + city.height(BOARD) + 12
BOROUGHS: Final = {"manhattan": say("Manhattan"), "queens": say("Queens"), "brooklyn": say("Brooklyn")}


def ground(said: Words) -> str:
    """Rivers, bridges and boroughs, without what is on the spaces."""
    return svg.base(
        svg.rect(0, 0, WIDTH, HEIGHT, WATER)
        + icons.compass(*ROSE, 36)
        + "".join(_shore(name) for name in BOARD.boroughs)
        + "".join(_bridge(*city.bridge(PLACES[land], PLACES[across])) for land, across in BOARD.bridges)
        + "".join(_borough(name, said) for name in BOARD.boroughs)
    )


def _bridge(one: svg.Point, other: svg.Point) -> str:
    return svg.line([one, other], BRIDGE, 9) + svg.line([one, other], ROAD, 5)


def _shore(name: str) -> str:
    """The lines of an engraved chart around a borough."""
    here = [PLACES[land] for row in BOARD.boroughs[name].grid for land in row if land]
    return "".join(
        svg.rect(lot.x - reach, lot.y - reach, lot.wide + 2 * reach, lot.high + 2 * reach, paint, r=reach + 2)
        for reach, paint in ((12, WAVE), (11, WATER), (8, WAVE), (7, WATER))
        for lot in here
    )


def _borough(name: str, said: Words) -> str:
    """The ground of a borough under its spaces, and its name above it."""
    here = [PLACES[land] for row in BOARD.boroughs[name].grid for land in row if land]
    left, right = min(lot.x for lot in here), max(lot.x + lot.wide for lot in here)
    top = min(lot.y for lot in here)
    ground = "".join(svg.rect(lot.x - 4, lot.y - 4, lot.wide + 8, lot.high + 8, GROUND, r=6) for lot in here)
    title = [label(said(BOROUGHS[name]), 13, bold=True, fill=SHORE, room=right - left - 26)]
    if bonus := BOARD.boroughs[name].star_bonus:
        title += [label(f"+{bonus}", 12, bold=True, fill=SHORE), Piece(10, icons.star(2, 0, 6.5))]
    return ground + in_row(title, (left + right - sum(piece.width for piece in title)) // 2, top - 14)


def space_drawing(
    land: Mapping[str, Any], name: str, phase: str, lot: Lot, seated: Sequence[Person], said: Words
) -> str:
    """A space: in the deck, available at its price, or owned with what is built there."""
    w, h = lot.wide, lot.high
    title = svg.text(7, 21, name, 16, bold=True)
    match land["state"]:
        case "deck":
            drawing = _staked_out(w, h) + svg.text(12, 25, name, 15, fill=SOFT)
        case "available":
            money, caption = map(said, _offer(phase, land["money"]))
            drawing = (
                svg.rect(1.5, 1.5, w - 3, h - 3, OFFER, r=4, stroke=MONEY, thick=3)
                + title
                + svg.text(w / 2, h - 22, money, 25, bold=True, anchor="middle", fill=MONEY, room=w - 8)
                + svg.text(w - 8, 20, caption, 11, anchor="end", fill=MONEY, room=w - 46, caption=True)
            )
        case _:
            owner = seated[land["owner"]]
            mark = token(owner)
            drawing = (
                svg.rect(2, 2, w - 4, h - 4, owner.tint, r=4, stroke=owner.fill, thick=4)
                + svg.rect(4.5, 4.5, w - 9, h - 9, "none", r=2, stroke=BORDER)
                + title
                + svg.moved(w - 1.15 * mark.width - 3, 19, mark.drawing, 1.15)
                + (_built(land, w, h) if land["permit"] else "")
            )
    return svg.moved(lot.x, lot.y, drawing)


def _offer(phase: str, money: int) -> tuple[Sentence, Sentence]:
    """The price of an available space, and its caption (CH-4.3, CH-8.11)."""
    if phase == "over":
        return dollars(money), say_in("on a space", "not taken")
    price = land_price(phase, money)
    caption = say_in("on a space", "you get") if price < 0 else say_in("on a space", "costs")
    return signed_price(price), caption


def _staked_out(w: float, h: float) -> str:
    """A lot that nobody has come upon yet: the corners where a surveyor has put stakes."""
    reach = 9
    corners = [(x, y, -1 if x else 1, -1 if y else 1) for x in (0, w) for y in (0, h)]
    stakes = "".join(
        svg.line([(x + 5 * right, y + (5 + reach) * down), (x + 5 * right, y + 5 * down),
                  (x + (5 + reach) * right, y + 5 * down)], TRACK, 1.5)
        for x, y, right, down in corners
    )  # fmt: skip
    return svg.rect(0, 0, w, h, LOT, r=4) + stakes


def _built(land: Mapping[str, Any], w: float, h: float) -> str:
    """What stands on a space, and its stars."""
    icon = svg.moved(w / 2 - (0 if land["stars"] is None else 18), h / 2 + 15, icons.permit(land["permit"]), 1.2)
    if land["stars"] is None:
        return icon
    stars = svg.text(w / 2 + 6, h / 2 + 24, str(land["stars"]), 20, bold=True)
    return icon + stars + icons.star(w / 2 + 31, h / 2 + 16, 10)
