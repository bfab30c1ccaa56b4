"""Deadlines that have passed: decided once, never early, never before an older mail or without a notice."""

from typing import Final

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
from service.store import decisions, game_rows, missed, outbox
from service.store.database import Connection
from service.store.decisions import Decision
from service.store.notice_queries import About
from service.store.streams import Head

MAIL_PATIENCE: Final = 5 * SECOND
"""How soon a deadline that waits for mail is looked at again."""
NOTICE_PATIENCE: Final = 30 * SECOND
UNDELIVERED: Final = ("failed", "bounced")


def expire_turn(services: Services, tx: Connection, game: str, seat: Seat, since: int) -> bool:
    """A deadline's time is over: let the caretaker play, if the answer is still owed. Whether it did (I-09).

    A player who could not be told gets the time once more, and the host is told (DESIGN 7, RATE-11).
    """
    head = services.streams.lock(tx, game)
    row = decisions.hold_seat(tx, game, seat)
    if row is None or row.since != since or row.acts_at is None or row.acts_at > head.now:
        return False
    if seat_clocks.with_leave(tx, head, row):
        return False
    if mail_may_come(services, tx, game, seat, row.acts_at, head.now):
        _look_again(tx, game, seat, head.now + MAIL_PATIENCE)
        return False
    told = outbox.notice_of(tx, row.player_id or "", game, since)
    if told is not None and told[0] == "queued":
        _look_again(tx, game, seat, head.now + NOTICE_PATIENCE)
        return False
    if not row.extended and told is not None and _excused(tx, head, row, told):
        seat_clocks.give_again(tx, head, row, "undelivered" if told[0] in UNDELIVERED else "told-late")
        if told[0] in UNDELIVERED:
            host = notice(head, head.table.host, "undeliverable", str(About(since, seat)), seat)
            state = "superseded" if head.table.host == row.player_id else "queued"
            outbox.put(tx, [host | {"created_at": head.now, "state": state}])
        return False
    missed.keep(tx, row, head.now)
    record = Record(head.table, head.rules)
    expire(record, seat)
    settle(record, CLOCK)
    commit(services, tx, head, record)
    return True


def end_pause(services: Services, tx: Connection, game: str) -> bool:
    """A pause has lasted as long as was agreed: let time run again. Whether it did."""
    head = services.streams.lock(tx, game)
    until = game_rows.pause_end(tx, game)
    if until is None or until > head.now or not head.table.paused:
        return False
    record = Record(head.table, head.rules)
    resume(record, CLOCK, "over")
    commit(services, tx, head, record)
    return True


def _excused(tx: Connection, head: Head, row: Decision, told: tuple[str, int | None, int]) -> bool:
    """Whether a player could not answer in time: the notice went out after the deadline, or did not arrive.

    The latter once a seat and game: the report of it may come from the player.
    """
    state, settled, _ = told
    if state in UNDELIVERED:
        return not deliverability.was_excused(tx, head.game, head.table.host, row.seat)
    return state == "sent" and settled is not None and bool(row.due_at is not None and settled >= row.due_at)


def _look_again(tx: Connection, game: str, seat: Seat, at: int) -> None:
    decisions.change(tx, game, seat, {"lease_until": at})
