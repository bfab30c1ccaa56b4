"""What bots have to think about: one row a bot that is asked and thinks, kept beside the head; worked off by leases.

At most one thought of a game is under way; those of whoever hosts the fewest under way come first. A host who keeps
many bots busy queues behind others, who have asked less: each thought that waits puts off the next of the same host.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

import msgspec
import sqlalchemy as sa
from sqlalchemy import bindparam

from domain.engine.bots import Bot, Strength, Temper
from domain.engine.game import Seat
from domain.table import events as e
from domain.table.evolve import Rules
from domain.table.record import Fact
from domain.table.state import Table
from service.kernel import request_ids
from service.kernel.clock import SECOND
from service.store import records
from service.store.clocks.halted import going
from service.store.connection import Connection
from service.store.rows import GameRow, ThoughtRow
from service.store.statements import Statement

thoughts: Final = ThoughtRow.__table__  # type: ignore[attr-defined]
_games: Final = GameRow.__table__  # type: ignore[attr-defined]
SLICE: Final = 2 * SECOND
"""By how much a thought that waits puts off the next one of the same host."""
LONGEST: Final = 60 * SECOND
"""By how much it is put off at most: who had idle workers all evening must not pay for it when others come."""
LOCK: Final = 0x7448_6F75_6768
"""Of the advisory lock under which thoughts are claimed, for who claims looks at what others have."""


@dataclass(frozen=True, slots=True)
class Asked:
    """A bot that thinks, and the decision it is asked for."""

    decision: str
    bot: Bot


class Thought(msgspec.Struct, frozen=True):
    """A row of the table; times in microseconds.

    `since` is the event at which it was asked, `turn_at` its place in the queue.
    """

    game_id: str
    seat: Seat
    since: int
    decision: str
    strength: Strength
    temper: Temper
    began_at: int
    turn_at: int
    not_before: int
    lease_until: int
    lease_by: str | None
    attempts: int
    request_id: str | None = None

    @property
    def bot(self) -> Bot:
        """The bot that thinks."""
        return Bot(self.strength, self.temper)


@dataclass(frozen=True, slots=True)
class Queue:
    """How many thoughts wait for a worker, how many are under way, since when the first of those that wait could have
    been begun, how many were begun more than once, and how many are put off: something is wrong with these.

    What is put off does not wait, nor has what a table's other bot holds up been waiting for a worker so long.
    """

    waiting: int
    under_way: int
    oldest: int | None
    again: int = 0
    put_off: int = 0


# -- what a game asks


def asked_bots(table: Table, rules: Rules) -> dict[Seat, Asked]:
    """The bots that are to think now, by seat."""
    thinking = {seat: chair.bot for seat, chair in enumerate(table.chairs) if chair.thinks and chair.bot is not None}
    if table.status != "running" or not thinking:
        return {}
    asked, decision = rules.decider.awaiting(table.game), rules.decider.decision(table.game)
    return {seat: Asked(decision, bot) for seat, bot in thinking.items() if seat in asked}


def think_on(before: dict[Seat, Asked], now: dict[Seat, Asked], facts: Sequence[Fact]) -> set[Seat]:
    """The seats that go on with what they were asked before these facts: nothing they think about is another now."""
    if any(isinstance(fact.event, e.Rewound) for fact in facts):
        return set()
    acted = {fact.actor.get("seat") for fact in facts}
    return {seat for seat, asked in now.items() if before.get(seat) == asked and seat not in acted}


_waiting: Final = thoughts.alias("waiting")
_host: Final = sa.select(_games.c.host).where(_games.c.id == bindparam("game", type_=sa.String)).scalar_subquery()
_last_turn: Final = (
    sa.select(sa.func.max(_waiting.c.turn_at) + SLICE)
    .join(_games, _games.c.id == _waiting.c.game_id)
    .where(_games.c.host == _host)
    .scalar_subquery()
)
_now: Final = bindparam("now", type_=sa.BigInteger)
_given: Final[dict[str, Any]] = {
    "game_id": bindparam("game", type_=sa.String), "seat": bindparam("at", type_=sa.Integer),
    "since": bindparam("since", type_=sa.Integer), "decision": bindparam("decision", type_=sa.String),
    "strength": bindparam("strength", type_=sa.Integer), "temper": bindparam("temper", type_=sa.String),
    "began_at": bindparam("began", type_=sa.BigInteger), "request_id": bindparam("request", type_=sa.String),
    "not_before": bindparam("not_before", type_=sa.BigInteger),
    "turn_at": sa.case(
        (_last_turn > _now + LONGEST, _now + LONGEST), (_last_turn > _now, _last_turn), else_=_now
    ),
}  # fmt: skip
_FRESH: Final[dict[str, Any]] = {"lease_until": 0, "lease_by": None, "attempts": 0}
_insert: Final = Statement(sa.insert(thoughts).values(_given | _FRESH))
_delete: Final = Statement(
    sa.delete(thoughts).where(
        thoughts.c.game_id == bindparam("game", type_=sa.String), thoughts.c.seat == bindparam("at", type_=sa.Integer)
    )
)


def put(
    tx: Connection, game: str, seat: Seat, asked: Asked, since: int, began: int, now: int, not_before: int = 0
) -> None:
    """Let a bot think from now, or from `not_before`, about what it is asked since this event, and nothing else."""
    drop(tx, game, seat)
    bot = asked.bot
    _insert(
        tx, game=game, at=seat, since=since, decision=asked.decision, strength=bot.strength, temper=bot.temper,
        began=began, now=now, not_before=not_before, request=request_ids.current(),
    )  # fmt: skip


def drop(tx: Connection, game: str, seat: Seat) -> None:
    """A bot is not asked any more."""
    _delete(tx, game=game, at=seat)


# -- who thinks


def is_due(connection: Connection, now: int) -> bool:
    """Whether a thought may wait for a worker: read before anything is locked, for mostly none does."""
    due = sa.exists().where(thoughts.c.not_before <= now, thoughts.c.lease_until <= now, going(thoughts.c.game_id))
    return bool(connection.execute(sa.select(due)).scalar_one())


def claim(tx: Connection, by: str, now: int, until: int) -> Thought | None:
    """Lease the thought whose turn it is, until then; None where none waits. Each claim is an attempt more."""
    if tx.dialect.name == "postgresql":
        tx.execute(sa.select(sa.func.pg_advisory_xact_lock(LOCK)))
    row = tx.execute(_claim, {"now": now, "until": until, "by": by}).first()
    return None if row is None else Thought(*row)


def renew(tx: Connection, thought: Thought, until: int) -> bool:
    """Hold a lease until then. Whether it still is this holder's: else what is thought is of no use any more."""
    return tx.execute(sa.update(thoughts).where(*_own(thought)).values(lease_until=until)).rowcount == 1


def hold(tx: Connection, thought: Thought) -> bool:
    """Whether a lease still is this holder's; if so, its row is locked until the transaction ends.

    Asked under the lock of the game, before what was thought is played.
    """
    found = sa.select(thoughts.c.seat).where(*_own(thought)).with_for_update()
    return tx.execute(found).first() is not None


def release(tx: Connection, thought: Thought, not_before: int) -> bool:
    """Give a lease back, for another to try not before then. Whether it was this holder's still."""
    free = {"lease_until": 0, "lease_by": None, "not_before": not_before}
    return tx.execute(sa.update(thoughts).where(*_own(thought)).values(free)).rowcount == 1


def void_leases(tx: Connection) -> int:
    """End the leases of holders who are known to be dead. How many."""
    free = {"lease_until": 0, "lease_by": None}
    return tx.execute(sa.update(thoughts).where(thoughts.c.lease_until > 0).values(free)).rowcount


def count(connection: Connection, now: int) -> Queue:
    """What waits and what is under way, of games that are not stopped."""
    leased = thoughts.c.lease_until > now
    put_off = sa.and_(~leased, thoughts.c.not_before > now)
    sibling = thoughts.alias("sibling")
    beside = sa.exists().where(sibling.c.game_id == thoughts.c.game_id, sibling.c.lease_until > now)
    since = sa.case((thoughts.c.not_before > thoughts.c.began_at, thoughts.c.not_before), else_=thoughts.c.began_at)
    oldest = sa.func.min(sa.case((sa.or_(put_off, beside), None), else_=since))
    again = thoughts.c.attempts > sa.case((leased, 1), else_=0)
    found = sa.select(sa.func.count(), _number(leased), oldest, _number(again), _number(put_off))
    every, busy, first, failing, later = connection.execute(found.where(going(thoughts.c.game_id))).one()
    return Queue(every - busy - later, busy, first, failing, later)


def of_game(connection: Connection, game: str) -> Sequence[Thought]:
    """What the bots of a game think about, by seat."""
    found = sa.select(*records.columns(Thought, thoughts)).where(thoughts.c.game_id == game)
    return records.every(connection, Thought, found.order_by(thoughts.c.seat))


def _number(holds: sa.ColumnElement[bool]) -> sa.ColumnElement[int]:
    """Of how many rows it holds."""
    return sa.cast(sa.func.coalesce(sa.func.sum(sa.case((holds, 1), else_=0)), 0), sa.Integer)


def _own(thought: Thought) -> tuple[sa.ColumnElement[bool], ...]:
    return (
        thoughts.c.game_id == thought.game_id,
        thoughts.c.seat == thought.seat,
        thoughts.c.since == thought.since,
        thoughts.c.lease_by == thought.lease_by,
    )


def _claiming() -> sa.Update:
    busy, of_busy, sibling, game = (
        thoughts.alias("busy"), _games.alias("of_busy"), thoughts.alias("sibling"), _games.alias("game"),
    )  # fmt: skip
    under_way = (
        sa.select(of_busy.c.host, sa.func.count().label("number"))
        .join(busy, busy.c.game_id == of_busy.c.id)
        .where(busy.c.lease_until > _now)
        .group_by(of_busy.c.host)
        .subquery("under_way")
    )
    alone = ~sa.exists().where(sibling.c.game_id == thoughts.c.game_id, sibling.c.lease_until > _now)
    picked = (
        sa.select(thoughts.c.game_id, thoughts.c.seat)
        .join(game, game.c.id == thoughts.c.game_id)
        .outerjoin(under_way, under_way.c.host == game.c.host)
        .where(thoughts.c.not_before <= _now, going(thoughts.c.game_id), alone)
        .order_by(sa.func.coalesce(under_way.c.number, 0), thoughts.c.turn_at, thoughts.c.game_id, thoughts.c.seat)
        .limit(1)
        .with_for_update(of=thoughts, skip_locked=True)
    )
    leased = {
        "lease_until": bindparam("until", type_=sa.BigInteger),
        "lease_by": bindparam("by", type_=sa.String),
        "attempts": thoughts.c.attempts + 1,
    }
    this = sa.tuple_(thoughts.c.game_id, thoughts.c.seat).in_(picked)
    return sa.update(thoughts).where(this).values(leased).returning(*records.columns(Thought, thoughts))


_claim: Final = _claiming()
