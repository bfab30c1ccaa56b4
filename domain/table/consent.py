"""What needs the agreement of others: going back, stopping the clock, letting it run, more time.

One proposal at a time. It is carried out when everybody asked has agreed, and off the table with the first refusal;
one to go back is off, too, as soon as somebody plays on.
"""

from collections.abc import Iterable, Sequence
from typing import Final, Literal

from domain.engine.game import Seat
from domain.engine.refusals import RuleViolation, require
from domain.engine.sentences import row, say
from domain.table.events import (
    ClockAnswered,
    ClockProposed,
    ClockResumed,
    OrdersDropped,
    ProposalDropped,
    RewindAnswered,
    RewindProposed,
    Rewound,
)
from domain.table.play import settle
from domain.table.proposals import drop_rewind, missing, persons, settle_clock
from domain.table.record import Actor, Record, seat_actor
from domain.table.state import Proposal, Reason, Table, require_played, require_running
from domain.table.undo import Undoing

RULE: Final = "DESIGN-7"
LONGEST_PAUSE: Final = 60 * 86_400
LONGEST_EXTENSION: Final = 30 * 86_400
"""Seconds."""

ClockTerms = Literal["pause", "resume", "extend"]


def take_back(
    record: Record,
    seat: Seat,
    meant: Undoing,
    reason: Reason,
    then: Table,
    *,
    ask: bool = True,
    names: Sequence[str] = (),
) -> bool:
    """Go back at once where that is free or touches nobody who could be asked; else propose it. Whether it was done.

    `then` is the table as it was there. Raises RuleViolation: "needs-consent" where nobody is to be asked.
    """
    require_running(record.table)
    require_played(record.table, seat)
    asked = whom(record.table, meant)
    require(
        asked or not meant.drawn,
        "needs-consent",
        RULE,
        "Something was drawn since then, and nobody else sits here who could agree to draw again.",
    )
    if meant.free or not asked:
        reopen(record, seat, meant.to, reason, then)
        return True
    require(
        ask,
        "needs-consent",
        RULE,
        "That can no longer be undone freely: {whom} would have to agree.",
        whom=lambda: row([names[other] for other in asked], say(" and ")),
    )
    _require_free(record, seat)
    record.add(seat_actor(seat), RewindProposed(seat, meant.to, reason, asked))
    return False


def whom(table: Table, meant: Undoing) -> list[Seat]:
    """Who would have to agree to going back: of the seats it touches, those that a person plays."""
    return [] if meant.free else [seat for seat in persons(table) if seat in meant.touched]


def propose_clock(record: Record, seat: Seat, what: ClockTerms, seconds: int) -> None:
    """Ask everybody else to stop the clock for so long at most, to let it run, or for so much more time.

    Raises RuleViolation for what cannot be: a pause of a paused clock, more than LONGEST_PAUSE.
    """
    _require_free(record, seat)
    table = record.table
    if what == "pause":
        require(not table.paused, "already-paused", RULE, "The clock is stopped already.")
        fits = 3600 <= seconds <= LONGEST_PAUSE
        require(fits, "bad-pause", RULE, "A pause lasts from an hour to sixty days: PT1H to P60D.")
    elif what == "resume":
        require(table.paused, "not-paused", RULE, "The clock is running: there is nothing to resume.")
        seconds = 0
    else:
        require(not table.paused, "already-paused", RULE, "The clock is stopped: resume it first.")
        fits = 3600 <= seconds <= LONGEST_EXTENSION
        require(fits, "bad-extension", RULE, "More time is from an hour to thirty days: PT1H to P30D.")
    waited_for = table.late if what == "resume" else None  # who has not answered all the time is not asked
    asked = [other for other in persons(table) if other not in (seat, waited_for)]
    record.add(seat_actor(seat), ClockProposed(seat, what, seconds, asked))
    settle_clock(record, seat_actor(seat))


def answer(record: Record, seat: Seat, kind: Literal["rewind", "clock"], agrees: bool) -> Proposal | None:
    """One of those asked agrees, or does not; the proposer may take it back by not agreeing.

    The proposal to go back that everybody has agreed to, which is still to be carried out with `reopen`; else None.
    Raises RuleViolation where nothing is asked of this seat.
    """
    proposal = _open_one(record, seat, kind)
    if seat == proposal.seat:
        require(not agrees, "own-proposal", RULE, "This is your own proposal: the others answer it.")
        record.add(seat_actor(seat), ProposalDropped(seat, "withdrawn"))
        return None
    require(seat in proposal.asked, "not-asked", RULE, "You are not among those who are asked.")
    require(seat not in proposal.agreed, "already-answered", RULE, "You have agreed already.")
    record.add(seat_actor(seat), (RewindAnswered if kind == "rewind" else ClockAnswered)(seat, agrees))
    if not agrees:
        record.add(seat_actor(seat), ProposalDropped(proposal.seat, "refused"))
        return None
    if kind == "clock":
        settle_clock(record, seat_actor(seat))
        return None
    return carried(record.table)


def withdraw(record: Record, seat: Seat, kind: Literal["rewind", "clock"]) -> None:
    """Take one's own proposal back. Raises RuleViolation for another's."""
    proposal = _open_one(record, seat, kind)
    require(
        seat == proposal.seat, "not-asked", RULE, "Someone else has proposed this: you can refuse it if you are asked."
    )
    record.add(seat_actor(seat), ProposalDropped(seat, "withdrawn"))


def carried(table: Table) -> Proposal | None:
    """The proposal to go back that waits for nobody's answer any more: of those asked, who left is not waited for."""
    proposal = table.proposal
    if proposal is None or proposal.what != "rewind" or missing(table, proposal):
        return None
    return proposal


def reopen(record: Record, seat: Seat, to: int, reason: Reason, then: Table, agreed: Iterable[Seat] = ()) -> None:
    """Let a seat go back to event `to`, and what follows come about anew; `then` is the table as it was after it.

    The seat has no standing orders any more: they would do the same again. Raises RuleViolation for a seat that the
    caretaker plays.
    """
    require_running(record.table)
    require_played(record.table, seat)
    actor = seat_actor(seat)
    if not agreed:
        drop_rewind(record, actor)
    if seat in record.table.orders:
        record.add(actor, OrdersDropped(seat, "taken-back"))
    record.go_back(actor, Rewound(to, seat, reason, sorted(agreed)), then)
    settle(record, actor)
    late = record.table.late
    if late is not None and late not in record.rules.decider.awaiting(
        record.table.game
    ):  # nobody owes what it stands for
        record.add(actor, ClockResumed("agreed"))


def resume(record: Record, actor: Actor, reason: Literal["agreed", "over", "acted", "host", "operator"]) -> None:
    """Let time run again. Raises RuleViolation where it runs."""
    require_running(record.table)
    require(record.table.paused, "not-paused", RULE, "The clock is running: there is nothing to resume.")
    record.add(actor, ClockResumed(reason))


def _require_free(record: Record, seat: Seat) -> None:
    table = record.table
    require_running(record.table)
    require_played(record.table, seat)
    open_one = say("Something has already been proposed: it must be answered or withdrawn first.")
    require(table.proposal is None, "proposal-open", RULE, open_one)


def _open_one(record: Record, seat: Seat, kind: Literal["rewind", "clock"]) -> Proposal:
    require_running(record.table)
    require_played(record.table, seat)
    proposal = record.table.proposal
    if proposal is None or (proposal.what == "rewind") != (kind == "rewind"):
        raise RuleViolation("no-proposal", RULE, say("Nothing like that is being proposed now."))
    return proposal
