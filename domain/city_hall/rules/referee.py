"""What follows by rule, without anybody's decision: turns, rounds, the end (CH-6, CH-7.8, CH-11, CH-18.4)."""

from domain.city_hall.rules.auction import control
from domain.city_hall.rules.election import hold_election
from domain.city_hall.rules.health import count_once_more
from domain.city_hall.rules.position import activator, draw_due, offers
from domain.city_hall.rules.rounds import begin_round, end_turn
from domain.city_hall.rules.setup import lay_board
from domain.city_hall.rules.state import State
from domain.engine.game import Event


def proceed(state: State) -> list[Event]:
    """The next step of what follows; [] where a seat or chance must act, or the game is over.

    A blind state is not proceeded with into the election.
    """
    if draw_due(state):
        return []
    match state.phase:
        case "setup":
            return lay_board(state)
        case "decide" if not offers(state.bids):
            return [control(state, activator(state))]  # all have passed (CH-7.8)
        case "ended":
            return end_turn(state)
        case "round-over":
            return count_once_more(state) if state.final else begin_round(state)
        case "election":
            return hold_election(state)
        case _:
            return []
