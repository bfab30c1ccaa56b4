"""Watch for outages and jumps of the clock, and give their time back before a deadline passes (Q-9, T-41).

The sweep notices an outage by the time since it last ran. It records the outage with a number, and each game gives its
clocks that time back. A jump is noticed by comparing with the time that a process counted itself. Then nothing is
decided until the clock is right again, an operator accepts the new time, or LONGEST_HOLD has passed. The time that it
jumped over is an outage in the last two cases.
"""

from dataclasses import dataclass
from typing import Final

from service.kernel.clock import SECOND, text
from service.kernel.clock_guard import OUTAGE, ClockGuard
from service.kernel.log import log
from service.store.across import due_work
from service.store.clocks import clock_jumps, decisions
from service.store.clocks import outages as outage_rows
from service.store.clocks.clock_jumps import Jump
from service.store.database import Connection, Database
from service.store.running.heartbeats import beat, hold_beats, last_beat, last_beats, remove_beats

LOG: Final = "wardroom.clock"
JUMP: Final = 300 * SECOND
LONGEST_HOLD: Final = 6 * 3600 * SECOND
FLOOD: Final = 10
"""So many deadlines in one sweep, if they are more than a fifth of all, are looked at twice."""
FLOOD_PATIENCE: Final = 900 * SECOND
SWEEP, RESUMED, RIGHT, HELD, FLOODED = "sweep", "resumed", "right", "held", "flooded"
"""Signs of life: the last sweep; the first after an outage; while nothing is decided, the last time that was right and
the first that was not; since when too many deadlines have wanted to pass at once."""


def is_time_sure(database: Database, guard: ClockGuard, tx: Connection) -> bool:
    """Return whether the time is right. Record an outage, once for all processes, and leave a sign of life."""
    now = database.clock.now(tx)
    ahead, before = guard.jump(now, database.clock.counted())
    signs = hold_beats(tx)
    if HELD in signs:
        return _held(database, tx, signs, now, ahead)
    swept = signs.get(SWEEP)
    if swept is not None and now < swept - JUMP:
        log(
            LOG,
            "warning",
            "the clock was set back: what was written before it was bears times to come",
            until=text(swept),
        )
        _set_right(tx, Jump(now, now, swept + JUMP))
    if ahead > JUMP and signs.get(RESUMED, 0) <= before:  # else it was made good since this process looked
        log(LOG, "error", "the clock has jumped forward: no deadline is decided", seconds=ahead // SECOND)
        beat(database, tx, RIGHT, before)
        beat(database, tx, HELD, now)
        return False
    if swept is None:
        beat(database, tx, RESUMED, now)
    elif now - swept > OUTAGE:
        _make_good(database, tx, swept, now, "the service was away: every clock that runs is given that time back")
    beat(database, tx, SWEEP, now)
    return True


def is_watched(connection: Connection, now: int) -> bool:
    """Return whether the sweep has run lately. A sweep that stopped for a while must look again first."""
    signs = last_beats(connection)
    return HELD not in signs and now - signs.get(SWEEP, 0) <= OUTAGE


@dataclass(frozen=True, slots=True)
class Status:
    """The state of the watch over time, for operators. All is None or 0 if all is well."""

    now: int
    swept: int | None
    right: int | None  # while nothing is decided: the last time that was right
    held: int | None  # and the first that was not
    flooded: int | None
    running: int  # clocks that run
    due: int  # deadlines that wait to be decided


def status(database: Database, connection: Connection) -> Status:
    """Return the state of the watch over time."""
    now, signs = database.clock.now(connection), last_beats(connection)
    running, due = decisions.count_running(connection), decisions.count_due(connection, now)
    return Status(now, signs.get(SWEEP), signs.get(RIGHT), signs.get(HELD), signs.get(FLOODED), running, due)


def lines(status: Status) -> list[str]:
    """Say the state of the watch in lines for people who run the service."""
    told = [f"now       {text(status.now)}"]
    told.append(f"running   {status.running} clocks, of which {status.due} wait to be decided")
    swept = "never" if status.swept is None else text(status.swept)
    told.append(f"looked at {swept}")
    if status.held is not None and status.right is not None:
        told.append(
            f"held      since {text(status.held)}: the clock jumped there from {text(status.right)}. Set it right, or "
            f"run `wardroom clock accept` if it is right; else it is believed at {text(status.held + LONGEST_HOLD)}."
        )
    elif status.flooded is not None:
        told.append(
            f"held      since {text(status.flooded)}: unusually many deadlines would pass at once. They are decided "
            f"at {text(status.flooded + FLOOD_PATIENCE)}; see whether something is wrong before, or "
            "run `wardroom clock accept` if nothing is."
        )
    return told


def accept(database: Database, tx: Connection) -> str | None:
    """Accept the time as right: give a jump back, or let many deadlines pass at once, and go on.

    Returns HELD if it was a jump, FLOODED if there were too many deadlines, else None.
    """
    signs, now = hold_beats(tx), database.clock.now(tx)
    if HELD in signs:
        _make_good(database, tx, signs[RIGHT], now, "the jump of the clock was accepted")
        _release(tx)
        return HELD
    if FLOODED in signs:
        log(LOG, "warning", "many deadlines at once were accepted")
        beat(database, tx, FLOODED, now - FLOOD_PATIENCE)
        return FLOODED
    return None


def held_since(connection: Connection) -> int | None:
    """Return the time since which nothing is decided because of a jump; None if all is well."""
    return last_beat(connection, HELD)


def charged_until(connection: Connection, now: int) -> int:
    """Return the time until which clocks are charged.

    That is now, or the beginning of an outage or a jump whose time was not given back yet.
    """
    signs = last_beats(connection)
    if HELD in signs:
        return signs[RIGHT]
    swept = signs.get(SWEEP, now)
    return swept if now - swept > OUTAGE else now


def _held(database: Database, tx: Connection, signs: dict[str, int], now: int, ahead: int) -> bool:
    if ahead < -JUMP or now < signs[HELD] - JUMP:
        log(LOG, "warning", "the clock is right again: deadlines are decided")
        _set_right(tx, Jump(now, now, max(now, signs[HELD] + now - signs[RIGHT]) + JUMP))
        beat(database, tx, SWEEP, now)
        _release(tx)
        return True
    if now > signs[HELD] + LONGEST_HOLD:
        _make_good(database, tx, signs[RIGHT], now, "the clock stayed where it jumped to, and is believed")
        _release(tx)
        return True
    log(LOG, "error", "the clock has jumped forward: no deadline is decided")
    return False


def _set_right(tx: Connection, jump: Jump) -> None:
    """Remember a jump that was set right, and correct the times that the wrong clock had put off or leased."""
    clock_jumps.add(tx, jump)
    due_work.bring_back(tx, jump.healed_at, beyond=jump.healed_at + JUMP)


def _make_good(database: Database, tx: Connection, began: int, ended: int, why: str) -> None:
    number = outage_rows.add(tx, began, ended)
    log(LOG, "warning", why, seconds=(ended - began) // SECOND, outage=number)
    beat(database, tx, RESUMED, ended)
    beat(database, tx, SWEEP, ended)


def is_flooded(database: Database, tx: Connection) -> bool:
    """Return whether so many deadlines would pass at once that a fault is likelier.

    After FLOOD_PATIENCE they pass all the same.
    """
    signs, now = hold_beats(tx), database.clock.now(tx)
    due = decisions.count_due(tx, now)
    if due < FLOOD or decisions.count_running(tx, due * 5) == due * 5:
        if FLOODED in signs:
            remove_beats(tx, FLOODED)
        return False
    since = signs.get(FLOODED)
    if since is None:
        log(LOG, "error", "unusually many deadlines would pass at once: they are held for a while", deadlines=due)
        beat(database, tx, FLOODED, now)
        return True
    return now - since < FLOOD_PATIENCE


def _release(tx: Connection) -> None:
    remove_beats(tx, HELD, RIGHT)
