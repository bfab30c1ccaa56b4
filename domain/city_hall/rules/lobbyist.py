"""The Lobbyist (CH-8.6, CH-8.7)."""

from typing import Final

from domain.city_hall.rules.actions import Lobby
from domain.city_hall.rules.events import InfluenceLobbied, evolves
from domain.city_hall.rules.position import gain_influence, gain_money, influence_of, money_of, rating
from domain.city_hall.rules.state import State
from domain.city_hall.rules.words import amount_of_influence
from domain.engine.game import Event, Seat
from domain.engine.refusals import require

BUY: Final = 10
SELL: Final = 7


def decide_lobby(state: State, seat: Seat, action: Lobby) -> list[Event]:
    """Decide the Lobbyist: Influence for the rating, then each clause in turn (CH-8.6, CH-8.7).

    Raises RuleViolation.
    """
    taken = rating(state, seat)
    money, influence = money_of(state, seat), influence_of(state, seat) + taken
    bought = sold = 0
    for clause in action.steps:
        for verb, count in clause.items():
            if verb == "buy":
                require(
                    money >= count * BUY,
                    "not-enough-money",
                    "CH-8.7",
                    "To buy {count} costs ${price} and you have ${held} then.",
                    count=count,
                    price=count * BUY,
                    held=money,
                )
                money, influence, bought = money - count * BUY, influence + count, bought + count
            else:
                require(
                    influence >= count,
                    "not-enough-influence",
                    "CH-8.7",
                    "You have {held} to sell then, not {count}.",
                    held=amount_of_influence(influence),
                    count=count,
                )
                money, influence, sold = money + count * SELL, influence - count, sold + count
    steps = [dict(clause) for clause in action.steps]
    return [InfluenceLobbied(seat, taken, steps, bought, sold, paid=bought * BUY, received=sold * SELL)]


@evolves(InfluenceLobbied)
def influence_lobbied(state: State, event: InfluenceLobbied) -> None:
    """Influence and money have changed."""
    player = state.players[event.seat]
    gain_influence(player, event.taken + event.bought - event.sold)
    gain_money(player, event.received - event.paid)
    state.phase = "ended"
