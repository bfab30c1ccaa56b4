"""What a seat of each temper likes besides winning."""

import pytest

from domain.city_hall import CITY_HALL
from domain.engine.bots import TEMPERS
from tests.domain.city_hall.scenario import given, position

LEANS = CITY_HALL.guidance.leans


def likes(before, after):
    """By temper, how much the first seat likes what became of a position."""
    return {temper: LEANS(before, after, 0, temper) for temper in TEMPERS}


def test_ch_8_11_land_pleases_the_patient_and_its_price_grieves_the_cautious():
    """CH-8.11: Ann buys Q2 for $20."""
    start = position(3, lands={"Q2": "$0"}, deck="Q3 Q4", money=30)
    before = given(start, lands="Q3").takes("Ann", "surveyor").state
    found = likes(before, given(before).when("Ann", "buy Q2").state)
    assert found["cautious"] < found["even"] == 0 < found["patient"] <= 0.2


def test_ch_7_9_the_vindictive_like_what_the_leader_loses():
    """CH-7.9: Ben leads; he pays four Influence for an Office that is hardly worth it."""
    start = position(3, influence=6, population={"ben": 12}, approval={"ben": 6})
    bid = given(start).when("Ann", "activate deputy").when("Ben", "bid 4").when("Cat", "pass").state
    found = likes(bid, given(bid).when("Ann", "accept blue").state)
    assert found["vindictive"] > 0
    assert found["cautious"] > 0


@pytest.mark.parametrize("temper", TEMPERS)
def test_no_temper_outweighs_winning(temper):
    """A lean is at most a fifth of a win, whatever happens."""
    poor = position(3, money=0, influence=0)
    rich = position(3, money=900, influence=200, population=30, approval=10)
    assert abs(LEANS(poor, rich, 0, temper)) <= 0.2
    assert abs(LEANS(rich, poor, 0, temper)) <= 0.2
