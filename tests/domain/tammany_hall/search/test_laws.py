"""What holds of the guidance at every position of random play, by any number of players and variants."""

import itertools
import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from domain.engine.bots import TEMPERS
from domain.engine.guidance import Move
from domain.engine.sentences import Sentence
from domain.tammany_hall import TAMMANY_HALL
from domain.tammany_hall.rules.position import usable
from domain.tammany_hall.rules.state import State
from domain.tammany_hall.search.guidance import GUIDANCE
from tests.domain.tammany_hall.playouts import VARIANTS, playouts
from tests.domain.tammany_hall.scenario import Dice

GAMES = range(len(VARIANTS))


def played(state: State, seat: int, move: Move) -> State:
    """The state after all actions of a move; `decide` refuses what is not legal."""
    for action in move:
        state = TAMMANY_HALL.decider.fold(state, TAMMANY_HALL.decider.decide(state, seat, action))
    return state


def asked(state: State) -> list[int]:
    return sorted(TAMMANY_HALL.decider.awaiting(state))


@pytest.mark.parametrize("number", GAMES)
@pytest.mark.slow
def test_every_candidate_is_legal_and_ends_the_decision(number):
    """Every action of every candidate is accepted in its order, and no candidate comes twice."""
    for state, seat in playouts()[number].decisions(every=3):
        seen = TAMMANY_HALL.decider.blind(state, seat)
        moves = GUIDANCE.candidates(seen, seat, random.Random(1), 12)
        assert 1 <= len(moves) <= 12
        assert not any(first == second for first, second in itertools.combinations(moves, 2))
        for move in [*moves, GUIDANCE.quick_move(seen, seat, random.Random(2))]:
            after = played(seen, seat, move)
            assert after.phase != "turn"
        assert seen == TAMMANY_HALL.decider.blind(state, seat), "the state was changed"


@settings(max_examples=12, deadline=None)
@given(st.integers(0, len(VARIANTS) - 1), st.integers(0, 10**6))
@pytest.mark.slow
def test_games_of_quick_moves_end(number, seed):
    """A whole game of quick moves is legal from end to end, and others than random play reaches."""
    players, options = VARIANTS[number]
    state, dice, rng = TAMMANY_HALL.decider.initial(players, options), Dice(seed=seed), random.Random(seed)
    while True:
        facts = TAMMANY_HALL.decider.proceed(state)
        if not facts and not asked(state):
            break
        if not facts and asked(state) == [-1]:
            facts = TAMMANY_HALL.decider.decide(state, -1, TAMMANY_HALL.decider.chance(state, dice))
            dice.index += 1
        if facts:
            state = TAMMANY_HALL.decider.fold(state, facts)
            continue
        seat = rng.choice(asked(state))
        moves = GUIDANCE.candidates(state, seat, rng, 6)
        for move in moves:
            played(state, seat, move)
        state = played(state, seat, GUIDANCE.quick_move(state, seat, rng) if rng.random() < 0.7 else rng.choice(moves))
    assert state.phase == "over"


@pytest.mark.slow
@pytest.mark.parametrize("number", GAMES)
def test_th_14_2_a_deal_of_what_is_hidden_keeps_all_that_is_seen(number):
    """TH-14.2: only the sealed bids of others are dealt, each one that its bidder could have made (TH-9.8)."""
    for state, _ in playouts()[number].decisions():
        if state.phase != "bid" or not state.bids:
            continue
        for seat in range(len(state.players)):
            seen = TAMMANY_HALL.decider.blind(state, seat)
            whole = GUIDANCE.sample_hidden(seen, seat, random.Random(3))
            assert TAMMANY_HALL.decider.blind(whole, seat) == seen
            for bidder, chips in whole.bids.items():
                assert chips is not None
                assert all(0 <= n <= most for n, most in zip(chips, usable(whole, whole.ward, bidder), strict=True))
                assert bidder != seat or chips == state.bids[seat]
            assert (whole.players, whole.supply, whole.wards) == (state.players, state.supply, state.wards), "TH-2.3"


@pytest.mark.slow
@pytest.mark.parametrize("number", GAMES)
def test_twins_think_alike(number):
    """Two games that differ in what a seat cannot know lead to the same moves, features and reasons of it."""
    for state, seat in playouts()[number].decisions(every=9):
        twin = TAMMANY_HALL.decider.copy(state)
        twin.bids = {bidder: [0, 0, 0, 0] if bidder != seat else chips for bidder, chips in state.bids.items()}
        first, second = (thoughts(TAMMANY_HALL.decider.blind(it, seat), seat) for it in (state, twin))
        assert first == second


def thoughts(blind: State, seat: int) -> object:
    rng = random.Random(5)
    whole = GUIDANCE.sample_hidden(blind, seat, rng)
    moves = list(GUIDANCE.candidates(whole, seat, rng, 4))
    reasons = [GUIDANCE.reason(whole, seat, move) for move in moves]
    return moves, reasons, GUIDANCE.quick_move(whole, seat, rng), GUIDANCE.features(whole)


@pytest.mark.slow
@pytest.mark.parametrize("number", GAMES)
def test_every_candidate_has_a_reason(number):
    """A sentence for people, that ends like one, and is said from what the seat knows."""
    for state, seat in playouts()[number].decisions(every=7):
        seen = TAMMANY_HALL.decider.blind(state, seat)
        for move in GUIDANCE.candidates(seen, seat, random.Random(4), 6):
            told = GUIDANCE.reason(seen, seat, move)
            assert isinstance(told, Sentence)
            assert told.endswith(".")
            assert "{" not in told


@pytest.mark.parametrize("number", GAMES)
def test_tempers_lean_within_bounds(number):
    """No temper outweighs winning: what it likes is at most a fifth."""
    steps = playouts()[number].steps
    for earlier, later in itertools.pairwise(steps[::40]):
        for temper in TEMPERS:
            liked = GUIDANCE.leans(earlier.before, later.after, 0, temper)
            assert -0.2 <= liked <= 0.2
            assert temper != "even" or liked == 0


@pytest.mark.parametrize("number", GAMES)
def test_features_are_small_numbers_with_names(number):
    """Every seat has the same features, each with a name and a weight in every term."""
    assert set(GUIDANCE.weights) == {"1", "2", "3", "4"}
    assert {len(row) for row in GUIDANCE.weights.values()} == {len(GUIDANCE.names)}
    for step in playouts()[number].steps[::25]:
        rows = GUIDANCE.features(step.after)
        assert len(rows) == len(step.after.players)
        for numbers in rows:
            assert len(numbers) == len(GUIDANCE.names)
            assert all(-6 <= it <= 6 for it in numbers)
