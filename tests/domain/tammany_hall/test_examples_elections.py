"""The worked examples of ward elections: TH-E14 to TH-E21, TH-E33, and the first election of TH-E35."""

import pytest

from domain.tammany_hall import TAMMANY_HALL
from domain.tammany_hall.rules.events import (
    BiddingOpened,
    BidSealed,
    BidsRevealed,
    BonusCubePlaced,
    BonusDeclined,
    BonusFavorTaken,
    Candidate,
    WardResolved,
)
from tests.domain.tammany_hall.scenario import given, position
from tests.domain.tammany_hall.test_examples_turns import two_years
from tests.domain.tammany_hall.words import COLOURS, table

NEXT = "... | yellow 1 black 1"
"""Ward 14, contested: the election stops there for black's bid, and the ward before can be looked at."""


def colours(text):
    return dict(zip(COLOURS, table(text), strict=True))


def wedge(ward_6, **chips):
    """3 players, year 4: ward 6 as said, ward 14 contested, with an irish chip for black."""
    chips.setdefault("black", "1 irish")
    return position(3, year=4, phase="election", wards={6: ward_6, 14: NEXT}, chips=chips)


def rulebook_example(**options):
    chips = {"red": "2 irish 2 english", "yellow": "2 english 3 italian", "black": "1 irish"}
    wards = {6: "1 irish 1 english | red 2 yellow 3", 14: NEXT}
    return given(position(3, year=4, phase="election", wards=wards, chips=chips, **options))


def test_th_e14_ward_election_the_rulebooks_example():
    """TH-E14: what is announced, five votes to four, what red and yellow keep, and ward 14 is next."""
    game = rulebook_example().see(phase="bid", ward=6, active="red yellow", supply="32 31 35 32")
    assert game.facts[-1] == BiddingOpened(
        ward=6,
        candidates=[Candidate(0, 2, colours("2 irish 2 english")), Candidate(1, 3, colours("2 english"))],
        owes=[0, 1],
    )
    game = game.when("red", "bid english 2 irish 1").see(active="yellow").when("yellow", "bid english 1")
    game.then(
        BidSealed(1, 6, {"english": 1}),
        BidsRevealed(
            ward=6,
            bids={"0": colours("1 irish 2 english"), "1": colours("1 english")},
            votes={"0": 5, "1": 4},
            winner=0,
            returned=colours("1 irish 3 english"),
            removed={"0": 1, "1": 3},
            bonus=None,
        ),
    )
    game.see(
        chips={"red": "1 irish", "yellow": "1 english 3 italian"},
        supply="33 34 35 32",
        wards={6: "1 irish 1 english | red 1"},
        phase="bid",
        ward=14,
        active="black",
    )


def test_th_e15_tie_of_two():
    """TH-E15: three to three: nobody wins, no pawns are left, the chip bid is gone."""
    rulebook_example().when("red", "bid english 1").when("yellow", "bid none").see(
        wards={6: "1 irish 1 english"},
        chips={"red": "2 irish 1 english", "yellow": "2 english 3 italian"},
        ward=14,
    )


def test_th_e16_tie_for_the_top_among_three():
    """TH-E16: four, four and three: nobody wins, black neither; eight pawns leave, three chips are spent."""
    game = given(wedge("1 irish | red 2 yellow 3 black 3", red="2 irish", yellow="1 irish"))
    game = game.when("red", "bid irish 2").when("yellow", "bid irish 1").when("black", "bid none")
    game.see(wards={6: "1 irish"}, chips={"red": "", "yellow": "", "black": "1 irish"}, supply="34 irish", ward=14)
    revealed = game.last[1]
    assert (revealed.votes, revealed.winner) == ({"0": 4, "1": 4, "2": 3}, None)
    assert revealed.removed == {"0": 2, "1": 3, "2": 3}
    assert revealed.returned == colours("3 irish")


def test_th_e17_one_candidate():
    """TH-E17: red alone wins without being asked, keeps one pawn and all chips."""
    game = given(wedge("1 irish | red 3", red="5 irish")).see(wards={6: "1 irish | red 1"}, ward=14, active="black")
    assert WardResolved(6, votes={"0": 3}, winner=0, removed={"0": 2}, bonus=None) in game.facts
    game.see(chips={"red": "5 irish"})


def test_th_e18_nobody_can_bid():
    """TH-E18: no chip fits the ward: three to two at once, and red keeps the four italian chips."""
    game = given(wedge("1 irish | red 3 yellow 2", red="4 italian")).see(wards={6: "1 irish | red 1"}, ward=14)
    assert WardResolved(6, votes={"0": 3, "1": 2}, winner=0, removed={"0": 2, "1": 2}, bonus=None) in game.facts
    game.see(chips={"red": "4 italian"})


def test_th_e19_one_can_bid():
    """TH-E19: only red owes a bid; with it three to two, without it two to two; yellow's bid is refused."""
    game = given(wedge("1 irish | red 2 yellow 2", red="1 irish", yellow="3 german")).see(ward=6, active="red")
    game.refused("yellow", "bid irish 1", "no-bid-due").refused("yellow", "bid none", "no-bid-due")
    won = game.when("red", "bid irish 1").see(wards={6: "1 irish | red 1"}, chips={"red": ""}, ward=14)
    assert won.last[1].votes == {"0": 3, "1": 2}
    tied = game.when("red", "bid none").see(wards={6: "1 irish"}, chips={"red": "1 irish"}, ward=14)
    assert tied.last[1].votes == {"0": 2, "1": 2}


CUBE_BONUS = {1: "... | red 1", 10: "... | yellow 1 black 1"}


def test_th_e20_cube_bonus():
    """TH-E20: red puts an italian cube from the bag into ward 10, where yellow can now bid; no chip is gained."""
    start = position(year=4, phase="election", wards=CUBE_BONUS, chips={"yellow": "2 italian"})
    game = given(start).see(phase="bonus", ward=1, active="red", bag="25 italian")
    game.refused("red", "bonus favor irish", "wrong-bonus")
    placed = game.when("red", "bonus cube italian 10").then(BonusCubePlaced(0, "italian", 10))
    placed.see(
        bag="24 italian",
        wards={10: "1 german 1 italian | yellow 1 black 1"},
        chips={"red": ""},
        phase="bid",
        ward=10,
        active="yellow",
    )
    passed = game.when("red", "bonus pass").then(BonusDeclined(0)).see(wards={10: "1 german"}, bag="25 italian")
    assert WardResolved(10, {"1": 1, "2": 1}, None, {"1": 1, "2": 1}, None) in passed.last


def test_th_e20_no_italian_cube_in_the_bag():
    """TH-E20: a colour the bag lacks cannot be chosen."""
    start = position(year=4, phase="election", wards=CUBE_BONUS, bag="1 irish")
    given(start).refused("red", "bonus cube italian 10", "cube-not-in-bag").when("red", "bonus cube irish 10")


def test_th_e20_not_into_a_zone_that_is_not_in_play():
    """TH-E20: with three players in year 4 ward 9 is inactive."""
    start = position(3, year=4, phase="election", wards={1: "... | red 1"})
    given(start).refused("red", "bonus cube irish 9", "inactive-ward")


def test_th_e20_not_into_a_locked_ward():
    """TH-E20: in year 8 with ward 14 locked the cube cannot go there."""
    start = position(year=8, phase="election", wards={1: "... | red 1", 14: "... | locked"})
    given(start).refused("red", "bonus cube irish 14", "locked-ward")


def test_th_e20_an_empty_bag_is_no_question():
    """TH-E20: with an empty bag red is not asked."""
    start = position(year=4, phase="election", wards={1: "... | red 1"}, bag="0 0 0 0")
    game = given(start).see(phase="assign")
    assert WardResolved(1, votes={"0": 1}, winner=0, removed={}, bonus=None) in game.facts


def test_th_e21_chip_bonus():
    """TH-E21: red takes a german chip; a cube is the wrong bonus; it may be declined."""
    wards = {4: "... | red 1", 14: NEXT}
    start = position(year=4, phase="election", wards=wards, chips={"black": "1 irish"})
    game = given(start).see(phase="bonus", ward=4, active="red").refused("red", "bonus cube german 4", "wrong-bonus")
    game.when("red", "bonus favor german").then(BonusFavorTaken(0, "german")).see(
        chips={"red": "1 german"}, supply="34 german", ward=14
    )
    game.when("red", "bonus pass").see(chips={"red": ""}, supply="35 german", ward=14)


def test_th_e21_a_chip_the_supply_lacks():
    """TH-E21: with german missing in the supply it cannot be taken."""
    start = position(year=4, phase="election", wards={4: "... | red 1"}, supply="35 35 0 35")
    given(start).refused("red", "bonus favor german", "chip-supply-empty").when("red", "bonus favor irish")


def test_th_e33_bids_that_are_refused():
    """TH-E33: a colour not in the ward, too many chips, a bid nobody asked for, another command, another ward."""
    (
        rulebook_example()
        .refused("red", "bid italian 1", "colour-not-in-ward")
        .refused("red", "bid irish 3", "not-enough-chips")
        .refused("black", "bid irish 1", "no-bid-due")
        .refused("red", "place 14 14", "wrong-phase")
        .refused("red", "bid ward 14 irish 1", "wrong-ward")
    )


def test_th_e33_the_last_bid_counts_and_stays_secret():
    """TH-E33: red bids twice, and only that is visible; the second counts; afterwards it is too late."""
    game = rulebook_example().when("red", "bid none")
    other = game.when("red", "bid english 2 irish 1").see(active="yellow", ward=6)
    for reader in (1, 2, None):
        assert TAMMANY_HALL.decider.view(game.state, reader) == TAMMANY_HALL.decider.view(other.state, reader)
    assert BidSealed.SEALED == {"chips": "seat"}
    game = other.when("yellow", "bid ward 6 english 1").see(chips={"red": "1 irish", "yellow": "1 english 3 italian"})
    assert game.last[1].votes == {"0": 5, "1": 4}
    game.see(ward=14, active="black").refused("red", "bid ward 6 none", "wrong-ward")
    game.refused("red", "bid none", "no-bid-due")


def test_th_e33_a_sealed_bid_may_be_final():
    """TH-E33: with sealed-bid=final red's second bid is refused."""
    game = rulebook_example(sealed_bid="final").when("red", "bid none")
    game.refused("red", "bid english 2 irish 1", "already-bid")


@pytest.fixture
def first_election():
    """The position of TH-E34 at the end of year 4, its garden put back into the bag."""
    state = TAMMANY_HALL.decider.copy(two_years().state)
    state.bag = [bag + garden for bag, garden in zip(state.bag, state.garden, strict=True)]
    state.garden, state.year, state.phase, state.seat = [0, 0, 0, 0], 4, "election", None
    return given(state)


def test_th_e35_a_first_election(first_election):
    """TH-E35: ward by ward, then leaders, mayor, points and chips, until red assigns."""
    game = first_election.see(phase="bonus", ward=4, active="red")
    resolved = {fact.ward: fact.winner for fact in game.facts}
    assert resolved == {1: None, 2: None, 4: 0}
    game = game.when("red", "bonus favor irish").see(chips={"red": "2 irish 1 italian"}, phase="bid", ward=7)
    game.see(active="red")
    assert [it.usable for it in game.last[-1].candidates] == [colours("2 irish"), colours("")]
    game = game.when("red", "bid irish 1").see(phase="bonus", ward=7, active="red")
    assert game.last[1].votes == {"0": 2, "2": 1}
    game = game.when("red", "bonus pass")
    resolved = {fact.ward: fact.winner for fact in game.last if isinstance(fact, WardResolved)}
    assert resolved == {6: 2, 14: 1}
    game.see(
        leaders={"irish": "yellow", "english": "black", "german": "red"},
        mayor="red",
        vp={"red": 5, "yellow": 2, "black": 1},
        chips={"red": "1 irish 3 german 1 italian", "yellow": "4 irish 1 german", "black": "4 english"},
        supply="30 31 31 34",
        phase="assign",
        active="red",
    )
