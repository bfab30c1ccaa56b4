"""Conventions, components, board, time and the Castle Garden: what TH-1 to TH-5 say beyond the worked examples."""

import itertools

import pytest

from domain.tammany_hall import TAMMANY_HALL
from domain.tammany_hall.rules.board import BORDERS
from domain.tammany_hall.rules.board import ELECTION_ORDER as ORDER
from domain.tammany_hall.rules.events import (
    GardenFilled,
    GardenReturned,
    OfficesAssigned,
    TurnBegan,
    WardResolved,
    YearBegan,
    ZoneOpened,
)
from tests.domain.tammany_hall.scenario import DEAL_A, given, position
from tests.domain.tammany_hall.words import COLOURS, ELECTION_ORDER, LAYOUT_A, PAWNS, ZONES

PLAYERS = (3, 4, 5)


def opened(players, seed=0, **draws):
    return given(TAMMANY_HALL.decider.initial(players, {}), seed=seed, **draws)


# TH-1


def test_th_1_4_the_colour_order():
    """TH-1.4: irish, english, german, italian, in every table and every written order."""
    view = opened(3).view
    tables = [view["garden"], view["bag"], view["chip_supply"], view["leaders"], view["boxes"]["3"]]
    tables += [view["wards"]["1"]["cubes"], view["seats"][0]["chips"]]
    assert all(tuple(it) == COLOURS for it in tables)


def test_th_1_5_pawns_by_seat():
    """TH-1.5: seats 0 to 4 are red, yellow, black, purple, brown, as many as play."""
    assert TAMMANY_HALL.notation.pawns == PAWNS
    for players in PLAYERS:
        assert [seat["pawn"] for seat in opened(players).view["seats"]] == list(PAWNS[:players])


# TH-2


@pytest.mark.parametrize("players", PLAYERS)
def test_th_2_1_what_is_in_the_box(players):
    """TH-2.1: 25 cubes and 35 chips a colour, 20 pawns each with one on the track, 3 slander chips, 2 locks, year 1."""
    game = given(TAMMANY_HALL.decider.initial(players, {}))
    state = game.state
    cubes = [state.bag, state.garden, *state.boxes.values(), *(ward.cubes for ward in state.wards.values())]
    assert [sum(counts) for counts in zip(*cubes, strict=True)] == [25] * 4
    everyone = PAWNS[:players]
    game.see(supply="35 35 35 35", locks_left=2, year=1, players=players)
    game.see(bosses_left=dict.fromkeys(everyone, 19), slander=dict.fromkeys(everyone, 3))


@pytest.mark.parametrize("players", [0, 1, 2, 6])
def test_th_2_1_three_to_five_play(players):
    """TH-2.1: nobody else can."""
    assert players not in TAMMANY_HALL.seats
    with pytest.raises(ValueError, match="3 to 5 players"):
        TAMMANY_HALL.decider.initial(players, {})


def test_th_2_3_chips_in_a_sealed_bid_are_still_the_bidders():
    """TH-2.3: until the bids are revealed nothing has moved."""
    wards = {6: "... | red 1 yellow 1", 14: "... | yellow 1 black 1"}
    chips = {"red": "2 irish", "yellow": "1 irish"}
    game = given(position(year=4, phase="election", wards=wards, chips=chips)).when("red", "bid irish 2")
    game.see(chips=chips, supply="32 irish").when("yellow", "bid none").see(supply="34 irish")


def test_th_2_4_nobody_takes_a_chip_that_is_not_there():
    """TH-2.4: settling goes on without; a benefit and a bonus need another colour; leaders get what there is."""
    bare = {"supply": "0 35 35 35", "year": 5}
    game = given(position(turn="red", garden="1 irish", offices={"red": "deputy"}, **bare))
    game.refused("red", "office favor irish", "chip-supply-empty").when("red", "settle boss 1 cube irish 1")
    given(position(phase="election", wards={6: "... | red 1"}, **bare)).see(chips={"red": ""}, supply="0 irish")


@pytest.mark.parametrize("office, left", [(None, 19), ("police", 18), ("mayor", 18)])
def test_th_2_5_available_pawns(office, left):
    """TH-2.5: twenty less the one on the track, one for an office, the mayor's too, and those on wards."""
    offices = {"red": office} if office else {}
    start = position(year=5, turn="red", offices=offices, wards={1: "... | red 3", 2: "... | red 2 yellow 4"})
    game = given(start).see(bosses_left={"red": left - 5, "yellow": 15})
    game.when("red", "place 1 14").see(bosses_left={"red": left - 7, "yellow": 15})


def test_th_2_5_pawns_that_left_a_ward_can_be_placed_again():
    """TH-2.5: a slandered pawn is its player's at once."""
    wards = {8: "1 german | red 1 yellow 19"}
    game = given(position(3, year=5, turn="red", wards=wards, chips={"red": "1 german"})).see(bosses_left={"yellow": 0})
    game = game.when("red", "slander yellow 8 german", "place 1 1", "end").see(bosses_left={"yellow": 1})
    game.when("yellow", "place 9")


def test_th_2_6_leader_boxes_use_no_pawn():
    """TH-2.6: black leads a colour, holds no office and has one pawn on a ward: 18 are left."""
    wards = {8: "... | red 1", 5: "... | red 1", 3: "... | black 1"}
    game = given(position(year=4, phase="election", wards=wards)).see(mayor="red")
    game.see(leaders={"english": "red", "german": "black"}, bosses_left={"black": 18, "red": 16})


def test_th_2_7_a_spent_slander_chip_is_nobodys():
    """TH-2.7: it is out of the game."""
    wards = {8: "1 german | red 1 yellow 1"}
    game = given(position(3, year=5, turn="red", wards=wards, chips={"red": "1 german"}))
    game.when("red", "slander yellow 8 german").see(slander={"red": 2, "yellow": 3, "black": 3})


def test_th_2_8_the_track_has_no_end():
    """TH-2.8: points are added whatever there are."""
    start = position(3, year=4, phase="election", wards={6: "... | red 1"}, vp={"red": 998})
    given(start).see(vp={"red": 1002})


# TH-3

BOARD = """
    1 I 2 3
    2 I 1 3 4 6
    4 I 2 6 7
    7 I 4 10 13
    6 I 2 3 4 5 10 14
    14 I 6 8 10 15 17
    9 II 8 15
    15 II 8 9 14 17
    8 II 5 9 14 15
    5 II 3 6 8
    3 II 1 2 5 6
    17 III 10 11 13 14 15
    11 III 13 17
    13 III 7 10 11 17
    10 III 6 7 13 14 17
    """
ROWS = [line.split() for line in BOARD.split("\n") if line.strip()]
PAIRS = """1-2 1-3 2-3 2-4 2-6 3-5 3-6 4-6 4-7 5-6 5-8 6-10 6-14 7-10 7-13 8-9 8-14 8-15 9-15 10-13
    10-14 10-17 11-13 11-17 13-17 14-15 14-17 15-17"""
CORNERS = "4-10 5-14 6-7 6-8"


def pairs(text):
    return {frozenset(map(int, pair.split("-"))) for pair in text.split()}


def test_th_3_1_wards_and_zones():
    """TH-3.1: fifteen wards in election order, each in its zone."""
    assert [int(number) for number, *_ in ROWS] == list(ELECTION_ORDER) == list(ORDER)
    zones = {number: {"I": 1, "II": 2, "III": 3}[zone] for number, zone, *_ in ROWS}
    assert {number: it["zone"] for number, it in opened(3).view["wards"].items()} == zones


def test_th_3_2_the_borders():
    """TH-3.2: the relation is symmetric and has the 28 pairs listed, and no corner."""
    listed = {frozenset((int(number), int(other))) for number, _, *others in ROWS for other in others}
    assert listed == pairs(PAIRS) == set(map(frozenset, BORDERS))
    assert len(listed) == 28
    assert sum(len(others) for _, _, *others in ROWS) == 56
    assert not listed & pairs(CORNERS)


@pytest.mark.slow
def test_th_3_2_the_borders_in_play():
    """TH-3.2: a cube moves between two wards if and only if they share a border line."""
    wards = dict.fromkeys(ELECTION_ORDER, "1 irish 1 german")
    game = given(position(year=5, turn="red", offices={"red": "precinct"}, wards=wards))
    for origin, to in itertools.product(ELECTION_ORDER, repeat=2):
        line = f"office move irish {origin} {to}"
        if frozenset((origin, to)) in pairs(PAIRS):
            game.decided("red", line)
        else:
            game.refused("red", line, "not-adjacent")


def test_th_3_3_setup_boxes():
    """TH-3.3: six, five and four cubes, no italian among them."""
    assert TAMMANY_HALL.decider.initial(3, {}).boxes == {1: [2, 2, 2, 0], 2: [2, 2, 1, 0], 3: [2, 1, 1, 0]}


@pytest.mark.parametrize("players", PLAYERS)
def test_th_3_4_and_3_5_before_the_first_draw(players):
    """TH-3.4, TH-3.5: fifteen cubes in the boxes and 85 in the bag for any number; nobody has anything."""
    game = TAMMANY_HALL.decider.initial(players, {})
    assert sum(map(sum, game.boxes.values())) == 15
    assert game.bag == [19, 20, 21, 25]
    assert (game.supply, game.year, game.locks_left) == ([35] * 4, 1, 2)
    assert not any(any(ward.cubes) or any(ward.bosses) or ward.locked for ward in game.wards.values())
    assert all((it.chips, it.slander, it.vp, it.office) == ([0] * 4, 3, 0, None) for it in game.players)


@pytest.mark.slow
@pytest.mark.parametrize("players, years", [(3, {1: 1, 2: 5, 3: 9}), (4, {1: 1, 2: 1, 3: 5}), (5, {1: 1, 2: 1, 3: 1})])
def test_th_3_6_when_a_zone_comes_into_play(players, years):
    """TH-3.6: at the start of its year, before the first turn and after the whole election before it."""
    facts = opened(players).idle(10).facts
    seen, last = {}, None
    for number, fact in enumerate(facts):
        if isinstance(fact, YearBegan):
            last = fact.year
        if isinstance(fact, ZoneOpened):
            seen[fact.zone] = last
            assert isinstance(facts[number - 1], YearBegan | ZoneOpened)
        if isinstance(fact, OfficesAssigned):
            last = "the election is over"
    assert seen == years


@pytest.mark.slow
@pytest.mark.parametrize("players", PLAYERS)
def test_th_3_7_every_arrangement_is_equally_likely(players):
    """TH-3.7: a zone's whole box is shuffled onto its wards; ward 14's irish cube alone is no matter of chance."""
    game = opened(players, **DEAL_A).idle(9)
    asked = {label: (sorted(items), k) for label, items, k in game.dice.asked[1:] if label.startswith("zone")}
    assert asked == {
        "zone-1": (["english", "english", "german", "german", "irish"], 5),
        "zone-2": (["english", "english", "german", "irish", "irish"], 5),
        "zone-3": (["english", "german", "irish", "irish"], 4),
    }
    results = [fact.result for fact in game.facts if isinstance(fact, ZoneOpened)]
    assert {int(number): f"1 {colour}" for it in results for number, colour in it.items()} == LAYOUT_A


@pytest.mark.parametrize("players", PLAYERS)
def test_th_3_8_the_first_player_is_drawn(players):
    """TH-3.8: among all seats alike, and whoever is drawn begins."""
    game = opened(players)
    assert game.dice.asked[0] == ("first-player", players)
    for pawn in PAWNS[:players]:
        opened(players, first_player=pawn).see(first=pawn, active=pawn)


def test_th_3_9_the_garden_starts_empty():
    """TH-3.9: nothing is in it until the first turn fills it."""
    assert TAMMANY_HALL.decider.initial(3, {}).garden == [0, 0, 0, 0]
    facts = opened(3).facts
    assert [type(fact) for fact in facts if isinstance(fact, GardenFilled | TurnBegan)] == [TurnBegan, GardenFilled]


# TH-4


def test_th_4_1_terms():
    """TH-4.1: years 1-4, 5-8, 9-12, 13-16."""
    terms = [given(position(year=year, turn="red")).view["term"] for year in range(1, 17)]
    assert terms == [1] * 4 + [2] * 4 + [3] * 4 + [4] * 4


@pytest.mark.slow
def test_th_4_2_and_4_9_every_seat_has_one_turn_a_year_clockwise_from_the_first_player():
    """TH-4.2, TH-4.9: the first player of the term begins every year of it; after the election, the mayor does."""
    game = opened(4, first_player="black").idle(9)
    turns: dict[int, list[int]] = {}
    mayors = [fact.seat for fact in game.facts if isinstance(fact, OfficesAssigned)]
    for fact in game.facts:
        match fact:
            case YearBegan(year=year):
                turns[year] = []
            case TurnBegan(seat=seat):
                turns[year].append(seat)
    firsts = [2] * 4 + [mayors[0]] * 4
    assert len(mayors) == 2
    assert [turns[year] for year in range(1, 9)] == [[(first + step) % 4 for step in range(4)] for first in firsts]
    assert turns[9] == [mayors[1]]


def test_th_4_3_nothing_happens_in_a_ward_that_is_not_in_play():
    """TH-4.3: nothing is placed, moved, locked or elected in zone III with three players in year 8."""
    lot = {"players": 3, "year": 8, "turn": "red", "garden": "1 irish", "wards": {14: "2 irish"}, "first": "yellow"}
    game = given(position(**lot)).see(inactive={17, 11, 13, 10})
    for line in ("place 17 17", "settle boss 17 cube irish 1", "settle boss 1 cube irish 17"):
        game.refused("red", line, "inactive-ward")
    given(position(**lot, offices={"red": "precinct"})).refused("red", "office move irish 14 17", "inactive-ward")
    given(position(**lot, offices={"red": "council"})).refused("red", "office lock 17", "inactive-ward")
    given(position(**lot, offices={"red": "police"})).refused("red", "office police 17 irish", "inactive-ward")
    game = given(position(3, year=8, phase="election"))
    assert [fact.ward for fact in game.facts if isinstance(fact, WardResolved)] == list(ELECTION_ORDER[:11])


PARTS = ("office favor german", "place 3 8", "slander yellow 8 german")


@pytest.mark.parametrize("parts", list(itertools.permutations(PARTS)))
def test_th_4_4_three_sub_phases_in_any_order_each_once(parts):
    """TH-4.4: office, placement and slander as the player likes; a second one of each is refused."""
    wards = {8: "2 german | red 1 yellow 1"}
    game = given(position(year=5, turn="red", wards=wards, offices={"red": "deputy"}, chips={"red": "1 german"}))
    game = game.when("red", *parts)
    for line, code in zip(PARTS, ("office-used", "already-placed", "slander-used"), strict=True):
        game.refused("red", line, code)
    game.when("red", "end").see(active="yellow")


def test_th_4_4_what_was_not_used_is_gone():
    """TH-4.4: a turn may end after the placement alone, and the next has one benefit and no more."""
    game = given(position(3, year=5, turn="red", offices={"red": "deputy"})).when("red", "place 1 1", "end")
    game.idle(6, "red").when("red", "office favor german").refused("red", "office favor german", "office-used")


def test_th_4_5_open_wards():
    """TH-4.5: a ward is open when it is in play and not locked: there one can place, and nowhere else."""
    game = given(position(4, year=1, turn="red", wards={7: "... | locked"}))
    for number in ELECTION_ORDER:
        if number == 7 or number in ZONES[3]:
            game.refused("red", f"place {number} {number}", "locked-ward" if number == 7 else "inactive-ward")
        else:
            game.decided("red", f"place {number} {number}")


def test_th_4_6_sub_phases_are_indivisible():
    """TH-4.6: no placement in two halves, no second step of a slander later."""
    wards = {8: "1 german | red 1 yellow 1", 14: "1 german | red 1 yellow 1"}
    game = given(position(year=5, turn="red", wards=wards, chips={"red": "3 german"}))
    game.refused("red", "place 1", "must-place-two")
    slandered = game.when("red", "slander yellow 8 german", "place 1 1")
    slandered.refused("red", "slander yellow 14 german", "slander-used")


def test_th_4_7_what_one_sub_phase_changes_counts_in_the_next():
    """TH-4.7: a chip just taken is spent, a pawn just placed slanders, a cube just moved makes its colour present."""
    deputy = position(year=5, turn="red", offices={"red": "deputy"}, wards={8: "1 german | yellow 1"})
    given(deputy).when("red", "office favor german", "place 8 1", "slander yellow 8 german").see(
        wards={8: "1 german | red 1"}, chips={"red": ""}
    )
    wards = {8: "1 english | red 1 yellow 1", 5: "2 german"}
    precinct = position(year=5, turn="red", offices={"red": "precinct"}, wards=wards, chips={"red": "1 german"})
    given(precinct).when("red", "office move german 5 8", "slander yellow 8 german").see(
        wards={8: "1 english 1 german | red 1"}
    )


@pytest.mark.parametrize("year", range(1, 17))
def test_th_4_8_the_year_ends_with_the_last_seat(year):
    """TH-4.8: then the next begins, or an election in which year and term keep their numbers."""
    wards = {1: "... | red 1 yellow 1"}
    start = position(3, year=year, turn="black", first="red", wards=wards, chips={"yellow": "1 english"})
    game = given(start).when("black", "place 4 4", "end")
    if year % 4:
        game.see(year=year + 1, phase="turn", active="red")
    else:
        game.see(year=year, term=year // 4, phase="bid", ward=1, active="yellow")


def test_th_4_8_a_seat_before_the_last_ends_no_year():
    """TH-4.8: the last seat is the one before the first player."""
    given(position(3, year=4, turn="black", first="black")).when("black", "place 1 1", "end").see(year=4, active="red")


# TH-5


@pytest.mark.parametrize("players, drawn", [(3, 5), (4, 6), (5, 7)])
def test_th_5_1_the_garden_is_filled_at_random_before_the_turn(players, drawn):
    """TH-5.1: players + 2 cubes out of the whole bag, without replacement, before anything else."""
    game = given(position(players, turn="red")).when("red", "place 1 1", "end")
    assert [type(fact) for fact in game.last[-2:]] == [TurnBegan, GardenFilled]
    (label, items, k) = game.dice.asked[-1]
    bag = given(position(players, turn="red")).state.bag
    assert (label, k) == ("garden", drawn)
    assert [items.count(colour) for colour in COLOURS] == bag
    assert sum(game.state.garden) == drawn


@pytest.mark.parametrize("garden", ["1 irish", "0 0 0 1", "1 1 1 1"])
def test_th_5_2_even_one_cube_is_enough(garden):
    """TH-5.2: nothing is drawn while one is there; when it is settled the next turn draws."""
    game = given(position(3, turn="red", garden=garden)).when("red", "place 1 1", "end").see(garden=garden)
    assert game.dice.asked == []
    game = given(position(3, turn="red", garden="1 irish")).when("red", "settle boss 1 cube irish 1")
    assert sum(game.see(garden="0 0 0 0").when("red", "end").state.garden) == 5


def test_th_5_3_and_5_4_a_bag_that_runs_out():
    """TH-5.3, TH-5.4: what the bag has is drawn; when it has nothing the turn goes on without."""
    game = given(position(3, turn="red", bag="1 irish")).when("red", "place 1 1", "end")
    game = game.see(garden="1 irish", bag="0 0 0 0").when("yellow", "settle boss 1 cube irish 1", "end")
    game.see(active="black", garden="0 0 0 0").refused("black", "settle boss 1 cube irish 1", "cube-not-in-garden")
    game.when("black", "place 1 1", "end").see(active="red", year=2)


@pytest.mark.parametrize("year", [4, 8, 12, 16])
def test_th_5_5_the_garden_goes_back_before_the_first_ward(year):
    """TH-5.5: all its cubes are in the bag when ward 1 is resolved, so that a bonus cube can be one of them."""
    start = position(3, year=year, turn="black", garden="1 irish 2 italian", bag="0 0 0 0", wards={1: "... | red 1"})
    game = given(start).when("black", "place 6 6", "end").see(garden="0 0 0 0", bag="1 0 0 2", phase="bonus", ward=1)
    assert [type(fact) for fact in game.last[1:3]] == [GardenReturned, WardResolved]
    game.when("red", "bonus cube italian 1").see(bag="1 0 0 1")


def test_th_5_5_at_the_end_of_another_year_it_stays():
    """TH-5.5: only a fourth year empties it."""
    start = position(3, year=3, turn="black", garden="1 irish")
    given(start).when("black", "place 6 6", "end").see(year=4, garden="1 irish")
