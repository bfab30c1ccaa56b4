"""The map of City Hall as a page shows it: boroughs as islands, spaces framed by their owners, buildings, prices.

Two dresses in one drawing, as in the map of Tammany Hall: `wide` has words, `narrow` larger letters.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from domain.city_hall.rules.board import BOARD
from domain.city_hall.rules.pieces import LANDS, Land
from domain.city_hall.rules.surveyor import land_price
from domain.city_hall.rules.words import dollars, signed_price
from domain.engine.game import View
from domain.engine.sentences import Words, say, say_in
from service.pictures import font, svg
from service.pictures.city_hall import captions
from service.pictures.city_hall.captions import BOROUGHS
from service.pictures.page import Dot, Map, Place
from service.pictures.people import Person
from service.pictures.pieces import use

WIDTH: Final = 640
HEIGHT: Final = 588
SIZES: Final = {"manhattan": (118, 101), "queens": (108, 96), "brooklyn": (108, 91)}
"""Width and height of the spaces of a borough."""
GAP: Final = 8
NORTH: Final = 34
"""The top of the northernmost spaces."""
WEST: Final = 14
EAST: Final = 164
"""The left side of the westernmost spaces beyond the East River."""
SOUTH: Final = 282
"""The top of Brooklyn."""
LEGEND: Final = (149, 258)
"""The upper left corner of the box that says what Buildings bring."""
KEY: Final = (149, 434, 114)
"""The box that names the dots: left, top and width."""
STARS: Final = {"housing": "5", "tower": "3", "factory": "1"}
"""The most stars of a Building (CH-9)."""
LOOKS: Final = (("wide", 13.5, 20.0), ("narrow", 20.0, 23.0))
"""The dresses: name, size of words, size of a price."""


@dataclass(frozen=True, slots=True)
class Lot:
    """The rectangle of a space."""

    x: float
    y: float
    wide: float
    high: float


def _lots() -> dict[str, Lot]:
    """Return the rectangle of each space."""
    grids = {name: borough.grid for name, borough in BOARD.boroughs.items()}
    across = {name: max(map(len, grid)) for name, grid in grids.items()}
    east = max(across["queens"], across["brooklyn"])
    found = {}
    for name, grid in grids.items():
        wide, high = SIZES[name]
        step = wide + GAP
        left = WEST if name == "manhattan" else EAST + (east - across[name]) * step
        top = SOUTH if name == "brooklyn" else NORTH
        for y, row in enumerate(grid):
            for x, land in enumerate(row):
                if land:
                    found[land] = Lot(left + x * step, top + y * (high + GAP), wide, high)
    return found


LOTS: Final = _lots()


def page_map(view: View, people: Sequence[Person], said: Words, before: View | None = None) -> Map:
    """Return the whole map. `before` is the position that a draft would change: what differs is drawn as a ghost."""
    then = view if before is None else before
    spaces = [_space(land, view["lands"][land], then["lands"][land], view["phase"], people, said) for land in LANDS]
    return Map(captions.NAME, HEIGHT, _ground(said) + _legend(said), spaces, WIDTH, KEY)


def _ground(said: Words) -> str:
    """Return the river, the islands with their names, and the bridges."""
    whole = f"M0 0h{WIDTH}v{HEIGHT}H0z"
    drawn = f'<path d="{whole}" fill="var(--water)"/><path d="{whole}" fill="url(#s-wave)"/>'
    for name, borough in BOARD.boroughs.items():
        here = [LOTS[land] for row in borough.grid for land in row if land]
        left, top = min(lot.x for lot in here) - 8, min(lot.y for lot in here) - 26
        right, bottom = max(lot.x + lot.wide for lot in here) + 8, max(lot.y + lot.high for lot in here) + 8
        drawn += f'<rect class="isle" {svg.box(left, top, right - left, bottom - top)} rx="14"/>'
        title = font.fitted(said(BOROUGHS[name]), right - left, 20, bold=True)
        drawn += svg.styled("borough middle", (left + right) / 2, top + 19, title)
    for land, across in BOARD.bridges:
        (x1, y1), (x2, y2) = _bridge(land, across)
        way = f'd="M{svg.number(x1)} {svg.number(y1)}L{svg.number(x2)} {svg.number(y2)}"'
        drawn += f'<path class="bridge" {way}/><path class="road" {way}/>'
    return drawn


def _bridge(one: Land, other: Land) -> tuple[svg.Point, svg.Point]:
    """Return the ends of a bridge: where the shores of the two islands face each other."""
    here, there = LOTS[one], LOTS[other]
    if here.x > there.x + there.wide or there.x > here.x + here.wide:
        west, east = sorted((here, there), key=lambda lot: lot.x)
        y = (max(west.y, east.y) + min(west.y + west.high, east.y + east.high)) / 2
        return (west.x + west.wide + 8, y), (east.x - 8, y)
    north, south = sorted((here, there), key=lambda lot: lot.y)
    x = (max(north.x, south.x) + min(north.x + north.wide, south.x + south.wide)) / 2
    return (x, north.y + north.high + 8), (x, south.y - 26)


def _legend(said: Words) -> str:
    """Return what each Building brings, in the river."""
    x, y = LEGEND
    drawn = svg.rect(0, 0, 114, 148, "none", r=8)
    for place, kind in enumerate(("housing", "tower", "factory", "park")):
        top = 5 + 28 * place
        drawn += use(kind, (8, top), (25, 25))
        if kind in STARS:
            for dress, _, _ in LOOKS:
                most = say("up to {count}", count=STARS[kind])
                text = font.fitted(said(most), 58, 13.5) if dress == "wide" else f"≤ {STARS[kind]}"
                drawn += svg.styled(f"label {dress}", 40, top + 19, text)
            drawn += use("star", (88, top + 4), (17, 17))
        else:
            text = font.fitted(said(say_in("what a Park does", "approval")), 80, 13.5)
            drawn += svg.styled("label wide", 40, top + 19, text) + svg.styled("label narrow", 40, top + 21, "+1")
    bonus = next((borough.star_bonus for borough in BOARD.boroughs.values() if borough.star_bonus), 0)
    name = next((name for name, borough in BOARD.boroughs.items() if borough.star_bonus), "")
    if bonus:
        full = font.fitted(said(BOROUGHS[name]), 70, 12.5)
        drawn += svg.styled("label wide", 8, 135, f"{full} +{bonus}")
        drawn += svg.styled("label narrow", 12, 137, f"{name[0].upper()}: +{bonus}") + use("star", (95, 121), (15, 15))
    return f'<g class="legend" transform="translate({x} {y})">{drawn}</g>'


def _space(
    land: Land, space: Mapping[str, Any], past: Mapping[str, Any], phase: str, people: Sequence[Person], said: Words
) -> Place:
    lot = LOTS[land]
    inner = svg.box(lot.x + 1, lot.y + 1, lot.wide - 2, lot.high - 2)
    return Place(
        id=f"land-{land}",
        name=captions.space_name(land, space, phase, people),
        middle=(lot.x + lot.wide / 2, lot.y + lot.high / 2),
        near=captions.near(land),
        outline=f'<rect class="halo" {inner} rx="6"/><rect class="line" {inner} rx="6"/>',
        drawing=svg.moved(lot.x, lot.y, _drawing(land, space, past, phase, lot, people, said)),
        dots=[Dot(dress, (lot.x + 47, lot.y + 19), letter) for dress, letter in (("wide", 17), ("narrow", 20))],
    )


def _drawing(
    land: Land, space: Mapping[str, Any], past: Mapping[str, Any], phase: str, lot: Lot, people: Sequence[Person],
    said: Words,
) -> str:  # fmt: skip
    """Draw one space: in the deck, available at its price, or owned with what is built there."""
    w, h = lot.wide, lot.high
    drawn = f'<rect class="lot" width="{w:g}" height="{h:g}" rx="7"/>'
    if space["state"] == "deck":
        return drawn + svg.styled("number soft", 10, 25, land)
    drawn += _owned(people[space["owner"]], w, past["state"] != space["state"], h) if space["state"] == "owned" else ""
    drawn += svg.styled("number", 10, 25, land)
    if space["state"] == "available":
        return drawn + _price(space["money"], phase, w, h, said)
    if space["permit"]:
        kind = "changed" if past["permit"] != space["permit"] else ""
        drawn += use(space["permit"], (11 if space["stars"] is not None else w / 2 - 23, h - 51), (46, 46), kind)
    if space["stars"] is not None:
        drawn += svg.styled("value", w - 36, h - 14, space["stars"]) + use("star", (w - 34, h - 32), (23, 23))
    return drawn


def _owned(person: Person, w: float, is_new: bool, h: float) -> str:
    """Draw the owner's frame and token; as a ghost where only a draft takes the space."""
    kind = f"p-{person.pawn}{' changed' if is_new else ''}"
    frame = f'<rect class="rim" {svg.box(0.5, 0.5, w - 1, h - 1)} rx="7"/>'
    frame += f'<rect class="own" {svg.box(3, 3, w - 6, h - 6)} rx="5"/>'
    frame += f'<circle class="token" cx="{w - 19:g}" cy="19" r="12.5"/>'
    return f'<g class="{kind}">{frame}{svg.styled("mark", w - 19, 25.5, person.mark)}</g>'


def _price(money: int, phase: str, w: float, h: float, said: Words) -> str:
    """Say what taking an available space does to one's money: "you get +$15", "costs $5" (CH-4.3, CH-8.11)."""
    if phase == "over":
        return ""
    price = land_price(phase, money)
    words = say_in("on a space", "you get") if price < 0 else say_in("on a space", "costs")
    kind = "get" if price <= 0 and phase == "draft" else "cost"
    drawn = ""
    for dress, letter, size in LOOKS:
        text = font.fitted(said(words), w - 4, letter)
        drawn += svg.styled(f"price {kind} word middle {dress}", w / 2, h - 19 - size, text)
        drawn += svg.styled(f"price {kind} middle {dress}", w / 2, h - 20, said(signed_price(price)))
    if phase != "draft" and money:
        lies = said(say("{money} lies on it", money=dollars(money)))
        drawn += svg.styled("lies middle wide", w / 2, h - 6, font.fitted(lies, w, 12))
    return drawn
