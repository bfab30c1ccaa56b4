"""Notices: what was or is to be told is about events that are there, and about answers that were owed, to who owed
them; and whoever owes an answer now is told.

That a notice went out, how often it was tried and what a mail server said, nothing else testifies to.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final, NamedTuple

from domain.table.clock import Question
from service.clocks.hours import DAY
from service.integrity.checks.findings import Finding
from service.integrity.checks.history_walk import Walk
from service.kernel.clock import SECOND, from_text, text
from service.store.across.audit_rows import AuditedDelivery, AuditedNotice, Rows
from service.store.clocks.clock_jumps import Jump
from service.store.outgoing.deliveries import MAIL

TURN: Final = "your-turn"
OF_A_TURN: Final = (TURN, "reminder")
STATES: Final = frozenset({"queued", "sent", "superseded", "failed", "bounced"})
BY_HAND: Final = 600 * SECOND
"""How far a clock may have been set back by hand."""
OF_NOTICE: Final = ("recipient", "kind", "version", "created_at")
"""What a delivery repeats of its notice. Other than by mail, a notice that was made again may be told as it was."""
PUT_OFF: Final = 2 * DAY
"""No mail is put off longer: a day for there were too many, and a night."""


class Wrong(NamedTuple):
    """A column that is not what it can be, why, and the jump of the clock that explains it."""

    column: str
    sentence: str
    jump: Jump | None = None


def findings(rows: Rows, entries: Sequence[Mapping[str, Any]], walk: Walk) -> Iterator[Finding]:
    """Notices that tell of what never was, or somebody else, by mail or otherwise; and those that are missing."""
    last, begun = len(walk.events), walk.begun
    for row in rows.notices:
        owed = None if row.seat is None else begun.get((_since(row), row.seat))
        if not 0 <= row.version <= last:
            yield _finding(rows, "notices", row, "version", f"The history has {last} events.")
        elif row.kind in OF_A_TURN and owed is None:
            yield _finding(rows, "notices", row, "decision", "No such answer was ever owed.")
        else:
            yield from (_finding(rows, "notices", row, *wrong) for wrong in _check_notice(rows, row, entries, owed))
    known = {row.id: row for row in rows.notices}
    for delivery in rows.deliveries:
        if not 0 <= delivery.version <= last:
            yield _finding(rows, "deliveries", delivery, "version", f"The history has {last} events.")
        else:
            wrongs = _check_delivery(rows, delivery, known.get(delivery.notice_id))
            yield from (_finding(rows, "deliveries", delivery, *wrong) for wrong in wrongs)
    yield from _find_missing(rows, walk)


def _find_missing(rows: Rows, walk: Walk) -> Iterator[Finding]:
    """Answers that are owed now, and that no mail tells of."""
    told = {(row.decision, row.seat): row.id for row in rows.notices if row.kind == TURN}
    mailed = {row.notice_id for row in rows.deliveries if row.channel == MAIL}
    for seat, owed in walk.last.items():
        notice = told.get((f"{owed.since}", seat))
        if notice not in mailed:
            table = "notices" if notice is None else "deliveries"
            sentence = f"Nothing tells seat {seat} of the answer it owes since event {owed.since}."
            yield Finding("witness", rows.game, table, "", "", sentence, owed.since)


def _check_notice(
    rows: Rows, row: AuditedNotice, entries: Sequence[Mapping[str, Any]], owed: Question | None
) -> Iterator[Wrong]:
    """Columns of a notice that are not what they can be, and why; `owed` is the answer it tells of."""
    since, now, made = _since(row), rows.now, row.created_at
    if row.kind in OF_A_TURN and owed is not None and row.recipient != owed.player:
        yield Wrong("recipient", "Somebody else owed that answer.")
    if row.kind == TURN and row.version != since:
        yield Wrong("version", f"The answer began to be owed with event {since}.")
    elif row.kind == TURN and made != from_text(entries[since - 1]["at"]):
        yield Wrong("created_at", f"By the history it is {entries[since - 1]['at']}.")
    elif row.version and not (at := from_text(entries[row.version - 1]["at"])) - BY_HAND <= made <= now + BY_HAND:
        yield Wrong("created_at", "It is not after its event.", rows.jump_at(at, made))


def _check_delivery(rows: Rows, row: AuditedDelivery, notice: AuditedNotice | None) -> Iterator[Wrong]:
    """Columns of a delivery that are not what they can be, and why."""
    now, made = rows.now, row.created_at
    if notice is None:
        yield Wrong("notice_id", "There is no such notice of this game.")
    else:
        for name in OF_NOTICE if row.channel == MAIL else OF_NOTICE[:2]:
            if getattr(row, name) != getattr(notice, name):
                yield Wrong(name, "Its notice says otherwise.")
    if row.state not in STATES:
        yield Wrong("state", "It is none.")
    if row.channel == MAIL and not made - BY_HAND <= row.not_before <= now + PUT_OFF:
        yield Wrong("not_before", "No mail is put off so long.", rows.jump_at(made, row.not_before))
    done = row.done_at
    if done is not None and (row.state == "queued" or not made - BY_HAND <= done <= now + BY_HAND):
        yield Wrong("done_at", "It was not done then.", rows.jump_at(made, done))
    if not 0 <= row.lease_until <= now + DAY:
        yield Wrong("lease_until", "Nobody leases a notice so long.")


def _since(row: AuditedNotice) -> int:
    """The event since which an answer was owed, as a notice tells; 0 for none."""
    told = str(row.decision).partition(".")[0]
    return int(told) if told.isascii() and told.isdigit() else 0


def _finding(
    rows: Rows, table: str, row: AuditedNotice | AuditedDelivery, column: str, sentence: str, jump: Jump | None = None
) -> Finding:
    """A finding; what a jump explains is only noted, for there is nothing to be done about it (T-41)."""
    if jump is not None:
        ahead = f"{sentence} The clock was ahead when that was written; it was set right at {text(jump.healed_at)}."
        return Finding("note", rows.game, table, f"{row.id}", column, ahead, row.version)
    return Finding("witness", rows.game, table, f"{row.id}", column, sentence, row.version)
