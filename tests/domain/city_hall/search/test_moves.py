"""Positions in which one move is right: it comes first among the candidates."""

import random

from domain.city_hall import CITY_HALL
from domain.city_hall.search.building import placed_worth
from domain.city_hall.search.outlook import outlook
from domain.city_hall.search.worth import climb
from tests.domain.city_hall.scenario import given, position

DECIDER = CITY_HALL.decider
GUIDANCE = CITY_HALL.guidance


def best(state, most=8):
    """The first candidate of the awaited seat, in words; the order of the candidates hangs on no chance."""
    (seat,) = DECIDER.awaiting(state)
    moves = [GUIDANCE.candidates(state, seat, random.Random(seed), most) for seed in range(3)]
    assert moves[0] == moves[1] == moves[2]
    return CITY_HALL.notation.write(moves[0][0][0])


def test_ch_7_6_who_gains_nothing_passes():
    """CH-7.6, CH-8.22: Ann's stars are so many more that the bonus brings Ben nothing, and him no rank."""
    lands = {"M1": "ben factory", "B1": "ann housing", "B2": "ann housing", "B5": "ann housing"}
    state = given(position(2, lands=lands, influence=6)).when("Ann", "activate health").state
    assert best(state) == "pass"


def test_ch_7_6_a_bid_that_would_cost_more_than_the_office_brings_is_not_made():
    """CH-7.6: in the final round the first position is worth a tie, not seven Influence."""
    start = position(3, final=True, used="tax surveyor campaign lobbyist", influence={"ann": 9, "ben": 9, "cat": 9})
    state = given(start).when(_first(start), "activate deputy").state
    (bidder,) = DECIDER.awaiting(state)
    state = given(state).when(("Ann", "Ben", "Cat")[bidder], "bid 7").state
    assert best(state) == "pass"


def test_ch_7_9_a_campaign_is_kept_for_a_small_bid():
    """CH-7.9, CH-8.4: a space of approval for nothing is worth a little more than 3 Influence."""
    start = position(2, money=0, influence=6, population=15, approval=4)
    state = given(start).when("Ann", "activate campaign").when("Ben", "bid 3").state
    assert best(state) == "keep"


def test_ch_7_9_who_cannot_pay_is_outbid_by_one():
    """CH-7.9: an activator without Influence keeps for 0 alone, so 1 is enough, and more would be given away."""
    start = position(2, money=0, influence={"ann": 0, "ben": 8}, population=15, approval=4)
    assert best(given(start).when("Ann", "activate campaign").state) == "bid 1"


def test_ch_7_9_nine_influence_are_taken_for_the_deputy_mayor():
    """CH-7.9, CH-8.26: the first position is not worth nine Influence."""
    start = position(3, influence={"ann": 9, "ben": 9, "cat": 9})
    state = given(start).when("Ann", "activate deputy").when("Ben", "bid 9").when("Cat", "pass").state
    assert best(state) == "accept blue"


def test_ch_8_3_on_the_first_space_taxes_are_doubled():
    """CH-8.3: on space 1 there is no triple, and double costs nothing."""
    lands = {"B1": "ann tower", "B3": "ann tower", "B9": "ann factory"}
    assert best(given(position(2, lands=lands, money=0)).takes("Ann", "tax").state) == "tax double"


def test_ch_8_3_a_space_that_changes_no_rating_is_given_for_three_times_the_income():
    """CH-2.6, CH-8.3: from space 9 to 8 the rating stays 4, and Wall Street is still to be won."""
    lands = {"B1": "ann tower", "B3": "ann tower", "B9": "ann factory"}
    used = "surveyor campaign lobbyist zoning health deputy"
    start = position(2, lands=lands, final=True, used=used, money={"ann": 5, "ben": 60}, approval=9, population=9)
    name = _first(start)
    state = given(start).when(name, "activate tax")
    state = state.when(_other(name), "pass" if name == "Ann" else "bid 3")
    assert best((state if name == "Ann" else state.when(name, "accept red")).state) == "tax triple"


def test_ch_11_2_in_the_last_activation_money_buys_no_approval_any_more():
    """CH-8.3, CH-11.2, CH-12.2: Wall Street is won anyhow, and a space of approval is ten votes."""
    lands = {"B1": "ann tower"}
    used = "surveyor campaign lobbyist zoning health deputy"
    start = position(2, lands=lands, final=True, used=used, money={"ann": 90, "ben": 5}, approval=4, population=20)
    name = _first(start)
    state = given(start).when(name, "activate tax").when(_other(name), "pass").state
    assert best(state) == "tax"


def test_ch_8_4_the_last_campaign_is_paid_for_a_higher_rating():
    """CH-8.4, CH-11.2, CH-12.1: two spaces up are rating 4 instead of 3, with a Population of 20 twenty votes."""
    used = "surveyor tax lobbyist zoning health deputy"
    start = position(2, final=True, used=used, money={"ann": 15, "ben": 15}, approval=5, population=20)
    name = _first(start)
    state = given(start).when(name, "activate campaign").when(_other(name), "pass").state
    assert best(state) == "campaign 10"


def test_ch_10_1_a_park_goes_where_it_is_worth_two_steps():
    """CH-10.1: four Buildings around B5, one around Q4."""
    lands = {"B1": "ben tower", "B2": "ann tower", "B4": "ben tower", "B6": "ben tower", "B5": "ann", "Q4": "ann"}
    lands |= {"Q3": "ben factory"}
    start = position(2, lands=lands, population=12)
    state = given(start, permits="park factory factory").takes("Ann", "zoning").state
    assert best(state) == "zone take park build park B5"


def test_ch_10_1_a_second_building_beside_a_park_is_a_step_of_approval():
    """CH-9.1, CH-10.1: Factories in Manhattan have their star anyway, so all that changes is the step."""
    fewer = {"M2": "ben factory", "M3": "ann"}
    none, one = (outlook(position(2, lands=lands, population=12)) for lands in (fewer, fewer | {"M4": "ben factory"}))
    gain = placed_worth(one, 0, "park", "M3") - placed_worth(none, 0, "park", "M3")
    assert gain > 0.2 * climb(one, one.seats[0], 1)


def test_ch_7_10_who_controls_an_office_has_its_action_before_them():
    """CH-7.10: between the auction and the action, what the action will bring counts for the controller."""
    start = position(2, money=30, influence=5, population=15, approval=4)
    bid = given(start).when("Ann", "activate campaign").when("Ben", "bid 1")
    shares = {}
    for line in ("keep", "accept blue"):
        state = bid.when("Ann", line).state
        shares[line] = [row[0] for row in GUIDANCE.features(state)]
    assert shares["keep"][0] > 0 > shares["accept blue"][0]
    assert shares["keep"][1] < 0 < shares["accept blue"][1]


def test_ch_9_1_housing_goes_beside_housing():
    """CH-9.1: beside two Housing of one's own it has four stars and gives each two; beside a Factory none."""
    lands = {"B1": "ann housing", "B2": "ann housing", "B4": "ann", "Q3": "ben factory", "Q4": "ann"}
    state = given(position(2, lands=lands), permits="housing factory factory").takes("Ann", "zoning").state
    assert best(state) == "zone take housing build housing B4"


def _first(state):
    """Who has to act."""
    (seat,) = DECIDER.awaiting(state)
    return ("Ann", "Ben", "Cat")[seat]


def _other(name):
    return "Ben" if name == "Ann" else "Ann"
