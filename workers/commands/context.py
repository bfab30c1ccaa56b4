"""What a mail is about: its address, its author, and the game as it stands."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Final

from domain.engine.sentences import Words
from service.container import Services
from service.games import play
from service.mail.inbox import Row
from service.mail.reply_tokens import ReplyToken
from service.store import decisions, notice_queries, replies
from service.store.database import Connection
from service.store.decisions import Decision
from service.store.streams import Head, undone_by
from workers.commands import outcomes
from workers.commands.grammar import Command, Grammar
from workers.commands.trial_orders import finishes
from workers.parsing.read_mail import Reading

LOOKED_AT: Final = 10
"""Mails of a seat among which its last order is looked for: the others only talked."""


@dataclass(frozen=True, slots=True)
class Person:
    """Who an address belongs to; without an id, somebody who is invited."""

    id: str | None
    email: str
    language: str
    receipts: bool = True


@dataclass(frozen=True, slots=True)
class Case:
    """A mail, what its address may do, and the game as it stands."""

    services: Services
    tx: Connection
    row: Row
    reading: Reading
    grant: ReplyToken
    person: Person
    head: Head
    words: Words
    from_ok: bool
    verdict: str

    @property
    def now(self) -> int:
        """The time of this transaction."""
        return self.head.now


@contextmanager
def attempt(case: Case) -> Iterator[Case]:
    """Begin a savepoint, and give the case with a head of its own to move in it.

    What raises within leaves the game, and the head of `case`, as they were.
    """
    with case.tx.begin_nested():
        yield replace(case, head=replace(case.head))


def as_it_sits(head: Head, grant: ReplyToken) -> ReplyToken:
    """The grant of a player who sits there; of one whose seat is another's by now, that of a bystander (OUT-25)."""
    if grant.seat is None or head.table.chairs[grant.seat].player == grant.player:
        return grant
    return replace(grant, seat=None, decision="", options=())


def grammar_of(case: Case) -> Grammar:
    """The commands this player may write about this game."""
    head = case.head
    names = play.names_at(case.tx, head)
    seat, legal = case.grant.seat, frozenset[str]()
    if seat is not None and head.table.status == "running":
        own = head.rules.decider.blind(head.table.game, seat)
        legal = frozenset(
            head.rules.notation.write(action) for action in head.rules.decider.legal_actions(own, seat).actions
        )
    return Grammar(
        head.rules, names, case.person.language, case.grant.options, legal, case.words,
        lambda orders: finishes(head, seat, orders, names), play.display_names(case.tx, head),
    )  # fmt: skip


def is_stale(case: Case) -> bool:
    """Whether the decision this address answers is closed; that of no decision, when one is asked by now."""
    table, seat = case.head.table, case.grant.seat
    if table.status == "open":
        return False
    if table.status != "running" or seat is None or table.chairs[seat].player != case.grant.player:
        return True
    return case.head.rules.decider.decision(table.game) != case.grant.decision or shows_undone(case)


def shows_undone(case: Case) -> bool:
    """Whether the letter that is answered shows what was taken back since."""
    rewinds = case.services.streams.rewinds(case.tx, case.grant.game, case.head.version)
    return bool(rewinds) and undone_by(rewinds, notice_queries.version_shown(case.tx, case.grant.outbox)) is not None


def replaceable(case: Case) -> bool:
    """Whether this seat has answered a decision that is still open, and may answer it otherwise (TH-9.9)."""
    head, seat = case.head, case.grant.seat
    if (
        seat is None
        or head.table.status != "running"
        or head.rules.decider.decision(head.table.game) != case.grant.decision
    ):
        return False
    answered = seat not in head.rules.decider.awaiting(head.table.game)
    return answered and bool(
        head.rules.decider.legal_actions(head.rules.decider.blind(head.table.game, seat), seat).actions
    )


def owes(case: Case) -> Decision | None:
    """What this seat owes now."""
    return decisions.of_seat(case.tx, case.grant.game, case.grant.seat)


def is_late(case: Case, received: int) -> bool:
    """Whether it came after deadline and grace; the clock that counts is ours, when it was safe with us (IN-19)."""
    asked = owes(case)
    return asked is not None and asked.acts_at is not None and received > asked.acts_at


def played_for(case: Case) -> int | None:
    """When the caretaker answered the decision this mail is about, if it was before the mail came (IN-19)."""
    whose = (case.grant.player, case.grant.game, case.grant.seat)
    passed = notice_queries.passed_between(case.tx, *whose, case.grant.outbox, case.row["received_at"])
    if passed is None or case.grant.seat is None:
        return None
    asked = notice_queries.version_shown(case.tx, case.grant.outbox)
    acted = case.services.streams.last_act(case.tx, case.grant.game, case.grant.seat, passed.version)
    return passed.at if acted <= asked else None


def standing_orders(case: Case) -> list[str]:
    """The orders of this decision last applied by mail, if the seat has done nothing since by other ways (IN-17)."""
    if case.grant.seat is None or not case.grant.decision:
        return []
    applied = replies.applied(case.tx, case.grant.game, case.grant.seat, case.grant.player, LOOKED_AT)
    found = (outcomes.read(case.services, row) for row in applied)
    last = next((outcome for outcome in found if outcome and outcome.answers and _orders(outcome.commands)), None)
    if last is None or last.answers != case.grant.decision:
        return []
    acted = case.services.streams.last_act(case.tx, case.grant.game, case.grant.seat, case.head.version)
    undone = case.services.streams.undone_by(case.tx, case.grant.game, acted, case.head.version) is not None
    return _orders(last.commands) if last.before < acted <= last.version and not undone else []


def _orders(commands: list[str]) -> list[str]:
    return [text for text in commands if Command(text.partition(" ")[0].lower(), text).plays]
