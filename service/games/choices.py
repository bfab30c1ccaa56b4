"""What a seat may do now, as questions one after the other; how a page and a program walk through them."""

from typing import Any

from domain.engine.choices import Amount, Option, Piece, Step, ask, compose, listed_words, walk
from domain.engine.game import Seat
from domain.engine.legal import Legal
from domain.engine.presentation import Names
from domain.engine.sentences import Words
from domain.table.evolve import Rules

__all__ = ["Amount", "Option", "Piece", "Step", "choices", "compose", "documents", "is_complete", "walk"]


def choices(rules: Rules, state: Any, seat: Seat, names: Names) -> Step | None:
    """The first question to a seat, from a blind state of its own; None where it can do nothing.

    `names` are what to call each seat in sentences. Every complete line that the answers spell is legal now.
    """
    if rules.presentation.choices is not None:
        return ask(rules.presentation.choices(state, seat, names))
    return ask(listed_words(rules.notation.write, rules.decider.legal_actions(state, seat).actions))


def is_complete(rules: Rules, state: Any, seat: Seat) -> bool:
    """Whether every legal action has a path: always where the ruleset asks questions of its own."""
    if rules.presentation.choices is not None:
        return True
    legal: Legal[Any] = rules.decider.legal_actions(state, seat)
    return legal.complete


def documents(step: Step | None, speak: Words, words: str = "") -> list[dict[str, Any]]:
    """The whole tree as JSON, after these words of a line: the one question that comes next, [] where none does."""
    if step is None:
        return []
    asked: dict[str, Any] = {"field": step.field, "label": speak(step.label)}
    match step.kind:
        case "options":
            return [asked | {"options": [_option(option, speak, words) for option in step.options]}]
        case "amounts":
            amounts = [
                {"value": amount.word, "label": speak(amount.label), "least": amount.least, "most": amount.most}
                for amount in step.amounts
            ]
            return [asked | {"words": step.words, "amounts": amounts, "nothing": step.nothing}]
        case _:
            order = [{"value": piece.word, "label": speak(piece.label), "target": piece.target} for piece in step.order]
            return [asked | {"words": step.words, "order": order}]


def _option(option: Option, speak: Words, before: str) -> dict[str, Any]:
    return {
        "value": option.words[len(before) :].strip(),
        "label": speak(option.label),
        "target": option.target,
        "line": option.line,
        "next": documents(option.step, speak, option.words),
    }
