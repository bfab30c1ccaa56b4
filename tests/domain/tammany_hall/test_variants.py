"""The variants of TH-17.3, each against its default, and each answering a question of TH-17.1."""

import pytest

from domain.tammany_hall import TAMMANY_HALL
from tests.domain.table.gamebook import Game
from tests.domain.tammany_hall.scenario import given, position


def test_th_17_3_the_variants_and_their_values():
    """TH-17.3: nine variants, the default first."""
    written = """chip-supply=35|25 lock-scope=sealed|placement-only leader-zero=none|all end-zero=none|all
        ward-bonus=optional|mandatory holdover-vp=3|0 second-slander-presence=required|not-required
        sealed-bid=replaceable|final final-tie=shared|mayor-wins"""
    offered = {f"{name}={'|'.join(values)}" for name, values in TAMMANY_HALL.options.items()}
    assert offered == set(written.split())


def test_th_1_7_who_chooses_nothing_plays_the_defaults():
    """TH-1.7: a game without a word on its variants is the game with every default named."""
    defaults = {name: values[0] for name, values in TAMMANY_HALL.options.items()}
    assert TAMMANY_HALL.decider.initial(4, {}) == TAMMANY_HALL.decider.initial(4, defaults)


@pytest.mark.parametrize("options", [{"lock-scope": "open"}, {"chips": "35"}, {"chip-supply": "30"}])
def test_th_1_7_there_are_no_other_variants(options):
    """TH-1.7: a variant or a value without a name here cannot be chosen."""
    with pytest.raises(ValueError, match="no variant"):
        TAMMANY_HALL.decider.initial(4, options)


@pytest.mark.parametrize("value, chips", [("35", 35), ("25", 25)])
def test_chip_supply(value, chips):
    """TH-17.3, chip-supply: 35 chips a colour, or 25, with everything else the same (TH-17.1, 3)."""
    state = TAMMANY_HALL.decider.initial(4, {"chip-supply": value})
    assert state.supply == [chips] * 4
    assert (state.bag, sum(map(sum, state.boxes.values()))) == ([19, 20, 21, 25], 15)


SEALED = {
    "year": 5,
    "wards": {8: "1 irish 1 english | red 1 yellow 1 | locked", 9: "2 irish", 5: "1 irish 1 german | red 1 yellow 1"},
    "chips": {"red": "4 irish"},
    "garden": "1 irish",
    "turn": "red",
}


@pytest.mark.parametrize(
    "office, line",
    [
        (None, "slander yellow 8 irish"),
        (None, "slander yellow 5 irish then 8"),
        ("police", "office police 8 irish"),
        ("precinct", "office move irish 8 9"),
    ],
)
def test_lock_scope_what_the_variant_allows(office, line):
    """TH-17.3, lock-scope: in the default a locked ward is sealed; in the variant slander, police, moving out go on."""
    offices = {"red": office} if office else {}
    given(position(**SEALED, offices=offices)).refused("red", line, "locked-ward")
    given(position(**SEALED, offices=offices, lock_scope="placement-only")).when("red", line)


@pytest.mark.parametrize("scope", ["sealed", "placement-only"])
@pytest.mark.parametrize(
    "office, line",
    [
        (None, "place 1 8"),
        (None, "settle boss 8 cube irish 1"),
        (None, "settle boss 1 cube irish 8"),
        ("precinct", "office move irish 9 8"),
    ],
)
def test_lock_scope_what_no_lock_allows(scope, office, line):
    """TH-17.3, lock-scope: placing is barred in both, and a move into the ward counts as placing."""
    offices = {"red": office} if office else {}
    given(position(**SEALED, offices=offices, lock_scope=scope)).refused("red", line, "locked-ward")


@pytest.mark.parametrize("scope", ["sealed", "placement-only"])
@pytest.mark.parametrize(
    "office, line",
    [(None, "slander yellow 17 irish"), ("police", "office police 17 irish"), ("precinct", "office move irish 17 11")],
)
def test_lock_scope_is_not_about_zones(scope, office, line):
    """TH-4.3: a ward that is not in play yet is out of reach in both."""
    offices = {"red": office} if office else {}
    given(position(3, year=5, turn="red", offices=offices, lock_scope=scope)).refused("red", line, "inactive-ward")


@pytest.mark.parametrize("scope", ["sealed", "placement-only"])
def test_lock_scope_no_bonus_cube_into_a_locked_ward(scope):
    """TH-17.1, 2: no variant lets a bonus cube in (TH-7.13)."""
    start = position(year=8, phase="election", wards={1: "... | red 1", 14: "... | locked"}, lock_scope=scope)
    given(start).refused("red", "bonus cube irish 14", "locked-ward")


@pytest.mark.parametrize(
    "value, chips, leaders",
    [("none", {"red": "3 irish", "yellow": ""}, {"irish": "red"}),
     ("all", {"red": "3 irish 3 english 3 german 3 italian", "yellow": "3 english 3 german 3 italian"},
      {"irish": "red", **dict.fromkeys(("english", "german", "italian"), "red yellow black")})],
)  # fmt: skip
def test_leader_zero(value, chips, leaders):
    """TH-17.3, leader-zero: a colour nobody holds brings nobody chips, or all players three (TH-17.1, 21)."""
    start = position(3, year=4, phase="election", wards={6: "... | red 1"}, leader_zero=value)
    given(start).see(chips=chips, leaders=leaders)


@pytest.mark.parametrize("value, vp", [("none", {"red": 2, "yellow": 0}), ("all", {"red": 8, "yellow": 6})])
def test_end_zero(value, vp):
    """TH-17.3, end-zero: a colour nobody has a chip of scores for nobody, or two for all (TH-17.1, 29)."""
    none_left = dict.fromkeys(("red", "yellow", "black"), 0)
    start = position(3, year=16, phase="scoring", chips={"red": "1 irish"}, slander=none_left, end_zero=value)
    given(start).see(vp=vp | {"black": vp["yellow"]}, winners="red")


@pytest.mark.parametrize("number, line", [(1, "bonus cube irish 3"), (4, "bonus favor irish")])
def test_ward_bonus(number, line):
    """TH-17.3, ward-bonus: it may be declined, or it must be taken (TH-17.1, 20)."""
    won = {"year": 4, "phase": "election", "wards": {number: "... | red 1"}}
    given(position(**won)).when("red", "bonus pass")
    given(position(**won)).when("red", line)
    given(position(**won, ward_bonus="mandatory")).refused("red", "bonus pass", "bonus-mandatory").when("red", line)


@pytest.mark.parametrize("value, vp", [("3", 3), ("0", 0)])
def test_holdover_vp(value, vp):
    """TH-17.3, holdover-vp: a mayor who stays by an unbroken tie scores three or none; offices are given anew."""
    offices = {"black": "mayor", "red": "deputy", "yellow": "police"}
    wards = {6: "... | red 1", 14: "... | yellow 1"}
    start = position(3, year=8, phase="election", wards=wards, offices=offices, holdover_vp=value)
    game = given(start).see(mayor="black", vp={"black": vp, "red": 1, "yellow": 2}, phase="assign", active="black")
    game.see(office={"black": "mayor", "red": None, "yellow": None})


@pytest.mark.parametrize("value, vp", [("3", 4), ("0", 4)])
def test_holdover_vp_is_about_nobody_else(value, vp):
    """TH-17.3, holdover-vp: a mayor who wins the election, the sitting one too, scores three in any case."""
    start = position(3, year=8, phase="election", wards={6: "... | red 1"}, mayor="red", holdover_vp=value)
    given(start).see(mayor="red", vp={"red": vp})


def test_second_slander_presence():
    """TH-17.3, second-slander-presence: an own boss is needed for the second step, or is not (TH-17.1, 14)."""
    wards = {8: "1 german | red 1 yellow 1", 14: "1 german | yellow 1"}
    scandal = {"year": 5, "turn": "red", "wards": wards, "chips": {"red": "3 german"}}
    line = "slander yellow 8 german then 14"
    given(position(**scandal)).refused("red", line, "no-own-boss")
    game = given(position(**scandal, second_slander_presence="not-required"))
    game.when("red", line).see(wards={8: "1 german | red 1", 14: "1 german"}, chips={"red": ""})


def test_second_slander_presence_is_about_the_second_step_alone():
    """TH-17.3, second-slander-presence: the first step needs an own boss, the second a rival's, in both."""
    wards = {8: "1 german | yellow 1", 14: "1 german | red 1 yellow 1", 15: "1 german | red 1"}
    scandal = {"year": 5, "turn": "red", "wards": wards, "chips": {"red": "3 german"}}
    game = given(position(**scandal, second_slander_presence="not-required"))
    game.refused("red", "slander yellow 8 german", "no-own-boss")
    game.refused("red", "slander yellow 14 german then 15", "no-target-boss")


def test_sealed_bid():
    """TH-17.3, sealed-bid: until the last bid is in a bid may be replaced, or it may not (TH-17.1, 18)."""
    wards = {6: "... | red 1 yellow 1"}
    bidding = {"year": 4, "phase": "election", "wards": wards, "chips": {"red": "2 irish", "yellow": "1 irish"}}
    game = given(position(**bidding)).when("red", "bid irish 2").when("red", "bid irish 1").when("yellow", "bid none")
    assert game.last[1].votes == {"0": 2, "1": 1}
    game = given(position(**bidding, sealed_bid="final")).when("red", "bid irish 2")
    game = game.refused("red", "bid irish 1", "already-bid").when("yellow", "bid none")
    assert game.last[1].votes == {"0": 3, "1": 1}


@pytest.mark.parametrize(
    "chosen, recorded", [({}, None), ({"final-tie": "shared"}, None), ({"final-tie": "mayor-wins"}, "mayor-wins")]
)
def test_a_later_variant_is_recorded_only_if_it_is_chosen(chosen, recorded):
    """TH-17.3, TH-1.7: the record of a default game is what it was before there was the variant."""
    table = Game(TAMMANY_HALL).open(options=chosen).table
    assert table.options.get("final-tie") == recorded
    assert set(TAMMANY_HALL.options) - set(table.options) <= TAMMANY_HALL.later_options
