"""How a player stands by the records of its matches."""

import pytest

from domain.search.standing import Pairing, Record, percentile, standing, wilson

PAIRING = Pairing("pennies", 3, "2", "1")


def record(number: int, winners: list[int], times: list[int] | None = None) -> Record:
    scores = [10 * (seat in winners) + seat for seat in range(3)]
    return Record(PAIRING, "1", number, "", winners, scores, 40, times or [], 1000 + number)


def test_a_shared_victory_counts_by_its_share_and_a_game_without_end_for_nobody():
    records = [record(0, [0]), record(1, [0, 1]), record(2, [1]), record(3, [0]), record(4, [])]
    found = standing(PAIRING, records)
    assert (found.tables, found.endless) == (4, 1)
    assert found.share == pytest.approx(2.5 / 4)
    assert found.fair == pytest.approx(1 / 3)
    assert found.memory == 1004


def test_points_are_those_of_a_where_it_sat_and_of_all_others():
    found = standing(PAIRING, [record(2, [2]), record(0, [2])])
    assert found.points_a == pytest.approx((12 + 0) / 2)
    assert found.points_b == pytest.approx((0 + 1 + 1 + 12) / 4)


def test_times_are_those_of_all_decisions():
    found = standing(PAIRING, [record(0, [0], [100_000, 300_000]), record(1, [0], [200_000])])
    assert (found.decisions, found.median) == (3, pytest.approx(0.2))
    assert found.slow == pytest.approx(0.29)
    assert percentile([], 50) == 0.0
    assert percentile([3.0], 95) == 3.0


@pytest.mark.parametrize(
    "won, tables, low, high",
    [(0, 10, 0.0, 0.2775), (10, 10, 0.7225, 1.0), (5, 10, 0.2366, 0.7634), (81, 263, 0.2553, 0.3662)],
)
def test_the_interval_is_that_of_wilson(won, tables, low, high):
    """The last: Newcombe, "Two-sided confidence intervals for the single proportion" (1998), table I."""
    assert wilson(won, tables) == (pytest.approx(low, abs=1e-4), pytest.approx(high, abs=1e-4))


def test_of_no_tables_nothing_is_known():
    assert wilson(0, 0) == (0.0, 1.0)
