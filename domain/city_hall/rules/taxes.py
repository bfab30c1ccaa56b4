"""The Tax Assessor (CH-8.2, CH-8.3)."""

from typing import Final

from domain.city_hall.rules.actions import Tax
from domain.city_hall.rules.events import TaxesCollected, evolves
from domain.city_hall.rules.position import gain_money
from domain.city_hall.rules.state import State
from domain.city_hall.rules.words import form
from domain.engine.game import Event, Seat
from domain.engine.refusals import require

TOWER: Final = 3
FACTORY: Final = 7
FACTORS: Final = {"plain": 1, "double": 2, "triple": 3}


def income(state: State, seat: Seat) -> int:
    """$1 for each Population, $3 for each own Tower and $7 for each own Factory on the board (CH-8.2)."""
    own = [space.permit for space in state.lands.values() if space.owner == seat]
    return state.players[seat].population + TOWER * own.count("tower") + FACTORY * own.count("factory")


def decide_tax(state: State, seat: Seat, action: Tax) -> list[Event]:
    """Decide the taxes: triple costs a space of approval, double is for who has none to give (CH-8.3).

    Raises RuleViolation.
    """
    approval = state.players[seat].approval
    if action.times == "triple":
        require(
            approval > 1,
            "triple-not-allowed",
            "CH-8.3",
            "On approval space 1 there is no triple income: {form}.",
            form=form("tax double"),
        )
    if action.times == "double":
        require(
            approval == 1,
            "double-not-allowed",
            "CH-8.3",
            "Double income is for approval space 1, and you are on {space}: {form}.",
            space=approval,
            form=form("tax triple"),
        )
    base = income(state, seat)
    left = approval - 1 if action.times == "triple" else approval
    return [TaxesCollected(seat, action.times, base, base * FACTORS[action.times], left)]


@evolves(TaxesCollected)
def taxes_collected(state: State, event: TaxesCollected) -> None:
    """The money is taken, and perhaps a space of approval lost."""
    player = state.players[event.seat]
    gain_money(player, event.money)
    player.approval = event.approval
    state.phase = "ended"
