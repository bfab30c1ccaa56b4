"""What the handlers of commands get and give: a request, its effects, and the reply to a mail."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Final, Protocol

from domain.engine.game import Seat
from domain.engine.sentences import say
from service.games.outcomes import Moved
from service.store.event_store.streams import Head
from workers.commands import outcomes
from workers.commands.context import ReplyContext
from workers.commands.outcomes import Outcome, changed
from workers.commands.words.command import NO_ORDERS, Command

REPLACEABLE: Final = say("Until the bids are opened you can replace yours: answer with another one.")
NOT_SEATED: Final = say("You do not sit at this table.")
STATUS: Final = {
    "open": say("The game has not begun: seats are still free."),
    "running": say("Nobody has to answer just now."),
    "finished": say("The game is over."),
    "abandoned": say("The game was abandoned."),
}


class Addresses(Protocol):
    """The part of a grammar that reads to whom a line of talk goes."""

    def addressed(self, command: Command) -> tuple[Seat | None, str]:
        """The seat, None for the table, and what is said. Raises NotSaid where it is not certain who is meant."""
        ...


@dataclass(frozen=True, slots=True)
class Request:
    """What a mail asks for: its commands in their order, and the report that its answer begins as.

    `digest` tells its text from others; `addressed` says to whom a line of talk goes, None for the table, and what it
    says; `orders` are those of the game, in the notation.
    """

    digest: bytes
    report: Outcome
    addressed: Callable[[Command], tuple[Seat | None, str]]
    commands: list[Command]
    orders: list[str]

    @classmethod
    def of(cls, digest: bytes, report: Outcome, grammar: Addresses, commands: list[Command]) -> "Request":
        """The request of these commands."""
        return cls(digest, report, grammar.addressed, commands, [command.text for command in commands if command.plays])

    @property
    def files(self) -> bool:
        """Whether it orders anything ahead, or withdraws that."""
        return any(command.files for command in self.commands)

    @property
    def lines_ahead(self) -> list[str]:
        """The lines of what is ordered ahead."""
        filed = [command.text for command in self.commands if command.files and command.text != NO_ORDERS]
        return [text.partition(" ")[2] for text in filed]


@dataclass(frozen=True, slots=True)
class Reply:
    """The state a mail is settled in, and what its author is told; without an outcome nobody is told anything.

    `head` is the game as the mail left it, None where it moved nothing. A mail that sat somebody down names the player
    and the seat; `briefs` is the event by which they took the seat over, of which the answer tells as well.
    """

    state: str
    outcome: Outcome | None = None
    reason: str = ""  # for our own locale, where nobody is told
    head: Head | None = None
    player: str | None = None
    seat: int | None = None
    briefs: int = 0


@dataclass(frozen=True, slots=True)
class Effect:
    """What came of the commands of one handler: what moved the game, and texts to be shown."""

    moved: Moved | None = None
    shows: list[str] = field(default_factory=list)


def explain(context: ReplyContext, report: Outcome, why: Any, result: str = outcomes.REJECTED) -> Outcome:
    """The report with a reason; what is not about its lines leaves them out."""
    lines = report.lines if result == outcomes.REJECTED else []
    return changed(report, result=result, why=str(context.words(why)), lines=lines)


def reject(context: ReplyContext, report: Outcome, why: Any) -> Reply:
    """Nothing was done, for this reason."""
    return Reply("rejected", explain(context, report, why))
