"""Charts: the numbers of a game as pictures, in the colours and letters of the boards.

On a page they name their colours; a picture that stands alone has the light ones, a heading, and who is who.
"""

from typing import Final
from xml.sax.saxutils import escape, quoteattr

from domain.engine.sentences import Words, row, say
from service.pictures import font, palette, svg
from service.pictures.charts.drawing import drawn, has_bars, height
from service.pictures.charts.plot import WIDTH, Plot, Series
from service.pictures.palette import INK, PAPER, PAWNS, SOFT

__all__ = ["Plot", "Series", "chart", "described", "standalone"]

SCALE: Final = 2
"""How much larger a picture is that stands alone."""


def described(plot: Plot, words: Words = str) -> str:
    """A chart in a sentence or two, for those who cannot see it: how far it goes, and how it ends."""
    ends = [f"{series.name} {series.values[-1]}" for series in plot.series]
    return words(
        say(
            "{period} {first} to {last}. At the end: {numbers}. All numbers are in the table.",
            period=plot.period, first=plot.periods[0], last=plot.periods[-1], numbers=row(ends, ", "),
        )
    )  # fmt: skip


def chart(plot: Plot, name: str, words: Words = str) -> str:
    """A chart as an `<svg>` to be set into a page; `name` makes its ids its own."""
    ground = svg.rect(0, 0, WIDTH, height(plot), PAPER, r=4)
    return _opened(plot, name, words, WIDTH, height(plot)) + ground + drawn(plot) + "</svg>"


def standalone(plot: Plot, name: str, heading: str, words: Words = str) -> str:
    """A chart as a picture of its own: below the name of its game and its title, with who is who where bars have marks
    alone."""
    top = [heading, *font.wrapped(font.drawable(plot.title), WIDTH - 16, 14, bold=True)]
    legend = _legend(plot) if has_bars(plot) else []
    high = 8 + 18 * len(top) + height(plot) + 18 * len(legend) + 4
    drawing = svg.rect(0, 0, WIDTH, high, PAPER)
    for place, line in enumerate(top):
        first = place == 0
        drawing += svg.text(8, 20 + 18 * place, line, 11 if first else 14, bold=not first, fill=SOFT if first else INK,
                            room=WIDTH - 16)  # fmt: skip
    drawing += svg.moved(0, 8 + 18 * len(top), drawn(plot))
    for place, line in enumerate(legend):
        drawing += svg.moved(0, 8 + 18 * len(top) + height(plot) + 18 * place, line)
    opened = _opened(plot, name, words, WIDTH, high, SCALE)
    return palette.write_light(f"{opened}{drawing}</svg>\n")


def _legend(plot: Plot) -> list[str]:
    """Who is who, in as many rows as names need."""
    rows, x = [""], 8.0
    for series in plot.series:
        name = font.fitted(font.drawable(series.name), 130, 11)
        wide = 24 + font.width(name, 11) + 12
        if x + wide > WIDTH and rows[-1]:
            rows, x = [*rows, ""], 8.0
        fill, on = PAWNS[series.pawn]
        rows[-1] += svg.rect(x, 0, 18, 13, fill, stroke=palette.EDGE, thick=0.8)
        rows[-1] += svg.text(x + 9, 10, series.mark, 9, bold=True, anchor="middle", fill=on)
        rows[-1] += svg.text(x + 23, 10.5, name, 11)
        x += wide
    return rows


def _opened(plot: Plot, name: str, words: Words, wide: float, high: float, scale: int = 0) -> str:
    size = f' width="{wide * scale:g}" height="{high * scale:g}"' if scale else ""
    title, about = f"chart-{name}-title", f"chart-{name}-about"
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" class="chart"{size} viewBox="0 0 {wide:g} {high:g}" role="img" '
        f"aria-labelledby={quoteattr(title)} aria-describedby={quoteattr(about)} "
        f'font-family="{font.FAMILY}, Verdana, sans-serif" fill="{INK}">'
        f"<title id={quoteattr(title)}>{escape(_plain(plot.title))}</title>"
        f"<desc id={quoteattr(about)}>{escape(_plain(described(plot, words)))}</desc>"
    )


def _plain(text: str) -> str:
    return "".join(letter for letter in text if letter.isprintable())
