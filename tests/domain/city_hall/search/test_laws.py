"""What holds of the guidance in every position of games played at random, of every size and variant."""

import random

import pytest
from hypothesis import given as for_any
from hypothesis import settings
from hypothesis import strategies as st

from domain.city_hall import CITY_HALL
from domain.city_hall.rules.view import document, view
from domain.engine.bots import TEMPERS
from domain.engine.legal import is_legal
from tests.domain.city_hall.playouts import VARIANTS, playouts
from tests.domain.city_hall.words import COUNTS, all_permits

pytestmark = pytest.mark.slow

DECIDER = CITY_HALL.decider
GUIDANCE = CITY_HALL.guidance
GAMES = range(len(VARIANTS))


@pytest.mark.parametrize("number", GAMES)
def test_every_candidate_and_every_quick_move_is_legal(number):
    """CH-22.7: in every position there is a candidate, all are different, and the rules accept each."""
    rng = random.Random(number)
    for state, seat in playouts()[number].decisions():
        moves = GUIDANCE.candidates(state, seat, rng, 8)
        assert 1 <= len(moves) <= 8
        assert len({repr(move) for move in moves}) == len(moves)
        for (action,) in [*moves, GUIDANCE.quick_move(state, seat, rng)]:
            assert is_legal(DECIDER.decide, state, seat, action), (state.phase, state.office, action)


@for_any(st.sampled_from(GAMES), st.integers(min_value=0), st.integers(min_value=0))
@settings(deadline=None)
def test_a_deal_of_what_is_hidden_keeps_all_that_is_seen(number, place, seed):
    """CH-14.2, CH-14.3, CH-22.2: every deal shows the seat what it saw, and has all Permits once."""
    positions = list(playouts()[number].decisions())
    state, seat = positions[place % len(positions)]
    dealt = GUIDANCE.sample_hidden(DECIDER.blind(state, seat), seat, random.Random(seed))
    assert DECIDER.blind(dealt, seat) == DECIDER.blind(state, seat)
    assert view(dealt, seat) == view(state, seat)
    assert all_permits(document(dealt)) == COUNTS
    for other, player in enumerate(dealt.players):
        assert min(player.money, player.influence, *player.hand) >= 0
        assert sum(player.hand) == player.hand_count
        assert player.influence >= max((amount or 0 for bidder, amount in dealt.bids if bidder == other), default=0)


@for_any(st.sampled_from(GAMES), st.integers(min_value=0), st.integers(min_value=0))
@settings(deadline=None)
def test_two_games_that_look_alike_to_a_seat_lead_to_the_same_move(number, place, seed):
    """CH-14.7: what a seat would do follows from its blind state and the seed, whatever the others hold."""
    positions = list(playouts()[number].decisions())
    state, seat = positions[place % len(positions)]
    twin = GUIDANCE.sample_hidden(DECIDER.blind(state, seat), seat, random.Random(seed + 1))

    def thought(whole):
        rng = random.Random(seed)
        dealt = GUIDANCE.sample_hidden(DECIDER.blind(whole, seat), seat, rng)
        moves = GUIDANCE.candidates(dealt, seat, rng, 6)
        quick = GUIDANCE.quick_move(dealt, seat, rng)
        return dealt, moves, quick, GUIDANCE.features(dealt), GUIDANCE.reason(dealt, seat, moves[0])

    assert thought(state) == thought(twin)


@for_any(st.sampled_from(GAMES), st.integers(min_value=0), st.integers(min_value=0))
@settings(deadline=None)
def test_nothing_that_is_asked_of_a_state_changes_it(number, place, seed):
    """A search asks of the state it goes on to play with."""
    positions = list(playouts()[number].decisions())
    state, seat = positions[place % len(positions)]
    before, rng = DECIDER.copy(state), random.Random(seed)
    moves = [*GUIDANCE.candidates(state, seat, rng, 6), GUIDANCE.quick_move(state, seat, rng)]
    for move in moves:
        GUIDANCE.reason(state, seat, move)
    rows = GUIDANCE.features(state)
    assert len(rows) == len(state.players)
    assert {len(row) for row in rows} == {len(GUIDANCE.names)} == {len(GUIDANCE.weights[GUIDANCE.stage(state)])}
    for other in range(len(state.players)):
        for temper in TEMPERS:
            assert GUIDANCE.leans(state, state, other, temper) == 0
    assert state == before
