"""What each bid for an Office was worth: by hand where the rulebook has an example, and recounted over whole games."""

from itertools import pairwise

import pytest

from domain.city_hall import CITY_HALL
from domain.city_hall.rules import events as fact
from domain.engine.statistics import lead_changes
from tests.domain.city_hall.playouts import VARIANTS, Playout, playouts
from tests.domain.city_hall.scenario import given, position

STATISTICS = CITY_HALL.presentation.statistics
assert STATISTICS is not None
GAMES = pytest.mark.parametrize("game", range(len(VARIANTS)), indirect=True)
RULEBOOK = ("michael", "mark", "eve", "carol")


@pytest.fixture
def game(request: pytest.FixtureRequest) -> Playout:
    """One of the games; they are played when the first of these tests runs."""
    return playouts()[request.param]


def rulebook(held: int, line: str):
    """CH-E9: Mark bids 3, Eve and Carol 5, for the Surveyor with 3 Influence on it."""
    start = position(4, names=RULEBOOK, influence=[held, 4, 6, 7], offices={"surveyor": 3})
    played = given(start, RULEBOOK, lands="M2").when("Michael", "activate surveyor").when("Mark", "bid 3")
    return values(played.when("Eve", "bid 5").when("Carol", "bid 5").when("Michael", line), start)


def values(played, start):
    """By seat: contested, won, bid, most, paid, needed, wasted, short."""
    found = STATISTICS.bids(CITY_HALL.decider.copy(start), enumerate(played.facts, 1))
    return {
        value.seat: (
            value.contested, value.won, value.bid, value.most, value.paid, value.needed, value.wasted, value.short
        )
        for value in found
    }  # fmt: skip


@pytest.mark.slow
def test_ch_7_9_a_match_would_have_been_enough_and_was_enough():
    """CH-E9: Eve's 5 was taken, Carol's 5 was not; Mark was 2 short of a match."""
    assert rulebook(2, "accept eve") == {
        1: (True, False, 3, 4, 0, 5, 0, 2), 2: (True, True, 5, 6, 5, 5, 0, None), 3: (True, False, 5, 7, 0, 5, 0, 0),
    }  # fmt: skip


def test_ch_7_9_an_activator_who_keeps_pays_the_high_bid_and_one_more_than_they_held_had_taken_it():
    """CH-E9: Michael held 5, so that a bid of 6 could not have been kept."""
    assert rulebook(2, "keep") == {
        0: (True, True, 5, 5, 5, 5, 0, None),
        1: (True, False, 3, 4, 0, 6, 0, 3), 2: (True, False, 5, 6, 0, 6, 0, 1), 3: (True, False, 5, 7, 0, 6, 0, 1),
    }  # fmt: skip


def test_ch_7_9_what_was_bid_beyond_a_match_is_wasted():
    start = position(3, influence=3)
    played = given(start).when("Ann", "activate tax").when("Ben", "bid 1").when("Cat", "bid 3")
    assert values(played.when("Ann", "accept cat"), start) == {
        1: (True, False, 1, 3, 0, 3, 0, 2), 2: (True, True, 3, 3, 3, 1, 2, None),
    }  # fmt: skip


def test_ch_7_6_a_bid_of_nothing_is_a_bid():
    """CH-E11."""
    played = given(start := position()).when("Ann", "activate tax").when("Ben", "bid 0").when("Cat", "pass")
    assert values(played.when("Ann", "accept ben"), start) == {1: (True, True, 0, 3, 0, 0, 0, None)}
    assert values(played.when("Ann", "keep"), start) == {
        0: (True, True, 0, 3, 0, 0, 0, None), 1: (True, False, 0, 3, 0, 4, 0, 4),
    }  # fmt: skip


def test_ch_7_8_an_office_nobody_bids_for_costs_nothing():
    """CH-E11: all passed."""
    played = given(start := position()).when("Ann", "activate tax").when("Ben", "pass").when("Cat", "pass")
    assert values(played, start) == {0: (False, True, 0, 3, 0, 0, 0, None)}


@pytest.mark.slow
@GAMES
def test_ch_7_9_bids_and_payments_are_those_of_the_history(game):
    """Recounted from the facts alone: every bid once, what was paid, and Influence as it flows in the history."""
    facts = list(enumerate(game.facts, 1))
    found = STATISTICS.bids(CITY_HALL.decider.copy(game.start), facts)
    kept = [event for event in game.facts if isinstance(event, fact.OfficeKept)]
    taken = [event for event in game.facts if isinstance(event, fact.BidAccepted)]
    made = [event for event in game.facts if isinstance(event, fact.BidMade)]
    controlled = [event for event in game.facts if isinstance(event, fact.OfficeControlled)]
    assert sum(value.paid for value in found) == sum(event.influence for event in [*kept, *taken])
    assert sum(value.won for value in found) == len(controlled), "somebody got every Office"
    uncontested = len(controlled) - len(kept) - len(taken)
    assert len(found) == len(made) + len(kept) + uncontested
    assert sum(not value.contested for value in found) == uncontested
    by_event = {version: [it for it in found if it.version == version] for version in {it.version for it in found}}
    for version, values_ in by_event.items():
        (winner,) = [value for value in values_ if value.won]
        rivals = [value.bid for value in values_ if not value.won]
        match facts[version - 1][1]:
            case fact.BidAccepted():
                assert (winner.paid, winner.needed) == (winner.bid, max(rivals, default=0))
                assert all(value.needed == winner.bid for value in values_ if not value.won)
            case fact.OfficeKept():
                assert winner.paid == winner.needed == max(rivals)
                assert all(value.needed == winner.most + 1 for value in values_ if not value.won)
        assert all(value.bid <= value.most for value in values_)
        assert all(value.short is None if value.won else value.short >= 0 for value in values_)


@GAMES
def test_ch_7_6_nobody_bid_more_than_their_influence_as_the_rows_have_it(game):
    """The Influence of a bidder is what the state has before the decision."""
    facts, number, held = list(enumerate(game.facts, 1)), 0, {}
    for step in game.steps:
        for event in step.facts:
            number += 1
            if isinstance(event, fact.BidAccepted | fact.OfficeKept):
                held[number] = [player.influence for player in step.before.players]
    for value in STATISTICS.bids(CITY_HALL.decider.copy(game.start), facts):
        if value.version in held:
            assert value.most == held[value.version][value.seat]


@GAMES
def test_ch_12_1_the_lines_of_every_seat_add_up_to_its_votes_and_the_last_poll_is_the_election(game):
    rows = STATISTICS.rows(CITY_HALL.decider.copy(game.start), game.facts)
    lines = STATISTICS.scores(game.end, enumerate(game.facts, 1))
    result = CITY_HALL.decider.result(game.end)
    assert result is not None
    sums = [sum(line.points for line in lines if line.seat == seat) for seat in range(game.players)]
    assert sums == result["scores"] == [row["poll"] for row in rows[-game.players :]]
    assert list(STATISTICS.standing(game.end)) == sums


@GAMES
def test_ch_12_the_last_to_take_the_lead_is_among_those_with_the_most_votes(game):
    changes = lead_changes(
        STATISTICS, CITY_HALL.decider.evolve, CITY_HALL.decider.copy(game.start), enumerate(game.facts, 1)
    )
    assert game.end.result is not None
    assert game.end.result.mayor in changes[-1].after or len(changes[-1].after) > 1
    for before, after in pairwise(changes):
        assert set(after.before) <= set(before.after)
    for change in changes:
        assert {change.standing[seat] for seat in change.after} == {max(change.standing)}
        assert all(change.standing[seat] < max(change.standing) for seat in change.before)
