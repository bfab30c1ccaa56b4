"""What became of mails, and of messages to webhooks, as pages and checks ask about it."""

from collections.abc import Collection, Mapping
from typing import Final, NamedTuple

import sqlalchemy as sa
from sqlalchemy import bindparam

from domain.engine.game import Seat
from service.store.connection import Connection
from service.store.games import talk_lines
from service.store.outgoing.deliveries import COLUMNS, MAIL, PUSH, WEBHOOK, Delivery, deliveries, notices
from service.store.outgoing.outbox import outbox
from service.store.people.players import players
from service.store.statements import Statement

RANK: Final[Mapping[str, int]] = {WEBHOOK: 0, PUSH: 1, MAIL: 2}
"""Which of two that were made at one moment comes first: mails stand first."""
Place = tuple[int, int, int]
"""Where a page ends: when the last delivery was made, the rank of its channel, its number."""


_superseded: Final = Statement(
    sa.select(sa.func.count()).where(
        deliveries.c.recipient == bindparam("player", type_=sa.String),
        deliveries.c.channel == bindparam("on", type_=sa.String),
        deliveries.c.state == sa.literal_column("'superseded'"),
        deliveries.c.reason.startswith(bindparam("begins", type_=sa.String)),
        deliveries.c.done_at > bindparam("after", type_=sa.BigInteger),
        deliveries.c.done_at <= bindparam("upto", type_=sa.BigInteger),
    )
)


class Mailed(NamedTuple):
    """A mail about an event, for an audit bundle; times in microseconds since 1970 UTC."""

    recipient: str
    kind: str
    version: int
    state: str
    created_at: int
    done_at: int | None


def place_of(delivery: Delivery) -> Place:
    """Where a page ends with this delivery."""
    return delivery.created_at, RANK[delivery.channel], delivery.id


def told_about(
    connection: Connection, game: str, player: str, now: int, before: Place | None, limit: int
) -> list[Delivery]:
    """Up to `limit` deliveries to a player about a game, newest first, from before a place on.

    Mails to their address before they sat down are theirs; of table talk only those about lines that may be seen `now`.
    """
    rank = sa.case(RANK, value=deliveries.c.channel)
    address = sa.select(players.c.email_key).where(players.c.id == player).scalar_subquery()
    unseen = sa.and_(notices.c.kind == talk_lines.KIND, notices.c.decision.not_in(talk_lines.shown_ids(game, now)))
    found = (
        sa.select(*COLUMNS)
        .join(notices, notices.c.id == deliveries.c.notice_id)
        .where(notices.c.game_id == game, notices.c.recipient.in_((player, address)), ~unseen)
        .where(deliveries.c.channel.in_(RANK))
        .order_by(deliveries.c.created_at.desc(), rank.desc(), deliveries.c.id.desc())
    )
    if before is not None:
        found = found.where(sa.tuple_(deliveries.c.created_at, rank, deliveries.c.id) < sa.tuple_(*before))
    return [Delivery(*row) for row in connection.execute(found.limit(limit))]


def count_superseded(connection: Connection, player: str, reason: str, after: int, upto: int) -> int:
    """How many mails to a player were not sent for a reason that begins so, after a moment up to another."""
    found = _superseded(connection, player=player, on=MAIL, begins=reason, after=after, upto=upto)
    return int(found.fetchone()[0])


def mailed_to_seats(connection: Connection, game: str, kinds: Collection[str]) -> list[Mailed]:
    """What of these kinds was mailed to the seats of a game."""
    found = sa.select(*(outbox.c[name] for name in Mailed._fields))
    found = found.where(outbox.c.game_id == game, outbox.c.kind.in_(kinds), outbox.c.seat.is_not(None))
    return [Mailed(*row) for row in connection.execute(found)]


def mail_of(connection: Connection, notice: int) -> Delivery | None:
    """The mail of a notice; None where there is none."""
    found = sa.select(*COLUMNS).join(notices, notices.c.id == deliveries.c.notice_id)
    row = connection.execute(found.where(deliveries.c.notice_id == notice, deliveries.c.channel == MAIL)).first()
    return None if row is None else Delivery(*row)


def number_of(connection: Connection, recipient: str, kind: str, decision: str) -> int:
    """The number of a notice about no game."""
    key = (notices.c.recipient == recipient, notices.c.kind == kind, notices.c.decision == decision)
    return int(connection.execute(sa.select(notices.c.id).where(notices.c.game_id == "", *key)).scalar_one())


def was_told(connection: Connection, recipient: str | None, game: str, kind: str, seat: Seat, but: str) -> bool:
    """Whether a notice of a kind about a seat was made, other than those whose key begins with `but`."""
    told = (notices.c.recipient == recipient, notices.c.game_id == game, notices.c.kind == kind)
    found = sa.select(notices.c.id).where(*told, notices.c.seat == seat, ~notices.c.decision.startswith(but))
    return connection.execute(found.limit(1)).first() is not None
