"""What each bid for a ward was worth: by hand where the rulebook has an example, and recounted over whole games."""

import pytest

from domain.engine.statistics import lead_changes
from domain.tammany_hall import TAMMANY_HALL
from domain.tammany_hall.rules import events as fact
from tests.domain.tammany_hall.playouts import VARIANTS, Playout, playouts
from tests.domain.tammany_hall.scenario import Record, given, position

STATISTICS = TAMMANY_HALL.presentation.statistics
assert STATISTICS is not None
GAMES = pytest.mark.parametrize("game", range(len(VARIANTS)), indirect=True)


@pytest.fixture
def game(request: pytest.FixtureRequest) -> Playout:
    """One of the games; they are played when the first of these tests runs."""
    return playouts()[request.param]


def election(ward_6: str, **chips: str) -> Record:
    """3 players, year 4, and the election of ward 6."""
    return given(START := position(3, year=4, phase="election", wards={6: ward_6}, chips=chips)), START


def values(played: Record, start, ward: int = 6):
    """By seat of those who stood for a ward: contested, won, bid, most, paid, needed, wasted, short."""
    found = STATISTICS.bids(TAMMANY_HALL.decider.copy(start), enumerate(played.facts, 1))
    return {
        value.seat: (
            value.contested, value.won, value.bid, value.most, value.paid, value.needed, value.wasted, value.short
        )
        for value in found
        if value.prize == f"Ward {ward}"
    }  # fmt: skip


EXAMPLE = {"red": "2 irish 2 english", "yellow": "2 english 3 italian"}


def test_th_9_10_the_rulebooks_example_was_won_without_a_chip_to_spare():
    """TH-E14: 2 pawns and 3 chips against 3 and 1; yellow was 2 chips short, and had one of them."""
    played, start = election("1 irish 1 english | red 2 yellow 3", **EXAMPLE)
    played = played.when("red", "bid english 2 irish 1").when("yellow", "bid english 1")
    assert values(played, start) == {0: (True, True, 3, 4, 3, 3, 0, None), 1: (True, False, 1, 2, 1, 3, 1, 2)}


def test_th_9_11_what_was_bid_beyond_one_vote_more_is_wasted():
    played, start = election("1 irish 1 english | red 2 yellow 3", **EXAMPLE)
    played = played.when("red", "bid english 2 irish 2").when("yellow", "bid none")
    assert values(played, start) == {0: (True, True, 4, 4, 4, 2, 2, None), 1: (True, False, 0, 2, 0, 4, 0, 4)}


def test_th_9_10_in_a_tie_nobody_wins_and_each_was_one_chip_short():
    """TH-E15: 3 to 3."""
    played, start = election("1 irish 1 english | red 2 yellow 3", **EXAMPLE)
    played = played.when("red", "bid english 1").when("yellow", "bid none")
    assert values(played, start) == {0: (True, False, 1, 4, 1, 2, 1, 1), 1: (True, False, 0, 2, 0, 1, 0, 1)}


def test_th_9_10_third_of_a_tie_for_the_top_needed_to_beat_both():
    """TH-E16: 4, 4 and 3 votes."""
    played, start = election("1 irish | red 2 yellow 3 black 3", red="2 irish", yellow="1 irish", black="1 irish")
    played = played.when("red", "bid irish 2").when("yellow", "bid irish 1").when("black", "bid none")
    assert values(played, start) == {
        0: (True, False, 2, 2, 2, 3, 2, 1), 1: (True, False, 1, 1, 1, 2, 1, 1), 2: (True, False, 0, 1, 0, 2, 0, 2),
    }  # fmt: skip


def test_th_9_4_an_uncontested_ward_costs_nothing_and_needs_nothing():
    """TH-E17."""
    played, start = election("1 irish | red 3", red="5 irish")
    assert values(played, start) == {0: (False, True, 0, 0, 0, 0, 0, None)}


def test_th_9_7_where_nobody_can_bid_pawns_decide():
    """TH-E18: 3 to 2."""
    played, start = election("1 irish | red 3 yellow 2", red="4 italian")
    assert values(played, start) == {0: (True, True, 0, 0, 0, 0, 0, None), 1: (True, False, 0, 0, 0, 2, 0, 2)}


def test_th_9_7_whoever_cannot_bid_bids_nothing():
    """TH-E19: the one that can needs one chip."""
    played, start = election("1 irish | red 2 yellow 2", red="1 irish", yellow="3 german")
    won = played.when("red", "bid irish 1")
    assert values(won, start) == {0: (True, True, 1, 1, 1, 1, 0, None), 1: (True, False, 0, 0, 0, 2, 0, 2)}
    tied = played.when("red", "bid none")
    assert values(tied, start) == {0: (True, False, 0, 1, 0, 1, 0, 1), 1: (True, False, 0, 0, 0, 1, 0, 1)}


@GAMES
def test_th_9_10_needed_is_the_least_that_wins_when_it_is_tried(game):
    """Every number of chips is tried against the votes of the others, from none on."""
    facts = list(enumerate(game.facts, 1))
    resolved = {v: it for v, it in facts if isinstance(it, fact.WardResolved | fact.BidsRevealed)}
    found = STATISTICS.bids(TAMMANY_HALL.decider.copy(game.start), facts)
    assert len(found) == sum(len(event.votes) for event in resolved.values())
    for value in found:
        event = resolved[value.version]
        chips = getattr(event, "bids", {}).get(str(value.seat), {})
        assert value.bid == value.paid == sum(chips.values())
        assert value.bid <= value.most
        pawns = event.votes[str(value.seat)] - value.bid
        others = [votes for seat, votes in event.votes.items() if seat != str(value.seat)]
        least = next(more for more in range(200) if all(pawns + more > votes for votes in others))
        assert (value.needed, value.contested, value.won) == (least, bool(others), event.winner == value.seat)
        assert value.won == (value.bid >= value.needed)
        assert value.wasted == (value.paid - value.needed if value.won else value.paid)
        assert value.short == (None if value.won else value.needed - value.bid)


@GAMES
def test_th_9_11_what_was_paid_in_all_is_what_went_to_the_supply(game):
    found = STATISTICS.bids(TAMMANY_HALL.decider.copy(game.start), enumerate(game.facts, 1))
    revealed = [event for event in game.facts if isinstance(event, fact.BidsRevealed)]
    assert sum(value.paid for value in found) == sum(sum(event.returned.values()) for event in revealed)


@GAMES
def test_th_13_the_lines_of_every_seat_add_up_to_its_score(game):
    lines = STATISTICS.scores(game.end, enumerate(game.facts, 1))
    result = TAMMANY_HALL.decider.result(game.end)
    assert result is not None
    sums = [sum(line.points for line in lines if line.seat == seat) for seat in range(game.players)]
    assert sums == result["scores"]


@GAMES
def test_th_11_the_lead_changes_where_another_has_more_points_than_whoever_led(game):
    """Recounted from the states of the game, not from its facts."""
    places: list[tuple[int, list[int]]] = []
    for step in game.steps:
        points = [player.vp for player in step.after.players]
        if not places or places[-1][1] != points:
            places.append((step.after.year, points))
    expected: list[set[int]] = []
    for _, points in places:
        best = {seat for seat, vp in enumerate(points) if vp == max(points)}
        if expected and expected[-1] & best:
            expected[-1] &= best
        elif len(best) < game.players:
            expected.append(best)
    changes = lead_changes(
        STATISTICS, TAMMANY_HALL.decider.evolve, TAMMANY_HALL.decider.copy(game.start), enumerate(game.facts, 1)
    )
    assert len(changes) == len(expected)
    for change, narrowed in zip(changes, expected, strict=True):
        assert narrowed <= set(change.after)
        assert not set(change.before) & set(change.after)
        assert change.standing == tuple(next(points for _, points in places if tuple(points) == change.standing))
