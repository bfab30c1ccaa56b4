"""The decisions that were handled: in memory, and in a file that is always whole."""

import os
from pathlib import Path
from typing import Final

import msgspec

from wardroom_client.models import Turn

KEPT: Final = 1000
"""Decisions remembered; far older ones are no longer listed by any server."""


class Cursor:
    """What was handled: a game, its decision, and the event since which it is owed, as one that was taken back is owed
    again. It is written to `path`, where one is given, before `add` returns."""

    def __init__(self, path: str | Path | None = None) -> None:
        """Read what was handled before. Raises ValueError for a file that is no cursor."""
        self.path = None if path is None else Path(path)
        self._handled: dict[str, None] = {}
        if self.path is not None and self.path.exists():
            try:
                found = msgspec.json.decode(self.path.read_bytes(), type=list[str])
            except msgspec.MsgspecError as error:
                raise ValueError(f"{self.path} is no cursor of this client: {error}") from error
            self._handled = dict.fromkeys(found)

    def has(self, turn: Turn) -> bool:
        """Whether this was handled."""
        return _name(turn) in self._handled

    def add(self, turn: Turn) -> None:
        """Remember that this was handled."""
        self._handled[_name(turn)] = None
        while len(self._handled) > KEPT:
            del self._handled[next(iter(self._handled))]
        if self.path is not None:
            write_whole(self.path, msgspec.json.encode(list(self._handled)))


def _name(turn: Turn) -> str:
    return f"{turn['game']} {turn['decision']} {turn['since']}"


def write_whole(path: Path, data: bytes) -> None:
    """Put a file in place at once, for its owner alone: who reads it finds the old one or the new one."""
    path.parent.mkdir(parents=True, exist_ok=True)
    draft = path.with_name(f".{path.name}.{os.getpid()}")
    handle = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    with os.fdopen(handle, "wb") as file:
        file.write(data)
        file.flush()
        os.fsync(file.fileno())
    draft.replace(path)
