"""Regret matching: the mean strategies of small games converge to the equilibria that are known by hand."""

from collections.abc import Sequence
from random import Random

import pytest

from domain.search.matrix import Matrix, matching

ROCK_PAPER_SCISSORS = [[0, -1, 1], [1, 0, -1], [-1, 1, 0]]
HIDE_AND_SEEK = [[2, 0], [0, 1]]
"""Who seeks in the first place finds two: each goes there one time in three."""
SADDLE = [[3, 1, 2], [2, 0, 1]]
"""The first row is better in each column, and its second column the worst for it."""


def learn(payoffs: Sequence[Sequence[float]], rounds: int, seed: int = 1) -> list[list[float]]:
    """The mean strategies of both seats, of which the second gets what the first loses."""
    matrix, rng = Matrix([0, 1]), Random(seed)
    moves = [{b"%d" % number: (number,) for number in range(len(side))} for side in (payoffs, payoffs[0])]
    for _ in range(rounds):
        chosen = matrix.choose(dict(enumerate(moves)), rng)
        value = payoffs[int(chosen[0])][int(chosen[1])]
        matrix.learn(chosen, [value, -value])
    return [[matrix.strategy(seat)[name] for name in moves[seat]] for seat in range(2)]


@pytest.mark.slow
@pytest.mark.parametrize(
    "payoffs, first, second",
    [
        (ROCK_PAPER_SCISSORS, [1 / 3] * 3, [1 / 3] * 3),
        (HIDE_AND_SEEK, [1 / 3, 2 / 3], [1 / 3, 2 / 3]),
        (SADDLE, [1, 0], [0, 1, 0]),
    ],
)
def test_mean_strategies_converge_to_the_equilibrium(payoffs, first, second):
    found = learn(payoffs, 6_000)
    assert found[0] == pytest.approx(first, abs=0.06)
    assert found[1] == pytest.approx(second, abs=0.06)


def test_few_simulations_lean_the_right_way():
    """A cell that was never met is judged by the rest of its row."""
    wide = [[row + 0.0 for _ in range(7)] for row in range(7)]
    for seed in range(5):
        strategy = learn(wide, 60, seed)[0]
        assert strategy.index(max(strategy)) == 6


def test_answers_that_cannot_be_given_now_are_not():
    matrix, rng = Matrix([0, 1]), Random(1)
    both, one = {b"a": ("a",), b"b": ("b",)}, {b"b": ("b",)}
    for _ in range(50):
        chosen = matrix.choose({0: both, 1: both}, rng)
        matrix.learn(chosen, [float(chosen[0] == b"a"), 0.5])
    for _ in range(20):
        chosen = matrix.choose({0: one, 1: both}, rng)
        assert chosen[0] == b"b"
        matrix.learn(chosen, [0.0, 0.5])
    assert matrix.strategy(0)[b"a"] > 0.5


def test_without_regret_all_answers_are_alike():
    assert matching([-1.0, 0.0]) == [0.5, 0.5]
    assert matching([-1.0, 3.0, 1.0]) == [0.0, 0.75, 0.25]
