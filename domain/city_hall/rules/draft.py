"""The land draft (CH-4)."""

from typing import Final

from domain.city_hall.rules.actions import Draft
from domain.city_hall.rules.events import LandDrafted, MoneyLaid, evolves
from domain.city_hall.rules.position import available_lands, gain_money
from domain.city_hall.rules.state import State
from domain.city_hall.rules.words import Land
from domain.engine.game import Event, Seat
from domain.engine.refusals import require
from domain.engine.sentences import one_of

LAID: Final = 5
"""Dollars the bank puts on each space that was not chosen (CH-4.4, CH-8.13)."""


def picks(state: State) -> int:
    """How many picks the draft has: twice around the track, three times with two players (CH-4.2, CH-13.1)."""
    seats = len(state.players)
    return seats * (3 if seats == 2 else 2)


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


def decide_draft(state: State, seat: Seat, action: Draft) -> list[Event]:
    """Decide a pick: the space and its money, and $5 on the others (CH-4.3, CH-4.4). Raises RuleViolation."""
    require_available(state, action.land, "CH-4.3")
    last = state.step + 1 == picks(state)
    money = state.lands[action.land].money
    return [LandDrafted(seat, action.land, money, lands=int(not last), last=last), *lay_money(state, action.land)]


def lay_money(state: State, gone: Land | None) -> list[Event]:
    """The bank puts $5 on every available space, except one that is gone."""
    left = [land for land in available_lands(state) if land != gone]
    return [MoneyLaid(dict.fromkeys(left, LAID))] if left else []


@evolves(LandDrafted)
def land_drafted(state: State, event: LandDrafted) -> None:
    """The space is owned, and its money spent."""
    space = state.lands[event.land]
    space.state, space.owner, space.money = "owned", event.seat, 0
    gain_money(state.players[event.seat], event.money)
    state.step += 1
    state.lands_due = event.lands
    state.phase = "build" if event.last else "draft"


@evolves(MoneyLaid)
def money_laid(state: State, event: MoneyLaid) -> None:
    """The money lies on the spaces."""
    for land, dollars in event.lands.items():
        state.lands[land].money += dollars
