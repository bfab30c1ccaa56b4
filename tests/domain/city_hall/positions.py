"""Six positions of City Hall by name, of every phase and its largest Office, small enough to count what can follow."""

from collections.abc import Callable, Mapping
from typing import Final

from domain.city_hall.rules.state import State
from tests.domain.city_hall.scenario import given, opened, position


def draft() -> State:
    return opened(3).state


def initial_buildings() -> State:
    lands = {"Q1": "ann", "B1": "ann", "Q3": "ann", "Q2": "ben", "B2": "ben", "B4": "ben"}
    return position(2, phase="build", lands=lands)


def first_activation() -> State:
    return position(influence=2)


def two_may_bid() -> State:
    return given(first_activation()).when("Ann", "activate tax").state


def keep_or_accept() -> State:
    return given(first_activation()).when("Ann", "activate tax").when("Ben", "bid 1").when("Cat", "bid 1").state


def zoning_board() -> State:
    start = position(2, influence=1, lands={"B1": "ann", "M2": "ann"}, hands={"ann": "housing tower"})
    return given(start).takes("Ann", "zoning").state


POSITIONS: Final[Mapping[str, Callable[[], State]]] = {
    build.__name__: build
    for build in (draft, initial_buildings, first_activation, two_may_bid, keep_or_accept, zoning_board)
}
