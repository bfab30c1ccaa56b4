"""The gauges: what is so just now. Most is computed from the database, so every process says the same."""

import platform
import sqlite3
from collections import Counter
from collections.abc import Iterator
from typing import Final, NamedTuple

from config.release import release
from service.clocks import outages
from service.container import Services
from service.kernel.clock import SECOND
from service.mail import outgoing
from service.store.across import gauges
from service.store.clocks import decisions
from service.store.clocks.halted import halted_games
from service.store.database import Connection
from service.store.games import thoughts
from service.store.incoming import inbox
from service.store.outgoing import destinations, mailboxes
from service.store.outgoing.routes import ROUTES
from service.store.running import measurements
from service.store.running.heartbeats import last_beats
from service.store.running.measurements import Process
from service.store.structure import guards
from service.telemetry.neighbours import news_health, redis_trouble
from service.web import disk
from service.web.readiness import checks, seconds_since

SILENT: Final = 60 * SECOND
"""After which a process that has not reported counts as gone: four reports."""


class Point(NamedTuple):
    """One gauge as it is now."""

    name: str
    value: float
    labels: tuple[str, ...] = ()


def of_this_process(services: Services) -> Iterator[Point]:
    """What can be told without the database."""
    yield Point("wardroom_disk_free_bytes", disk.free(services))
    for check in checks(services):
        yield Point("wardroom_ready", float(check["ok"]), (check["what"],))
    if not services.settings.embedded:
        yield Point("wardroom_redis_up", float(redis_trouble(services.settings) is None))
    if services.settings.streams_news:
        health = news_health(services.settings)
        yield Point("wardroom_news_up", float(health.well))
        yield Point("wardroom_news_streams", health.streams)


def of_the_database(services: Services, connection: Connection) -> Iterator[Point]:
    """What the database knows."""
    now = services.database.clock.now(connection)
    yield _build(services, connection)
    yield from _outbox(services, connection, now)
    yield from _inbox(connection, now)
    yield from _games(connection, now)
    yield from _bots(connection, now)
    for name, at in last_beats(connection).items():
        yield Point("wardroom_heartbeat_age_seconds", (now - at) / SECOND, (name,))
    yield from _processes(measurements.reports(connection), now)


def of_all_rows(connection: Connection) -> Iterator[Point]:
    """What every row must be read for that there ever was: seconds, where there are millions."""
    for state, count in gauges.notices_by_state(connection).items():
        yield Point("wardroom_outbox", count, (state,))
    for state, count in inbox.by_state(connection).items():
        yield Point("wardroom_inbound", count, (state,))
    for status, count in gauges.games_by_status(connection).items():
        yield Point("wardroom_games", count, (status,))
    yield Point("wardroom_clocks_running", decisions.count_running(connection))


def _build(services: Services, connection: Connection) -> Point:
    kind = "sqlite" if services.settings.sqlite else "postgresql"
    version = sqlite3.sqlite_version if services.settings.sqlite else gauges.server_version(connection)
    schema, code = gauges.schema_revision(connection), release()
    runs = (code.version, code.commit, platform.python_version(), kind, version, schema)
    return Point("wardroom_build_info", 1, runs)


def _outbox(services: Services, connection: Connection, now: int) -> Iterator[Point]:
    yield Point("wardroom_outbox_oldest_seconds", outgoing.status(services, connection).oldest)
    waiting = gauges.waiting_by_channel(connection, now)
    down = Counter(trouble.channel for trouble in destinations.down(connection))
    for channel in ROUTES:
        depth, due, oldest = waiting.get(channel, (0, 0, None))
        yield Point("wardroom_outbox_depth", depth, (channel,))
        yield Point("wardroom_outbox_due", due, (channel,))
        yield Point("wardroom_queue_age_seconds", seconds_since(oldest, now), (channel,))
        yield Point("wardroom_destinations_down", down[channel], (channel,))
    yield Point("wardroom_addresses_stopped", mailboxes.suppressed(connection))


def _inbox(connection: Connection, now: int) -> Iterator[Point]:
    waits = seconds_since(inbox.oldest_waiting(connection, now), now)
    yield Point("wardroom_inbound_oldest_seconds", waits)
    yield Point("wardroom_queue_age_seconds", waits, ("inbox",))
    yield Point("wardroom_inbox_depth", inbox.count_waiting(connection))


def _games(connection: Connection, now: int) -> Iterator[Point]:
    yield Point("wardroom_games_halted", len(halted_games(connection)))
    yield Point("wardroom_deadlines_due", decisions.count_due(connection, now))
    oldest = gauges.oldest_deadline(connection, now)
    yield Point("wardroom_queue_age_seconds", seconds_since(oldest, now), ("deadlines",))
    signs = last_beats(connection)
    for sign, why in ((outages.HELD, "clock"), (outages.FLOODED, "patience")):
        yield Point("wardroom_deadlines_held", float(sign in signs), (why,))
    yield Point("wardroom_triggers_wrong", sum(map(len, guards.faulty(connection))))


def _bots(connection: Connection, now: int) -> Iterator[Point]:
    queue = thoughts.count(connection, now)
    for state, count in (
        ("waiting", queue.waiting), ("under-way", queue.under_way), ("again", queue.again), ("put-off", queue.put_off),
    ):  # fmt: skip
        yield Point("wardroom_thoughts", count, (state,))
    yield Point("wardroom_thoughts_oldest_seconds", seconds_since(queue.oldest, now))
    yield Point("wardroom_queue_age_seconds", seconds_since(queue.oldest, now), ("bots",))


def _processes(said: list[Process], now: int) -> Iterator[Point]:
    """The processes by role; of one that is missed for a day at most there are none."""
    for role in sorted({process.role for process in said}):
        living = [process.report for process in said if process.role == role and now - process.at <= SILENT]
        yield Point("wardroom_processes", len(living), (role,))
        yield Point("wardroom_process_resident_bytes", sum(report.resident for report in living), (role,))
        yield Point("wardroom_process_open_files", sum(report.open_files for report in living), (role,))
        yield Point("wardroom_database_connections_max", sum(report.connections for report in living), (role,))
        for state in ("in_use", "idle", "overflow"):
            there = sum(getattr(report, state) for report in living)
            yield Point("wardroom_database_connections", there, (role, state))
        if living:
            oldest = min(report.started_at for report in living)
            yield Point("wardroom_process_start_time_seconds", oldest, (role,))
