"""Settling a mail, and answering it to the registered address alone."""

from dataclasses import replace
from enum import Enum
from typing import Any, Final

from domain.engine.sentences import say
from service.games.commit import notice
from service.mail import inbox
from service.store.clocks import decisions
from service.store.database import Connection
from service.store.event_store.streams import Head
from service.store.outgoing import outbox
from workers.commands import outcomes, reply_limits
from workers.commands.context import ReplyContext
from workers.commands.outcomes import Outcome, changed
from workers.commands.reply import Reply

LAST_TODAY: Final = say(
    "This was the last answer of today to mails like this one: what you order is played all the same, and confirmed."
)
TOLD_ALWAYS: Final = frozenset({outcomes.APPLIED, outcomes.JOINED, outcomes.DECLINED})


class Quiet(Enum):
    """Why a mail is not answered."""

    SPARED = "its author wants no receipts, and there is nothing else to say"
    SAID = "the same was said within the hour"
    LIMIT = "its author had enough answers today"


def as_it_stands(tx: Connection, head: Head, player: str | None, seat: int | None, outcome: Outcome) -> Outcome:
    """The report with what is asked of this player now, so that its letter can be answered.

    What the caretaker answers any moment is not asked; where time was given to mend a mail, that is when it is due.
    """
    asked = decisions.of_seat(tx, head.game, seat)
    if asked is not None and asked.player_id == player and (asked.acts_at is None or head.now <= asked.acts_at):
        due = asked.acts_at if asked.graced else asked.due_at
        outcome = changed(outcome, decision=asked.decision, since=asked.since, due=due or 0)
    return changed(outcome, version=head.version)


def send(context: ReplyContext, reply: Reply, *, written: bytes = b"") -> None:
    """Settle a mail, and answer it to the registered address, unless that had its answers for today (RATE-09)."""
    if reply.outcome is None:
        return settle(context, reply.state, reply.reason, written=written)
    if reply.head is not None:
        context = replace(context, head=reply.head)
    tx, head = context.tx, context.head
    player = reply.player or context.token.player
    seat = context.token.seat if reply.seat is None else reply.seat
    outcome = as_it_stands(tx, head, player, seat, reply.outcome)
    if not outcome.decision:
        outcome = changed(outcome, answers=outcome.answers or context.token.decision)
    idle = outcome.result not in TOLD_ALWAYS
    left = reply_limits.answers_left(tx, context.row, head.now, reply.state) if idle else 1
    quiet = _why_quiet(context, outcome, left, written if idle else b"", spares=not reply.briefs)
    if idle and left == 1:
        outcome = changed(outcome, ignored=[*outcome.ignored, str(context.words(LAST_TODAY))])
    reason = f"{outcome.result}{reply_limits.UNANSWERED if quiet is Quiet.LIMIT else ''}"
    settle(context, reply.state, reason, outcome=outcome, written=written, player_id=player, seat=seat)
    if quiet is None:
        write_to(context, "answer", str(context.row.id), player=reply.player, seat=seat)
        _replace_notices(context, outcome, player or "", reply.briefs)
    return None


def _why_quiet(context: ReplyContext, outcome: Outcome, left: int, written: bytes, *, spares: bool) -> Quiet | None:
    """Why a mail with this outcome is not answered, None where it is. `left` answers are left for today."""
    head = context.head
    if spares and not context.person.receipts and _is_plain(outcome):
        return Quiet.SPARED
    if written and reply_limits.same_answer(context.tx, context.row, written, head.now, head.last_at):
        return Quiet.SAID
    if not left or reply_limits.had_enough_letters(context.tx, context.row, head.now):
        return Quiet.LIMIT
    return None


def _is_plain(outcome: Outcome) -> bool:
    """Whether all of a mail was done, and there is nothing to say of it but that."""
    rest = outcome.ignored or outcome.shows or outcome.calendar or outcome.copied or outcome.why
    return outcome.result == outcomes.APPLIED and not rest


def _replace_notices(context: ReplyContext, outcome: Outcome, player: str, briefs: int) -> None:
    """Withdraw the notices of what the answer tells as well: one mail is enough (RATE-06)."""
    if outcome.decision and outcome.since > outcome.before:
        outbox.tell_in_answer(context.tx, player, context.head.game, outcome.since, context.row.id)
    if briefs:
        outbox.tell_in_answer(context.tx, player, context.head.game, briefs, context.row.id, "brief")


def settle(
    context: ReplyContext,
    state: str,
    reason: str,
    *,
    outcome: Outcome | None = None,
    written: bytes = b"",
    **whose: Any,
) -> None:
    """Write down what came of the mail; without an answer."""
    values = {"message_id": context.reading.message_id[:200], "written": written or None, "reason": reason, **whose}
    inbox.settle(context.services, context.tx, context.row, state, outcome=outcome, **values)


def write_to(
    context: ReplyContext, kind: str, decision: str, *, player: str | None = None, seat: int | None = None
) -> None:
    """Queue a letter to the registered address, and to no other."""
    recipient = player or context.token.player or context.token.recipient
    letter = notice(context.head, recipient, kind, decision, context.token.seat if seat is None else seat)
    outbox.put(context.tx, [letter | {"created_at": context.now}])
