"""The land draft (CH-4)."""

from domain.city_hall.rules.actions import Draft
from domain.city_hall.rules.available import lay_money, require_available
from domain.city_hall.rules.events import LandDrafted, evolves
from domain.city_hall.rules.position import gain_money, picks
from domain.city_hall.rules.state import State
from domain.engine.game import Event, Seat


def decide_draft(state: State, seat: Seat, action: Draft) -> list[Event]:
    """Decide a pick: the space and its money, and $5 on the others (CH-4.3, CH-4.4). Raises RuleViolation."""
    require_available(state, action.land, "CH-4.3")
    last = state.step + 1 == picks(state)
    money = state.lands[action.land].money
    return [LandDrafted(seat, action.land, money, lands=int(not last), last=last), *lay_money(state, action.land)]


@evolves(LandDrafted)
def land_drafted(state: State, event: LandDrafted) -> None:
    """The space is owned, and its money spent."""
    space = state.lands[event.land]
    space.state, space.owner, space.money = "owned", event.seat, 0
    gain_money(state.players[event.seat], event.money)
    state.step += 1
    state.lands_due = event.lands
    state.phase = "build" if event.last else "draft"
