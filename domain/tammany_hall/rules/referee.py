"""What follows by rule, without anybody's decision: turns, years, elections (TH-4.8, TH-16.2)."""

from domain.engine.game import Event
from domain.tammany_hall.rules.castle_garden import return_garden
from domain.tammany_hall.rules.election import hold_election, next_ward, reveal_bids
from domain.tammany_hall.rules.events import YearBegan
from domain.tammany_hall.rules.leaders import award_leaders
from domain.tammany_hall.rules.mayor import elect_mayor
from domain.tammany_hall.rules.position import draw_due
from domain.tammany_hall.rules.scoring import score_game
from domain.tammany_hall.rules.state import State
from domain.tammany_hall.rules.turns import after_turn, begin_turn, next_term


def proceed(state: State) -> list[Event]:
    """The next step of what follows; [] where a seat or chance must act, or the game is over.

    A blind state that lacks a bid is not proceeded with.
    """
    if draw_due(state):
        return []
    match state.phase:
        case "first-player":
            return [YearBegan(state.year)]
        case "year" if state.first is not None:
            return begin_turn(state, state.first)
        case "garden" if state.seat is not None:
            return begin_turn(state, state.seat)
        case "ended":
            return after_turn(state) or return_garden(state)
        case "election":
            return _next_ward_election(state)
        case "bid":
            return reveal_bids(state)
        case "leaders":
            return award_leaders(state)
        case "mayor":
            return elect_mayor(state)
        case "term":
            return next_term(state)
        case "scoring":
            return score_game(state)
        case _:
            return []


def _next_ward_election(state: State) -> list[Event]:
    """The Castle Garden before the first ward (TH-5.5), then ward by ward, then the immigrant leaders (TH-9.1)."""
    if state.ward is None and any(state.garden):
        return return_garden(state)
    number = next_ward(state)
    return award_leaders(state) if number is None else hold_election(state, number)
