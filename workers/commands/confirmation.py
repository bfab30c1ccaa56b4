"""Mail that may not be its owner's: held, and asked about at the registered address; and addresses that leaked."""

from dataclasses import dataclass, replace
from typing import Any, Final

import msgspec

from domain.engine.sentences import say
from service.kernel.clock import SECOND
from service.mail import alignment, inbox, reply_tokens
from service.store.incoming import replies
from service.store.incoming.inbox import StoredMail
from workers.commands import authorization, outcomes, reply_limits
from workers.commands.answer import settle, write_to
from workers.commands.context import ReplyContext, as_it_sits, is_stale
from workers.commands.leaked_addresses import fresh_addresses, strangers
from workers.commands.outcomes import Outcome, changed
from workers.commands.read_orders import Written, grammar_of, is_copy
from workers.commands.reply import Reply, Request
from workers.commands.words.command import Command
from workers.parsing.fields import printable

CONFIRM_WITHIN: Final = 48 * 3600 * SECOND
YES_OR_NO: Final = say("Answer with yes or no, alone on the first line.")
CONFIRMED_ALREADY: Final = say("That mail has already been confirmed or discarded.")
LOOKS_AWAY: Final = say("Its subject reads like an absence note, which your mail program may have sent by itself.")
CANNOT_BE_UNDONE: Final = say("What it asks for cannot be undone.")
TOO_LATE_TO_CONFIRM: Final = say("That mail waited for too long to be confirmed: send the order again.")


def reply_to_stranger(context: ReplyContext) -> Reply:
    """A mail that nobody may vouch for, and that asks for nothing to be done: its owner is told, once a day."""
    if reply_limits.knows_of_strangers(context.tx, context.row, context.now):
        return Reply("held", reason="not from the registered address, or not authentic")
    return Reply("held", Outcome(outcomes.STRANGE, why=str(context.words(where_from(context)))))


def _why_asked(context: ReplyContext) -> Any:
    """Why a mail is not done at once: its author, an absence note that may have sent it, or what cannot be undone."""
    if not context.from_ok or context.verdict != alignment.PASS:
        return where_from(context)
    return LOOKS_AWAY if context.reading.away_hint else CANNOT_BE_UNDONE


def where_from(context: ReplyContext) -> Any:
    """What is wrong with the author of a mail."""
    if authorization.folded(context.person.email) not in map(authorization.folded, context.reading.from_addresses):
        shown = printable(", ".join(context.reading.from_addresses[:2]), 120) or "nobody"
        return say(
            "A mail to your reply address came from {address}, which is not your registered address.",
            address=shown,
        )
    return say("A mail to your reply address could not be authenticated as yours.")


@dataclass(frozen=True, slots=True)
class Resumed:
    """A mail that was held and is confirmed, with what it asks for."""

    context: ReplyContext
    request: Request


def hold(context: ReplyContext, request: Request) -> None:
    """Do nothing yet: ask the registered address (the `cf-` token)."""
    outcome = changed(
        request.report,
        result=outcomes.HELD,
        why=str(context.words(_why_asked(context))),
        commands=[command.text for command in request.commands],
        copied=bool(strangers(context)),
    )
    most = 1 if context.reading.away_hint else None
    if reply_limits.had_enough_questions(context.tx, context.row, context.now, own=context.from_ok, most=most):
        return settle(context, "held", "not confirmed", outcome=outcome, written=request.digest)
    reason = reply_limits.OWN if context.from_ok else reply_limits.OTHER
    settle(context, "held", reason, outcome=outcome, written=request.digest)
    return write_to(context, "confirm", str(context.row.id))


def confirm(context: ReplyContext, written: Written) -> Reply | Resumed:
    """What an answer to "did you send this?" means: the mail that waited, or what there is to reply.

    Possession of the secret just mailed counts, with From.
    """
    held = inbox.by_id(context.tx, context.token.held or 0)
    verb = written.commands[0].verb if len(written.commands) == 1 else ""
    if is_copy(context, written.digest):
        return Reply("duplicate", reason="the same mail again")
    if verb not in ("yes", "no"):
        return Reply("rejected", Outcome(outcomes.REJECTED, why=str(context.words(YES_OR_NO))))
    if held is None or held.state != outcomes.HELD:
        return Reply("stale", Outcome(outcomes.ALREADY, why=str(context.words(CONFIRMED_ALREADY))))
    return _throw_away(context, held) if verb == "no" else _resume(context, held, written.digest)


def _throw_away(context: ReplyContext, held: StoredMail) -> Reply:
    """No: the addresses are known to somebody else, so all of this player's die, and fresh mail is sent (OUT-27)."""
    _set_held(context, held, "refused")
    player = context.token.player or ""
    fresh_addresses(context.services, context.tx, player, context.now, except_game=context.token.game)
    return Reply("applied", Outcome(outcomes.DECLINED))


def _resume(context: ReplyContext, held: StoredMail, digest: bytes) -> Reply | Resumed:
    """Yes: do what the held mail asked, as of when it came."""
    original = outcomes.read(context.services, held)
    token = reply_tokens.find(context.services.database, context.services.sealer, context.tx, held.token)
    if original is None or token is None or context.now > held.received_at + CONFIRM_WITHIN:
        _set_held(context, held, "refused")
        return Reply("stale", Outcome(outcomes.STALE, why=str(context.words(TOO_LATE_TO_CONFIRM))))
    row = msgspec.structs.replace(context.row, received_at=held.received_at)
    token = as_it_sits(context.head, token)
    again = replace(context, row=row, token=token, from_ok=True, verdict=alignment.PASS)
    commands = [Command.of(text) for text in original.commands]
    report = Outcome(outcomes.REJECTED, before=context.head.version)
    request = Request.of(digest, report, grammar_of(again), commands)
    _set_held(context, held, "confirmed")
    if original.copied and not (request.orders and is_stale(again)):
        player = context.token.player or ""
        fresh_addresses(context.services, context.tx, player, context.now, except_game=context.token.game)
    return Resumed(again, request)


def _set_held(context: ReplyContext, held: StoredMail, state: str) -> None:
    """Settle the mail that waited."""
    why = "confirmed by reply" if state == "confirmed" else "not confirmed"
    replies.set_state(context.tx, held.id, state, why)
