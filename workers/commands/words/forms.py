"""How the words of every game are written in a mail: what may follow each of them on its line.

Of what sort they are is said in `command`; what they do, in their handlers, which `verbs` collects.
"""

import re
from collections.abc import Callable, Mapping
from typing import Final

from domain.engine.refusals import OrderNotUnderstood
from domain.engine.sentences import say
from workers.commands.words.command import SORTS
from workers.commands.words.consent_words import LASTING, lasting_line, undo_line
from workers.commands.words.leave_words import leave_line

MOST_OF_HISTORY: Final = 100
Form = Callable[[str, str, str], str]
"""Gives the canonical words of a line from how it was written, its word, and what follows it. Raises
OrderNotUnderstood."""
_NUMBER: Final = re.compile(r"[0-9]{1,3}")


def _bare(line: str, verb: str, rest: str) -> str:
    if rest:
        message = say("{word} must be alone on its line.", word=verb)
        raise OrderNotUnderstood("bad-syntax", "IN-12", line, message)
    return verb


def _history(line: str, verb: str, rest: str) -> str:
    if not rest:
        return verb
    if _NUMBER.fullmatch(rest) and 1 <= int(rest) <= MOST_OF_HISTORY:
        return f"{verb} {rest}"
    message = say("Write {form}, with a number from 1 to {most} or none.", form="history 20", most=MOST_OF_HISTORY)
    raise OrderNotUnderstood("bad-syntax", "IN-12", line, message)


def _away(line: str, verb: str, rest: str) -> str:
    return leave_line(line, rest) if rest else verb


def _undo(line: str, verb: str, rest: str) -> str:
    return undo_line(line, rest)


def _as_written(line: str, verb: str, rest: str) -> str:
    return line


def _with_text(line: str, verb: str, rest: str) -> str:
    if not rest:
        message = say("Write what you have to say on the same line.")
        raise OrderNotUnderstood("bad-syntax", "IN-12", line, message)
    return f"{verb} {rest}"


FORMS: Final[Mapping[str, Form]] = {
    **dict.fromkeys(SORTS, _bare),
    "history": _history,
    "away": _away,
    "say": _with_text,
    "join": _as_written,
    "undo": _undo,
    **dict.fromkeys(LASTING, lasting_line),
}
"""What reads a line that begins with each of the words of every game."""
