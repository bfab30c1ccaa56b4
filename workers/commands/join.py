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
from workers.commands.context import Case, attempt
from workers.commands.grammar import Command
from workers.commands.outcomes import Outcome
from workers.commands.read_orders import Written

NOT_SEATED: Final = say("You do not sit at this table.")
DECLINED_BY: Final = frozenset({"no", "stop", "unsubscribe"})
"""What declines an invitation: "no" those of its host, the others those of everybody."""


def join(case: Case, digest: bytes, report: Outcome, command: Command) -> None:
    """Sit down at the table of an invitation, or take one's vacant seat back."""
    before = case.head.version
    try:
        with attempt(case) as trial:
            player = trial.person.id or welcome(trial, command)
            moved = play.take_seat(trial.services, trial.tx, trial.head, player, None)
    except ValueError as error:
        return tell(case, "rejected", saying(case, changed(report, lines=[]), error.args[0]), written=digest)
    except RuleViolation as error:
        return tell(case, "rejected", saying(case, report, error.message), written=digest)
    except NoSuchGame:
        return tell(case, "rejected", saying(case, report, NOT_SEATED), written=digest)
    seat = moved.head.table.seat_of(player)
    why = case.words(begins(moved.head)) if case.head.table.status == "open" else ""
    outcome = Outcome(outcomes.JOINED, why=str(why), before=before)
    taken_over = next((one.version for one in moved.stored if one.type == "table.seat-taken-over"), 0)
    return tell(trial, "applied", outcome, written=digest, player=player, seat=seat, briefs=taken_over)


def welcome(case: Case, command: Command) -> str:
    """The player of an invited address, under the name given. Raises ValueError with a sentence."""
    given = command.text.partition(" ")[2].strip() or case.person.email.partition("@")[0]
    return people.welcome(case.services, case.tx, case.person.email, normalise_name(given))


def begins(head: Head) -> Sentence:
    """Whether the game has begun, or how many seats are still free."""
    free = sum(not chair.taken for chair in head.table.chairs)
    if head.table.status != "open" or not free:
        return say("The game has begun.")
    return say_n(
        "The game begins when {count} more person sits down.", "The game begins when {count} more sit down.", free
    )


def declined(case: Case, written: Written) -> bool:
    """Whether a guest declines an invitation: then it is taken back, and nothing is sent, an answer neither."""
    word = _declining(case, written)
    seated = case.person.id is not None and case.head.table.seat_of(case.person.id) is not None
    if not word or seated or case.grant.player is not None or not case.from_ok or case.verdict == authorization.FAIL:
        return False
    host = case.head.table.host if word == "no" else invitations.ANYBODY
    invitations.decline(case.services.database, case.tx, case.grant.game, case.grant.recipient, host)
    settle(case, "applied", "invitation declined", written=written.digest)
    return True


def _declining(case: Case, written: Written) -> str:
    """The declining word on the first line or, where nothing is ordered, in the subject; in any language of ours."""
    first = next((line for line in written.text.splitlines() if line.strip()), "")
    said = (first, "" if written.commands else case.reading.subject)
    words = chain.from_iterable((canonical(it.strip(" .!").lower(), one) for one in LANGUAGES) for it in said)
    return next((word for word in words if word in DECLINED_BY), "")
