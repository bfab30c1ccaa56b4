"""Events of older schemas, read into the newest form, each time: a body is never rewritten, and its hash stays.

A type that ever had another schema says in its UPCASTS how to get from each to the one after it; one without has had
schema 1 and no other.
"""

from collections.abc import Mapping
from typing import Any

from domain.engine.game import Event
from domain.engine.upcast import Data


def newest(kind: type[Event]) -> int:
    """The schema that events of a type are written in."""
    return max(1, len(kind.UPCASTS))


def upcast(kind: type[Event], schema: int, data: Data) -> Data:
    """The public data of an older schema in the newest form. Raises ValueError for a schema that never was."""
    steps = kind.UPCASTS
    if not 0 <= schema < len(steps) or None in steps[schema:]:
        raise ValueError(f"there never was a schema {schema} of it")
    for step in steps[schema:]:
        assert step is not None
        data = step.public(dict(data))
    return data


def upcast_leaf(kind: type[Event], data: Mapping[str, Any]) -> Mapping[str, Any]:
    """What a leaf says, in the newest form: its fields tell which schema it was sealed in."""
    for step in kind.UPCASTS:
        if step is not None and step.sealed and step.sealed == data.keys() - {"text"}:
            data = step.leaf(dict(data))
    return data
