"""A mail of a player, from its address to what it does: one transaction, all or nothing (IN-16).

Everything here runs in a transaction that holds the mail's row; whatever it decides is written with it, so a mail that
is read again after a crash does nothing twice (I-08).
"""

from collections.abc import Sequence
from typing import Final

from domain.engine.sentences import say
from service.container import Services
from service.games.commit import notice
from service.languages import words as speaker
from service.mail import addresses, deliverability, inbox, reply_tokens, unsubscribes
from service.mail.inbox import Row
from service.mail.reply_tokens import ReplyToken
from service.store import outbox, readers
from service.store.database import Connection
from workers.commands import authorization, outcomes, reply_limits
from workers.commands.answer import as_it_stands, give_time, saying, settle, tell
from workers.commands.command import GRAVE, Command
from workers.commands.confirmation import confirmed, hold, strange
from workers.commands.context import Person, ReplyContext, as_it_sits, is_stale, standing_orders
from workers.commands.join import declined
from workers.commands.outcomes import Outcome
from workers.commands.play_orders import closed, execute, rejected, unfit
from workers.commands.proposals import meant
from workers.commands.read_orders import Written, is_copy, left_aside, to_two_games, understood, verdicts
from workers.parsing.read_mail import Reading

NOT_BY_MAIL: Final = say(
    "A mail that cannot be authenticated cannot give up a seat: use the API, or a mail program whose mail can be."
)
TWO_GAMES: Final = say("It was sent to two games at once: answer each of our mails by itself.")


def handle(services: Services, tx: Connection, row: Row, reading: Reading) -> None:
    """Do what a mail says, and settle it."""
    grant = reply_tokens.find(services, tx, row["token"]) if row["token"] else None
    person = person_of(tx, grant) if grant is not None else None
    if grant is None or person is None:
        inbox.settle(services, tx, row, "refused", reason="its address is dead")
        return
    if why := unattended(row, reading):
        inbox.settle(services, tx, row, "shelved", reason=why, message_id=reading.message_id[:200])
        return
    head = services.streams.lock(tx, grant.game)
    grant = as_it_sits(head, grant)
    context = ReplyContext(
        services, tx, row, reading, grant, person, head, speaker(person.language, head.rules.kind),
        authorization.is_from(reading, person.email),
        authorization.verdict(reading, row["trusted"], services.settings.authserv_id),
    )  # fmt: skip
    vouched = context.from_ok and context.verdict == authorization.PASS
    if not vouched and reply_limits.flood(context.tx, row, head.now):
        settle(context, "ignored", "too many mails to this address")
        return
    if grant.purpose == addresses.CONFIRM:
        confirmed(context)
    else:
        ordered(context)


def _sort(commands: Sequence[Command]) -> str:
    """The gravest thing a mail asks for."""
    if any(command.verb in GRAVE for command in commands):
        return authorization.GRAVE
    return authorization.READ if all(command.reads for command in commands) else authorization.MOVE


def person_of(tx: Connection, grant: ReplyToken) -> Person | None:
    found = readers.correspondent(tx, grant.player, grant.recipient)
    if found is not None:
        return Person(*found)
    return None if grant.player else Person(None, grant.recipient, "en")


def unreadable(services: Services, tx: Connection, row: Row, grant: ReplyToken, why: str, told: str) -> None:
    """Settle a mail that is put aside, and answer it, unless its player had their answers for today."""
    head, person = services.streams.lock(tx, grant.game), person_of(tx, grant)
    said = speaker(person.language, head.rules.kind)(told) if person is not None else str(told)
    outcome = as_it_stands(tx, head, grant.player, grant.seat, Outcome(outcomes.QUARANTINED, why=str(said)))
    inbox.settle(services, tx, row, "quarantined", outcome=outcome, reason=why[:200])
    if person is not None and reply_limits.answers_left(tx, row, head.now, "quarantined"):
        answer = notice(head, grant.player or grant.recipient, "answer", str(row["id"]), grant.seat)
        outbox.put(tx, [answer | {"created_at": head.now}])


def unattended(row: Row, reading: Reading) -> str:
    """Why nobody may have written this mail; "" where somebody did (IN-21 … IN-24)."""
    if reading.automatic:
        return reading.automatic
    if reading.report is not None:
        return "a report"
    if row["source"] in ("smtp", "lmtp") and not row["sender"]:
        return "no envelope sender"
    return "" if reading.from_addresses else "no sender in From"


def ordered(context: ReplyContext) -> None:
    """A mail to the address of a decision."""
    if context.from_ok and context.verdict == authorization.PASS and context.person.id:
        deliverability.forget_bounces(context.tx, context.person.id)
    written = understood(context)
    if is_copy(context, written.digest):
        return settle(context, "duplicate", "the same mail again", written=written.digest)
    if written.block.reaction:
        return settle(context, "shelved", "a reaction", written=written.digest)
    if context.reading.away_hint and not written.commands:
        return settle(context, "shelved", "it looks like an absence note", written=written.digest)
    if declined(context, written):
        return None
    if _unsubscribes(context, written):
        unsubscribes.mute(context.services.database, context.tx, context.grant.player or "", context.grant.game)
        return settle(context, "applied", "mail about this game stopped", written=written.digest)
    return decide(context, written)


def _unsubscribes(context: ReplyContext, written: Written) -> bool:
    """Whether the owner asks by the subject alone for no more mail about this game (IN-15)."""
    said = not written.text.strip() and context.reading.subject.strip().casefold() == "unsubscribe"
    return said and context.grant.player is not None and context.from_ok and context.verdict == authorization.PASS


def decide(context: ReplyContext, written: Written) -> None:
    """The table of locks, then what it says."""
    commands, digest = meant(context, written.commands), written.digest
    report = Outcome(
        outcomes.REJECTED,
        lines=verdicts(context, written.block),
        ignored=left_aside(context, written.block),
        before=context.head.version,
    )
    plays = [command.text for command in commands if command.plays]
    files = any(command.files for command in commands)
    if (plays or (context.grant.decision and not files)) and is_stale(context):
        if authorization.STALE[context.from_ok, context.verdict] == authorization.SHELVE:
            return settle(context, "shelved", "its decision is closed", written=digest)
        if plays and not (files and standing_orders(context) == plays):
            return closed(context, digest, report, plays, ahead=files)
    sort = _sort(commands)
    lock = authorization.OPEN[context.from_ok, context.verdict][sort]
    if context.reading.away_hint and sort == authorization.MOVE:
        lock = authorization.ASK
    if context.from_ok and context.verdict == authorization.PASS and unfit(context, commands):
        lock = authorization.DO  # which is to refuse it at once
    if lock == authorization.NOTICE or (lock == authorization.ASK and not commands):
        return strange(context, digest)
    if to_two_games(context):
        give_time(context)
        return tell(context, "held", saying(context, report, TWO_GAMES), written=digest)
    if lock == authorization.REFUSE:
        return tell(context, "held", saying(context, report, NOT_BY_MAIL), written=digest)
    if not commands:
        return rejected(context, digest, report, written.block)
    if lock == authorization.ASK:
        return hold(context, digest, report, commands)
    return execute(context, digest, report, written.grammar, commands)
