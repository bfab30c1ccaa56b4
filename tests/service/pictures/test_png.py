"""Pictures as PNG: small, opaque, bare, and the pixels are those that were drawn."""

import io
import re
import struct
import time
import zlib

import pytest
from PIL import Image

from service.pictures import WIDTH, board_svg, font, png, svg
from service.pictures.composing import render
from tests.service.pictures.positions import NAMES, game, seen

pytestmark = pytest.mark.slow

SIGNATURE = b"\x89PNG\r\n\x1a\n"


def chunks(file):
    assert file.startswith(SIGNATURE)
    at = len(SIGNATURE)
    while at < len(file):
        size, kind = struct.unpack_from(">L4s", file, at)
        body = file[at + 8 : at + 8 + size]
        assert struct.unpack_from(">L", file, at + 8 + size) == (zlib.crc32(kind + body),)
        yield kind, body
        at += 12 + size


def picture(number=2, **about):
    """A board with much on it."""
    rules, found = game(number)
    state = next(it for it in found if all(getattr(it, name) == value for name, value in about.items()))
    return board_svg(rules.kind, seen(rules, state, 0, NAMES), "A game")


@pytest.fixture(scope="module")
def boards():
    """A map in the middle of an election, and a city at its end."""
    return [picture(phase="bid", year=8), picture(5, phase="over")]


def pixels(file):
    """Every pixel of a file as red, green and blue, by rows."""
    with Image.open(io.BytesIO(bytes(file))) as image:
        wide, _ = image.size
        flat = image.convert("RGB").tobytes()
    triples = list(zip(flat[::3], flat[1::3], flat[2::3], strict=True))
    return [triples[at : at + wide] for at in range(0, len(triples), wide)]


colours = pixels


def test_out_30_a_file_holds_the_picture_and_nothing_else(boards):
    """No text, no time, no resolution, no transparency; the last two words of IHDR: palette, 8 bits."""
    for source in boards:
        parts = list(chunks(png(source)))
        assert [kind for kind, _ in parts] == [b"IHDR", b"PLTE", b"IDAT", b"IEND"]
        wide, high, *form = struct.unpack(">LLBBBBB", parts[0][1])
        assert (wide, form) == (WIDTH, [8, 3, 0, 0, 0])
        assert high == round(float(re.search(r'height="(\S+)"', source)[1]))


def test_out_02_a_picture_is_small_enough_for_a_mail(boards):
    for source in boards:
        assert len(png(source)) < 60_000


def test_a_picture_is_drawn_in_the_time_a_mail_has(boards):
    start = time.process_time()
    png(boards[0], 599)
    assert time.process_time() - start < 1.5


def test_the_same_picture_gives_the_same_bytes(boards):
    assert png(boards[0]) == png(boards[0])


def test_text_is_really_drawn_and_in_both_weights():
    """A renderer without the font drops text in silence: the sheet without text is white, with it dark, bold darker."""
    words = {bold: svg.text(10, 40, "Ward 14 Łódź Αθήνα Москва ★ →", 20, bold=bold) for bold in (False, True)}
    dark = {
        bold: sum(
            1 for row in colours(png(svg.document(400, 60, "", "#ffffff", text))) for pixel in row if sum(pixel) < 300
        )
        for bold, text in words.items()
    }
    empty = colours(png(svg.document(400, 60, "", "#ffffff", "")))
    assert {pixel for row in empty for pixel in row} == {(255, 255, 255)}
    assert dark[False] > 400
    assert dark[True] > 1.3 * dark[False]


@pytest.mark.parametrize("letter", ["W", "ж", "Ω", "…", "·", "×", "ş", "€"])
def test_every_kind_of_letter_has_a_shape(letter):
    drawn = pixels(render(svg.document(60, 60, "", "#ffffff", svg.text(10, 40, letter, 36)), 60))
    tofu = pixels(render(svg.document(60, 60, "", "#ffffff", ""), 60))
    assert drawn != tofu
    assert font.covers(letter)


def test_a_texts_width_is_the_one_that_is_drawn():
    """What is cut to a room stays in it: the last dark column is where the widths say."""
    for text, bold in (("Health Commissioner", False), ("boris-the-great", True), ("Москва Αθήνα", False)):
        rows = pixels(render(svg.document(400, 40, "", "#ffffff", svg.text(10, 28, text, 16, bold=bold)), 400))
        inked = [x for row in rows for x, pixel in enumerate(row) if pixel != rows[0][0]]
        assert abs(max(inked) - 10 - font.width(text, 16, bold=bold)) < 4


def test_texts_are_fitted_and_wrapped_to_their_room():
    assert font.fitted("Deputy Mayor", 200, 13) == "Deputy Mayor"
    cut = font.fitted("Deputy Mayor", 60, 13)
    assert cut.endswith("…")
    assert 40 < font.width(cut, 13) <= 60
    lines = font.wrapped("one two three four five", 60, 13)
    assert " ".join(lines) == "one two three four five"
    assert len(lines) > 1
    assert all(font.width(line, 13) <= 60 for line in lines)
    assert font.wrapped("", 60, 13) == []


def test_a_pictures_colours_are_those_that_were_drawn(boards):
    """Ground and flat shapes nearly, the edges of letters roughly."""
    true = [pixel for row in pixels(render(boards[0], 300)) for pixel in row]
    shown = [pixel for row in colours(png(boards[0], 300)) for pixel in row]
    far = [max(abs(a - b) for a, b in zip(one, other, strict=True)) for one, other in zip(true, shown, strict=True)]
    assert sum(distance <= 8 for distance in far) / len(far) > 0.95
    assert max(far) < 90
