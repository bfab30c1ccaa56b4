"""The available spaces, and the money the bank lays on them (CH-4.4, CH-8.13)."""

from typing import Final

from domain.city_hall.rules.events import MoneyLaid, evolves
from domain.city_hall.rules.pieces import Land
from domain.city_hall.rules.state import State
from domain.engine.game import Event
from domain.engine.refusals import require
from domain.engine.sentences import one_of

LAID: Final = 5
"""Dollars the bank puts on each space that was not chosen (CH-4.4, CH-8.13)."""


def available_lands(state: State) -> list[Land]:
    """The available spaces, in board order."""
    return [land for land, space in state.lands.items() if space.state == "available"]


def require_available(state: State, land: Land, rule: str) -> None:
    """Refuse a space that is not available."""
    available = state.lands[land].state == "available"
    require(
        available,
        "land-not-available",
        rule,
        "{land} is not available; available are {lands}.",
        land=land,
        lands=lambda: one_of(available_lands(state)),
    )


def lay_money(state: State, gone: Land | None) -> list[Event]:
    """The bank puts $5 on every available space, except one that is gone."""
    left = [land for land in available_lands(state) if land != gone]
    return [MoneyLaid(dict.fromkeys(left, LAID))] if left else []


@evolves(MoneyLaid)
def money_laid(state: State, event: MoneyLaid) -> None:
    """The money lies on the spaces."""
    for land, dollars in event.lands.items():
        state.lands[land].money += dollars
