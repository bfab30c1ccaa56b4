"""Rounds and turns: who activates, and how a round begins (CH-6, CH-7.1, CH-11.2, CH-13.3, CH-13.4)."""

from itertools import cycle, islice
from typing import Final

from domain.city_hall.rules.deputy import move_up
from domain.city_hall.rules.events import RoundBegan, TurnEnded, evolves
from domain.city_hall.rules.pieces import OFFICES
from domain.city_hall.rules.position import free_offices, gain_influence, last_space
from domain.city_hall.rules.state import State
from domain.engine.game import Event, Seat

INCOME: Final = 1
NEGLECT: Final = 1


def schedule(turn_order: list[Seat], final: bool) -> list[Seat]:
    """The activators of a round: one turn each, with two players two in a row; in a final round, until every Office
    has been activated."""
    block = [seat for seat in turn_order for _ in range(2)] if len(turn_order) == 2 else turn_order
    return list(islice(cycle(block), len(OFFICES) if final else len(block)))


def end_turn(state: State) -> list[Event]:
    """The turn is over, and the next begins, or the round is over (CH-7.1)."""
    complete = state.turn + 1
    return [TurnEnded(complete, state.schedule[complete] if complete < len(state.schedule) else None)]


def begin_round(state: State) -> list[Event]:
    """The next round begins (CH-6.2), the first one without any of its steps (CH-6.1)."""
    if state.round == 0:
        return [RoundBegan(1, False, schedule(state.turn_order, final=False), 0, {})]
    turn_order, moved = move_up(state)
    final = last_space(state) in (state.star_token, *(player.approval for player in state.players))
    neglect = dict.fromkeys(free_offices(state), NEGLECT)
    return [*moved, RoundBegan(state.round + 1, final, schedule(turn_order, final), INCOME, neglect)]


@evolves(RoundBegan)
def round_began(state: State, event: RoundBegan) -> None:
    """Everybody has the income, no Office a Staffer, and the first turn begins."""
    state.round = event.round
    state.final = event.final
    state.schedule = list(event.schedule)
    state.turn = 0
    state.deputy = None
    for player in state.players:
        gain_influence(player, event.income)
    for chair in state.offices.values():
        chair.staffer = None
    for office, influence in event.neglect.items():
        state.offices[office].influence += influence
    state.phase = "activate"


@evolves(TurnEnded)
def turn_ended(state: State, event: TurnEnded) -> None:
    """No Office is in process."""
    state.turn = event.turn
    state.office = None
    state.controller = None
    state.phase = "round-over" if event.following is None else "activate"
