"""How an event was written before: the way from one schema of its type to the next."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

Data = dict[str, Any]


def _as_it_was(data: Data) -> Data:
    return data


@dataclass(frozen=True, slots=True)
class Upcast:
    """From one schema of a type to the next: its data, the fields its leaves had, and what its leaves say.

    A leaf does not tell its schema, so `sealed` must be none that a later schema of the type seals. Both functions
    get a copy of their own; the `text` of an action stays as it was.
    """

    public: Callable[[Data], Data] = _as_it_was
    sealed: frozenset[str] = frozenset()
    leaf: Callable[[Data], Data] = _as_it_was
