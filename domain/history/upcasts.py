"""Reading events of older schemas: data is converted at each reading, so a body is never rewritten and its hash stays.

A type whose schema changed lists its steps in UPCASTS. A type without steps has schema 1.
"""

from collections.abc import Mapping
from typing import Any

from domain.engine.game import Event
from domain.engine.upcast import Data


def newest(kind: type[Event]) -> int:
    """Return the schema in which events of a type are written."""
    return 1 + len(kind.UPCASTS)


def upcast(kind: type[Event], schema: int, data: Data) -> Data:
    """Convert public data of an older schema to the newest form. Raises ValueError for an unknown schema."""
    if not 1 <= schema <= len(kind.UPCASTS):
        raise ValueError(f"there never was a schema {schema} of it")
    for step in kind.UPCASTS[schema - 1 :]:
        data = step.public(dict(data))
    return data


def upcast_leaf(kind: type[Event], data: Mapping[str, Any]) -> Mapping[str, Any]:
    """Convert the data of a leaf to the newest form: its fields tell the schema in which it was sealed."""
    for step in kind.UPCASTS:
        if step.sealed and step.sealed == data.keys() - {"text"}:
            data = step.leaf(dict(data))
    return data
