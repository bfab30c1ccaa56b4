"""What a seat deals for the others, where the rules leave little to chance."""

import random

import pytest

from domain.city_hall import CITY_HALL
from domain.city_hall.rules.pieces import PERMITS
from tests.domain.city_hall.scenario import given, opened, position

DECIDER = CITY_HALL.decider
DEAL = CITY_HALL.guidance.sample_hidden
SEEDS = range(40)


def deals(state, seat):
    """Many deals of one position."""
    return [DEAL(DECIDER.blind(state, seat), seat, random.Random(seed)) for seed in SEEDS]


def hands(dealt, seat):
    """Which hands a seat is dealt."""
    return {
        tuple(PERMITS[kind] for kind, count in enumerate(it.players[seat].hand) for _ in range(count)) for it in dealt
    }


def test_ch_3_1_everybody_still_has_the_starting_permits_in_the_draft():
    """CH-3.1, CH-3.8: three Permits, $10, and 3 Influence; the last on the track has one more."""
    state = opened(3).state
    for dealt in deals(state, 0):
        assert [player.hand for player in dealt.players] == [[1, 1, 1, 0]] * 3
        assert [player.money for player in dealt.players] == [10, 10, 10]
        assert [player.influence for player in dealt.players] == [player.influence for player in state.players]


def test_ch_4_3_money_taken_in_the_draft_of_two_is_known_to_the_dollar():
    """CH-4.3, CH-4.4: what was laid and lies there no more, the other player took."""
    record = opened(2)
    for _ in range(4):
        state = record.state
        (seat,) = DECIDER.awaiting(state)
        rich = max(
            (it for it in state.lands if state.lands[it].state == "available"), key=lambda it: state.lands[it].money
        )
        record = record.when(("Ann", "Ben")[seat], f"draft {rich}")
    truth = [player.money for player in record.state.players]
    for seat in (0, 1):
        assert all([player.money for player in dealt.players] == truth for dealt in deals(record.state, seat))


def test_ch_5_1_one_of_the_two_others_was_returned_and_one_kept():
    """CH-5.1: who built Housing has a Tower or a Factory in hand, and the other lies below the deck."""
    lands = {"Q1": "ann", "Q2": "ben", "Q3": "cat"}
    record = given(position(3, phase="build", lands=lands)).when("Ann", "build housing Q1 return tower")
    dealt = deals(record.state, 1)
    assert hands(dealt, 0) == {("tower",), ("factory",)}
    assert all({it.bottom[0].permit, *hands([it], 0).pop()} == {"tower", "factory"} for it in dealt)


def test_ch_13_2_two_players_keep_what_they_have_not_built():
    """CH-13.2: nothing is returned, so the third Permit is no secret."""
    lands = {"Q1": "ann", "Q3": "ann", "Q2": "ben", "Q4": "ben"}
    record = given(position(2, phase="build", lands=lands))
    for name, line in (("Ann", "build housing Q1"), ("Ben", "build tower Q2"), ("Ann", "build factory Q3")):
        record = record.when(name, line)
    dealt = deals(record.state, 1)
    assert hands(dealt, 0) == {("tower",)}


@pytest.mark.parametrize("bid", [0, 2, 5])
def test_ch_7_7_a_bidder_holds_at_least_the_bid(bid):
    """CH-7.6, CH-7.7: a bid on the table is Influence of its bidder."""
    state = given(position(2, influence=9)).when("Ann", "activate tax").when("Ben", f"bid {bid}").state
    state.round = 4
    amounts = {dealt.players[1].influence for dealt in deals(state, 0)}
    assert min(amounts) >= bid
    assert len(amounts) > 2


def test_ch_8_20_permits_laid_in_secret_order_are_of_more_than_one_kind():
    """CH-8.20: had they been alike, their order would be no secret."""
    lands = {"B1": "ann", "B2": "ann", "Q1": "ben housing"}
    start = position(2, lands=lands, hands={"ann": "housing", "ben": "tower factory"})
    record = given(start, permits="tower park factory").takes("Ann", "zoning")
    state = record.when("Ann", "zone take tower build housing B1").state
    assert [card.permit for card in DECIDER.blind(state, 1).bottom] == [None, None]
    assert all(len({card.permit for card in dealt.bottom}) == 2 for dealt in deals(state, 1))
