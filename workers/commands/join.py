"""Sitting down by mail: on an invitation, or on a seat that fell vacant."""

from itertools import chain
from typing import Final

from domain.engine.refusals import RuleViolation
from domain.engine.sentences import Sentence, say, say_n
from service.accounts import people
from service.accounts.names import normalise_name
from service.games import play
from service.languages import LANGUAGES, canonical
from service.mail import invitations
from service.store.streams import Head, NoSuchGame
from workers.commands import authorization, outcomes
from workers.commands.answer import changed, saying, settle, tell
from workers.commands.command import Command
from workers.commands.context import ReplyContext, attempt
from workers.commands.outcomes import Outcome
from workers.commands.read_orders import Written

NOT_SEATED: Final = say("You do not sit at this table.")
DECLINED_BY: Final = frozenset({"no", "stop", "unsubscribe"})
"""What declines an invitation: "no" those of its host, the others those of everybody."""


def join(context: ReplyContext, digest: bytes, report: Outcome, command: Command) -> None:
    """Sit down at the table of an invitation, or take one's vacant seat back."""
    before = context.head.version
    try:
        with attempt(context) as trial:
            player = trial.person.id or welcome(trial, command)
            moved = play.take_seat(trial.services, trial.tx, trial.head, player, None)
    except ValueError as error:
        return tell(context, "rejected", saying(context, changed(report, lines=[]), error.args[0]), written=digest)
    except RuleViolation as error:
        return tell(context, "rejected", saying(context, report, error.message), written=digest)
    except NoSuchGame:
        return tell(context, "rejected", saying(context, report, NOT_SEATED), written=digest)
    seat = moved.head.table.seat_of(player)
    why = context.words(begins(moved.head)) if context.head.table.status == "open" else ""
    outcome = Outcome(outcomes.JOINED, why=str(why), before=before)
    taken_over = next((one.version for one in moved.stored if one.type == "table.seat-taken-over"), 0)
    return tell(trial, "applied", outcome, written=digest, player=player, seat=seat, briefs=taken_over)


def welcome(context: ReplyContext, command: Command) -> str:
    """The player of an invited address, under the name given. Raises ValueError with a sentence."""
    given = command.text.partition(" ")[2].strip() or context.person.email.partition("@")[0]
    return people.welcome(context.services, context.tx, context.person.email, normalise_name(given))


def begins(head: Head) -> Sentence:
    """Whether the game has begun, or how many seats are still free."""
    free = sum(not chair.taken for chair in head.table.chairs)
    if head.table.status != "open" or not free:
        return say("The game has begun.")
    return say_n(
        "The game begins when {count} more person sits down.", "The game begins when {count} more sit down.", free
    )


def declined(context: ReplyContext, written: Written) -> bool:
    """Whether a guest declines an invitation: then it is taken back, and nothing is sent, an answer neither."""
    word = _declining(context, written)
    seated = context.person.id is not None and context.head.table.seat_of(context.person.id) is not None
    if (
        not word
        or seated
        or context.grant.player is not None
        or not context.from_ok
        or context.verdict == authorization.FAIL
    ):
        return False
    host = context.head.table.host if word == "no" else invitations.ANYBODY
    invitations.decline(context.services.database, context.tx, context.grant.game, context.grant.recipient, host)
    settle(context, "applied", "invitation declined", written=written.digest)
    return True


def _declining(context: ReplyContext, written: Written) -> str:
    """The declining word on the first line or, where nothing is ordered, in the subject; in any language of ours."""
    first = next((line for line in written.text.splitlines() if line.strip()), "")
    said = (first, "" if written.commands else context.reading.subject)
    words = chain.from_iterable((canonical(it.strip(" .!").lower(), one) for one in LANGUAGES) for it in said)
    return next((word for word in words if word in DECLINED_BY), "")
