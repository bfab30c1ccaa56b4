"""Fold the clock of a game from its history: the questions, their deadlines, and what moved these.

A request may set or move deadlines. Then its last event carries them in its data, as `due`. They need not be of the
seats of that event. A question is due after the time of a move and what is left in the bank, by `GameOpened.clock`. The
caretaker acts after the grace, which is not in `due`. `DeadlineMoved` is recorded only if nothing else happens. Zone,
nights and leave of a person are not in the history (DESIGN 7).
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from domain.engine.game import NOBODY, Event, Seat
from domain.table import events as e
from domain.table.evolve import Rules, apply
from domain.table.state import Table
from domain.table.undo import NOT_OF_THE_GAME, Past

MOVE_ALL = (e.DeadlineMoved, e.ClockPaused, e.ClockResumed, e.TimeExtended)
"""Events that move deadlines of questions that go on."""
CHANGES_SEATS = (e.SeatVacated, e.SeatTakenOver, e.SeatTakenByBot)
"""Events that are no moves and yet may change the question of a seat."""


def open_decisions(table: Table, rules: Rules) -> dict[Seat, str]:
    """Return who is asked for an answer at this table, people and bots, and for what decision."""
    if table.status != "running":
        return {}
    decision = rules.decider.decision(table.game)
    return dict.fromkeys(rules.decider.awaiting(table.game), decision)


def owed_decisions(table: Table, rules: Rules) -> dict[Seat, str]:
    """Return the same for people alone. Chance is not a seat, and a bot that is asked thinks and has no deadline."""
    asked = open_decisions(table, rules)
    return {seat: decision for seat, decision in asked.items() if seat >= 0 and not table.chairs[seat].thinks}


@dataclass(frozen=True, slots=True)
class Told:
    """A deadline as an event told it, None while the clock stands. `by` is the event of the request that moved it."""

    version: int
    at: str
    due: str | None
    by: Event | None = None


@dataclass(slots=True)
class Question:
    """A question to a seat, asked since event `since`, with the deadlines that were told.

    `bank` is the seconds left in the bank then; it is None if the bank is full. `ended` is the last event of the
    request that ended the question. `earlier` is the question as it was asked before, if its player took the answer
    back alone.
    """

    seat: Seat
    decision: str
    since: int
    at: str
    player: str | None
    bank: int | None
    told: list[Told] = field(default_factory=list)
    ended: int = 0
    earlier: "Question | None" = None

    @property
    def due(self) -> str | None:
        """Return the deadline told last; None while the clock stands, or if none was told yet."""
        return self.told[-1].due if self.told else None

    @property
    def began(self) -> str:
        """Return the time at which it was asked first."""
        return self.earlier.began if self.earlier else self.at


@dataclass(frozen=True, slots=True)
class Missed:
    """A deadline that passed with event `version`, and what came of it.

    `strikes` are the deadlines missed in a row. If the table `waits`, its clock stands until the seat answers.
    """

    version: int
    at: str
    question: Question
    due: str | None
    strikes: int
    waits: bool
    vacant: bool


class ClockFold:
    """The questions of a game, folded event by event: `asked` now by seat, `over`, and `missed`.

    `table` and `events` hold as much of the game as the caller may know.
    """

    def __init__(self, rules: Rules) -> None:
        self.rules = rules
        self.table = Table()
        self.events: list[Event] = []
        self.asked: dict[Seat, Question] = {}
        self.over: list[Question] = []
        self.missed: list[Missed] = []
        self._request: list[Past] = []

    def add(self, entry: Past) -> None:
        """Fold one event. If another request caused it, the one before it is complete."""
        if self._request and self._request[-1].cause != entry.cause:
            self.end_request()
        apply(self.table, self.rules, entry.event, self.events)
        self.events.append(entry.event)
        self._request.append(entry)

    def end_request(self) -> None:
        """Note which questions the last request ended, asked and moved."""
        if not self._request:
            return
        last, request = self._request[-1], [entry.event for entry in self._request]
        for entry in self._request:  # first, for what comes below ends the question
            if isinstance(entry.event, e.TurnExpired):
                self.missed.append(self._missed(entry, entry.event, request))
        self._request = []
        now = owed_decisions(self.table, self.rules)
        for seat, question in list(self.asked.items()):
            if now.get(seat) != question.decision:
                question.ended = last.version
                self.over.append(self.asked.pop(seat))
        moved_all = next((event for event in reversed(request) if isinstance(event, MOVE_ALL)), None)
        back = next((event for event in request if isinstance(event, e.Rewound)), None)
        for seat, decision in now.items():
            if seat not in self.asked:
                chair = self.table.chairs[seat]
                self.asked[seat] = Question(seat, decision, last.version, last.at, chair.player, chair.bank)
                if back is not None and back.seat == seat and not back.agreed:
                    self.asked[seat].earlier = self.asked_before(seat, decision)
        for key, due in (last.due or {}).items():
            if (asked := self.asked.get(int(key))) is not None:
                by = moved_all if asked.told else back if asked.earlier else None
                asked.told.append(Told(last.version, last.at, due, by))

    def _missed(self, entry: Past, event: e.TurnExpired, request: Sequence[Event]) -> Missed:
        """Return the deadline that passed. In a forged history nobody was asked."""
        seat = event.seat
        question = self.asked.get(seat) or Question(seat, event.decision, 0, entry.at, None, None)
        vacant = any(isinstance(other, e.SeatVacated) and other.seat == seat for other in request)
        waits = any(isinstance(other, e.ClockPaused) for other in request)
        return Missed(entry.version, entry.at, question, question.due, event.strikes, waits, vacant)

    def asked_before(self, seat: Seat, decision: str) -> Question | None:
        """Return the last question about this decision that the seat was asked before."""
        same = (question for question in reversed(self.over) if (question.seat, question.decision) == (seat, decision))
        return next(same, None)

    def latest_told(self, seat: Seat, decision: str) -> str | None:
        """Return the latest deadline that this seat was told for this decision: none may be earlier (DESIGN 7)."""
        questions = [*self.over, *self.asked.values()]
        mine = [question for question in questions if (question.seat, question.decision) == (seat, decision)]
        return max((told.due for question in mine for told in question.told if told.due), default=None)


def fold_clock(rules: Rules, past: Iterable[Past]) -> ClockFold:
    """Fold the clock of a whole history, or of its beginning."""
    clock = ClockFold(rules)
    for entry in past:
        clock.add(entry)
    clock.end_request()
    return clock


def is_fresh(since: Iterable[Past], seat: Seat | None, *, consents: bool = False) -> bool:
    """Return whether the events after a version leave what a seat is asked and may answer as it was.

    Events of the clock, proposals, and what others seal or order ahead change nothing of it. A seat that `consents`
    answers a proposal: for it only deadlines that moved change nothing.
    """
    if consents:
        return all(isinstance(entry.event, e.DeadlineMoved) for entry in since)
    return all(_changes_nothing(entry, seat) for entry in since)


def _changes_nothing(entry: Past, seat: Seat | None) -> bool:
    event, own = entry.event, seat is not None and entry.actor.get("seat") == seat
    if isinstance(event, NOT_OF_THE_GAME):
        ordered = own and isinstance(event, e.OrdersFiled | e.OrdersDropped)
        return not isinstance(event, CHANGES_SEATS) and not ordered
    is_sealed = any(owner != NOBODY for owner in type(event).SEALED.values())
    return is_sealed and not event.OPENS and "seat" in entry.actor and not own
