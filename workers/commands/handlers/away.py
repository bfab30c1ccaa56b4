"""Leave by mail: `away` shows it, with two days announces it, with none takes it back."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from domain.engine.refusals import require
from domain.engine.sentences import Sentence, say, typed
from service.clocks import leave, leave_days
from service.deadlines import after_leave
from service.deadlines.explain import reader_locale
from service.kernel.clock import SECOND
from service.languages.commands import AWAY
from service.languages.time_text import ReaderLocale
from service.store.clocks import decisions
from workers.commands.context import ReplyContext, filled
from workers.commands.reply import Effect, Request
from workers.commands.words.command import Command
from workers.commands.words.leave_words import days_of

MOST_SHOWN: Final = 40
ONE_LEAVE: Final = say("Announce one leave in a mail, or take leave back, and not both.")


class Away:
    """Announces leave or takes it back; shows what the player owes and when they are away."""

    verbs: Sequence[str] = (AWAY,)
    meanings: Mapping[str, Sentence] = {
        "away": say("your deadlines and your leave; with its first and last day it announces leave"),
        "away none": say("takes your leave back"),
    }

    def act(self, trial: ReplyContext, request: Request) -> Effect:
        """Announce leave, or take it back, and show what came of it. Raises RuleViolation.

        The clock of this game follows at once, those of others soon: a transaction is about one game.
        """
        announced = [command for command in request.commands if command.leaves]
        if not announced:
            return Effect()
        require(len({command.text for command in announced}) == 1, "bad-leave", leave_days.RULE, ONE_LEAVE)
        player, days = trial.person.id or "", days_of(announced[0].text)
        if days is None:
            leave.take_back(trial.services, trial.tx, player)
        else:
            leave.announce(trial.services, trial.tx, player, *days)
        lines = list(_leave(trial, reader_locale(trial.tx, player, "")))
        if trial.token.seat is not None:
            after_leave.follow(trial.services, trial.tx, trial.head, trial.token.seat)
        return Effect(shows=["\n".join(lines)])

    def show(self, context: ReplyContext, command: Command) -> str:
        """What the player owes, their leave, and what it is in each of their games."""
        if context.person.id is None:
            return ""
        locale = reader_locale(context.tx, context.person.id, "")
        owed = decisions.of_player(context.tx, context.person.id)
        dues = sorted((decision.due_at, decision.game_id) for decision in owed if decision.due_at is not None)
        lines = [
            filled(context, say("Game {game}: your answer is due by {due}.", game=game, due=locale.when(due)))
            for due, game in dues
        ]
        if not lines:
            lines.append(filled(context, say("No answer of yours is due.")))
        return "\n".join([*lines[:MOST_SHOWN], *_leave(context, locale)])


def _leave(context: ReplyContext, locale: ReaderLocale) -> Iterator[str]:
    """The leave of the player that is not over, what it is in each game, and how to announce it."""
    player, now = context.person.id or "", context.now
    announced = [leave_days.days_of(stretch) for stretch in leave_days.to_come(context.tx, player, now)]
    for days in announced:
        away = say("You are away from {first} to {last}.", first=locale.day(days[0]), last=locale.day(days[-1]))
        yield filled(context, away)
    if not announced:
        yield filled(context, say("You have announced no leave."))
    for game in leave.in_games(context.services, context.tx, player)[:MOST_SHOWN]:
        yield filled(context, " ".join(map(context.words, leave.describe(game, locale))))
    tomorrow = leave_days.today_of(context.tx, player, now + 86_400 * SECOND)
    how = say(
        "To announce leave, write “{away} {first} {last}” with its first and its last day, tomorrow at the earliest; "
        "“{away} {none}” takes back what is to come.",
        away=typed(AWAY), first=tomorrow.isoformat(), last=tomorrow.isoformat(), none=typed("none"),
    )  # fmt: skip
    yield filled(context, how)


AWAY_HANDLER: Final = Away()
