"""How events were written before: for each type that ever had an older schema, the way to the one after it.

A body is never rewritten, and its hash stays: it is read into the newest form, each time. A type that is not named
here has had schema 1 and no other.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from domain.city_hall.rules.events import PermitReturned
from domain.engine.game import Event
from domain.table.events import SeatTaken
from domain.tammany_hall.rules.events import BossesPlaced

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


def _seat_taken(data: Data) -> Data:
    """Who made a nonce was not written down, so nothing can be said for the host; a seat without a player is a bot."""
    return {"nonce_by": "server", "bot": data.get("player") is None, **data}


def _bosses_placed(data: Data) -> Data:
    """One boss and perhaps another had fields of their own."""
    first, second = data.pop("ward"), data.pop("other", None)
    return {"wards": [first] if second is None else [first, second], **data}


def _permit_returned(leaf: Data) -> Data:
    """What was returned was called a card."""
    return {"permit": leaf.pop("card"), **leaf}


def _bot_of(data: Data) -> Data:
    """A bot was one by a flag, and played what the caretaker plays. Raises ValueError for what is no flag."""
    if type(data["bot"]) is not bool:
        raise ValueError("“bot” is true or false")
    return data | {"bot": {"strength": 0, "temper": "even"} if data["bot"] else None}


UPCASTS: Final[Mapping[type[Event], tuple[Upcast | None, ...]]] = {
    SeatTaken: (Upcast(_seat_taken), Upcast(_bot_of)),
    BossesPlaced: (Upcast(_bosses_placed),),
    PermitReturned: (Upcast(sealed=frozenset({"card"}), leaf=_permit_returned),),
}
"""By type: from schema 0, 1, 2 … to the one after it; None stands for a schema that never was."""


def newest(kind: type[Event]) -> int:
    """The schema that events of a type are written in."""
    return max(1, len(UPCASTS.get(kind, ())))


def upcast(kind: type[Event], schema: int, data: Data) -> Data:
    """The public data of an older schema in the newest form. Raises ValueError for a schema that never was."""
    steps = UPCASTS.get(kind, ())
    if not 0 <= schema < len(steps) or None in steps[schema:]:
        raise ValueError(f"there never was a schema {schema} of it")
    for step in steps[schema:]:
        assert step is not None
        data = step.public(dict(data))
    return data


def upcast_leaf(kind: type[Event], data: Mapping[str, Any]) -> Mapping[str, Any]:
    """What a leaf says, in the newest form: its fields tell which schema it was sealed in."""
    for step in UPCASTS.get(kind, ()):
        if step is not None and step.sealed and step.sealed == data.keys() - {"text"}:
            data = step.leaf(dict(data))
    return data
