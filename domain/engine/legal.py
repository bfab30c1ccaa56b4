"""Legal actions: candidates, kept where `decide` accepts them, so that what is legal is said in one place."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any, Generic

from domain.engine.game import A, S, Seat
from domain.engine.refusals import RuleViolation

Decide = Callable[[S, Seat, A], Any]


@dataclass(frozen=True, slots=True)
class Legal(Generic[A]):
    """The actions a seat may take now, in board order; `complete` is False where they are a sample of more."""

    actions: list[A]
    complete: bool = True


def is_legal(decide: Decide[S, A], state: S, seat: Seat, action: A) -> bool:
    """Whether `decide` accepts an action."""
    try:
        decide(state, seat, action)
    except RuleViolation:
        return False
    return True


def legal_among(decide: Decide[S, A], state: S, seat: Seat, candidates: Iterable[A]) -> Iterator[A]:
    """Those of the candidates that `decide` accepts, asked one by one."""
    return (action for action in candidates if is_legal(decide, state, seat, action))
