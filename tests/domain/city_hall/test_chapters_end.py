"""The final round, the election, two players, chance and absence: what CH-11 to CH-15 say beyond the examples."""

from dataclasses import replace

import pytest

from domain.city_hall import CITY_HALL
from domain.city_hall.rules import events as fact
from domain.city_hall.rules.board import Endorsement
from tests.domain.city_hall.scenario import given, opened, position
from tests.domain.city_hall.words import OFFICES

BEFORE_DEPUTY = "tax surveyor campaign lobbyist zoning health"
LAST = {"final": True, "used": BEFORE_DEPUTY}
"""A final round with the Deputy Mayor left; the first on the track activates it."""


# CH-11


@pytest.mark.slow
@pytest.mark.parametrize("players, activations", [(2, [4, 3]), (3, [3, 2, 2]), (4, [2, 2, 2, 1])])
def test_ch_11_2_seven_activations(players, activations):
    """CH-11.1, CH-11.2, CH-13.4: every Office once; nothing is recalled or added in between."""
    game = given(position(players, star=10)).idle(2).see(final=True, round=2)
    offices = {office: it["influence"] for office, it in game.document["offices"].items()}
    taken, by = [], []
    while (seen := game.document)["phase"] != "over":
        assert (seen["round"], seen["final"]) == (2, True)
        (seat,) = seen["active"]
        if seen["phase"] == "activate":
            left = {office: it["influence"] for office, it in seen["offices"].items()}
            assert left == {office: 0 if office in taken else offices[office] for office in OFFICES}
            assert {office for office, it in seen["offices"].items() if it["staffer"] is not None} == set(taken)
            by.append(seat)
            taken.append(CITY_HALL.decider.caretaker(game.state, seat).office)
        game = game.when(game.names[seat], CITY_HALL.decider.caretaker(game.state, seat))
    assert sorted(taken) == sorted(OFFICES)
    assert [by.count(seat) for seat in range(players)] == activations


def test_ch_11_3_one_more_health_commissioner():
    """CH-11.3: totals, ranks and gains, without activation, bids, controller or bonus."""
    lands = {"M1": "ann factory", "M3": "ben factory", "M4": "ben factory"}
    game = given(position(lands=lands, **LAST)).takes("Ann", "deputy").see(population=[3, 5, 2], phase="over")
    (counted,) = (it for it in game.facts if isinstance(it, fact.StarsCounted))
    assert (counted.seat, counted.bonus, counted.totals, counted.gains) == (None, "none", [1, 2, 0], [2, 4, 1])


def test_ch_11_4_the_deputy_mayor_moves_up_before_the_election():
    """CH-11.4, CH-12.6: so the tie is decided on the new track."""
    game = given(position(**LAST)).when("Ann", "activate deputy").when("Ben", "pass").when("Cat", "bid 0")
    game = game.when("Ann", "accept cat").see(turn_order="cat ann ben", mayor="cat", votes=[5, 5, 5])
    steps = (fact.StarsCounted, fact.DeputyMovedUp, fact.MayorElected)
    assert tuple(type(it) for it in game.facts if isinstance(it, steps)) == steps


# CH-12


def elected(metric, votes=10, **start):
    """Who gets an Endorsement for this metric, if there is no other."""
    first = position(**LAST, zero_stars="ignored", **start)
    first.board = replace(first.board, endorsements=(Endorsement("x", "X", metric, votes),))
    game = given(first).takes("Ann", "deputy").see(phase="over")
    winner = game.document["result"]["endorsements"]["x"]
    assert game.document["result"]["votes"] == [
        base + votes * (seat == winner) for seat, base in enumerate(game.document["result"]["base_votes"])
    ]
    return None if winner is None else game.names[winner]


LANDS = {
    "Q1": "ann", "Q2": "ann", "B9": "ann park", "Q3": "ben housing", "Q4": "ben housing", "M1": "ben park",
    "M3": "cat factory", "M5": "cat tower", "B1": "cat factory", "B3": "cat park", "M4": "ann park",
}  # fmt: skip
"""Owned 4, 3, 4; built 2, 3, 4; Buildings 0, 2, 3; stars 0, 4, 3."""
PARKS = {"Q1": "ann park", "Q2": "ann park", "B9": "ben factory"}


@pytest.mark.parametrize(
    "metric, winner, start",
    [
        ("money", "ben", {"money": [1, 3, 2]}),
        ("influence", "cat", {"influence": [1, 2, 3]}),
        ("hand", "ann", {"hands": {"ann": "park park", "ben": "tower"}}),
        ("population", "cat", {"population": [4, 4, 5]}),
        ("approval", "ben", {"approval": [4, 6, 5]}),
        ("permit:housing", "ben", {"lands": LANDS}),
        ("permit:tower", "cat", {"lands": LANDS}),
        ("permit:factory", "cat", {"lands": LANDS}),
        ("permit:park", "ann", {"lands": LANDS}),
        ("land", "ann", {"lands": LANDS | {"M2": "ann"}}),
        ("land:queens", None, {"lands": LANDS}),
        ("land:queens", "ann", {"lands": LANDS | {"Q8": "ann"}}),
        ("land:brooklyn", "cat", {"lands": LANDS}),
        ("land:manhattan", "cat", {"lands": LANDS}),
        ("built", "cat", {"lands": LANDS}),
        ("built:queens", "ben", {"lands": LANDS}),
        ("built:brooklyn", "cat", {"lands": LANDS}),
        ("built:manhattan", "cat", {"lands": LANDS}),
        ("buildings", "cat", {"lands": LANDS}),
        ("buildings:queens", "ben", {"lands": LANDS}),
        ("buildings:brooklyn", "cat", {"lands": LANDS}),
        ("buildings:manhattan", "cat", {"lands": LANDS}),
        ("built", "ann", {"lands": PARKS}),
        ("buildings", "ben", {"lands": PARKS}),
        ("stars", "ben", {"lands": LANDS}),
        ("stars:queens", "ben", {"lands": LANDS}),
        ("stars:brooklyn", None, {"lands": LANDS | {"B3": "cat"}}),
        ("stars:manhattan", "cat", {"lands": LANDS}),
    ],
)
def test_ch_12_3_metrics(metric, winner, start):
    """CH-12.3, CH-12.4: the strictly highest number, of what is counted there."""
    assert elected(metric, **start) == winner


def test_ch_12_1_and_12_2_the_nine_endorsements():
    """CH-12.1, CH-12.2, CH-3.4: 10 votes each, for all nine."""
    lands = {"Q1": "ann housing", "B1": "ann tower", "M2": "ann factory", "M5": "ann park", "Q8": "ben"}
    start = position(lands=lands | {"Q4": "ann"}, money=[11, 10, 10], influence=[4, 3, 3], **LAST)
    game = given(start).takes("Ann", "deputy").see(mayor="ann")
    result = game.document["result"]
    names = "wall-street party-machine tenants commerce labor parks queens brooklyn manhattan"
    assert list(result["endorsements"]) == names.split()
    assert set(result["endorsements"].values()) == {0}
    assert result["votes"][0] == result["base_votes"][0] + 90


def test_ch_12_1_rating_times_population():
    """CH-12.1: the rating, not the space."""
    given(position(approval=[7, 10, 2], population=[5, 6, 7], zero_stars="ignored", **LAST)).takes("Ann", "deputy").see(
        base_votes=[20, 30, 14], votes=[20, 30, 14], mayor="ben"
    )


def test_ch_12_4_ties_win_nothing():
    """CH-12.4: a highest number that two share, also 0."""
    assert elected("money", money=[5, 5, 1]) is None
    assert elected("permit:park") is None
    assert elected("hand", hands={"ann": "tower", "ben": "park"}) is None


def test_ch_12_5_what_lies_on_the_board_is_nobodys():
    """CH-12.5: money on spaces; Influence on Offices is gone with the last activation."""
    assert elected("money", money=[5, 6, 1], lands={"Q1": "$50"}) == "ben"
    assert elected("influence", influence=[3, 4, 1], offices={"tax": 9}) == "ben"


@pytest.mark.parametrize("order, mayor", [("ann ben cat", "ann"), ("ben cat ann", "ben"), ("cat ben ann", "cat")])
def test_ch_12_6_one_mayor(order, mayor):
    """CH-12.6: of those with the most votes the nearest to the first position."""
    start = position(order=order, **LAST)
    game = given(start).takes(order.split()[0], "deputy").see(votes=[5, 5, 5], mayor=mayor)
    winner = game.seat(mayor)
    assert CITY_HALL.decider.result(game.state) == {"winners": [winner], "scores": [5, 5, 5]}
    assert CITY_HALL.decider.result(start) is None


# CH-13


def test_ch_13_5_everything_else_is_the_same_with_two():
    """CH-13.5, CH-3.8: the extra Influence, the gains of ranks 1 and 2, the neglect of the Offices that are left."""
    opened(2, order="ben ann").see(influence=[4, 3])
    game = given(position(2, lands={"M1": "ben factory"})).takes("Ann", "health", "health none").see(population=[3, 5])
    game = game.takes("Ann", "deputy").takes("Ben", "tax", "tax").takes("Ben", "campaign", "campaign 0")
    used = ("health", "deputy", "tax", "campaign")
    game.see(round=2, influence=4, offices={office: int(office not in used) for office in OFFICES})


def test_ch_13_3_each_turn_of_two_is_complete():
    """CH-13.3: with bids and an action; then the second."""
    game = given(position(2)).when("Ann", "activate tax").see(active="ben").when("Ben", "bid 1").see(active="ann")
    game = game.when("Ann", "accept ben").see(active="ben").when("Ben", "tax").see(active="ann", turn=1)
    game.takes("Ann", "health", "health none").see(active="ben", turn=2)


# CH-15


def test_ch_15_1_chance_decides_the_turn_order_the_land_and_the_permits():
    """CH-15.1: all orders alike: among all that is left; and nothing else is left to chance."""
    game = opened(3).idle(3)
    labels = {label for label, *_ in game.dice.asked}
    assert labels <= {"turn-order", "land", "permits"}
    lands = [n for label, n, *_ in game.dice.asked if label == "land"]
    assert lands == list(range(22, 22 - len(lands), -1))
    zoned = game.takes(game.names[game.document["active"][0]], "zoning")
    label, items, count = zoned.dice.asked[-1]
    assert (label, len(items), count) == ("permits", 19, 3)
    assert items == sorted(items, key=("housing", "tower", "factory", "park").index)


def test_ch_15_2_nobodys_decision_is_skipped():
    """CH-15.2: not of who can only pass, only accept, only buy nothing, only take nothing."""
    game = given(position(influence=0, deck="", permits="", zero_bid="refused")).when("Ann", "activate surveyor")
    game = game.offers("Ben", "pass").when("Ben", "pass").offers("Cat", "pass").when("Cat", "pass")
    game.offers("Ann", "buy none").when("Ann", "buy none")
    game = given(position(influence={"ann": 0})).when("Ann", "activate tax").when("Ben", "bid 1").when("Cat", "pass")
    game.offers("Ann", "accept ben").see(phase="decide")
    given(position(permits="")).takes("Ann", "zoning").offers("Ann", "zone none")


def test_ch_15_3_there_is_always_something_to_do():
    """CH-15.3: also for who has nothing at all."""
    broke = {"money": 0, "influence": 0, "deck": "", "permits": ""}
    for office in OFFICES[:-1]:
        game = given(position(**broke)).takes("Ann", office)
        assert game.legal("Ann")
        game.when("Ann", game.legal("Ann")[0])


def test_ch_15_4_a_deck_of_two():
    """CH-15.4, CH-8.16: both are revealed; A takes both."""
    game = given(position(permits="park tower")).takes("Ann", "zoning").see(permit_deck=0)
    assert sorted(game.document["revealed"]) == ["park", "tower"]
    game.refused("Ann", "zone take park", "bad-zoning-choice").when("Ann", "zone take park tower").see(permit_deck=0)


def test_ch_15_5_an_empty_land_deck():
    """CH-15.5, CH-8.10: the Surveyor's action is as usual; nothing comes back."""
    game = given(position(lands={"Q1": "$15"}, deck="")).when("Ann", "activate surveyor").see(active="ben", phase="bid")
    game = game.when("Ben", "pass").when("Cat", "pass").when("Ann", "buy Q1").see(money={"ann": 5}, land_deck=0)
    assert game.dice.asked == []


@pytest.mark.slow
def test_ch_15_6_nothing_else_ends_a_game():
    """CH-15.6: players who neither build nor campaign go on for ever."""
    game = opened(2)
    while (seen := game.document)["round"] < 20:
        (seat,) = seen["active"]
        lines = game.legal(game.names[seat])
        harmless = [line for line in lines if line in ("activate tax", "activate health", "activate deputy", "pass")]
        harmless += [line for line in lines if line in ("activate lobbyist", "tax", "health none", "lobby")]
        game = game.when(game.names[seat], *(harmless or lines)[:1])
    game.see(final=False, star_token=3, phase="activate")


@pytest.mark.parametrize(
    "game, name, line",
    [
        (lambda: opened(3, lands="M2 B4 Q7"), "Ann", "draft B4"),
        (lambda: opened(3, lands="M2 B4 Q7 Q8").when("Ann", "draft B4"), "Ben", "draft M2"),
        (
            lambda: given(position(phase="build", lands={"Q3": "ann", "B9": "ann"})),
            "Ann", "build housing B9 return factory",
        ),
        (
            lambda: given(position(phase="build", lands={"Q3": "ann"}, hands={"ann": "factory tower"})),
            "Ann", "build tower Q3 return factory",
        ),
        (lambda: given(position(2, phase="build", lands={"Q3": "ann"})), "Ann", "build housing Q3"),
        (lambda: given(position()), "Ann", "activate tax"),
        (lambda: given(position(4, used="tax campaign surveyor")), "Dan", "activate lobbyist"),
        (lambda: given(position(used="tax")), "Ben", "activate surveyor"),
        (lambda: given(position()).when("Ann", "activate tax"), "Ben", "pass"),
        (
            lambda: given(position()).when("Ann", "activate tax").when("Ben", "bid 3").when("Cat", "bid 3"),
            "Ann", "keep",
        ),
        (
            lambda: given(position(4, influence={"ben": 2})).when("Ann", "activate tax").when("Ben", "bid 2")
            .when("Cat", "bid 3").when("Dan", "bid 3").when("Ann", "accept cat"),
            "Cat", "tax",
        ),
        (lambda: given(position(approval=4)).takes("Ann", "tax"), "Ann", "tax"),
        (lambda: given(position(money=30)).takes("Ann", "campaign"), "Ann", "campaign 0"),
        (lambda: given(position(lands={"Q1": "$50"})).takes("Ann", "surveyor"), "Ann", "buy none"),
        (lambda: given(position(money=30)).takes("Ann", "lobbyist"), "Ann", "lobby"),
        (
            lambda: given(position(lands={"B2": "ann"}), permits="tower park housing").takes("Ann", "zoning"),
            "Ann", "zone take tower park",
        ),
        (lambda: given(position(permits="tower")).takes("Ann", "zoning"), "Ann", "zone take tower"),
        (lambda: given(position(permits="")).takes("Ann", "zoning"), "Ann", "zone none"),
        (lambda: given(position()).takes("Ann", "health"), "Ann", "health plus3"),
    ],
)  # fmt: skip
def test_ch_15_7_the_caretaker(game, name, line):
    """CH-15.7: what it plays for who is away."""
    record = game()
    seat = record.seat(name)
    action = CITY_HALL.decider.caretaker(CITY_HALL.decider.blind(record.state, seat), seat)
    assert CITY_HALL.notation.write(action) == CITY_HALL.notation.write(*CITY_HALL.notation.parse(line, record.names))


def test_ch_15_7_the_caretaker_takes_the_richest_space():
    """CH-15.7: the most money, ties by name; must accept the first high bidder clockwise who cannot keep."""
    game = opened(3, lands="Q7 M2 B4 Q1").when("Ann", "draft B4").when("Ben", "draft Q1")
    assert CITY_HALL.notation.write(CITY_HALL.decider.caretaker(game.state, 2)) == "draft M2"
    game = given(position(4, used="health", influence={"ben": 0})).when("Ben", "activate tax")
    game = game.when("Cat", "bid 1").when("Dan", "bid 2").when("Ann", "bid 2")
    assert CITY_HALL.notation.write(CITY_HALL.decider.caretaker(game.state, 1)) == "accept yellow"
