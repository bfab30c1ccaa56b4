"""The outcomes of commands at a table: what was recorded, or why a line of talk was not said."""

from dataclasses import dataclass

from domain.engine.sentences import Sentence
from domain.history.codec import Stored
from domain.table.record import Record
from service.store.event_store.streams import Head


@dataclass(frozen=True, slots=True)
class Moved:
    """What came of a command: the head as it is now, and the events recorded."""

    head: Head
    stored: list[Stored]
    record: Record


class NotSaid(ValueError):
    """A line that cannot be said, found or taken back. `message` is safe to show, `wait` how many seconds help."""

    def __init__(self, code: str, message: Sentence, *, wait: int = 0) -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.wait = wait
