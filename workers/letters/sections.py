"""The sections a letter about a game is made of, in the order its kind of notice lists them.

Each is a macro of the same name in `templates/sections.txt` and one in `templates/sections.html`. Texts are Sentences,
said in the reader's language when the letter is rendered, or in that language already.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Protocol

from workers.commands.words.line import Line
from workers.letters.numbered_options import Additions, Option, in_rows


@dataclass(frozen=True, slots=True)
class Standing:
    """A seat below the picture: its mark and colours, the name, what the player has."""

    mark: str
    fill: str
    ink: str
    name: str
    points: str


@dataclass(frozen=True, slots=True)
class Picture:
    """A PNG, what it shows in words, and how the seats stand."""

    png: bytes
    alt: str
    standings: Sequence[Standing] = ()


class Section(Protocol):
    """A part of a letter; `macro` renders it."""

    @property
    def macro(self) -> str: ...


class _Named:
    """A section whose macro has the name of its class."""

    __slots__ = ()

    @property
    def macro(self) -> str:
        return type(self).__name__


@dataclass(frozen=True, slots=True)
class Paragraph(_Named):
    """Sentences of a line each, and a link below them."""

    lines: Sequence[str]
    link: tuple[str, str] | None = None  # what it says in HTML, and where it leads
    wrap: bool = True


@dataclass(frozen=True, slots=True)
class Remarks(_Named):
    """Short remarks on a mail, run together."""

    lines: Sequence[str]


@dataclass(frozen=True, slots=True)
class Typing(_Named):
    """One thing to type; in HTML a link that opens the answer with it."""

    label: str
    body: str


@dataclass(frozen=True, slots=True)
class Buttons(_Named):
    """Words to answer with, in HTML alone: the text has named them."""

    words: Sequence[str]


@dataclass(frozen=True, slots=True)
class Choices(_Named):
    """Words to answer with, alone in the mail, and what each does."""

    answers: Sequence[tuple[str, str]]


@dataclass(frozen=True, slots=True)
class Examples(_Named):
    """Forms of what can be typed."""

    heading: str
    forms: Sequence[str]


@dataclass(frozen=True, slots=True)
class Commands(_Named):
    """Lines of the notation under a heading, in the words they are to be shown in."""

    heading: str
    lines: Sequence[str]
    title: bool = True  # in HTML: whether the heading is one
    bar: bool = True  # in the text: whether a bar stands before each line


@dataclass(frozen=True, slots=True)
class OutcomeLines(_Named):
    """The lines of a mail, and what came of each."""

    lines: Sequence[Line]
    quoted: bool = True  # whether the lines are shown, or only their numbers


@dataclass(frozen=True, slots=True)
class Blocks(_Named):
    """Texts that were asked for, as they are."""

    texts: Sequence[str]


@dataclass(frozen=True, slots=True)
class DroppedOrders(_Named):
    """Standing orders that were dropped, and why; whether the reader is asked in their place."""

    lines: Sequence[str]
    why: str
    asked: bool


@dataclass(frozen=True, slots=True)
class Story(_Named):
    """What happened, a sentence an event."""

    heading: str
    sentences: Sequence[str]


@dataclass(frozen=True)
class Board(_Named):
    """A position: a picture that is drawn on demand, and a table in words below all else, "" for none."""

    text: str
    draw: Callable[[], Picture | None]

    @cached_property
    def picture(self) -> Picture | None:
        return self.draw()


@dataclass(frozen=True, slots=True)
class Options(_Named):
    """Actions that can be answered with a number, or in words; None stands for some that are left out."""

    actions: Sequence[Option | None]

    @property
    def counted(self) -> bool:
        """Whether any of them has a number."""
        return any(option is not None and option.number is not None for option in self.actions)

    @property
    def rows(self) -> Sequence[Option | Additions | None]:
        """The same, those that add one word each to another option side by side."""
        return in_rows(self.actions)


@dataclass(frozen=True, slots=True)
class Form:
    """A form of an order, what it does, and lines that can be sent as they are; none for a form without an example."""

    form: str
    meaning: str
    example: Sequence[str] = ()


@dataclass(frozen=True, slots=True)
class Guide(_Named):
    """What can be typed, and what it does."""

    forms: Sequence[Form]
    alone: bool = True  # whether no options stand beside it

    @property
    def has_long_answers(self) -> bool:
        """Return whether an answer has more than one line."""
        return any(len(form.example) > 1 for form in self.forms)


@dataclass(frozen=True, slots=True)
class Clock(_Named):
    """Until when, and what a miss would cost."""

    lines: Sequence[str]


@dataclass(frozen=True, slots=True)
class Audit(_Named):
    """Where the whole history can be checked."""


@dataclass(frozen=True, slots=True)
class Talk(_Named):
    """Lines of table talk: a heading that says who said it to whom and when, and the line."""

    lines: Sequence[tuple[str, str]]


@dataclass(frozen=True, slots=True)
class Title(_Named):
    """The first line of a text, and the empty one below; HTML has it as its title."""

    text: str


@dataclass(frozen=True, slots=True)
class SignInCode(_Named):
    """A code to sign in with, the link that does the same, and how to use them."""

    code: str
    link: str  # the secret in its address


def paragraphs(texts: Sequence[str]) -> list[Section]:
    """Return a paragraph with a sentence a line; none for no sentences."""
    return [Paragraph(texts)] if texts else []
