"""The page of a game that is over: standings, charts, bids, turning points, time."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import groupby
from typing import Any, Final

from domain.engine.sentences import Sentence, say, say_n
from domain.engine.statistics import LeadChange, Statistics
from service.games.analysis_text import points
from service.games.reader_view import ReaderView
from service.games.statistics.document import document
from service.games.statistics.numbers import lead_text, numbers, tie_text
from service.kernel.clock import SECOND
from service.languages.time_text import left_words
from service.web.results import plots
from service.web.results.plots import Chart, Player

MOST_CHANGES: Final = 8
"""Changes of the lead that a page lists: of more, those that lasted longest."""


@dataclass(frozen=True, slots=True)
class Bid:
    """What one bid was worth, in words: `verdict` is a class, `judged` says it."""

    player: Player
    won: bool
    paid: int
    needed: int
    verdict: str
    judged: str


@dataclass(frozen=True, slots=True)
class Prize:
    """What was bid for, and the bids; the winner first."""

    name: str
    version: int
    bids: Sequence[Bid]


@dataclass(frozen=True, slots=True)
class Period:
    """The bids of a term or round; `free` are those without a rival, as "Ward 5: Ann"."""

    name: str
    prizes: Sequence[Prize]
    free: Sequence[str]


@dataclass(frozen=True, slots=True)
class Sum:
    """What the contested bids of a seat came to."""

    player: Player
    won: int
    lost: int
    paid: int
    wasted: int
    in_reach: int
    """Bids lost that the seat could have won with what it had."""


@dataclass(frozen=True, slots=True)
class Turn:
    """Where the lead changed."""

    version: int
    part: str
    told: str
    standing: Sequence[tuple[Player, int, bool]]


@dataclass(frozen=True, slots=True)
class Jump:
    """Where the chances of a seat jumped."""

    version: int
    part: str
    player: Player
    change: str
    told: str
    by_chance: bool
    is_good: bool


@dataclass(frozen=True, slots=True)
class Time:
    """How long a seat took."""

    player: Player
    answers: int
    mean: str
    longest: str
    missed: int


class Report:
    """All of it, as one reader sees it."""

    def __init__(self, view: ReaderView, count: Statistics[Any]) -> None:
        self.view = view
        self.count = count
        self.numbers = numbers(view.services, view.connection, view.head, count)
        self.shown = document(self.numbers, view.words_with_names)

    @cached_property
    def players(self) -> list[Player]:
        return plots.players(self.view, self.view.names)

    @property
    def standings(self) -> list[dict[str, Any]]:
        return [standing | {"who": self.players[standing["seat"]]} for standing in self.shown["standings"]]

    @property
    def tie(self) -> str:
        """Return what broke a tie for victory, or that it was shared; "" for neither."""
        return self._say(tie_text(self.numbers.standings))

    @property
    def tie_rule(self) -> str:
        return self.count.tie_rule

    @cached_property
    def charts(self) -> list[Chart]:
        found = (plots.chart(self.view, self.shown, chart["name"]) for chart in self.shown["charts"])
        return [chart for chart in found if chart is not None]

    @property
    def period_name(self) -> str:
        return self._say(self.count.period_name)

    @cached_property
    def periods(self) -> list[Period]:
        """The bids period by period."""
        rows, unit = self.shown["bids"]["rows"], self.shown["unit"]
        return [self._period(number, list(of_period)) for number, of_period in groupby(rows, lambda bid: bid[unit])]

    @cached_property
    def sums(self) -> list[Sum]:
        """What the bids of each seat came to; nobody where there was no bid."""
        bids = [bid for bid in self.shown["bids"]["rows"] if bid["contested"]]
        of_seats = [(player, [bid for bid in bids if bid["seat"] == player.seat]) for player in self.players]
        return [_sum(player, theirs) for player, theirs in of_seats] if bids else []

    @property
    def bid_terms(self) -> dict[str, str]:
        return dict(self.shown["bids"]["columns"])

    @cached_property
    def turns(self) -> list[Turn]:
        """Where the lead changed: of many changes those that lasted longest, in their order."""
        changes = self.numbers.lead
        ends = [*(change.version for change in changes[1:]), self.view.head.version]
        lasted = {change.version: end - change.version for change, end in zip(changes, ends, strict=False)}
        kept = sorted(lasted, key=lambda version: -lasted[version])[:MOST_CHANGES]
        return [self._turn(change) for change in changes if change.version in kept]

    @property
    def shorter(self) -> int:
        """How many changes of the lead are not listed."""
        return len(self.numbers.lead) - len(self.turns)

    @property
    def measure(self) -> str:
        return str(self.shown["lead"]["measure"])

    @cached_property
    def jumps(self) -> list[Jump]:
        chances = self.shown["chances"] or {"jumps": []}
        return [
            Jump(
                jump["version"],
                jump["part"],
                self.players[jump["seat"]],
                self._say(points(jump["after"] - jump["before"])),
                jump["text"],
                by_chance=jump["by"] == "draw",
                is_good=jump["after"] > jump["before"],
            )
            for jump in chances["jumps"]
        ]

    @property
    def luck(self) -> list[tuple[Player, str]]:
        """What the draws brought each seat, by the analysis; nobody where none tells of a draw."""
        luck = (self.shown["chances"] or {"luck": []})["luck"]
        if not any(seat["change"] for seat in luck):
            return []
        return [(self.players[seat["seat"]], self._say(points(seat["change"]))) for seat in luck]

    @property
    def strength(self) -> int | None:
        """Of the analysis that tells of chances."""
        return None if self.shown["chances"] is None else int(self.shown["chances"]["strength"])

    @property
    def times(self) -> list[Time]:
        return [
            Time(
                self.players[seat["seat"]],
                seat["answers"],
                self._span(seat["mean"]),
                self._span(seat["longest"]),
                seat["missed"],
            )
            for seat in self.shown["clock"]
            if seat["answers"] or seat["missed"]
        ]

    def _period(self, number: int, rows: list[dict[str, Any]]) -> Period:
        name = f"{self.period_name} {number}"
        prizes = [
            Prize(bids[0]["prize"], version, sorted(map(self._bid, bids), key=lambda bid: (not bid.won, -bid.paid)))
            for version, of_prize in groupby(rows, lambda bid: bid["version"])
            for bids in [list(of_prize)]
            if bids[0]["contested"]
        ]
        free = [f"{bid['prize']}: {bid['player']}" for bid in rows if not bid["contested"]]
        return Period(name, prizes, free)

    def _bid(self, bid: dict[str, Any]) -> Bid:
        verdict, judged = _judged(bid)
        return Bid(self.players[bid["seat"]], bid["won"], bid["paid"], bid["needed"], verdict, self._say(judged))

    def _turn(self, change: LeadChange) -> Turn:
        told = self._say(lead_text(change, [player.name for player in self.players]))
        standing = [
            (player, points, seat in change.after)
            for seat, (player, points) in enumerate(zip(self.players, change.standing, strict=True))
        ]
        return Turn(change.version, f"{self.period_name} {change.period}", told, standing)

    def _span(self, seconds: int | None) -> str:
        return "–" if seconds is None else self._say(left_words(seconds * SECOND))

    def _say(self, text: Sentence | str) -> str:
        return self.view.words_with_names(text)


def _sum(player: Player, bids: Sequence[dict[str, Any]]) -> Sum:
    """What these bids of a player came to."""
    return Sum(
        player,
        won=sum(bid["won"] for bid in bids),
        lost=sum(not bid["won"] for bid in bids),
        paid=sum(bid["paid"] for bid in bids),
        wasted=sum(bid["wasted"] for bid in bids),
        in_reach=sum(not bid["won"] and bid["needed"] <= bid["most"] for bid in bids),
    )


def _judged(bid: dict[str, Any]) -> tuple[str, Sentence]:
    """What a bid was worth in a few words, and how that looks."""
    if bid["won"] and bid["wasted"]:
        return "over", say_n("{count} too many", "{count} too many", bid["wasted"])
    if bid["won"]:
        return "exact", say("just enough")
    if bid["short"] == 0:
        return "under", say("as high, not taken")
    short = say_n("{count} short", "{count} short", bid["short"])
    if bid["needed"] > bid["most"]:
        return "under", say("{short}, out of reach", short=short)
    return "near", say("{short}, within reach", short=short)


def running_promise(view: ReaderView) -> Iterator[str]:
    """What the page will show once the game is over."""
    count = view.head.rules.presentation.statistics
    for chart in () if count is None else count.charts:
        yield view.words(chart.title)
