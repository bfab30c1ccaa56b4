"""The question of the page: the next step of a line, with what the reader has chosen and filled in so far."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Final

from domain.engine.refusals import OrderNotUnderstood, RuleViolation
from domain.engine.sentences import row
from domain.table.play import act
from domain.table.record import Record
from service.games.choices import Amount, Option, Step, compose, walk
from service.games.reader_view import ReaderView, is_sealed
from service.languages import shown

CLAUSES: Final = "clauses"
"""The field of amounts that are done one after the other, so that their order counts."""


@dataclass(frozen=True, slots=True)
class Question:
    """A step as the page asks it, after some words of a line."""

    step: Step
    words: str
    so_far: str
    """The words as the reader types them, "" at the beginning of a line."""
    line: str
    """The words, if they are a line that could stand as it is."""
    options: Sequence[Option] = ()
    """The options of the step, or those that begin with the place that was clicked."""
    effects: Mapping[str, str] = field(default_factory=dict)
    """The consequences of an option, by its words."""
    filled: Mapping[str, str] = field(default_factory=dict)
    """Amounts by their words, as they were filled in."""
    is_sealed: bool = False
    """Whether the amounts are a secret until all have given theirs."""

    @property
    def amounts(self) -> list[Amount]:
        """The amounts that can be other than nothing."""
        return [amount for amount in self.step.amounts if amount.most or len(self.step.amounts) == 1]

    @property
    def has_order(self) -> bool:
        """Return whether the order of the amounts counts."""
        return self.step.field == CLAUSES


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
    line = option.line or "" if option is not None else ""
    asked = Question(step, words, shown(words, view.language, view.kind), line, filled=filled or {})
    if step.kind == "options":
        at_place = options_at(step, place) if place and step is root else []
        return replace(asked, options=at_place or step.options)
    below = step.words if option is None else words  # the way to the question, where its own words are shorter
    return replace(asked, words=below, is_sealed=step.kind == "amounts" and _asks_for_secrets(view, step))


def step_of(root: Step | None, words: str) -> Step | None:
    """Return the step after these words that asks for amounts or an order; None if there is none."""
    if root is not None and root.words != words:
        option = walk(root, words)
        root = None if option is None else option.step
    return None if root is None or root.kind == "options" else root


def options_at(root: Step | None, place: str) -> list[Option]:
    """Return the options that begin with this place of the map."""
    found: list[Option] = []
    for verb in () if root is None else root.options:
        if verb.target == place:
            found.append(verb)
        below = verb.step.options if verb.step is not None else ()
        found += [
            replace(option, label=row([verb.label, option.label], ": ")) for option in below if option.target == place
        ]
    return found


def _asks_for_secrets(view: ReaderView, step: Step) -> bool:
    """Return whether the amounts of a step are sealed at first. It tries the smallest ones."""
    assert view.seat is not None
    record = Record(view.table, view.head.rules)
    line = compose(step, {amount.word: amount.least for amount in step.amounts})
    try:
        (action,) = view.head.rules.notation.parse(line, view.notation_names)
        act(record, view.seat, action, foreseeable=True)
    except (RuleViolation, OrderNotUnderstood, ValueError):
        return False
    return any(is_sealed(fact.event) for fact in record.facts)
