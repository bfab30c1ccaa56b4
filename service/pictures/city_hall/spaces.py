"""The map of City Hall: the boroughs, the bridges between them, and what stands on their spaces."""

from collections.abc import Mapping, Sequence
from typing import Any, Final

from domain.city_hall.rules.board import BOARD
from domain.engine.sentences import Words, say
from service.pictures import icons, svg
from service.pictures.city_hall import map as city
from service.pictures.city_hall.map import Place
from service.pictures.palette import BRIDGE, GROUND, INK, LOT, MONEY, OFFER, ROAD, SHORE, SOFT
from service.pictures.people import Person
from service.pictures.sheet import Piece, in_row, label, token

PLACES: Final = city.places(BOARD)
BOROUGHS: Final = {"manhattan": say("Manhattan"), "queens": say("Queens"), "brooklyn": say("Brooklyn")}


def bridge(one: svg.Point, other: svg.Point) -> str:
    return svg.line([one, other], BRIDGE, 9) + svg.line([one, other], ROAD, 5)


def borough(name: str, said: Words) -> str:
    """The ground of a borough under its spaces, and its name above it."""
    here = [PLACES[land] for row in BOARD.boroughs[name].grid for land in row if land]
    left, right = min(place.x for place in here), max(place.x + place.wide for place in here)
    top = min(place.y for place in here)
    ground = "".join(svg.rect(place.x - 4, place.y - 4, place.wide + 8, place.high + 8, GROUND, r=6) for place in here)
    title = [label(said(BOROUGHS[name]), 12, bold=True, fill=SHORE, room=right - left - 26)]
    if bonus := BOARD.boroughs[name].star_bonus:
        title += [label(f"+{bonus}", 12, bold=True, fill=SHORE), Piece(10, icons.star(2, 0, 6.5))]
    return ground + in_row(title, (left + right - sum(piece.width for piece in title)) // 2, top - 14)


def space_drawing(land: Mapping[str, Any], name: str, place: Place, seated: Sequence[Person], said: Words) -> str:
    """A space: in the deck, on offer with the money on it, or somebody's with what is built there."""
    w, h = place.wide, place.high
    title = svg.text(7, 18, name, 13, bold=land["state"] != "deck", fill=SOFT if land["state"] == "deck" else INK)
    match land["state"]:
        case "deck":
            drawing = svg.rect(0, 0, w, h, LOT, r=4) + title
        case "available":
            drawing = (
                svg.rect(1, 1, w - 2, h - 2, OFFER, r=4, stroke=MONEY, thick=2)
                + title
                + svg.text(w / 2, h / 2 + 12, f"${land['money']}", 20, bold=True, anchor="middle", fill=MONEY)
                + svg.text(w - 7, 17, said(say("for sale")), 11, anchor="end", fill=MONEY, room=w - 38)
            )
        case _:
            owner = seated[land["owner"]]
            mark = token(owner)
            drawing = (
                svg.rect(1.5, 1.5, w - 3, h - 3, owner.tint, r=4, stroke=owner.fill, thick=3)
                + title
                + svg.moved(w - mark.width - 3, 17, mark.drawing)
                + (_built(land, w, h) if land["permit"] else "")
            )
    return svg.moved(place.x, place.y, drawing)


def _built(land: Mapping[str, Any], w: float, h: float) -> str:
    """What stands on a space, and its stars."""
    icon = svg.moved(w / 2 - (0 if land["stars"] is None else 14), h / 2 + 13, icons.permit(land["permit"]))
    if land["stars"] is None:
        return icon
    stars = svg.text(w / 2 + 10, h / 2 + 20, str(land["stars"]), 17, bold=True)
    return icon + stars + icons.star(w / 2 + 30, h / 2 + 14, 8)
