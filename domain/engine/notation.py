"""Notation: how the actions of a game are typed and read back, a line each.

A newcomer writes `pawns` and `verbs` first, then `parse` and `write`, which undo each other, then `read_bid`,
`reserved` and `help`; `script` is for games whose whole course people share as a text.
"""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, Generic, NoReturn

from domain.engine.game import A, Seat, View
from domain.engine.refusals import OrderNotUnderstood, sentence

LINE_ENDS: Final = re.compile(r"\r\n|\r|\n")
LONGEST_QUOTE: Final = 20
"""Characters of a word that is not understood which a refusal repeats."""


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
    terms: Mapping[Any, Callable[[str], object]] = field(default_factory=dict)
    """What reads a word of each closed list of the rules, by its type (a Literal): for words in other forms than lines.

    Raises OrderNotUnderstood with the rule that lists them."""


def lines_of(text: str) -> list[str]:
    """The lines of a text that say something."""
    return [line for line in LINE_ENDS.split(text) if line.strip()]


def lower(word: str) -> str:
    """Lower case for the letters of the notation; others must not turn into them."""
    return word.lower() if word.isascii() else word


def shorten(word: str) -> str:
    """A word as a refusal repeats it."""
    return word if len(word) <= LONGEST_QUOTE else word[:LONGEST_QUOTE] + "..."


class Line:
    """One line being read: its words in lower case, and the names it may use. Each game reads its own forms."""

    def __init__(self, line: str, names: Sequence[str]) -> None:
        self.line = line.strip()
        self.names = [lower(name) for name in names]
        self.words = [lower(word) for word in line.split()]

    def find_player(self, word: str, pawns: Sequence[str]) -> Seat | None:
        """A player by name, or by pawn if that seat plays; None for any other word."""
        if word in self.names:
            return self.names.index(word)
        playing = pawns[: len(self.names)]
        return playing.index(word) if word in playing else None

    def refuse(self, code: str, rule: str, template: str, /, **values: Any) -> NoReturn:
        """Say why this line cannot be read, in a sentence of this template and these values."""
        raise OrderNotUnderstood(code, rule, self.line, sentence(template, values))
