"""The words positions are written in.

A space is "deck", "$5" (available with so much on it), "ann" (owned, empty) or "ann tower". Permits are a list of
kinds in any order, "factory tower". What belongs to seats is one value for all, a list by seat, or a table by name.
"""

from collections.abc import Mapping, Sequence
from typing import Any, cast

from domain.city_hall.rules.pieces import PERMITS, Permit
from domain.city_hall.rules.state import Space


def space(text: str, names: Sequence[str]) -> Space:
    """A space from its words, without stars. Raises ValueError."""
    if text.startswith("$"):
        return Space("available", int(text[1:]))
    if text == "deck":
        return Space()
    owner, *kind = text.split()
    return Space("owned", 0, names.index(owner), permit_list(" ".join(kind))[0] if kind else None)


def permit_list(text: str) -> list[Permit]:
    """Permits from a list of kinds. Raises ValueError."""
    if not set(text.split()) <= set(PERMITS):
        raise ValueError(f"{text!r} names something other than {', '.join(PERMITS)}")
    return cast("list[Permit]", text.split())


def by_seat(value: Any, names: Sequence[str], default: Any = None) -> list[Any]:
    """A value for each seat: one for all, a list, or a table by name with a default for the others.

    Raises ValueError for a name that nobody has.
    """
    if isinstance(value, Mapping):
        if not value.keys() <= set(names):
            raise ValueError(f"{value!r} names somebody other than {', '.join(names)}")
        return [value.get(name, default) for name in names]
    return list(value) if isinstance(value, list) else [value] * len(names)
