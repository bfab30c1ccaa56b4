"""Deliveries: each is one notice on one channel, to one target there; leased, tried, settled once.

A delivery is leased, never locked; it is settled by whoever still holds its lease (Q-11).
"""

from typing import Any, Final

import msgspec
import sqlalchemy as sa
from sqlalchemy import bindparam

from service.store.clocks.halted import going
from service.store.connection import Connection
from service.store.outgoing.notice import Notice
from service.store.rows import DeliveryRow, NoticeRow
from service.store.statements import Statement

notices: Final = NoticeRow.__table__  # type: ignore[attr-defined]
deliveries: Final = DeliveryRow.__table__  # type: ignore[attr-defined]
MAIL: Final = "mail"
WEBHOOK: Final = "webhook"
FEED: Final = "feed"
PUSH: Final = "push"
MANY: Final = 10**6
QUEUED: Final[sa.ColumnElement[str]] = sa.literal_column("'queued'")


class Delivery(msgspec.Struct, frozen=True):
    """A delivery with its notice; times in microseconds since 1970 UTC, `log` is JSON."""

    id: int
    notice_id: int
    channel: str
    target: str
    recipient: str
    game_id: str
    kind: str
    decision: str
    seat: int | None
    version: int
    created_at: int
    secret: bytes | None
    state: str
    not_before: int
    lease: str | None
    lease_until: int
    attempts: int
    interrupted: int
    put_off: int | None
    due_at: int | None
    done_at: int | None
    message_id: str | None
    reason: str | None
    body: str | None
    log: str
    request_id: str | None
    replayed_at: int | None

    @property
    def was_due(self) -> int:
        """Since when it has been due, in vain attempts and troubles of its destination included."""
        return self.not_before if self.due_at is None else self.due_at

    def notice(self) -> Notice:
        """The notice, under the number that addresses and Message-IDs are made of."""
        return Notice(
            recipient=self.recipient, kind=self.kind, decision=self.decision, created_at=self.created_at,
            id=self.notice_id, game_id=self.game_id, seat=self.seat, version=self.version, secret=self.secret,
        )  # fmt: skip


OF_NOTICE: Final = ("decision", "seat", "secret", "request_id")
COLUMNS: Final = tuple((notices if name in OF_NOTICE else deliveries).c[name] for name in Delivery.__struct_fields__)
_ALL: Final = sa.select(*COLUMNS).join(notices, notices.c.id == deliveries.c.notice_id)
_read: Final = Statement(_ALL.where(deliveries.c.id == bindparam("row", type_=sa.BigInteger)))
_due: Final = (
    sa.select(deliveries.c.id)
    .where(deliveries.c.channel == bindparam("on", type_=sa.String), deliveries.c.state == QUEUED)
    .where(deliveries.c.target == "", deliveries.c.not_before <= bindparam("now", type_=sa.BigInteger))
    .where(deliveries.c.lease_until <= bindparam("now", type_=sa.BigInteger))
    .where(going(deliveries.c.game_id))
    .order_by(deliveries.c.not_before, deliveries.c.id)
    .limit(bindparam("most", type_=sa.Integer))
    .with_for_update(skip_locked=True)
)
_interrupted: Final = sa.case(
    (deliveries.c.lease.is_not(None), deliveries.c.interrupted + sa.literal_column("1")),
    else_=deliveries.c.interrupted,
)
"""One more where a lease is taken over that nobody gave back."""
_claim: Final = Statement(
    sa.update(deliveries)
    .where(deliveries.c.id.in_(_due))
    .values(
        lease=bindparam("new_lease", type_=sa.String),
        lease_until=bindparam("until", type_=sa.BigInteger),
        interrupted=_interrupted,
    )
    .returning(deliveries.c.id)
)
_is_mine: Final = (
    deliveries.c.id == bindparam("row", type_=sa.BigInteger),
    deliveries.c.lease == bindparam("mine", type_=sa.String),
)
_RELEASED: Final = {"lease": None, "lease_until": 0}
_finish: Final = Statement(
    sa.update(deliveries)
    .where(*_is_mine)
    .values(
        {
            name: bindparam("new_" + name, type_=deliveries.c[name].type)
            for name in ("state", "done_at", "message_id", "reason", "log")
        }
        | {"attempts": deliveries.c.attempts + bindparam("counted", type_=sa.Integer), "put_off": None}
        | _RELEASED
    )
)
_wipe: Final = Statement(
    sa.update(notices).where(notices.c.id == bindparam("row", type_=sa.BigInteger)).values(secret=None)
)
_postpone: Final = Statement(
    sa.update(deliveries)
    .where(*_is_mine)
    .values(
        not_before=bindparam("later", type_=sa.BigInteger),
        reason=bindparam("why", type_=sa.String),
        log=bindparam("new_log", type_=sa.Text),
        attempts=deliveries.c.attempts + bindparam("counted", type_=sa.Integer),
        interrupted=bindparam("times", type_=sa.Integer),
        put_off=bindparam("since", type_=sa.BigInteger),
        due_at=bindparam("was_due", type_=sa.BigInteger),
        **_RELEASED,
    )
)
_renew: Final = Statement(
    sa.update(deliveries).where(*_is_mine).values(lease_until=bindparam("until", type_=sa.BigInteger))
)


def claim(connection: Connection, channel: str, lease: str, now: int, until: int, most: int) -> list[Delivery]:
    """Lease up to `most` deliveries on a channel that are due, for the holder of `lease` until then."""
    claimed = _claim(connection, on=channel, new_lease=lease, now=now, until=until, most=most).fetchall()
    found = of_ids(connection, [row[0] for row in claimed])
    return sorted(found, key=lambda delivery: (delivery.not_before, delivery.id))


def claim_first(connection: Connection, channel: str, target: str, lease: str, now: int, until: int) -> Delivery | None:
    """Lease the first delivery that is due at a target, whose own lease is held. None where nothing is."""
    here = (deliveries.c.channel == channel, deliveries.c.target == target, *waits(now))
    first = sa.select(deliveries.c.id).where(*here).order_by(deliveries.c.not_before, deliveries.c.id).limit(1)
    return claim_one(connection, first, lease, until)


def claim_one(connection: Connection, first: sa.Select[tuple[int]], lease: str, until: int) -> Delivery | None:
    """Lease the delivery whose number is selected. None where that selects nothing."""
    leased = {"lease": lease, "lease_until": until, "interrupted": _interrupted}
    claimed = sa.update(deliveries).where(deliveries.c.id.in_(first)).values(**leased).returning(deliveries.c.id)
    return next(iter(of_ids(connection, list(connection.execute(claimed).scalars()))), None)


def waits(now: int) -> tuple[sa.ColumnElement[bool], ...]:
    """Holds for deliveries that are due."""
    return deliveries.c.state == QUEUED, deliveries.c.not_before <= now, going(deliveries.c.game_id)


def of_ids(connection: Connection, ids: list[int]) -> list[Delivery]:
    """Deliveries by their numbers."""
    if len(ids) == 1:
        return [Delivery(*row) for row in _read(connection, row=ids[0]).fetchall()]
    return [Delivery(*row) for row in connection.execute(_ALL.where(deliveries.c.id.in_(ids)))] if ids else []


def finish(
    connection: Connection, delivery: Delivery, state: str, now: int, *, message_id: str | None, reason: str | None,
    log: str | None = None, counts: bool = True,
) -> bool:  # fmt: skip
    """Settle a delivery; where it does not `count`, it was not tried. False where the lease was lost (Q-11)."""
    settled = {"new_state": state, "new_done_at": now, "new_message_id": message_id, "new_reason": reason}
    kept = delivery.log if log is None else log
    done = _finish(connection, row=delivery.id, mine=delivery.lease, new_log=kept, counted=int(counts), **settled)
    if done.rowcount == 1 and delivery.channel == MAIL and delivery.secret is not None:
        _wipe(connection, row=delivery.notice_id)
    return bool(done.rowcount == 1)


def put_off(
    connection: Connection, delivery: Delivery, later: int, why: str, now: int, *, log: str | None = None
) -> bool:
    """Note an attempt in vain, and try a delivery again later. False where the lease was lost."""
    return _wait(connection, delivery, later, why, log, counted=1, times=0, since=now, was_due=delivery.was_due)


def hold_back(
    connection: Connection, delivery: Delivery, until: int, why: str, *, log: str | None = None, interrupted: int = 0,
    is_due: bool = False,
) -> bool:  # fmt: skip
    """Look at a delivery again then: this was no attempt. False where the lease was lost.

    It `is_due` all the while where nothing but its destination holds it up.
    """
    was_due = delivery.was_due if is_due else None
    return _wait(
        connection, delivery, until, why, log, counted=0, times=interrupted, since=None, was_due=was_due
    )  # fmt: skip


def _wait(connection: Connection, delivery: Delivery, later: int, why: str, log: str | None, **noted: Any) -> bool:
    kept = delivery.log if log is None else log
    held = {"row": delivery.id, "mine": delivery.lease, "later": later, "why": why, "new_log": kept}
    return bool(_postpone(connection, **held, **noted).rowcount == 1)


def release(
    connection: Connection, channel: str, now: int, *, since: int = 0, most_attempts: int = MANY,
    target: str | None = "",
) -> int:  # fmt: skip
    """Let deliveries to a target, None for any, that were put off since then go at once, but those tried more often.
    How many."""
    waits_in_vain = (deliveries.c.put_off >= since, deliveries.c.not_before > now)
    here = [deliveries.c.channel == channel, deliveries.c.state == QUEUED]
    here += [] if target is None else [deliveries.c.target == target]
    mine = (*here, deliveries.c.attempts <= most_attempts)
    return connection.execute(sa.update(deliveries).where(*mine, *waits_in_vain).values(not_before=now)).rowcount


def renew(connection: Connection, delivery: Delivery, until: int) -> bool:
    """Hold a lease until then. False where it was lost."""
    return bool(_renew(connection, row=delivery.id, mine=delivery.lease, until=until).rowcount == 1)


def void_leases(connection: Connection) -> int:
    """End the leases of holders who are known to be dead; they count as lost. How many."""
    held = (deliveries.c.state == QUEUED, deliveries.c.lease_until > 0)
    return connection.execute(sa.update(deliveries).where(*held).values(lease_until=0)).rowcount


def keep_body(connection: Connection, delivery: Delivery, body: str) -> bool:
    """Keep what is sent before it is first sent. False where the lease was lost."""
    mine = (deliveries.c.id == delivery.id, deliveries.c.lease == delivery.lease)
    return connection.execute(sa.update(deliveries).where(*mine).values(body=body)).rowcount == 1


def mark_bounced(connection: Connection, notice: int, reason: str) -> bool:
    """Note that the mail of a notice, which was sent, did not arrive. False where it was not sent, or that is known."""
    back = sa.update(deliveries).where(*_sent_mail(notice)).values(state="bounced", reason=reason)
    return connection.execute(back).rowcount == 1


def note_report(connection: Connection, notice: int, reason: str, *, replaces: bool) -> bool:
    """Note what was reported of the mail of a notice after it was sent. False where that is known.

    A report is the first one, or `replaces` another one.
    """
    new = deliveries.c.reason.is_distinct_from(reason) if replaces else deliveries.c.reason.is_(None)
    reported = sa.update(deliveries).where(*_sent_mail(notice), new).values(reason=reason)
    return connection.execute(reported).rowcount == 1


def _sent_mail(notice: int) -> tuple[sa.ColumnElement[bool], ...]:
    return deliveries.c.notice_id == notice, deliveries.c.channel == MAIL, deliveries.c.state == "sent"
