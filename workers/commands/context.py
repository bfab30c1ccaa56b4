"""What a mail is about: its address, its author, and the game as it stands."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Final

import sqlalchemy as sa
from sqlalchemy import Connection

from domain.engine.sentences import Words
from service.container import Services
from service.games import play
from service.mail.inbox import Row
from service.mail.reply_tokens import ReplyToken
from service.store import decisions, outbox
from service.store.inbox import FACTS, inbound
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
    rows = outbox.outbox
    shown = sa.select(rows.c.version).where(rows.c.id == case.grant.outbox)
    return bool(rewinds) and undone_by(rewinds, case.tx.execute(shown).scalar() or 0) is not None


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


def owes(case: Case) -> Row | None:
    """What this seat owes now."""
    rows = decisions.decisions
    found = sa.select(rows).where(rows.c.game_id == case.grant.game, rows.c.seat == case.grant.seat)
    row = case.tx.execute(found).mappings().first()
    return None if row is None else dict(row)


def is_late(case: Case, received: int) -> bool:
    """Whether it came after deadline and grace; the clock that counts is ours, when it was safe with us (IN-19)."""
    asked = owes(case)
    return asked is not None and asked["acts_at"] is not None and received > asked["acts_at"]


def played_for(case: Case) -> int | None:
    """When the caretaker answered the decision this mail is about, if it was before the mail came (IN-19)."""
    rows = outbox.outbox
    told = (
        sa.select(rows.c.created_at, rows.c.decision)
        .where(rows.c.kind == "deadline-passed", rows.c.recipient == case.grant.player)
        .where(rows.c.game_id == case.grant.game, rows.c.seat == case.grant.seat)
        .where(rows.c.id > case.grant.outbox, rows.c.created_at <= case.row["received_at"])
        .order_by(rows.c.id)
        .limit(1)
    )
    first = case.tx.execute(told).first()
    if first is None or case.grant.seat is None:
        return None
    asked = case.tx.execute(sa.select(rows.c.version).where(rows.c.id == case.grant.outbox)).scalar() or 0
    acted = case.services.streams.last_act(case.tx, case.grant.game, case.grant.seat, int(first.decision))
    return int(first.created_at) if acted <= asked else None


def standing_orders(case: Case) -> list[str]:
    """The orders of this decision last applied by mail, if the seat has done nothing since by other ways (IN-17)."""
    if case.grant.seat is None or not case.grant.decision:
        return []
    mails = inbound
    applied = (
        sa.select(*FACTS)
        .where(mails.c.game_id == case.grant.game, mails.c.seat == case.grant.seat, mails.c.state == "applied")
        .where(mails.c.player_id == case.grant.player)
        .order_by(mails.c.done_at.desc(), mails.c.id.desc())
        .limit(LOOKED_AT)
    )
    found = (outcomes.read(case.services, dict(row)) for row in case.tx.execute(applied).mappings().all())
    last = next((one for one in found if one is not None and one.answers and _orders(one.commands)), None)
    if last is None or last.answers != case.grant.decision:
        return []
    acted = case.services.streams.last_act(case.tx, case.grant.game, case.grant.seat, case.head.version)
    undone = case.services.streams.undone_by(case.tx, case.grant.game, acted, case.head.version) is not None
    return _orders(last.commands) if last.before < acted <= last.version and not undone else []


def _orders(commands: list[str]) -> list[str]:
    return [text for text in commands if Command(text.partition(" ")[0].lower(), text).plays]
