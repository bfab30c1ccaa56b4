"""Choices: all that a seat may do now, as questions one after the other whose answers spell a line of the notation.

Where the actions can be listed, each question has a few options. Where there are too many of them, amounts are asked
for, or an order of some pieces, within the bounds that the rules set. A newcomer writes nothing: `listed_words` asks
word by word. Who writes `Presentation.choices` gives the words names, and the options a place in the picture.
"""

import dataclasses
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Final

from domain.engine.game import Action
from domain.engine.sentences import Sentence, row, say, typed

Path = tuple[str, ...]
"""A line as the answers that spell it: ("slander", "yellow", "8", "german", "then 14")."""
Follow = Callable[[str, int], "Step | None"]
"""What may follow after so many of a word."""


@dataclass(frozen=True, slots=True)
class Amount:
    """Something that is asked for by number: the word that stands before it in the line, and its bounds."""

    word: str
    label: Sentence
    least: int
    most: int


@dataclass(frozen=True, slots=True)
class Piece:
    """One of some things to be put in an order."""

    word: str
    label: Sentence
    target: str | None = None


@dataclass(frozen=True)
class Option:
    """One answer to a question."""

    words: str
    """The line up to and with this answer: "slander yellow 8"."""
    label: Sentence
    target: str | None
    """The id of what it stands for in the picture: "ward-8"."""
    line: str | None
    """The words, if they are a complete line."""
    follow: Callable[[], "Step | None"] = dataclasses.field(repr=False, compare=False)

    @cached_property
    def step(self) -> "Step | None":
        """What may come next; None where nothing can."""
        return self.follow()

    @property
    def leads_to(self) -> list[str]:
        """The ids of the next options in the picture."""
        below = () if self.step is None else self.step.options
        return list(dict.fromkeys(option.target for option in below if option.target))


@dataclass(frozen=True, slots=True)
class Step:
    """One question: options, amounts, or pieces to be put in an order."""

    field: str
    """What is asked for: "verb", "ward", "colour", "player", "chips" …"""
    label: Sentence
    """The question, for people."""
    options: tuple[Option, ...] = ()
    amounts: tuple[Amount, ...] = ()
    order: tuple[Piece, ...] = ()
    words: str = ""
    """Of amounts and orders: the line so far."""
    nothing: str | None = None
    """Of amounts: the word for none at all, "" where the line so far says so; None where 0 is a number like others."""
    follow: Follow = dataclasses.field(default=lambda word, count: None, repr=False, compare=False)

    @property
    def kind(self) -> str:
        """How it is answered."""
        return "amounts" if self.amounts else "order" if self.order else "options"


@dataclass(frozen=True, slots=True)
class Questions:
    """What a ruleset says of the choices of a seat."""

    lines: Iterable[Path]
    """Every line that can be listed, perhaps in more than one order of its words."""
    beginnings: Iterable[Path]
    """The beginnings of lines that cannot: `open` says how they go on."""
    question: Callable[[Path], tuple[str, Sentence]]
    """What is asked after these answers: the field, and the question."""
    answer: Callable[[Path], tuple[Sentence, str | None]]
    """The label of the last of these answers, and its target."""
    open: Callable[[Path], Step | None] = lambda path: None
    """The step after these answers where it asks for amounts or an order."""


_END: Final = ""
"""Marks a node of the tree at which a line is complete. No word is empty."""
Node = dict[str, Any]


def ask(questions: Questions) -> Step | None:
    """The first question; None where nothing can be done. A verb that is the only one is not asked for."""
    root: Node = {}
    for beginning in questions.beginnings:
        _grow(root, beginning)
    for line in questions.lines:
        _grow(root, line)[_END] = {}
    path: Path = ()
    if len(root) == 1 and _END not in next(iter(root.values())):
        ((verb, root),) = root.items()
        path = (verb,)
    return _step(questions, root, path)


def _grow(node: Node, path: Path) -> Node:
    """The node of a path, made where it is not there yet."""
    for words in path:
        node = node.setdefault(words, {})
    return node


def _step(questions: Questions, node: Node, path: Path) -> Step | None:
    if (opened := questions.open(path)) is not None:
        return opened
    options = tuple(_option(questions, below, (*path, words)) for words, below in node.items() if words != _END)
    return Step(*questions.question(path), options) if options else None


def _option(questions: Questions, node: Node, path: Path) -> Option:
    words = " ".join(path)
    line = words if _END in node else None
    return Option(words, *questions.answer(path), line, lambda: _step(questions, node, path))


def listed_words(write: Callable[[Any], str], actions: Iterable[Action]) -> Questions:
    """Questions word by word, for a ruleset that has no better ones."""
    return Questions(
        [tuple(write(action).split()) for action in actions],
        [],
        lambda path: ("word", say("And then?")) if path else ("verb", say("What do you do?")),
        lambda path: (typed(path[-1]), None),
    )


def walk(step: Step | None, words: str) -> Option | None:
    """The option that a line, or the beginning of one, leads to; None where it leaves what may be chosen."""
    return None if step is None else _walk(step, words.lower().split())


def _walk(step: Step, wanted: Sequence[str]) -> Option | None:
    for option in _answers(step, wanted):
        own = option.words.lower().split()
        if list(wanted[: len(own)]) != own:
            continue
        if len(own) == len(wanted):
            return option
        if option.step is not None and (found := _walk(option.step, wanted)) is not None:
            return found
    return None


def _answers(step: Step, wanted: Sequence[str]) -> Iterable[Option]:
    """The options of a step; of amounts and orders the one that these words may be."""
    if step.kind == "options":
        return step.options
    rest = wanted[len(step.words.split()) :]
    return _in_order(step, rest) if step.order else _counted(step, rest)


def _in_order(step: Step, rest: Sequence[str]) -> list[Option]:
    if Counter(rest) != Counter(piece.word for piece in step.order):
        return []
    labels = {piece.word: piece.label for piece in step.order}
    line = compose(step, rest)
    return [Option(line, row([labels[word] for word in rest], ", "), None, line, lambda: None)]


def _counted(step: Step, rest: Sequence[str]) -> list[Option]:
    """The first amount that is named; or none at all."""
    if step.nothing is not None and " ".join(rest) == step.nothing:
        line = compose(step, {})
        return [Option(line, say("none"), None, line, lambda: None)]
    amount = next((amount for amount in step.amounts if list(rest[:1]) == [amount.word]), None)
    if amount is None or len(rest) < 2 or not (rest[1].isascii() and rest[1].isdigit()):
        return []
    count = int(rest[1])
    if not max(amount.least, step.nothing is not None) <= count <= amount.most:
        return []
    line = compose(step, {amount.word: count})
    return [Option(line, row([str(count), amount.label], " "), None, line, lambda: step.follow(amount.word, count))]


def compose(step: Step, chosen: Mapping[str, int] | Sequence[str]) -> str:
    """The line that amounts by word, in this order, or words in an order make. It judges nothing: the rules do that,
    and say what is wrong."""
    if not isinstance(chosen, Mapping):
        return " ".join([step.words, *chosen])
    pairs = [f"{word} {count}" for word, count in chosen.items() if count or step.nothing is None]
    return " ".join(filter(None, [step.words, *(pairs or [step.nothing or ""])]))
