"""Who owes an answer: one row a seat, kept beside the head; the due table of deadlines and reminders."""

from dataclasses import dataclass
from typing import Any, Final

import sqlalchemy as sa
from sqlalchemy import Connection, bindparam

from domain.engine.game import Seat
from domain.table.evolve import Rules
from domain.table.state import Table
from service.store.database import Statement
from service.store.halted import going
from service.store.rows import DecisionRow

decisions: Final = DecisionRow.__table__  # type: ignore[attr-defined]

_insert: Final = Statement(sa.insert(decisions))
_hand_over: Final = Statement(
    sa.update(decisions)
    .where(
        decisions.c.game_id == bindparam("game", type_=sa.String), decisions.c.seat == bindparam("at", type_=sa.Integer)
    )
    .values(
        {
            column.name: bindparam("new_" + column.name, type_=column.type)
            for column in decisions.c
            if column.name != "game_id"
        }
    )
)
_delete: Final = Statement(
    sa.delete(decisions).where(
        decisions.c.game_id == bindparam("game", type_=sa.String), decisions.c.seat == bindparam("at", type_=sa.Integer)
    )
)
_of_game: Final = Statement(
    sa.select(decisions.c.seat, decisions.c.decision, decisions.c.since, decisions.c.due_at)
    .where(decisions.c.game_id == bindparam("game", type_=sa.String))
    .order_by(decisions.c.seat)
)
_picked: Final = (
    sa.select(decisions.c.game_id, decisions.c.seat)
    .where(decisions.c.acts_at <= bindparam("now", type_=sa.BigInteger))
    .where(decisions.c.lease_until <= bindparam("now", type_=sa.BigInteger))
    .where(going(decisions.c.game_id))
    .order_by(decisions.c.acts_at)
    .limit(bindparam("most", type_=sa.Integer))
    .with_for_update(skip_locked=True)
)
_claim: Final = Statement(
    sa.update(decisions)
    .where(sa.tuple_(decisions.c.game_id, decisions.c.seat).in_(_picked))
    .values(lease_until=bindparam("until", type_=sa.BigInteger))
    .returning(decisions.c.game_id, decisions.c.seat, decisions.c.since)
)


BEGINNING: Final[dict[str, Any]] = {
    "lease_until": 0, "extended": False, "graced": False, "bank_from": None, "hours": None, "left": None,
    "left_bank": None, "changes": "",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Owed:
    """A seat's answer: what it is about, the event since which it is owed, and until when."""

    seat: Seat
    decision: str
    since: int
    due_at: int | None


def owed(connection: Connection, game: str) -> list[Owed]:
    """What is owed in a game now, by seat."""
    return [Owed(row[0], row[1], row[2], row[3]) for row in _of_game(connection, game=game)]


def asked(table: Table, rules: Rules) -> dict[Seat, str]:
    """Who owes an answer at this table, and to what decision."""
    if table.status != "running":
        return {}
    decision = rules.decider.decision(table.game)
    return dict.fromkeys(rules.decider.awaiting(table.game), decision)


def drop(connection: Connection, game: str, seat: Seat) -> None:
    """The seat owes nothing any more."""
    _delete(connection, game=game, at=seat)


def add(connection: Connection, **row: Any) -> None:
    """A seat owes an answer from now on."""
    _insert(connection, **BEGINNING | row)


def hand_over(connection: Connection, game: str, ended: Seat, **row: Any) -> None:
    """The seat owes nothing any more, and another, or itself, owes this: in one statement."""
    new = {"new_" + name: value for name, value in (BEGINNING | row).items()}
    _hand_over(connection, game=game, at=ended, **new)


def remind_anew(tx: Connection, player: str) -> None:
    """Have it looked at once more when to remind a player of each decision."""
    mine = (decisions.c.player_id == player, decisions.c.remind_at.is_not(None))
    tx.execute(sa.update(decisions).where(*mine).values(remind_at=0))


def claim_expired(connection: Connection, now: int, until: int, most: int) -> list[tuple[str, Seat, int]]:
    """Lease up to `most` decisions whose time is over: (game, seat, since). Nobody else gets them until then."""
    return [(row[0], row[1], row[2]) for row in _claim(connection, now=now, until=until, most=most)]
