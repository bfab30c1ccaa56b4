"""Notation: how the actions of a game are typed and read back, a line each.

A newcomer writes `pawns` and `verbs` first, then `parse` and `write`, which undo each other, then `read_bid`,
`reserved` and `help`; `script` is for games whose whole course people share as a text.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Generic

from domain.engine.game import A, View


@dataclass(frozen=True, slots=True)
class ScriptFormat:
    """A whole game as a text, its chance included: for fixtures that people share."""

    play: Callable[[str], View]
    """The state document a script leads to, nothing hidden in it. Raises ValueError naming the line that is wrong."""
    write: Callable[[Iterable[Any], Sequence[str]], str]
    """The script of a game from all its facts, with these names by seat."""


@dataclass(frozen=True, slots=True)
class Notation(Generic[A]):
    """The language in which players write to a game."""

    pawns: tuple[str, ...]
    """What to call the seats where nobody's name is known, in seat order."""
    verbs: frozenset[str]
    """The words a line can begin with, in lower case."""
    parse: Callable[[str, Sequence[str]], list[A]]
    """The actions of a text, one a line; the names by seat are read as well as the pawns. Raises OrderNotUnderstood."""
    write: Callable[[A], str]
    """An action as one line, in lower case."""
    read_bid: Callable[[Mapping[str, Any]], A]
    """The action a body of `POST /bids` stands for. Raises OrderNotUnderstood."""
    reserved: frozenset[str]
    """Words, in lower case, that cannot be a player's name."""
    help: str
    """How to write it, for people."""
    script: ScriptFormat | None = None
    """How its games are written as scripts, if they are."""
