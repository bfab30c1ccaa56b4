"""What the operator of the service does to a table: end it, stop its clock and let it run, give time, free a seat.

No act of these says anything of the game that is played, nor needs to know it: the operator is no player.
"""

from typing import Final

from domain.engine.game import Seat
from domain.engine.refusals import require
from domain.table.consent import LONGEST_EXTENSION, LONGEST_PAUSE, resume
from domain.table.events import ClockPaused, ClockResumed, SeatVacated, TimeExtended
from domain.table.play import abandon
from domain.table.proposals import drop_rewind, persons, settle_clock
from domain.table.record import CLOCK, OPERATOR, Record
from domain.table.seating import leave
from domain.table.state import require_running

RULE: Final = "DESIGN-7"
HOUR: Final = 3600
"""Seconds."""


def end(record: Record) -> None:
    """End a game for good, or close a table that has not begun: without a result, its seed revealed.

    Raises RuleViolation where it is over.
    """
    require(record.table.status in ("open", "running"), "game-over", "DESIGN-2", "The game is over.")
    abandon(record, OPERATOR, "operator")


def pause(record: Record, seconds: int) -> None:
    """Let nobody's time run, for so long at most, 0 for until it is resumed. Raises RuleViolation where none runs."""
    require_running(record.table)
    require(not record.table.paused, "already-paused", RULE, "The clock is stopped already.")
    fits = seconds == 0 or HOUR <= seconds <= LONGEST_PAUSE
    require(fits, "bad-pause", RULE, "A pause lasts from an hour to sixty days: PT1H to P60D.")
    record.add(OPERATOR, ClockPaused("operator", seconds))


def go_on(record: Record) -> None:
    """Let time run again, whatever had stopped it. Raises RuleViolation where it runs."""
    resume(record, OPERATOR, "operator")


def extend(record: Record, seconds: int, seat: Seat | None) -> None:
    """Give everybody who owes an answer so much more time, or one seat. Raises RuleViolation where none is owed."""
    table = record.table
    require_running(table)
    require(not table.paused, "already-paused", RULE, "The clock is stopped: resume it first.")
    fits = HOUR <= seconds <= LONGEST_EXTENSION
    require(fits, "bad-extension", RULE, "More time is from an hour to thirty days: PT1H to P30D.")
    owing = {other for other in record.rules.decider.awaiting(table.game) if other >= 0 and table.chairs[other].manned}
    if seat is None:
        require(owing, "nobody-asked", RULE, "Nobody has to answer now: there is no deadline to move.")
    else:
        _require_seat(record, seat)
        require(seat in owing, "not-asked", RULE, "Nothing is asked of this seat now: there is no deadline to move.")
    record.add(OPERATOR, TimeExtended(seconds, seat))


def vacate(record: Record, seat: Seat) -> None:
    """Free a seat: before the start its player stands up; after it the caretaker plays until somebody takes it over.

    What its player ordered ahead stays, as after a last deadline, until another takes over. Raises RuleViolation
    where nobody plays it.
    """
    table = record.table
    require(table.status in ("open", "running"), "game-over", "DESIGN-2", "The game is over.")
    _require_seat(record, seat)
    chair = table.chairs[seat]
    require(chair.bot is None, "no-player", RULE, "A bot plays this seat: the host of the table can send it away.")
    require(chair.manned, "seat-vacant", RULE, "Nobody plays this seat.")
    if table.status == "open":
        leave(record, str(chair.player), OPERATOR)
        return
    record.add(OPERATOR, SeatVacated(seat))
    drop_rewind(record, OPERATOR)
    settle_clock(record, OPERATOR)
    if record.table.late == seat:
        record.add(CLOCK, ClockResumed("acted"))  # the caretaker does


def vacate_in_company(record: Record, seat: Seat) -> None:
    """Free a seat as `vacate` does. Raises RuleViolation, too, where that ends a game, for nobody else plays it.

    `vacate` alone stays what histories are verified by: in some of them, the last player was put off.
    """
    vacate(record, seat)
    alone = record.table.status == "running" and not persons(record.table)
    require(not alone, "nobody-else", RULE, "Nobody else plays there: it would end the game for good. End it instead.")


def _require_seat(record: Record, seat: Seat) -> None:
    seats = len(record.table.chairs)
    there = 0 <= seat < seats
    require(there, "no-such-seat", "DESIGN-8", "There is no such seat: they are 0 to {last}.", last=seats - 1)
