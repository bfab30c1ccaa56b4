"""Signs of life: /healthz for the process, /readyz for all it needs, /metrics for a monitor."""

from typing import Any, Final

from flask import Blueprint, Response, current_app

from service.api.http.answers import answer
from service.container import Services
from service.kernel.clock import SECOND
from service.mail import outgoing
from service.store.across import gauges
from service.store.clocks.halted import halted_games
from service.store.errors import DatabaseError
from service.store.event_store.checkpoints import StrangeKey, require_known
from service.store.games import thoughts
from service.store.incoming import inbox
from service.store.outgoing import destinations, mailboxes
from service.store.outgoing.routes import ROUTES
from service.store.running.heartbeats import last_beat, last_beats
from service.web import disk

bp = Blueprint("health", __name__)
OLDEST_MAIL: Final = 300
OLDEST_SWEEP: Final = 120
TOLD_ONLY: Final = frozenset({"bots"})
"""What is told and does not take a process out of service: others think, and people play on meanwhile."""


def _services() -> Services:
    return current_app.extensions["wardroom"]  # type: ignore[no-any-return]


@bp.get("/healthz")
def healthz() -> Response:
    """This process answers."""
    return answer({"status": "ok"})


@bp.get("/readyz")
def readyz() -> Response:
    """The database answers, there is room, the sweep runs, no mail is stuck: 200; else 503 with what is wrong.

    Bots that wait to think are told either way.
    """
    checks = _checks(_services())
    wrong = [check for check in checks if not check["ok"] and check["what"] not in TOLD_ONLY]
    headers = {"Retry-After": "5"} if wrong else {}
    return answer({"status": "unready" if wrong else "ready", "checks": checks}, 503 if wrong else 200, headers=headers)


@bp.get("/metrics")
def metrics() -> Response:
    """Gauges for Prometheus, computed from the database: the same from every process."""
    from prometheus_client import CollectorRegistry, Gauge, generate_latest

    registry = CollectorRegistry()
    sent = Gauge("wardroom_outbox", "Notices by state", ["state"], registry=registry)
    games = Gauge("wardroom_games", "Games by status", ["status"], registry=registry)
    halted = Gauge("wardroom_games_halted", "Games that are stopped, as they do not verify", registry=registry)
    age = Gauge("wardroom_outbox_oldest_seconds", "Age of the oldest notice that is due", registry=registry)
    came = Gauge("wardroom_inbound", "Mails that came in, by state", ["state"], registry=registry)
    waits = Gauge("wardroom_inbound_oldest_seconds", "Age of the oldest mail not done with", registry=registry)
    stopped = Gauge("wardroom_addresses_stopped", "Addresses that mail does not reach", registry=registry)
    away = Gauge("wardroom_destinations_down", "What does not answer", ["channel"], registry=registry)
    bots = Gauge("wardroom_thoughts", "What bots have to think about, by state", ["state"], registry=registry)
    think = Gauge("wardroom_thoughts_oldest_seconds", "Age of the oldest that nobody thinks about", registry=registry)
    beat = Gauge("wardroom_heartbeat_age_seconds", "Seconds since a sign of life", ["name"], registry=registry)
    with _services().database.read() as connection:
        now = _services().database.clock.now(connection)
        for gauge, counts in (
            (sent, gauges.notices_by_state(connection)),
            (games, gauges.games_by_status(connection)),
            (came, inbox.by_state(connection)),
        ):
            for state, count in counts.items():
                gauge.labels(state).set(count)
        halted.set(len(halted_games(connection)))
        age.set(outgoing.status(_services(), connection).oldest)
        waits.set(_seconds(inbox.oldest_waiting(connection, now), now))
        queue = thoughts.count(connection, now)
        for state, count in (("waiting", queue.waiting), ("under-way", queue.under_way), ("again", queue.again),
                             ("put-off", queue.put_off)):  # fmt: skip
            bots.labels(state).set(count)
        think.set(_seconds(queue.oldest, now))
        stopped.set(mailboxes.suppressed(connection))
        for channel in ROUTES:
            away.labels(channel).set(sum(trouble.channel == channel for trouble in destinations.down(connection)))
        for name, at in last_beats(connection).items():
            beat.labels(name).set((now - at) / SECOND)
    return Response(generate_latest(registry), content_type="text/plain; version=0.0.4; charset=utf-8")


def _checks(services: Services) -> list[dict[str, Any]]:
    try:
        with services.database.read() as connection:
            now = services.database.clock.now(connection)
            out = outgoing.status(services, connection)
            unread = _seconds(inbox.oldest_waiting(connection, now), now)
            asked = _seconds(thoughts.count(connection, now).oldest, now)
            swept = last_beat(connection, "sweep")
            require_known(connection, services.signer)
    except StrangeKey as error:
        return [{"what": "key", "ok": False, "detail": str(error)}]
    except DatabaseError:
        return [{"what": "database", "ok": False, "detail": "The database does not answer, or is not migrated."}]
    since = None if swept is None else (now - swept) // SECOND
    return [
        {"what": "database", "ok": True, "detail": "It answers."},
        {
            "what": "sweep",
            "ok": since is not None and since <= OLDEST_SWEEP,
            "detail": "Deadlines were never looked at."
            if since is None
            else f"Deadlines were looked at {since} s ago.",
        },
        disk.check(services),
        {"what": "mail", "ok": out.oldest <= OLDEST_MAIL, "detail": _outgoing(out)},
        {
            "what": "answers",
            "ok": unread <= OLDEST_MAIL,
            "detail": f"The oldest mail taken waits for {unread} s.",
        },
        {"what": "bots", "ok": asked <= OLDEST_MAIL, "detail": f"The bot asked first waits for {asked} s to think."},
    ]


def _outgoing(out: outgoing.Status) -> str:
    """How mail goes out, without the name of the server: anybody may read it."""
    away = out.away is not None and out.away.down_since is not None
    server = " The mail server does not take any: `wardroom doctor` says why." if away else ""
    return f"The oldest mail that is due waits for {out.oldest} s.{server}"


def _seconds(since: int | None, now: int) -> int:
    """How long something waits; 0 for nothing."""
    return 0 if since is None else max(0, (now - since) // SECOND)
