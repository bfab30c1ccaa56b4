"""Deadlines that have passed: decided once, never early, never before an older mail or without a notice."""

from functools import partial
from typing import Final, Literal

from domain.engine.game import Seat
from domain.table.consent import resume
from domain.table.play import expire, settle
from domain.table.record import CLOCK, Record
from service.clocks import seat_clocks
from service.container import Services
from service.deadlines import after_leave
from service.deadlines.unread_mail import mail_may_come
from service.games.commit import commit, lock, move_deadlines, notice
from service.kernel.clock import SECOND
from service.kernel.log import note
from service.mail import deliverability
from service.store.clocks import deadline_leases, decisions
from service.store.clocks.decisions import Decision
from service.store.database import Connection
from service.store.event_store.streams import Head
from service.store.games import game_rows
from service.store.outgoing import outbox
from service.store.outgoing.notice_queries import About

MAIL_PATIENCE: Final = 5 * SECOND
"""How soon a deadline that waits for mail is looked at again."""
NOTICE_PATIENCE: Final = 30 * SECOND
UNDELIVERED: Final = ("failed", "bounced")


def expire_turn(services: Services, tx: Connection, game: str, seat: Seat, since: int) -> bool:
    """A deadline's time is over: let the caretaker play, if the answer is still owed. Whether it did (I-09).

    A player who could not be told gets the time once more, and the host is told (DESIGN 7, RATE-11).
    """
    head = lock(services, tx, game)
    owed = decisions.hold_seat(tx, game, seat)
    if owed is None or owed.since != since or owed.acts_at is None or owed.acts_at > head.now:
        return False
    if after_leave.follow_owed(services, tx, head, owed):
        return False
    if mail_may_come(services, tx, game, seat, owed.acts_at, head.now):
        return _look_again(tx, owed, head.now + MAIL_PATIENCE)
    told = outbox.notice_of(tx, owed.player_id or "", game, since)
    if told is not None and told[0] == "queued":
        return _look_again(tx, owed, head.now + NOTICE_PATIENCE)
    if told is not None and _is_excused(tx, head, owed, told):
        return _give_again(services, tx, head, owed, undelivered=told[0] in UNDELIVERED)
    record = Record(head.table, head.rules)
    expire(record, seat)
    settle(record, CLOCK)
    commit(services, tx, head, record)
    services.database.afterwards(tx, partial(_note, services, owed, head.now - owed.acts_at))
    return True


def _note(services: Services, owed: Decision, late: int) -> None:
    """Count and say that a deadline was decided, so long after the time at which the caretaker was to act."""
    services.measures.observe("wardroom_deadline_lateness_seconds", late / SECOND)
    note("wardroom.clock", "a deadline has passed", game=owed.game_id, seat=owed.seat, late=late / SECOND)


def end_pause(services: Services, tx: Connection, game: str) -> bool:
    """A pause has lasted as long as was agreed: let time run again. Whether it did."""
    head = lock(services, tx, game)
    until = game_rows.pause_end(tx, game)
    if until is None or until > head.now or not head.table.paused:
        return False
    record = Record(head.table, head.rules)
    resume(record, CLOCK, "over")
    commit(services, tx, head, record)
    return True


def _look_again(tx: Connection, owed: Decision, at: int) -> Literal[False]:
    """Look at a deadline again at this time: it is not decided now."""
    deadline_leases.look_again(tx, owed, at)
    return False


def _is_excused(tx: Connection, head: Head, owed: Decision, told: tuple[str, int | None, int]) -> bool:
    """Whether a player could not answer in time: the notice went out after the deadline, or did not arrive.

    Once a decision; the latter once a seat and game, for the report of it may come from the player.
    """
    state, settled, _ = told
    if owed.extended:
        return False
    if state in UNDELIVERED:
        return not deliverability.was_excused(tx, head.game, head.table.host, owed.seat)
    return state == "sent" and settled is not None and settled >= owed.due


def _give_again(services: Services, tx: Connection, head: Head, owed: Decision, *, undelivered: bool) -> Literal[False]:
    """Give the time once more: it is not decided now. The host hears of a player whom no mail reaches."""
    again, reason = seat_clocks.give_again(head, owed), "undelivered" if undelivered else "told-late"
    move_deadlines(services, tx, head, {owed.seat: again}, "player", reason=reason)
    if undelivered:
        host = notice(head, head.table.host, "undeliverable", str(About(owed.since, owed.seat)), owed.seat)
        state = "superseded" if head.table.host == owed.player_id else "queued"
        outbox.put(tx, [host | {"created_at": head.now, "state": state}])
    return False
