"""Giving up a seat by mail: `leave` before the game begins, `resign` from a running game."""

from collections.abc import Mapping, Sequence
from typing import Final

from domain.engine.sentences import Sentence, say
from service.games import play
from workers.commands.context import ReplyContext
from workers.commands.reply import Effect, Request


class LeaveSeat:
    """The commands that give up the seat of the player. Neither can be taken back; the help offers `resign` alone."""

    verbs: Sequence[str] = ("leave", "resign")
    meanings: Mapping[str, Sentence] = {"resign": say("leaves a running game for good; you are asked once more")}

    def act(self, trial: ReplyContext, request: Request) -> Effect:
        """Raises RuleViolation, NotSeated."""
        verbs, player = {command.verb for command in request.commands}, trial.token.player or ""
        if "leave" in verbs:
            play.leave_seat(trial.services, trial.tx, trial.head, player)
        if "resign" in verbs:
            play.resign(trial.services, trial.tx, trial.head, player)
        return Effect()


LEAVE_SEAT: Final = LeaveSeat()
