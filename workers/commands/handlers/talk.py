"""Table talk by mail: `say` a line, `unsay` the last one that waits."""

from collections.abc import Mapping, Sequence
from typing import Final

from domain.engine.sentences import Sentence, say
from service.games import chat
from workers.commands.context import ReplyContext
from workers.commands.reply import Effect, Request


class Talk:
    """Says lines and takes them back, in the order in which they stand in the mail."""

    verbs: Sequence[str] = ("say", "unsay")
    meanings: Mapping[str, Sentence] = {
        "say": say("a line of talk to the table; say to NAME … to one player"),
        "unsay": say("takes your last line of talk back, while it waits"),
    }

    def act(self, trial: ReplyContext, request: Request) -> Effect:
        """Raises NotSaid."""
        services, tx, head, player = trial.services, trial.tx, trial.head, trial.token.player or ""
        for command in request.commands:
            if command.verb == "say":
                seat, text = request.addressed(command)
                chat.say(services, tx, head, player, text, to=seat)
            elif command.verb == "unsay":
                chat.unsay(services, tx, head, player, None)
        return Effect()


TALK: Final = Talk()
