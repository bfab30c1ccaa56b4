"""The step from one schema of an event type to the next."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

Data = dict[str, Any]


def _unchanged(data: Data) -> Data:
    return data


@dataclass(frozen=True, slots=True)
class Upcast:
    """One step: functions for the data and for a leaf, and the fields that leaves of the older schema have.

    A leaf does not say its schema, so no later schema of the type may seal the same fields. Both functions get a copy
    of their own. The `text` of an action stays as it is.
    """

    public: Callable[[Data], Data] = _unchanged
    sealed: frozenset[str] = frozenset()
    leaf: Callable[[Data], Data] = _unchanged
