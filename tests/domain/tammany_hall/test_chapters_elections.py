"""Elections and the end of the game: what TH-9 to TH-13 say beyond the worked examples."""

import pytest

from domain.tammany_hall.rules.events import (
    BiddingOpened,
    BidsRevealed,
    BonusDeclined,
    GameScored,
    GardenFilled,
    LeadersAwarded,
    LocksLifted,
    MayorElected,
    OfficesAssigned,
    TermBegan,
    TurnBegan,
    WardResolved,
    YearBegan,
    ZoneOpened,
)
from tests.domain.tammany_hall.scenario import given, position
from tests.domain.tammany_hall.words import ELECTION_ORDER, PAWNS


def election(players=5, year=4, **more):
    return given(position(players, year=year, phase="election", **more))


def stopping(wards, **more):
    """An election that stops at ward 10, the last, where purple owes a bid: the wards before it can be looked at."""
    chips = {"purple": "1 german", **more.pop("chips", {})}
    return election(wards={**wards, 10: "... | purple 1 brown 1"}, chips=chips, **more)


def alone(**wins):
    """Wards in which one pawn each stands."""
    return {int(number): f"... | {pawn} 1" for pawn, numbers in wins.items() for number in numbers.split()}


def kinds(facts):
    return [type(fact) for fact in facts]


def resolved(game):
    return [fact.ward for fact in game.facts if isinstance(fact, WardResolved | BidsRevealed)]


# TH-9


def test_th_9_1_four_steps():
    """TH-9.1: the wards, the leaders, points and mayor, the offices."""
    assert kinds(election(3).facts[6:8]) == [LeadersAwarded, MayorElected]
    game = election(3, wards=alone(red="6")).see(phase="assign").when("red", "assign deputy yellow police black")
    steps = [kind for kind in kinds(game.facts) if kind in (LeadersAwarded, MayorElected, OfficesAssigned)]
    assert steps == [LeadersAwarded, MayorElected, OfficesAssigned]


@pytest.mark.parametrize(
    "players, year, active", [(3, 4, 6), (3, 8, 11), (3, 12, 15), (4, 4, 11), (4, 8, 15), (5, 4, 15)]
)
def test_th_9_2_every_active_ward_in_order_and_no_other(players, year, active):
    """TH-9.2: the wards of the zones in play, in the order of the board."""
    assert resolved(election(players, year)) == list(ELECTION_ORDER[:active])


def test_th_9_3_candidates_alone_take_part():
    """TH-9.3: black has chips of the ward's colour and no pawn there: no candidate, no bid."""
    wards = {6: "... | red 1 yellow 1"}
    game = election(wards=wards, chips=dict.fromkeys(("red", "yellow", "black"), "1 irish")).see(active="red yellow")
    assert [it.seat for it in game.facts[-1].candidates] == [0, 1]
    game.refused("black", "bid irish 1", "no-bid-due")


def test_th_9_4_no_candidate_or_one():
    """TH-9.4: nobody wins an empty ward; one candidate wins at once and spends nothing."""
    game = stopping({6: "... | red 2", 14: "1 irish"}, chips={"red": "3 irish"})
    assert WardResolved(14, votes={}, winner=None, removed={}, bonus=None) in game.facts
    assert WardResolved(6, votes={"0": 2}, winner=0, removed={"0": 1}, bonus=None) in game.facts
    game.see(ward=10, wards={6: "... | red 1", 14: "1 irish"}, chips={"red": "3 irish"})


def test_th_9_5_and_9_6_what_is_announced():
    """TH-9.5, TH-9.6: pawns and usable chips of every candidate; a chip needs a cube of its colour in the ward."""
    wards = {6: "2 irish 1 italian | red 2 yellow 1 black 3"}
    chips = {"red": "1 irish 2 english 3 german 4 italian", "yellow": "5 english", "purple": "1 irish"}
    opening = election(wards=wards, chips=chips).facts[-1]
    assert isinstance(opening, BiddingOpened)
    told = {it.seat: (it.bosses, list(it.usable.values())) for it in opening.candidates}
    assert told == {0: (2, [1, 0, 0, 4]), 1: (1, [0] * 4), 2: (3, [0] * 4)}
    assert opening.owes == [0]


def test_th_9_6_a_bonus_cube_makes_chips_usable():
    """TH-9.6: a cube placed earlier in the same election counts."""
    wards = {1: "... | red 1", 6: "... | yellow 1 black 1"}
    game = election(wards=wards, chips={"yellow": "1 italian"})
    game.when("red", "bonus cube italian 6").see(phase="bid", ward=6, active="yellow").when("yellow", "bid italian 1")


def test_th_9_7_everybody_who_can_bid_is_asked_and_nobody_else():
    """TH-9.7: also where the outcome is certain."""
    wards = {6: "... | red 9 yellow 1 black 1"}
    game = election(wards=wards, chips={"red": "1 irish", "yellow": "1 irish", "black": "3 german"})
    game = game.see(active="red yellow").refused("black", "bid none", "no-bid-due")
    game.when("yellow", "bid none").see(active="red").when("red", "bid none").see(wards={6: "... | red 1"})


def test_th_9_8_a_bid_of_any_number_of_usable_chips():
    """TH-9.8: of several colours, all one has, or zero."""
    wards = {6: "1 irish 1 english | red 1 yellow 1", 14: "... | yellow 1 black 1"}
    game = election(wards=wards, chips={"red": "2 irish 1 english", "yellow": "1 irish", "black": "1 irish"})
    bids = {"bid irish 2 english 1": 4, "bid irish 2": 3, "bid irish 1 english 1": 3, "bid none": 1}
    for line, votes in bids.items():
        done = game.when("red", line).when("yellow", "bid none")
        assert done.last[1].votes == {"0": votes, "1": 1}


def test_th_9_9_bids_come_in_any_order_and_the_last_of_each_counts():
    """TH-9.9: a bid can be replaced until the last owed is in, by a smaller or a larger one; then never."""
    wards = {6: "... | red 1 yellow 1 black 1", 14: "... | purple 1 brown 1"}
    chips = dict.fromkeys(("red", "yellow", "black", "purple"), "2 irish")
    game = election(wards=wards, chips=chips).see(active="red yellow black")
    game = game.when("black", "bid irish 2").when("red", "bid irish 1").when("black", "bid none").see(active="yellow")
    game = game.when("red", "bid irish 2").when("black", "bid irish 1").when("yellow", "bid none")
    game.see(chips={"red": "", "yellow": "2 irish", "black": "1 irish"}, ward=14)
    assert game.last[1].votes == {"0": 3, "1": 1, "2": 2}
    game.refused("red", "bid none", "no-bid-due")


def test_th_9_10_votes_are_pawns_and_chips_and_not_cubes():
    """TH-9.10: many cubes of a colour do not count; a chip counts one."""
    wards = {6: "9 irish | red 2 yellow 1", 14: "... | yellow 1 black 1"}
    game = election(wards=wards, chips={"yellow": "1 irish", "black": "1 irish"}).when("yellow", "bid irish 1")
    assert (game.last[1].votes, game.last[1].winner) == ({"0": 2, "1": 2}, None)


def test_th_9_10_a_tie_below_the_top_is_no_tie():
    """TH-9.10: the single highest total wins, whatever the others have."""
    game = stopping({6: "... | red 2 yellow 1 black 1", 14: "... | red 1 yellow 2 black 2"})
    game.see(wards={6: "... | red 1", 14: "..."})


def test_th_9_10_a_pawn_from_an_earlier_election_counts():
    """TH-9.10: the pawn red kept in year 4 wins in year 8 against one placed since."""
    game = election(3, wards=alone(red="6")).when("red", "assign deputy yellow police black")
    game.see(year=5, wards={6: "... | red 1"})
    last = position(3, year=8, phase="election", wards={6: "... | red 2 yellow 1"}, mayor="red")
    given(last).see(wards={6: "... | red 1"}, mayor="red")


def test_th_9_11_all_chips_bid_go_to_the_supply():
    """TH-9.11: the winner's, the losers', and everybody's in a tie."""
    wards = {6: "... | red 1 yellow 1", 14: "... | yellow 1 black 1"}
    game = election(wards=wards, chips={"red": "2 irish", "yellow": "2 irish", "black": "1 irish"})
    won = game.when("red", "bid irish 2").when("yellow", "bid irish 1")
    won.see(chips={"red": "", "yellow": "1 irish"}, supply="33 irish", ward=14)
    tied = game.when("red", "bid irish 1").when("yellow", "bid irish 1")
    tied.see(chips={"red": "1 irish", "yellow": "1 irish"}, supply="32 irish", ward=14, wards={6: "..."})


def test_th_9_12_pawns_leave_and_cubes_stay():
    """TH-9.12: the winner keeps exactly one pawn; the pawns that left are available again."""
    game = stopping({6: "2 irish 1 german | red 4 yellow 3 black 1"}).see(wards={6: "2 irish 1 german | red 1"})
    game.see(bosses_left={"red": 18, "yellow": 19, "black": 19})


def test_th_9_13_a_bonus_is_settled_before_the_next_ward():
    """TH-9.13: ward 2 is not held while the bonus of ward 1 is open."""
    game = election(wards=alone(red="1", yellow="2", black="4", purple="7"))
    for number, pawn in ((1, "red"), (2, "yellow"), (4, "black"), (7, "purple")):
        assert resolved(game)[-1] == number
        game = game.see(phase="bonus", ward=number, active=pawn)
        for other in set(PAWNS) - {pawn}:
            game.refused(other, "bonus pass", "not-your-turn")
        game = game.when(pawn, "bonus pass").then(BonusDeclined(PAWNS.index(pawn)))
    assert resolved(game) == list(ELECTION_ORDER)


@pytest.mark.parametrize("number", [1, 2])
@pytest.mark.parametrize("to", [1, 2, 4, 10, 17])
def test_th_9_14_a_cube_of_choice_into_any_open_ward(number, to):
    """TH-9.14: out of the bag, the ward just won included; it brings no chip."""
    game = stopping(alone(red=str(number)), bag="0 0 0 2").see(phase="bonus")
    before = game.view["wards"][str(to)]["cubes"]["italian"]
    game = game.when("red", f"bonus cube italian {to}").see(bag="0 0 0 1", chips={"red": ""}, supply="35 35 34 35")
    assert game.view["wards"][str(to)]["cubes"]["italian"] == before + 1


@pytest.mark.parametrize("number", [4, 7])
def test_th_9_15_a_chip_of_choice(number):
    """TH-9.15: of any colour the supply has, or none."""
    game = stopping(alone(red=str(number)))
    for colour in ("irish", "english", "german", "italian"):
        game.when("red", f"bonus favor {colour}").see(chips={"red": f"1 {colour}"})
    game.when("red", "bonus pass").see(chips={"red": ""})


@pytest.mark.parametrize("number", [number for number in ELECTION_ORDER if number not in (1, 2, 4, 7)])
def test_th_9_14_and_9_15_the_other_wards_bring_no_bonus(number):
    """TH-9.14, TH-9.15: nor does a ward nobody wins."""
    election(wards=alone(red=str(number))).see(phase="assign")
    tied = election(wards=dict.fromkeys((1, 2, 4, 7), "... | red 1 yellow 1") | {6: "... | red 1"})
    tied.see(phase="assign", mayor="red", vp={"red": 4, "yellow": 0})


@pytest.mark.parametrize("number, lack", [(1, {"bag": "0 0 0 0"}), (4, {"supply": "0 0 0 0"})])
def test_th_9_16_a_bonus_without_anything_to_choose_lapses(number, lack):
    """TH-9.16: an empty bag, or no chip of any colour: nobody is asked; one cube or chip is enough to ask."""
    election(wards=alone(red=str(number)), **lack).see(phase="assign")
    election(wards=alone(red=str(number)), **dict.fromkeys(lack, "0 0 0 1")).see(phase="bonus")


def test_th_9_16_chips_just_bid_are_in_the_supply_again():
    """TH-9.11, TH-9.16: the bids of ward 4 fill an empty supply, so its winner is asked."""
    wards = {4: "... | red 1 yellow 1"}
    game = election(wards=wards, chips={"red": "1 german"}, supply="0 0 0 0").when("red", "bid german 1")
    game.see(phase="bonus", supply="0 0 1 0").when("red", "bonus favor german").see(supply="0 0 0 0")
    one = election(wards=wards, chips={"red": "1 german"}, supply="0 0 1 0").when("red", "bid german 1")
    one.see(phase="bonus", supply="0 0 2 0")


# TH-10


def test_th_10_1_and_10_2_cubes_in_the_wards_won():
    """TH-10.1, TH-10.2: all cubes of all wards won now, not those of wards lost; the highest count takes three."""
    wards = {6: "3 irish | red 1", 14: "2 irish | yellow 1", 9: "2 irish | yellow 1", 15: "8 irish | red 1 black 1"}
    game = election(wards=wards).see(leaders={"irish": "yellow"}, chips={"yellow": "3 irish", "red": "", "black": ""})
    (awarded,) = (fact for fact in game.facts if isinstance(fact, LeadersAwarded))
    assert awarded.cubes == {"irish": 4, "english": 0, "german": 0, "italian": 0}


def test_th_10_1_bonus_cubes_count():
    """TH-10.1: what is counted is there after the last ward election (TH-17.1, 32)."""
    game = election(wards=alone(red="1", yellow="5")).when("red", "bonus cube italian 5")
    game.see(leaders={"english": "red yellow", "italian": "yellow"}, chips={"yellow": "3 english 3 italian"})


def test_th_10_1_a_pawn_is_not_a_win():
    """TH-10.1, TH-11.1: a pawn standing in a ward it did not win now counts for nothing: it has left."""
    wards = {6: "... | red 1 yellow 1", 14: "... | black 1"}
    election(wards=wards).see(leaders={"irish": "black"}, vp={"red": 0, "yellow": 0, "black": 5})


def test_th_10_3_each_of_the_tied_takes_three():
    """TH-10.3: three players with one cube each take nine chips."""
    game = election(wards=alone(red="6", yellow="14", black="9"))
    game.see(chips=dict.fromkeys(("red", "yellow", "black"), "3 irish"), supply="26 irish")


def test_th_10_4_nobody_leads_with_zero():
    """TH-10.4: no cube of the colour in any ward won: no chips."""
    election().see(leaders={}, supply="35 35 35 35", chips=dict.fromkeys(PAWNS, ""))


@pytest.mark.parametrize(
    "supply, first, chips",
    [
        (0, "red", {"red": "", "yellow": "", "black": ""}),
        (1, "yellow", {"red": "", "yellow": "1 irish", "black": ""}),
        (1, "purple", {"red": "1 irish", "yellow": "", "black": ""}),
        (5, "black", {"red": "2 irish", "yellow": "1 irish", "black": "2 irish"}),
        (8, "yellow", {"red": "2 irish", "yellow": "3 irish", "black": "3 irish"}),
        (9, "yellow", dict.fromkeys(("red", "yellow", "black"), "3 irish")),
        (10, "yellow", dict.fromkeys(("red", "yellow", "black"), "3 irish")),
    ],
)
def test_th_10_5_a_supply_that_does_not_suffice(supply, first, chips):
    """TH-10.5: one chip each in turn, clockwise from the first player, until each has three or none is left."""
    wins = alone(red="6", yellow="14", black="9")
    game = election(wards=wins, supply=f"{supply} 35 35 35", first=first)
    game.see(chips=chips, supply=f"{max(0, supply - 9)} 35 35 35", leaders={"irish": "red yellow black"})


def test_th_10_6_colour_by_colour():
    """TH-10.6: in colour order, without effect on each other."""
    game = election(wards=alone(red="6 8 3"), supply="1 0 35 35").see(chips={"red": "1 irish 3 german"})
    (awarded,) = (fact for fact in game.facts if isinstance(fact, LeadersAwarded))
    assert list(awarded.leaders) == list(awarded.chips) == ["irish", "english", "german", "italian"]


def test_th_10_7_the_leaders_show_through_the_next_term():
    """TH-10.7: until the next election."""
    game = election(wards=alone(red="6", yellow="8")).see(leaders={"irish": "red", "english": "yellow"})
    while game.view["year"] < 8:
        game = game.idle(game.view["year"] + 1).see(leaders={"irish": "red", "english": "yellow"})


# TH-11


def test_th_11_1_a_point_for_each_ward_won_now():
    """TH-11.1: two for ward 14; nothing for wards of earlier elections."""
    wards = alone(red="14", yellow="6 9") | {3: "... | black 1"}
    election(wards=wards, vp={"red": 1}).see(vp={"red": 3, "yellow": 5, "black": 1, "purple": 0})


def test_th_11_2_most_wards_make_the_mayor():
    """TH-11.2: three points; ward 14 counts as one; chips do not matter."""
    game = election(wards=alone(red="14 6", yellow="9 15 8"), chips={"red": "9 irish"})
    game.see(mayor="yellow", vp={"red": 3, "yellow": 6}, office={"red": None, "yellow": "mayor"}, active="yellow")


def test_th_11_3_nobody_won_a_ward():
    """TH-11.3: all are tied at zero; the chips decide."""
    game = election(wards={6: "... | red 1 yellow 1"}, chips={"black": "2 italian", "purple": "1 irish"})
    game.see(mayor="black", vp={"black": 3, "red": 0, "purple": 0})


@pytest.mark.parametrize(
    "chips, mayor",
    [
        ({"red": "5 italian", "yellow": "4 irish", "black": "4 irish"}, "red"),
        ({"red": "1 irish 4 italian", "yellow": "2 irish 3 english", "black": "4 irish"}, "yellow"),
        ({"red": "1 irish 2 english", "yellow": "1 irish 1 english 1 german", "black": "1 irish 2 german"}, "red"),
        ({"red": "2 german 1 italian", "yellow": "1 german 2 italian", "black": "1 german 2 italian"}, "red"),
        ({"red": "3 italian", "yellow": "2 italian 1 german", "black": "3 italian"}, "yellow"),
    ],
)
def test_th_11_4_stage_by_stage(chips, mayor):
    """TH-11.4: most chips, then irish, english, german, each among those the one before has left."""
    game = election(wards={4: "... | red 1 yellow 1"}, chips=chips)
    if game.view["phase"] == "bid":  # nobody spends anything
        for seat in game.view["active"]:
            game = game.when(PAWNS[seat], "bid none")
    game.see(mayor=mayor)


def test_th_11_4_among_the_tied_players_only():
    """TH-11.4: who has more chips but fewer wards does not take part, at any stage."""
    wins = alone(red="8", yellow="5")
    election(wards=wins, chips={"black": "9 irish", "red": "1 italian"}).see(mayor="red", vp={"red": 4, "yellow": 1})


def test_th_11_4_chips_are_counted_after_the_leaders_took_theirs():
    """TH-11.4: yellow's three irish as a leader outweigh red's two english."""
    wards = {6: "2 irish | yellow 1", 14: "1 irish | red 1"}
    election(wards=wards, chips={"red": "2 english"}).see(mayor="yellow")


@pytest.mark.parametrize("mayor", ["red", "yellow", "black"])
def test_th_11_5_in_an_unbroken_tie_the_sitting_mayor_stays(mayor):
    """TH-11.5: whether or not among the tied, and scores three."""
    wins = {"red": 1, "yellow": 1, "black": 0}
    game = election(3, year=8, wards=alone(red="6", yellow="9"), offices={mayor: "mayor"})
    game.see(mayor=mayor, vp=wins | {mayor: wins[mayor] + 3}, phase="assign", active=mayor)


def test_th_11_5_a_tie_that_breaks_unseats_the_mayor():
    """TH-11.5: the sitting mayor is no tie-breaker before the chips are."""
    game = election(3, year=8, wards=alone(red="6", yellow="9"), mayor="red", chips={"yellow": "1 italian"})
    game.see(mayor="yellow", vp={"red": 1, "yellow": 4})


def test_th_11_6_no_mayor():
    """TH-11.6: nobody scores, no offices, the first player stays and the game goes on."""
    game = election(3, first="black").see(mayor=None, vp=dict.fromkeys(PAWNS[:3], 0), year=5, first="black")
    game.see(active="black", office=dict.fromkeys(PAWNS[:3]))
    (scored,) = (fact for fact in game.facts if isinstance(fact, MayorElected))
    assert (scored.mayor, scored.mayor_points, scored.reason) == (None, 0, "tie")


@pytest.mark.parametrize("mayor", ["red", "yellow"])
def test_th_11_7_all_other_offices_lapse(mayor):
    """TH-11.7: as soon as a mayor is determined, old or new."""
    offices = {"red": "mayor", "yellow": "deputy", "black": "police"}
    game = election(3, year=8, wards=alone(**{mayor: "6"}), offices=offices).see(mayor=mayor, phase="assign")
    game.see(office=dict.fromkeys(PAWNS[:3]) | {mayor: "mayor"})


# TH-12


def test_th_12_1_each_other_player_one_office():
    """TH-12.1: in any combination."""
    game = given(position(5, year=4, phase="assign", mayor="black", offices={"black": "mayor"}))
    game.refused("black", "assign deputy red council yellow police purple", "assign-incomplete")
    game.refused("black", "assign deputy red council yellow police purple precinct purple", "assign-duplicate")
    game.when("black", "assign precinct red police yellow council purple deputy brown").see(
        office={"red": "precinct", "yellow": "police", "black": "mayor", "purple": "council", "brown": "deputy"}
    )


@pytest.mark.parametrize(
    "vacant, given_away", [("deputy", "council police precinct"), ("police", "deputy council precinct")]
)
def test_th_12_2_a_vacant_office_does_nothing(vacant, given_away):
    """TH-12.2: with four players the mayor chooses which one; nobody has its benefit until the next election."""
    titles = dict(zip(given_away.split(), ("yellow", "black", "purple"), strict=True))
    line = "assign " + " ".join(f"{title} {pawn}" for title, pawn in titles.items())
    game = given(position(4, year=4, phase="assign", offices={"red": "mayor"}, wards={6: "2 irish"})).when("red", line)
    benefit = {"deputy": "office favor irish", "police": "office police 6 irish"}[vacant]
    for year in (5, 8):
        for pawn in ("red", "yellow", "black", "purple"):
            game = game.idle(year, pawn).refused(pawn, benefit, "office-not-held")


def test_th_12_3_one_complete_command():
    """TH-12.3: not office by office."""
    game = given(position(3, year=4, phase="assign", offices={"red": "mayor"}))
    game.refused("red", "assign deputy yellow", "assign-incomplete").refused("red", "assign", "bad-syntax")
    game.when("red", "assign deputy yellow police black").refused("red", "assign deputy yellow", "wrong-phase")


def test_th_12_4_offices_are_held_until_the_next_election():
    """TH-12.4: through all four years and the ward elections."""
    game = given(position(3, year=4, phase="assign", offices={"red": "mayor"}))
    game = game.when("red", "assign deputy yellow police black")
    held = {"red": "mayor", "yellow": "deputy", "black": "police"}
    for year in (5, 6, 7, 8):
        game = game.idle(year, "black").see(office=held)
    wards = {6: "... | red 1 yellow 1"}
    election(3, year=8, wards=wards, offices=held, chips={"red": "1 irish"}).see(phase="bid", office=held)


def test_th_12_5_no_offices_after_the_fourth_election():
    """TH-12.5: the mayor is elected, scores, and assigns nothing; the game is over."""
    game = election(3, year=16, wards=alone(red="6")).see(phase="over", mayor="red", active="")
    assert kinds(game.facts[-2:]) == [MayorElected, GameScored]
    game.refused("red", "assign deputy yellow police black", "game-over")


def test_th_12_6_in_this_order():
    """TH-12.6: locks off, a new term with its first player, the year, the zones, the first turn with its garden."""
    wards = {6: "... | yellow 1", 4: "... | locked"}
    game = election(3, wards=wards).when("yellow", "assign deputy red police black")
    expected = [OfficesAssigned, LocksLifted, TermBegan, YearBegan, ZoneOpened, TurnBegan, GardenFilled]
    assert kinds(game.last) == expected
    assert game.last[2] == TermBegan(term=2, first=1)


def test_th_12_6_every_player_may_slander_again():
    """TH-12.6: who slandered in term 2 may in term 3."""
    start = {"wards": {7: "1 german | red 1 yellow 1"}, "chips": {"red": "1 german"}, "slandered": "red yellow"}
    game = given(position(3, year=8, phase="assign", offices={"red": "mayor"}, **start))
    game = game.see(slandered={"red": True, "yellow": True, "black": False})
    game = game.when("red", "assign deputy yellow police black").see(year=9, slandered=dict.fromkeys(PAWNS[:3], False))
    game.when("red", "slander yellow 7 german").see(slandered={"red": True})


# TH-13


def final(**more):
    """After TH-11 of year 16, with no slander chips unless said."""
    more.setdefault("slander", dict.fromkeys(PAWNS[:3], 0))
    return given(position(3, year=16, phase="scoring", **more))


def test_th_13_1_the_game_ends_with_the_fourth_election():
    """TH-13.1: after the points of TH-11, final scoring; then nothing more is asked of anybody."""
    game = election(3, year=16, wards=alone(red="6 14")).see(phase="over", active="", winners="red")
    game.see(vp={"red": 3 + 3 + 2 + 3, "yellow": 3, "black": 3})
    election(3, year=12).see(phase="turn", year=13, term=4)


def test_th_13_2_and_13_3_majorities_of_chips():
    """TH-13.2, TH-13.3: two points for the most of each colour, for each of the tied; none for a colour nobody has."""
    game = final(chips={"red": "3 irish 1 english", "yellow": "2 irish 1 english", "black": "1 english 1 german"})
    game.see(vp={"red": 4, "yellow": 2, "black": 4})


def test_th_13_4_a_point_for_each_unused_slander_chip():
    """TH-13.4: three, two, or none."""
    final(slander={"red": 3, "yellow": 2, "black": 0}).see(vp={"red": 3, "yellow": 2, "black": 0}, winners="red")


def test_th_13_5_the_most_points_win():
    """TH-13.5: the result names the winner and everybody's points."""
    game = final(vp={"red": 4, "yellow": 9, "black": 5}, mayor="red", chips={"red": "9 irish"}).see(winners="yellow")
    assert game.last[-1].scores == [6, 9, 5]


def test_th_13_6_a_tie_is_broken_among_the_tied():
    """TH-13.6: black's many chips do not help it; red has more than yellow."""
    final(vp={"red": 9, "yellow": 9, "black": 1}, chips={"red": "1 german", "yellow": "", "black": "7 german"}).see(
        winners="red"
    )


@pytest.mark.parametrize("mayor, winners", [("red", "red"), ("black", "black"), (None, "red yellow black")])
def test_th_13_6_and_13_7_an_unbroken_tie(mayor, winners):
    """TH-13.6, TH-13.7: the mayor wins if among those left; otherwise they share the victory."""
    final(vp=dict.fromkeys(PAWNS[:3], 9), mayor=mayor).see(winners=winners)


def test_th_13_7_a_mayor_outside_the_tie_wins_nothing():
    """TH-13.7: red and yellow share (TH-17.1, 30)."""
    final(vp={"red": 9, "yellow": 9, "black": 8}, mayor="black").see(winners="red yellow")


@pytest.mark.parametrize("mayor, winners", [("black", "black"), ("red", "red"), (None, "red yellow")])
def test_th_13_7_in_the_variant_a_mayor_outside_the_tie_wins(mayor, winners):
    """TH-13.7, final-tie: an unbroken tie is the mayor's; without a mayor it is shared (TH-17.1, 30)."""
    final(vp={"red": 9, "yellow": 9, "black": 8}, mayor=mayor, final_tie="mayor-wins").see(winners=winners)


def test_th_13_8_final_scoring_spends_no_chips():
    """TH-13.8: everybody has what he or she had."""
    chips = {"red": "3 irish", "yellow": "2 english", "black": "1 italian"}
    final(chips=chips).see(chips=chips, supply="32 33 35 34")
