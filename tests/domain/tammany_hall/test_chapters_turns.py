"""Placement, offices, locks and slander: what TH-6, TH-7 and TH-8 say beyond the worked examples."""

import pytest

from domain.engine.refusals import RuleViolation
from domain.tammany_hall import TAMMANY_HALL
from domain.tammany_hall.rules.events import BidsRevealed, ImmigrantSettled, LocksLifted, OfficesAssigned
from tests.domain.tammany_hall.scenario import given, position
from tests.domain.tammany_hall.words import COLOURS, PAWNS

# TH-6


def test_th_6_1_campaign_or_settle_once():
    """TH-6.1: one of the two, and after it neither."""
    game = given(position(turn="red", garden="2 irish"))
    for first in ("place 1 2", "settle boss 1 cube irish 2"):
        done = game.when("red", first)
        done.refused("red", "place 1 2", "already-placed")
        done.refused("red", "settle boss 1 cube irish 2", "already-placed")


def test_th_6_2_campaign_in_one_ward_or_two():
    """TH-6.2: two own pawns, in the same open ward or in different ones."""
    game = given(position(turn="red"))
    game.when("red", "place 3 3").see(wards={3: "... | red 2"}, bosses_left={"red": 17})
    game.when("red", "place 3 14").see(wards={3: "... | red 1", 14: "... | red 1"}, bosses_left={"red": 17})


def test_th_6_3_settle_in_one_ward_or_two():
    """TH-6.3: a pawn, a cube and a chip of its colour, in the same open ward or in different ones."""
    game = given(position(turn="red", garden="1 italian 1 irish"))
    game.when("red", "settle boss 3 cube italian 3").see(
        wards={3: "1 german 1 italian | red 1"}, chips={"red": "1 italian"}, garden="1 irish", bosses_left={"red": 18}
    )
    game.when("red", "settle boss 3 cube irish 14").see(
        wards={3: "1 german | red 1", 14: "2 irish"}, chips={"red": "1 irish"}, garden="1 italian"
    )


def test_th_6_4_the_cube_comes_from_the_garden():
    """TH-6.4: a colour that is in the bag and in the ward but not in the garden cannot be settled."""
    game = given(position(turn="red", garden="1 irish", wards={3: "1 german"}))
    for colour in COLOURS[1:]:
        game.refused("red", f"settle boss 3 cube {colour} 3", "cube-not-in-garden")


def test_th_6_5_no_limit_to_pawns_or_cubes():
    """TH-6.5: a ward holds any number of both."""
    wards = {3: "20 german 9 italian | red 17 yellow 19 black 19"}
    given(position(3, year=5, turn="red", wards=wards, garden="1 german")).when("red", "place 3 3").see(
        wards={3: "20 german 9 italian | red 19 yellow 19 black 19"}
    )
    given(position(3, year=5, turn="red", wards=wards, garden="1 german")).when("red", "settle boss 3 cube german 3")


@pytest.mark.parametrize("red", [0, 17, 18])
def test_th_6_6_no_end_before_the_placement(red):
    """TH-6.6: while a pawn is available the turn cannot end without one, whatever else was done."""
    wards = {3: f"... | red {red}", 8: "1 german | yellow 1"}
    start = position(year=5, turn="red", wards=wards, offices={"yellow": "deputy"}, chips={"red": "1 german"})
    game = given(start).refused("red", "end", "must-place-first")
    game.when("red", "place 3" if red == 18 else "place 3 3", "end").see(active="yellow")


def test_th_6_6_an_office_used_is_no_placement():
    """TH-6.6: nor is a slander."""
    wards = {8: "1 german | red 1 yellow 1"}
    start = position(year=5, turn="red", offices={"red": "deputy"}, wards=wards, chips={"red": "1 german"})
    given(start).when("red", "office favor irish", "slander yellow 8 german").refused("red", "end", "must-place-first")


def test_th_6_7_too_few_pawns():
    """TH-6.7: the last pawn can also settle; with none not even a cube is placed, and the turn may end."""
    game = given(position(turn="red", wards={3: "... | red 18"}, garden="2 irish"))
    game.refused("red", "place 3 3", "no-boss-left")
    game.when("red", "settle boss 3 cube irish 3").see(bosses_left={"red": 0}).when("red", "end").see(active="yellow")
    game = given(position(turn="red", wards={3: "... | red 19"}, garden="2 irish"))
    game.refused("red", "settle boss 3 cube irish 3", "no-boss-left").when("red", "end").see(garden="2 irish")


def test_th_6_7_with_two_or_more_a_campaign_is_two():
    """TH-6.7: one is not enough."""
    for red in (0, 17):
        game = given(position(turn="red", wards={3: f"... | red {red}"})).refused("red", "place 3", "must-place-two")
        game.when("red", "place 3 3")


def test_th_6_9_settling_without_a_chip():
    """TH-6.9: the supply has no chip of the colour: it is legal and brings none."""
    start = position(turn="red", garden="1 irish", supply="0 35 35 35")
    given(start).when("red", "settle boss 3 cube irish 14").then(ImmigrantSettled(0, 3, "irish", 14, chips=0)).see(
        chips={"red": ""}, supply="0 35 35 35", wards={14: "2 irish"}, garden="0 0 0 0"
    )


def test_th_6_10_the_order_of_the_two_pieces_does_not_matter():
    """TH-6.10: both are judged by the state before: the cube does not open a ward for the pawn."""
    game = given(position(turn="red"))
    assert game.when("red", "place 3 14").state == game.when("red", "place 14 3").state
    closed = given(position(3, turn="red", garden="1 irish"))
    closed.refused("red", "settle boss 17 cube irish 17", "inactive-ward")
    last = given(position(turn="red", wards={3: "... | red 18"})).when("red", "place 3")
    last.refused("red", "place 3", "already-placed")


# TH-7

BENEFITS = {
    "deputy": "office favor irish",
    "council": "office lock 3",
    "police": "office police 6 irish",
    "precinct": "office move irish 6 5",
}


@pytest.mark.parametrize("office", [None, "mayor", *BENEFITS])
def test_th_7_1_and_7_4_each_office_has_its_own_benefit(office):
    """TH-7.1, TH-7.4: four offices with one benefit each; the mayor has none, nor has who holds no office."""
    offices = {"red": office} if office else {}
    game = given(position(year=5, turn="red", offices=offices, wards={6: "2 irish"}))
    for held, line in BENEFITS.items():
        if held == office:
            game.when("red", line).see(turn={"seat": 0, "placed": False, "office_used": True})
        else:
            game.refused("red", line, "office-not-held")


@pytest.mark.parametrize("office", BENEFITS)
def test_th_7_2_once_a_year_and_not_saved_up(office):
    """TH-7.2: once in each own turn, before or after the placement, or not at all."""
    game = given(position(3, year=5, turn="red", offices={"red": office}, wards={6: "4 irish"}))
    later = game.when("red", "place 1 1").when("red", BENEFITS[office])
    later.refused("red", BENEFITS[office], "office-used")
    unused = game.when("red", "place 1 1", "end").idle(6, "red")
    unused.when("red", BENEFITS[office]).refused("red", BENEFITS[office], "office-used")


def test_th_7_3_nobody_has_an_office_before_the_first_mayor():
    """TH-7.3: not in years 1 to 4, nor later as long as no mayor has been elected."""
    nobody = dict.fromkeys(PAWNS[:3])
    game = given(TAMMANY_HALL.decider.initial(3, {}))
    for year in range(1, 5):
        game = game.idle(year).see(office=nobody, mayor=None)
    tied = position(3, year=4, phase="election", wards={6: "... | red 1", 14: "... | yellow 1"})
    game = given(tied).see(year=5, active="red", office=nobody)
    for line in BENEFITS.values():
        game.refused("red", line, "office-not-held")


def test_th_7_5_the_deputy_mayor_takes_any_colour():
    """TH-7.5: one chip of the supply."""
    game = given(position(year=5, turn="red", offices={"red": "deputy"}))
    for colour in COLOURS:
        game.when("red", f"office favor {colour}").see(chips={"red": f"1 {colour}"}, supply=f"34 {colour}")


def test_th_7_6_and_7_8_the_last_cube_of_a_colour_but_not_of_a_ward():
    """TH-7.6, TH-7.8: at least two of all colours together; into the bag, not into the garden."""
    start = position(year=5, turn="red", offices={"red": "police"}, wards={3: "1 german 1 italian"}, garden="1 irish")
    game = given(start).when("red", "office police 3 italian")
    game.see(wards={3: "1 german"}, bag="25 italian", garden="1 irish", supply="35 35 35 35")
    given(start).refused("red", "office police 7 german", "last-cube")


def test_th_7_7_and_7_8_a_cube_moves_next_door():
    """TH-7.7, TH-7.8: from a ward of two or more; no chip, and nothing goes through the bag."""
    wards = {3: "1 german 1 italian"}
    start = position(year=5, turn="red", offices={"red": "precinct"}, wards=wards)
    bag = given(start).view["bag"]
    game = given(start).when("red", "office move italian 3 5")
    game.see(wards={3: "1 german", 5: "1 english 1 italian"}, chips={"red": ""}, supply="35 35 35 35")
    assert game.view["bag"] == bag
    given(start).refused("red", "office move german 7 4", "last-cube")


@pytest.mark.parametrize("pawns", ["", "red 2", "yellow 1", "red 1 yellow 3"])
def test_th_7_9_any_active_ward_can_be_locked(pawns):
    """TH-7.9: whoever has pawns there or not."""
    game = given(position(year=5, turn="red", offices={"red": "council"}, wards={3: f"... | {pawns}"}))
    game.when("red", "office lock 3").see(wards={3: f"... | {pawns} | locked"}, locks_left=1)


def test_th_7_10_one_lock_a_year_two_in_a_term():
    """TH-7.10: and two again in the next term."""
    start = position(3, year=5, turn="red", offices={"yellow": "mayor", "red": "council"})
    game = given(start).when("red", "office lock 3").idle(6, "red").when("red", "office lock 4").idle(7, "red")
    game.refused("red", "office lock 5", "lock-limit").idle(8, "red").refused("red", "office lock 5", "lock-limit")
    assert game.idle(9).view["locks_left"] == 2


LOCKED = {
    "year": 5,
    "turn": "red",
    "wards": {8: "2 irish | red 1 yellow 1 | locked", 9: "2 irish | red 1 yellow 1", 5: "2 irish"},
    "chips": {"red": "4 irish"},
    "garden": "1 irish",
}


@pytest.mark.parametrize(
    "office, line",
    [
        *[(office, "place 8 8") for office in (*BENEFITS, "mayor", None)],
        (None, "place 1 8"),
        (None, "place 8 1"),
        ("council", "settle boss 8 cube irish 1"),
        ("council", "settle boss 1 cube irish 8"),
        ("police", "office police 8 irish"),
        ("precinct", "office move irish 8 5"),
        ("precinct", "office move irish 5 8"),
        ("council", "slander yellow 8 irish"),
        ("mayor", "slander yellow 8 irish"),
        ("council", "slander yellow 8 irish then 9"),
        (None, "slander yellow 9 irish then 8"),
    ],
)
def test_th_7_11_a_locked_ward_is_sealed_for_everybody(office, line):
    """TH-7.11: nothing goes in, nothing comes out, nobody is slandered there, the Council President included."""
    offices = {"red": office} if office else {}
    given(position(**LOCKED, offices=offices)).refused("red", line, "locked-ward")
    unlocked = LOCKED | {"wards": {number: text.removesuffix(" | locked") for number, text in LOCKED["wards"].items()}}
    given(position(**unlocked, offices=offices)).when("red", line)


def test_th_7_12_a_locked_ward_is_elected_as_usual():
    """TH-7.12: bid for, won, cleared of pawns; its cubes count for the leaders."""
    wards = {8: "2 italian | red 2 yellow 2 | locked"}
    chips = {"red": "1 italian", "yellow": "1 italian"}
    game = given(position(3, year=8, phase="election", wards=wards, chips=chips)).see(ward=8, active="red yellow")
    game = game.when("red", "bid italian 1").when("yellow", "bid none")
    assert isinstance(game.last[1], BidsRevealed)
    game.see(wards={8: "2 italian | red 1 | locked"}, leaders={"italian": "red"}, chips={"red": "3 italian"})
    game.see(vp={"red": 4})


def test_th_7_13_a_lock_outlasts_the_ward_elections():
    """TH-7.13: it keeps a bonus cube out, and is still there when the mayor is asked."""
    wards = {1: "... | red 1", 3: "... | locked"}
    game = given(position(year=8, phase="election", wards=wards)).refused("red", "bonus cube irish 3", "locked-ward")
    game.when("red", "bonus cube irish 1").see(phase="assign", wards={3: "... | locked"}, locks_left=1)


def test_th_7_14_the_locks_come_off_at_the_end_of_the_election():
    """TH-7.14: after the offices are assigned; without a mayor, or at the end of the game, after the points."""
    wards = {6: "... | red 1", 3: "... | locked", 9: "... | locked"}
    game = given(position(3, year=8, phase="election", wards=wards)).see(phase="assign", locks_left=0)
    game = game.when("red", "assign deputy yellow police black").see(wards={3: "...", 9: "..."}, locks_left=2)
    assert [type(fact) for fact in game.last[:2]] == [OfficesAssigned, LocksLifted]
    given(position(3, year=16, phase="election", wards=wards)).see(phase="over", wards={3: "..."}, locks_left=2)
    tied = {6: "... | red 1", 14: "... | yellow 1 | locked"}
    given(position(3, year=4, phase="election", wards=tied)).see(year=5, wards={14: "... | yellow 1"}, locks_left=2)


# TH-8

SCANDAL = {"wards": {7: "1 german | red 1 yellow 1", 4: "1 german | red 1 yellow 2"}, "chips": {"red": "4 german"}}


@pytest.mark.parametrize("year", range(1, 17))
@pytest.mark.parametrize("mayor", [None, "black"])
def test_th_8_1_slander_in_terms_2_3_and_4(year, mayor):
    """TH-8.1: from year 5 to year 16, with a mayor or without."""
    game = given(position(3, year=year, turn="red", mayor=mayor, **SCANDAL))
    if year < 5:
        game.refused("red", "slander yellow 7 german", "slander-too-early")
    else:
        game.when("red", "slander yellow 7 german").see(wards={7: "1 german | red 1"}, slandered={"red": True})


def test_th_8_2_once_a_term_and_one_player_only():
    """TH-8.2: not again in the next years of the term, nor another player; again in the next term."""
    wards = {7: "1 german | red 1 yellow 1 black 1"}
    game = given(position(3, year=5, turn="red", wards=wards, chips={"red": "4 german"}))
    game = game.when("red", "slander yellow 7 german").refused("red", "slander black 7 german", "slander-used")
    game = game.when("red", "place 1 1", "end")
    for year in (6, 7, 8):
        game = game.idle(year, "red").refused("red", "slander black 7 german", "slander-used")
    game.idle(9, "red").see(slandered={"red": False}, slander={"red": 2})


def test_th_8_2_an_unused_chip_is_no_second_slander():
    """TH-8.2: who let a term pass has three chips in the next, and one slander."""
    game = given(position(3, year=9, turn="red", **SCANDAL)).see(slander={"red": 3})
    game = game.when("red", "slander yellow 4 german").see(slander={"red": 2})
    game.refused("red", "slander yellow 4 german", "slander-used")


@pytest.mark.parametrize(
    "pawns, left", [("red 1 yellow 3", "red 1 yellow 2"), ("red 2 yellow 1 black 1", "red 2 black 1")]
)
def test_th_8_3_one_pawn_of_one_player_leaves(pawns, left):
    """TH-8.3: one of the target's pawns and nobody else's, for a slander chip and one chip of the colour."""
    start = position(year=5, turn="red", wards={8: f"1 german 1 irish | {pawns}"}, chips={"red": "2 german 1 irish"})
    game = given(start).when("red", "slander yellow 8 german").see(wards={8: f"1 german 1 irish | {left}"})
    game.see(chips={"red": "1 german 1 irish"}, slander={"red": 2}, supply="34 35 34 35")


def test_th_8_3_without_a_slander_chip_there_is_none():
    """TH-8.3: the chip is part of the price."""
    start = position(year=5, turn="red", slander={"red": 0}, **SCANDAL)
    given(start).refused("red", "slander yellow 7 german", "slander-used")


def test_th_8_3_the_last_slander_chip_is_as_good_as_the_first():
    """TH-8.3: a chip is needed, not two."""
    given(position(year=13, turn="red", slander={"red": 1}, **SCANDAL)).when("red", "slander yellow 7 german").see(
        slander={"red": 0}, wards={7: "1 german | red 1"}
    )


def test_th_8_4_the_second_step():
    """TH-8.4: a neighbouring ward, the same target and colour, two more chips of it and no slander chip."""
    game = given(position(year=5, turn="red", **SCANDAL)).when("red", "slander yellow 7 german then 4")
    game.see(wards={7: "1 german | red 1", 4: "1 german | red 1 yellow 1"}, chips={"red": "1 german"})
    game.see(slander={"red": 2}, supply="34 german")


def test_th_8_4_the_three_chips_are_of_one_colour():
    """TH-8.4: others do not help out."""
    start = position(year=5, turn="red", wards=SCANDAL["wards"], chips={"red": "2 german 5 irish"})
    given(start).refused("red", "slander yellow 7 german then 4", "not-enough-chips")


def test_th_8_5_no_third_step_and_never_the_same_ward():
    """TH-8.5: there is no line for a third; the second ward is another one."""
    game = given(position(year=5, turn="red", **SCANDAL))
    game.refused("red", "slander yellow 7 german then 4 then 7", "bad-syntax")
    game.refused("red", "slander yellow 4 german then 4", "not-adjacent")


def test_th_8_6_three_chips_go_to_the_supply():
    """TH-8.6: in all, of one colour."""
    start = position(year=5, turn="red", wards=SCANDAL["wards"], chips={"red": "3 german"})
    given(start).see(supply="32 german").when("red", "slander yellow 7 german then 4").see(
        supply="35 german", chips={"red": ""}
    )


def test_th_8_7_both_steps_or_none():
    """TH-8.7: an illegal second step refuses the first, and the player may still slander."""
    game = given(position(year=5, turn="red", **SCANDAL))
    with pytest.raises(RuleViolation):
        game.when("red", "slander yellow 7 german then 13")
    game.see(wards={7: "1 german | red 1 yellow 1"}, slander={"red": 3}, chips={"red": "4 german"})
    game.when("red", "slander yellow 7 german")
