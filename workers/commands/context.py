"""The context of a mail: its address, its author, and the game as it stands."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from textwrap import fill
from typing import Final

from domain.engine.sentences import Words, say
from service.container import Services
from service.games.reader_view import ReaderView
from service.mail.reply_tokens import ReplyToken
from service.store.clocks import decisions
from service.store.clocks.decisions import Decision
from service.store.database import Connection
from service.store.event_store.stream_reader import undone_by
from service.store.event_store.streams import Head
from service.store.incoming import replies
from service.store.incoming.inbox import LeasedMail
from service.store.outgoing import notice_queries
from service.store.people import suspensions
from workers.commands import outcomes
from workers.commands.words.command import Command
from workers.parsing.read_mail import Reading

LOOKED_AT: Final = 10
"""Mails of a seat among which its last order is looked for: the others only talked."""


@dataclass(frozen=True, slots=True)
class Person:
    """The owner of an address; without an id, somebody who is invited."""

    id: str | None
    email: str
    language: str
    receipts: bool = True


@dataclass(frozen=True, slots=True)
class ReplyContext:
    """A mail, what its address may do, and the game as it stands."""

    services: Services
    tx: Connection
    row: LeasedMail
    reading: Reading
    token: ReplyToken
    person: Person
    head: Head
    words: Words
    from_ok: bool
    verdict: str

    @property
    def now(self) -> int:
        """The time of this transaction."""
        return self.head.now

    @property
    def view(self) -> ReaderView:
        """The game as the author sees it now; made anew each time, as orders move the game."""
        person, seat = self.person, self.token.seat
        return ReaderView(self.services, self.tx, self.head, seat, person.language, person.id)


@contextmanager
def attempt(context: ReplyContext) -> Iterator[ReplyContext]:
    """Begin a savepoint, and give the case with a head of its own to move in it.

    What raises within leaves the game, and the head of `context`, as they were.
    """
    with context.tx.begin_nested():
        yield replace(context, head=replace(context.head))


def as_it_sits(head: Head, token: ReplyToken) -> ReplyToken:
    """The token of a player who sits there; a bystander's where the seat is another's by now (OUT-25)."""
    if token.seat is None or head.table.chairs[token.seat].player == token.player:
        return token
    return replace(token, seat=None, decision="", options={})


def is_kept_out(context: ReplyContext) -> bool:
    """Whether the operator keeps out the owner of this address."""
    player = context.person.id
    return player is not None and suspensions.of(context.tx, player, context.now) is not None


def is_stale(context: ReplyContext) -> bool:
    """Whether the decision this address answers is closed; that of no decision, when one is asked by now."""
    table, seat = context.head.table, context.token.seat
    if table.status == "open":
        return False
    if table.status != "running" or seat is None or table.chairs[seat].player != context.token.player:
        return True
    return context.head.rules.decider.decision(table.game) != context.token.decision or shows_undone(context)


def shows_undone(context: ReplyContext) -> bool:
    """Whether the letter that is answered shows what was taken back since."""
    rewinds = context.services.streams.rewinds(context.tx, context.token.game, context.head.version)
    return (
        bool(rewinds) and undone_by(rewinds, notice_queries.version_shown(context.tx, context.token.outbox)) is not None
    )


def replaceable(context: ReplyContext) -> bool:
    """Whether this seat has answered a decision that is still open, and may answer it otherwise (TH-9.9)."""
    head, seat = context.head, context.token.seat
    if (
        seat is None
        or head.table.status != "running"
        or head.rules.decider.decision(head.table.game) != context.token.decision
    ):
        return False
    answered = seat not in head.rules.decider.awaiting(head.table.game)
    return answered and bool(
        head.rules.decider.legal_actions(head.rules.decider.blind(head.table.game, seat), seat).actions
    )


def owes(context: ReplyContext) -> Decision | None:
    """What this seat owes now."""
    return decisions.of_seat(context.tx, context.token.game, context.token.seat)


def is_late(context: ReplyContext, received: int) -> bool:
    """Whether it came after deadline and grace; the clock that counts is ours, when it was safe with us (IN-19)."""
    asked = owes(context)
    return asked is not None and asked.acts_at is not None and received > asked.acts_at


def played_for(context: ReplyContext) -> int | None:
    """When the caretaker answered the decision this mail is about, if it was before the mail came (IN-19)."""
    whose = (context.token.player, context.token.game, context.token.seat)
    passed = notice_queries.passed_between(context.tx, *whose, context.token.outbox, context.row.received_at)
    if passed is None or context.token.seat is None:
        return None
    asked = notice_queries.version_shown(context.tx, context.token.outbox)
    acted = context.services.streams.last_act(context.tx, context.token.game, context.token.seat, passed.version)
    return passed.at if acted <= asked else None


def quoted(context: ReplyContext, orders: Sequence[str]) -> str:
    """Orders in the words of the author, one after the other."""
    return context.words(say("; ")).join(map(context.view.shown, orders))


def last_orders(context: ReplyContext) -> list[str]:
    """The orders of this decision last applied by mail, if the seat has done nothing since by other ways (IN-17)."""
    if context.token.seat is None or not context.token.decision:
        return []
    applied = replies.applied(context.tx, context.token.game, context.token.seat, context.token.player, LOOKED_AT)
    found = (outcomes.read(context.services, row) for row in applied)
    last = next((outcome for outcome in found if outcome and outcome.answers and _orders(outcome.commands)), None)
    if last is None or last.answers != context.token.decision:
        return []
    acted = context.services.streams.last_act(context.tx, context.token.game, context.token.seat, context.head.version)
    undone = context.services.streams.undone_by(context.tx, context.token.game, acted, context.head.version) is not None
    return _orders(last.commands) if last.before < acted <= last.version and not undone else []


def _orders(commands: list[str]) -> list[str]:
    return [text for text in commands if Command.of(text).plays]


def filled(context: ReplyContext, text: str) -> str:
    """A text in the player's language, in lines of a mail's width."""
    return fill(context.words(text), 78)
