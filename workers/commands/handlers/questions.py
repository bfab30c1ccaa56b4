"""`yes` and `no`, where nothing is asked that they would answer; what they confirm or vote for is decided before."""

from collections.abc import Mapping, Sequence
from typing import Final

from domain.engine.sentences import Sentence, say
from workers.commands.context import ReplyContext
from workers.commands.reply import Reply, Request, reject
from workers.commands.words.command import Command

NOTHING_ASKED: Final = say("No yes-or-no question was asked here: write an order of the game.")


class YesOrNo:
    """Refuses both."""

    verbs: Sequence[str] = ("yes", "no")
    meanings: Mapping[str, Sentence] = {
        "yes": say("answers a question we ask you"),
        "no": say("answers no to it"),
    }

    def respond(self, context: ReplyContext, request: Request, command: Command) -> Reply:
        """Say that nothing was asked."""
        return reject(context, request.report, NOTHING_ASKED)


YES_OR_NO: Final = YesOrNo()
