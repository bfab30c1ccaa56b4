"""Standing orders: what a seat can order ahead of the decision it is about.

A newcomer writes the form first, then parse and write, then check, follow and live.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

import msgspec

from domain.engine.game import Action, S, Seat

F = TypeVar("F", bound=msgspec.Struct)


@dataclass(frozen=True, slots=True)
class StandingOrders(Generic[S, F]):
    """What a seat can order ahead: orders that are followed as soon as the decision they are about is asked."""

    form: type[F]
    """Their JSON form: integers, texts, lists and objects with ASCII keys."""
    parse: Callable[[str, Sequence[str]], F]
    """The orders of a text, one line each; the names by seat are read as well as the pawns. Raises OrderNotUnderstood
    naming the line."""
    write: Callable[[F], str]
    """The text of orders, one line each, in lower case: `parse` reads the same orders back."""
    check: Callable[[S, Seat, F], F]
    """Orders as they are filed, from a blind state of the seat's own: complete with what they are for. Raises
    RuleViolation for what can never be followed."""
    follow: Callable[[S, Seat, F], Action | None]
    """The action ordered for what an awaited seat is asked now, from a blind state of its own; None where the orders
    say nothing about it. Raises Unfit where they do and it cannot be done."""
    live: Callable[[S, Seat, F], F | None]
    """What of the orders can still come to pass; None where nothing can."""
    help: str
    """How to write them, for people."""
    verbs: frozenset[str]
    """The words a line of them can begin with, in lower case."""
