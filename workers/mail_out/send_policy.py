"""Mail that is true but is not sent now: soon after another, at night, or after so many (RATE-05, RATE-07, RATE-09).

Looked at when it is about to go, so that a move pays nothing for it. Waiting is no attempt.
"""

from typing import Any, Final

import sqlalchemy as sa
import structlog
from sqlalchemy import Connection

from service.clocks.hours import DAY, HOUR
from service.container import Services
from service.kernel.clock import SECOND, micros
from service.notify.kind import KINDS, Urgency, kinds_of
from service.notify.notice_log import HELD
from service.notify.quiet_hours import three_quarters, waking
from service.store.outbox import outbox
from workers.letters.former import orders_summary
from workers.letters.former.facts import Row
from workers.letters.letter_data import Asked, Reader, Superseded

log = structlog.get_logger("wardroom.mail")
A_GAME_AND_HOUR: Final = 30
TENTHS: Final = {Urgency.URGENT: 10, Urgency.NORMAL: 9, Urgency.NEWS: 8}
"""The share of what may be sent after which mails of an urgency are held back."""
SOON: Final = 20 * SECOND
"""When what waits for another letter is looked at again."""


class Held(Exception):
    """A mail that waits until `until`."""

    def __init__(self, until: int, why: str) -> None:
        super().__init__(why)
        self.until = until


def check(services: Services, connection: Connection, row: Row, reader: Reader, asked: Asked | None) -> None:
    """Let pass what is sent now. Raises Held for what waits, Superseded for what is held back for good."""
    if KINDS[row["kind"]].urgency in (Urgency.UNCOUNTED, Urgency.OWN):
        return
    now = services.database.clock.now(connection)
    if row["kind"] == "orders-dropped" and (asks_at := orders_summary.waits_until(connection, row)) is not None:
        raise Held(max(asks_at, now) + SOON, "the letter that asks may tell of it")
    latest = three_quarters(asked.began, asked.due) if asked is not None and asked.due is not None else None
    _after_another(services, connection, row, now, latest)
    _at_night(row, reader, asked, now, latest)
    if services.settings.rate_limits:
        _after_many(services, connection, row, now, latest)


def _wait(now: int, until: int, latest: int | None, why: str) -> None:
    """Raise Held where there is anything to wait for."""
    until = until if latest is None else min(until, latest)
    if until > now:
        raise Held(until, why)


def _after_another(services: Services, connection: Connection, row: Row, now: int, latest: int | None) -> None:
    """One mail that it is your turn in a game, and the next after the window, about all that happened (RATE-05)."""
    window = micros(services.settings.mail_window)
    if row["kind"] != "your-turn" or not window:
        return
    last = connection.execute(
        sa.select(sa.func.max(outbox.c.done_at)).where(
            *_gone(row, now - window), outbox.c.game_id == row["game_id"], outbox.c.kind == "your-turn"
        )
    ).scalar()
    if last is not None:
        _wait(now, last + window, latest, "another about this game was sent just before")


def _at_night(row: Row, reader: Reader, asked: Asked | None, now: int, latest: int | None) -> None:
    """Reminders and digests come by day, and to who wants it so the mail that it is their turn (RATE-07)."""
    morning = waking(reader.timezone, reader.wakes_at).awake_from
    if row["kind"] == "reminder" and asked is not None:
        _wait(now, asked.send_at, None, "it is sent in the morning")
    elif row["kind"] == "digest":
        _wait(now, morning(now), None, "it is sent in the morning")
    elif row["kind"] == "your-turn" and reader.quiet_turns:
        _wait(now, morning(now), latest, "it is sent in the morning, as you asked")


def _after_many(services: Services, connection: Connection, row: Row, now: int, latest: int | None) -> None:
    """So many mails to one person in a day, and so many about one game in an hour (RATE-09)."""
    most = services.settings.mails_a_day
    _cap(connection, row, now, latest, most, DAY, f"you had {most} mails in 24 hours")
    if row["game_id"]:
        words = f"you had {A_GAME_AND_HOUR} mails about this game in an hour"
        _cap(connection, row, now, latest, A_GAME_AND_HOUR, HOUR, words, outbox.c.game_id == row["game_id"])


def _cap(
    connection: Connection, row: Row, now: int, latest: int | None, most: int, span: int, words: str, *more: Any
) -> None:
    urgency = KINDS[row["kind"]].urgency
    share = max(1, most * TENTHS[urgency] // 10)
    found = sa.select(outbox.c.done_at).where(
        *_gone(row, now - span), outbox.c.kind.not_in(kinds_of(Urgency.UNCOUNTED)), *more
    )
    full = connection.execute(found.order_by(outbox.c.done_at.desc()).offset(share - 1).limit(1)).scalar()
    if full is None:
        return
    if not _held_lately(connection, row, now):
        log.warning("mail held back", notice=row["id"], kind=row["kind"], game=row["game_id"], why=words)
    if urgency is not Urgency.URGENT:
        raise Superseded(f"{HELD}: {words}")
    _wait(now, full + span, latest, f"{HELD}: {words}")


def _held_lately(connection: Connection, row: Row, now: int) -> bool:
    """Whether something was held back from this person in the last day, or waits for that reason: it is logged once."""
    lately = sa.or_(outbox.c.done_at > now - DAY, outbox.c.state == "queued")
    same = (outbox.c.recipient == row["recipient"], outbox.c.reason.startswith(HELD))
    return connection.execute(sa.select(outbox.c.id).where(*same, lately).limit(1)).first() is not None


def _gone(row: Row, since: int) -> list[sa.ColumnElement[bool]]:
    """What went out to the same person since then."""
    return [outbox.c.recipient == row["recipient"], outbox.c.state.in_(("sent", "bounced")), outbox.c.done_at > since]
