"""The questions of the page: what may be done next, as buttons, numbers or an order of things."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from domain.engine.refusals import OrderNotUnderstood, RuleViolation
from domain.table.evolve import blind
from domain.table.play import act
from domain.table.record import Record
from service.games.choices import Option, Step, compose, walk
from service.games.reader_view import ReaderView, is_sealed
from service.languages import shown

CLAUSES: Final = "clauses"
"""The field of amounts that are done one after the other, so that their order counts."""


@dataclass(frozen=True, slots=True)
class Choice:
    """One option that a reader may choose."""

    words: str
    label: str
    target: str
    """Its place on the map; "" if it has none."""
    leads_to: str
    """The places that may follow it, with spaces between them."""
    line: str = ""
    """The whole line, if the option completes one."""
    effect: str = ""


@dataclass(frozen=True, slots=True)
class Count:
    """One amount: its word, what it is called, its bounds, and what is filled in."""

    word: str
    label: str
    least: int
    most: int
    value: str


@dataclass(frozen=True, slots=True)
class Piece:
    """One of the things to be put in an order."""

    word: str
    label: str


@dataclass(frozen=True, slots=True)
class Question:
    """One question, after some words of a line."""

    kind: str  # "options", "amounts" or "order"
    label: str
    words: str
    so_far: str
    """The words as the reader types them, "" at the beginning of a line."""
    line: str
    """The words, where they are a line that could stand as it is."""
    choices: Sequence[Choice] = ()
    counts: Sequence[Count] = ()
    pieces: Sequence[Piece] = ()
    is_sealed: bool = False
    """Whether the amounts are a secret until all have given theirs."""
    has_order: bool = False
    """Whether the order of the amounts counts."""


def question_of(
    view: ReaderView, root: Step | None, words: str, place: str = "", filled: Mapping[str, str] | None = None
) -> Question | None:
    """Return the question after these words, or the first one if they lead nowhere; with `place`, the choices there."""
    if root is None:
        return None
    option = walk(root, words) if words else None
    step = option.step if option is not None and option.step is not None else root
    if option is None or step is root:
        option, words = None, ""
    below = step.words if option is None else words  # the way to the question, where its own words are shorter
    label = view.words(step.label)
    so_far = shown(words, view.language, view.kind)
    line = option.line or "" if option is not None else ""
    match step.kind:
        case "amounts":
            counts = [
                Count(
                    amount.word,
                    view.words(amount.label),
                    amount.least,
                    amount.most,
                    (filled or {}).get(amount.word, ""),
                )
                for amount in step.amounts
                if amount.most or len(step.amounts) == 1
            ]
            return Question(
                "amounts", label, below, so_far, line, counts=counts, is_sealed=_asks_for_secrets(view, step),
                has_order=step.field == CLAUSES,
            )  # fmt: skip
        case "order":
            pieces = [Piece(piece.word, view.words(piece.label)) for piece in step.order]
            return Question("order", label, below, so_far, line, pieces=pieces)
        case _:
            at_place = choices_at(view, step, place) if place and step is root else []
            choices = at_place or [_choice(view, option, view.words(option.label)) for option in step.options]
            return Question("options", label, words, so_far, line, choices=choices)


def step_of(root: Step | None, words: str) -> Step | None:
    """The step after these words that asks for amounts or an order."""
    if root is None or root.words == words:
        return root
    option = walk(root, words)
    return None if option is None else option.step


def composed(root: Step | None, words: str, chosen: Mapping[str, int] | Sequence[str]) -> str:
    """Return the line that these amounts or this order make; "" if the question is of another kind."""
    step = step_of(root, words)
    return "" if step is None or step.kind == "options" else compose(step, chosen)


def _choice(view: ReaderView, option: Option, label: str) -> Choice:
    below = option.step.options if option.step is not None else ()
    leads_to = " ".join(dict.fromkeys(further.target for further in below if further.target))
    return Choice(option.words, label, option.target or "", leads_to, option.line or "")


def choices_at(view: ReaderView, root: Step | None, place: str) -> list[Choice]:
    """Return the choices that begin with this place of the map."""
    found: list[Choice] = []
    for verb in () if root is None else root.options:
        if verb.target == place:
            found.append(_choice(view, verb, view.words(verb.label)))
        below = verb.step.options if verb.step is not None else ()
        label = view.words(verb.label)
        found += [
            _choice(view, option, f"{label}: {view.words(option.label)}") for option in below if option.target == place
        ]
    return found


def _asks_for_secrets(view: ReaderView, step: Step) -> bool:
    """Return whether the amounts of a step are sealed at first. It tries the smallest ones."""
    assert view.seat is not None
    head = view.head
    record = Record(blind(head.table, head.rules, view.seat), head.rules)
    line = compose(step, {amount.word: amount.least for amount in step.amounts})
    try:
        (action,) = head.rules.notation.parse(line, view.notation_names)
        act(record, view.seat, action, foreseeable=True)
    except (RuleViolation, OrderNotUnderstood, ValueError):
        return False
    return any(is_sealed(fact.event) for fact in record.facts)
