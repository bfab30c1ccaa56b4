"""What a history says otherwise than the rules: which event, by which rule, in a sentence."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from typing import Any, Final

import msgspec

from domain.engine.game import Event
from domain.engine.refusals import OrderNotUnderstood, RuleViolation

CITED: Final = re.compile(r"\b(?:TH|CH)-\d+(?:\.\d+)?|\b(?:DESIGN|Q)-\d+")
TABLE: Final = "DESIGN-2"
"""The rule of what no type cites: the table's own course."""
LONGEST: Final = 80
"""Characters of a value that a sentence quotes."""


@dataclass(frozen=True, slots=True)
class Difference:
    """One event that the rules would not have made. `type` is its stored name, `rule` the paragraph it is against;
    `draw` tells one that is a draw. `sentence` goes on after "event 17: " and may hold what seats keep secret."""

    version: int
    type: str
    rule: str
    sentence: str
    draw: bool = False


class Departed(Exception):
    """The history goes on otherwise than the rules. `sure`: whatever is sealed, the rules would not have made this."""

    def __init__(self, difference: Difference, *, sure: bool = False) -> None:
        super().__init__(difference.sentence)
        self.difference = difference
        self.sure = sure


def is_draw(event: Event) -> bool:
    """Whether an event is a draw."""
    return "draw" in type(event).__struct_fields__


@cache
def cited(kind: type[Event]) -> str:
    """The first rule that a type of event cites in its description."""
    found = CITED.search(kind.__doc__ or "")
    return found.group() if found else TABLE


def refused(version: int, name: str, event: Event, by: RuleViolation | OrderNotUnderstood) -> Difference:
    """An event that comes of what the rules forbid."""
    return Difference(version, name, by.rule, f"the rules refuse it ({by.code}): {str(by.message).rstrip('.')}")


def stumble(version: int, name: str, event: Event, error: Exception) -> Difference:
    """An event over which the rules fall."""
    return Difference(version, name, cited(type(event)), f"it cannot be replayed ({type(error).__name__})")


def uncalled(version: int, name: str, event: Event, waits: str) -> Difference:
    """An event that follows from nothing anybody did."""
    if is_draw(event):
        return Difference(version, name, cited(type(event)), "it is a draw that no rule calls for", draw=True)
    return Difference(version, name, cited(type(event)), f"nothing calls for it: {waits}")


def another(version: int, name: str, event: Event, expected: Event, expected_name: str) -> Difference:
    """An event where the rules make one of another type."""
    if is_draw(event):
        return Difference(version, name, cited(type(event)), "it is a draw that no rule calls for", draw=True)
    return Difference(version, name, cited(type(expected)), f"by the rules {expected_name} comes here")


def otherwise(version: int, name: str, event: Event, expected: Event) -> Difference:
    """An event that says something else than the rules."""
    if is_draw(event):
        says = "its result is not what the seed and the nonces give, or not what the rules make of it"
        return Difference(version, name, cited(type(event)), says, draw=True)
    fields = "; ".join(_fields(event, expected))
    return Difference(version, name, cited(type(expected)), f"by the rules {fields}")


def _fields(event: Event, expected: Event) -> Iterator[str]:
    said, made = msgspec.to_builtins(event), msgspec.to_builtins(expected)
    for field in made:
        if said.get(field) == made[field]:
            continue
        if field in type(event).SEALED:
            yield f"“{field}” is another"
        else:
            yield f"“{field}” is {_shown(made[field])}, not {_shown(said.get(field))}"


def _shown(value: Any) -> str:
    text = msgspec.json.encode(value, order="sorted").decode()
    return text if len(text) <= LONGEST else text[: LONGEST - 1] + "…"
