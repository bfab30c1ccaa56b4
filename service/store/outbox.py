"""The outbox: what must be told to whom. Written with the events that cause it, sent by the workers."""

from collections.abc import Mapping, Sequence
from typing import Any, Final

import sqlalchemy as sa
from sqlalchemy import Connection, bindparam

from service.store import webhooks
from service.store.database import Statement
from service.store.halted import going
from service.store.rows import OutboxRow

outbox: Final = OutboxRow.__table__  # type: ignore[attr-defined]
Row = Mapping[str, Any]
TOLD_WITH: Final = "told in the answer to mail "

_COLUMNS: Final = (
    "recipient", "game_id", "kind", "decision", "seat", "version", "state", "not_before", "created_at", "secret",
)  # fmt: skip
_insert: Final = Statement(
    sa.insert(outbox).values(
        {name: bindparam(name, type_=outbox.c[name].type) for name in _COLUMNS} | {"lease_until": 0, "attempts": 0}
    )
)
_picked: Final = (
    sa.select(outbox.c.id)
    .where(outbox.c.state == "queued", outbox.c.not_before <= bindparam("now", type_=sa.BigInteger))
    .where(outbox.c.lease_until <= bindparam("now", type_=sa.BigInteger))
    .where(going(outbox.c.game_id))
    .order_by(outbox.c.not_before, outbox.c.id)
    .limit(bindparam("most", type_=sa.Integer))
    .with_for_update(skip_locked=True)
)
_claim: Final = Statement(
    sa.update(outbox)
    .where(outbox.c.id.in_(_picked))
    .values(
        lease=bindparam("new_lease", type_=sa.String),
        lease_until=bindparam("until", type_=sa.BigInteger),
        attempts=outbox.c.attempts + 1,
    )
    .returning(*outbox.c)
)
_finish: Final = Statement(
    sa.update(outbox)
    .where(outbox.c.id == bindparam("row", type_=sa.BigInteger), outbox.c.lease == bindparam("mine", type_=sa.String))
    .values(
        {
            name: bindparam("new_" + name, type_=outbox.c[name].type)
            for name in ("state", "done_at", "message_id", "reason")
        }
        | {"lease": None, "lease_until": 0, "secret": None}
    )
)
_hold: Final = Statement(
    sa.update(outbox)
    .where(outbox.c.id == bindparam("row", type_=sa.BigInteger), outbox.c.lease == bindparam("mine", type_=sa.String))
    .values(
        not_before=bindparam("later", type_=sa.BigInteger),
        reason=bindparam("why", type_=sa.String),
        attempts=outbox.c.attempts - 1,
        lease=None,
        lease_until=0,
    )
)
_postpone: Final = Statement(
    sa.update(outbox)
    .where(outbox.c.id == bindparam("row", type_=sa.BigInteger), outbox.c.lease == bindparam("mine", type_=sa.String))
    .values(
        not_before=bindparam("later", type_=sa.BigInteger),
        reason=bindparam("why", type_=sa.String),
        lease=None,
        lease_until=0,
    )
)


def put(connection: Connection, rows: Sequence[Mapping[str, Any]]) -> None:
    """Add notices, and what webhooks are told of them.

    Each needs recipient, kind, decision, created_at; the unique key refuses a second of the same.
    """
    filled: dict[str, Any] = {"game_id": "", "seat": None, "version": 0, "state": "queued", "secret": None}
    notices = [{**filled, "not_before": row["created_at"], **row} for row in rows]
    _insert.each(connection, notices)
    webhooks.tell(connection, notices)


def claim(connection: Connection, lease: str, now: int, until: int, most: int) -> list[dict[str, Any]]:
    """Lease up to `most` notices that are due, for the holder of `lease` until then."""
    columns = outbox.c.keys()
    found = _claim(connection, new_lease=lease, now=now, until=until, most=most).fetchall()
    rows = [dict(zip(columns, row, strict=True)) for row in found]
    return sorted(rows, key=lambda row: (row["not_before"], row["id"]))


def finish(
    connection: Connection,
    row: int,
    lease: str,
    state: str,
    now: int,
    *,
    message_id: str | None = None,
    reason: str | None = None,
) -> bool:
    """Settle a notice. False where the lease was lost: somebody else has it now (Q-11)."""
    settled = {"new_state": state, "new_done_at": now, "new_message_id": message_id, "new_reason": reason}
    done = _finish(connection, row=row, mine=lease, **settled)
    return bool(done.rowcount == 1)


def postpone(connection: Connection, row: int, lease: str, later: int, why: str) -> bool:
    """Try a notice again later. False where the lease was lost."""
    return bool(_postpone(connection, row=row, mine=lease, later=later, why=why).rowcount == 1)


def hold(connection: Connection, row: int, lease: str, later: int, why: str) -> bool:
    """Send a notice later that could be sent now: that was no attempt. False where the lease was lost."""
    return bool(_hold(connection, row=row, mine=lease, later=later, why=why).rowcount == 1)


def state_of(connection: Connection, notice: Mapping[str, Any]) -> str | None:
    """What has become of the notice with this key; None where there is none."""
    found = sa.select(outbox.c.state).where(*_same(notice))
    state: str | None = connection.execute(found).scalar()
    return state


def put_again(connection: Connection, notice: Mapping[str, Any]) -> None:
    """A notice that was superseded, so never sent, is true again."""
    anew = {"state": "queued", "attempts": 0, "done_at": None, "reason": None, "not_before": notice["created_at"]}
    again = sa.update(outbox).where(*_same(notice), outbox.c.state == "superseded")
    connection.execute(again.values(**{name: notice[name] for name in ("version", "created_at")}, **anew))
    webhooks.tell_again(connection, notice)


def told_with(
    connection: Connection, recipient: str, game: str, since: int, mail: int, kind: str = "your-turn"
) -> None:
    """The answer to a mail tells of this decision as well: one mail is enough (RATE-06)."""
    mine = (outbox.c.recipient == recipient, outbox.c.game_id == game, outbox.c.kind == kind)
    queued = (outbox.c.decision == str(since), outbox.c.state == "queued", outbox.c.lease.is_(None))
    connection.execute(sa.update(outbox).where(*mine, *queued).values(state="superseded", reason=f"{TOLD_WITH}{mail}"))


def notice_of(connection: Connection, recipient: str, game: str, since: int) -> tuple[str, int | None, int] | None:
    """How the notice of a decision fared, be it one of its own or the answer to a mail: state, when settled, and not
    before when it is sent."""
    found = sa.select(outbox.c.state, outbox.c.done_at, outbox.c.reason, outbox.c.not_before).where(
        outbox.c.recipient == recipient, outbox.c.game_id == game
    )
    row = connection.execute(found.where(outbox.c.kind == "your-turn", outbox.c.decision == str(since))).first()
    if row is not None and row[0] == "superseded" and (row[2] or "").startswith(TOLD_WITH):
        mail = row[2].removeprefix(TOLD_WITH)
        row = connection.execute(found.where(outbox.c.kind == "answer", outbox.c.decision == mail)).first()
    return None if row is None else (row[0], row[1], row[3])


def _same(notice: Mapping[str, Any]) -> list[sa.ColumnElement[bool]]:
    return [outbox.c[name] == notice[name] for name in ("recipient", "game_id", "kind", "decision")]
