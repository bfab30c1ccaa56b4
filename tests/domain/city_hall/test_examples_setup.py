"""The worked examples of the board and of setup: CH-E1 to CH-E8."""

import itertools

import pytest

from tests.domain.city_hall.scenario import given, opened, position
from tests.domain.city_hall.words import NEIGHBOURS, SPACES, STAR_START


def neighbours(space):
    """The spaces where a Tower gives a Housing on this space a star: what the program takes to be adjacent."""
    own = space.startswith("M")
    found = set()
    for other in SPACES:
        if other != space:
            lands = {space: "ann housing", other: "ben tower"}
            value = given(position(lands=lands)).document["lands"][space]["stars"]
            if value == own + 1:
                found.add(other)
    return found


@pytest.mark.slow
def test_ch_e1_neighbours():
    """CH-E1: B1 is adjacent to B2, B4, B5 and Q6, to nothing else; M3 to M4; Q6 to neither."""
    assert neighbours("B1") == {"B2", "B4", "B5", "Q6"}
    assert "M4" in neighbours("M3")
    assert not {"M3", "M4"} & neighbours("Q6")


@pytest.mark.parametrize("order", list(itertools.permutations(("ann", "ben", "cat"))), ids=" ".join)
def test_ch_e2_star_values(order):
    """CH-E2: a Tower on Q6, a Factory on M4, a Housing on M3, of three owners, in any of the six orders."""
    lands = {"Q6": "ann", "M4": "ben", "M3": "cat"}
    lines = {
        "ann": "build tower Q6 return housing",
        "ben": "build factory M4 return housing",
        "cat": "build housing M3 return tower",
    }
    game = given(position(phase="build", order=" ".join(order), lands=lands))
    for name in order:
        game = game.when(name, lines[name])
    game.see(stars={"Q6": 0, "M4": 1, "M3": 0}, phase="activate")


def values(**lands):
    """The Star Values of a board; every Permit is Ann's."""
    seen = given(position(lands={space: f"ann {kind}" for space, kind in lands.items()})).document["lands"]
    return {space: seen[space]["stars"] for space in lands}


def test_ch_e3_maximum_of_housing():
    """CH-E3: B5 sums to 6, value 5; B2 sums to 6, value 5; B1 and B3 have 4 each."""
    block = dict.fromkeys(("B1", "B2", "B3", "B5"), "housing")
    assert values(**block) == {"B1": 4, "B2": 5, "B3": 4, "B5": 5}
    # That the sums are 6: one adjacent Factory leaves 5, two leave 4.
    assert values(**block, B7="factory")["B5"] == 5
    assert values(**block, B7="factory", B9="factory")["B5"] == 4
    assert values(**block, B4="factory")["B2"] == 5
    assert values(**block, B4="factory", B6="factory")["B2"] == 4


def test_ch_e3_maximum_of_tower_and_factory():
    """CH-E3: the Tower on Q6 sums to 4, value 3; the Factory on Q7 sums to 3, value 1, and leaves Q6 at 4."""
    towers = dict.fromkeys(("Q1", "Q2", "Q3", "Q5", "Q6"), "tower")
    assert values(**towers)["Q6"] == 3
    seen = values(**towers, Q7="factory")
    assert (seen["Q6"], seen["Q7"]) == (3, 1)
    fewer = {space: kind for space, kind in towers.items() if space != "Q5"}
    assert values(**fewer, Q7="factory")["Q6"] == 3
    assert values(**{space: kind for space, kind in fewer.items() if space != "Q1"}, Q7="factory")["Q6"] == 2


def test_ch_e4_sum_first_cut_last():
    """CH-E4: −2, −1 and 0 are all 0, and −1 is not 1: only the final sum is cut."""
    built = {"Q2": "housing", "Q1": "factory", "Q3": "factory"}
    assert values(**built)["Q2"] == 0
    built["Q6"] = "tower"
    assert values(**built)["Q2"] == 0
    built["Q5"] = "park"
    assert values(**built)["Q2"] == 0
    built["Q7"] = "housing"
    assert values(**built)["Q2"] == 2


def test_ch_e5_manhattan():
    """CH-E5: the own Manhattan star, and a Park that has none."""
    assert values(M1="factory") == {"M1": 1}
    assert values(M1="factory", M2="tower") == {"M1": 1, "M2": 1}
    assert values(M1="housing") == {"M1": 1}
    assert values(M1="housing", M2="factory") == {"M1": 0, "M2": 1}
    assert values(M1="housing", M2="factory", M3="park") == {"M1": 0, "M2": 1, "M3": None}


DECK = "Q1 M3 B5 Q6 M4 B1 B9 Q8"
PICKS = [
    ("Ann", "draft M3", 10, {"Q1": 5, "B5": 5, "Q6": 0}),
    ("Ben", "draft Q6", 10, {"Q1": 10, "B5": 10, "M4": 0}),
    ("Cat", "draft Q1", 20, {"B5": 15, "M4": 5, "B1": 0}),
    ("Ann", "draft B5", 25, {"M4": 10, "B1": 5, "B9": 0}),
    ("Ben", "draft M4", 20, {"B1": 10, "B9": 5, "Q8": 0}),
    ("Cat", "draft B9", 25, {"B1": 15, "Q8": 5}),
]


def drafted():
    """The draft of CH-E6, checked pick by pick."""
    game = opened(3, lands=DECK).see(phase="draft", available={"Q1": 0, "M3": 0, "B5": 0}, money=10)
    for name, line, money, left in PICKS:
        game.see(active=name.lower())
        game = game.when(name, line).see(money={name.lower(): money}, available=left)
    return game


def test_ch_e6_draft():
    """CH-E6: what each pick gets and leaves; the money; the Land deck."""
    game = drafted().see(money=[25, 20, 25], land_deck=14, phase="build")
    owners = {"M3": "ann", "Q6": "ben", "Q1": "cat", "B5": "ann", "M4": "ben", "B9": "cat"}
    game.see(lands=owners)


def test_ch_e6_draft_refused():
    """CH-E6: after Ann's first pick a taken space, another player's turn, a space there is not."""
    game = opened(3, lands=DECK).when("Ann", "draft M3")
    game.refused("Ben", "draft M3", "land-not-available")
    game.refused("Cat", "draft Q1", "not-your-turn")
    game.refused("Ben", "draft Z9", "unknown-land")


@pytest.mark.parametrize(
    "players, star, before, after, lands, built",
    [(2, 3, 22, 22, 14, 4), (3, 2, 19, 22, 14, 3), (4, 1, 16, 20, 12, 4)],
)
def test_ch_e7_numbers_of_the_setup(players, star, before, after, lands, built):
    """CH-E7: Influence 4 for seat 0, the last; the Star Token, both decks, the board and the hands."""
    order = " ".join(("ann", "ben", "cat", "dan")[1:players]) + " ann"
    game = opened(players, order=order).see(turn_order=order, influence=[4] + [3] * (players - 1))
    game.see(star_token=star, permit_deck=before, phase="draft")
    assert STAR_START[players] == star
    game = game.idle(1).see(star_token=star, permit_deck=after, land_deck=lands, hand_count=1)
    assert sum(it["permit"] is not None for it in game.document["lands"].values()) == built


def test_ch_e8_initial_buildings():
    """CH-E8: four refusals, three Buildings, the values, the bottom of the deck, the hands."""
    game = drafted()
    game.refused("Ann", "build housing M3", "return-required")
    game.refused("Ann", "build park M3 return tower", "not-a-building")
    game.refused("Ann", "build housing Q1 return tower", "land-not-owned")
    game.refused("Ann", "build housing M3 return housing", "not-in-hand")
    game = game.when("Ann", "build housing M3 return factory").see(stars={"M3": 1})
    game = game.when("Ben", "build factory M4 return tower").see(stars={"M4": 1, "M3": 0})
    game = game.when("Cat", "build tower Q1 return housing").see(stars={"Q1": 0})
    game.see(permit_deck=22, bottom="factory tower housing", hands={"ann": "tower", "ben": "housing", "cat": "factory"})


def test_ch_e8_two_players():
    """CH-E8: nothing is returned, in turn order twice, each on an own empty space."""
    lands = dict.fromkeys(("Q1", "Q3", "Q5"), "ann") | dict.fromkeys(("Q2", "Q4", "Q6"), "ben")
    game = given(position(2, phase="build", lands=lands))
    game.refused("Ann", "build housing Q1 return tower", "return-forbidden")
    game = game.when("Ann", "build housing Q1").see(active="ben").when("Ben", "build factory Q2").see(active="ann")
    game = game.refused("Ann", "build tower Q1", "land-not-empty").when("Ann", "build tower Q3").see(active="ben")
    game = game.when("Ben", "build housing Q4").see(stars={"Q1": 0, "Q2": 1, "Q3": 1, "Q4": 1})
    game.see(hands={"ann": "factory", "ben": "tower"}, permit_deck=22, phase="activate")


def test_the_table_of_these_tests_is_symmetric():
    """CH-2.5: 46 pairs."""
    assert all(space in NEIGHBOURS[other] for space in SPACES for other in NEIGHBOURS[space])
    assert sum(map(len, NEIGHBOURS.values())) == 2 * 46
