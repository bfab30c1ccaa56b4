"""Positions with one right move, which comes first among the candidates, and what is said of it."""

import random

from domain.engine.game import Action
from domain.tammany_hall import TAMMANY_HALL
from domain.tammany_hall.rules.actions import BonusCube, BonusPass, End
from domain.tammany_hall.rules.state import State
from domain.tammany_hall.search.guidance import GUIDANCE
from tests.domain.tammany_hall.scenario import PAWNS, given, position


def best(state: State, pawn: str) -> list[str]:
    """The first candidate of a player, as lines of the notation."""
    return [TAMMANY_HALL.notation.write(action) for action in moves(state, pawn)[0]]


def moves(state: State, pawn: str, most: int = 8) -> list[tuple[Action, ...]]:
    seat = PAWNS.index(pawn)
    return list(GUIDANCE.candidates(TAMMANY_HALL.decider.blind(state, seat), seat, random.Random(1), most))


def why(state: State, pawn: str, number: int = 0) -> str:
    return str(GUIDANCE.reason(state, PAWNS.index(pawn), moves(state, pawn)[number]))


def bidding(**changes: object) -> State:
    """3 players, year 16; ward 6 is bid for, and no other is contested."""
    known: dict = {"year": 16, "phase": "election", "wards": {6: "1 irish | red 2 yellow 3"}} | changes
    return given(position(3, **known)).state


def test_th_9_10_the_only_bid_that_wins_comes_first():
    """TH-9.10: yellow cannot bid; two chips win, one ties, none loses."""
    state = bidding(chips={"red": "2 irish", "yellow": "3 italian"})
    assert best(state, "red") == ["bid irish 2"]
    assert why(state, "red") == "4 votes win ward 6, whatever the others bid."


def test_th_9_11_no_chip_is_spent_where_all_are_beaten_without():
    """TH-9.11: all chips bid are lost, and red has more bosses than yellow can reach."""
    state = bidding(wards={6: "1 irish | red 4 yellow 3"}, chips={"red": "2 irish"})
    assert best(state, "red") == ["bid none"]


def test_th_9_11_no_chip_is_spent_where_nothing_can_be_won():
    """TH-9.11: one chip is not enough against three bosses more."""
    state = bidding(wards={6: "1 irish | red 1 yellow 4"}, chips={"red": "1 irish"})
    assert best(state, "red") == ["bid none"]
    assert why(state, "red") == "Ward 6 cannot be won: 2 votes at best, and a rival has 4."


def test_th_9_8_chips_that_count_later_are_kept():
    """TH-9.8, TH-9.6: an english chip counts in ward 14, contested next; an irish one does not: it is spent first."""
    wards = {6: "1 irish 1 english | red 2 yellow 2", 14: "1 english | red 2 yellow 2"}
    state = bidding(year=8, wards=wards, chips={"red": "2 irish 2 english"})
    assert best(state, "red") == ["bid irish 1"]


def test_th_6_2_in_the_last_year_two_bosses_take_the_ward_that_two_can_take():
    """TH-6.2, TH-11.1: last turn of year 16. Ward 14 needs two more bosses, ward 6 needs five, the rest is red's."""
    wards = dict.fromkeys((1, 2, 4, 7, 9, 15, 8, 5, 3, 17, 11, 13, 10), "1 italian | red 3")
    wards |= {14: "1 irish | red 1 yellow 2", 6: "1 irish | yellow 5"}
    state = position(3, year=16, turn="red", first="yellow", wards=wards)
    assert best(state, "red") == ["place 14 14", "end"]
    assert why(state, "red") == "This takes the lead in ward 14: bosses 3 to 2."


def test_th_8_3_a_slander_that_turns_a_ward_comes_first():
    """TH-8.3, TH-9.3: last turn of year 12. Without its only boss yellow is no candidate, for all its chips."""
    wards = {14: "1 irish 1 german | red 1 yellow 1", 6: "1 irish | yellow 1 red 3"}
    chips = {"red": "1 german", "yellow": "5 irish"}
    state = position(3, year=12, turn="red", first="yellow", placed=True, wards=wards, chips=chips)
    assert best(state, "red") == ["slander yellow 14 german", "end"]
    assert why(state, "red") == "Slander drives yellow out of ward 14."


def test_th_8_2_no_slander_where_it_turns_nothing():
    """TH-8.2, TH-13.4: against four bosses one less changes nothing, and the slander chip is a point at the end."""
    wards = {14: "1 irish 1 german | red 1 yellow 5"}
    state = position(3, year=16, turn="red", first="yellow", placed=True, wards=wards, chips={"red": "2 german"})
    assert best(state, "red") == ["end"]


def test_th_12_1_the_leader_is_not_armed():
    """TH-12.1: yellow leads by far and gets the weakest office."""
    state = given(position(3, year=4, phase="election", wards={6: "... | red 1"}, vp={"yellow": 15, "black": 2})).state
    (assign,) = moves(state, "red")[0]
    assert assign.offices["police"] == PAWNS.index("yellow")
    assert "deputy" not in assign.offices or assign.offices["deputy"] == PAWNS.index("black")
    assert why(state, "red") == "yellow, who stands best of the others, becomes Chief of Police."


def test_th_6_7_with_no_boss_left_the_turn_only_ends():
    """TH-6.7: nothing can be placed, no office, no slander."""
    wards = dict.fromkeys((1, 2, 4, 7, 6, 14, 9, 15, 8), "1 irish | red 2") | {5: "1 irish | red 1"}
    state = position(3, year=5, turn="red", wards=wards)
    assert moves(state, "red") == [(End(),)]


def test_th_6_7_the_last_boss_is_placed_alone():
    """TH-6.7: with one boss left a campaign names one ward."""
    wards = dict.fromkeys((1, 2, 4, 7, 6, 14, 9, 15, 8), "1 irish | red 2")
    state = position(3, year=5, turn="red", wards=wards)
    lines = [[TAMMANY_HALL.notation.write(action) for action in move] for move in moves(state, "red")]
    assert len(lines) > 1
    assert all(len(line) == 2 and len(line[0].split()) == 2 for line in lines)


def test_th_7_11_nobody_is_slandered_behind_a_lock():
    """TH-7.11: the slander that would turn ward 14 is not even thought of while ward 14 is locked."""
    wards = {14: "1 irish 1 german | red 1 yellow 1 | locked"}
    chips = {"red": "1 german", "yellow": "5 irish"}
    state = position(3, year=12, turn="red", first="yellow", placed=True, wards=wards, chips=chips)
    assert state.wards[14].locked
    assert moves(state, "red") == [(End(),)]


def test_th_9_14_a_bonus_cube_comes_from_the_bag():
    """TH-9.14: the bag holds italian cubes alone."""
    state = given(
        position(3, year=4, phase="election", wards={1: "1 english | red 1"}, bag="25 italian", garden="")
    ).state
    found = [move[0] for move in moves(state, "red", most=40)]
    assert {bonus.cube for bonus in found if isinstance(bonus, BonusCube)} == {"italian"}
    assert BonusPass() in found


def test_th_9_14_a_bonus_cube_makes_a_leader():
    """TH-9.14, TH-10.2: red has won ward 1 with one english cube, yellow ward 2 has none: a cube more there leads."""
    state = given(
        position(3, year=4, phase="election", wards={1: "1 english | red 1", 2: "1 irish"}),
    ).state
    assert state.phase == "bonus"
    (bonus,) = moves(state, "red")[0]
    assert bonus.ward == 1
    assert why(state, "red").startswith("Ward 1 is won already")


def test_tempers_lean_where_their_names_say():
    """Cautious and patient seats like chips in hand, a vindictive one what its rival loses, an even one nothing."""
    before = position(3, year=8, turn="red", vp={"yellow": 9})
    richer = position(3, year=8, turn="red", vp={"yellow": 9}, chips={"red": "3 irish"})
    harmed = position(3, year=8, turn="red", vp={"yellow": 4})
    assert GUIDANCE.leans(before, richer, 0, "even") == 0
    assert GUIDANCE.leans(before, richer, 0, "cautious") > 0
    assert GUIDANCE.leans(before, richer, 0, "patient") > 0
    assert 0 < GUIDANCE.leans(before, harmed, 0, "vindictive") <= 0.2
