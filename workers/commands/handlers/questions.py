"""`yes` and `no` to a host who is asked to begin; what else they confirm or vote for is decided before."""

from collections.abc import Mapping, Sequence
from typing import Final

from domain.engine.refusals import RuleViolation
from domain.engine.sentences import Sentence, say
from service.games import play
from service.store.event_store.streams import NoSuchGame
from service.store.outgoing import notice_queries
from workers.commands import outcomes
from workers.commands.context import ReplyContext, attempt
from workers.commands.outcomes import Outcome
from workers.commands.reply import NOT_SEATED, Reply, Request, reject
from workers.commands.words.command import Command

NOTHING_ASKED: Final = say("No yes-or-no question was asked here: write an order of the game.")


BEGIN: Final = "begin"
LATER: Final = say("The table waits until all its seats are taken, or until you begin on its page.")


def is_asked_to_begin(context: ReplyContext) -> bool:
    """Return whether the mail answers the question to a host whether to begin."""
    kind, _ = notice_queries.kind_and_decision(context.tx, context.token.outbox) or ("", "")
    return kind == BEGIN


class YesOrNo:
    """Answers a host who is asked to begin; in any other mail both words are refused before it comes here."""

    verbs: Sequence[str] = ("yes", "no")
    meanings: Mapping[str, Sentence] = {
        "yes": say("answers a question we ask you"),
        "no": say("answers no to it"),
    }

    def respond(self, context: ReplyContext, request: Request, command: Command) -> Reply:
        """Begin the game, or say that the table waits."""
        if command.verb == "no":
            return Reply("answered", Outcome(outcomes.ANSWERED, why=str(context.words(LATER))))
        try:
            with attempt(context) as trial:
                moved = play.start_game(trial.services, trial.tx, trial.head, trial.token.player or "")
        except RuleViolation as refused:
            return reject(context, request.report, refused.message)
        except (play.NotSeated, NoSuchGame):
            return reject(context, request.report, NOT_SEATED)
        return Reply("applied", Outcome(outcomes.APPLIED, before=context.head.version), head=moved.head)


YES_OR_NO: Final = YesOrNo()
