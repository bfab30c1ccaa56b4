"""What tells who stands well: few numbers near -1 to 1 for each seat, and the weights that make them one."""

from collections.abc import Sequence
from typing import Final

from domain.city_hall.rules.state import State
from domain.city_hall.search.outlook import Outlook, outlook
from domain.city_hall.search.worth import ENDORSED, expected_rating, influence_worth, money_worth, rating_at
from domain.engine.game import Seat

NAMES: Final = (
    "votes ahead", "votes now", "population", "approval", "stars", "income", "permits", "empty land", "influence",
    "money",
)  # fmt: skip


def features(state: State, seat: Seat) -> Sequence[float]:
    """Those of one seat."""
    if state.board is None:
        return [0.0] * len(NAMES)
    seen = outlook(state)
    votes = [projected(seen, number) for number in range(len(seen.seats))]
    best = max(vote for number, vote in enumerate(votes) if number != seat)
    own = seen.seats[seat]
    return [
        max(-2.0, min(2.0, (votes[seat] - best) / 60)),
        votes[seat] / 200,
        own.population / 40,
        own.approval / 10,
        own.stars / 15,
        own.income / 40,
        own.hand_count / 5,
        len(own.empty) / 4,
        own.influence / 12,
        own.money / 60,
    ]


def projected(seen: Outlook, seat: Seat) -> float:
    """Votes to be expected at the election."""
    own = seen.seats[seat]
    rating = rating_at(seen, own.approval) if seen.state.final else expected_rating(seen, own)
    votes = rating * own.due + endorsed(seen, seat)
    return votes + money_worth(seen, own, own.money) + influence_worth(seen, own.influence)


def endorsed(seen: Outlook, seat: Seat) -> float:
    """Votes for what the seat leads on the board: kinds of Permits, and boroughs."""
    own = seen.seats[seat]
    others = [standing for number, standing in enumerate(seen.seats) if number != seat]
    led = sum(own.kinds[kind] > max(other.kinds[kind] for other in others) for kind in range(4))
    led += sum(own.boroughs[part] > max(other.boroughs[part] for other in others) for part in range(3))
    return ENDORSED * led * (1.0 if seen.state.final else 0.7)
