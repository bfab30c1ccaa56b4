"""The Deputy Mayor moves its controller up, at the end of a round and of the game (CH-6.2, CH-11.4)."""

from domain.city_hall.rules.events import DeputyMovedUp, evolves
from domain.city_hall.rules.state import State
from domain.engine.game import Event, Seat


def move_up(state: State) -> tuple[list[Seat], list[Event]]:
    """The controller of the Deputy Mayor moves to the first position; the others keep their order (CH-6.2, CH-11.4).

    The track after that, and the fact, if there is one.
    """
    if state.deputy is None:
        return state.turn_order, []
    turn_order = [state.deputy, *(seat for seat in state.turn_order if seat != state.deputy)]
    return turn_order, [DeputyMovedUp(state.deputy, turn_order)]


@evolves(DeputyMovedUp)
def deputy_moved_up(state: State, event: DeputyMovedUp) -> None:
    """The track has changed."""
    state.turn_order = list(event.turn_order)
