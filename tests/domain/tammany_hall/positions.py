"""Six positions of Tammany Hall by name, one of every kind of decision, small enough to count all that can follow."""

from collections.abc import Callable, Mapping
from typing import Final

from domain.tammany_hall.rules.state import State
from tests.domain.tammany_hall.scenario import position


def opening() -> State:
    return position(3, year=1, turn="red")


def slander_is_left() -> State:
    wards = {8: "1 german | red 1 yellow 1", 9: "1 german | red 1 black 1"}
    return position(3, year=5, turn="red", placed=True, wards=wards, chips={"red": "1 german"})


def police_and_end() -> State:
    wards = {8: "1 german 1 irish | red 1 yellow 1"}
    return position(3, year=5, turn="red", placed=True, offices={"red": "police"}, wards=wards)


def two_bid_for_ward_6() -> State:
    wards = {6: "1 irish 1 english | red 2 yellow 3"}
    chips = {"red": "2 irish 2 english", "yellow": "2 english 3 italian"}
    return position(3, year=4, phase="election", wards=wards, chips=chips)


def bonus_of_ward_7() -> State:
    return position(4, year=8, phase="election", wards={7: "... | black 1"})


def mayor_of_three() -> State:
    return position(3, year=4, phase="election", wards={6: "... | yellow 1"})


POSITIONS: Final[Mapping[str, Callable[[], State]]] = {
    build.__name__: build
    for build in (opening, slander_is_left, police_and_end, two_bid_for_ward_6, bonus_of_ward_7, mayor_of_three)
}
