"""Reminders: due rungs become notices by day, each once (RATE-07, RATE-08)."""

from collections.abc import Iterable
from typing import Any, Final, NamedTuple

import structlog

from domain.table.state import Table
from service.clocks.hours import Hours
from service.clocks.policy import REMIND_AGAIN, Policy, policy
from service.container import Services
from service.kernel.clock import SECOND
from service.notify.quiet_hours import evening, reminder_at, waking
from service.store.clocks import decisions
from service.store.clocks.decisions import Decision
from service.store.database import Connection
from service.store.event_store.streams import Head
from service.store.outgoing import outbox
from service.store.outgoing.notice import Notice
from service.store.outgoing.notice_queries import About
from service.store.people import readers

log = structlog.get_logger("wardroom.clock")
KIND: Final = "reminder"
BATCH: Final = 100
AT_ONCE: Final = 0


class Done(NamedTuple):
    """What one batch came to: decisions that were looked at, reminders that were made, games that cannot be opened."""

    looked: int
    made: int
    closed: dict[str, Exception]


class _Rung(NamedTuple):
    """When to remind, and of the end of what: of all the time, or of that of the move."""

    at: int
    end: int


def remind(services: Services, tx: Connection) -> Done:
    """Look at up to BATCH decisions whose time it is: make the reminders that are due, set when to look again."""
    now = services.database.clock.now(tx)
    rows = decisions.hold_unreminded(tx, now, BATCH)
    awake = _waking(tx, {row.player_id for row in rows})
    made = 0
    closed: dict[str, Exception] = {}
    for row in rows:
        try:
            head = services.streams.head(tx, row.game_id)
        except Exception as error:  # a game that cannot be opened must not stop the reminders of others
            log.exception("a reminder could not be made", game=row.game_id, error=type(error).__name__)
            _remind_at(tx, row, now + REMIND_AGAIN)
            closed[row.game_id] = error
            continue
        hours = awake.get(row.player_id or "")
        clock, since = policy(head.table.clock), (row.remind_at or 0) - REMIND_AGAIN
        rung, following = (0, None) if hours is None else _rungs(clock, hours, row, now, since)
        _remind_at(tx, row, following)
        if rung and now < row.due - SECOND:
            made += _make(tx, _notice(head.table, head, row, rung, now))
    return Done(len(rows), made, closed)


def sent_at(services: Services, connection: Connection, notice: Notice, decision: Decision, now: int) -> int | str:
    """When a reminder of this decision is sent: now, or in the morning. Or why it is not true any more."""
    if decision.due_at is None:
        return "the clock stands"
    if decision.due_at <= now:
        return "the deadline has passed"
    hours = _waking(connection, [decision.player_id]).get(decision.player_id or "")
    if hours is None:
        return "the player is gone"
    clock = policy(services.streams.head(connection, notice.game_id).table.clock)
    rung = About.read(notice.decision).detail or 0
    ladder = _ladder(clock, decision, now)
    if rung not in ladder:
        return "the bank is being used"
    at, end = ladder[rung]
    if evening(hours, at) > now:
        return "it comes later now"
    come, _ = _rungs(clock, hours, decision, now)
    if come and ladder[come].at > at:
        return "a later reminder says it"
    return reminder_at(hours, decision.began_at, end, at, now)


def _rungs(clock: Policy, hours: Hours, row: Decision, now: int, since: int = AT_ONCE) -> tuple[int, int | None]:
    """The last rung of a decision whose time has come since then, 0 for none, and when that of the next comes."""
    began = row.began_at
    ladder = {rung: step for rung, step in _ladder(clock, row, now).items() if step.at > began}
    times = sorted((reminder_at(hours, began, end, at, now), at, rung) for rung, (at, end) in ladder.items())
    come = 0
    for then, at, rung in times:
        if then > now:
            return come, then
        if reminder_at(hours, began, ladder[rung].end, at, began) >= since:
            come = rung
    return come, None


def _ladder(clock: Policy, row: Decision, now: int) -> dict[int, _Rung]:
    """The rungs of a decision by number; that of the bank only until the bank begins to be used."""
    due, bank_from = row.due, row.bank_from
    ahead = bank_from if bank_from is not None and bank_from > now else None
    return {
        rung: _Rung(at, due if rung <= len(clock.reminders) or bank_from is None else bank_from)
        for rung, at in clock.rungs(due, ahead).items()
    }


def _make(tx: Connection, notice: dict[str, Any]) -> bool:
    """Make a notice, unless this rung had one; what was superseded was never sent and may be true again."""
    state = outbox.state_of(tx, notice)
    if state is None:
        outbox.put(tx, [notice])
    elif state == "superseded":
        outbox.put_again(tx, notice)
    return state in (None, "superseded")


def _waking(connection: Connection, who: Iterable[str | None]) -> dict[str, Hours]:
    """When each of these players is awake; who is gone is missing."""
    homes = readers.homes(connection, [player for player in who if player is not None])
    return {player: waking(timezone, wakes_at) for player, (timezone, wakes_at) in homes.items()}


def _remind_at(tx: Connection, row: Decision, at: int | None) -> None:
    decisions.change(tx, row.game_id, row.seat, {"remind_at": at})


def _notice(table: Table, head: Head, row: Decision, rung: int, now: int) -> dict[str, Any]:
    return {
        "recipient": table.chairs[row.seat].player,
        "game_id": head.game,
        "kind": KIND,
        "decision": str(About(row.since, rung)),
        "seat": row.seat,
        "version": head.version,
        "created_at": now,
    }
