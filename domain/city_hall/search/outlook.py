"""The outlook: all that the board shows of every seat, gathered in one pass, and how much of the game is left."""

from dataclasses import dataclass
from typing import Final

from domain.city_hall.rules.board import Board
from domain.city_hall.rules.pieces import BOROUGHS, INDEX, Land, Permit
from domain.city_hall.rules.position import board_of
from domain.city_hall.rules.state import State
from domain.city_hall.rules.taxes import FACTORY, TOWER
from domain.city_hall.search.hidden import typical_influence, typical_money
from domain.city_hall.search.worths import WORTHS

RANK_GAINS: Final = (4.0, 2.0, 1.0, 0.0)
BOROUGH_NUMBER: Final = {name: number for number, name in enumerate(BOROUGHS)}


@dataclass(slots=True)
class Standing:
    """What one seat has; amounts that nobody told are typical ones."""

    money: int
    influence: int
    hand: list[int] | None
    hand_count: int
    approval: int
    population: int
    income: int
    stars: int
    lands: int
    empty: list[Land]
    kinds: list[int]
    boroughs: list[int]
    due: float = 0.0
    """Population expected at the end."""


@dataclass(slots=True)
class Outlook:
    """A state as its seats see it."""

    state: State
    board: Board
    seats: list[Standing]
    permits: dict[Land, Permit]
    left: float
    """Rounds expected after this one, the final one included; 0 in the final round."""
    healths: float
    """Uses of the Health Commissioner to be expected from now on."""
    rivalry: float
    """How much a rival's gain is one's own loss: 1 with two players, less with more."""
    plenty: float
    """What is left of the worth of Influence where all have much of it."""


def outlook(state: State) -> Outlook:
    """Gather it."""
    board = board_of(state)
    seats = [
        Standing(
            round(typical_money(state)) if player.money is None else player.money,
            round(typical_influence(state)) if player.influence is None else player.influence,
            player.hand,
            player.hand_count,
            player.approval,
            player.population,
            player.population,
            0,
            0,
            [],
            [0, 0, 0, 0],
            [0, 0, 0],
        )
        for player in state.players
    ]
    permits: dict[Land, Permit] = {}
    for land, space in state.lands.items():
        if space.owner is None:
            continue
        standing, permit = seats[space.owner], space.permit
        standing.lands += 1
        standing.boroughs[BOROUGH_NUMBER[board.borough_of[land]]] += 1
        if permit is None:
            standing.empty.append(land)
            continue
        permits[land] = permit
        standing.kinds[INDEX[permit]] += 1
        standing.stars += space.stars or 0
        standing.income += TOWER if permit == "tower" else FACTORY if permit == "factory" else 0
    left = rounds_left(state)
    healths = _healths(state, left)
    _expect_population(board, seats, healths)
    mean = sum(standing.influence for standing in seats) / len(seats)
    plenty = WORTHS.plenty / (WORTHS.plenty + mean)
    return Outlook(state, board, seats, permits, left, healths, 1 / (len(seats) - 1), plenty)


def rounds_left(state: State) -> float:
    """How many rounds may follow this one: until something stands on the last space, and then the final one."""
    if state.final:
        return 0.0
    nearest = 10 - max(state.star_token, max(player.approval for player in state.players))
    share = 1 - state.turn / len(state.schedule) if state.schedule else 1.0
    return 1 + max(0.0, nearest / WORTHS.pace - share)


def _healths(state: State, left: float) -> float:
    free = state.offices["health"].staffer is None
    if state.final:
        return 1.0 + free
    return 2 + WORTHS.used * (left - 1) + (WORTHS.used * (1 - state.turn / max(1, len(state.schedule))) if free else 0)


def _expect_population(board: Board, seats: list[Standing], healths: float) -> None:
    """By rank in stars, less surely the more there is to come."""
    mean = sum(RANK_GAINS[: len(seats)]) / len(seats)
    trust = 0.85 if healths <= 2 else WORTHS.trust
    for standing in seats:
        rank = sum(other.stars > standing.stars for other in seats)
        gain = trust * RANK_GAINS[rank] + (1 - trust) * mean
        standing.due = min(board.population_max, standing.population + healths * gain)
