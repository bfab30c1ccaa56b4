"""Mail that waits to go out: how the mail server fares, and letting all that waits go at once."""

from dataclasses import dataclass

from config.settings import Settings
from service.container import Services
from service.kernel.clock import SECOND, text
from service.store.across import gauges
from service.store.database import Connection
from service.store.outgoing import deliveries, destinations
from service.store.outgoing.deliveries import MAIL
from service.store.outgoing.destinations import Trouble


@dataclass(frozen=True, slots=True)
class Status:
    """Mails that are due and not out, the age of the oldest in seconds, and the trouble of the server if it is away."""

    due: int
    oldest: int
    away: Trouble | None


def server_name(settings: Settings) -> str:
    """The name that all senders know the mail server by."""
    return "mailbox" if settings.smtp_url is None else f"{settings.smtp_url.host}:{settings.smtp_url.port}"


def status(services: Services, connection: Connection) -> Status:
    """How mail goes out just now. Mail that was tried in vain is as old as the trouble of its server."""
    now = services.database.clock.now(connection)
    trouble = destinations.of(connection, MAIL, server_name(services.settings))
    away = trouble if trouble is not None and trouble.down_since is not None else None
    due, since = gauges.due(connection, now)
    if since is not None and away is not None and away.down_since is not None:
        since = min(since, away.down_since)
    return Status(due, 0 if since is None else max(0, (now - since) // SECOND), away)


def line(status: Status) -> str | None:
    """What operators should know of the mail server; None where it takes mail."""
    away = status.away
    if away is None or away.down_since is None:
        return None
    return (
        f"The mail server {away.name} takes nothing since {text(away.down_since)[:19]}Z ({away.reason}): {status.due} "
        "mails wait. One is tried every few seconds, and all go once it is taken; `wardroom mail flush` tries all now."
    )


def flush(services: Services, tx: Connection, channel: str = MAIL) -> int:
    """Let all on a channel go at once that waits for its destination, or was put off by it. How many are due now.

    What waits for another reason goes on doing so: a night, a day with too many mails, a game that is stopped.
    """
    now = services.database.clock.now(tx)
    destinations.remove(tx, channel)
    deliveries.release(tx, channel, now, target=None)
    services.wakeup.wake()
    return gauges.due(tx, now, channel)[0]
