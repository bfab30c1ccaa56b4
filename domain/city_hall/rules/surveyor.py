"""The Surveyor's action: buying land (CH-8.11 to CH-8.13); what comes before the bids is in `auction`."""

from typing import Final

from domain.city_hall.rules.actions import Buy
from domain.city_hall.rules.available import lay_money, require_available
from domain.city_hall.rules.events import LandBought, NothingBought, evolves
from domain.city_hall.rules.position import gain_money, money_of
from domain.city_hall.rules.state import State
from domain.city_hall.rules.words import form
from domain.engine.game import Event, Seat
from domain.engine.refusals import require

PRICE: Final = 20


def land_price(phase: str, money: int) -> int:
    """Return the dollars that an available space costs; a negative price is paid to the player.

    The draft gives the money on a space (CH-4.3); the Surveyor takes it off the price (CH-8.11).
    """
    return (0 if phase == "draft" else PRICE) - money


def decide_buy(state: State, seat: Seat, action: Buy) -> list[Event]:
    """Decide a purchase: $20, the money on the space used first (CH-8.11); $5 on what is left (CH-8.13).

    Raises RuleViolation.
    """
    if action.land is None:
        return [NothingBought(seat), *lay_money(state, None)]
    require_available(state, action.land, "CH-8.11")
    on_it, held = state.lands[action.land].money, money_of(state, seat)
    price = land_price(state.phase, on_it)
    require(
        held >= max(0, price),
        "not-enough-money",
        "CH-8.11",
        "{land} costs ${price} now and you have ${held}; or {form}.",
        land=action.land,
        price=price,
        held=held,
        form=form("buy none"),
    )
    return [LandBought(seat, action.land, max(0, price), max(0, -price)), *lay_money(state, action.land)]


@evolves(LandBought)
def land_bought(state: State, event: LandBought) -> None:
    """The space is owned, and its money spent."""
    space = state.lands[event.land]
    space.state, space.owner, space.money = "owned", event.seat, 0
    gain_money(state.players[event.seat], event.received - event.paid)
    state.phase = "ended"


@evolves(NothingBought)
def nothing_bought(state: State, event: NothingBought) -> None:
    """The action is complete all the same."""
    state.phase = "ended"
