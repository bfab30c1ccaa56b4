"""The variants of CH-19.3, each against its default, and each answering a question of CH-19.1."""

import pytest

from domain.city_hall import CITY_HALL
from tests.domain.city_hall.scenario import given, position
from tests.domain.city_hall.test_examples_rounds import owning
from tests.domain.city_hall.words import NAMES


def test_ch_19_3_the_variants_and_their_values():
    """CH-19.3: eight variants, the default first."""
    written = """zero-bid=allowed|refused health-ties=shared-rank|next-only health-bonus=optional|mandatory
        zero-stars=counted|ignored campaign=mandatory|optional zoning-build=exactly-two|one-or-two
        holdings=secret|open park-approval=one-space|next-rating"""
    assert {f"{name}={'|'.join(values)}" for name, values in CITY_HALL.options.items()} == set(written.split())


def test_ch_1_7_who_chooses_nothing_plays_the_defaults():
    """CH-1.7: a game without a word on its variants is the game with every default named."""
    defaults = {name: values[0] for name, values in CITY_HALL.options.items()}
    plain, named = CITY_HALL.decider.initial(4, {}), CITY_HALL.decider.initial(4, defaults)
    named.options = plain.options
    assert plain == named


@pytest.mark.parametrize("options", [{"zero-bid": "open"}, {"zeros": "allowed"}, {"holdings": ""}])
def test_ch_1_7_there_are_no_other_variants(options):
    """CH-1.7: a variant or a value without a name here cannot be chosen."""
    with pytest.raises(ValueError, match="no variant"):
        CITY_HALL.decider.initial(4, options)


def test_zero_bid():
    """CH-19.3, zero-bid: the first bid may be 0, or must be 1 at least (CH-19.1, 10)."""
    given(position()).when("Ann", "activate tax").when("Ben", "bid 0").see(bids=[("ben", 0)])
    game = given(position(zero_bid="refused")).when("Ann", "activate tax").refused("Ben", "bid 0", "bid-too-low")
    game.offers("Ben", "pass", "bid 1", "bid 2", "bid 3")
    game.when("Ben", "pass").refused("Cat", "bid 0", "bid-too-low").when("Cat", "bid 1")
    broke = given(position(zero_bid="refused", influence=0)).when("Ann", "activate tax").offers("Ben", "pass")
    broke.refused("Ben", "bid 1", "not-enough-influence")


@pytest.mark.parametrize(
    "totals, shared, skipped, spaces",
    [
        ([5, 5, 5, 2], [4, 4, 4, 0], [4, 4, 4, 1], ["B1 M1", "B2 M2", "B5 M3", "M4 M5"]),
        ([6, 4, 4, 1], [4, 2, 2, 0], [4, 2, 2, 0], ["B1 M1 M2", "B2", "B5", "M3"]),
        ([2, 2, 1, 0], [4, 4, 1, 0], [4, 4, 1, 0], ["M1 M2", "M3 M4", "M5", ""]),
        ([0, 0, 0, 0], [4, 4, 4, 4], [4, 4, 4, 4], ["", "", "", ""]),
        ([2, 1, 1, 1], [4, 2, 2, 2], [4, 2, 2, 2], ["M1 M2", "M3", "M4", "M5"]),
        ([1, 1, 1], [4, 4, 4], [4, 4, 4], ["M1", "M2", "M3"]),
        ([2, 1, 0], [4, 2, 1], [4, 2, 1], ["M1 M2", "M3", ""]),
    ],
)
def test_health_ties(totals, shared, skipped, spaces):
    """CH-19.3, health-ties: a tie uses up every rank it covers, or one bonus is skipped (CH-19.1, 31)."""
    names = NAMES[: len(totals)]
    for value, gains in (("shared-rank", shared), ("next-only", skipped)):
        start = position(len(totals), lands=owning(names, *spaces), health_ties=value)
        game = given(start).see(totals=totals).takes("Ann", "health", "health none")
        game.see(population=[1 + gain for gain in gains])


def test_health_bonus():
    """CH-19.3, health-bonus: neither may be chosen, or one of the two must be (CH-19.1, 30)."""
    given(position()).takes("Ann", "health").offers("Ann", "health none", "health plus3", "health double")
    game = given(position(health_bonus="mandatory")).takes("Ann", "health")
    game.offers("Ann", "health plus3", "health double").refused("Ann", "health none", "bonus-mandatory")


@pytest.mark.parametrize(
    "value, line, gains",
    [
        ("counted", "health none", [2, 4, 2]),
        ("ignored", "health none", [0, 4, 0]),
        ("counted", "health double", [2, 4, 2]),
        ("ignored", "health double", [0, 4, 0]),
        ("counted", "health plus3", [4, 2, 1]),
        ("ignored", "health plus3", [4, 2, 0]),
    ],
)
def test_zero_stars(value, line, gains):
    """CH-19.3, zero-stars: a total of 0 is ranked like any other, or gains nothing (CH-19.1, 32)."""
    game = given(position(lands={"M1": "ben factory"}, zero_stars=value)).takes("Ann", "health", line)
    game.see(population=[1 + gain for gain in gains])


def test_zero_stars_in_the_final_round():
    """CH-19.3, zero-stars: the Health Commissioner of CH-11.3 counts in the same way."""
    used = "tax surveyor campaign lobbyist zoning health"
    for value, population in (("counted", [3, 5, 3]), ("ignored", [1, 5, 1])):
        start = position(final=True, used=used, lands={"M1": "ben factory"}, zero_stars=value)
        given(start).takes("Ann", "deputy").see(population=population, phase="over")


def test_campaign():
    """CH-19.3, campaign: a line must be chosen, or none may be (CH-19.1, 14)."""
    game = given(position()).takes("Ann", "campaign").refused("Ann", "campaign none", "campaign-mandatory")
    game.offers("Ann", "campaign 0", "campaign 10")
    game = given(position(campaign="optional")).takes("Ann", "campaign")
    game.offers("Ann", "campaign 0", "campaign 10", "campaign none")
    game.when("Ann", "campaign none").see(approval={"ann": 1}, money={"ann": 10}, active="ben", phase="activate")


BUILDER = {"lands": {"B2": "ann", "B3": "ann"}, "hands": {"ann": "tower factory"}, "star": 2}


def test_zoning_build():
    """CH-19.3, zoning-build: C places exactly two, or one or two (CH-19.1, 24)."""
    game = given(position(**BUILDER), permits="housing park tower").takes("Ann", "zoning")
    game.refused("Ann", "zone build tower B2", "bad-zoning-choice")
    game = given(position(**BUILDER, zoning_build="one-or-two"), permits="housing park tower").takes("Ann", "zoning")
    one = game.when("Ann", "zone build tower B2 under park tower housing")
    one.see(hands={"ann": "factory"}, lands={"B2": "ann tower", "B3": "ann"}, star_token=3, bottom="park tower housing")
    game.when("Ann", "zone build tower B2 factory B3").see(hands={"ann": ""}, star_token=4)
    game.refused("Ann", "zone take park", "bad-zoning-choice").refused("Ann", "zone none", "bad-zoning-choice")


def test_zoning_build_without_a_second_space():
    """CH-19.3, zoning-build: one Permit, one empty space: C is possible in the variant alone."""
    start = {"lands": {"B2": "ann"}, "hands": {"ann": "tower"}, "permits": ""}
    given(position(**start)).takes("Ann", "zoning").offers("Ann", "zone none")
    game = given(position(**start, zoning_build="one-or-two")).takes("Ann", "zoning")
    game.offers("Ann", "zone none", "zone build tower B2")


def test_holdings():
    """CH-19.3, holdings: others see nothing, or money and Influence; hands stay secret (CH-19.1, 37)."""
    start = {"hands": {"ann": "tower", "ben": "park factory"}, "money": [10, 20, 30], "influence": [1, 2, 3]}
    for value, money, influence in (
        ("secret", [10, None, None], [1, None, None]),
        ("open", [10, 20, 30], [1, 2, 3]),
    ):
        game = given(position(**start, holdings=value))
        seats = game.view("Ann")["seats"]
        assert [it["money"] for it in seats] == money
        assert [it["influence"] for it in seats] == influence
        assert [it["hand"] is None for it in seats] == [False, True, True]
        assert [it["hand_count"] for it in seats] == [1, 2, 0]
        spectator = game.view()["seats"]
        assert [it["money"] for it in spectator] == ([None] * 3 if value == "secret" else money)
        assert all(it["hand"] is None for it in spectator)


@pytest.mark.parametrize(
    "start, one_space, next_rating", [(1, 2, 2), (2, 3, 4), (4, 5, 7), (6, 7, 7), (7, 8, 10), (10, 10, 10)]
)
def test_park_approval(start, one_space, next_rating):
    """CH-10.5, park-approval: an advance is one space, or leads to the next higher rating (CH-19.1, 48)."""
    lands = {"Q1": "ann tower", "Q2": "ann", "Q5": "ben tower", "Q3": "ann"}
    for value, space in (("one-space", one_space), ("next-rating", next_rating)):
        state = position(lands=lands, hands={"ann": "park tower"}, approval={"ann": start}, park_approval=value)
        game = given(state, permits="tower tower tower").takes("Ann", "zoning")
        game.when("Ann", "zone take tower build park Q2").see(approval={"ann": space})
