"""What tells who stands well: few numbers near -1 to 1 for each seat, which the weights make one."""

from typing import Final

from domain.city_hall.rules.state import State
from domain.city_hall.search.outlook import Outlook, Standing, outlook
from domain.city_hall.search.pending import pending
from domain.city_hall.search.worth import ENDORSED, expected_rating, influence_worth, money_worth, rating_at
from domain.engine.game import Seat

NAMES: Final = (
    "votes ahead", "votes ahead near the end", "votes expected", "votes now", "endorsements led", "population",
    "approval", "stars", "income", "permits in hand", "permits built", "empty land", "Influence", "money",
    "first in turn order",
)  # fmt: skip
FINAL: Final = "4"
STAGES: Final = ((2.5, "3"), (5.0, "2"))
"""Rounds left up to which a stage lasts, before the final round."""


def features(state: State) -> list[list[float]]:
    """By seat, what another seat in its place would be given alike."""
    if state.board is None or not state.turn_order:
        return [[0.0] * len(NAMES) for _ in state.players]
    seen = outlook(state)
    votes = [projected(seen, seat) + extra for seat, extra in enumerate(pending(seen))]
    return [_row(seen, seat, votes[seat], max(votes[:seat] + votes[seat + 1 :])) for seat in range(len(votes))]


def _row(seen: Outlook, seat: Seat, votes: float, best: float) -> list[float]:
    """The features of one seat, which may expect so many votes, and the best of its rivals so many."""
    own = seen.seats[seat]
    ahead = max(-1.5, min(1.5, (votes - best) / 60))
    return [
        ahead,
        ahead * 2 / (2 + seen.left),
        votes / 150,
        seen.board.ratings[own.approval - 1] * own.population / 100,
        led(seen, own) / 4,
        own.population / 40,
        own.approval / 10,
        own.stars * len(seen.seats) / 45,
        (own.income - own.population) / 30,
        own.hand_count / 4,
        sum(own.kinds) / 8,
        len(own.empty) / 4,
        own.influence / 15,
        min(1.5, own.money / 60),
        float(seen.state.turn_order[0] == seat),
    ]


def stage(state: State) -> str:
    """By how many rounds seem to be left; the last one is the final round."""
    if state.final or state.board is None:
        return FINAL if state.final else "1"
    left = outlook(state).left
    return next((name for most, name in STAGES if left <= most), "1")


def projected(seen: Outlook, seat: Seat) -> float:
    """Votes to be expected at the election, from what the seat has and is."""
    own = seen.seats[seat]
    rating = rating_at(seen, own.approval) if seen.state.final else expected_rating(seen, own)
    votes = rating * own.due + ENDORSED * led(seen, own) * (1.0 if seen.state.final else 0.7)
    return votes + money_worth(seen, own, own.money) + influence_worth(seen, own.influence)


def led(seen: Outlook, own: Standing) -> int:
    """How many Endorsements the seat leads for on the board: kinds of Permits, and boroughs."""
    others = [standing for standing in seen.seats if standing is not own]
    return sum(own.kinds[kind] > max(other.kinds[kind] for other in others) for kind in range(4)) + sum(
        own.boroughs[part] > max(other.boroughs[part] for other in others) for part in range(3)
    )
