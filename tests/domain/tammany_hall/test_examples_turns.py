"""The worked examples of setup and of turns: TH-E1 to TH-E13, and TH-E34."""

import pytest

from domain.tammany_hall import TAMMANY_HALL
from domain.tammany_hall.rules.events import (
    BossesPlaced,
    BossSlandered,
    FavorGranted,
    ImmigrantExpelled,
    ImmigrantMoved,
    ImmigrantSettled,
    WardLocked,
)
from domain.tammany_hall.rules.state import State
from tests.domain.tammany_hall.scenario import DEAL_A, given, position
from tests.domain.tammany_hall.words import COLOURS, ZONES

NO_CUBES = "0 0 0 0"


def opened(players, seed=0, **draws):
    return given(TAMMANY_HALL.decider.initial(players, {}), seed=seed, **draws)


@pytest.mark.parametrize("seed", range(8))
def test_th_e1_setup_for_three_players(seed):
    """TH-E1: bag 85, zone I dealt with an irish cube in ward 14, boxes II and III full, five cubes drawn."""
    assert TAMMANY_HALL.decider.initial(3, {}).bag == [19, 20, 21, 25]
    game = opened(3, seed)
    dealt = {number: game.view["wards"][str(number)]["cubes"] for number in ZONES[1]}
    assert all(sum(cubes.values()) == 1 for cubes in dealt.values())
    assert dealt.pop(14)["irish"] == 1
    assert [sum(cubes[colour] for cubes in dealt.values()) for colour in COLOURS] == [1, 2, 2, 0]
    game.see(boxes={1: NO_CUBES, 2: "2 2 1 0", 3: "2 1 1 0"}, inactive={9, 15, 8, 5, 3, 17, 11, 13, 10})
    assert (sum(game.state.bag), sum(game.state.garden)) == (80, 5)


@pytest.mark.parametrize(
    "players, inactive, box_3, drawn, bag",
    [(4, {17, 11, 13, 10}, "2 1 1 0", 6, 79), (5, set(), NO_CUBES, 7, 78)],
)
def test_th_e2_setup_for_four_and_five_players(players, inactive, box_3, drawn, bag):
    """TH-E2: eleven active wards and a full box III with four players, fifteen and empty boxes with five."""
    game = opened(players).see(inactive=inactive, boxes={1: NO_CUBES, 2: NO_CUBES, 3: box_3})
    assert (sum(game.state.bag), sum(game.state.garden)) == (bag, drawn)


def test_th_e3a_a_garden_with_a_cube_is_not_filled():
    """TH-E3 (a): one cube at the start of a turn, no draw."""
    game = given(position(4, turn="yellow", garden="1 irish")).when("yellow", "place 1 1", "end")
    game.see(active="black", garden="1 irish")
    assert game.dice.asked == []


def test_th_e3b_a_short_bag_gives_what_it_has():
    """TH-E3 (b): an empty garden and a bag of three: garden three, bag none."""
    game = given(position(4, turn="yellow", bag="1 irish 2 german")).when("yellow", "place 1 1", "end")
    game.see(active="black", garden="1 irish 2 german", bag=NO_CUBES)


def no_cube_left() -> State:
    wards, offices = {6: "2 irish"}, {"black": "police"}
    return position(4, year=5, turn="yellow", bag=NO_CUBES, wards=wards, offices=offices)


def test_th_e3c_without_any_cube_one_campaigns():
    """TH-E3 (c): garden and bag empty: no draw, no settling, a campaign is legal."""
    game = given(no_cube_left()).when("yellow", "place 1 1", "end").see(active="black", garden=NO_CUBES, bag=NO_CUBES)
    assert game.dice.asked == []
    game.refused("black", "settle boss 5 cube irish 7", "cube-not-in-garden").when("black", "place 5 7")


def test_th_e3d_a_cube_returned_to_the_bag_is_drawn_at_the_next_turn():
    """TH-E3 (d): the Chief of Police puts one cube into the empty bag; the garden gets it when the next turn starts."""
    game = given(no_cube_left()).when("yellow", "place 1 1", "end").when("black", "office police 6 irish")
    game.see(active="black", bag="1 0 0 0", garden=NO_CUBES, wards={6: "1 irish"})
    game = game.when("black", "place 5 7").see(garden=NO_CUBES)
    game.when("black", "end").see(active="purple", bag=NO_CUBES, garden="1 irish")


def test_th_e4_settle():
    """TH-E4: pawn in 5, cube in 7, an irish chip; the bag does not change, 18 pawns are left."""
    before = position(turn="red", garden="3 irish 2 english 1 german 1 italian")
    given(before).see(bag="16 18 20 24").when("red", "settle boss 5 cube irish 7").then(
        ImmigrantSettled(0, boss=5, cube="irish", ward=7, chips=1)
    ).see(
        wards={5: "1 english | red 1", 7: "1 irish 1 german"},
        garden="2 2 1 1",
        chips={"red": "1 irish"},
        supply="34 35 35 35",
        bag="16 18 20 24",
        bosses_left={"red": 18},
    )


def test_th_e5_campaign():
    """TH-E5: two pawns in 14; not into ward 9 yet, nor ward 12; not nothing, and not twice."""
    (
        given(position(3, turn="red"))
        .refused("red", "place 14 9", "inactive-ward")
        .refused("red", "place 12 14", "unknown-ward")
        .refused("red", "end", "must-place-first")
        .when("red", "place 14 14")
        .then(BossesPlaced(0, [14, 14]))
        .see(wards={14: "1 irish | red 2"}, bosses_left={"red": 17})
        .refused("red", "place 1 2", "already-placed")
    )


def with_red_pawns(pawns):
    wards = {3: f"1 german | red {pawns}"}
    return given(position(year=5, turn="red", offices={"red": "deputy"}, wards=wards, garden="1 irish"))


def test_th_e6_two_pawns_left():
    """TH-E6: an office and 16 pawns on wards leave two, and both must be placed."""
    with_red_pawns(16).see(bosses_left={"red": 2}).refused("red", "place 3", "must-place-two")


def test_th_e6_one_pawn_left():
    """TH-E6: 17 on wards leave one: place it alone, and the turn may end."""
    game = with_red_pawns(17).see(bosses_left={"red": 1}).refused("red", "place 3 3", "no-boss-left")
    game.when("red", "place 3").see(bosses_left={"red": 0}).when("red", "end").see(active="yellow")


def test_th_e6_no_pawn_left():
    """TH-E6: 18 on wards leave none: no placement, and the turn may end."""
    game = with_red_pawns(18).see(bosses_left={"red": 0}).refused("red", "place 3", "no-boss-left")
    game.refused("red", "settle boss 3 cube irish 3", "no-boss-left").when("red", "end").see(active="yellow")


def test_th_e7_chief_of_police():
    """TH-E7: a german cube of ward 4 goes into the bag; not a colour that is not there, nor a last cube, nor twice."""
    crowded = {"year": 5, "wards": {4: "1 irish 1 german"}, "offices": {"red": "police"}, "garden": "1 german"}
    (
        given(position(turn="red", **crowded))
        .see(bag="20 german")
        .refused("red", "office police 4 english", "cube-not-in-ward")
        .refused("red", "office police 14 irish", "last-cube")
        .when("red", "office police 4 german")
        .then(ImmigrantExpelled(0, 4, "german"))
        .see(wards={4: "1 irish"}, bag="21 german", garden="1 german", chips={"red": ""})
        .refused("red", "office police 4 irish", "office-used")
    )
    for other in ("yellow", "black", "purple", "brown"):
        given(position(turn=other, **crowded)).refused(other, "office police 4 german", "office-not-held")


def test_th_e8_precinct_chairman():
    """TH-E8: an irish cube moves from 6 to 5, over no corner, and not ward 14's last; no chip is gained."""
    (
        given(position(year=5, turn="red", offices={"red": "precinct"}, wards={6: "2 irish 1 english"}))
        .refused("red", "office move irish 6 7", "not-adjacent")
        .refused("red", "office move irish 6 8", "not-adjacent")
        .refused("red", "office move irish 14 17", "last-cube")
        .when("red", "office move irish 6 5")
        .then(ImmigrantMoved(0, "irish", 6, 5))
        .see(wards={6: "1 irish 1 english", 5: "1 irish 1 english"}, chips={"red": ""}, supply="35 35 35 35")
    )


def test_th_e8_precinct_chairman_and_a_zone_not_in_play():
    """TH-E8: with three players in year 5 ward 10 is not there yet."""
    game = given(position(3, year=5, turn="red", offices={"red": "precinct"}, wards={6: "2 irish 1 english"}))
    game.refused("red", "office move irish 6 10", "inactive-ward")


def test_th_e9_council_president():
    """TH-E9: two locks in a term; a locked ward is sealed for everybody, until the election is over."""
    offices = {"yellow": "council", "red": "police", "black": "precinct", "purple": "deputy", "brown": "mayor"}
    wards = {9: "2 irish | red 1 brown 1", 15: "2 irish", 8: "1 irish 1 english | red 1 brown 1"}
    chips = {"brown": "3 irish"}
    garden = "1 irish 1 english 1 german 1 italian"
    start = position(year=5, turn="yellow", first="brown", offices=offices, wards=wards, chips=chips, garden=garden)
    game = given(start).when("yellow", "office lock 9").then(WardLocked(1, 9))
    game.see(locks_left=1, wards={9: "2 irish | red 1 brown 1 | locked"})
    game.refused("yellow", "office lock 14", "office-used").refused("yellow", "place 9 9", "locked-ward")
    for colour in COLOURS:
        game.refused("yellow", f"settle boss 8 cube {colour} 9", "locked-ward")
    game = game.when("yellow", "place 1 1", "end")
    game.refused("black", "office move irish 9 15", "locked-ward")
    game.refused("black", "office move irish 15 9", "locked-ward")
    game = game.when("black", "place 2 2", "end").when("purple", "place 4 4", "end").see(year=6, active="brown")
    game.refused("brown", "slander red 9 irish", "locked-ward")
    game.refused("brown", "slander red 8 irish then 9", "locked-ward")
    game.when("brown", "slander red 8 irish").see(wards={8: "1 irish 1 english | brown 1"})
    game = game.when("brown", "place 7 7", "end").refused("red", "office police 9 irish", "locked-ward")
    game = game.when("red", "place 3 3", "end").refused("yellow", "office lock 9", "already-locked")
    game = game.when("yellow", "office lock 14").see(locks_left=0).idle(7, "yellow")
    game.refused("yellow", "office lock 2", "lock-limit")
    game = game.idle(9)
    game.see(term=3, locks_left=2)
    assert not any(it["locked"] for it in game.view["wards"].values())


def test_th_e10_deputy_mayor():
    """TH-E10: a german chip, or of a colour the supply still has."""
    deputy = {"year": 5, "turn": "red", "offices": {"red": "deputy"}}
    game = given(position(**deputy)).when("red", "office favor german").then(FavorGranted(0, "german"))
    game.see(chips={"red": "1 german"}, supply="35 35 34 35")
    game = given(position(**deputy, supply="35 35 0 35")).refused("red", "office favor german", "chip-supply-empty")
    game.when("red", "office favor irish").see(chips={"red": "1 irish"}, supply="34 35 0 35")


def scandal(year=5, german=3):
    """The position of TH-E11; yellow also stands in ward 15, for TH-E12."""
    wards = {
        8: "1 english 1 german | red 1 yellow 1",
        14: "1 irish 2 german | red 1 yellow 2",
        5: "2 english | red 1 yellow 1",
        10: "1 german | red 1 yellow 1",
        15: "... | yellow 1",
    }
    chips = {"red": f"{german} german"}
    return given(position(year=year, turn="red", wards=wards, chips=chips, garden="1 irish"))


def test_th_e11_slander_the_rulebooks_example():
    """TH-E11: yellow leaves ward 8 and one pawn ward 14; three german chips and one slander chip are spent."""
    game = scandal().see(supply="32 german", bosses_left={"red": 15, "yellow": 13})
    game.when("red", "slander yellow 8 german then 14").then(
        BossSlandered(0, target=1, ward=8, favor="german", then=14, chips=3, slander=1)
    ).see(
        wards={8: "1 english 1 german | red 1", 14: "1 irish 2 german | red 1 yellow 1"},
        chips={"red": ""},
        slander={"red": 2, "yellow": 3},
        supply="35 german",
        bosses_left={"red": 15, "yellow": 15},
    )


@pytest.mark.parametrize(
    "line, code",
    [
        ("slander yellow 8 german then 5", "colour-not-in-ward"),
        ("slander yellow 8 german then 10", "not-adjacent"),
        ("slander yellow 8 german then 8", "not-adjacent"),
        ("slander yellow 8 irish", "colour-not-in-ward"),
        ("slander red 8 german", "slander-self"),
        ("slander black 8 german", "no-target-boss"),
        ("slander yellow 15 irish", "no-own-boss"),
    ],
)
def test_th_e12_slanders_that_are_refused(line, code):
    """TH-E12: the second ward lacks the colour, is no neighbour, is the same; the colour, the rival, the boss miss."""
    scandal().refused("red", line, code)


def test_th_e12_two_chips_pay_for_one_step_only():
    """TH-E12: with two german chips both steps are refused and ward 8 is untouched; the first alone is legal."""
    game = scandal(german=2).refused("red", "slander yellow 8 german then 14", "not-enough-chips")
    game.see(wards={8: "1 english 1 german | red 1 yellow 1"}, chips={"red": "2 german"})
    game.when("red", "slander yellow 8 german").see(wards={8: "1 english 1 german | red 1"}, chips={"red": "1 german"})


def test_th_e12_one_slander_a_term():
    """TH-E12: after a legal slander another in the same term is refused, in the same turn and in the next year."""
    game = scandal().when("red", "slander yellow 8 german").refused("red", "slander yellow 10 german", "slander-used")
    game.idle(6, "red").refused("red", "slander yellow 10 german", "slander-used")


def test_th_e12_no_slander_in_year_4():
    """TH-E12: the same in year 4 is too early."""
    scandal(year=4).refused("red", "slander yellow 8 german then 14", "slander-too-early")
    scandal(year=4).refused("red", "slander yellow 8 german", "slander-too-early")


def test_th_e13_free_order():
    """TH-E13: first settle a german cube and a boss in ward 8, then slander there with the chip just taken."""
    game = given(position(year=5, turn="red", wards={8: "1 english | yellow 1"}, garden="1 german 1 irish"))
    game.refused("red", "slander yellow 8 german", "no-own-boss")
    game.when("red", "settle boss 8 cube german 8", "slander yellow 8 german").see(
        wards={8: "1 english 1 german | red 1"}, chips={"red": ""}, slander={"red": 2}
    )


def two_years():
    """The play of TH-E34, up to the first turn of year 3."""
    first_draw = "2 irish 1 english 1 german 1 italian"
    return (
        opened(3, first_player="yellow", zone_1=DEAL_A["zone_1"], garden=first_draw)
        .see(year=1, first="yellow", active="yellow", garden="2 1 1 1", bag="17 19 20 24")
        .when("yellow", "settle boss 14 cube irish 14", "end")
        .when("black", "place 6 7", "end")
        .when("red", "settle boss 4 cube italian 2", "end")
        .see(year=2, active="yellow", garden="1 1 1 0")
        .when("yellow", "settle boss 14 cube german 6", "end")
        .when("black", "settle boss 6 cube english 6", "end")
        .when("red", "settle boss 7 cube irish 7", "end")
    )


def test_th_e34_two_years_of_play():
    """TH-E34: year 3 begins with yellow and a draw of five; chips, pawns and cubes are as listed."""
    game = two_years().see(
        year=3,
        active="yellow",
        first="yellow",
        chips={"red": "1 irish 1 italian", "yellow": "1 irish 1 german", "black": "1 english"},
        supply="33 34 34 34",
        bosses_left={"red": 17, "yellow": 17, "black": 16},
        wards={
            1: "1 english",
            2: "1 english 1 italian",
            4: "1 german | red 1",
            7: "1 irish 1 german | red 1 black 1",
            6: "1 irish 1 english 1 german | black 2",
            14: "2 irish | yellow 2",
        },
    )
    assert (sum(game.state.garden), sum(game.state.bag)) == (5, 75)
    assert [what for what, *_ in game.dice.asked] == ["first-player", "zone-1", "garden", "garden"]
