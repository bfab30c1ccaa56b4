"""Positions in Chromium: drawn as our own renderer draws them, in both schemes, and fit for a phone."""

from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, Route

from service import web
from service.pictures import font
from service.pictures.composing import FONTS
from service.pictures.page import Marks
from tests.browser.looks import COLOURS, EVERYTHING, SCHEMES, assert_none
from tests.service.pictures.positions import game, seen
from tests.service.web.test_positions import html

STATIC = Path(web.__file__).parent / "static"
SHEETS = ("tokens.css", "palette.css", "page.css", "board.css", "positions.css", "game.css", "beside.css")
BASE = "http://positions.test"
POLICY = "default-src 'none'; style-src 'self'; font-src 'self'"
NAMES = ("Bartholomew the Great", "Bob", "Cyd", "Dan", "Eve")
POSITIONS = (
    (0, {"phase": "turn", "year": 2}), (1, {"phase": "bid"}), (2, {"phase": "turn", "year": 16}),
    (2, {"phase": "over"}), (3, {"phase": "over"}), (4, {"phase": "draft"}), (5, {"phase": "bid"}),
    (5, {"phase": "resolve"}),
)  # fmt: skip
"""By game of `positions.game`, and what is asked there."""
FACES = "".join(
    f"@font-face {{ font-family: '{font.FAMILY}'; font-weight: {weight}; src: url('{BASE}/{Path(path).name}'); }}"
    for weight, path in zip((400, 700), FONTS, strict=True)
)
OURS = {"faces.css": FACES, "alone.css": "body, main { margin: 0; } h1, h2 { display: none; }"}
"""Stylesheets of the tests: the bundled font, so that texts are as wide everywhere; the picture alone on the page."""
FRAME = """<!doctype html>
<html lang="{language}"><meta charset="utf-8"><title>A position</title>{sheets}
<main><h1>A game</h1><h2>The position</h2>{shown}</main>"""
LEAST = """Math.min(...[...document.querySelectorAll("svg .edge")]
    .map(edge => edge.getBoundingClientRect()).flatMap(box => [box.width, box.height]))"""
"""The least side of a place, in pixels."""


@cache
def view(number, **about):
    rules, found = game(number)
    last = [state for state in found if all(getattr(state, name) == value for name, value in about.items())][-1]
    return rules.kind, seen(rules, last, 0, NAMES)


@pytest.fixture
def page(chromium: Browser) -> Iterator[Page]:
    """A window at a server that has our stylesheets and fonts, and the policy of our pages."""
    context = chromium.new_context(viewport={"width": 600, "height": 900}, reduced_motion="reduce")
    context.route(f"{BASE}/**", serve)
    yield context.new_page()
    context.close()


def serve(route: Route) -> None:
    name = route.request.url.rpartition("/")[2]
    if name in OURS:
        route.fulfill(body=OURS[name], content_type="text/css")
    elif name.endswith(".css"):
        route.fulfill(body=(STATIC / name).read_text(), content_type="text/css")
    else:
        route.fulfill(path=(STATIC if name.endswith(".woff2") else font.FOLDER) / name)


def show(page: Page, shown: str, *sheets: str, language: str = "en") -> None:
    """Load a page with these stylesheets, and wait for its fonts."""
    links = "".join(f"<link rel='stylesheet' href='{BASE}/{sheet}'>" for sheet in sheets)
    body = FRAME.format(language=language, sheets=links, shown=shown)
    headers = {"Content-Security-Policy": POLICY, "Content-Type": "text/html"}
    page.route(f"{BASE}/", lambda route: route.fulfill(body=body, headers=headers))
    page.goto(f"{BASE}/")
    page.evaluate("document.fonts.ready")


@pytest.mark.parametrize("number, about", POSITIONS)
def test_wcag_1_4_10_a_position_keeps_to_the_width_of_a_phone_and_its_places_to_a_finger(page, number, about):
    kind, shown = view(number, **about)
    for language in ("en", "fr", "de"):
        show(page, html(kind, shown, language), *SHEETS, "faces.css", language=language)
        for wide in (320, 700, 1000):
            page.set_viewport_size({"width": wide, "height": 900})
            assert page.evaluate("document.documentElement.scrollWidth") <= wide, (language, wide)
            assert page.evaluate(LEAST) >= 24, (language, wide)


@pytest.mark.parametrize("number", [2, 5])
def test_axe_finds_nothing_wrong_with_a_position(page, number):
    kind, shown = view(number, phase="bid")
    lit = Marks(lit=frozenset({"ward-1", "land-Q1"}), drafted=frozenset({"ward-3", "land-Q2"}))
    show(page, html(kind, shown, marks=lit), *SHEETS)
    assert_none(page, EVERYTHING)
    for scheme in SCHEMES:
        page.emulate_media(**scheme)
        assert_none(page, COLOURS)
