"""Charts: a point lies where its number says, whose it is can be told without colours, and all of it can be read."""

import re
from collections.abc import Sequence
from itertools import pairwise
from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st

from service.pictures import palette
from service.pictures.charts import Plot, Series, chart, described, standalone
from service.pictures.charts.drawing import LINES
from service.pictures.charts.plot import WIDTH, Frame, marked_periods, spread, ticks
from service.pictures.palette import PALETTE, PAWNS
from tests.service.pictures.geometry import texts_on_grounds
from tests.service.pictures.positions import SVG
from tests.service.pictures.test_palette import READABLE, SCHEMES, VISIBLE, contrast

NAMES = ("Annie", "Boris", "Cyd", "Dmitri Karamasow the Elder", "Eve")
COLOURS = ("red", "yellow", "black", "purple", "brown")
NUMBERS = st.lists(st.integers(-50, 5_000), min_size=1, max_size=40)


def plot(*values: Sequence[int], kind: str = "line", names: Sequence[str] = NAMES) -> Plot:
    series = [Series(*parts) for parts in zip(names, [it[:1] for it in names], COLOURS, values, strict=False)]
    return Plot("Favor chips", "chips", "Term", range(1, len(values[0]) + 1), series, kind)  # type: ignore[arg-type]


def read(drawing: str) -> ElementTree.Element:
    return ElementTree.fromstring(drawing)


def lines(drawing: ElementTree.Element) -> list[list[tuple[float, float]]]:
    """The lines of the seats, the first seat's first."""
    found = [group.find(f"{SVG}polyline") for group in drawing.iter(f"{SVG}g") if group.get("class") == "series"]
    points = [[tuple(map(float, it.split(","))) for it in line.attrib["points"].split()] for line in found
              if line is not None]  # fmt: skip
    return points[::-1]  # type: ignore[return-value]


GAME = ([2, 5, 8, 18], [1, 4, 5, 10], [3, 9, 10, 10], [6, 8, 15, 26], [2, 5, 5, 9])


def test_a_point_lies_where_its_number_says():
    """By the marks on the axis, which are read from the picture itself."""
    drawing = read(chart(plot(*GAME), "chips"))
    heights = {
        int(text.text or ""): float(text.attrib["y"]) - 4
        for text in drawing.iter(f"{SVG}text")
        if text.get("text-anchor") == "end"
    }
    unit = (heights[0] - heights[max(heights)]) / max(heights)
    columns = {
        int(text.text or ""): float(text.attrib["x"])
        for text in drawing.iter(f"{SVG}text")
        if text.get("text-anchor") == "middle" and (text.text or "").isdigit()
    }
    for points, values in zip(lines(drawing), GAME, strict=True):
        for (x, y), value, period in zip(points, values, (1, 2, 3, 4), strict=True):
            assert y == pytest.approx(heights[0] - value * unit, abs=0.11)
            assert x == pytest.approx(columns[period], abs=0.11)


def test_a_bar_is_as_high_as_its_number_and_says_it():
    drawing = read(chart(plot([2, 0, 4], [1, 3, 2], kind="bars"), "wards"))
    bars = [group.find(f"{SVG}rect") for group in drawing.iter(f"{SVG}g") if group.get("class") == "bars"]
    heights = [float(bar.attrib["height"]) for bar in bars if bar is not None]
    assert len(heights) == 5, "nothing is drawn of 0, but its number"
    assert [height / heights[0] * 2 for height in heights] == pytest.approx([2, 1, 3, 4, 2], abs=0.02)
    written = [text.text for text in drawing.iter(f"{SVG}text") if text.get("font-size") == "9"]
    assert written == ["2", "A", "1", "B", "0", "A", "3", "B", "4", "A", "2", "B"]


def test_seats_differ_by_dash_and_marker_and_have_a_label():
    drawing = read(chart(plot(*GAME), "points"))
    series = [group for group in drawing.iter(f"{SVG}g") if group.get("class") == "series"]
    drawn = [group for group in series if group.find(f"{SVG}polyline") is not None]
    dashes = [group.find(f"{SVG}polyline").get("stroke-dasharray", "") for group in drawn]
    assert len(set(dashes)) == len(GAME)
    shapes = {(list(group)[1].tag, len(list(group)[1].get("points", "").split())) for group in drawn}
    assert len(shapes) == len(GAME)
    texts = [text.text or "" for text in drawing.iter(f"{SVG}text")]
    assert [name for name in ("Annie", "Boris", "Cyd", "Eve") if name not in texts] == []
    assert any(text.startswith("Dmitri") for text in texts)


def test_a_chart_is_a_picture_with_a_name_and_a_description():
    drawing = read(chart(plot(*GAME), "points"))
    assert drawing.get("role") == "img"
    title, about = (drawing.find(f"{SVG}{tag}") for tag in ("title", "desc"))
    assert title is not None
    assert about is not None
    assert (drawing.get("aria-labelledby"), drawing.get("aria-describedby")) == (title.get("id"), about.get("id"))
    assert title.text == "Favor chips"
    assert about.text == described(plot(*GAME))
    assert "Term 1 to 4. At the end: Annie 18, Boris 10, Cyd 10" in about.text


@pytest.mark.slow
@given(st.integers(-1000, 10**9), st.integers(0, 10**9))
def test_ticks_are_round_few_and_hold_all(low, span):
    found = ticks(low, low + span)
    assert found[0] <= low <= low + span <= found[-1]
    assert 2 <= len(found) <= 6
    (step,) = {after - before for before, after in pairwise(found)}
    assert str(step).rstrip("0") in ("1", "2", "5")
    assert all(tick % step == 0 for tick in found)


@pytest.mark.slow
@given(st.lists(st.floats(30, 174), min_size=1, max_size=5))
def test_labels_make_room_for_each_other_in_their_order(wanted):
    found = spread(wanted, 14, 30, 174)
    ordered = sorted(found)
    assert all(after - before > 13.99 for before, after in pairwise(ordered))
    assert 29.9 <= ordered[0] <= ordered[-1] <= 174.1
    for one, other in pairwise(sorted(range(len(wanted)), key=lambda place: (wanted[place], place))):
        assert found[one] < found[other]


def test_of_many_periods_some_are_written():
    assert marked_periods([1, 2, 3, 4]) == [0, 1, 2, 3]
    assert marked_periods(range(25)) == [0, 5, 10, 15, 20]
    assert len(marked_periods(range(1, 301))) <= 11


@pytest.mark.slow
@given(st.lists(st.integers(-20, 500), min_size=1, max_size=30), st.integers(1, 5), st.sampled_from(["line", "bars"]))
def test_everything_lies_within_the_picture(values, seats, kind):
    shown = plot(*[values] * seats, kind=kind, names=["W" * 30] * 5)
    drawing = read(standalone(shown, "points", "Tammany Hall #" + "w" * 40))
    _, _, wide, high = map(float, drawing.attrib["viewBox"].split())
    for text in texts_on_grounds(drawing):
        assert -1 <= text.box.left <= text.box.right <= wide + 1, text
        assert 0 <= text.box.top <= text.box.bottom <= high + 1, text
    frame = Frame(shown, 20)
    assert all(frame.left <= x <= WIDTH for points in lines(drawing) for x, _ in points)


@pytest.mark.parametrize("kind", ["line", "bars"])
def test_wcag_1_4_3_every_text_of_a_chart_can_be_read(kind):
    for text in texts_on_grounds(read(standalone(plot(*GAME, kind=kind), "points", "Tammany Hall"))):
        assert contrast(text.fill, text.ground) >= READABLE, text


@pytest.mark.parametrize("scheme", SCHEMES)
def test_wcag_1_4_11_every_line_can_be_seen_on_paper(scheme):
    ground = getattr(palette.PAPER, scheme)
    seen = {pawn: contrast(getattr(paint, scheme), ground) for pawn, paint in LINES.items()}
    assert {pawn: round(value, 2) for pawn, value in seen.items() if value < VISIBLE} == {}
    assert seen.keys() == PAWNS.keys()


def test_a_chart_on_a_page_names_its_colours_and_one_that_stands_alone_does_not():
    on_page, alone = chart(plot(*GAME), "points"), standalone(plot(*GAME), "points", "Tammany Hall")
    assert "var(" not in alone
    assert set(re.findall(r"var\(--board-([a-z-]+)\)", on_page)) <= PALETTE.keys()
    assert not re.search(r"#[0-9a-f]{6}", on_page)
    for drawing in (on_page, alone):
        assert not re.search(r"<(style|script|image|a)\b|href|style=", drawing)


def test_a_name_is_no_markup():
    named = plot([1, 2], names=['<b>"&'])
    for drawing in (chart(named, "points"), standalone(named, "points", "<i>")):
        assert [text.text for text in read(drawing).iter(f"{SVG}text") if text.text == '<b>"&']
