"""Mail that may not be its owner's: held, and asked about at the registered address; and addresses that leaked."""

from collections.abc import Sequence
from typing import Any, Final

from domain.engine.sentences import say
from service.kernel.clock import SECOND
from service.mail import inbox, reply_tokens
from service.mail.inbox import Row
from service.store import replies
from workers.commands import authorization, outcomes, reply_limits
from workers.commands.answer import changed, settle, tell, write_to
from workers.commands.command import Command
from workers.commands.context import ReplyContext, as_it_sits, grammar_of, is_stale
from workers.commands.leaked_addresses import fresh_addresses, strangers
from workers.commands.outcomes import Outcome
from workers.commands.play_orders import closed, execute
from workers.commands.read_orders import is_copy, understood

CONFIRM_WITHIN: Final = 48 * 3600 * SECOND
YES_OR_NO: Final = say("Answer with yes or no, alone on the first line.")
CONFIRMED_ALREADY: Final = say("That mail was confirmed or thrown away before.")
LOOKS_AWAY: Final = say("Its subject reads like an absence note, which your mail program may have sent by itself.")
CANNOT_BE_UNDONE: Final = say("What it asks for cannot be taken back.")
TOO_LATE_TO_CONFIRM: Final = say("That mail waited for too long to be confirmed: send the order again.")


def strange(context: ReplyContext, digest: bytes) -> None:
    """A mail that nobody may vouch for, and that asks for nothing to be done: its owner is told, once a day."""
    if reply_limits.knows_of_strangers(context.tx, context.row, context.now):
        return settle(context, "held", "not from the registered address, or not authentic", written=digest)
    return tell(context, "held", Outcome(outcomes.STRANGE, why=str(context.words(where_from(context)))), written=digest)


def why_asked(context: ReplyContext) -> Any:
    """Why a mail is not done at once: its author, an absence note that may have sent it, or what cannot be undone."""
    if not context.from_ok or context.verdict != authorization.PASS:
        return where_from(context)
    return LOOKS_AWAY if context.reading.away_hint else CANNOT_BE_UNDONE


def where_from(context: ReplyContext) -> Any:
    """What is wrong with the author of a mail."""
    if authorization.folded(context.person.email) not in map(authorization.folded, context.reading.from_addresses):
        shown = ", ".join(context.reading.from_addresses[:2]) or "nobody"
        return say(
            "A mail with your answering address came from {address}, which is not your registered address.",
            address=shown[:120],
        )
    return say("A mail with your answering address could not be authenticated as yours.")


def hold(context: ReplyContext, digest: bytes, report: Outcome, commands: Sequence[Command]) -> None:
    """Do nothing yet: ask the registered address (the `cf-` token)."""
    outcome = changed(
        report,
        result=outcomes.HELD,
        why=str(context.words(why_asked(context))),
        commands=[one.text for one in commands],
        copied=bool(strangers(context)),
    )
    most = 1 if context.reading.away_hint else None
    if reply_limits.had_enough_questions(context.tx, context.row, context.now, own=context.from_ok, most=most):
        return settle(context, "held", "not confirmed", outcome=outcome, written=digest)
    settle(
        context, "held", reply_limits.OWN if context.from_ok else reply_limits.OTHER, outcome=outcome, written=digest
    )
    return write_to(context, "confirm", str(context.row["id"]))


def confirmed(context: ReplyContext) -> None:
    """The answer to "did you send this?": yes or no (possession of the secret just mailed counts, with From)."""
    if not context.from_ok:
        return settle(context, "held", "the answer came from elsewhere")
    held, written = inbox.by_id(context.tx, context.grant.held or 0), understood(context)
    verb, digest = written.commands[0].verb if len(written.commands) == 1 else "", written.digest
    if is_copy(context, digest):
        return settle(context, "duplicate", "the same mail again", written=digest)
    if verb not in ("yes", "no"):
        return tell(context, "rejected", Outcome(outcomes.REJECTED, why=str(context.words(YES_OR_NO))), written=digest)
    if held is None or held["state"] != outcomes.HELD:
        return tell(
            context, "stale", Outcome(outcomes.ALREADY, why=str(context.words(CONFIRMED_ALREADY))), written=digest
        )
    return thrown_away(context, held, digest) if verb == "no" else done_after_all(context, held, digest)


def thrown_away(context: ReplyContext, held: Row, digest: bytes) -> None:
    """No: the addresses are known to somebody else, so all of this player's die, and fresh mail is sent (OUT-27)."""
    set_held(context, held, "refused")
    fresh_addresses(
        context.services, context.tx, context.grant.player or "", context.now, except_game=context.grant.game
    )
    tell(context, "applied", Outcome(outcomes.DECLINED), written=digest)


def done_after_all(context: ReplyContext, held: Row, digest: bytes) -> None:
    """Yes: do what the held mail asked, as of when it came."""
    original = outcomes.read(context.services, held)
    grant = reply_tokens.find(context.services, context.tx, held["token"])
    if original is None or grant is None or context.now > held["received_at"] + CONFIRM_WITHIN:
        set_held(context, held, "refused")
        return tell(
            context, "stale", Outcome(outcomes.STALE, why=str(context.words(TOO_LATE_TO_CONFIRM))), written=digest
        )
    grant = as_it_sits(context.head, grant)
    again = ReplyContext(
        context.services, context.tx, {**context.row, "received_at": held["received_at"]}, context.reading, grant,
        context.person, context.head, context.words, True, authorization.PASS,
    )  # fmt: skip
    grammar = grammar_of(again)
    commands = [Command(text.partition(" ")[0].lower(), text) for text in original.commands]
    set_held(context, held, "confirmed")
    report = Outcome(outcomes.REJECTED, before=context.head.version)
    plays = [command.text for command in commands if command.plays]
    if plays and is_stale(again):
        return closed(again, digest, report, plays, ahead=any(command.files for command in commands))
    if original.copied:
        fresh_addresses(
            context.services, context.tx, context.grant.player or "", context.now, except_game=context.grant.game
        )
    return execute(again, digest, report, grammar, commands)


def set_held(context: ReplyContext, held: Row, state: str) -> None:
    """The mail that waited has had its answer."""
    why = "confirmed by reply" if state == "confirmed" else "not confirmed"
    replies.set_state(context.tx, held["id"], state, why)
