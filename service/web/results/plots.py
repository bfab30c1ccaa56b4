"""The charts of a game: plots for pictures, and the same numbers as tables."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from markupsafe import Markup

from service.games.reader_view import ReaderView
from service.pictures import charts, font
from service.pictures.charts import Plot, Series
from service.pictures.people import marks


@dataclass(frozen=True, slots=True)
class Player:
    """A seat in tables: the name, and the mark and the pawn that pictures have."""

    seat: int
    name: str
    mark: str
    pawn: str


@dataclass(frozen=True, slots=True)
class Chart:
    """A chart with its table: for each period, the numbers by seat."""

    name: str
    title: str
    unit: str
    drawn: Markup
    rows: Sequence[tuple[int, Sequence[int]]]


def players(view: ReaderView, names: Sequence[str]) -> list[Player]:
    """The seats, with the marks that their pieces have."""
    pawns = view.head.rules.notation.pawns
    return [Player(seat, *parts) for seat, parts in enumerate(zip(names, marks(names, pawns), pawns, strict=False))]


def plot(view: ReaderView, shown: dict[str, Any], name: str) -> Plot | None:
    """The plot of a chart, None where there is no such chart, or nothing to be drawn."""
    chart = next((chart for chart in shown["charts"] if chart["name"] == name), None)
    if chart is None or not shown["rows"]:
        return None
    seats = players(view, [str(row["player"]) for row in shown["rows"] if row[shown["unit"]] == _first(shown)])
    series = [
        Series(_drawable(player), player.mark, player.pawn, _column(shown, player.seat, chart["column"]))
        for player in seats
    ]
    count = view.head.rules.presentation.statistics
    assert count is not None, "a game with charts is counted"
    periods = [row[shown["unit"]] for row in shown["rows"] if row["seat"] == 0]
    return Plot(chart["title"], chart["unit"], view.words(count.period_name), periods, series, chart["kind"])


def chart(view: ReaderView, shown: dict[str, Any], name: str) -> Chart | None:
    """A chart as the page shows it."""
    found = plot(view, shown, name)
    if found is None:
        return None
    drawn = Markup(charts.chart(found, name, view.words))  # noqa: S704 - every text in it is escaped
    columns = zip(*(series.values for series in found.series), strict=True)
    return Chart(name, found.title, found.unit, drawn, list(zip(found.periods, columns, strict=True)))


def _first(shown: dict[str, Any]) -> Any:
    return shown["rows"][0][shown["unit"]]


def _column(shown: dict[str, Any], seat: int, column: str) -> list[int]:
    return [row[column] for row in shown["rows"] if row["seat"] == seat]


def _drawable(player: Player) -> str:
    """A name as pictures can write it; the pawn where the font has not all its letters."""
    return player.name if font.covers(player.name) and player.name.strip() else player.pawn.capitalize()
