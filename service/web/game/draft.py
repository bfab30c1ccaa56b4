"""The draft of a move: lines of notation that nothing is recorded of until they are played."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, Final

from domain.engine.notation import LINE_ENDS
from domain.engine.refusals import OrderNotUnderstood, RuleViolation
from domain.table.evolve import copy
from domain.table.play import act, only_end
from domain.table.record import Record
from domain.table.state import Table
from domain.table.undo import present_line
from service.games.drafts import Draft, Kept
from service.games.play import Orders
from service.games.reader_view import ReaderView, is_sealed
from service.kernel.ids import new_form_key
from service.languages import canonical, shown
from service.web.game.questions import Question, question_of

LONGEST: Final = 4000
MOST_WEIGHED: Final = 16
"""Options of which the page says what would come of them."""


@dataclass(frozen=True, slots=True)
class Refusal:
    """Why a draft cannot be played: the sentence, the rule it follows, and the number of its line, 0 for no line."""

    text: str
    rule: str
    number: int = 0


@dataclass(frozen=True, slots=True)
class Sent:
    """The draft as a form sent it: its text, the version it was made for, and the key under which it is played once."""

    text: str = ""
    version: int | None = None
    key: str = ""
    words: str = ""
    """The beginning of a line that is being picked."""
    place: str = ""
    """A place of the picture that was clicked at the beginning of a line."""
    filled: Mapping[str, str] = field(default_factory=dict)
    """Amounts by their words, as they were filled in."""

    @property
    def lines(self) -> list[str]:
        """Its lines, with the blank ones."""
        return [line.strip() for line in LINE_ENDS.split(self.text)]

    def with_line(self, line: str, place: int | None = None) -> "Sent":
        """Return the draft with one more line after the first `place` lines, and without an unfinished one."""
        lines = self.lines if self.text.strip() else []
        place = len(lines) if place is None else place
        return replace(self, text="\n".join([*lines[:place], line, *lines[place:]]), words="", place="", filled={})

    def without_line(self, number: int) -> "Sent":
        """The draft without the line of this number."""
        kept = [line for place, line in enumerate(self.lines, 1) if place != number]
        return replace(self, text="\n".join(kept), words="")


NOTHING: Final = Sent()


@dataclass(frozen=True, slots=True)
class TrayLine:
    """One line of the draft: as it is written, what it would do, why it cannot be done; "" for neither."""

    number: int
    text: str
    sentences: Sequence[str] = ()
    is_final: bool = False
    refusal: Refusal | None = None


@dataclass(frozen=True)
class Tray:
    """The draft as the page shows it."""

    view: ReaderView
    sent: Sent
    draft: Draft
    refusal: Refusal | None
    """Of the attempt to play it; else of its rehearsal."""

    @cached_property
    def key(self) -> str:
        """The draft's own as long as it is one of this version."""
        if self.sent.key and self.sent.version == self.view.head.version:
            return self.sent.key
        return new_form_key(self.view.services.entropy)

    @property
    def text(self) -> str:
        return self.sent.text

    @cached_property
    def written(self) -> list[str]:
        """Lines as they were sent, split once: there may be thousands."""
        return self.sent.lines

    @cached_property
    def lines(self) -> list[TrayLine]:
        """The lines that say something: what they would do, then the one that is refused, then what comes after."""
        words = self.view.words
        found = [
            TrayLine(line.number, self._written(line.number), [words(text) for text in line.sentences], line.final)
            for line in self.draft.lines
        ]
        bad = self.draft.refusal
        if bad is not None:
            found.append(TrayLine(bad.number, self._written(bad.number), refusal=self.refusal))
            rest = range(bad.number + 1, len(self.written) + 1)
            found += [TrayLine(number, self._written(number)) for number in rest if self._written(number)]
        return found

    @cached_property
    def question(self) -> Question | None:
        """Return the next question, each option with its consequences."""
        asked = question_of(self.view, self.draft.step, self.sent.words, self.sent.place, self.sent.filled)
        if asked is None or len(asked.options) > MOST_WEIGHED:
            return asked
        effects = {option.words: self._effects(option.line) for option in asked.options}
        first, *others = effects.values() or [[]]
        common = set(first).intersection(*others) if others else set()
        told = {words: " ".join(text for text in texts if text not in common) for words, texts in effects.items()}
        return replace(asked, effects=told)

    @cached_property
    def consequences(self) -> list[str]:
        """Consequences of the whole draft for its player, in sentences."""
        return self._changed(self.view.table, self.draft.table) if self.draft.lines else []

    def _effects(self, line: str | None) -> list[str]:
        """Return the consequences of one more line; empty without a line, or if nobody can foresee them."""
        seat, rules = self.view.seat, self.view.head.rules
        if not line or seat is None:
            return []
        record = Record(copy(self.draft.table, rules), rules)
        try:
            (action,) = rules.notation.parse(line, self.view.notation_names)
            act(record, seat, action, foreseeable=True)
        except (RuleViolation, OrderNotUnderstood, ValueError):
            return []
        if any(is_sealed(fact.event) for fact in record.facts):
            return []
        return self._changed(self.draft.table, record.table)

    def _changed(self, before: Table, after: Table) -> list[str]:
        rules, seat = self.view.head.rules, self.view.seat
        if seat is None or before.game is None or after.game is None:
            return []
        one, other = (rules.decider.view(table.game, seat) for table in (before, after))
        return [self.view.words(text) for text in rules.presentation.consequences(one, other, seat, self.view.names)]

    @property
    def is_playable(self) -> bool:
        return bool(self.draft.lines) and self.refusal is None

    @property
    def ends_turn(self) -> bool:
        """Return whether playing the draft also ends the turn, since nothing else is left (IN-10c)."""
        table, seat = self.draft.table, self.view.seat
        if not self.view.adds_end or seat is None:
            return False
        return only_end(self.view.head.rules, table, seat) is not None

    @property
    def is_sealed(self) -> bool:
        """Return whether the question or the draft is secret: such a draft is neither kept nor announced."""
        asked = self.question is not None and self.question.is_sealed
        return asked or any(is_sealed(fact.event) for fact in self.draft.record.facts)

    @property
    def said(self) -> str:
        """Announcement for those who hear the page; empty if the draft is secret."""
        if self.is_sealed:
            return ""
        if self.refusal is not None:
            return self.refusal.text
        return " ".join(self.lines[-1].sentences) if self.lines and not self.sent.words else ""

    @property
    def content(self) -> str:
        """Return the lines of the draft, joined by commas."""
        return ", ".join(line.text for line in self.lines)

    @property
    def position(self) -> dict[str, Any] | None:
        """Position after the draft, or None without a draft."""
        return self.view.document_of(self.draft.table) if self.draft.lines else None

    def _written(self, number: int) -> str:
        return self.written[number - 1]


def tray_of(view: ReaderView, sent: Sent, refusal: Refusal | None = None) -> Tray | None:
    """Return the tray with the draft that was sent, or None if the reader can order nothing."""
    if not view.may_order:
        return None
    rehearsed = rehearse(view, sent)
    if not view.is_asked and rehearsed.step is None:
        return None
    bad = rehearsed.refusal
    if bad is not None:
        refusal = Refusal(view.words_with_names(bad.message), bad.rule, bad.number)
    return Tray(view, sent, rehearsed, refusal)


def left_of(view: ReaderView) -> Sent:
    """Return the draft that the reader left, on whatever device; nothing if it was played meanwhile."""
    left = view.kept
    sent = Sent(left.text, left.version) if left.text else NOTHING
    return NOTHING if played_at(view, sent) else sent


def to_keep(view: ReaderView, tray: Tray | None) -> Kept | None:
    """Return what to keep of the draft in the tray; None if that is kept already, or nothing can be kept.

    A secret draft is not kept, for whoever looks at the screen later would see it (S-06).
    """
    if tray is None or view.own_owed is None:
        return None
    wanted = Kept()
    if tray.text.strip() and not tray.is_sealed:
        wanted = Kept(tray.text, tray.sent.version or view.head.version)
    return None if wanted == view.kept else wanted


def played_at(view: ReaderView, sent: Sent) -> int:
    """Return the last version of the request that played this very draft since it was begun; 0 if none did.

    Its answer was lost, or it was sent from another device or by mail.
    """
    if view.seat is None or sent.version is None or not sent.text.strip():
        return 0
    notation = view.head.rules.notation
    try:
        drafted = [notation.write(action) for action in notation.parse(orders_of(view, sent), view.notation_names)]
    except OrderNotUnderstood:
        return 0
    since = [entry for entry in view.past[sent.version :] if entry.action and entry.actor == view.actor]
    standing = {entry.version for entry in present_line(view.past)}
    mine = [entry for entry in since if entry.version in standing][: len(drafted)]
    if not drafted or [entry.text for entry in mine] != drafted:
        return 0
    return max(entry.version for entry in view.past if entry.cause == mine[-1].cause)


def rehearse(view: ReaderView, sent: Sent) -> Draft:
    """Rehearse the draft, as far as its player can foresee."""
    return view.draft(Orders(text=orders_of(view, sent)))


def orders_of(view: ReaderView, sent: Sent) -> str:
    """The draft in the words that the rules understand, which are English."""
    return "\n".join(canonical(line, view.language, view.kind) for line in sent.lines)


def written(view: ReaderView, line: str) -> str:
    """A line in the words that the reader types."""
    return shown(line, view.language, view.kind)


def refusal_of(view: ReaderView, error: RuleViolation | OrderNotUnderstood) -> Refusal:
    """A refusal of the rules in the reader's language, with people by their names."""
    return Refusal(view.words_with_names(error.message), error.rule)
