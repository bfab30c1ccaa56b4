"""The outcome of a command at a table."""

from dataclasses import dataclass

from domain.history.codec import Stored
from domain.table.record import Record
from service.store.streams import Head


@dataclass(frozen=True, slots=True)
class Moved:
    """What came of a command: the head as it is now, and the events recorded."""

    head: Head
    stored: list[Stored]
    record: Record
