"""The palette on the numbers of WCAG 2.2, light and dark: texts can be read, boundaries and states can be seen."""

import os
import re
from pathlib import Path

import pytest

from service.pictures import palette
from service.pictures.palette import PALETTE, Colour
from tests.service.pictures.geometry import texts_on_grounds
from tests.service.pictures.positions import drawn, views

STATIC = Path(palette.__file__).parents[1] / "web" / "static"
SCHEMES = ("light", "dark")
READABLE = 4.5
"""Of text against its ground (WCAG 1.4.3)."""
VISIBLE = 3.0
"""Of a boundary or state against what is beside it (WCAG 1.4.11)."""
ON_PAPER = (palette.PAPER, palette.ROW, palette.ASKED)
BOUNDARIES: list[tuple[Colour, tuple[Colour, ...]]] = [
    (palette.EDGE, ON_PAPER),
    (palette.ACCENT, ON_PAPER),
    (palette.GOLD, ON_PAPER),
    (palette.TRACK, ON_PAPER),
    *((pawn, (palette.PAPER,)) for name, (pawn, _) in palette.PAWNS.items() if name not in ("black", "yellow")),
]
"""Lines and states, with the grounds beside them. Black and yellow pieces have their edge instead."""
WRITTEN: list[tuple[Colour, Colour]] = [
    *palette.PAWNS.values(),
    *((ground, text) for ground in ON_PAPER for text in (palette.INK, palette.SOFT, palette.ACCENT)),
]
"""Grounds, with the texts on them."""


def contrast(one: str, other: str) -> float:
    """The contrast of two colours #rrggbb, 1 to 21 (WCAG 2.2, contrast ratio)."""
    dark, light = sorted(map(_luminance, (one, other)))
    return (light + 0.05) / (dark + 0.05)


def _luminance(colour: str) -> float:
    parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return sum(share * part for share, part in zip((0.2126, 0.7152, 0.0722), linear, strict=True))


def test_contrast_is_that_of_the_standard():
    assert contrast("#000000", "#ffffff") == 21
    assert contrast("#ffffff", "#ffffff") == 1
    assert round(contrast("#777777", "#ffffff"), 2) == 4.48


@pytest.mark.parametrize("scheme", SCHEMES)
def test_wcag_1_4_3_whatever_is_written_can_be_read(scheme):
    found = {
        (ground.name, text.name): contrast(getattr(ground, scheme), getattr(text, scheme)) for ground, text in WRITTEN
    }
    assert {pair: round(value, 2) for pair, value in found.items() if value < READABLE} == {}


@pytest.mark.parametrize("scheme", SCHEMES)
def test_wcag_1_4_11_boundaries_and_states_can_be_seen(scheme):
    found = {
        (line.name, beside.name): contrast(getattr(line, scheme), getattr(beside, scheme))
        for line, neighbours in BOUNDARIES
        for beside in neighbours
    }
    assert {pair: round(value, 2) for pair, value in found.items() if value < VISIBLE} == {}


@pytest.mark.slow
@pytest.mark.parametrize("number", range(6))
def test_wcag_1_4_3_every_text_of_a_mails_picture_can_be_read_where_it_stands(number):
    """Computed on the picture itself: each text against the shape that lies under it."""
    for kind, view in views(number):
        for text in texts_on_grounds(drawn(kind, view)):
            assert contrast(text.fill, text.ground) >= READABLE, text


def test_a_picture_that_stands_alone_names_no_colour():
    named = '<g fill="var(--board-ink)" stroke="var(--board-on-pawn-red)"/>'
    assert palette.write_light(named) == '<g fill="#2a2723" stroke="#ffffff"/>'
    words = "a fill=&quot;var(--board-ink)&quot; of words"
    assert palette.write_light(words) == words


def test_the_stylesheet_of_the_pages_holds_the_palette():
    written = STATIC / "palette.css"
    if os.environ.get("WARDROOM_GOLDEN") == "write":
        written.write_text(palette.stylesheet())
    assert written.read_text() == palette.stylesheet()


def test_a_colour_has_its_values_in_one_stylesheet_alone():
    for sheet in STATIC.glob("*.css"):
        given = sheet.read_text().replace(" ", "")
        assert sheet.name == "palette.css" or not [name for name in PALETTE if f"--board-{name}:" in given], sheet.name


ON_PAGES = [
    *((ground, text) for ground in ("closed", "lot", "tag", "card") for text in ("ink", "soft")),
    ("land", "ink"), ("isle", "ink"),
    ("lot", "money"), ("lot", "line"), ("turn", "on-turn"), ("act", "on-act"), ("bar", "on-bar"), ("asked", "ink"),
    ("card", "bad"), ("card", "link"), ("table", "ink"), ("table", "soft"), ("table", "link"), ("table", "bad"),
]  # fmt: skip
"""Grounds of pages and of their boards, with the texts on them."""


@pytest.mark.parametrize("scheme", SCHEMES)
def test_wcag_1_4_3_texts_of_pages_and_of_their_boards_can_be_read(scheme):
    value = {}
    for sheet in ("tokens.css", "board.css"):
        light, _, dark = (STATIC / sheet).read_text().partition("prefers-color-scheme: dark")
        for part in (light, dark) if scheme == "dark" else (light,):
            value |= dict(re.findall(r"--([a-z-]+): (#[0-9a-f]{6}|#fff);", part))
    full = {name: "#ffffff" if colour == "#fff" else colour for name, colour in value.items()}
    found = {pair: contrast(full[pair[0]], full[pair[1]]) for pair in ON_PAGES}
    assert {pair: round(ratio, 2) for pair, ratio in found.items() if ratio < READABLE} == {}
