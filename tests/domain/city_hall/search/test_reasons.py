"""What is said of a move: true, for the seat it is said to, and of what that seat knows."""

import pytest

from domain.city_hall import CITY_HALL
from domain.city_hall.text.notation import parse
from tests.domain.city_hall.scenario import given, position

DECIDER = CITY_HALL.decider
REASON = CITY_HALL.guidance.reason
PAWNS = CITY_HALL.notation.pawns


def why(state, line):
    """What is said to the awaited seat of a line."""
    (seat,) = DECIDER.awaiting(state)
    assert REASON(DECIDER.blind(state, seat), seat, tuple(parse(line, PAWNS[: len(state.players)]))) == REASON(
        state, seat, tuple(parse(line, PAWNS[: len(state.players)]))
    )
    return REASON(state, seat, tuple(parse(line, PAWNS[: len(state.players)])))


def test_ch_8_3_taxes_are_counted():
    """CH-8.2, CH-8.3: Population 9, two Towers and a Factory are $22, three times $66."""
    lands = {"B1": "ann tower", "B3": "ann tower", "B9": "ann factory"}
    start = position(3, lands=lands, population={"ann": 9}, approval={"ann": 4})
    state = given(start).takes("Ann", "tax").state
    assert why(state, "tax triple") == "Three times your income is $66, for one space of approval."
    assert why(state, "tax") == "Your taxes bring $22 and cost no approval."


def test_ch_9_and_ch_10_what_a_permit_brings_is_counted():
    """CH-9.1, CH-10.1: a Tower beside Housing and two Towers, which gives the Housing one more; a Park among five."""
    lands = {"B1": "ann housing", "B2": "ann", "B5": "ann", "B4": "ben tower", "B6": "ben tower", "B7": "ben tower"}
    lands |= {"B8": "ben tower"}
    start = position(3, lands=lands, hands={"ann": "tower"})
    state = given(start, permits="park factory factory").takes("Ann", "zoning").state
    assert why(state, "zone take park build park B5") == "Park on B5: 1 star for you, 2 steps of approval."
    assert why(state, "zone take park build tower B2") == "Tower on B2: 4 stars for you, $3 more at each tax."
    assert why(state, "zone take park factory") == "To be built later: park, factory."


@pytest.mark.parametrize("held, line, said", [
    (2, "accept blue", "You cannot pay 3 Influence to keep the Tax Assessor."),
    (9, "keep", "Tax Assessor: worth about"),
])  # fmt: skip
def test_ch_7_9_an_answer_is_weighed_against_the_bid(held, line, said):
    """CH-7.9: keep or accept."""
    lands = {"B1": "ann factory", "B3": "ann factory", "B9": "ann factory"}
    start = position(2, lands=lands, influence={"ann": held, "ben": 5}, approval=3, population={"ann": 12})
    state = given(start).when("Ann", "activate tax").when("Ben", "bid 3").state
    assert why(state, line).startswith(said)


def test_ch_7_6_a_bid_that_cannot_be_matched_is_named():
    """CH-7.6: who has less than the high bid can only pass."""
    start = position(3, influence={"ann": 3, "ben": 5, "cat": 2})
    state = given(start).when("Ann", "activate campaign").when("Ben", "bid 4").state
    assert why(state, "pass") == "The high bid is more than you have."
