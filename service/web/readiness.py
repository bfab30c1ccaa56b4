"""What the service needs to do its work, looked at one by one: for /readyz, and for the metrics."""

from typing import Any, Final

from service.container import Services
from service.kernel.clock import SECOND
from service.mail import outgoing
from service.store.errors import DatabaseError
from service.store.event_store.checkpoints import StrangeKey, require_known
from service.store.games import thoughts
from service.store.incoming import inbox
from service.store.running.heartbeats import last_beat
from service.telemetry.neighbours import redis_trouble
from service.web import disk

AWAY: Final = "The database does not answer, or is not migrated."
DAMAGED: Final = "The database file is damaged: restore it from a backup."
OLDEST_MAIL: Final = 300
OLDEST_SWEEP: Final = 120
CHECKS: Final = ("key", "database", "sweep", "disk", "mail", "answers", "bots", "redis")
"""All that is looked at; what could not be is neither well nor broken."""


def checks(services: Services) -> list[dict[str, Any]]:
    """What was looked at, whether it is well, and a sentence about it that anybody may read."""
    try:
        with services.database.read() as connection:
            now = services.database.clock.now(connection)
            out = outgoing.status(services, connection)
            unread = seconds_since(inbox.oldest_waiting(connection, now), now)
            asked = seconds_since(thoughts.count(connection, now).oldest, now)
            swept = last_beat(connection, "sweep")
            require_known(connection, services.signer)
    except StrangeKey as error:
        return [{"what": "key", "ok": False, "detail": str(error)}]
    except DatabaseError:
        return [{"what": "database", "ok": False, "detail": _damage(services) or AWAY}]
    since = None if swept is None else (now - swept) // SECOND
    return [
        {"what": "database", "ok": not services.database.damage, "detail": _damage(services) or "It answers."},
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
        *_redis(services),
    ]


def _redis(services: Services) -> list[dict[str, Any]]:
    """Return whether Redis takes writes, in a sentence without its address; nothing if none is used."""
    if services.settings.embedded:
        return []
    trouble = redis_trouble(services.settings)
    return [{"what": "redis", "ok": trouble is None, "detail": trouble.sentence if trouble else "It takes writes."}]


def _damage(services: Services) -> str:
    """Return a sentence about a damaged SQLite file, once this process has met the damage; "" for none."""
    return DAMAGED if services.database.damage else ""


def _outgoing(out: outgoing.Status) -> str:
    """How mail goes out, without the name of the server: anybody may read it."""
    away = out.away is not None and out.away.down_since is not None
    server = " The mail server does not take any: `wardroom doctor` says why." if away else ""
    return f"The oldest mail that is due waits for {out.oldest} s.{server}"


def seconds_since(since: int | None, now: int) -> int:
    """How long something waits; 0 for nothing."""
    return 0 if since is None else max(0, (now - since) // SECOND)
