"""What a mail can ask to be shown: who is to answer, the board, legal orders, history, a calendar; and the help."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from textwrap import fill, wrap
from typing import Any, Final

from domain.engine.sentences import Sentence, say, typed
from service.languages import shown
from service.languages.time_text import due_words
from service.store.clocks import decisions
from service.store.people import readers
from workers.commands.context import ReplyContext
from workers.commands.reply import STATUS
from workers.commands.words.command import ORDERS, Command

MOST_LEGAL: Final = 150
HISTORY: Final = 20
"""Sentences shown where no number is given."""
NOTHING_ASKED_NOW: Final = say("Nothing is asked of you now.")

WIDTH: Final = 78
"""Characters of a line of help."""


@dataclass(frozen=True, slots=True)
class Show:
    """A verb that shows one thing."""

    verbs: Sequence[str]
    meanings: Mapping[str, Sentence]
    block: Callable[[ReplyContext, Command], str]

    def show(self, context: ReplyContext, command: Command) -> str:
        """The block of text."""
        return self.block(context, command)


def shows(verb: str, meaning: Sentence, block: Callable[[ReplyContext, Command], str]) -> Show:
    """The handler of a verb with this meaning, which shows this block."""
    return Show((verb,), {verb: meaning}, block)


def help_page(context: ReplyContext, meanings: Mapping[str, Sentence]) -> str:
    """The words of every game with their meanings, and the notation of this one."""
    kind, language, words = context.head.rules.kind, context.person.language, context.words
    lines = [
        words(say("In every game:")),
        *_columns([(shown(word, language, kind), words(meaning)) for word, meaning in meanings.items()]),
        "",
        words(say("In {title}:", title=context.head.rules.presentation.title)),
        words(context.head.rules.notation.help),
        *(_help_ahead(context) if context.head.rules.standing_orders is not None else []),
    ]
    return "\n".join(lines)


def _columns(rows: Sequence[tuple[str, str]]) -> list[str]:
    """Words and their meanings side by side, the second column as far right as the longest word needs."""
    width = max(len(word) for word, _ in rows) + 2
    return [
        line
        for word, meaning in rows
        for line in wrap(meaning, WIDTH, initial_indent=f"  {word:<{width}}", subsequent_indent=" " * (width + 2))
    ]


def _help_ahead(context: ReplyContext) -> list[str]:
    assert context.head.rules.standing_orders is not None
    below = say("Ahead, below a line with the word “{orders}”:", orders=typed(ORDERS))
    return ["", context.words(below), context.words(context.head.rules.standing_orders.help)]


def _status(context: ReplyContext, command: Command) -> str:
    names = context.view.names
    lines = [
        context.words(say("{player} has to answer by {due}.", player=names[owed.seat], due=_due(context, owed.due_at)))
        for owed in decisions.of_game(context.tx, context.head.game)
    ]
    if not lines:
        lines = [context.words(STATUS[context.head.table.status])]
    return "\n".join(lines)


def _legal(context: ReplyContext, command: Command) -> str:
    seat, rules = context.token.seat, context.head.rules
    if seat is None or context.head.table.status != "running":
        return str(context.words(NOTHING_ASKED_NOW))
    legal = rules.decider.legal_actions(rules.decider.blind(context.head.table.game, seat), seat)
    texts = [rules.notation.write(action) for action in legal.actions]
    if not texts:
        return str(context.words(NOTHING_ASKED_NOW))
    is_all = legal.complete and len(texts) <= MOST_LEGAL
    heading = context.words(say("All you may do now:") if is_all else say("Some of what you may do now:"))
    view = context.view
    return "\n".join([str(heading), *(f"  {view.shown(text)}" for text in texts[:MOST_LEGAL])])


def _history(context: ReplyContext, command: Command) -> str:
    view, number = context.view, command.text.partition(" ")[2]
    most = int(number) if number else HISTORY
    return "\n".join(
        fill(sentence, 76, initial_indent="  - ", subsequent_indent="    ")
        for sentence in view.sentences(view.events())[-most:]
    )


def _in_the_letter(context: ReplyContext, command: Command) -> str:
    """Nothing: the letter shows it anyway."""
    return ""


def _due(context: ReplyContext, due: int | None) -> Any:
    if due is None:
        return say("no deadline")
    return due_words(due, readers.timezone_of(context.tx, context.person.id), context.person.language)


STATUS_SHOWN: Final = shows("status", say("who has to answer, and by when"), _status)
BOARD: Final = shows("board", say("the position, as text and picture"), _in_the_letter)
LEGAL: Final = shows("legal", say("all you may do now"), _legal)
HISTORY_SHOWN: Final = shows("history", say("what happened, the last twenty things; history 50 shows fifty"), _history)
CALENDAR: Final = shows("calendar", say("your deadline as a file for a calendar"), _in_the_letter)
