"""Notation: how a game is written and read."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from domain.engine.game import View


@dataclass(frozen=True, slots=True)
class ScriptFormat:
    """A whole game as a text, its chance included: for fixtures that people share."""

    play: Callable[[str], View]
    """The state document a script leads to, nothing hidden in it. Raises ValueError naming the line that is wrong."""
    write: Callable[[Iterable[Any], Sequence[str]], str]
    """The script of a game from all its facts, with these names by seat."""
