"""The worked examples of what follows the wards: leaders, mayor, offices and the end, TH-E22 to TH-E32."""

import pytest

from domain.tammany_hall.rules.events import GameScored, GardenReturned, LeadersAwarded, MayorElected, OfficesAssigned
from tests.domain.tammany_hall.scenario import given, position
from tests.domain.tammany_hall.words import PAWNS


def elected(players, wins, year=4, **more):
    """A position before an election in which each pawn stands alone in the wards named."""
    wards = {int(number): f"... | {pawn} 1" for pawn, numbers in wins.items() for number in numbers.split()}
    return given(position(players, year=year, phase="election", wards=wards, **more))


def test_th_e22_leaders_the_rulebooks_example():
    """TH-E22: cubes of the wards won, three chips for each leader, points for wards and the mayor."""
    black = {1: "1 irish 2 english", 2: "2 english", 4: "1 irish 1 english", 7: "2 english", 6: "1 irish 1 italian"}
    black[14] = "2 irish 1 italian"
    red = {9: "1 irish 2 german", 15: "2 irish", 8: "2 english", 5: "3 german"}
    yellow = {3: "3 irish 1 german", 17: "2 irish 2 german 1 italian", 11: "1 irish 2 german 1 italian"}
    won = {"black": black, "red": red, "yellow": yellow}
    wards = {number: f"{cubes} | {pawn} 1" for pawn, theirs in won.items() for number, cubes in theirs.items()}
    game = given(position(3, year=12, phase="election", wards=wards))
    for number in (1, 2, 4, 7):
        game = game.see(phase="bonus", ward=number, active="black").when("black", "bonus pass")
    (awarded,) = (fact for fact in game.last if isinstance(fact, LeadersAwarded))
    assert awarded.leaders == {"irish": [1], "english": [2], "german": [0, 1], "italian": [1, 2]}
    assert awarded.cubes == {"irish": 6, "english": 7, "german": 5, "italian": 2}
    game.see(
        leaders={"irish": "yellow", "english": "black", "german": "red yellow", "italian": "yellow black"},
        chips={"black": "3 english 3 italian", "red": "3 german", "yellow": "3 irish 3 german 3 italian"},
        supply="32 32 29 29",
        vp={"black": 10, "red": 4, "yellow": 3},
        mayor="black",
    )


def test_th_e23_nobody_leads():
    """TH-E23: red wins one irish cube and takes three irish; nobody takes another colour."""
    game = elected(3, {"red": "6"}).see(chips={"red": "3 irish", "yellow": "", "black": ""}, supply="32 35 35 35")
    game.see(leaders={"irish": "red"})


@pytest.mark.parametrize(
    "german, first, shares",
    [(4, "black", {"red": "2 german", "yellow": "2 german"}), (5, "black", {"red": "3 german", "yellow": "2 german"}),
     (5, "yellow", {"red": "2 german", "yellow": "3 german"})],
)  # fmt: skip
def test_th_e24_supply_too_small(german, first, shares):
    """TH-E24: the leaders take one chip each in turn, clockwise from the first player, while the supply lasts."""
    wards = {6: "2 german | red 1", 14: "2 german | yellow 1"}
    supply = f"35 35 {german} 35"
    game = given(position(4, year=4, phase="election", wards=wards, supply=supply, first=first))
    game.see(chips=shares, supply="35 35 0 35", leaders={"german": "red yellow"})


def test_th_e25_tammany_hall_is_one_ward():
    """TH-E25: red scores four for three wards; yellow four for four wards, and three as mayor."""
    game = elected(5, {"red": "14 6 9", "yellow": "15 8 5 3"}).see(vp={"red": 4, "yellow": 7}, mayor="yellow")
    (scored,) = (fact for fact in game.facts if isinstance(fact, MayorElected))
    assert (scored.points, scored.mayor_points, scored.reason) == ({"0": 4, "1": 4}, 3, "wards")


def test_th_e26_mayor_by_tie_break():
    """TH-E26: two wards each; five chips each, black's nine do not count; yellow has more irish."""
    chips = {"red": "1 english 1 german", "yellow": "2 italian", "black": "6 german"}
    game = elected(5, {"red": "8 5", "yellow": "9 15", "black": "3"}, chips=chips)
    game.see(
        leaders={"english": "red", "irish": "yellow", "german": "black"},
        chips={"red": "4 english 1 german", "yellow": "3 irish 2 italian", "black": "9 german"},
        mayor="yellow",
        vp={"red": 2, "yellow": 5, "black": 1, "purple": 0, "brown": 0},
    )


def test_th_e27_no_mayor():
    """TH-E27: an unbroken tie without a sitting mayor: no mayor, no offices; red stays first, slander is open."""
    game = elected(3, {"red": "6", "yellow": "14"}).see(
        chips={"red": "3 irish", "yellow": "3 irish"},
        mayor=None,
        vp={"red": 1, "yellow": 2, "black": 0},
        office=dict.fromkeys(PAWNS[:3]),
        year=5,
        term=2,
        first="red",
        active="red",
        boxes={2: "0 0 0 0", 3: "2 1 1 0"},
        inactive={17, 11, 13, 10},
    )
    game.when("red", "place 14 14", "slander yellow 14 irish").see(wards={14: "1 irish | red 2"})


def test_th_e28_the_mayor_stays():
    """TH-E28: black, who won nothing, stays mayor and scores three; the offices lapse until black assigns again."""
    offices = {"black": "mayor", "red": "deputy", "yellow": "police"}
    game = elected(3, {"red": "6", "yellow": "14"}, year=8, offices=offices).see(
        mayor="black",
        vp={"red": 1, "yellow": 2, "black": 3},
        office={"red": None, "yellow": None, "black": "mayor"},
        phase="assign",
        active="black",
    )
    game.when("black", "assign council red police yellow").see(
        year=9, term=3, first="black", active="black", office={"red": "council", "yellow": "police", "black": "mayor"}
    )


def test_th_e29_assigning_offices():
    """TH-E29: each other player exactly one office, in one command, by the mayor; two offices stay vacant."""
    (
        given(position(3, year=4, phase="assign", offices={"black": "mayor"}))
        .see(active="black")
        .refused("black", "assign deputy red", "assign-incomplete")
        .refused("black", "assign deputy red deputy yellow", "assign-duplicate")
        .refused("black", "assign deputy red police red", "assign-duplicate")
        .refused("black", "assign deputy red police black", "assign-self")
        .refused("black", "assign mayor red police yellow", "unknown-office")
        .refused("red", "assign precinct red council yellow", "not-your-turn")
        .when("black", "assign precinct red council yellow")
        .then(OfficesAssigned(2, {"council": 1, "precinct": 0}))
        .see(office={"red": "precinct", "yellow": "council", "black": "mayor"})
    )


@pytest.mark.parametrize(
    "players, offices, boxes",
    [
        (3, "deputy red council black", {2: "0 0 0 0", 3: "2 1 1 0"}),
        (4, "deputy red council black police purple", {2: "0 0 0 0", 3: "0 0 0 0"}),
        (5, "deputy red council black police purple precinct brown", {2: "0 0 0 0", 3: "0 0 0 0"}),
    ],
)
def test_th_e30_next_term(players, offices, boxes):
    """TH-E30: the mayor is first in year 5, locks are off, a zone may be dealt; the bag lost only the garden."""
    wards = {6: "... | yellow 1", 4: "... | locked"}
    start = position(players, year=4, phase="election", wards=wards, garden="1 irish 1 italian")
    everything = sum(start.bag) + 2
    game = given(start).see(phase="assign", active="yellow", garden="0 0 0 0", locks_left=1)
    assert isinstance(game.facts[0], GardenReturned)
    assert sum(game.state.bag) == everything
    game = game.when("yellow", f"assign {offices}").see(
        year=5, term=2, first="yellow", active="yellow", locks_left=2, wards={4: "..."}, boxes=boxes
    )
    dealt = [what for what, *_ in game.dice.asked]
    assert dealt == {3: ["zone-2", "garden"], 4: ["zone-3", "garden"], 5: ["garden"]}[players]
    assert sum(game.state.garden) == players + 2
    assert sum(game.state.bag) == everything - players - 2


def test_th_e31_final_scoring():
    """TH-E31: two points for each colour's most chips, one for each slander chip left; red wins."""
    chips = {"red": "4 irish 2 german", "yellow": "4 irish 1 english"}
    vp, slander = {"red": 10, "yellow": 9, "black": 12}, {"red": 3, "yellow": 1, "black": 0}
    game = given(position(3, year=16, phase="scoring", chips=chips, vp=vp, slander=slander, mayor="black"))
    game.see(phase="over", vp={"red": 17, "yellow": 14, "black": 12}, winners="red", active="")
    (scored,) = game.facts
    assert isinstance(scored, GameScored)
    lines = [(PAWNS[line["seat"]], line["for"], line["vp"]) for line in scored.lines]
    assert sorted(lines) == sorted(
        [
            ("red", "elections", 10), ("yellow", "elections", 9), ("black", "elections", 12),
            ("red", "irish", 2), ("yellow", "irish", 2), ("yellow", "english", 2), ("red", "german", 2),
            ("red", "slander", 3), ("yellow", "slander", 1),
        ]
    )  # fmt: skip


@pytest.mark.parametrize(
    "before, chips, mayor, winners",
    [
        (15, {"red": "4 irish", "yellow": "5 english"}, "red", "yellow"),
        (13, {"red": "2 irish 2 german", "yellow": "2 irish 2 german"}, "yellow", "yellow"),
        (13, {"red": "2 irish 2 german", "yellow": "2 irish 2 german"}, "black", "red yellow"),
        (13, {"red": "1 english 1 italian", "yellow": "1 german 1 italian"}, "yellow", "red"),
    ],
    ids="abcd",
)
def test_th_e32_final_ties(before, chips, mayor, winners):
    """TH-E32: more chips win, then the colours in order, then the mayor if tied, else the victory is shared."""
    vp, slander = {"red": before, "yellow": before, "black": 12}, {"red": 0, "yellow": 0, "black": 0}
    game = given(position(3, year=16, phase="scoring", chips=chips, vp=vp, slander=slander, mayor=mayor))
    game.see(vp={"red": 17, "yellow": 17, "black": 12}, winners=winners)
