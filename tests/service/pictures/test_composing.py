"""Pictures composed of pieces: they look as those drawn at once, and each piece is drawn once."""

import io
import re
from unittest.mock import patch

import pytest
from PIL import Image, ImageChops, ImageStat

from service.pictures import board_svg, composing, png, svg
from service.pictures.composing import NotComposed, compose, render
from tests.service.pictures.positions import TITLE, views

pytestmark = pytest.mark.slow

GAMES = (2, 5)
"""Tammany Hall for five, City Hall for four."""


@pytest.fixture(scope="module")
def boards():
    """Positions of both games, early and late."""
    return {number: [board_svg(kind, view, TITLE) for kind, view in list(views(number))[::8]] for number in GAMES}


@pytest.fixture
def nothing_drawn():
    """No piece has been drawn yet."""
    for kept in (composing._ground, composing._shape, composing._text, composing._letter):
        kept.cache_clear()


@pytest.fixture
def drawn():
    """Counts what the renderer draws."""
    with patch.object(composing, "render", side_effect=render) as counted:
        yield counted


def at_once(board, width=600):
    return Image.open(io.BytesIO(render(board, width))).convert("RGB")


@pytest.mark.parametrize("number", GAMES)
@pytest.mark.parametrize("width", [600, 300])
def test_a_composed_picture_looks_as_it_is_drawn(boards, number, width):
    """Of the same size; hardly apart in the mean, and nowhere by more than the edge of a letter."""
    for board in boards[number]:
        composed = compose(board, width)
        whole = at_once(board, width)
        assert composed.size == whole.size
        apart = ImageChops.difference(whole, composed)
        assert max(ImageStat.Stat(apart).mean) < 0.6
        assert max(high for _, high in apart.getextrema()) < 100


@pytest.mark.parametrize("number", GAMES)
def test_the_same_bytes_come_out_whatever_was_drawn_before(boards, number, nothing_drawn):
    """So a letter that is composed again, by another process perhaps, is the same (RATE-02)."""
    alone = png(boards[number][-1])
    for board in boards[GAMES[0]] + boards[GAMES[1]]:
        png(board)
    assert png(boards[number][-1]) == alone


@pytest.mark.parametrize("number", GAMES)
def test_a_piece_is_drawn_once(boards, number, nothing_drawn, drawn):
    """The same picture draws nothing more; another position of the game a part of it."""
    compose(boards[number][1], 600)
    first = drawn.call_count
    compose(boards[number][1], 600)
    assert drawn.call_count == first
    compose(boards[number][2], 600)
    assert 0 < drawn.call_count - first < first


def test_the_ground_is_one_piece(boards, nothing_drawn):
    """It changes only when a zone opens."""
    for number in GAMES:
        for board in boards[number]:
            compose(board, 600)
    grounds = {re.search("<svg>.*?</svg>", board)[0] for number in GAMES for board in boards[number]}
    assert composing._ground.cache_info().misses == len(grounds) < 6


@pytest.mark.parametrize("number", GAMES)
def test_every_board_is_composed_at_the_size_it_is_shown(number):
    for kind, view in list(views(number))[::3]:
        compose(board_svg(kind, view, TITLE), 600)


@pytest.mark.parametrize(
    "drawing",
    [
        pytest.param('<ellipse cx="20" cy="20" rx="9" ry="5" fill="#2a2723"/>', id="another-shape"),
        pytest.param(f'<g transform="rotate(45)">{svg.circle(9, 9, 5, "none")}</g>', id="turned"),
        pytest.param('<path d="M0 0L400 400" fill="none"/>', id="a-long-way"),
    ],
)
def test_what_is_not_known_is_drawn_at_once(drawing):
    picture = svg.document(40, 40, "", "#ffffff", drawing)
    with pytest.raises(NotComposed):
        compose(picture, 40)
    shown = Image.open(io.BytesIO(png(picture, 40))).convert("RGB")
    assert max(ImageStat.Stat(ImageChops.difference(shown, at_once(picture, 40))).mean) < 1


def test_letters_that_have_names_in_markup_are_written():
    """A name such as R&B <i> is escaped in the drawing, and none of its letters lost."""
    picture = svg.document(200, 40, "", "#ffffff", svg.text(100, 25, 'R&B <i> "é"', 16, anchor="middle"))
    apart = ImageStat.Stat(ImageChops.difference(at_once(picture, 200), compose(picture, 200)))
    assert max(apart.mean) < 1.5
