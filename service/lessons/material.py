"""The lessons and worked examples, as they lie beside each game in `lessons/`: `lesson.toml`, `examples.toml`."""

import tomllib
from collections.abc import Mapping, Sequence
from functools import cache
from importlib.resources import files
from typing import Any, Final

import msgspec

LESSON: Final = "lesson.toml"
EXAMPLES: Final = "examples.toml"


class Step(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One thing to do: when it is due, what is told of it, and what is asked for."""

    at: str
    """The phase in which it is asked, as the game's view names it."""
    title: str
    text: str
    goal: str
    """A goal of the game by name."""
    hint: str
    good: str
    """What came of it, and why that is good."""
    missed: str
    """What to say of a move that is legal and not what was asked for."""
    moves: Sequence[str] = ()
    """The lines that reach the goal where everything was played as hinted."""
    when: Mapping[str, Any] = {}
    """Fields of the game's view that must be so, for the step to be due."""
    same: bool = False
    """Whether it is about the same decision as the step before."""


class Script(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What somebody else plays when it is their turn and the view is so, if it is legal then."""

    seat: int
    moves: Sequence[str]
    when: Mapping[str, Any]


class Lesson(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A game's lesson: a table of steps."""

    title: str
    about: str
    minutes: int
    names: Sequence[str]
    """What the players are called; the first of them is the learner."""
    ends: Mapping[str, Any]
    """The lesson is over where the view is so."""
    end: str
    step: Sequence[Step]
    position: Mapping[str, Any] | None = None
    """In words, as the game reads them; None for the start of a whole game."""
    seed: str = ""
    """Of whatever is drawn; another one makes another lesson."""
    script: Sequence[Script] = ()


class Try(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A line that an example speaks of: legal, or refused for this reason. Those named `after` are played before."""

    line: str
    refused: str = ""
    seat: int | None = None
    """Who tries it; None for whoever is asked."""
    after: Sequence[str] = ()
    gives: Mapping[str, Any] = {}
    """What holds after it, by dotted paths in the view of whoever is asked then; "none" for nothing."""


class Scene(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A position of an example, what is drawn in it and played before, and what to try."""

    position: Mapping[str, Any] | None = None
    """None for the start of a whole game, with so many `players`."""
    players: int = 0
    seed: str = ""
    draws: Mapping[str, Sequence[Any]] = {}
    """How draws come out, by label."""
    before: Sequence[str] = ()
    """Lines of whoever is asked."""
    shows: Mapping[str, Any] = {}
    """What holds then, as the player who is asked sees it."""
    tries: Sequence[Try] = ()


class Example(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A worked example of the rules that is a position, or several."""

    id: str
    look: str
    """What to look for, in a sentence."""
    scene: Sequence[Scene]


class _Examples(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    example: Sequence[Example]
    names: Sequence[str] = ()


@cache
def lesson_of(kind: str) -> Lesson | None:
    """The lesson of a game; None for a game without one. Raises msgspec.ValidationError for one that is wrong."""
    found = _read(kind, LESSON)
    return None if found is None else msgspec.convert(found, Lesson)


@cache
def examples_of(kind: str) -> Mapping[str, Example]:
    """The worked examples of a game that can be tried, by their numbers in the rules."""
    found = _read(kind, EXAMPLES)
    return {} if found is None else {example.id: example for example in msgspec.convert(found, _Examples).example}


@cache
def names_in_examples(kind: str) -> Sequence[str]:
    """What the players of the examples are called; none where they are called by their pawns."""
    found = _read(kind, EXAMPLES)
    return () if found is None else msgspec.convert(found, _Examples).names


def _read(kind: str, name: str) -> dict[str, Any] | None:
    source = files("domain").joinpath(kind.replace("-", "_"), "lessons", name)
    return tomllib.loads(source.read_text("utf-8")) if source.is_file() else None
