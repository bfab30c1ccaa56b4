"""Settling a mail, and answering it to the registered address alone."""

from typing import Any, Final

from domain.engine.sentences import say
from service.clocks import seat_clocks
from service.games.commit import notice
from service.kernel.clock import SECOND
from service.mail import inbox
from service.store import decisions, outbox
from service.store.database import Connection
from service.store.streams import Head
from workers.commands import authorization, outcomes, reply_limits
from workers.commands.context import Case, owes
from workers.commands.outcomes import Outcome

CORRECTION: Final = 30 * 60 * SECOND
"""Time to mend a mail that was in time but could not be used (IN-35)."""
LAST_TODAY: Final = say(
    "This was the last answer of today to mails like this one: what you order is played all the same, and confirmed."
)
TOLD_ALWAYS: Final = frozenset({outcomes.APPLIED, outcomes.JOINED, outcomes.DECLINED})


def give_time(case: Case) -> None:
    """Once a decision, a mail that was in time but could not be used opens some time to mend it (IN-35)."""
    asked = owes(case)
    authentic = case.from_ok and case.verdict != authorization.FAIL
    if asked is None or asked.graced or asked.acts_at is None or not authentic:
        return
    if case.row["received_at"] <= asked.acts_at < case.now + CORRECTION:
        seat_clocks.mend(case.tx, asked, case.now + CORRECTION, case.now)


def saying(case: Case, report: Outcome, why: Any, result: str = outcomes.REJECTED) -> Outcome:
    """The report with a reason; what is not about its lines leaves them out."""
    return changed(
        report, result=result, why=str(case.words(why)), lines=[] if result != outcomes.REJECTED else report.lines
    )


def changed(report: Outcome, **more: Any) -> Outcome:
    """The report with some fields anew."""
    values = {name: getattr(report, name) for name in report.__struct_fields__}
    return Outcome(**values | more)


def as_it_stands(tx: Connection, head: Head, player: str | None, seat: int | None, outcome: Outcome) -> Outcome:
    """The report with what is asked of this player now, so that its letter can be answered.

    What the caretaker answers any moment is not asked; where time was given to mend a mail, that is when it is due.
    """
    asked = decisions.of_seat(tx, head.game, seat)
    if asked is not None and asked.player_id == player and (asked.acts_at is None or head.now <= asked.acts_at):
        due = asked.acts_at if asked.graced else asked.due_at
        outcome = changed(outcome, decision=asked.decision, since=asked.since, due=due or 0)
    return changed(outcome, version=head.version)


def tell(
    case: Case,
    state: str,
    outcome: Outcome,
    *,
    written: bytes = b"",
    player: str | None = None,
    seat: int | None = None,
    briefs: int = 0,
) -> None:
    """Settle a mail and answer it, to the registered address, unless it had its answers for today (RATE-09).

    `briefs` is the event by which the player took over a seat, of which the answer tells as well.
    """
    head = case.head
    at = case.grant.seat if seat is None else seat
    outcome = as_it_stands(case.tx, head, player or case.grant.player, at, outcome)
    if not outcome.decision:
        outcome = changed(outcome, answers=outcome.answers or case.grant.decision)
    idle = outcome.result not in TOLD_ALWAYS
    left = reply_limits.answers_left(case.tx, case.row, head.now, state) if idle else 1
    again = idle and bool(written) and reply_limits.same_answer(case.tx, case.row, written, head.now, head.last_at)
    spared = not case.person.receipts and not briefs and _is_plain(outcome)
    quiet = spared or not left or again or reply_limits.had_enough_letters(case.tx, case.row, head.now)
    if idle and left == 1:
        outcome = changed(outcome, ignored=[*outcome.ignored, str(case.words(LAST_TODAY))])
    reason = f"{outcome.result}{reply_limits.UNANSWERED if quiet and not again and not spared else ''}"
    whose = {"player_id": player or case.grant.player, "seat": at}
    settle(case, state, reason, outcome=outcome, written=written, **whose)
    if not quiet:
        write_to(case, "answer", str(case.row["id"]), player=player, seat=at)
        if outcome.decision and outcome.since > outcome.before:
            outbox.told_with(case.tx, player or case.grant.player or "", head.game, outcome.since, case.row["id"])
        if briefs:
            outbox.told_with(case.tx, player or "", head.game, briefs, case.row["id"], "brief")


def _is_plain(outcome: Outcome) -> bool:
    """Whether all of a mail was done, and there is nothing to say of it but that."""
    more = outcome.ignored or outcome.shows or outcome.calendar or outcome.copied or outcome.why
    return outcome.result == outcomes.APPLIED and not more


def settle(
    case: Case, state: str, reason: str, *, outcome: Outcome | None = None, written: bytes = b"", **more: Any
) -> None:
    """Write down what came of the mail; without an answer."""
    values = {"message_id": case.reading.message_id[:200], "written": written or None, "reason": reason, **more}
    inbox.settle(case.services, case.tx, case.row, state, outcome=outcome, **values)


def write_to(
    case: Case,
    kind: str,
    decision: str,
    *,
    player: str | None = None,
    seat: int | None = None,
) -> None:
    """A letter to the registered address, and to no other."""
    recipient = player or case.grant.player or case.grant.recipient
    written = notice(case.head, recipient, kind, decision, case.grant.seat if seat is None else seat)
    outbox.put(case.tx, [written | {"created_at": case.now}])
