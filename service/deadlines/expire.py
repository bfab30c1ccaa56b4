"""Deadlines that have passed: decided once, never early, never before an older mail or without a notice."""

from collections.abc import Mapping
from typing import Any, Final

import sqlalchemy as sa
from sqlalchemy import Connection

from domain.engine.game import Seat
from domain.table.consent import resume
from domain.table.play import expire, settle
from domain.table.record import CLOCK, Record
from service.clocks import seat_clocks
from service.container import Services
from service.deadlines.unread_mail import mail_may_come
from service.games.commit import commit, notice
from service.kernel.clock import SECOND
from service.mail import deliverability
from service.store import outbox
from service.store.decisions import decisions
from service.store.streams import Head, games

MAIL_PATIENCE: Final = 5 * SECOND
"""How soon a deadline that waits for mail is looked at again."""
NOTICE_PATIENCE: Final = 30 * SECOND
UNDELIVERED: Final = ("failed", "bounced")


def expire_turn(services: Services, tx: Connection, game: str, seat: Seat, since: int) -> bool:
    """A deadline's time is over: let the caretaker play, if the answer is still owed. Whether it did (I-09).

    A player who could not be told gets the time once more, and the host is told (DESIGN 7, RATE-11).
    """
    head = services.streams.lock(tx, game)
    found = sa.select(decisions).where(decisions.c.game_id == game, decisions.c.seat == seat)
    row = tx.execute(found.with_for_update()).mappings().first()
    if row is None or row["since"] != since or row["acts_at"] is None or row["acts_at"] > head.now:
        return False
    if seat_clocks.with_leave(tx, head, dict(row)):
        return False
    if mail_may_come(services, tx, game, seat, row["acts_at"], head.now):
        _look_again(tx, game, seat, head.now + MAIL_PATIENCE)
        return False
    told = outbox.notice_of(tx, row["player_id"], game, since)
    if told is not None and told[0] == "queued":
        _look_again(tx, game, seat, head.now + NOTICE_PATIENCE)
        return False
    if not row["extended"] and told is not None and _excused(tx, head, dict(row), told):
        seat_clocks.give_again(tx, head, dict(row), "undelivered" if told[0] in UNDELIVERED else "told-late")
        if told[0] in UNDELIVERED:
            host = notice(head, head.table.host, "undeliverable", f"{since}.{seat}", seat)
            state = "superseded" if head.table.host == row["player_id"] else "queued"
            outbox.put(tx, [host | {"created_at": head.now, "state": state}])
        return False
    seat_clocks.keep_missed(tx, dict(row), head.now)
    record = Record(head.table, head.rules)
    expire(record, seat)
    settle(record, CLOCK)
    commit(services, tx, head, record)
    return True


def end_pause(services: Services, tx: Connection, game: str) -> bool:
    """A pause has lasted as long as was agreed: let time run again. Whether it did."""
    head = services.streams.lock(tx, game)
    until = tx.execute(sa.select(games.c.paused_until).where(games.c.id == game)).scalar()
    if until is None or until > head.now or not head.table.paused:
        return False
    record = Record(head.table, head.rules)
    resume(record, CLOCK, "over")
    commit(services, tx, head, record)
    return True


def pauses_over(connection: Connection, now: int, most: int) -> list[str]:
    """Games whose pause has lasted long enough."""
    running = (games.c.status == "running", games.c.halted_at.is_(None))  # a game may end while its clock stands
    over = (games.c.paused_until <= now, *running)
    found = sa.select(games.c.id).where(*over).order_by(games.c.paused_until).limit(most)
    return list(connection.execute(found).scalars())


def _excused(tx: Connection, head: Head, row: Mapping[str, Any], told: tuple[str, int | None, int]) -> bool:
    """Whether a player could not answer in time: the notice went out after the deadline, or did not arrive.

    The latter once a seat and game: the report of it may come from the player.
    """
    state, settled, _ = told
    if state in UNDELIVERED:
        return not deliverability.was_excused(tx, head.game, head.table.host, row["seat"])
    return state == "sent" and settled is not None and bool(settled >= row["due_at"])


def _look_again(tx: Connection, game: str, seat: Seat, at: int) -> None:
    mine = (decisions.c.game_id == game, decisions.c.seat == seat)
    tx.execute(sa.update(decisions).where(*mine).values(lease_until=at))
