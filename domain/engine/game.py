"""The words every game is made with: seats, actions, facts and draws."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, ClassVar, Final, Protocol, TypeVar

import msgspec

from domain.engine.upcast import Upcast

Seat = int
"""A place at the table, 0 to n-1, numbered clockwise."""

CHANCE: Final[Seat] = -1
"""The seat of chance: a state that awaits it needs a draw before anybody can act."""

NOBODY: Final = "nobody"
"""The owner of a sealed leaf that no seat may read before the game is over."""

View = dict[str, Any]


class Action(msgspec.Struct, frozen=True, tag_field="type", forbid_unknown_fields=True):
    """An order a player gives. Its seat is not part of it: that comes from the login."""


class Draw(msgspec.Struct, frozen=True):
    """Which draw of a game this was: its label, and its number over all draws of the game, from 0."""

    label: str
    index: int


class Event(msgspec.Struct, frozen=True, gc=False):
    """A fact. Fields named in SEALED are stored apart, readable only by the seat in the field they map to
    (or by NOBODY), and are None where the reader may not know them.

    OPENS marks a fact that opens every leaf last sealed by each seat; LASTS one whose leaves no such fact opens:
    they stay shut until the game is over.

    The collector of garbage passes events by: they hold plain data, which leads nowhere back (a tenth of decoding).

    UPCASTS lead from schema 1, 2 … of the type to the next one. A type without any has schema 1.
    """

    SEALED: ClassVar[Mapping[str, str]] = {}
    OPENS: ClassVar[bool] = False
    LASTS: ClassVar[bool] = False
    UPCASTS: ClassVar[tuple[Upcast, ...]] = ()


class Dice(Protocol):
    """One provably fair draw; `domain.engine.draws.Dice` is the one that plays."""

    index: int

    def below(self, label: str, n: int) -> int: ...

    def sample(self, label: str, items: Sequence[Any], k: int) -> list[Any]: ...


S = TypeVar("S")
A = TypeVar("A", bound=Action)
E = TypeVar("E", bound=Event)


class Handlers(dict[type[Event], Callable[[Any, Any], None]]):
    """The handlers of a game by kind of event; the modules of its chapters fill it."""

    def evolves(self, kind: type[E]) -> Callable[[Callable[[S, E], None]], Callable[[S, E], None]]:
        """Make a function the handler of one kind of event."""

        def register(handler: Callable[[S, E], None]) -> Callable[[S, E], None]:
            self[kind] = handler
            return handler

        return register
