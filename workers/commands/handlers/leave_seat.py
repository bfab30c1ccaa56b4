"""Standing up by mail, before the game begins: `leave`."""

from collections.abc import Mapping, Sequence
from typing import Final

from domain.engine.sentences import Sentence
from service.games import play
from workers.commands.context import ReplyContext
from workers.commands.reply import Effect, Request


class LeaveSeat:
    """Gives up the seat of the player; the help does not offer it, for it cannot be taken back."""

    verbs: Sequence[str] = ("leave",)
    meanings: Mapping[str, Sentence] = {}

    def act(self, trial: ReplyContext, request: Request) -> Effect:
        """Raises RuleViolation, NotSeated."""
        if any(command.verb == "leave" for command in request.commands):
            play.leave_seat(trial.services, trial.tx, trial.head, trial.token.player or "")
        return Effect()


LEAVE_SEAT: Final = LeaveSeat()
