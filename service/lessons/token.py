"""The moves of a lesson as a word of its address: "settle-boss-14-cube-irish-14_end.on.place-1-2".

It can be read, bookmarked and sent to somebody; the rules judge it anew at each request. Moves are parted by dots,
lines of one by low lines, words by hyphens.
"""

import re
from collections.abc import Sequence
from typing import Final

from domain.engine.sentences import say
from service.lessons.practice import Practice

ON: Final = "on"
"""Going on without having reached what a step asked for."""
LONGEST: Final = 2_000
MOST: Final = 60
MOVE: Final = re.compile("[A-Za-z0-9]+(?:[-_][A-Za-z0-9]+)*")
WRONG: Final = say("This address holds moves that were not made here. Begin anew, or go back to where you came from.")
TOO_LONG: Final = say("This address holds more moves than a lesson has. Begin anew.")


class BadToken(Exception):
    """A word that is no moves of a lesson; `message` is a sentence for people."""

    def __init__(self, message: str) -> None:
        super().__init__(message)
        self.message = message


def items_of(token: str) -> tuple[str, ...]:
    """The moves in a word, each still as it is written there. Raises BadToken for what can be none."""
    if len(token) > LONGEST or token.count(".") >= MOST:
        raise BadToken(TOO_LONG)
    items = tuple(token.split(".")) if token else ()
    if not all(MOVE.fullmatch(item) for item in items):
        raise BadToken(WRONG)
    return items


def lines_of(item: str) -> list[str]:
    """One move as lines of the notation."""
    return [line.replace("-", " ") for line in item.split("_")]


def token_of(items: Sequence[str]) -> str:
    """Moves as one word."""
    return ".".join(items)


def item_of(practice: Practice, lines: Sequence[str]) -> str:
    """Lines of the notation as a move of a word. Raises OrderNotUnderstood."""
    write = practice.rules.notation.write
    return "_".join(write(action).strip().replace(" ", "-") for action in practice.actions(lines))
