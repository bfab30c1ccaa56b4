"""A finished game as a course of questions: each decision, draw and opening of bids in what stands of it in the end."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

from domain.audit.comparison import Entry
from domain.engine.draws import draw_key
from domain.engine.game import CHANCE, Action, Event, Seat
from domain.engine.guidance import Move
from domain.engine.ruleset import Ruleset
from domain.engine.sentences import Sentence, row
from domain.table import events as e
from domain.table.evolve import HANDLERS, taken_back
from domain.table.state import Table

Rules = Ruleset[Any, Any, Any]


class NothingToLearn(ValueError):
    """A history with nothing to be said about; the message says why."""


@dataclass(frozen=True, slots=True)
class AskedDecision:
    """What a seat was asked, what it knew then, and what it played."""

    version: int
    seat: Seat
    part: Sentence
    known: Any
    """The blind state of the seat when it was asked."""
    played: Move[Any] = ()
    by: Literal["seat", "orders"] = "seat"
    is_own: bool = True
    """Whether no caretaker had a part in it."""


@dataclass(frozen=True, slots=True)
class DueDraw:
    """A draw, the whole state before it, and what came of it."""

    version: int
    part: Sentence
    before: Any
    event: Event


@dataclass(frozen=True, slots=True)
class OpenedBids:
    """An opening, the whole state in which the bids were asked for, each seat's bid, and the event."""

    version: int
    part: Sentence
    before: Any
    bids: dict[Seat, Action]
    event: Event


Question = AskedDecision | DueDraw | OpenedBids


@dataclass(frozen=True, slots=True)
class Course:
    """All questions of a game in its order; `key` is that of its draws."""

    rules: Rules
    seats: int
    key: bytes
    questions: list[Question]


def course(rules: Rules, entries: Sequence[Entry]) -> Course:
    """The questions of a game that is over. Raises NothingToLearn for one that is not, or in which nothing was played.

    Left out are what was taken back, what caretakers did, and decisions with one legal move.
    """
    revealed = next((entry.event.seed for entry in entries if isinstance(entry.event, e.SeedRevealed)), None)
    if revealed is None or any(entry.shut for entry in entries):
        raise NothingToLearn(
            "The game is not over, or parts of its history are sealed: nothing is said before its end."
        )
    reader = _Reader(rules, taken_back([entry.event for entry in entries]))
    questions = reader.read(entries)
    if reader.table.game is None:
        raise NothingToLearn("The game ended before it began: nothing was played.")
    key = draw_key(bytes.fromhex(revealed), [chair.nonce for chair in reader.table.chairs])
    return Course(rules, len(reader.table.chairs), key, questions)


class _Reader:
    """What is known while a history is read: the table, and what each awaited seat was asked."""

    def __init__(self, rules: Rules, undone: frozenset[int]) -> None:
        self.rules, self.undone = rules, undone
        self.table = Table()
        self.part: tuple[str, str] = ("", "")
        self.asked: dict[Seat, tuple[str, AskedDecision]] = {}
        """By seat: the token of its decision, and the decision with what was played of it so far."""
        self.before: Any = None
        """The whole state in which somebody was asked something new."""
        self.answers: dict[Seat, Action] = {}
        """What was answered since, the last of each seat, also by a caretaker."""
        self.acting: Seat | None = None
        """For whom the caretaker acts, or standing orders do."""
        self.questions: list[Question] = []

    def read(self, entries: Sequence[Entry]) -> list[Question]:
        """One look at each event that stands."""
        for number, entry in enumerate(entries):
            if type(entry.event) not in self.rules.decider.evolve:
                self._at_table(entry.event)
            elif number not in self.undone:
                self._in_game(entry)
        for seat in list(self.asked):
            self._close(seat)
        return sorted(self.questions, key=lambda question: (question.version, getattr(question, "seat", 0)))

    def _at_table(self, event: Event) -> None:
        HANDLERS[type(event)](self.table, self.rules, event)
        if isinstance(event, e.CaretakerActed | e.OrdersFollowed):
            self.acting = event.seat
        elif isinstance(event, e.GameStarted):
            self._look(0)

    def _in_game(self, entry: Entry) -> None:
        """A fact of the game: the question it answers, then the game after it, then what is asked now."""
        event, decider = entry.event, self.rules.decider
        if entry.text:
            self._answer(entry)
        if "chance" in entry.actor and "draw" in type(event).__struct_fields__:
            self.questions.append(DueDraw(entry.version, self._part(), decider.copy(self.table.game), event))
        elif event.OPENS:
            self.questions.append(OpenedBids(entry.version, self._part(), self.before, dict(self.answers), event))
        chapter = self.rules.presentation.narrative.chapter(event)
        if chapter is not None:
            self.part = chapter[0] or self.part[0], chapter[1]
        decider.evolve[type(event)](self.table.game, event)
        self._look(entry.version)

    def _answer(self, entry: Entry) -> None:
        """An action of a seat: one more of what it plays, or another one in place of a sealed one."""
        seat, acting = entry.actor.get("seat", self.acting), self.acting
        self.acting = None
        if seat is None or seat not in self.asked:
            return
        action = self.rules.notation.parse(entry.text, self.rules.notation.pawns[: len(self.table.chairs)])[0]
        self.answers[seat] = action
        token, asked = self.asked[seat]
        again = seat not in self.rules.decider.awaiting(self.table.game)
        self.asked[seat] = (
            token,
            replace(
                asked,
                played=(action,) if again else (*asked.played, action),
                by="orders" if acting == seat and "seat" in entry.actor else asked.by,
                is_own=asked.is_own and "clock" not in entry.actor and not self.table.chairs[seat].automatic,
            ),
        )

    def _look(self, version: int) -> None:
        """Note who is asked something new, and what they know."""
        decider, game = self.rules.decider, self.table.game
        if decider.proceed(game):
            return
        for seat in sorted(decider.awaiting(game) - {CHANCE}):
            token = decider.decision(game)
            if seat not in self.asked or self.asked[seat][0] != token:
                self._close(seat)
                self.asked[seat] = token, AskedDecision(version, seat, self._part(), decider.blind(game, seat))
                self.before, self.answers = decider.copy(game), {}

    def _close(self, seat: Seat) -> None:
        """What a seat was asked is decided."""
        _, asked = self.asked.pop(seat, ("", None))
        if asked is not None and asked.played and asked.is_own and self._is_choice(asked):
            self.questions.append(asked)

    def _is_choice(self, asked: AskedDecision) -> bool:
        legal = self.rules.decider.legal_actions(asked.known, asked.seat)
        return len(legal.actions) > 1 or not legal.complete

    def _part(self) -> Sentence:
        return row([word for word in self.part if word], ", ")
