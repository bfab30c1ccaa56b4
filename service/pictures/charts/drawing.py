"""Charts as shapes: lines told apart by dash, marker and a label at their end, bars by the mark below them."""

from collections.abc import Iterator
from itertools import pairwise
from typing import Final

from service.pictures import font, svg
from service.pictures.charts.plot import HEIGHT, SMALL, TOP, WIDTH, Frame, Plot, Series, marked_periods, spread
from service.pictures.palette import EDGE, GOLD, PAPER, PAWNS, RULE, SOFT, TRACK, Colour

LINES: Final[dict[str, Colour]] = {pawn: fill for pawn, (fill, _) in PAWNS.items()} | {"yellow": GOLD, "black": EDGE}
"""By pawn: the colour of a line on paper. Yellow and black pieces have an edge to be seen by, which a line has not."""
DASHES: Final = ("", "8 5", "1 4.5", "10 4.5 1 4.5", "3.5 4.5")
"""By place among the lines."""
LABEL: Final = 14.0
"""Height of a label at the end of a line."""
ROOM: Final = 84
"""The most that labels get."""
DENSE: Final = 11
"""Units between two markers of a line, at the least."""
TINY: Final = 9
"""Size of the letters at a bar."""
GAP: Final = 0.7
"""Between the bars of two periods, in bars."""
NARROWEST: Final = 8
"""Of a bar: where they would be narrower, lines are drawn."""


def drawn(plot: Plot) -> str:
    """All of a chart but its frame as a document."""
    return _bars(plot) if has_bars(plot) else _lines(plot)


def has_bars(plot: Plot) -> bool:
    """Whether a chart is drawn with bars: where they have room."""
    return plot.kind == "bars" and _bar_width(Frame(plot, 6)) >= NARROWEST


def height(plot: Plot) -> float:
    """How high a chart is: marks below bars need a line of their own."""
    return HEIGHT if has_bars(plot) else HEIGHT - 10


def _bar_width(frame: Frame) -> float:
    return min(22.0, frame.wide / len(frame.plot.periods) / (len(frame.plot.series) + GAP))


def _axes(frame: Frame, places: Iterator[tuple[float, int]], *, down: float = 0) -> str:
    """Grid, numbers and units; `places` are where periods are written, and which, so far `down` as marks need."""
    plot, drawing = frame.plot, ""
    for tick in frame.ticks:
        y = frame.y(tick)
        paint, thick = (TRACK, 1.2) if tick == 0 else (RULE, 0.8)
        drawing += svg.line([(frame.left, y), (frame.left + frame.wide, y)], paint, thick)
        drawing += svg.text(frame.left - 5, y + 4, str(tick), SMALL, anchor="end", fill=SOFT)
    for x, period in places:
        drawing += svg.text(x, frame.base + 15 + down, str(period), SMALL, anchor="middle", fill=SOFT)
    drawing += svg.text(4, 14, plot.unit, SMALL, fill=SOFT, room=WIDTH - 8)
    x = frame.left + frame.wide / 2
    return drawing + svg.text(
        x, frame.base + 28 + down, plot.period, SMALL, anchor="middle", fill=SOFT, room=frame.wide
    )


def _lines(plot: Plot) -> str:
    widest = max(font.width(series.name, SMALL) for series in plot.series)
    frame = Frame(plot, min(ROOM, widest + 20))
    drawing = _axes(frame, ((frame.x(place), plot.periods[place]) for place in marked_periods(plot.periods)))
    for number, series in reversed(list(enumerate(plot.series))):  # the first seat on top
        drawing += svg.group(_line(frame, series, number), kind="series")
    ends = [frame.y(series.values[-1]) for series in plot.series]
    heights = spread(ends, LABEL, TOP, frame.base)
    for number, (series, y, end) in enumerate(zip(plot.series, heights, ends, strict=True)):
        drawing += _label(frame, series, number, y, end)
    return drawing


def _line(frame: Frame, series: Series, number: int) -> str:
    points = [(frame.x(place), frame.y(value)) for place, value in enumerate(series.values)]
    paint = LINES[series.pawn]
    drawing = svg.line(points, paint, 2.2, dashes=DASHES[number % len(DASHES)])
    steps = [right[0] - left[0] for left, right in pairwise(points)]
    every = max(1, round(DENSE / min(steps, default=DENSE)))
    shown = points[::-1][::every]
    return drawing + "".join(marker(number, x, y, paint) for x, y in shown)


def _label(frame: Frame, series: Series, number: int, y: float, end: float) -> str:
    """The marker and the name of a line beside its end, with a thin line there where it had to make room."""
    x = frame.left + frame.wide + 6
    lead = svg.line([(frame.x(len(series.values) - 1) + 4, end), (x - 3, y)], RULE, 0.8) if abs(y - end) > 1 else ""
    sample = svg.group(marker(number, x + 2, y, LINES[series.pawn]), kind="series")
    return lead + sample + svg.text(x + 9, y + 4, series.name, SMALL, room=WIDTH - x - 10)


def marker(number: int, x: float, y: float, paint: Colour) -> str:
    """The sign of a line by its place among them: disc, square, triangle, diamond, cross."""
    match number % 5:
        case 0:
            return svg.circle(x, y, 3.6, paint, stroke=PAPER)
        case 1:
            return svg.rect(x - 3.3, y - 3.3, 6.6, 6.6, paint, stroke=PAPER)
        case 2:
            return svg.polygon([(x, y - 4.4), (x + 4.2, y + 3.2), (x - 4.2, y + 3.2)], paint, stroke=PAPER)
        case 3:
            return svg.polygon([(x, y - 4.8), (x + 4.8, y), (x, y + 4.8), (x - 4.8, y)], paint, stroke=PAPER)
        case _:
            a, b = 1.3, 4.2
            corners = [(-a, -b), (a, -b), (a, -a), (b, -a), (b, a), (a, a), (a, b), (-a, b), (-a, a), (-b, a), (-b, -a),
                       (-a, -a)]  # fmt: skip
            return svg.polygon([(x + dx, y + dy) for dx, dy in corners], paint, stroke=PAPER)


def _bars(plot: Plot) -> str:
    frame = Frame(plot, 6)
    places = ((frame.middle(place), plot.periods[place]) for place in range(len(plot.periods)))
    drawing = _axes(frame, places, down=10)
    wide = _bar_width(frame)
    for place in range(len(plot.periods)):
        begin = frame.middle(place) - wide * len(plot.series) / 2
        for number, series in enumerate(plot.series):
            drawing += _bar(frame, series, place, begin + number * wide, wide)
    return drawing


def _bar(frame: Frame, series: Series, place: int, x: float, wide: float) -> str:
    value, middle = series.values[place], x + wide / 2
    top, foot = frame.y(max(value, 0)), frame.y(min(value, 0))
    bar = svg.rect(x + 1, top, wide - 2, foot - top, PAWNS[series.pawn][0], stroke=EDGE, thick=0.8)
    number = svg.text(middle, top - 3, str(value), TINY, anchor="middle")
    short = len(series.mark) == 1
    mark = svg.text(
        middle, frame.base + 10, series.mark, TINY if short else 8, bold=short, anchor="middle", room=wide + 3
    )  # fmt: skip
    return (svg.group(bar, kind="bars") if value else "") + number + mark
