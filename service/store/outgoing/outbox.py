"""The outbox: notices and their deliveries. Written with the events that cause them, sent by the workers."""

from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any, Final

import sqlalchemy as sa
from sqlalchemy import bindparam

from service.kernel import request_ids
from service.store.connection import Connection
from service.store.outgoing.deliveries import MAIL, QUEUED, deliveries, notices
from service.store.outgoing.routes import ROUTES, Route
from service.store.statements import Statement

KEY: Final = ("recipient", "game_id", "kind", "decision")
OF_NOTICE: Final = ("id", *KEY, "seat", "version", "created_at", "secret")
OF_MAIL: Final = (
    "state", "not_before", "lease", "lease_until", "attempts", "done_at", "message_id", "reason", "told_in",
)  # fmt: skip
_PUT: Final = (*OF_NOTICE[1:], "request_id")
_IS_MAIL: Final = deliveries.c.channel == sa.literal_column(f"'{MAIL}'")
outbox: Final = (
    sa.select(*(notices.c[name] for name in OF_NOTICE), *(deliveries.c[name] for name in OF_MAIL))
    .join(deliveries, deliveries.c.notice_id == notices.c.id)
    .where(_IS_MAIL, deliveries.c.recipient == notices.c.recipient)  # so that what was done to somebody is found, too
    .subquery("outbox")
)
"""Notices with what became of their mails."""

_adding: Final = sa.insert(notices).values({name: bindparam(name, type_=notices.c[name].type) for name in _PUT})
_insert: Final = Statement(_adding)
_this: Final = tuple(notices.c[name] == bindparam(name, type_=sa.String) for name in KEY)
_COPIED: Final = ("recipient", "game_id", "kind", "version", "created_at")
_QUEUED_AT: Final = ("state", "not_before")
_FRESH: Final[dict[str, sa.ColumnElement[Any]]] = {
    "lease_until": sa.literal_column("0"),
    "attempts": sa.literal_column("0"),
    "interrupted": sa.literal_column("0"),
    "log": sa.literal_column("'[]'"),
}


def put(connection: Connection, rows: Sequence[Mapping[str, Any]]) -> None:
    """Add notices, and queue each on its channels.

    Each needs recipient, kind, decision, created_at; the unique key refuses a second of the same. State and not_before
    are those of its mail.
    """
    filled: dict[str, Any] = {"game_id": "", "seat": None, "version": 0, "state": "queued", "secret": None}
    filled["request_id"] = request_ids.current()
    made = [{**filled, "not_before": row["created_at"], **row} for row in rows]
    if connection.dialect.name == "sqlite":
        _insert.each(connection, made)
        _queue(tuple(ROUTES.items())).each(connection, made)
    else:
        _put_and_queue(tuple(ROUTES.items())).each(connection, made)


def put_on(connection: Connection, channel: str, notice: Mapping[str, Any]) -> None:
    """Queue a notice that was made before on a channel to targets that are new there."""
    _queue(((channel, ROUTES[channel]),))(connection, **notice)


def state_of(connection: Connection, notice: Mapping[str, Any]) -> str | None:
    """What has become of the mail of the notice with this key; None where there is none."""
    found = sa.select(outbox.c.state).where(*(outbox.c[name] == notice[name] for name in KEY))
    state: str | None = connection.execute(found).scalar()
    return state


def put_again(connection: Connection, notice: Mapping[str, Any]) -> None:
    """A notice that was superseded, so never sent, is true again.

    Other channels tell it again, too, unless they have told it or are about to.
    """
    number = sa.select(notices.c.id).where(*(notices.c[name] == notice[name] for name in KEY)).scalar_subquery()
    anew = {name: notice[name] for name in ("version", "created_at")}
    here = {"request_id": request_ids.current()}
    mail = (deliveries.c.notice_id == number, _IS_MAIL, deliveries.c.state == "superseded")
    fresh = {"state": "queued", "attempts": 0, "done_at": None, "reason": None, "told_in": None, "due_at": None}
    again = sa.update(deliveries).where(*mail)
    if connection.execute(again.values(**anew, **fresh, not_before=notice["created_at"])).rowcount:
        connection.execute(sa.update(notices).where(notices.c.id == number).values(**anew, **here))
    for channel, route in ROUTES.items():
        if channel != MAIL and not _is_told(connection, channel, route, notice["recipient"], number):
            _queue(((channel, route),))(connection, **notice)


def tell_in_answer(
    connection: Connection, recipient: str, game: str, since: int, mail: int, kind: str = "your-turn"
) -> None:
    """The answer to a mail tells of this decision as well: one mail is enough (RATE-06)."""
    key = {"recipient": recipient, "game_id": game, "kind": kind, "decision": str(since)}
    number = sa.select(notices.c.id).where(*(notices.c[name] == value for name, value in key.items()))
    free = (_IS_MAIL, deliveries.c.state == "queued", deliveries.c.lease.is_(None))
    told = {"state": "superseded", "reason": f"told in the answer to mail {mail}", "told_in": mail}
    mine = deliveries.c.notice_id == number.scalar_subquery()
    connection.execute(sa.update(deliveries).where(mine, *free).values(**told))


def notice_of(connection: Connection, recipient: str, game: str, since: int) -> tuple[str, int | None, int] | None:
    """How the mail about a decision fared, be it one of its own or the answer to a mail: state, when settled, and not
    before when it is sent."""
    found = sa.select(outbox.c.state, outbox.c.done_at, outbox.c.told_in, outbox.c.not_before).where(
        outbox.c.recipient == recipient, outbox.c.game_id == game
    )
    row = connection.execute(found.where(outbox.c.kind == "your-turn", outbox.c.decision == str(since))).first()
    if row is not None and row.state == "superseded" and row.told_in is not None:
        row = connection.execute(found.where(outbox.c.kind == "answer", outbox.c.decision == str(row.told_in))).first()
    return None if row is None else (row.state, row.done_at, row.not_before)


def delete_settled(connection: Connection, recipient: str, kind: str, *, late: bool) -> bool:
    """Delete the notices of a kind to somebody whose mail is settled, and those that wait if it is too `late`. Whether
    one still waits."""
    mine = sa.select(outbox.c.id).where(outbox.c.recipient == recipient, outbox.c.kind == kind)
    found = connection.execute(mine if late else mine.where(outbox.c.state != "queued")).scalars().all()
    connection.execute(sa.delete(deliveries).where(deliveries.c.notice_id.in_(found)))
    connection.execute(sa.delete(notices).where(notices.c.id.in_(found)))
    return connection.execute(mine.limit(1)).first() is not None


def empty_notices(connection: Connection, player: str, address: str, kept: str, reason: str, now: int) -> int:
    """Forget what notices to an erased person say of them. How many mails were deleted.

    Of mails only those about games stay, as part of what was announced there: without what mail servers said, which may
    quote an address. What waits is not sent, but a mail of the kind that is `kept`.
    """
    mine = (deliveries.c.recipient == player, deliveries.c.game_id != "", _IS_MAIL)
    ended = sa.update(deliveries).where(*mine, deliveries.c.state == "queued")
    connection.execute(ended.values(state="superseded", done_at=now))
    why = sa.case((deliveries.c.state == "superseded", reason), else_=None)
    connection.execute(
        sa.update(deliveries).where(*mine).values(reason=why, lease=None, lease_until=0, message_id=None)
    )
    about_games = (notices.c.recipient == player, notices.c.game_id != "")
    connection.execute(sa.update(notices).where(*about_games).values(secret=None))
    named = sa.and_(notices.c.recipient == address, notices.c.recipient != "")
    about_none = sa.and_(notices.c.recipient == player, notices.c.game_id == "", notices.c.kind != kept)
    gone = connection.execute(sa.select(notices.c.id).where(sa.or_(named, about_none))).scalars().all()
    mails = connection.execute(sa.delete(deliveries).where(deliveries.c.notice_id.in_(gone), _IS_MAIL)).rowcount
    connection.execute(sa.delete(notices).where(notices.c.id.in_(gone)))
    return mails


@cache
def _queue(routes: tuple[tuple[str, Route], ...]) -> Statement:
    """A statement that queues the notice with a key on channels."""
    return Statement(_queuing(sa.union_all(*(_queued_on(*route, notices).where(*_this) for route in routes))))


@cache
def _put_and_queue(routes: tuple[tuple[str, Route], ...]) -> Statement:
    """A statement of PostgreSQL that adds a notice and queues it on channels."""
    made = _adding.returning(*(notices.c[name] for name in ("id", *_COPIED))).cte("made")
    return Statement(_queuing(sa.union_all(*(_queued_on(*route, made) for route in routes))))


def _queuing(queued: sa.CompoundSelect[Any]) -> sa.Insert:
    names = ("notice_id", "channel", "target", *_COPIED, *_QUEUED_AT, *_FRESH)
    return sa.insert(deliveries).from_select(list(names), queued)


def _queued_on(channel: str, route: Route, made: sa.FromClause) -> sa.Select[Any]:
    """A row of the deliveries for each target of a channel, for each of the notices `made`."""
    at = (QUEUED, made.c.created_at)
    if channel == MAIL:
        at = tuple(bindparam(name, type_=deliveries.c[name].type) for name in _QUEUED_AT)  # type: ignore[assignment]
    targets = None if route.targets is None else route.targets.subquery("targets")
    target = sa.literal_column("''") if targets is None else targets.c.target
    name: sa.ColumnElement[str] = sa.literal_column(f"'{channel}'")
    found = sa.select(made.c.id, name, target, *(made.c[column] for column in _COPIED), *at, *_FRESH.values())
    if targets is not None:
        found = found.join(targets, targets.c.player_id == made.c.recipient)
    if route.kinds is not None:
        kinds: list[sa.ColumnElement[str]] = [sa.literal_column(f"'{kind}'") for kind in sorted(route.kinds)]
        found = found.where(made.c.kind.in_(kinds))
    if targets is not None and route.chosen:
        found = found.where(_takes(targets.c.kinds, made.c.kind))
    return found


def _takes(chosen: sa.ColumnElement[str | None], kind: sa.ColumnElement[str]) -> sa.ColumnElement[bool]:
    """Whether a kind is among those that a target has chosen, between blanks."""
    blank: sa.ColumnElement[str] = sa.literal_column("' '")
    listed = blank + chosen + blank
    without = sa.func.replace(listed, blank + kind + blank, blank)  # each database finds a text in a text its own way
    return sa.or_(chosen.is_(None), without != listed)


def _is_told(connection: Connection, channel: str, route: Route, recipient: str, notice: Any) -> bool:
    """Whether a channel has told a notice at a target that is still there, or is about to."""
    told = (deliveries.c.notice_id == notice, deliveries.c.channel == channel, deliveries.c.state != "superseded")
    found = sa.select(deliveries.c.id).where(*told)
    if route.targets is not None:
        targets = route.targets.subquery("targets")
        mine = sa.select(targets.c.target).where(targets.c.player_id == recipient)
        found = found.where(deliveries.c.target.in_(mine))
    return connection.execute(found.limit(1)).first() is not None
