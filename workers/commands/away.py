"""Leave by mail: `away` shows it, with two days announces it, with none takes it back."""

from collections.abc import Iterator, Sequence
from textwrap import fill
from typing import Final

from domain.engine.refusals import require
from domain.engine.sentences import say, typed
from service.clocks import leave, leave_days
from service.clocks.leave_days import days_of as days_between
from service.deadlines.explanation.page import reader_locale
from service.kernel.clock import SECOND
from service.languages.time_text import ReaderLocale
from service.store import decisions
from workers.commands.command import AWAY, Command
from workers.commands.context import ReplyContext
from workers.commands.leave_words import days_of

MOST_SHOWN: Final = 40
ONE_LEAVE: Final = say("Announce one leave in a mail, or take leave back, and not both.")


def absent(context: ReplyContext, commands: Sequence[Command]) -> list[str]:
    """Announce leave, or take it back, as the mail says; what came of it. Nothing where the mail says nothing of it.

    The clock of this game follows at once, those of others soon: a transaction is about one game. Raises RuleViolation.
    """
    told = [command for command in commands if command.leaves]
    if not told:
        return []
    require(len({command.text for command in told}) == 1, "bad-leave", leave_days.RULE, ONE_LEAVE)
    player, days = context.person.id or "", days_of(told[0].text)
    if days is None:
        leave.take_back(context.services, context.tx, player)
    else:
        leave.announce(context.services, context.tx, player, *days)
    lines = list(_leave(context, reader_locale(context.tx, player, "")))
    if context.grant.seat is not None:
        leave.follow(context.services, context.tx, context.head, context.grant.seat)
    return ["\n".join(lines)]


def away(context: ReplyContext) -> str:
    """What the player owes, their leave, and what it is in each of their games."""
    if context.person.id is None:
        return ""
    locale = reader_locale(context.tx, context.person.id, "")
    owed = [
        (row.due_at, row.game_id)
        for row in decisions.of_player(context.tx, context.person.id)
        if row.due_at is not None
    ]
    lines = [
        _said(context, say("Game {game}: your answer is due by {due}.", game=game, due=locale.when(due)))
        for due, game in sorted(owed, key=lambda pair: pair[0])
    ]
    if not lines:
        lines.append(_said(context, say("No answer of yours is due.")))
    return "\n".join([*lines[:MOST_SHOWN], *_leave(context, locale)])


def _leave(context: ReplyContext, locale: ReaderLocale) -> Iterator[str]:
    """The leave of the player that is not over, what it is in each game, and how to announce it."""
    player, now = context.person.id or "", context.now
    announced = [days_between(leave) for leave in leave_days.to_come(context.tx, player, now)]
    for days in announced:
        yield _said(
            context, say("You are away from {first} to {last}.", first=locale.day(days[0]), last=locale.day(days[-1]))
        )
    if not announced:
        yield _said(context, say("You have announced no leave."))
    for one in leave.in_games(context.services, context.tx, player)[:MOST_SHOWN]:
        yield _said(context, " ".join(map(context.words, leave.told(one, locale))))
    tomorrow = leave_days.today_of(context.tx, player, now + 86_400 * SECOND)
    how = say(
        "To announce leave, write “{away} {first} {last}” with its first and its last day, tomorrow at the earliest; "
        "“{away} {none}” takes back what is to come.",
        away=typed(AWAY), first=tomorrow.isoformat(), last=tomorrow.isoformat(), none=typed("none"),
    )  # fmt: skip
    yield _said(context, how)


def _said(context: ReplyContext, text: str) -> str:
    return fill(context.words(text), 78)
