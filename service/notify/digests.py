"""Digests: one mail over all games of a player, in the morning, for who wants it (RATE-06)."""

from typing import Final

from domain.engine.game import Seat
from service.clocks.hours import Hours
from service.container import Services
from service.kernel.clock import moment
from service.kernel.zones import zone
from service.notify.quiet_hours import waking
from service.store.database import Connection
from service.store.outgoing import digests
from service.store.outgoing.notice import Notice
from service.store.outgoing.outbox import put, state_of
from service.store.people import players
from service.store.people.players import NO_DIGEST, TO_BE_PLANNED

KIND: Final = "digest"
WEEKLY: Final = "weekly"
FREQUENCIES: Final = ("daily", WEEKLY)
BATCH: Final = 50
MONDAY: Final = 0


def plan(services: Services, tx: Connection) -> int:
    """Make up to BATCH digests that are due, where anything happened, and set when the next of each is. How many
    players were looked at."""
    now = services.database.clock.now(tx)
    due = digests.lock_due(tx, now, BATCH)
    for player in due:
        hours = waking(player.timezone, player.wakes_at)
        following = next_morning(hours, now, weekly=player.digest == WEEKLY)
        players.change(tx, player.id, {"digest_at": following, "digest_since": player.digest_since or now})
        if player.digest_at != TO_BE_PLANNED and digests.has_news(tx, player.id, told_until(tx, player.id, now)):
            _make(tx, player.id, hours, player.digest_at or now, now)
    return len(due)


def next_morning(hours: Hours, now: int, *, weekly: bool) -> int:
    """Return when a player next wakes up, or does so on a Monday."""
    where = zone(hours.zone)
    mornings = (at for at in hours.mornings(now) if at > now)
    return next(at for at in mornings if not weekly or moment(at).astimezone(where).weekday() == MONDAY)


def told_until(connection: Connection, player: str, at: int) -> int:
    """Up to when a digest made at `at` need not tell: the last that went out did, or none was wanted."""
    player_row = players.by_id(connection, player)
    wanted_since = 0 if player_row is None else player_row.digest_since or 0
    return max(digests.last_gone_out(connection, player, KIND, at), wanted_since)


def games_of(connection: Connection, player: str, since: int) -> list[tuple[str, Seat]]:
    """The games that a digest since then is about, and the seat of the player in each."""
    return digests.games_of(connection, player, since)


def check(connection: Connection, notice: Notice) -> str | None:
    """Why a digest must not be sent any more, None where it must."""
    if not wanted(connection, notice.recipient):
        return "the player wants no digest"
    if digests.is_followed(connection, notice.recipient, KIND, notice.id):
        return "a later digest tells it"
    return None


def wanted(connection: Connection, player: str) -> bool:
    """Whether a player wants a digest."""
    row = players.by_id(connection, player)
    return row is not None and row.digest != NO_DIGEST


def about(frequency: str) -> str:
    """What stands for a digest where a game's id stands for mail about a game: in a link that switches it off."""
    return f"digest-{frequency}"


def frequency_of(matter: str) -> str | None:
    """How often the digest came that a link is about; None for a link about a game."""
    return next((frequency for frequency in FREQUENCIES if about(frequency) == matter), None)


def _make(tx: Connection, player: str, hours: Hours, planned: int, now: int) -> None:
    """Make the digest of a morning, once. A sweep after midnight still makes that of the day before."""
    day = moment(planned).astimezone(zone(hours.zone)).date().isoformat()
    notice = {"recipient": player, "game_id": "", "kind": KIND, "decision": day, "created_at": now}
    if state_of(tx, notice) is None:
        put(tx, [notice | {"not_before": hours.awake_from(now)}])
