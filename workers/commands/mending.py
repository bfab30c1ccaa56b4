"""Time to mend a mail that was in time but could not be used (IN-35)."""

from typing import Final

from service.clocks import seat_clocks
from service.kernel.clock import SECOND
from service.mail import alignment
from workers.commands.context import ReplyContext, is_kept_out, owes

CORRECTION: Final = 30 * 60 * SECOND


def give_time(context: ReplyContext) -> None:
    """Let the caretaker wait for a better mail, once a decision; not for one of a player who is kept out."""
    owed = owes(context)
    authentic = context.from_ok and context.verdict != alignment.FAIL
    if owed is None or owed.graced or owed.acts_at is None or not authentic or is_kept_out(context):
        return
    if context.row.received_at <= owed.acts_at < context.now + CORRECTION:
        seat_clocks.mend(context.tx, owed, context.now + CORRECTION)
