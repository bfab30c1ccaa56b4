"""Handlers of events: one for every kind of fact, each under the `decide` of the fact it applies."""

from collections.abc import Callable
from typing import Any

from domain.engine.game import E, Event, S


class Handlers(dict[type[Event], Callable[[Any, Any], None]]):
    """The handlers of a game by kind of event; the modules of its chapters fill it."""

    def evolves(self, kind: type[E]) -> Callable[[Callable[[S, E], None]], Callable[[S, E], None]]:
        """Make a function the handler of one kind of event."""

        def register(handler: Callable[[S, E], None]) -> Callable[[S, E], None]:
            self[kind] = handler
            return handler

        return register
