"""The registry of what can be written by mail: the handler of every word of every game, in the order of the help."""

from collections.abc import Mapping, Sequence
from typing import Final, Protocol, runtime_checkable

from domain.engine.sentences import Sentence, say
from workers.commands.context import ReplyContext
from workers.commands.handlers import show
from workers.commands.handlers.away import AWAY_HANDLER
from workers.commands.handlers.by_consent import CLOCK_HANDLER, UNDO_HANDLER, VOTES_HANDLER
from workers.commands.handlers.join import JOIN
from workers.commands.handlers.leave_seat import LEAVE_SEAT
from workers.commands.handlers.orders import ORDERS_HANDLER
from workers.commands.handlers.questions import YES_OR_NO
from workers.commands.handlers.talk import TALK
from workers.commands.reply import Effect, Reply, Request
from workers.commands.words.command import Command


class Handler(Protocol):
    """A family of verbs."""

    @property
    def verbs(self) -> Sequence[str]:
        """The first words, in English."""
        ...

    @property
    def meanings(self) -> Mapping[str, Sentence]:
        """Its lines in the help, by what is typed."""
        ...


@runtime_checkable
class Shows(Handler, Protocol):
    """Verbs that only ask to see something."""

    def show(self, context: ReplyContext, command: Command) -> str:
        """A block of text in the player's language; "" for what the letter shows anyway."""
        ...


@runtime_checkable
class Acts(Handler, Protocol):
    """Verbs that do something, together with the others of their mail: all of it or nothing (IN-16)."""

    def act(self, trial: ReplyContext, request: Request) -> Effect:
        """Do what the request says by these verbs; raises what `service.games` raises, and then nothing is done."""
        ...


@runtime_checkable
class Alone(Handler, Protocol):
    """Verbs that stand alone in their mail."""

    def respond(self, context: ReplyContext, request: Request, command: Command) -> Reply:
        """Do what the command says, and tell what came of it."""
        ...


HELP: Final = show.shows("help", say("this page"), lambda context, command: show.help_page(context, MEANINGS))
HANDLERS: Final[tuple[Handler, ...]] = (
    HELP, show.STATUS_SHOWN, show.BOARD, show.LEGAL, show.HISTORY_SHOWN, ORDERS_HANDLER, UNDO_HANDLER, VOTES_HANDLER,
    CLOCK_HANDLER, AWAY_HANDLER, show.CALENDAR, YES_OR_NO, TALK, JOIN, LEAVE_SEAT,
)  # fmt: skip
MEANINGS: Final[Mapping[str, Sentence]] = {
    word: meaning for handler in HANDLERS for word, meaning in handler.meanings.items()
}
"""The lines of the help: what is typed, and what it means."""
SHOWS: Final = {verb: handler for handler in HANDLERS if isinstance(handler, Shows) for verb in handler.verbs}
ALONE: Final = {verb: handler for handler in HANDLERS if isinstance(handler, Alone) for verb in handler.verbs}
ACTS: Final[tuple[Acts, ...]] = (TALK, ORDERS_HANDLER, AWAY_HANDLER, LEAVE_SEAT)
"""The handlers that do something beside others of a mail, in the order in which they do it."""
