"""A game in numbers: by term and seat, what the elections brought, and how favor chips came and went."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Final

from domain.engine.game import Event
from domain.engine.statistics import Flow, Row
from domain.tammany_hall.rules import events as fact
from domain.tammany_hall.rules.events import EVOLVE
from domain.tammany_hall.rules.position import term
from domain.tammany_hall.rules.state import State

COLUMNS: Final = {
    "wards": "wards won in the election of the term",
    "votes": "votes in all its ward elections together",
    "slanders": "slander chips used in the term",
    "chips_gained": "favor chips taken in the term, its election included",
    "chips_spent": "favor chips bid and paid for slander",
    "chips": "favor chips held at its end",
    "office": "the office held after its election; empty for none",
    "vp_wards": "victory points for wards",
    "vp_mayor": "victory points for being elected mayor",
    "vp_final": "victory points of the final scoring",
    "vp": "victory points at the end of the term",
}


@dataclass(slots=True)
class _Seat:
    """What is counted of one seat in one term."""

    wards: int = 0
    votes: int = 0
    vp_wards: int = 0
    vp_mayor: int = 0
    vp_final: int = 0


@dataclass(slots=True)
class _Term:
    number: int
    slander: list[int]  # chips at its beginning, by seat
    seats: list[_Seat] = field(default_factory=list)


def rows(state: State, facts: Iterable[Event]) -> list[Row]:
    """The rows of one game, a term after the other."""
    found: list[Row] = []
    chips, now, began = Flow([0] * len(state.players)), _begin(state), False
    for event in facts:
        if isinstance(event, fact.TermBegan):
            found += _closed(state, now, chips)
            now = _begin(state, event.term)
        _count(state, now, event)
        EVOLVE[type(event)](state, event)
        chips.follow([sum(player.chips) for player in state.players])
        began = True
    return found + _closed(state, now, chips) if began else []


def _begin(state: State, number: int | None = None) -> _Term:
    slander = [player.slander for player in state.players]
    return _Term(number or term(state), slander, [_Seat() for _ in state.players])


def _count(state: State, now: _Term, event: Event) -> None:
    """What a fact adds, from the state before it."""
    match event:
        case fact.WardResolved(votes=votes) | fact.BidsRevealed(votes=votes):
            for seat, count in votes.items():
                now.seats[int(seat)].votes += count
        case fact.MayorElected():
            for seat, wards in event.won.items():
                now.seats[int(seat)].wards = len(wards)
                now.seats[int(seat)].vp_wards = event.points[seat]
            if event.mayor is not None:
                now.seats[event.mayor].vp_mayor = event.mayor_points
        case fact.GameScored():
            for number, score in enumerate(event.scores):
                now.seats[number].vp_final = score - state.players[number].vp


def _closed(state: State, now: _Term, chips: Flow) -> list[Row]:
    """The rows of a term that is over."""
    gained, spent, held = chips.close()
    return [
        {
            "term": now.number,
            "seat": seat,
            "wards": counted.wards,
            "votes": counted.votes,
            "slanders": now.slander[seat] - state.players[seat].slander,
            "chips_gained": gained[seat],
            "chips_spent": spent[seat],
            "chips": held[seat],
            "office": state.players[seat].office or "",
            "vp_wards": counted.vp_wards,
            "vp_mayor": counted.vp_mayor,
            "vp_final": counted.vp_final,
            "vp": state.players[seat].vp,
        }
        for seat, counted in enumerate(now.seats)
    ]
