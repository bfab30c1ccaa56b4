"""A mail of a player, from its address to what it does: one transaction, all or nothing (IN-16).

Everything here runs in a transaction that holds the mail's row; whatever it decides is written with it, so a mail that
is read again after a crash does nothing twice (I-08).
"""

from collections.abc import Sequence
from typing import Final

from domain.engine.sentences import say
from service.container import Services
from service.games.commit import lock, notice
from service.languages import words as speaker
from service.mail import addresses, alignment, deliverability, inbox, reply_tokens, unsubscribes
from service.mail.reply_tokens import ReplyToken
from service.store.database import Connection
from service.store.incoming.inbox import LeasedMail
from service.store.outgoing import outbox
from service.store.people import readers
from workers.commands import authorization, outcomes, reply_limits
from workers.commands.answer import as_it_stands, send, settle
from workers.commands.confirmation import confirm, hold, reply_to_stranger
from workers.commands.context import Person, ReplyContext, as_it_sits, is_kept_out, is_stale, last_orders
from workers.commands.doubtful import (
    as_consent,
    as_meant,
    reply_to_doubtful,
    reply_to_hesitant_guest,
    reply_to_no,
)
from workers.commands.execute import execute, reply_to_kept_out, unfit
from workers.commands.handlers.by_consent import as_votes
from workers.commands.handlers.decline import decline
from workers.commands.mending import give_time
from workers.commands.outcomes import Outcome
from workers.commands.read_orders import Written, is_copy, left_aside, read_commands, to_two_games, verdicts, with_help
from workers.commands.refusal import reply_to_closed, reply_to_unusable
from workers.commands.reply import Reply, Request, explain
from workers.commands.words.command import GRAVE, TALKS, Command
from workers.parsing.read_mail import Reading

NOT_BY_MAIL: Final = say(
    "A mail that cannot be authenticated cannot give up a seat: use the API, or send it from a mail "
    "program that can be authenticated."
)
TWO_GAMES: Final = say("It was sent to two games at once: answer each of our mails by itself.")


def handle(services: Services, tx: Connection, row: LeasedMail, reading: Reading) -> None:
    """Do what a mail says, and settle it."""
    token = reply_tokens.find(services.database, services.sealer, tx, row.token)
    person = person_of(tx, token) if token is not None else None
    if token is None or person is None:
        inbox.settle(services, tx, row, "refused", reason="its address is dead")
        return
    if why := unattended(row, reading):
        inbox.settle(services, tx, row, "shelved", reason=why, message_id=reading.message_id[:200])
        return
    head = lock(services, tx, token.game)
    token = as_it_sits(head, token)
    context = ReplyContext(
        services, tx, row, reading, token, person, head, speaker(person.language, head.rules.kind),
        authorization.is_from(reading, person.email),
        authorization.verdict(reading, row.trusted, services.settings.authserv_id),
    )  # fmt: skip
    vouched = context.from_ok and context.verdict == alignment.PASS
    if not vouched and reply_limits.flood(context.tx, row, head.now):
        settle(context, "ignored", "too many mails to this address")
        return
    if token.purpose == addresses.CONFIRM:
        _answer_confirmation(context)
    else:
        _answer_orders(context)


def _answer_confirmation(context: ReplyContext) -> None:
    """The answer to a question whether a mail was the player's: that mail is done, or thrown away."""
    if not context.from_ok:
        return settle(context, "held", "the answer came from elsewhere")
    written = read_commands(context)
    digest, found = written.digest, confirm(context, written)
    if isinstance(found, Reply):
        return send(context, found, written=digest)
    again, request = found.context, found.request
    if request.orders and is_stale(again) and not is_kept_out(again):
        return send(again, reply_to_closed(again, request), written=digest)
    return send(again, execute(again, request), written=digest)


def _sort(commands: Sequence[Command]) -> str:
    """The gravest thing a mail asks for."""
    if any(command.verb in GRAVE for command in commands):
        return authorization.GRAVE
    return authorization.READ if all(command.reads for command in commands) else authorization.MOVE


def person_of(tx: Connection, token: ReplyToken) -> Person | None:
    """The owner of an address; None for a player who is gone."""
    found = readers.correspondent(tx, token.player, token.recipient)
    if found is not None:
        return Person(*found)
    return None if token.player else Person(None, token.recipient, "en")


def unreadable(services: Services, tx: Connection, row: LeasedMail, token: ReplyToken, why: str, reason: str) -> None:
    """Settle a mail that is put aside, `why` for the operator, and answer it with the `reason`, unless its player had
    their answers for today."""
    head, person = lock(services, tx, token.game), person_of(tx, token)
    shown = speaker(person.language, head.rules.kind)(reason) if person is not None else reason
    outcome = as_it_stands(tx, head, token.player, token.seat, Outcome(outcomes.QUARANTINED, why=str(shown)))
    inbox.settle(services, tx, row, "quarantined", outcome=outcome, reason=why[:200])
    if person is not None and reply_limits.answers_left(tx, row, head.now, "quarantined"):
        answer = notice(head, token.player or token.recipient, "answer", str(row.id), token.seat)
        outbox.put(tx, [answer | {"created_at": head.now}])


def unattended(row: LeasedMail, reading: Reading) -> str:
    """Why nobody may have written this mail; "" where somebody did (IN-21 … IN-24)."""
    if reading.automatic:
        return reading.automatic
    if reading.report is not None:
        return "a report"
    if row.source in ("smtp", "lmtp") and not row.sender:
        return "no envelope sender"
    return "" if reading.from_addresses else "no sender in From"


def _answer_orders(context: ReplyContext) -> None:
    """A mail to the address of a decision."""
    if _is_vouched_for(context) and context.person.id:
        deliverability.forget_bounces(context.tx, context.person.id)
    written = read_commands(context)
    reply = _shelve(context, written) or _stop_mail(context, written) or _decide(context, with_help(written))
    if reply is not None:
        send(context, reply, written=written.digest)


def _is_vouched_for(context: ReplyContext) -> bool:
    """Whether a mail is from the registered address, and a mail server of ours says so."""
    return context.from_ok and context.verdict == alignment.PASS


def _shelve(context: ReplyContext, written: Written) -> Reply | None:
    """A copy of a mail, or one that no person wrote as an order, is put aside."""
    if is_copy(context, written.digest):
        return Reply("duplicate", reason="the same mail again")
    if written.block.reaction:
        return Reply("shelved", reason="a reaction")
    if context.reading.away_hint and not written.commands:
        return Reply("shelved", reason="it looks like an absence note")
    return None


def _stop_mail(context: ReplyContext, written: Written) -> Reply | None:
    """An invitation is declined, or mail about this game unsubscribed from (IN-15)."""
    if decline(context, written):
        return Reply("applied", reason="invitation declined")
    subject = context.reading.subject.strip().casefold()
    player = context.token.player
    if written.text.strip() or subject != "unsubscribe" or player is None or not _is_vouched_for(context):
        return None
    unsubscribes.mute(context.services.database, context.tx, player, context.token.game)
    return Reply("applied", reason="mail about this game stopped")


def _decide(context: ReplyContext, written: Written) -> Reply | None:
    """What the table of locks makes of a mail; None where it is held and its owner was asked."""
    request = _request(context, written)
    if _is_vouched_for(context) and is_kept_out(context):
        return reply_to_kept_out(context)
    if (stale := _reply_to_stale(context, request)) is not None:
        return stale
    lock = _lock(context, request)
    if lock == authorization.NOTICE or (lock == authorization.ASK and not request.commands):
        return reply_to_stranger(context)
    if to_two_games(context):
        give_time(context)
        return Reply("held", explain(context, request.report, TWO_GAMES))
    if lock == authorization.REFUSE:
        return Reply("held", explain(context, request.report, NOT_BY_MAIL))
    if not request.commands:
        return reply_to_unusable(context, request.report, written)
    if lock == authorization.ASK:
        hold(context, request)
        return None
    if written.block.doubt and not all(command.reads or command.verb in TALKS for command in request.commands):
        return reply_to_doubtful(context, request, written)
    asked = reply_to_hesitant_guest(context, request, written) or reply_to_no(context, request.commands)
    return asked or execute(context, request)


def _request(context: ReplyContext, written: Written) -> Request:
    """What a mail asks for, and the report that tells its lines."""
    report = Outcome(
        outcomes.REJECTED,
        lines=verdicts(context, written.block),
        ignored=left_aside(context, written.block),
        before=context.head.version,
    )
    commands = as_meant(context, as_votes(context, as_consent(context, written, written.commands)))
    return Request.of(written.digest, report, written.grammar, commands)


def _reply_to_stale(context: ReplyContext, request: Request) -> Reply | None:
    """The reply to a mail whose decision is closed; None where it is open, or the mail asks for nothing of it."""
    orders, files = request.orders, request.files
    if not (orders or (context.token.decision and not files)) or not is_stale(context):
        return None
    if authorization.STALE[context.from_ok, context.verdict] == authorization.SHELVE:
        return Reply("shelved", reason="its decision is closed")
    if orders and not (files and last_orders(context) == orders):
        return reply_to_closed(context, request)
    return None


def _lock(context: ReplyContext, request: Request) -> str:
    """What the table allows for the gravest thing the mail asks for."""
    sort = _sort(request.commands)
    if _is_vouched_for(context) and unfit(context, request.commands):
        return authorization.DO  # which is to refuse it at once
    if context.reading.away_hint and sort == authorization.MOVE:
        return authorization.ASK
    return authorization.OPEN[context.from_ok, context.verdict][sort]
