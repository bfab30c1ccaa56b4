"""Sitting down by mail: on an invitation, or on a seat that fell vacant."""

from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import Final

from domain.engine.refusals import RuleViolation
from domain.engine.sentences import Sentence, say, say_n
from service.accounts import people
from service.accounts.names import normalise_name
from service.games import play
from service.store.event_store.streams import Head, NoSuchGame
from workers.commands import outcomes
from workers.commands.context import ReplyContext, attempt
from workers.commands.outcomes import Outcome, changed
from workers.commands.reply import NOT_SEATED, Reply, Request, reject
from workers.commands.words.command import Command


class Join:
    """Sits down at the table of an invitation, or takes one's vacant seat back."""

    verbs: Sequence[str] = ("join",)
    meanings: Mapping[str, Sentence] = {"join": say("sits down on an invitation, or on your vacant seat")}

    def respond(self, context: ReplyContext, request: Request, command: Command) -> Reply:
        """A guest becomes a player under the name they give."""
        try:
            with attempt(context) as trial:
                player = trial.person.id or _welcome(trial, command)
                moved = play.take_seat(trial.services, trial.tx, trial.head, player, None)
        except ValueError as error:
            return reject(context, changed(request.report, lines=[]), error.args[0])
        except RuleViolation as error:
            return reject(context, request.report, error.message)
        except NoSuchGame:
            return reject(context, request.report, NOT_SEATED)
        why = context.words(_begins(moved.head)) if context.head.table.status == "open" else ""
        outcome = Outcome(outcomes.JOINED, why=str(why), before=context.head.version)
        taken_over = next((event.version for event in moved.stored if event.type == "table.seat-taken-over"), 0)
        seat = moved.head.table.seat_of(player)
        return Reply("applied", outcome, head=moved.head, player=player, seat=seat, briefs=taken_over)


def _welcome(context: ReplyContext, command: Command) -> str:
    """Return the player of an invited address, under the name given, or else that of the From header (IN-10d).

    Raises ValueError with a sentence.
    """
    given = command.text.partition(" ")[2].strip()
    name = normalise_name(given) if given else _own_name(context)
    return people.welcome(context.services, context.tx, context.person.email, name)


def _own_name(context: ReplyContext) -> str:
    """Return the name in the From header if it can be one here, else the name of the mailbox. Raises ValueError."""
    with suppress(ValueError):
        return normalise_name(context.reading.author)
    return normalise_name(context.person.email.partition("@")[0])


def _begins(head: Head) -> Sentence:
    """Whether the game has begun, or how many seats are still free."""
    free = sum(not chair.taken for chair in head.table.chairs)
    if head.table.status != "open" or not free:
        return say("The game has begun.")
    return say_n(
        "The game begins when {count} more person sits down.", "The game begins when {count} more sit down.", free
    )


JOIN: Final = Join()
