"""One line of a mail as the grammar of its place sees it, and what a grammar is to those who read lines."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, Protocol

from workers.parsing.new_text import Line
from workers.parsing.normalise import normal
from workers.parsing.quotes import is_blank
from workers.parsing.small_talk import announces

MAX_LENGTH: Final = 200
"""Characters of a line that may be a command."""
SHOWN: Final = 60
"""Characters of a line that are quoted to its writer."""


class Grammar(Protocol):
    """What a game and its decision understand."""

    @property
    def verbs(self) -> Mapping[str, str]:
        """The first words of commands in the player's language and in English, in lower case, however they are typed.

        With each goes the word to suggest for it, "" where none ever is.
        """
        ...

    def problem(self, line: str) -> str | None:
        """None if a normalised line is a command by its form; else a sentence that says what would fit."""
        ...

    def completes(self, lines: Sequence[str]) -> bool:
        """Whether these commands answer the decision completely."""
        ...

    @property
    def people(self) -> Collection[str]:
        """The words of the names at the table and of the writer's own, in lower case: no slips of commands."""
        ...

    def core(self, line: str) -> str:
        """A normalised line without what people say around an order: "I'll pass, thanks" is "pass"."""
        ...

    def intended(self, line: str) -> Sequence[str]:
        """Return the orders that a normalised line which is no command plainly means, to be offered for copying."""
        ...

    def is_aside(self, line: str) -> bool:
        """Whether a command only talks, or asks to see something: it goes with any orders."""
        ...

    def is_yes(self, line: str) -> bool:
        """Whether a command is the word that answers a question of ours with yes."""
        ...

    def below(self, line: str) -> "Grammar":
        """What reads the line below a command: its own, where the command is the heading of those below it."""
        ...

    def standalone(self, line: str) -> str:
        """A command as it would be written without the heading above it."""
        ...

    def elsewhere(self, line: str) -> str:
        """Of a line that is no command here, the sentence that says where in a mail it is one; "" for nowhere."""
        ...


@dataclass(frozen=True, slots=True)
class Entry:
    """One line of the new text, as the grammar of its place sees it."""

    line: Line
    text: str
    grammar: Grammar
    problem: str | None
    elsewhere: str = ""

    @property
    def blank(self) -> bool:
        return is_blank(self.line.text)

    @property
    def command(self) -> bool:
        return self.problem is None

    @property
    def core(self) -> str:
        return self.grammar.core(self.text)


def entry_of(line: Line, grammar: Grammar) -> Entry:
    """A line as this grammar reads it; one that is too long for a command is none."""
    text = normal(line.text) if len(line.text) <= MAX_LENGTH else ""
    if not text or text.startswith("type:") or announces(text):
        return Entry(line, text, grammar, "")
    problem = grammar.problem(text)
    return Entry(line, text, grammar, problem, "" if problem is None else grammar.elsewhere(text))


def shorten(text: str) -> str:
    """A line as it is quoted to its writer."""
    text = " ".join(text.split())
    return text if len(text) <= SHOWN else f"{text[:SHOWN].rstrip()}…"
