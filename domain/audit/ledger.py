"""The ledger of a game: lines of facts, each chained to the one before and signed by the host."""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

from domain.engine.canonical import canonical

FIRST: Final = "0" * 64
"""Stands before the first line."""
Fact = dict[str, Any]


@dataclass(frozen=True, slots=True)
class LedgerLine:
    """A line: its number from 1, the hash of the one before, its time, its facts; `kept` is its hash as it was kept."""

    game: str
    number: int
    previous: str
    time: str
    facts: Sequence[Fact]
    kept: str = ""
    key: str = ""
    signature: str = ""

    def message(self) -> bytes:
        """What is hashed and signed of it."""
        told = {name: getattr(self, name) for name in ("game", "number", "previous", "time", "facts")}
        return b"wardroom-ledger-v1\n" + canonical(told)

    def hash(self) -> str:
        """SHA-256 of it, hex."""
        return hashlib.sha256(self.message()).hexdigest()
