"""What the teacher found about one seat of a game, as its page shows it."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final

from domain.engine.game import Seat
from domain.engine.sentences import Sentence, say, typed, unpack
from domain.teacher.findings import JudgedDecision, Verdict
from domain.teacher.summary import SeatSummary, summary
from service.games.analyses import Asked
from service.games.analysis_text import (
    VERDICTS,
    headline,
    is_telling,
    percent,
    shown_move,
    standing,
    told_bid,
    told_draws,
)
from service.games.history_queries import past
from service.games.reader_view import ReaderView
from service.pictures import has_drawing
from service.pictures.page import page_board, page_people

BY_ORDERS: Final = say("as ordered ahead")


@dataclass(frozen=True, slots=True)
class Better:
    """A move that could have been made."""

    move: str
    value: str
    why: str


@dataclass(frozen=True, slots=True)
class Moment:
    """One decision. `kept` and `lost` are hundredths, for its bar."""

    version: int
    part: str
    move: str
    remark: str
    verdict: Verdict
    judged: str
    before: str
    after: str
    standing: str
    kept: int
    lost: int
    why: str
    better: Sequence[Better]


@dataclass(frozen=True, slots=True)
class Scene:
    """The position in which a decision was asked: a picture where the game has drawings, and words."""

    moment: Moment
    picture: str
    words: str


@dataclass(frozen=True)
class Lesson:
    """An analysis that is done, looked at for one seat, with one decision perhaps looked at closely."""

    view: ReaderView
    asked: Asked
    seat: Seat
    version: int

    @cached_property
    def summary(self) -> SeatSummary:
        return summary(self.asked.findings, [self.seat])[0]

    @cached_property
    def moments(self) -> list[Moment]:
        """The decisions of the seat."""
        found = self.asked.findings
        decisions = [finding for finding in found if isinstance(finding, JudgedDecision)]
        return [self._moment(decision) for decision in decisions if decision.seat == self.seat]

    @cached_property
    def worst(self) -> list[Moment]:
        """The decisions that lost most, the worst first."""
        return [self._moment(decision) for decision in self.summary.worst]

    @property
    def headline(self) -> str:
        return self._say(headline(self.summary))

    @cached_property
    def draws(self) -> list[str]:
        """The luckiest draw, and the unluckiest."""
        return [self._say(told) for told in told_draws(self.summary)]

    @cached_property
    def bids(self) -> list[str]:
        """What each sealed bid was worth."""
        return [self._say(told_bid(bid)) for bid in self.summary.bids if is_telling(bid)]

    @cached_property
    def scene(self) -> Scene | None:
        """The decision that is looked at closely, if there is such a one."""
        moment = next((moment for moment in self.moments if moment.version == self.version), None)
        view = self.view
        then = past(view.services, view.connection, view.head, self.seat, self.version) if moment else None
        document = None if then is None else view.document_of(then.table)
        if moment is None or document is None:
            return None
        words = view.head.rules.presentation.board(document, view.words)
        if not has_drawing(view.kind):
            return Scene(moment, "", words)
        return Scene(moment, page_board(view.kind, document, page_people(view.kind, document), view.words), words)

    def _moment(self, decision: JudgedDecision) -> Moment:
        after, seats = decision.best - decision.loss, len(self.view.names)
        return Moment(
            version=decision.version,
            part=self._say(unpack(decision.part)),
            move=shown_move(decision.played),
            remark=self._say(BY_ORDERS) if decision.by == "orders" else "",
            verdict=decision.verdict,
            judged=self._say(VERDICTS[decision.verdict]),
            before=self._say(percent(decision.best)),
            after=self._say(percent(after)),
            standing=self._say(standing(after, seats)),
            kept=round(100 * after),
            lost=round(100 * decision.best) - round(100 * after),
            why=self._say(unpack(decision.played.why) or ""),
            better=[
                Better(shown_move(line), self._say(percent(line.value)), self._say(unpack(line.why) or ""))
                for line in (decision.lines if decision.loss else ())
            ],
        )

    def _say(self, text: Sentence | str) -> str:
        return self.view.words_with_names(text)


def pawns_of(view: ReaderView) -> list[str]:
    """The seats by their pawns, as the reader would type them: what moves in the notation call them."""
    return [view.words(typed(pawn)) for pawn in view.head.rules.notation.pawns[: len(view.names)]]
