"""Proxies: what they do for the player who filed them, what they never do, and that they play what the same live
answers play."""

import itertools
import random
from functools import cache

import msgspec
import pytest
from hypothesis import assume, example
from hypothesis import given as for_any
from hypothesis import strategies as st

from domain.city_hall import CITY_HALL, ORDERS
from domain.city_hall.proxy.notation import PROXY_FORMS
from domain.city_hall.proxy.proxies import BidExactly, BidUpTo, KeepUpTo, PassOn, Proxies
from domain.city_hall.rules import actions as order
from domain.city_hall.rules.state import State
from domain.city_hall.rules.words import PROXY_WORDS
from domain.engine.refusals import OrderNotUnderstood, RuleViolation, Unfit
from tests.domain.city_hall.playouts import VARIANTS, Playout, playouts
from tests.domain.city_hall.scenario import Record, given, opened, position
from tests.domain.city_hall.words import NAMES, OFFICES, PAWNS

GAMES = range(len(VARIANTS))
KEEP = "keep others up to 0"


def filed(game: Record, name: str, text: str) -> Proxies:
    """The player's proxies, as they are filed in this position."""
    seat = game.seat(name)
    return ORDERS.check(CITY_HALL.decider.blind(game.state, seat), seat, ORDERS.parse(text, game.names))


def followed(game: Record, name: str, orders: str | Proxies) -> str | None:
    """What the proxies do in this position, as a line; None where the player is asked."""
    orders = filed(game, name, orders) if isinstance(orders, str) else orders
    seat = game.seat(name)
    action = ORDERS.follow(CITY_HALL.decider.blind(game.state, seat), seat, orders)
    return None if action is None else CITY_HALL.notation.write(action)


def refused(game: Record, name: str, text: str | Proxies) -> RuleViolation:
    """Why the player cannot file that."""
    seat = game.seat(name)
    orders = ORDERS.parse(text, game.names) if isinstance(text, str) else text
    with pytest.raises(RuleViolation) as error:
        ORDERS.check(CITY_HALL.decider.blind(game.state, seat), seat, orders)
    assert error.value.message.endswith(".")
    return error.value


def misread(text: str, names=NAMES) -> OrderNotUnderstood:
    with pytest.raises(OrderNotUnderstood) as error:
        ORDERS.parse(text, names)
    return error.value


def bidding(*bids: str, **given_position) -> Record:
    """Ann has activated the Tax Assessor, and Ben, Cat and Dan bid in this order; so many have bid."""
    game = given(position(4, **{"influence": 9, **given_position})).when("Ann", "activate tax")
    for name, bid in zip(("Ben", "Cat", "Dan"), bids, strict=False):
        game = game.when(name, bid)
    return game


# A bid of exactly so much


@pytest.mark.parametrize(
    "bid, answer",
    [("pass", "bid 4"), ("bid 0", "bid 4"), ("bid 3", "bid 4"), ("bid 4", "bid 4"), ("bid 5", "pass")],
)
def test_ch_7_6_an_exact_bid_is_made_until_the_high_bid_is_above_it(bid, answer):
    assert followed(bidding(bid), "Cat", "bid tax 4") == answer


def test_ch_7_6_an_exact_bid_of_0_is_made_where_nobody_has_bid_more():
    assert followed(bidding(), "Ben", "bid tax 0") == followed(bidding("bid 0"), "Cat", "bid tax 0") == "bid 0"
    assert followed(bidding("bid 1"), "Cat", "bid tax 0") == "pass"


def test_ch_7_6_an_exact_bid_above_what_is_held_does_not_fit():
    """CH-7.6: it is neither lowered nor left out; the player is told."""
    assert followed(bidding(influence={"ben": 4}), "Ben", "bid tax 4") == "bid 4"
    game = bidding(influence={"ben": 3})
    with pytest.raises(Unfit) as unfit:
        followed(game, "Ben", "bid tax 4")
    assert (unfit.value.code, unfit.value.rule) == ("not-enough-influence", "CH-7.6")
    assert unfit.value.message == "Your orders bid 4 Influence for the Tax Assessor, and you have 3."


def test_ch_7_6_an_exact_bid_that_is_beaten_need_not_be_held():
    assert followed(bidding("bid 5", influence=[9, 9, 3, 9]), "Cat", "bid tax 4") == "pass"


# A bid of up to so much


@pytest.mark.parametrize(
    "bids, answer",
    [
        ([], "bid 1"),
        (["pass"], "bid 1"),
        (["bid 0"], "bid 1"),
        (["bid 1"], "bid 2"),
        (["bid 3"], "bid 4"),
        (["bid 4"], "bid 4"),
        (["bid 5"], "pass"),
        (["bid 2", "pass"], "bid 3"),
        (["bid 2", "bid 3"], "bid 4"),
    ],
)
def test_ch_7_6_a_bid_of_up_to_4_raises_by_1_or_matches_or_passes(bids, answer):
    """CH-7.6, CH-7.9: a bid of 0 would lead, but it costs the activator nothing to keep; so a raise starts at 1."""
    assert followed(bidding(*bids), NAMES[1 + len(bids)], "bid tax up to 4") == answer


@pytest.mark.parametrize(
    "held, bid, answer",
    [
        (0, "pass", "bid 0"),
        (1, "pass", "bid 1"),
        (2, "bid 1", "bid 2"),
        (1, "bid 1", "bid 1"),
        (1, "bid 2", "pass"),
        (4, "bid 3", "bid 4"),
    ],
)
def test_ch_7_6_a_bid_of_up_to_so_much_is_never_more_than_what_is_held(held, bid, answer):
    assert followed(bidding(bid, influence=[9, 9, held, 9]), "Cat", "bid tax up to 4") == answer


def test_ch_7_6_a_bid_of_up_to_0_matches_0():
    assert followed(bidding(), "Ben", "bid tax up to 0") == "bid 0"
    assert followed(bidding("bid 1"), "Cat", "bid tax up to 0") == "pass"


def test_ch_19_3_where_0_is_no_bid_it_is_none_of_a_proxy():
    """CH-19.3, no. 10: it cannot be filed, and without Influence a proxy passes."""
    game = bidding(zero_bid="refused", influence=[9, 0, 9, 9])
    assert followed(game, "Ben", "bid tax up to 4") == "pass"
    assert followed(bidding(zero_bid="refused"), "Ben", "bid tax up to 1") == "bid 1"
    for text in ("bid tax 0", "bid tax up to 0", "others bid 0", "pass tax\nothers bid up to 0"):
        refusal = refused(game, "Ben", text)
        assert (refusal.code, refusal.rule) == ("bid-too-low", "CH-7.6")
    assert refusal.message == "A bid is at least 1 in this game; not to bid, write pass OFFICE."
    assert filed(game, "Ben", "pass tax\nkeep tax up to 0")


# Passing, and every other Office


def test_ch_7_6_a_proxy_can_pass():
    assert followed(bidding(), "Ben", "pass tax") == followed(bidding("bid 0"), "Cat", "pass tax") == "pass"


def test_what_no_line_is_about_is_asked():
    game = bidding()
    assert followed(game, "Ben", "bid zoning 4") is None
    assert followed(game, "Ben", "keep zoning up to 4") is None
    assert followed(game.when("Ben", "bid 1").when("Cat", "pass").when("Dan", "pass"), "Ann", "bid zoning 4") is None


def test_others_are_the_offices_without_a_line_of_their_own():
    game = bidding()
    assert followed(game, "Ben", "others pass") == "pass"
    assert followed(game, "Ben", "others bid 3") == "bid 3"
    assert followed(game, "Ben", "others bid up to 3") == "bid 1"
    for text in ("bid tax 4\nothers pass", "others pass\nbid tax 4", "others bid 2\nbid tax 4\nbid zoning 3"):
        assert followed(game, "Ben", text) == "bid 4"
    decided = bidding("bid 3", "pass", "pass")
    assert followed(decided, "Ann", "keep others up to 3\nkeep zoning up to 0") == "keep"
    assert followed(decided, "Ann", "keep others up to 3\nkeep tax up to 2") == "accept blue"


def test_others_bid_for_an_office_that_a_line_only_keeps():
    """An Office is named for one question at a time."""
    assert followed(bidding(), "Ben", "keep tax up to 9\nothers bid 2") == "bid 2"


# Keeping, or accepting


@pytest.mark.parametrize("limit, answer", [(0, "accept blue"), (2, "accept blue"), (3, "keep"), (9999, "keep")])
def test_ch_7_9_an_office_is_kept_up_to_a_price(limit, answer):
    assert followed(bidding("bid 3", "pass", "pass"), "Ann", f"keep tax up to {limit}") == answer


@pytest.mark.parametrize("held, answer", [(2, "accept green"), (3, "keep")])
def test_ch_7_9_an_office_is_kept_only_if_it_can_be_paid(held, answer):
    """CH-7.9: who cannot pay must accept, and that fits the order."""
    game = bidding("pass", "bid 3", "pass", influence=[held, 9, 9, 9])
    assert followed(game, "Ann", "keep tax up to 5") == answer


def test_ch_7_9_what_lay_on_the_office_pays_for_it():
    game = bidding("bid 3", "pass", "pass", influence=[0, 9, 9, 9], offices={"tax": 3})
    assert followed(game, "Ann", "keep tax up to 5") == "keep"


def test_ch_7_9_a_bid_of_0_is_kept_at_any_limit():
    assert followed(bidding("bid 0", "pass", "pass"), "Ann", "keep tax up to 0") == "keep"


@pytest.mark.parametrize(
    "preference, answer",
    [
        ("", None),
        ("\naccept yellow", "accept yellow"),
        ("\naccept dan blue", "accept yellow"),
        ("\naccept blue yellow green", "accept blue"),
        ("\naccept green yellow", "accept yellow"),
        ("\naccept green", None),
        ("\naccept green\naccept blue", "accept blue"),
    ],
)
def test_ch_7_9_of_several_high_bidders_the_first_preferred_is_accepted(preference, answer):
    """CH-7.9: Ben and Dan have bid 3, Cat less. Without a preference for one of the two the player is asked."""
    assert followed(bidding("bid 3", "pass", "bid 3"), "Ann", f"keep tax up to 2{preference}") == answer


def test_ch_7_9_a_tie_that_is_kept_needs_no_preference():
    assert followed(bidding("bid 3", "pass", "bid 3"), "Ann", "keep tax up to 3") == "keep"


def test_ch_7_9_one_high_bidder_needs_no_preference():
    assert followed(bidding("bid 2", "bid 3", "pass"), "Ann", "keep tax up to 2\naccept blue") == "accept green"


# When they are followed


def test_ch_7_5_only_a_seat_that_is_asked_is_answered_for():
    game = bidding()
    assert followed(game, "Cat", "bid tax 4") is None
    assert followed(game, "Ann", "keep tax up to 4") is None
    assert followed(given(position(4)), "Ann", "bid tax 4\nkeep tax up to 4\nothers pass") is None


def test_ch_8_9_nothing_is_bid_before_the_surveyor_s_card_is_drawn():
    """CH-8.9: chance comes first, so a proxy waits for it as everybody does."""
    game = given(position(4))
    state = CITY_HALL.decider.fold(game.state, CITY_HALL.decider.decide(game.state, 0, order.Activate("surveyor")))
    assert state.phase == "bid"
    assert ORDERS.follow(CITY_HALL.decider.blind(state, 1), 1, filed(game, "Ben", "bid surveyor 2")) is None


def test_ch_6_2_proxies_are_for_the_round_they_are_filed_in():
    game = given(position(3))
    once, always = filed(game, "Ben", "bid tax 2"), filed(game, "Ben", "bid tax 2\nevery round")
    assert (once.round, always.round) == (1, 0)
    now, later = game.when("Ann", "activate tax"), game.idle(2, "Ann").when("Ann", "activate tax")
    assert followed(now, "Ben", once) == followed(now, "Ben", always) == "bid 2"
    assert (followed(later, "Ben", once), followed(later, "Ben", always)) == (None, "bid 2")


def test_ch_6_2_proxies_can_be_filed_for_a_round_to_come():
    game = given(position(3))
    second = filed(game, "Ben", "bid tax 2\nround 2")
    assert followed(game.when("Ann", "activate tax"), "Ben", second) is None
    assert followed(game.idle(2, "Ann").when("Ann", "activate tax"), "Ben", second) == "bid 2"
    assert followed(game.idle(3, "Ann").when("Ann", "activate tax"), "Ben", second) is None


def test_ch_6_1_proxies_can_be_filed_before_the_first_round():
    """CH-6.1: in the draft and while the initial Buildings are placed, for round 1."""
    game = opened(3)
    while game.document["round"] == 0:
        assert filed(game, "Ben", "bid tax 2").round == 1
        assert ORDERS.live(game.state, 1, filed(game, "Ben", "bid tax 2"))
        (seat,) = game.document["active"]
        game = game.when(NAMES[seat], CITY_HALL.decider.caretaker(game.state, seat))
    assert filed(game, "Ben", "bid tax 2").round == 1


def test_ch_6_2_proxies_are_for_the_next_round_where_this_one_asks_nothing_more():
    """CH-7.1: in Cat's turn, the last of the round, Ben has passed, Ann is still to bid and Cat to decide."""
    last = given(position(3, used="tax zoning")).when("Cat", "activate deputy")
    assert filed(last, "Ben", "others pass").round == 1
    last = last.when("Ann", "pass")
    assert (filed(last, "Ann", "others pass").round, filed(last, "Ben", "others pass").round) == (2, 1)
    decision = last.when("Ben", "bid 1")
    assert (filed(decision, "Cat", KEEP).round, filed(decision, "Ben", KEEP).round) == (1, 2)
    over = decision.when("Cat", "keep")
    assert filed(over, "Ben", KEEP).round == filed(over, "Cat", KEEP).round == over.document["round"] == 2
    acting = given(position(3, used="tax zoning")).takes("Cat", "health")
    assert [filed(acting, name, KEEP).round for name in acting.names] == [2, 2, 2]


def test_filing_what_was_filed_changes_nothing():
    game = given(position(3))
    for text in ("bid tax 2", "bid tax 2\nevery round", "others pass\nround 4"):
        orders = filed(game, "Ben", text)
        assert ORDERS.check(game.state, 1, orders) == orders
        assert ORDERS.parse(ORDERS.write(orders), game.names) == orders


# Whether anything can still come of them

ROUND = """
    Ann: activate tax
    Ben: bid 1
    Cat: pass
    Ann: keep
    Ann: tax
    Ben: activate deputy
    Cat: pass
    Ann: bid 0
    Ben: keep
    Cat: activate health
    Ann: pass
    Ben: pass
    Cat: health none
"""


@pytest.mark.parametrize(
    "text, until",
    [
        ("keep tax up to 3", "Ann: activate tax"),
        ("bid tax 2", "Ben: bid 1"),
        ("bid tax 2\naccept red\nkeep tax up to 3", "Ben: bid 1"),
        ("keep zoning up to 3", "Ben: activate deputy"),
        ("keep deputy up to 3", "Ben: keep"),
        ("keep others up to 3", "Ben: keep"),
        ("bid tax 2\nkeep others up to 3", "Ben: keep"),
        ("bid zoning 2", "Cat: activate health"),
        ("pass health", "Ben: pass"),
        ("others bid up to 2", "Ben: pass"),
        ("bid tax 2\nround 2", "the end"),
        ("bid tax 2\nevery round", "the end"),
    ],
)
def test_ch_7_2_proxies_hold_while_something_of_them_can_still_be_asked(text, until):
    """CH-7.1, CH-7.2: Ben's, in a round of three, up to the line with which it is past."""
    game, held = given(position(3)), ["nothing"]
    orders = filed(game, "Ben", text)
    for line in [*map(str.strip, ROUND.strip().splitlines()), "the end"]:
        if ORDERS.live(CITY_HALL.decider.blind(game.state, 1), 1, orders):
            held.append(line)
        name, _, move = line.partition(": ")
        game = game.when(name, move) if move else game
    assert (held[-1], game.document["round"]) == (until, 2)


def test_ch_7_1_whose_turn_is_the_last_of_the_round_is_asked_for_no_bid_any_more():
    game = given(position(3, used="tax zoning"))
    assert not ORDERS.live(game.state, 2, filed(game, "Ben", "others bid 2"))
    assert ORDERS.live(game.state, 1, filed(game, "Ben", "others bid 2"))
    assert refused(game, "Cat", "others bid 2").code == "nothing-to-come"
    assert filed(game, "Cat", f"others bid 2\n{KEEP}").round == 1


def test_ch_11_2_in_the_final_round_nothing_holds_for_another():
    """CH-11.2: Ann has activated the last Office; Cat has bid and Ben is still to."""
    used = "tax surveyor campaign lobbyist zoning health"
    game = given(position(3, final=True, order="ann cat ben", used=used))
    always, later = ORDERS.parse("pass deputy\nevery round", NAMES), ORDERS.parse("others pass\nround 2", NAMES)
    assert ORDERS.live(game.state, 1, always)
    assert not ORDERS.live(game.state, 1, later)
    game = game.when("Ann", "activate deputy").when("Ben", "pass")
    assert not ORDERS.live(game.state, 1, always)
    for name, text in (("Ben", "others pass"), ("Ben", "others pass\nevery round"), ("Cat", "others pass\nround 2")):
        refusal = refused(game, name, text)
        assert (refusal.code, refusal.rule) == ("nothing-to-come", "CH-11.2")
    assert refusal.message == "None of this can come up again before the game ends."
    over = game.when("Cat", "pass")
    assert over.document["phase"] == "over"
    assert not ORDERS.live(over.state, 2, always)
    assert refused(over, "Cat", "others pass").code == "game-over"


# What cannot be filed


@pytest.mark.parametrize(
    "text, code, rule, message",
    [
        ("", "no-orders", "CH-7.6", "Write at least one line: bid OFFICE up to NUMBER, or keep OFFICE up to NUMBER."),
        ("every round", "no-orders", "CH-7.6", "Write at least one line"),
        ("round 3", "no-orders", "CH-7.6", "Write at least one line"),
        ("bid tax 2\npass tax", "office-twice", "CH-7.5", "You name the Tax Assessor twice"),
        ("bid tax 2\nbid tax 2", "office-twice", "CH-7.5", "You name the Tax Assessor twice"),
        ("others pass\nothers bid 2", "office-twice", "CH-7.5", "You name the other Offices twice"),
        ("keep tax up to 2\nkeep tax up to 3", "office-twice", "CH-7.9", "You name the Tax Assessor twice"),
        (f"{KEEP}\naccept ben", "accepts-self", "CH-7.9", "You do not bid for your own Office"),
        (f"{KEEP}\naccept red blue", "accepts-self", "CH-7.9", "You do not bid for your own Office"),
        (f"{KEEP}\naccept red red", "player-twice", "CH-7.9", "You name red twice"),
        (f"{KEEP}\naccept red\naccept green ann", "player-twice", "CH-7.9", "You name red twice"),
        ("accept red", "accepts-without-keep", "CH-7.9", "Whom to accept matters where you do not keep an Office"),
        ("bid tax 2\naccept red", "accepts-without-keep", "CH-7.9", "Whom to accept matters"),
        ("bid zoning 2", "nothing-to-come", "CH-7.2", "None of this can come up again in round 1; for "
         "the next round write the line round 2."),
        ("bid zoning 2\nround 1", "nothing-to-come", "CH-7.2", "None of this can come up again"),
        ("keep tax up to 3\naccept red", "nothing-to-come", "CH-7.2", "None of this can come up again"),
    ],
)  # fmt: skip
def test_proxies_that_can_never_be_followed_cannot_be_filed(text, code, rule, message):
    """Ben's, of three: Ann used the Zoning Board, and Ben, who activated the Tax Assessor, has accepted a bid."""
    game = given(position(3, used="zoning")).when("Ben", "activate tax").when("Cat", "bid 1").when("Ann", "pass")
    refusal = refused(game.when("Ben", "accept cat"), "Ben", text)
    assert (refusal.code, refusal.rule) == (code, rule)
    assert refusal.message.startswith(message)


def test_an_office_can_be_named_for_either_question():
    assert filed(given(position(3)), "Ben", "bid tax 2\nkeep tax up to 2\nothers pass\nkeep others up to 3")


def test_ch_6_2_a_round_that_is_over_is_refused():
    game = given(position(3)).idle(3)
    refusal = refused(game, "Ben", "bid tax 2\nround 2")
    assert (refusal.code, refusal.rule) == ("round-over", "CH-6.2")
    assert refusal.message == "Round 2 is over; leave out the line round 2, or name a round to come."
    assert filed(game, "Ben", "bid tax 2\nround 3") == filed(game, "Ben", "bid tax 2")


@pytest.mark.parametrize(
    "orders, code",
    [
        (Proxies([BidExactly("mayor", 2)]), "unknown-office"),
        (Proxies(keep=[KeepUpTo("mayor", 2)]), "unknown-office"),
        (Proxies([BidExactly("tax", -1)]), "bad-count"),
        (Proxies([BidUpTo("tax", 10000)]), "bad-count"),
        (Proxies(keep=[KeepUpTo("tax", 10000)]), "bad-count"),
        (Proxies(keep=[KeepUpTo("tax", 2)], accept=[3]), "unknown-player"),
        (Proxies(keep=[KeepUpTo("tax", 2)], accept=[-1]), "unknown-player"),
        (Proxies([PassOn("tax")], every_round=True, round=1), "several-rounds"),
    ],
    ids=str,
)
def test_a_document_is_refused_for_what_no_text_can_say(orders, code):
    """CH-1.5, CH-16.1: of Ben, at a table of three."""
    assert refused(given(position(3)), "Ben", orders).code == code


def test_the_bounds_of_the_notation_can_be_filed():
    """CH-16.1: numbers of at most four digits."""
    assert filed(given(position(3)), "Ben", "bid tax 9999\nbid zoning up to 9999\nkeep others up to 9999")


# The notation


@pytest.mark.parametrize(
    "text, written",
    [
        ("  Bid   TAX 4 ", "bid tax 4"),
        ("bid tax up to 4", "bid tax up to 4"),
        ("bid tax up 4", "bid tax up to 4"),
        ("pass tax", "pass tax"),
        ("bid others up to 2", "others bid up to 2"),
        ("others bid 2", "others bid 2"),
        ("pass others", "others pass"),
        ("Others PASS", "others pass"),
        ("keep tax up to 5", "keep tax up to 5"),
        ("others keep up to 3", "keep others up to 3"),
        ("accept Dan red", "accept yellow red"),
        ("accept dan\n\n \raccept ann", "accept yellow red"),
        ("EVERY round", "every round"),
        ("round 4\nround 4", "round 4"),
        ("every round\nkeep tax up to 5\naccept red\npass tax", "pass tax\nkeep tax up to 5\naccept red\nevery round"),
        (" \n", ""),
    ],
)
def test_ch_16_1_proxies_are_read_and_written(text, written):
    """CH-16.1: letter case and blanks do not matter; a player is a name or a pawn."""
    orders = ORDERS.parse(text, NAMES)
    assert ORDERS.write(orders) == written
    assert ORDERS.parse(written, PAWNS) == orders


@pytest.mark.parametrize(
    "line, code",
    [
        *[(line, "bad-syntax") for line in (
            "bid", "bid tax", "bid tax to 4", "bid tax 4 5", "bid tax up to 4 5", "bid up to 4", "pass", "pass tax 3",
            "keep", "keep tax", "keep tax 5", "keep tax up", "others", "others accept red", "others others pass",
            "accept", "every", "every rounds", "round", "round 3 4", "bids tax 4", "tax 4",
            "\N{KELVIN SIGN}eep tax up to 3",
        )],
        *[(line, "unknown-office") for line in ("bid mayor 4", "pass mayor", "keep mayor up to x")],
        *[(line, "bad-count") for line in (
            "bid tax -1", "bid tax 04", "bid tax four", "bid tax up to", "bid tax up to 10000", "keep tax up to 1.5",
            "others bid x", "round 0", "round one",
        )],
        *[(line, "unknown-player") for line in ("accept bob", "accept ann bob", "accept 1", "accept others")],
        *[(line, "bad-syntax") for line in ("others bid", "others keep 3", "others bid up to 2 3")],
    ],
)  # fmt: skip
def test_ch_17_1_a_line_that_is_none_is_named(line, code):
    """CH-17.1: the form of a line first, then its words from left to right; the sentence says what would fit."""
    error = misread(f"bid tax 4\n  {line}\nbid nothing", NAMES)
    assert (error.code, error.line) == (code, line)
    assert error.message.endswith(".")


def test_ch_17_1_a_refusal_shows_a_form_that_works():
    assert (
        misread("bid tax").message == "That line does not fit; write: bid OFFICE up to NUMBER; or: bid OFFICE NUMBER."
    )
    assert misread("sell tax").message == ("A line begins with bid, pass, others, keep, accept, every or round.")


def test_proxies_are_for_one_round_or_for_every_one():
    for text in ("every round\nround 3", "round 3\nround 4", "round 3\nevery round"):
        error = misread(f"bid tax 4\n{text}")
        assert (error.code, error.line) == ("several-rounds", text.split("\n")[1])


def test_ch_16_1_only_seats_that_play_can_be_accepted():
    assert misread("accept green", NAMES[:2]).code == "unknown-player"


def test_every_word_of_a_line_is_one_of_the_notation_or_of_proxies():
    """CH-16.1: so that each is known in other languages; a player may be called by a word that proxies alone have."""
    typed = {word for forms in PROXY_FORMS.values() for line in forms for word in line.split() if word.islower()}
    assert typed <= CITY_HALL.notation.reserved | PROXY_WORDS
    assert not PROXY_WORDS & CITY_HALL.notation.reserved
    assert ORDERS.parse("accept others up", ("round", "others", "up")).accept == [1, 2]


def test_the_help_shows_lines_that_work():
    lines = ORDERS.help.splitlines()
    shown = [line.strip().split("   ")[0] for line in lines if line.startswith("  ") and line[2] != " "]
    kinds = [ORDERS.parse(line, PAWNS) for line in shown]
    assert [ORDERS.write(it) for it in kinds] == shown
    assert {line.split()[0] for line in shown} == ORDERS.verbs
    assert len(lines) <= 25
    assert max(map(len, lines)) <= 78


offices = st.sampled_from([*OFFICES, "others"])
amounts = st.integers(0, 9999)
bids = st.one_of(
    st.builds(BidExactly, offices, amounts), st.builds(BidUpTo, offices, amounts), st.builds(PassOn, offices)
)
rounds = st.one_of(st.just((False, 0)), st.just((True, 0)), st.integers(1, 9999).map(lambda number: (False, number)))
proxies = st.builds(
    lambda bids, keep, accept, when: Proxies(bids, keep, accept, *when),
    st.lists(bids, max_size=8),
    st.lists(st.builds(KeepUpTo, offices, amounts), max_size=8),
    st.lists(st.integers(0, 3), max_size=3),
    rounds,
)


@pytest.mark.slow
@for_any(proxies)
def test_ch_16_6_proxies_are_written_so_that_they_are_read_again(orders):
    """CH-16.6: as a text in lower case, in any letter case, and as a document."""
    text = ORDERS.write(orders)
    assert text == text.lower()
    assert ORDERS.parse(text, PAWNS) == ORDERS.parse(text.swapcase(), PAWNS) == orders
    assert msgspec.json.decode(msgspec.json.encode(orders), type=ORDERS.form) == orders


REASONS = "bad-syntax unknown-office unknown-player bad-count several-rounds"
QUOTED = "bid pass others keep accept every round up to 0 3 9999 01 red blue tax zoning mayor"


@pytest.mark.slow
@for_any(st.one_of(st.text(), st.lists(st.sampled_from(QUOTED.split()), max_size=6).map(" ".join)))
@example("\x00")
@example("others")
@example("bid tax up\u2028to 3")
def test_ch_17_1_any_text_is_read_or_refused_with_a_reason(text):
    """CH-17.1: no text does anything else."""
    refusal, orders = None, Proxies()
    try:
        orders = ORDERS.parse(text, PAWNS)
    except OrderNotUnderstood as error:
        refusal = error
    assert refusal is None or (refusal.code in REASONS.split() and refusal.message.endswith("."))
    assert ORDERS.parse(ORDERS.write(orders), PAWNS) == orders


# Laws


def live_orders(played: Playout, number: int, seat: int) -> tuple[str, set[str]]:
    """The lines that say what a seat did in a round, and the Offices about whose bids they cannot speak.

    Nobody can order an Office to be given away for 0, nor two opposite preferences.
    """
    lines, wishes = [], []
    for step in played.steps:
        before = step.before
        if step.seat != seat or before.round != number or before.phase not in ("bid", "decide"):
            continue
        office, high = before.office, max((amount or 0 for _, amount in before.bids), default=0)
        match step.action:
            case order.Bid(influence=influence):
                lines.append(f"bid {office} {influence}")
            case order.Pass():
                lines.append(f"pass {office}")
            case order.Keep():
                lines.append(f"keep {office} up to {high}")
            case order.Accept(seat=bidder):
                tied = {other for other, amount in before.bids if amount == high}
                wishes.append((office, high, bidder, tied))
    others = [other for other in range(played.players) if other != seat]
    speaks = [wish for wish in wishes if wish[1] > 0]
    ranking = next(
        (rank for rank in itertools.permutations(others) if all(first(rank, tied) == it for _, _, it, tied in speaks)),
        None,
    )
    silent = {office for office, high, _, _ in wishes if high == 0}
    if ranking is None:
        silent |= {office for office, _, _, tied in speaks if len(tied) > 1}
    lines += [f"keep {office} up to {high - 1}" for office, high, _, _ in speaks]
    if ranking and speaks:
        lines.append(" ".join(["accept", *(PAWNS[it] for it in ranking)]))
    return "\n".join(lines), silent


def first(ranking, tied) -> int:
    return next(it for it in ranking if it in tied)


@pytest.mark.slow
@pytest.mark.parametrize("number", GAMES)
def test_a_game_by_proxies_is_the_game_live(number):
    """Issue 5: proxies that say what a seat did in a round give exactly what the same answers live gave.

    They are filed when the round begins, from what the seat sees then, and hold until they have all been followed.
    """
    played, state, orders = playouts()[number], playouts()[number].start, {}
    answered = 0
    for step in played.steps:
        assert state == step.before
        if state.round and state.phase == "activate" and state.turn == 0:
            orders = {}
            for seat in range(played.players):
                text, silent = live_orders(played, state.round, seat)
                if text:
                    blind = CITY_HALL.decider.blind(state, seat)
                    orders[seat] = ORDERS.check(blind, seat, ORDERS.parse(text, PAWNS)), silent
        action = step.action
        if state.phase in ("bid", "decide") and step.seat in orders:
            filed_orders, silent = orders[step.seat]
            blind = CITY_HALL.decider.blind(state, step.seat)
            by_proxy = ORDERS.follow(blind, step.seat, filed_orders)
            if state.phase == "decide" and state.office in silent:
                assert by_proxy is None
            else:
                assert ORDERS.live(blind, step.seat, filed_orders)
                action, answered = by_proxy, answered + 1
        facts = (
            CITY_HALL.decider.proceed(state)
            if step.seat is None
            else CITY_HALL.decider.decide(state, step.seat, action)
        )
        assert facts == step.facts
        state = CITY_HALL.decider.fold(state, facts)
    assert state == played.end
    asked = sum(it.phase in ("bid", "decide") for it, _ in played.decisions())
    assert answered >= asked * 0.8


modest = st.integers(0, 8)
some_bids = st.one_of(
    st.builds(BidExactly, offices, modest), st.builds(BidUpTo, offices, modest), st.builds(PassOn, offices)
)
some_proxies = st.builds(
    Proxies,
    st.lists(some_bids, max_size=8, unique_by=lambda it: it.office),
    st.lists(st.builds(KeepUpTo, offices, modest), max_size=8, unique_by=lambda it: it.office),
    st.lists(st.integers(0, 3), max_size=3, unique=True),
    st.just(True),
)


@cache
def asked() -> list[tuple[State, int]]:
    """The positions of all games in which a seat is asked for a bid or a decision."""
    return [it for game in playouts() for it in game.decisions() if it[0].phase in ("bid", "decide")]


@pytest.mark.slow
@for_any(some_proxies, st.integers(0, 40))
def test_s08_what_proxies_do_is_legal_and_does_not_depend_on_what_their_seat_may_not_see(orders, offset):
    """S-08, CH-14.7: accepted whatever the others have, and the same in a game in which they have something else."""
    for state, seat in asked()[offset::41]:
        action = outcome(CITY_HALL.decider.blind(state, seat), seat, orders)
        assert action == outcome(CITY_HALL.decider.blind(disguised(state, seat), seat), seat, orders)
        if isinstance(action, str):
            exact = [it for it in orders.bids if isinstance(it, BidExactly) and it.office in (state.office, "others")]
            assert any(it.influence > state.players[seat].influence for it in exact)
        elif action is not None:
            assert CITY_HALL.decider.decide(state, seat, action)
            assert ORDERS.live(state, seat, orders)


def disguised(state: State, reader: int) -> State:
    """The same for this reader: all others have other money and Permits, and other Influence unless it is open."""
    twin = CITY_HALL.decider.copy(state)
    for seat, player in enumerate(twin.players):
        if seat != reader:
            player.hand = [0, 0, 0, player.hand_count]
            if state.options.get("holdings") != "open":
                player.money, player.influence = player.money + 7, player.influence + 5
    return twin


def outcome(state: State, seat: int, orders: Proxies) -> object:
    try:
        return ORDERS.follow(state, seat, orders)
    except Unfit as unfit:
        return f"{unfit.code} {unfit.rule} {unfit.message}"


@pytest.mark.slow
@for_any(st.sampled_from(GAMES), st.integers(0, 3), some_proxies, st.randoms(use_true_random=False))
def test_what_no_longer_holds_is_never_followed_again(number, seat, orders, chooser: random.Random):
    """From any moment at which they could be filed; and what was filed held then."""
    played = playouts()[number]
    assume(seat < played.players)
    start = chooser.randrange(len(played.steps))
    once = msgspec.structs.replace(orders, every_round=chooser.random() < 0.2)
    try:
        once = ORDERS.check(CITY_HALL.decider.blind(played.steps[start].before, seat), seat, once)
    except RuleViolation:
        return
    held = True
    assert ORDERS.live(played.steps[start].before, seat, once)
    for step in played.steps[start:]:
        blind = CITY_HALL.decider.blind(step.before, seat)
        still = ORDERS.live(blind, seat, once)
        assert held or not still
        assert still or outcome(blind, seat, once) is None
        held = still
    assert not ORDERS.live(played.end, seat, once)


@pytest.mark.slow
def test_a_game_of_proxies_alone_never_asks_for_a_bid():
    """Issue 5: with a line for every Office, once filed, no player waits for an answer about one."""
    text = "others bid up to 2\nkeep others up to 1\nevery round"
    orders = ORDERS.parse(text, PAWNS)
    game, answered = given(position(4, star=8)), 0
    wishes = [msgspec.structs.replace(orders, accept=[it for it in range(4) if it != seat]) for seat in range(4)]
    filed_orders = [ORDERS.check(CITY_HALL.decider.blind(game.state, seat), seat, wishes[seat]) for seat in range(4)]
    while (seen := game.document)["phase"] != "over" and seen["round"] < 12:
        (seat,) = seen["active"]
        action = ORDERS.follow(CITY_HALL.decider.blind(game.state, seat), seat, filed_orders[seat])
        assert (action is not None) == (seen["phase"] in ("bid", "decide"))
        answered += action is not None
        game = game.when(NAMES[seat], action or CITY_HALL.decider.caretaker(game.state, seat))
    assert answered > 50
