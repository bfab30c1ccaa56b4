"""Digests: one mail over all games of a player, in the morning, for who wants it (RATE-06)."""

from collections.abc import Mapping
from datetime import date
from itertools import count
from typing import Any, Final

import sqlalchemy as sa
from sqlalchemy import Connection

from service.clocks.hours import Hours
from service.container import Services
from service.kernel.clock import moment
from service.kernel.zones import first_shown, zone
from service.notify.quiet_hours import waking
from service.store.mutes import mutes
from service.store.outbox import outbox, put, state_of
from service.store.players import NO_DIGEST, TO_BE_PLANNED, players, seats
from service.store.streams import games

KIND: Final = "digest"
WEEKLY: Final = "weekly"
FREQUENCIES: Final = ("daily", WEEKLY)
BATCH: Final = 50
MONDAY: Final = 0

Row = Mapping[str, Any]


def plan(services: Services, tx: Connection) -> int:
    """Make up to BATCH digests that are due, where anything happened, and set when the next of each is. How many
    players were looked at."""
    now = services.database.clock.now(tx)
    due = sa.select(players).where(players.c.digest_at <= now).order_by(players.c.digest_at, players.c.id).limit(BATCH)
    rows = [dict(row) for row in tx.execute(due.with_for_update(skip_locked=True)).mappings()]
    for row in rows:
        hours = waking(row["timezone"], row["wakes_at"])
        following = next_morning(hours, now, weekly=row["digest"] == WEEKLY)
        planned = {"digest_at": following, "digest_since": row["digest_since"] or now}
        tx.execute(sa.update(players).where(players.c.id == row["id"]).values(**planned))
        if row["digest_at"] != TO_BE_PLANNED and _has_news(tx, row, now):
            _make(tx, row["id"], hours, now)
    return len(rows)


def next_morning(hours: Hours, now: int, *, weekly: bool) -> int:
    """When a player next wakes up, or does so on a Monday."""
    today = moment(now).astimezone(zone(hours.zone)).toordinal()
    mornings = (
        hours.awake_from(first_shown(hours.zone, day, hours.wakes or 0))
        for day in count(today)
        if not weekly or date.fromordinal(day).weekday() == MONDAY
    )
    return next(at for at in mornings if at > now)


def told_until(connection: Connection, player: str, at: int) -> int:
    """Up to when a digest made at `at` need not tell: the last that went out did, or none was wanted."""
    gone = (outbox.c.recipient == player, outbox.c.game_id == "", outbox.c.kind == KIND, outbox.c.done_at <= at)
    last = sa.select(sa.func.max(outbox.c.created_at)).where(*gone, outbox.c.state.in_(("sent", "bounced")))
    wanted_since = sa.select(players.c.digest_since).where(players.c.id == player)
    return max(connection.execute(one).scalar() or 0 for one in (last, wanted_since))


def games_of(player: str, since: int) -> sa.Select[Any]:
    """The games a player sits in that run or ended since then, and which seat is theirs; not those they muted."""
    muted = sa.exists().where(mutes.c.player_id == player, mutes.c.game_id == games.c.id)
    ended = sa.and_(games.c.status.in_(("finished", "abandoned")), games.c.last_at > since)
    found = sa.select(games.c.id, seats.c.seat).join(seats, seats.c.game_id == games.c.id)
    return found.where(seats.c.player_id == player, sa.or_(games.c.status == "running", ended), ~muted)


def check(connection: Connection, row: Row) -> str | None:
    """Why a digest must not be sent any more, None where it must."""
    if not wanted(connection, row["recipient"]):
        return "the player wants no digest"
    later = (outbox.c.recipient == row["recipient"], outbox.c.game_id == "", outbox.c.kind == KIND)
    if connection.execute(sa.select(outbox.c.id).where(*later, outbox.c.id > row["id"])).first():
        return "a later digest tells it"
    return None


def wanted(connection: Connection, player: str) -> bool:
    """Whether a player wants a digest."""
    return connection.execute(sa.select(players.c.digest).where(players.c.id == player)).scalar() not in (
        None,
        NO_DIGEST,
    )


def about(frequency: str) -> str:
    """What stands for a digest where a game's id stands for mail about a game: in a link that switches it off."""
    return f"digest-{frequency}"


def frequency_of(matter: str) -> str | None:
    """How often the digest came that a link is about; None for a link about a game."""
    return next((frequency for frequency in FREQUENCIES if about(frequency) == matter), None)


def _has_news(tx: Connection, row: Row, now: int) -> bool:
    since = told_until(tx, row["id"], now)
    return tx.execute(games_of(row["id"], since).where(games.c.last_at > since).limit(1)).first() is not None


def _make(tx: Connection, player: str, hours: Hours, now: int) -> None:
    day = moment(now).astimezone(zone(hours.zone)).date().isoformat()
    notice = {"recipient": player, "game_id": "", "kind": KIND, "decision": day, "created_at": now}
    if state_of(tx, notice) is None:
        put(tx, [notice | {"not_before": hours.awake_from(now)}])
