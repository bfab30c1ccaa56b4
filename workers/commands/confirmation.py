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
from workers.commands.context import Case, as_it_sits, grammar_of, is_stale
from workers.commands.grammar import Command
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


def strange(case: Case, digest: bytes) -> None:
    """A mail that nobody may vouch for, and that asks for nothing to be done: its owner is told, once a day."""
    if reply_limits.knows_of_strangers(case.tx, case.row, case.now):
        return settle(case, "held", "not from the registered address, or not authentic", written=digest)
    return tell(case, "held", Outcome(outcomes.STRANGE, why=str(case.words(where_from(case)))), written=digest)


def why_asked(case: Case) -> Any:
    """Why a mail is not done at once: its author, an absence note that may have sent it, or what cannot be undone."""
    if not case.from_ok or case.verdict != authorization.PASS:
        return where_from(case)
    return LOOKS_AWAY if case.reading.away_hint else CANNOT_BE_UNDONE


def where_from(case: Case) -> Any:
    """What is wrong with the author of a mail."""
    if authorization.folded(case.person.email) not in map(authorization.folded, case.reading.from_addresses):
        shown = ", ".join(case.reading.from_addresses[:2]) or "nobody"
        return say(
            "A mail with your answering address came from {address}, which is not your registered address.",
            address=shown[:120],
        )
    return say("A mail with your answering address could not be authenticated as yours.")


def hold(case: Case, digest: bytes, report: Outcome, commands: Sequence[Command]) -> None:
    """Do nothing yet: ask the registered address (the `cf-` token)."""
    outcome = changed(
        report,
        result=outcomes.HELD,
        why=str(case.words(why_asked(case))),
        commands=[one.text for one in commands],
        copied=bool(strangers(case)),
    )
    most = 1 if case.reading.away_hint else None
    if reply_limits.had_enough_questions(case.tx, case.row, case.now, own=case.from_ok, most=most):
        return settle(case, "held", "not confirmed", outcome=outcome, written=digest)
    settle(case, "held", reply_limits.OWN if case.from_ok else reply_limits.OTHER, outcome=outcome, written=digest)
    return write_to(case, "confirm", str(case.row["id"]))


def confirmed(case: Case) -> None:
    """The answer to "did you send this?": yes or no (possession of the secret just mailed counts, with From)."""
    if not case.from_ok:
        return settle(case, "held", "the answer came from elsewhere")
    held, written = inbox.by_id(case.tx, case.grant.held or 0), understood(case)
    verb, digest = written.commands[0].verb if len(written.commands) == 1 else "", written.digest
    if is_copy(case, digest):
        return settle(case, "duplicate", "the same mail again", written=digest)
    if verb not in ("yes", "no"):
        return tell(case, "rejected", Outcome(outcomes.REJECTED, why=str(case.words(YES_OR_NO))), written=digest)
    if held is None or held["state"] != outcomes.HELD:
        return tell(case, "stale", Outcome(outcomes.ALREADY, why=str(case.words(CONFIRMED_ALREADY))), written=digest)
    return thrown_away(case, held, digest) if verb == "no" else done_after_all(case, held, digest)


def thrown_away(case: Case, held: Row, digest: bytes) -> None:
    """No: the addresses are known to somebody else, so all of this player's die, and fresh mail is sent (OUT-27)."""
    set_held(case, held, "refused")
    fresh_addresses(case.services, case.tx, case.grant.player or "", case.now, except_game=case.grant.game)
    tell(case, "applied", Outcome(outcomes.DECLINED), written=digest)


def done_after_all(case: Case, held: Row, digest: bytes) -> None:
    """Yes: do what the held mail asked, as of when it came."""
    original = outcomes.read(case.services, held)
    grant = reply_tokens.find(case.services, case.tx, held["token"])
    if original is None or grant is None or case.now > held["received_at"] + CONFIRM_WITHIN:
        set_held(case, held, "refused")
        return tell(case, "stale", Outcome(outcomes.STALE, why=str(case.words(TOO_LATE_TO_CONFIRM))), written=digest)
    grant = as_it_sits(case.head, grant)
    again = Case(
        case.services, case.tx, {**case.row, "received_at": held["received_at"]}, case.reading, grant, case.person,
        case.head, case.words, True, authorization.PASS,
    )  # fmt: skip
    grammar = grammar_of(again)
    commands = [Command(text.partition(" ")[0].lower(), text) for text in original.commands]
    set_held(case, held, "confirmed")
    report = Outcome(outcomes.REJECTED, before=case.head.version)
    plays = [command.text for command in commands if command.plays]
    if plays and is_stale(again):
        return closed(again, digest, report, plays, ahead=any(command.files for command in commands))
    if original.copied:
        fresh_addresses(case.services, case.tx, case.grant.player or "", case.now, except_game=case.grant.game)
    return execute(again, digest, report, grammar, commands)


def set_held(case: Case, held: Row, state: str) -> None:
    """The mail that waited has had its answer."""
    why = "confirmed by reply" if state == "confirmed" else "not confirmed"
    replies.set_state(case.tx, held["id"], state, why)
