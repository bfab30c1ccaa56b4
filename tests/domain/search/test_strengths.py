"""What a thought may cost, and how little a chain of bots costs whoever waits for it."""

import pytest

from domain.search.strengths import EFFORTS, WHOLE, paced


@pytest.mark.parametrize("strength", EFFORTS)
def test_a_chain_of_bots_costs_less_than_twice_its_first_thoughts(strength):
    effort = EFFORTS[strength]
    costs = [paced(effort, answered).simulations for answered in range(200)]
    assert costs[:WHOLE] == [effort.simulations] * WHOLE
    assert costs == sorted(costs, reverse=True)
    least = EFFORTS[1].simulations
    assert costs[-1] == min(least, effort.simulations)
    assert sum(cost for cost in costs if cost > least) < 2 * WHOLE * effort.simulations
