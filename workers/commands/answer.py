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
from workers.commands.context import ReplyContext, owes
from workers.commands.outcomes import Outcome

CORRECTION: Final = 30 * 60 * SECOND
"""Time to mend a mail that was in time but could not be used (IN-35)."""
LAST_TODAY: Final = say(
    "This was the last answer of today to mails like this one: what you order is played all the same, and confirmed."
)
TOLD_ALWAYS: Final = frozenset({outcomes.APPLIED, outcomes.JOINED, outcomes.DECLINED})


def give_time(context: ReplyContext) -> None:
    """Once a decision, a mail that was in time but could not be used opens some time to mend it (IN-35)."""
    asked = owes(context)
    authentic = context.from_ok and context.verdict != authorization.FAIL
    if asked is None or asked.graced or asked.acts_at is None or not authentic:
        return
    if context.row["received_at"] <= asked.acts_at < context.now + CORRECTION:
        seat_clocks.mend(context.tx, asked, context.now + CORRECTION, context.now)


def saying(context: ReplyContext, report: Outcome, why: Any, result: str = outcomes.REJECTED) -> Outcome:
    """The report with a reason; what is not about its lines leaves them out."""
    return changed(
        report, result=result, why=str(context.words(why)), lines=[] if result != outcomes.REJECTED else report.lines
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
    context: ReplyContext,
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
    head = context.head
    at = context.grant.seat if seat is None else seat
    outcome = as_it_stands(context.tx, head, player or context.grant.player, at, outcome)
    if not outcome.decision:
        outcome = changed(outcome, answers=outcome.answers or context.grant.decision)
    idle = outcome.result not in TOLD_ALWAYS
    left = reply_limits.answers_left(context.tx, context.row, head.now, state) if idle else 1
    again = (
        idle and bool(written) and reply_limits.same_answer(context.tx, context.row, written, head.now, head.last_at)
    )
    spared = not context.person.receipts and not briefs and _is_plain(outcome)
    quiet = spared or not left or again or reply_limits.had_enough_letters(context.tx, context.row, head.now)
    if idle and left == 1:
        outcome = changed(outcome, ignored=[*outcome.ignored, str(context.words(LAST_TODAY))])
    reason = f"{outcome.result}{reply_limits.UNANSWERED if quiet and not again and not spared else ''}"
    whose = {"player_id": player or context.grant.player, "seat": at}
    settle(context, state, reason, outcome=outcome, written=written, **whose)
    if not quiet:
        write_to(context, "answer", str(context.row["id"]), player=player, seat=at)
        if outcome.decision and outcome.since > outcome.before:
            outbox.told_with(
                context.tx, player or context.grant.player or "", head.game, outcome.since, context.row["id"]
            )
        if briefs:
            outbox.told_with(context.tx, player or "", head.game, briefs, context.row["id"], "brief")


def _is_plain(outcome: Outcome) -> bool:
    """Whether all of a mail was done, and there is nothing to say of it but that."""
    more = outcome.ignored or outcome.shows or outcome.calendar or outcome.copied or outcome.why
    return outcome.result == outcomes.APPLIED and not more


def settle(
    context: ReplyContext, state: str, reason: str, *, outcome: Outcome | None = None, written: bytes = b"", **more: Any
) -> None:
    """Write down what came of the mail; without an answer."""
    values = {"message_id": context.reading.message_id[:200], "written": written or None, "reason": reason, **more}
    inbox.settle(context.services, context.tx, context.row, state, outcome=outcome, **values)


def write_to(
    context: ReplyContext,
    kind: str,
    decision: str,
    *,
    player: str | None = None,
    seat: int | None = None,
) -> None:
    """A letter to the registered address, and to no other."""
    recipient = player or context.grant.player or context.grant.recipient
    written = notice(context.head, recipient, kind, decision, context.grant.seat if seat is None else seat)
    outbox.put(context.tx, [written | {"created_at": context.now}])
