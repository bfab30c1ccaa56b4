"""Components, setup, the draft, initial Buildings and rounds: what CH-1 to CH-6 say beyond the examples."""

import itertools

import pytest

from domain.city_hall import CITY_HALL
from domain.city_hall.rules import events as fact
from tests.domain.city_hall.scenario import given, opened, position
from tests.domain.city_hall.words import COUNTS, NEIGHBOURS, OFFICES, PERMITS, RATINGS, SPACES, all_permits, in_deck

PLAYERS = (2, 3, 4)


# CH-1


def test_ch_1_4_turn_order_and_clockwise_are_two_things():
    """CH-1.4: turns along the track, answers along the seats; seats never change, the track does."""
    game = given(position(4, order="dan ben ann cat")).when("Dan", "activate deputy")
    game = game.see(waiting="ann ben cat").when("Ann", "pass").when("Ben", "bid 1").when("Cat", "pass")
    game = game.when("Dan", "accept ben").see(active="ben", turn_order="dan ben ann cat").idle(2)
    game.see(turn_order="ben dan ann cat")
    assert [it["name"] for it in game.document["seats"]] == [it["name"] for it in opened(4).document["seats"]]


def test_ch_1_5_words_in_their_order():
    """CH-1.5: Permits and Offices, in every table."""
    seen = given(position()).document
    assert tuple(seen["offices"]) == OFFICES
    assert all(tuple(it["hand"]) == PERMITS for it in seen["seats"])
    assert tuple(seen["lands"]) == SPACES


def test_ch_1_6_space_and_rating_are_two_things():
    """CH-1.6, CH-2.6: the printed number of each space; who activated and who controls."""
    for space, rating in enumerate(RATINGS, 1):
        given(position(approval={"ann": space})).see(rating={"ann": rating}, approval={"ann": space})
    game = given(position()).when("Ann", "activate tax").when("Ben", "bid 1").when("Cat", "pass")
    game.when("Ann", "accept ben").see(controller="ben", staffers={"tax": "ann"})


# CH-2


@pytest.mark.parametrize("players", [0, 1, 5])
def test_ch_2_1_two_to_four_play(players):
    """CH-2.1: nobody else can."""
    assert players not in CITY_HALL.seats
    with pytest.raises(ValueError, match="2 to 4 players"):
        CITY_HALL.decider.initial(players, {})


@pytest.mark.parametrize("players", PLAYERS)
def test_ch_2_1_what_is_in_the_box(players):
    """CH-2.1: 28 Permits, 22 Land cards, seven Offices."""
    seen = opened(players).document
    assert all_permits(seen) == COUNTS
    assert len(seen["lands"]) == 22
    assert set(OFFICES) == set(seen["offices"])


def test_ch_2_2_a_space_goes_from_the_deck_to_the_board_to_an_owner_and_no_way_back():
    """CH-2.2: in a draft; what is owned is empty or holds one Permit."""
    game = opened(3, lands="Q1 Q2 Q3 Q4").see(lands={"Q1": "$0", "Q4": "deck"})
    game = game.when("Ann", "draft Q1").see(lands={"Q1": "ann", "Q4": "$0"})
    assert "Q1" not in in_deck(game.document)


def test_ch_2_4_bridges_do_not_go_on():
    """CH-2.4: a bridge counts like a common side, and not beyond the neighbour."""
    lands = {"Q6": "ann housing", "B1": "ben housing", "B2": "cat", "Q5": "cat housing"}
    game = given(position(lands=lands)).see(stars={"Q6": 4, "B1": 2, "Q5": 2})
    assert game.document["lands"]["B2"]["stars"] is None


@pytest.mark.slow
@pytest.mark.parametrize("a", SPACES[:-1])
def test_ch_2_5_every_pair_in_play(a):
    """CH-2.5: a Tower and a Housing give each other a star if and only if the table says so; 46 pairs."""
    for b in SPACES[SPACES.index(a) + 1 :]:
        hands, lands = {"ann": "tower"}, {a: "ann", b: "ben housing"}
        game = given(position(lands=lands, hands=hands, star=1), permits="park housing factory").takes("Ann", "zoning")
        near = b in NEIGHBOURS[a]
        stars = {a: near + a.startswith("M"), b: near + b.startswith("M")}
        game.when("Ann", f"zone take park build tower {a}").see(stars=stars)


def test_ch_2_7_population_never_falls_and_stops_at_40():
    """CH-2.7: rank 1 from 37, 36 and 40."""
    given(position(population=[37, 36, 40])).takes("Ann", "health", "health none").see(population=[40, 40, 40])


def test_ch_2_8_nothing_runs_out():
    """CH-2.8: more money and Influence than there are cards, and more Staffers than 14 on the board."""
    lands = dict.fromkeys(SPACES[:17], "ann")
    game = given(position(money={"ann": 9000}, lands=lands)).takes("Ann", "lobbyist", "lobby buy 900")
    game.see(influence={"ann": 904}, money={"ann": 0})


def test_ch_2_9_influence_on_an_office():
    """CH-2.9: none at the start, at most one Staffer in a round."""
    game = opened(3).idle(1)
    game.see(offices=dict.fromkeys(OFFICES, 0), staffers={})
    game.when("Ann", "activate tax").see(staffers={"tax": "ann"})


# CH-3


@pytest.mark.parametrize("players, deck, star", [(2, 22, 3), (3, 19, 2), (4, 16, 1)])
def test_ch_3_1_to_3_8_setup(players, deck, star):
    """CH-3.1, CH-3.2, CH-3.4, CH-3.5, CH-3.6, CH-3.8: what everybody has, and the last one of the track besides."""
    game = opened(players, order=" ".join(("ann", "ben", "cat", "dan")[:players]))
    game.see(money=10, approval=1, population=1, star_token=star, permit_deck=deck, round=0, hand_count=3)
    game.see(influence=[3] * (players - 1) + [4], hands=dict.fromkeys(game.names, "housing tower factory"))
    left = {kind: count - players * (kind != "park") for kind, count in COUNTS.items()}
    assert {kind: game.document["permit_deck"].count(kind) for kind in PERMITS} == left


@pytest.mark.parametrize("players", PLAYERS)
def test_ch_3_7_turn_order_is_random(players):
    """CH-3.7, CH-3.3, CH-15.1: a shuffle of the seats; then Land cards one by one from all 22 that are there."""
    game = opened(players, order=" ".join(("ann", "ben", "cat", "dan")[:players][::-1]))
    assert game.document["turn_order"] == list(range(players))[::-1]
    assert game.dice.asked == [("turn-order", list(range(players)), players), ("land", 22), ("land", 21), ("land", 20)]


def test_ch_3_9_draft_then_buildings_then_round_1():
    """CH-3.9, CH-6.1: round 1 begins without income, neglect or another order."""
    game = opened(3)
    for phase in ("draft",) * 6 + ("build",) * 3:
        game = game.see(phase=phase, round=0, schedule="", turn=0)
        (seat,) = game.document["active"]
        game = game.when(game.names[seat], CITY_HALL.decider.caretaker(game.state, seat))
    game.see(phase="activate", round=1, influence=[3, 3, 4], schedule="ann ben cat", final=False)
    game.see(offices=dict.fromkeys(OFFICES, 0), turn_order="ann ben cat")


# CH-4


@pytest.mark.parametrize("players, rounds", [(2, 3), (3, 2), (4, 2)])
def test_ch_4_2_the_draft_goes_around_and_never_back(players, rounds):
    """CH-4.1, CH-4.2, CH-4.5, CH-4.6, CH-13.1: first to last, twice or with two players three times; two are left."""
    order = ("cat", "ann", "dan", "ben") if players == 4 else ("ben", "ann", "cat")[:players]
    game, picks = opened(players, order=" ".join(order)), []
    while (seen := game.document)["phase"] == "draft":
        assert sum(it["state"] == "available" for it in seen["lands"].values()) == 3
        picks.append(game.names[seen["active"][0]])
        game = game.when(picks[-1], game.legal(picks[-1])[0])
    assert picks == list(order) * rounds
    lands = game.document["lands"].values()
    assert sum(it["state"] == "available" for it in lands) == 2
    assert sorted(it["money"] for it in lands if it["state"] == "available")[0] >= 5
    game.see(land_deck=20 - players * rounds, money=game_money(game))
    assert [it["seat"] for it in map(named, game.facts) if it] == [game.names.index(name) for name in picks]


def named(it):
    return {"seat": it.seat} if isinstance(it, fact.LandDrafted) else None


def game_money(game):
    """$10 each, and what lay on the spaces drafted."""
    got = [10] * len(game.names)
    for it in game.facts:
        if isinstance(it, fact.LandDrafted):
            got[it.seat] += it.money
    return got


def test_ch_4_3_a_space_must_be_chosen_and_costs_nothing():
    """CH-4.3: one of the three, also for who has no money to pay."""
    opened(3, lands="Q1 Q2 Q3").offers("Ann", "draft Q1", "draft Q2", "draft Q3").refused("Ann", "pass", "wrong-phase")


def test_ch_4_4_money_adds_up_on_a_space_nobody_wants():
    """CH-4.4: $5 a pick, and the one who takes it gets it all."""
    game = opened(2, lands="M5 Q1 Q2 Q3 Q4 Q5 Q6 Q7 Q8")
    for name, line in (("Ann", "Q1"), ("Ben", "Q2"), ("Ann", "Q3"), ("Ben", "Q4"), ("Ann", "Q5")):
        game = game.when(name, f"draft {line}")
    game.see(lands={"M5": "$25"}).when("Ben", "draft M5").see(money={"ben": 45}, available={"Q6": 10, "Q7": 5})


def test_ch_4_6_what_is_left_is_for_the_surveyor():
    """CH-4.6, CH-8.8: the two spaces stay, with their money, until somebody buys them."""
    game = opened(3, lands="Q1 Q2 Q3 Q4 Q5 Q6 Q7 Q8").idle(1)
    left = {where: it["money"] for where, it in game.document["lands"].items() if it["state"] == "available"}
    assert len(left) == 2
    assert min(left.values()) >= 5
    (dearest, money), *_ = sorted(left.items(), key=lambda it: -it[1])
    after = game.takes("Ann", "surveyor", f"buy {dearest}").see(lands={dearest: "ann"})
    paid = game.document["seats"][0]["money"] - after.document["seats"][0]["money"]
    assert paid == 20 - money


# CH-5


def test_ch_5_1_any_starting_permit_on_any_own_space():
    """CH-5.1: one is placed, one of the other two returned; the third stays."""
    lands = {"Q1": "ann", "B1": "ann", "Q2": "ben", "Q3": "cat"}
    game = given(position(phase="build", lands=lands))
    ways = [
        f"build {built} {land} return {returned}"
        for built, returned in itertools.permutations(PERMITS[:3], 2)
        for land in ("Q1", "B1")
    ]
    game.offers("Ann", *ways)
    for line in ways:
        left = {"housing", "tower", "factory"} - {line.split()[1], line.split()[4]}
        game.when("Ann", line).see(hands={"ann": left.pop()}, hand_count=[1, 3, 3], permit_deck=20, active="ben")


def test_ch_5_2_nothing_moves_with_initial_buildings():
    """CH-5.2: Star Values at once; the Star Token stays."""
    game = given(position(phase="build", lands={"Q1": "ann", "Q2": "ben", "Q5": "cat"})).see(star_token=2)
    game = game.when("Ann", "build housing Q1 return tower").when("Ben", "build housing Q2 return tower")
    game.see(stars={"Q1": 2, "Q2": 2}, star_token=2, approval=1)


def test_ch_5_1_initial_buildings_go_along_the_track():
    """CH-5.1, CH-13.2: in turn order; with two players twice around."""
    lands = {"Q1": "ann", "Q2": "ben", "Q3": "cat"}
    game = given(position(phase="build", order="cat ann ben", lands=lands)).see(active="cat")
    game.when("Cat", "build housing Q3 return tower").see(active="ann")
    two = given(position(2, phase="build", order="ben ann", lands={"Q1": "ann", "Q2": "ben", "Q3": "ann", "Q4": "ben"}))
    for name, line in (("Ben", "tower Q2"), ("Ann", "tower Q1"), ("Ben", "housing Q4"), ("Ann", "housing Q3")):
        two = two.see(active=name.lower()).when(name, f"build {line}")
    two.see(phase="activate", active="ben", hands={"ann": "factory", "ben": "factory"})


# CH-6


def test_ch_6_2_the_steps_of_a_new_round():
    """CH-6.2: turn order, income, neglect, recall, in this order; then the check."""
    start = position(offices={"tax": 2, "zoning": 1}, influence=[3, 5, 0])
    game = given(start).takes("Ann", "health", "health none").takes("Ben", "deputy").takes("Cat", "tax", "tax")
    neglected = ("surveyor", "campaign", "lobbyist", "zoning")
    offices = dict.fromkeys(OFFICES, 0) | dict.fromkeys(neglected, 1) | {"zoning": 2}
    game.see(round=2, turn_order="ben ann cat", influence=[4, 6, 3], offices=offices, staffers={}, active="ben")
    (moved,) = (number for number, it in enumerate(game.facts) if isinstance(it, fact.DeputyMovedUp))
    (began,) = (number for number, it in enumerate(game.facts) if isinstance(it, fact.RoundBegan))
    assert moved < began


def test_ch_6_2_the_order_stays_without_a_deputy_mayor():
    """CH-6.2, 1: nobody controlled it, nothing changes; nor does last round's controller count again."""
    game = given(position(order="cat ann ben")).idle(2, "Ann").see(turn_order="cat ann ben").takes("Ann", "deputy")
    game.idle(3).see(turn_order="ann cat ben", deputy=None).idle(3, "Ben").idle(4).see(turn_order="ann cat ben")


@pytest.mark.parametrize("star, approval, final", [(9, 9, False), (10, 9, True), (9, 10, True), (10, 10, True)])
def test_ch_6_2_the_check_looks_at_position_10(star, approval, final):
    """CH-6.2, 5: the Star Token's or anybody's Staffer's."""
    given(position(star=star, approval={"ann": approval})).idle(2).see(final=final)


def test_ch_6_3_stepping_down_in_time():
    """CH-6.3: who stands on 10 and steps down in the same round triggers nothing; who stays does."""
    game = given(position(approval={"ann": 10}, order="ann ben cat")).takes("Ann", "tax")
    game.when("Ann", "tax triple").idle(2).see(final=False, approval={"ann": 9})
    game.when("Ann", "tax").idle(2).see(final=True)
