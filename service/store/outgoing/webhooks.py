"""Webhooks, and the messages that each is to be sent: written with the notices, leased a webhook at a time.

A webhook has one message under way at most, and the least recently served comes first: one that hangs or is flooded
costs the others nothing.
"""

from typing import Any, Final, NamedTuple

import msgspec
import sqlalchemy as sa

from service.kernel import request_ids
from service.store import records
from service.store.connection import Connection
from service.store.outgoing import deliveries as queue
from service.store.outgoing.deliveries import COLUMNS, WEBHOOK, Delivery, deliveries, notices, waits
from service.store.outgoing.routes import PING
from service.store.people.players import players
from service.store.rows import EventRow, GameRow, WebhookRow

webhooks: Final = WebhookRow.__table__  # type: ignore[attr-defined]
_games: Final = GameRow.__table__  # type: ignore[attr-defined]
_events: Final = EventRow.__table__  # type: ignore[attr-defined]


class Webhook(msgspec.Struct, frozen=True):
    """A row of the webhooks; times in microseconds since 1970 UTC."""

    id: str
    player_id: str
    sealed: bytes
    old_until: int | None
    state: str
    reason: str
    created_at: int
    failures: int
    failing_since: int | None
    not_before: int
    lease: str | None
    lease_until: int
    kinds: str | None


class Message(NamedTuple):
    """A message to a webhook, as it is looked for to be sent again; times in microseconds since 1970 UTC."""

    id: int
    game_id: str
    kind: str
    created_at: int
    state: str
    replayed_at: int | None
    decision: str
    is_kept: bool  # whether the body that was sent is


_COLUMNS: Final = records.columns(Webhook, webhooks)
_OTHER: Final = frozenset({"notice_id", "channel", "secret", "message_id"})
_MINE: Final[tuple[sa.ColumnElement[bool], ...]] = (
    deliveries.c.channel == sa.literal_column(f"'{WEBHOOK}'"),
    sa.literal_column("target <> ''"),
)
_RENAMED: Final = {"target": "hook_id", "recipient": "player_id"}
messages: Final = (
    sa.select(
        *(column.label(_RENAMED.get(column.name, column.name)) for column in COLUMNS if column.name not in _OTHER)
    )
    .join(notices, notices.c.id == deliveries.c.notice_id)
    .where(*_MINE)
    .subquery("webhook_messages")
)
"""Deliveries to webhooks, as their owner is shown them."""


def take(connection: Connection, lease: str, now: int, until: int) -> Delivery | None:
    """Lease the webhook served longest ago to which something is due, with the first message due, until then.

    None where nothing is due, or it was deleted at this very moment.
    """
    due = sa.select(deliveries.c.target).where(_MINE[0], *waits(now))
    free = (
        sa.select(webhooks.c.id)
        .where(webhooks.c.state == "on", webhooks.c.not_before <= now, webhooks.c.lease_until <= now)
        .where(webhooks.c.id.in_(due))
        .order_by(webhooks.c.lease_until, webhooks.c.id)
        .limit(1)
        .with_for_update(skip_locked=True)
    )
    mine = sa.update(webhooks).where(webhooks.c.id.in_(free)).values(lease=lease, lease_until=until)
    webhook = records.first(connection, Webhook, mine.returning(*_COLUMNS))
    if webhook is None:
        return None
    return queue.claim_first(connection, WEBHOOK, webhook.id, lease, now, until)


def of_id(connection: Connection, webhook: str) -> Webhook | None:
    """A webhook by its id; None where it was deleted."""
    return records.first(connection, Webhook, sa.select(*_COLUMNS).where(webhooks.c.id == webhook))


def hold(connection: Connection, webhook: str, lease: str | None) -> Webhook | None:
    """A webhook as it is now, for nobody else to change; None where the lease was lost (Q-11)."""
    found = sa.select(*_COLUMNS).where(webhooks.c.id == webhook, webhooks.c.lease == lease)
    return records.first(connection, Webhook, found.with_for_update())


def renew(connection: Connection, webhook: str, lease: str | None, until: int) -> bool:
    """Hold a lease until then. False where it was lost."""
    mine = (webhooks.c.id == webhook, webhooks.c.lease == lease)
    return connection.execute(sa.update(webhooks).where(*mine).values(lease_until=until)).rowcount == 1


def void_leases(connection: Connection, now: int) -> None:
    """End the leases of holders who are known to be dead."""
    held = (webhooks.c.lease.is_not(None), webhooks.c.lease_until > now)
    connection.execute(sa.update(webhooks).where(*held).values(lease=None, lease_until=now))


def give_back(connection: Connection, webhook: str, now: int, **changes: Any) -> None:
    """End a lease that is held, and note what came of it."""
    mine = sa.update(webhooks).where(webhooks.c.id == webhook)
    connection.execute(mine.values(lease=None, lease_until=now, **changes))


def drop(connection: Connection, webhook: str, now: int, reason: str) -> None:
    """Nothing that waits is told to this webhook any more."""
    waiting = (*_MINE, deliveries.c.target == webhook, deliveries.c.state == queue.QUEUED)
    connection.execute(sa.update(deliveries).where(*waiting).values(state="failed", done_at=now, reason=reason))


def add(connection: Connection, webhook: str, player: str, sealed: bytes, now: int, kinds: str | None) -> None:
    """A new webhook of a player, which is on."""
    row = {"id": webhook, "player_id": player, "sealed": sealed, "created_at": now, "kinds": kinds}
    fresh = {"state": "on", "reason": "", "failures": 0, "not_before": 0, "lease_until": 0}
    connection.execute(sa.insert(webhooks).values(**row, **fresh))


def of_player(connection: Connection, player: str) -> list[Webhook]:
    """A player's webhooks, oldest first."""
    found = sa.select(*_COLUMNS).where(webhooks.c.player_id == player).order_by(webhooks.c.created_at, webhooks.c.id)
    return list(records.every(connection, Webhook, found))


def lock_owner(connection: Connection, player: str) -> None:
    """Let nobody else add a webhook of this player until the transaction ends."""
    connection.execute(sa.select(players.c.id).where(players.c.id == player).with_for_update())


def exists(connection: Connection, player: str, webhook: str) -> bool:
    """Whether a player has a webhook with this id."""
    return connection.execute(sa.select(webhooks.c.id).where(*_is(player, webhook))).first() is not None


def lock(connection: Connection, player: str, webhook: str) -> Webhook | None:
    """A player's webhook, for nobody else to change; None where the player has none with this id."""
    found = sa.select(*_COLUMNS).where(*_is(player, webhook))
    return records.first(connection, Webhook, found.with_for_update())


def change(connection: Connection, webhook: str, **changes: Any) -> None:
    """Change columns of a webhook."""
    connection.execute(sa.update(webhooks).where(webhooks.c.id == webhook).values(**changes))


def delete(connection: Connection, player: str, webhook: str) -> bool:
    """Delete a webhook, and what waits to be told to it. False where the player has none with this id."""
    if connection.execute(sa.delete(webhooks).where(*_is(player, webhook))).rowcount != 1:
        return False
    waiting = (*_MINE, deliveries.c.target == webhook, deliveries.c.state == "queued")
    connection.execute(sa.delete(deliveries).where(*waiting))
    _delete_pings(connection, player)
    return True


def add_ping(
    connection: Connection, target: str, player: str, decision: str, now: int, channel: str = WEBHOOK
) -> Delivery:
    """A ping that is due at a webhook or device at once; `decision` tells it from others."""
    same = {"recipient": player, "game_id": "", "kind": PING, "version": 0, "created_at": now}
    own = {"decision": decision, "request_id": request_ids.current()}
    made = sa.insert(notices).values(**same, **own).returning(notices.c.id)
    queued = {"state": "queued", "not_before": now, "lease_until": 0, "attempts": 0, "interrupted": 0, "log": "[]"}
    number = connection.execute(made).scalar_one()
    ping = sa.insert(deliveries).values(notice_id=number, channel=channel, target=target, **same, **queued)
    return queue.of_ids(connection, [connection.execute(ping.returning(deliveries.c.id)).scalar_one()])[0]


def count_pings(connection: Connection, player: str, since: int) -> int:
    """How many pings were sent for a player since then."""
    lately = (*_is_ping(player), deliveries.c.created_at > since)
    found = sa.select(sa.func.count()).join(notices, notices.c.id == deliveries.c.notice_id).where(*lately)
    return int(connection.execute(found).scalar_one())


def messages_to(connection: Connection, webhook: str, before: int | None, limit: int) -> list[Delivery]:
    """Up to `limit` messages to a webhook, newest first, from before that number on."""
    found = sa.select(*COLUMNS).join(notices, notices.c.id == deliveries.c.notice_id)
    found = found.where(*_MINE, deliveries.c.target == webhook).order_by(deliveries.c.id.desc())
    if before is not None:
        found = found.where(deliveries.c.id < before)
    return [Delivery(*row) for row in connection.execute(found.limit(limit))]


def past_messages(connection: Connection, webhook: str) -> list[Message]:
    """All messages to a webhook that are kept."""
    names = ("id", "game_id", "kind", "created_at", "state", "replayed_at")
    is_kept = deliveries.c.body.is_not(None)
    found: sa.Select[Any] = sa.select(*(deliveries.c[name] for name in names), notices.c.decision, is_kept)
    found = found.join(notices, notices.c.id == deliveries.c.notice_id).where(*_MINE, deliveries.c.target == webhook)
    return [Message(*row) for row in connection.execute(found)]


def send_again(connection: Connection, message: int, now: int) -> None:
    """Queue a message that is settled once more, with all the attempts of a new one."""
    fresh = {"state": queue.QUEUED, "not_before": now, "attempts": 0, "interrupted": 0, "replayed_at": now}
    unsettled = dict.fromkeys(("done_at", "reason", "put_off", "due_at"))
    connection.execute(sa.update(deliveries).where(deliveries.c.id == message).values(**fresh, **unsettled))


def forget_player(connection: Connection, player: str) -> None:
    """Delete everything about a player's webhooks (S-50)."""
    forget_messages_of(connection, player)
    connection.execute(sa.delete(webhooks).where(webhooks.c.player_id == player))


def forget_messages_of(connection: Connection, player: str) -> int:
    """Delete all messages to a player's webhooks, and on any channel but mail. How many."""
    theirs = (deliveries.c.channel != queue.MAIL, deliveries.c.recipient == player)
    deleted = connection.execute(sa.delete(deliveries).where(*theirs)).rowcount
    _delete_pings(connection, player)
    return deleted


def forget_messages(connection: Connection, until: int, most: int) -> None:
    """Delete up to `most` messages, to devices as well, that were made before then."""
    old = sa.select(deliveries.c.id, deliveries.c.recipient, deliveries.c.kind)
    old = old.where(_MINE[1], deliveries.c.created_at < until).order_by(deliveries.c.created_at).limit(most)
    found = connection.execute(old).all()
    connection.execute(sa.delete(deliveries).where(deliveries.c.id.in_([row.id for row in found])))
    for player in {row.recipient for row in found if row.kind == PING}:
        _delete_pings(connection, player)


def _delete_pings(connection: Connection, player: str) -> None:
    """Delete the pings of a player that are delivered nowhere any more."""
    delivered = sa.exists().where(deliveries.c.notice_id == notices.c.id)
    connection.execute(sa.delete(notices).where(*_is_ping(player), ~delivered))


def _is_ping(player: str) -> tuple[sa.ColumnElement[bool], ...]:
    return notices.c.recipient == player, notices.c.game_id == "", notices.c.kind == PING


def rotated(connection: Connection, now: int, most: int) -> list[Webhook]:
    """Up to `most` webhooks, locked, whose old secret signs no more."""
    found = sa.select(*_COLUMNS).where(webhooks.c.old_until <= now).limit(most).with_for_update(skip_locked=True)
    return list(records.every(connection, Webhook, found))


def ruleset_and_hash(connection: Connection, game: str, version: int) -> tuple[str, str]:
    """The ruleset of a game, and the hash of one of its events, as a message tells them."""
    this = (_events.c.game_id == game, _events.c.version == version)
    found = sa.select(_games.c.ruleset, _events.c.hash).join(_events, _events.c.game_id == _games.c.id).where(*this)
    row = connection.execute(found).one()
    return row[0], row[1]


def _is(player: str, webhook: str) -> tuple[sa.ColumnElement[bool], ...]:
    return webhooks.c.id == webhook, webhooks.c.player_id == player
