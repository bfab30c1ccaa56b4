"""Drafts: the effects of a list of orders, line by line, as far as its player can foresee. No event is recorded.

A draft is made from a blind table, so a secret of another seat cannot change it (S-06). The draft of an answer is kept,
sealed for its player, until the answer is given.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial

import msgspec

from domain.engine.game import Action, Event, Seat
from domain.engine.notation import LINE_ENDS
from domain.engine.refusals import OrderNotUnderstood, RuleViolation
from domain.engine.sentences import say
from domain.table.evolve import Rules, blind
from domain.table.play import act, acted
from domain.table.record import Record
from domain.table.state import Table, require_played, require_running
from service.container import Services
from service.games.choices import Step, choices
from service.games.event_text import tell
from service.games.json_actions import read_action
from service.games.play import MOST_ACTIONS, Orders, look_to_play, require_fresh
from service.games.seat_names import notation_names, shown_names
from service.kernel.encryption import Unreadable, pad, unpad
from service.store.clocks import decisions
from service.store.clocks.decisions import Owed
from service.store.database import Connection
from service.store.event_store.streams import Head, Seen


@dataclass(frozen=True, slots=True)
class DraftLine:
    """One order of a draft that can be carried out."""

    number: int
    """Which line of the text it is, from 1, blank ones counted; of actions, which of them."""
    text: str
    """The line as it was typed; an action in the game's notation."""
    sentences: tuple[str, ...]
    """What it would do, for people."""
    final: bool
    """Whether it ends what the player can do now: it reveals, draws, or hands on to others."""


@dataclass(frozen=True, slots=True)
class RefusedLine:
    """The first order of a draft that cannot be carried out."""

    number: int
    text: str
    code: str
    rule: str
    message: str


@dataclass(frozen=True, slots=True)
class Draft:
    """What a list of orders would do."""

    head: Head
    seat: Seat
    lines: tuple[DraftLine, ...]
    record: Record
    """The facts there would be, and the table after them, as the player would see it."""
    step: Step | None
    """What may follow; None where that is nothing, or nobody can foresee it."""
    complete: bool
    """Whether the draft answers all that its player is asked, or what they are asked next cannot be foreseen."""
    refusal: RefusedLine | None

    @property
    def table(self) -> Table:
        """The table after the draft, as the player would see it."""
        return self.record.table


def draft(
    services: Services, connection: Connection, game: str, player: str, orders: Orders, *, seen: Seen | None = None
) -> Draft:
    """What these orders would do, up to the first that cannot be carried out; none at all is a draft, too.

    Raises NoSuchGame, NotSeated, StaleTurn, and RuleViolation where the player can order nothing at this table.
    """
    head, seat = look_to_play(services, connection, game, player)
    if seen is not None:
        require_fresh(services, connection, head, seat, seen)
    require_running(head.table)
    require_played(head.table, seat)
    return rehearsed(head, seat, orders, shown_names(connection, head), notation_names(connection, head))


def rehearsed(head: Head, seat: Seat, orders: Orders, shown: Sequence[str], typed: Sequence[str]) -> Draft:
    """What these orders of a seat would do at a game under way; what to call the seats in sentences, and in orders."""
    rehearsal = _Rehearsal(Record(blind(head.table, head.rules, seat), head.rules), seat, shown)
    refusal = rehearsal.run(_lines(head.rules, orders, typed))
    return rehearsal.result(head, refusal)


class Kept(msgspec.Struct, frozen=True):
    """A draft as its player left it: its text, and the version it was made for; "" and 0 for none."""

    text: str = ""
    version: int = 0


def kept(services: Services, game: str, player: str, owed: Owed) -> Kept:
    """Return the draft of a player for what their seat owes."""
    if owed.draft is None:
        return Kept()
    try:
        sealed = services.sealer.open(*place(game, player, owed.since), owed.draft)
    except Unreadable:  # its key is gone
        return Kept()
    return msgspec.json.decode(unpad(sealed), type=Kept)


def keep(services: Services, tx: Connection, game: str, player: str, owed: Owed, draft: Kept) -> None:
    """Keep a draft in the place of the one before, or none; do nothing if the answer was given meanwhile."""
    body = services.sealer.seal(*place(game, player, owed.since), pad(msgspec.json.encode(draft)))
    decisions.keep_draft(tx, game, owed.seat, owed.since, player, body if draft.text.strip() else None)


def place(game: str, player: str, since: int) -> tuple[str, str]:
    """Return the scope and context that a draft is sealed for."""
    return game, f"draft|{since}|{player}"


Line = tuple[int, str, Callable[[], Action]]
"""One order as it was sent: its number, its text if it has one, and what reads it, or raises OrderNotUnderstood."""


def _lines(rules: Rules, orders: Orders, names: Sequence[str]) -> Iterator[Line]:
    """The orders that say something, each to be read when its turn comes."""
    for number, text in enumerate(LINE_ENDS.split(orders.text or ""), 1):
        if text.strip():
            yield number, text.strip(), partial(_read_line, rules, text, names)
    for number, action in enumerate(orders.actions or (), 1):
        yield number, "", partial(read_action, rules, action, number - 1)
    if orders.bid is not None:
        yield 1, "", partial(rules.notation.read_bid, orders.bid)


def _read_line(rules: Rules, text: str, names: Sequence[str]) -> Action:
    actions: list[Action] = rules.notation.parse(text, names)
    return actions[0]


class _Rehearsal:
    """Orders as they are carried out one by one."""

    def __init__(self, record: Record, seat: Seat, names: Sequence[str]) -> None:
        self.record, self.seat, self.names = record, seat, names
        self.lines: list[DraftLine] = []
        self.foreseeable = True

    def run(self, lines: Iterable[Line]) -> RefusedLine | None:
        """Carry out lines up to the first that cannot be, which is returned."""
        for number, text, read in lines:
            try:
                self._take(number, text, read)
            except (OrderNotUnderstood, RuleViolation) as error:
                return RefusedLine(number, text, error.code, error.rule, error.message)
        return None

    def _take(self, number: int, text: str, read: Callable[[], Action]) -> None:
        if len(self.lines) == MOST_ACTIONS:
            message = say("Send at most {count} orders at a time.", count=MOST_ACTIONS)
            raise OrderNotUnderstood("bad-syntax", "DESIGN-8", text, message)
        action, before = read(), len(self.record.facts)
        self.foreseeable = act(self.record, self.seat, action, foreseeable=self.foreseeable)
        facts = [fact.event for fact in self.record.facts[before:]]
        sentences = tuple(_sentences(self.record.rules, facts, self.names))
        written = text or self.record.rules.notation.write(action)
        self.lines.append(DraftLine(number, written, sentences, final=not self._goes_on()))

    def _goes_on(self) -> bool:
        """Whether the seat can still do something that it foresees: a sealed bid, say, may be made again."""
        game, decider = self.record.table.game, self.record.rules.decider
        return self.foreseeable and (self._is_asked() or bool(decider.legal_actions(game, self.seat).actions))

    def _is_asked(self) -> bool:
        return self.seat in self.record.rules.decider.awaiting(self.record.table.game)

    def result(self, head: Head, refusal: RefusedLine | None) -> Draft:
        """The draft as it stands."""
        step = choices(head.rules, self.record.table.game, self.seat, self.names) if self.foreseeable else None
        complete = bool(self.lines) and refusal is None and not self._is_asked()
        if self.lines:
            acted(self.record, self.seat)
        return Draft(head, self.seat, tuple(self.lines), self.record, step, complete, refusal)


def _sentences(rules: Rules, facts: Sequence[Event], names: Sequence[str]) -> Iterator[str]:
    """A sentence on each fact, with what is sealed in it for the reader's eyes; none where one before implies it."""
    narrative = rules.presentation.narrative
    implied = {narrative.implied.get(type(event)) for event in facts}
    for event in facts:
        told = narrative.tell_with_sealed(event, names) or tell(rules, event, names)
        if told and type(event) not in implied:
            yield told
