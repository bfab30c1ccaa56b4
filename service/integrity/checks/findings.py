"""Findings of an audit: one sentence about one value of one row."""

from dataclasses import dataclass, replace
from typing import Literal

Weight = Literal["history", "rules", "projection", "witness", "key", "guard", "note"]
"""The kind of fault: the history itself; what the installed rules say of it; what is only computed from it; what else
testifies to it, or tells of it; a key is not at hand; rows are not kept from being changed; a thing to know that
nothing can be done about."""
STOPS: Weight = "history"
"""The kind of fault that stops a game."""


Place = tuple[int, int]
"""A leaf: the version of an event, and which of its leaves."""


@dataclass(frozen=True, slots=True)
class Finding:
    """One value that is not what it should be. No secret stands in a sentence."""

    weight: Weight
    game: str  # "" for what is about no game
    table: str
    row: str  # the rest of its key
    column: str  # "" for the whole row
    sentence: str
    version: int | None = None  # the event it is about
    mended: bool = False

    @property
    def left(self) -> bool:
        """Whether something is still to be done about it."""
        return not self.mended and self.weight != "note"

    def after_mending(self) -> "Finding":
        """The same, done with."""
        return replace(self, mended=True)

    def document(self) -> dict[str, str | int | bool | None]:
        """Its JSON form."""
        return {
            "weight": self.weight,
            "game": self.game or None,
            "table": self.table,
            "row": self.row,
            "column": self.column or None,
            "event": self.version,
            "sentence": self.sentence,
            "mended": self.mended,
        }

    def reason(self) -> str:
        """Why a game is stopped, for its players, too."""
        return f"{f'event {self.version}' if self.version else self.place}: {self.sentence}"

    @property
    def place(self) -> str:
        """Table and column."""
        return ".".join(part for part in (self.table, self.column) if part)

    def line(self) -> str:
        """It as one line for people."""
        row = f" {self.row}" if self.row else ""
        return f"{self.place}{row}: {self.sentence}{' It was mended.' if self.mended else ''}"
