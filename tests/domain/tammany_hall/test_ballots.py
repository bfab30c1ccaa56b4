"""Ballots: what can be ordered ahead of an election, and that it is exactly what would have been played live."""

import itertools

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from domain.tammany_hall import ORDERS, TAMMANY_HALL
from domain.tammany_hall.ballot.ballot import Ballot, Choice, Exactly, UpTo
from domain.tammany_hall.rules.actions import Assign, Bid, BonusPass
from domain.tammany_hall.rules.events import TurnEnded
from domain.tammany_hall.rules.position import term
from tests.domain.tammany_hall.playouts import VARIANTS, playout, playouts
from tests.domain.tammany_hall.polls import (
    elections,
    filed,
    followed,
    given_by,
    held_with,
    in_term,
    likely_ballots,
    lines_of,
    outcome_of,
    refused,
    refused_document,
    unfit,
)
from tests.domain.tammany_hall.scenario import Record, position
from tests.domain.tammany_hall.scenario import given as game
from tests.domain.tammany_hall.words import COLOURS, ELECTION_ORDER, PAWNS

GAMES = range(len(VARIANTS))


def election(wards: dict[int, str], chips: dict[str, str] | None = None, **more) -> Record:
    """The election of year 4 among three, with pawns in these wards alone."""
    return game(position(3, **({"year": 4} | more), phase="election", wards=wards, chips=chips))


# Bids


def test_th_9_8_an_exact_bid_is_what_the_line_says():
    """TH-9.8: these chips; a line for others is for wards without one of their own; without any the player is asked."""
    state = election({6: "... | red 1 yellow 1"}, {"red": "3 irish"}).state
    assert followed(state, "red", "ward 6 bid irish 2") == "bid irish 2"
    assert followed(state, "red", "ward 6 bid none") == "bid none"
    assert followed(state, "red", "others bid irish 1") == "bid irish 1"
    assert followed(state, "red", "others bid irish 1", "ward 6 bid irish 3") == "bid irish 3"
    assert followed(state, "red", "others bid irish 1", "ward 14 bid irish 3") == "bid irish 1"
    assert followed(state, "red", "ward 14 bid irish 1", "end when placed") is None


def test_th_9_8_chips_that_cannot_be_bid_do_not_fit():
    """TH-9.8: one chip too many, or a colour nobody of lives there; the player is told what there is."""
    state = election({6: "2 irish | red 1 yellow 1"}, {"red": "1 irish 4 german"}).state
    short = unfit(state, "red", "ward 6 bid irish 2")
    assert (short.code, short.rule) == ("not-enough-chips", "TH-9.8")
    assert short.message == "Your ballot bids 2 Irish in ward 6, where you can use 1 Irish."
    foreign = unfit(state, "red", "others bid irish 1 german 1")
    assert (foreign.code, foreign.rule) == ("colour-not-in-ward", "TH-9.8")
    assert foreign.message == "Your ballot bids 1 Irish, 1 German in ward 6, where you can use 1 Irish."
    assert followed(state, "red", "ward 6 bid irish 1") == "bid irish 1"


def test_th_9_7_only_a_seat_that_is_awaited_is_answered_for():
    """TH-9.7: not one without usable chips, and not one that has handed its bid in."""
    record = election({6: "2 irish | red 1 yellow 1 black 1"}, {"red": "1 irish", "black": "1 irish"})
    assert followed(record.state, "yellow", "ward 6 bid none") is None
    ballot = filed(record.state, "red", "ward 6 bid none")
    assert given_by(record.state, 0, ballot) == Bid()
    assert given_by(record.when("red", "bid irish 1").state, 0, ballot) is None


@pytest.mark.parametrize(
    "bosses, line, bid",
    [
        # yellow has 3 bosses and 1 usable chip, so 5 votes are certain and 4 are not
        ("red 4 yellow 3", "up to 3 irish", "bid irish 1"),
        ("red 3 yellow 3", "up to 3 irish", "bid irish 2"),
        ("red 2 yellow 3", "up to 3 irish", "bid irish 3"),
        ("red 1 yellow 3", "up to 3 irish", "bid irish 3"),
        ("red 5 yellow 3", "up to 3 irish", "bid none"),
        ("red 2 yellow 3", "up to 2 irish", "bid irish 2"),
        ("red 2 yellow 3", "up to 9 irish", "bid irish 3"),
        ("red 1 yellow 3", "up to 9 irish", "bid irish 3"),
        ("red 1 yellow 3", "up to 9 irish english", "bid irish 3 english 1"),
        ("red 1 yellow 3", "up to 9 english irish", "bid irish 2 english 2"),
        ("red 2 yellow 3", "up to 9 english irish", "bid irish 1 english 2"),
        ("red 3 yellow 3", "up to 2 english irish", "bid english 2"),
        ("red 3 yellow 3", "up to 2 german irish italian", "bid irish 2"),
        ("red 3 yellow 3", "up to 2 german", "bid none"),
        ("red 3 yellow 2 black 1", "up to 3 irish", "bid irish 1"),
        ("red 3 yellow 2 black 4", "up to 3 irish", "bid irish 2"),
    ],
)
def test_th_9_10_up_to_bids_the_fewest_chips_that_are_certain(bosses, line, bid):
    """TH-9.10: one vote more than any rival can reach; as many as allowed where that is out of reach."""
    chips = {"red": "3 irish 2 english 4 german", "yellow": "1 english 5 italian"}
    state = election({6: f"1 irish 1 english | {bosses}"}, chips).state
    assert followed(state, "red", f"ward 6 {line}") == bid


@pytest.mark.parametrize("red, contested", [(4, True), (5, True), (6, False)])
def test_th_9_10_a_ward_is_contested_while_a_rival_can_reach_the_bosses_there(red, contested):
    """TH-9.10: yellow can reach 5 votes; a tie at 5 is no victory."""
    state = election({6: f"1 irish | red {red} yellow 3"}, {"red": "3 irish", "yellow": "2 irish 3 german"}).state
    assert followed(state, "red", "ward 6 bid irish 2 if contested") == ("bid irish 2" if contested else "bid none")
    assert followed(state, "red", "ward 6 bid irish 2") == "bid irish 2"
    assert followed(state, "red", "others up to 1 irish if contested") == ("bid irish 1" if contested else "bid none")


@pytest.mark.parametrize("yellow, winnable", [(2, True), (3, True), (4, False), (5, False)])
def test_th_9_10_a_ward_is_winnable_while_the_bid_beats_the_bosses_of_every_rival(yellow, winnable):
    """TH-9.10: red has 2 bosses and bids 2 chips; 4 votes beat 3 bosses and no more."""
    wards = {6: f"1 irish | red 2 yellow {yellow} black 1"}
    state = election(wards, {"red": "2 irish", "black": "9 irish"}).state
    spent = "bid irish 2" if winnable else "bid none"
    assert followed(state, "red", "ward 6 bid irish 2 while winnable") == spent
    assert followed(state, "red", "ward 6 up to 2 irish while winnable") == spent
    assert followed(state, "red", "ward 6 up to 9 irish while winnable if contested") == spent
    assert followed(state, "red", "ward 6 up to 2 irish") == "bid irish 2"


def test_th_9_8_a_condition_that_does_not_hold_asks_for_no_chips():
    """TH-9.8: what is not bid need not be there; what is, must."""
    safe = election({6: "1 irish | red 3 yellow 1"}, {"red": "1 irish"}).state
    assert followed(safe, "red", "ward 6 bid irish 2 if contested") == "bid none"
    lost = election({6: "1 irish | red 1 yellow 4"}, {"red": "1 irish"}).state
    assert followed(lost, "red", "ward 6 bid irish 3 while winnable") == "bid none"
    assert unfit(lost, "red", "ward 6 bid irish 4 while winnable").code == "not-enough-chips"


@pytest.mark.parametrize(
    "lines, bid",
    [
        ([], "bid irish 3 english 1"),
        (["keep 2 irish for ward 14"], "bid irish 1 english 2"),
        (["keep 3 irish for ward 14"], "bid english 2"),
        (["keep 9 irish for ward 14"], "bid english 2"),
        (["keep 1 irish for ward 14", "keep 1 irish for ward 10"], "bid irish 1 english 2"),
        (["keep 1 irish for ward 14", "keep 1 english for ward 10"], "bid irish 2 english 1"),
        (["keep 2 irish for ward 6"], "bid irish 3 english 1"),
        (["keep 2 irish for ward 7"], "bid irish 3 english 1"),
        (["keep 2 german for ward 14"], "bid irish 3 english 1"),
    ],
)
def test_th_9_2_chips_are_kept_until_their_ward_is_resolved(lines, bid):
    """TH-9.2: in the wards before it; there itself and later they are free."""
    chips = {"red": "3 irish 2 english 4 german", "yellow": "9 irish"}
    state = election({6: "1 irish 1 english | red 1 yellow 1"}, chips).state
    assert followed(state, "red", "ward 6 up to 4 irish english", *lines) == bid


def test_th_9_2_kept_chips_are_free_after_their_ward():
    """TH-9.2: kept for ward 14 while ward 6 is bid for, free in ward 14 and in ward 9 after it."""
    wards = dict.fromkeys((6, 14, 9), "1 irish | red 1 yellow 1")
    record = game(position(5, 4, phase="election", wards=wards, chips={"red": "2 irish", "yellow": "9 irish"}))
    ballot = filed(record.state, "red", "others up to 9 irish", "keep 2 irish for ward 14")
    assert given_by(record.state, 0, ballot) == Bid()
    record = record.when("red", "bid none").when("yellow", "bid none")
    assert (record.state.ward, given_by(record.state, 0, ballot)) == (14, Bid({"irish": 2}))
    record = record.when("red", "bid none").when("yellow", "bid none")
    assert (record.state.ward, given_by(record.state, 0, ballot)) == (9, Bid({"irish": 2}))


def test_an_exact_bid_is_not_bound_by_what_is_kept():
    """TH-9.8: it names its chips; only `up to` bids leave some."""
    state = election({6: "1 irish | red 1 yellow 1"}, {"red": "2 irish"}).state
    kept = ["keep 2 irish for ward 14", "ward 14 up to 2 irish"]
    assert followed(state, "red", "ward 6 bid irish 2", *kept) == "bid irish 2"


# Bonuses, offices, turns


def test_th_9_14_the_first_bonus_that_is_legal_is_taken():
    """TH-9.14: a colour the bag lacks, a ward that is locked or not in play are passed over, in the player's order."""
    wards = {1: "1 irish | red 1", 14: "1 irish | locked"}
    state = election(wards, bag="2 irish 2 english").state
    wishes = ["bonus 1 cube german 6", "bonus 1 cube irish 14", "bonus 1 cube irish 9"]
    assert followed(state, "red", *wishes, "bonus 1 cube english 6", "bonus 1 pass") == "bonus cube english 6"
    assert followed(state, "red", *wishes, "bonus 1 pass", "bonus 1 cube english 6") == "bonus pass"
    nothing = unfit(state, "red", *wishes, "bonus others pass")
    assert (nothing.code, nothing.rule) == ("cube-not-in-bag", "TH-9.14")
    assert nothing.message == (
        "No bonus your ballot names for ward 1 is possible: "
        "There is no German immigrant in the bag; it holds 2 Irish, 2 English."
    )


def test_th_9_15_a_chip_bonus_and_one_that_is_declined():
    """TH-9.15: each ward has its own line, and one for all others."""
    state = election({4: "1 irish | red 1"}, supply="0 5 0 0").state
    assert followed(state, "red", "bonus 4 favor irish", "bonus 4 favor english") == "bonus favor english"
    assert followed(state, "red", "bonus 4 pass") == "bonus pass"
    assert followed(state, "red", "bonus others pass") == "bonus pass"
    assert followed(state, "red", "bonus 4 favor english", "bonus others pass") == "bonus favor english"
    assert followed(state, "red", "bonus 7 pass") is None
    assert unfit(state, "red", "bonus 4 favor irish").code == "chip-supply-empty"


def test_th_9_15_for_all_others_a_line_counts_where_its_kind_does():
    """TH-9.14, TH-9.15: a cube after wards 1 and 2, a chip after 4 and 7; the other kind says nothing there."""
    lines = ["bonus others cube irish 6", "bonus others favor irish"]
    assert followed(election({4: "1 irish | red 1"}).state, "red", *lines) == "bonus favor irish"
    assert followed(election({2: "1 irish | red 1"}).state, "red", *lines) == "bonus cube irish 6"
    assert followed(election({2: "1 irish | red 1"}).state, "red", lines[1]) is None
    empty = election({4: "1 irish | red 1"}, supply="0 5 0 0").state
    assert unfit(empty, "red", *lines).code == "chip-supply-empty"


def test_th_9_13_the_bonus_is_the_winner_s_question():
    """TH-9.13: nobody else's ballot answers it."""
    assert followed(election({4: "1 irish | red 1"}).state, "yellow", "bonus others pass") is None


def test_th_12_1_the_mayor_s_offices_are_given():
    """TH-12.1: by the ballot of the seat that became mayor, and by no other."""
    state = game(position(3, 4, phase="assign", offices={"yellow": "mayor"})).state
    assert followed(state, "yellow", "assign deputy red police black") == "assign deputy red police black"
    assert given_by(state, 1, Ballot(term=1, pass_slander=True)) is None
    assert given_by(state, 0, Ballot(term=1, assign=Assign({"deputy": 1, "police": 2}))) is None


def test_th_4_4_a_turn_ends_when_nothing_but_slander_is_left():
    """TH-4.4: not before the placement, and not while the office has a benefit to give."""
    fresh = position(3, 5, turn="red", wards={9: "1 irish 1 german"})
    assert followed(fresh, "red", "pass slander") is None
    placed = game(fresh).when("red", "place 6 6").state
    assert followed(placed, "red", "pass slander") == "end"
    assert followed(placed, "red", "ward 1 bid none") is None
    assert followed(placed, "yellow", "pass slander") is None


@pytest.mark.parametrize(
    "office, more, ends",
    [
        ("deputy", {}, False),
        ("deputy", {"supply": "0 0 0 0"}, True),
        ("police", {}, True),
        ("police", {"wards": {9: "1 irish 1 german"}}, False),
        ("police", {"wards": {9: "1 irish 1 german | locked"}}, True),
        ("council", {}, False),
        ("mayor", {}, True),
    ],
)
def test_th_7_2_an_office_is_left_while_it_has_something_to_do(office, more, ends):
    """TH-7.2: the benefit of the office is no slander, and is not passed on."""
    state = position(3, 5, turn="red", placed=True, offices={"red": office}, **more)
    assert followed(state, "red", "pass slander") == ("end" if ends else None)
    assert followed(state, "red", "end when placed") == "end"


def test_th_7_2_a_benefit_that_was_used_is_not_waited_for():
    """TH-7.2: once a year."""
    turn = game(position(3, 5, turn="red", placed=True, offices={"red": "deputy"}))
    assert followed(turn.when("red", "office favor irish").state, "red", "pass slander") == "end"


def test_th_6_7_where_no_boss_is_left_only_the_player_gives_up_office_and_slander():
    """TH-6.7: without a placement to make, a turn with nothing but slander left ends; another waits."""
    out = dict.fromkeys(ELECTION_ORDER, "... | red 1") | {6: "... | red 5"}
    state = position(5, 5, turn="red", wards=out)
    assert followed(state, "red", "pass slander") == "end"
    assert followed(state, "red", "end when placed") is None
    short = position(5, 5, turn="red", wards=out | {6: "... | red 4"})
    assert followed(short, "red", "pass slander") is None


def test_th_4_1_a_ballot_is_for_the_election_of_its_term():
    """TH-4.1: filed in term 1, it says nothing in term 2; how turns end it goes on to say."""
    lines = ["others bid none", "bonus others pass", "assign deputy yellow police black", "end when placed"]
    ballot = filed(position(3, 2, turn="red"), "red", *lines)
    assert ballot.term == 1
    wards, chips = {6: "1 irish | red 1 yellow 1"}, {"red": "1 irish"}
    assert given_by(election(wards, chips).state, 0, ballot) == Bid()
    assert given_by(election(wards, chips, year=8).state, 0, ballot) is None
    assert given_by(election({4: "1 irish | red 1"}, year=8).state, 0, ballot) is None
    assert given_by(game(position(3, 8, phase="assign", offices={"red": "mayor"})).state, 0, ballot) is None
    assert given_by(position(3, 5, turn="red", placed=True), 0, ballot) == TAMMANY_HALL.notation.parse("end", PAWNS)[0]


# Filing


def test_th_4_1_filing_says_which_election_a_ballot_is_for():
    """TH-4.1: the one that comes or is under way; turns end alike in every term."""
    assert [filed(position(3, year, turn="red"), "red", "ward 6 bid none").term for year in (1, 4, 5, 16)] == [
        1,
        1,
        2,
        4,
    ]
    assert filed(election({6: "... | red 1 yellow 1"}, {"red": "1 irish"}).state, "red", "ward 6 bid none").term == 1
    assert filed(position(3, 5, turn="red"), "red", "bonus others pass").term == 2
    assert filed(position(3, 5, turn="red"), "red", "assign deputy yellow police black").term == 2
    assert filed(position(3, 5, turn="red"), "red", "pass slander", "term 2").term is None


def test_th_4_1_a_late_ballot_is_not_taken_for_the_next_election():
    """TH-4.1: a ballot that names its term is refused in another; as it was filed it can be filed again."""
    first = filed(position(3, 4, turn="red"), "red", "ward 6 bid none")
    assert filed(position(3, 4, turn="red"), "red", ORDERS.write(first)) == first
    late = refused(position(3, 5, turn="red"), "red", ORDERS.write(first))
    assert (late.code, late.rule) == ("wrong-term", "TH-4.1")
    assert late.message == "This ballot is for the election of term 1, and this is term 2."


def test_th_9_2_filing_puts_wards_in_the_order_of_their_elections():
    """TH-9.2: and leaves preferences for one ward in theirs."""
    lines = """others bid none, ward 14 bid none, ward 7 up to 1 irish, keep 1 irish for ward 10,
        keep 1 irish for ward 2, bonus others pass, bonus 7 pass, bonus 1 cube irish 9, bonus 1 cube german 1"""
    ballot = filed(position(5, 5, turn="red"), "red", *lines.split(","))
    assert [vote.ward for vote in ballot.bids] == [7, 14, "others"]
    assert [reserve.ward for reserve in ballot.keep] == [2, 10]
    assert [(line.ward, TAMMANY_HALL.notation.write(line.take)) for line in ballot.bonuses] == [
        (1, "bonus cube irish 9"), (1, "bonus cube german 1"), (7, "bonus pass"), ("others", "bonus pass"),
    ]  # fmt: skip


@pytest.mark.parametrize(
    "lines, code, rule",
    [
        ("", "no-orders", "TH-15.1"),
        ("term 2", "no-orders", "TH-15.1"),
        ("ward 6 bid none / ward 6 bid irish 1", "ward-twice", "TH-9.8"),
        ("ward 6 bid none / ward 6 up to 1 irish", "ward-twice", "TH-9.8"),
        ("others bid none / others bid none", "ward-twice", "TH-9.8"),
        ("ward 6 bid none if contested", "idle-condition", "TH-9.8"),
        ("others bid none while winnable", "idle-condition", "TH-9.8"),
        ("ward 6 bid irish 36", "not-enough-chips", "TH-2.1"),
        ("keep 36 irish for ward 14 / others up to 1 irish", "not-enough-chips", "TH-2.1"),
        ("keep 2 irish for ward 14", "idle-reserve", "TH-9.8"),
        ("keep 2 irish for ward 14 / ward 6 bid irish 1", "idle-reserve", "TH-9.8"),
        ("keep 2 irish for ward 14 / keep 1 irish for ward 14 / ward 6 up to 1 irish", "keep-twice", "TH-9.8"),
        ("bonus 6 pass", "wrong-bonus", "TH-9.13"),
        ("bonus 14 cube irish 6", "wrong-bonus", "TH-9.13"),
        ("bonus 1 favor irish", "wrong-bonus", "TH-9.14"),
        ("bonus 7 cube irish 6", "wrong-bonus", "TH-9.15"),
        ("assign deputy red police yellow", "assign-self", "TH-12.1"),
        ("assign deputy yellow police yellow", "assign-duplicate", "TH-12.1"),
        ("assign deputy yellow deputy black", "assign-duplicate", "TH-12.1"),
        ("assign deputy yellow", "assign-incomplete", "TH-12.1"),
        (" / ".join(["bonus 1 pass"] * 21), "too-many-lines", "TH-15.1"),
    ],
)  # fmt: skip
def test_what_can_never_be_followed_is_not_filed(lines, code, rule):
    """TH-15.4: with the reasons of the rules where they have one."""
    error = refused(position(3, 5, turn="red"), "red", *lines.split(" / "))
    assert (error.code, error.rule) == (code, rule)


def test_what_may_still_come_to_be_legal_is_filed():
    """TH-9.8: chips that are not held yet, all there are, wards without a boss or not in play, a locked one."""
    state = position(3, 5, turn="yellow", wards={6: "... | locked"})
    lines = """ward 10 bid irish 35, ward 6 bid irish 2 if contested, keep 35 irish for ward 17, others up to 99 irish,
        bonus 1 cube irish 10, bonus 2 cube irish 6, bonus 4 favor irish"""
    assert filed(state, "red", *lines.split(","))


def test_a_document_is_checked_like_a_text():
    """TH-15.4: what the notation cannot even say is refused, too."""
    state = position(3, 5, turn="red")
    twice = refused_document(state, 0, Ballot(bids=[UpTo(6, chips=1, colours=["irish", "irish"])]))
    assert (twice.code, twice.rule) == ("colour-twice", "TH-9.8")
    nobody = refused_document(state, 0, Ballot(assign=Assign({"deputy": 1, "police": 4})))
    assert (nobody.code, nobody.rule) == ("unknown-player", "TH-1.5")


def test_th_17_3_variants_bound_what_can_be_filed():
    """TH-17.3: fewer chips, and bonuses that must be taken."""
    fewer = position(3, 5, turn="red", chip_supply="25")
    assert refused(fewer, "red", "ward 6 bid irish 26").message == "There are 25 favor chips of each colour."
    assert filed(fewer, "red", "ward 6 bid irish 25")
    must = position(3, 5, turn="red", ward_bonus="mandatory")
    assert refused(must, "red", "bonus 4 pass").code == "bonus-mandatory"
    assert refused(must, "red", "bonus others pass").code == "bonus-mandatory"
    assert filed(must, "red", "bonus 4 favor irish")


def test_th_12_5_no_offices_are_given_after_the_last_election():
    """TH-12.5: so no ballot gives them."""
    error = refused(position(3, 13, turn="red"), "red", "ward 6 bid none", "assign deputy yellow police black")
    assert (error.code, error.rule) == ("last-election", "TH-12.5")
    assert filed(position(3, 12, turn="red"), "red", "assign deputy yellow police black")


def test_th_13_1_nothing_is_filed_after_the_end():
    """TH-13.1: the game is over."""
    over = game(position(3, 16, phase="scoring")).state
    assert refused(over, "red", "end when placed").code == "game-over"
    assert not ORDERS.live(over, 0, Ballot(term=4, bids=[Exactly(6, chips={})], end_when_placed=True))


def test_orders_for_nothing_that_is_left_are_not_filed():
    """TH-9.2: wards that are decided, a turn after the last; but a line for one of them does no harm beside others."""
    state = election({6: "... | red 1 yellow 1"}, {"red": "1 irish"}).state
    late = refused(state, "red", "ward 7 bid none", "bonus 4 pass")
    assert (late.code, late.rule) == ("nothing-to-come", "TH-9.2")
    assert "term 2" in late.message
    assert filed(state, "red", "ward 7 bid none", "ward 6 bid none")
    last = election({6: "... | red 1 yellow 1"}, {"red": "1 irish"}, year=16).state
    done = refused(last, "red", "ward 7 bid none", "end when placed")
    assert (done.code, done.rule) == ("nothing-to-come", "TH-13.1")
    mayors = game(position(3, 4, phase="assign", offices={"yellow": "mayor"})).state
    assert refused(mayors, "red", "assign deputy yellow police black", "others bid none").code == "nothing-to-come"


@pytest.mark.parametrize("turn, seats", [("red", (0, 1, 2)), ("yellow", (1, 2)), ("black", (2,))])
def test_th_4_2_how_turns_end_holds_until_the_last_turn(turn, seats):
    """TH-4.2: in year 16, for the seat that moves and those after it; before, for everybody."""
    last, before = position(3, 16, turn=turn), position(3, 15, turn=turn)
    ballot = Ballot(end_when_placed=True)
    assert tuple(seat for seat in range(3) if ORDERS.live(last, seat, ballot)) == seats
    assert all(ORDERS.live(before, seat, ballot) for seat in range(3))
    ended = TAMMANY_HALL.decider.fold(last, [TurnEnded(PAWNS.index(turn))])
    assert tuple(seat for seat in range(3) if ORDERS.live(ended, seat, ballot)) == seats[1:]


def test_th_9_2_a_ballot_holds_until_what_it_says_is_decided():
    """TH-9.2: a ward while it is bid for, a bonus while its winner chooses, the offices while the mayor does."""
    ward, bonus = Ballot(term=1, bids=[Exactly(6, chips={})]), Ballot(term=1, bonuses=[Choice(4, BonusPass())])
    offices = Ballot(term=1, assign=Assign({"deputy": 1, "police": 2}))
    others = Ballot(term=1, bids=[Exactly("others", chips={})], bonuses=[Choice("others", BonusPass())])

    def holding(state, seat=0):
        return [ORDERS.live(state, seat, ballot) is not None for ballot in (ward, bonus, others, offices)]

    assert holding(position(3, 4, turn="red")) == [True, True, True, True]
    choosing = election({4: "1 irish | red 1", 6: "1 irish | red 1 yellow 1"}, {"red": "1 irish"})
    assert holding(choosing.state) == [True, True, True, True]
    assert holding(choosing.state, seat=1) == [True, False, True, True]
    bidding = choosing.when("red", "bonus pass")
    assert holding(bidding.state) == [True, False, True, True]
    assert not ORDERS.live(bidding.state, 0, Ballot(term=1, bonuses=[Choice("others", BonusPass())]))
    assigning = bidding.when("red", "bid irish 1")
    assert holding(assigning.state) == [False, False, False, True]
    assert holding(assigning.state, seat=1) == [False, False, False, False]
    assert holding(position(3, 5, turn="red")) == [False, False, False, False]


# Laws


@pytest.mark.slow
@pytest.mark.parametrize("number", GAMES)
def test_an_election_by_ballots_is_the_election_played_live(number):
    """TH-9 to TH-12: the same decisions in the same order, and the same game after it."""
    _same_by_ballots(playouts()[number])


@pytest.mark.slow
@settings(max_examples=3)
@given(st.integers(10, 10**6), st.sampled_from(VARIANTS))
def test_other_elections_by_ballots_are_the_same_too(seed, variant):
    """TH-9 to TH-12: whatever was bid."""
    _same_by_ballots(playout(*variant, seed))


def _same_by_ballots(played):
    found = elections(played)
    assert len(found) == 4
    asked = 0
    for start, steps, end in found:
        lines = lines_of(steps)
        ballots = {seat: filed(start, PAWNS[seat], *said.values()) for seat, said in lines.items()}
        decisions, state = held_with(ballots, start)
        live = {key: None for step in steps if step.action for key in [(step.before.phase, step.before.ward)]}
        assert list(dict.fromkeys((phase, ward) for phase, ward, _, _ in decisions)) == list(live)
        made = {(seat, phase, ward): line for phase, ward, seat, line in decisions}
        assert made == {
            (step.seat, step.before.phase, step.before.ward): TAMMANY_HALL.notation.write(step.action)
            for step in steps
            if step.action
        }
        assert state == end
        asked += len(made)
    assert asked > 20


@pytest.mark.slow
@given(st.integers(0, len(VARIANTS) - 1), st.data(), likely_ballots)
def test_s08_a_ballot_acts_legally_and_from_its_own_seat_s_view(number, data, ballot):
    """TH-14.1: what is followed is accepted, and the same whatever rivals have sealed."""
    state, seat = data.draw(st.sampled_from(list(playouts()[number].decisions(every=3))))
    ballot = msgspec.structs.replace(ballot, term=term(state))
    twin = TAMMANY_HALL.decider.copy(state)
    for rival in twin.bids:
        twin.bids[rival] = [data.draw(st.integers(0, 9)) for _ in COLOURS]
    outcome = outcome_of(state, seat, ballot)
    assert outcome == outcome_of(twin, seat, ballot) == outcome_of(TAMMANY_HALL.decider.blind(twin, seat), seat, ballot)
    assert not isinstance(outcome, tuple) or state.phase in ("bid", "bonus")
    assert outcome is None or isinstance(outcome, tuple) or TAMMANY_HALL.decider.decide(state, seat, outcome)


@given(st.integers(0, len(VARIANTS) - 1), st.integers(1, 4), st.integers(0, 4), likely_ballots)
@pytest.mark.slow
def test_what_is_followed_has_held_until_then(number, number_of_term, seat, ballot):
    """TH-4.1: orders are never taken for spent while something in them is still to come."""
    played = playouts()[number]
    seat %= played.players
    ballot = msgspec.structs.replace(ballot, term=number_of_term)
    over = False
    for state in in_term(played, number_of_term):
        held = ORDERS.live(state, seat, ballot)
        assert outcome_of(state, seat, held or Ballot()) == outcome_of(state, seat, ballot), "the rest is idle"
        assert (held and not over) or outcome_of(state, seat, ballot) is None
        over = over or not held


def test_th4_1_of_a_ballot_for_a_term_that_is_over_only_how_turns_end_lives_on():
    """TH-4.1, TH-4.4; TH-9.2: and during the election, what is said of wards that are still to come."""
    text = "term 1\nward 4 bid none\nward 6 up to 2 irish\nkeep 1 irish for ward 4\nbonus 4 pass\npass slander"
    ballot = ORDERS.parse(text, ())
    bidding = election({4: "1 irish | red 1", 6: "1 irish | red 1 yellow 1"}, {"red": "1 irish"})
    assert bidding.state.ward == 4
    after = bidding.when("red", "bonus pass").state
    assert after.ward == 6
    assert ORDERS.write(ORDERS.live(after, 0, ballot)) == "term 1\nward 6 up to 2 irish\npass slander"
    later = msgspec.structs.replace(ballot, term=2)
    assert ORDERS.write(ORDERS.live(after, 0, later)) == "pass slander"
    assert ORDERS.live(after, 0, msgspec.structs.replace(later, pass_slander=False)) is None


def votes_win(state, seat: int, bids: dict[int, Bid]) -> bool:
    """Whether a seat wins the ward that is bid for with these bids."""
    record = Record(state, None)
    for bidder, bid in bids.items():
        record = Record(
            TAMMANY_HALL.decider.fold(record.state, TAMMANY_HALL.decider.decide(record.state, bidder, bid)), None
        )
    (revealed,) = TAMMANY_HALL.decider.proceed(record.state)
    return revealed.winner == seat


@pytest.mark.slow
@settings(max_examples=60)
@given(
    st.lists(st.integers(1, 4), min_size=2, max_size=3),
    st.lists(st.integers(0, 3), min_size=3, max_size=3),
    st.lists(st.integers(0, 2), min_size=3, max_size=3),
    st.integers(1, 5),
    st.permutations(("irish", "english", "german")),
)
def test_th_9_10_up_to_is_certain_against_every_bid_and_one_chip_less_is_not(bosses, irish, english, limit, order):
    """TH-9.10: told by playing it out against all that rivals could bid."""
    pawns = " ".join(f"{pawn} {count}" for pawn, count in zip(PAWNS, bosses, strict=False))
    held = {pawn: f"{a} {b} 3 0" for pawn, a, b in zip(PAWNS[:3], irish, english, strict=True)}
    state = election({6: f"1 irish 1 english | {pawns}"}, held).state
    if state.phase != "bid" or 0 not in TAMMANY_HALL.decider.awaiting(state):
        return
    rivals = [seat for seat in TAMMANY_HALL.decider.awaiting(state) if seat]
    theirs = [[Bid(_chips(a, b)) for a in range(irish[it] + 1) for b in range(english[it] + 1)] for it in rivals]

    def certain(bid: Bid) -> bool:
        every = itertools.product(*theirs)
        return all(votes_win(state, 0, {0: bid, **dict(zip(rivals, bids, strict=True))}) for bids in every)

    bid = given_by(state, 0, filed(state, "red", f"ward 6 up to {limit} {' '.join(order)}"))
    spent = sum(bid.chips.values())
    assert spent <= limit
    if certain(bid):
        assert spent == 0 or not any(
            certain(Bid(_chips(a, b))) for a in range(irish[0] + 1) for b in range(english[0] + 1) if a + b == spent - 1
        )
    else:
        assert spent == min(limit, irish[0] + english[0])
    first = next(colour for colour in order if colour != "german")
    assert bid.chips.get(first, 0) == min(spent, (irish if first == "irish" else english)[0])


def _chips(irish: int, english: int) -> dict[str, int]:
    return {colour: count for colour, count in (("irish", irish), ("english", english)) if count}
