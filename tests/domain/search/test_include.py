"""A thought about moves that were named: they are weighed beside those that guidance would have looked at."""

import pytest

from domain.search.think import Thought, ponder
from tests.domain.table import pennies as p
from tests.domain.teacher.toy import EFFORT, GUIDED

NOTED = (p.Hide(2, "noted"),)


def known(phase: str) -> p.State:
    state = p.initial(3, {"rounds": "1", "mood": "calm"})
    state.phase, state.pot, state.caller = phase, 3, 1
    return state


def visits(thought: Thought) -> dict[tuple[p.Action, ...], int]:
    return {line.actions: line.visits for line in thought.lines}


def test_a_move_that_was_named_is_weighed_as_often_as_the_one_tried_most():
    twice = (p.Nod(), p.Nod(), p.Take())
    thought = ponder(GUIDED, known("take"), 1, "even", EFFORT, b"seed", include=[twice])
    counted = visits(thought)
    assert counted.keys() == {(p.Take(),), (p.Nod(), p.Take()), twice}
    assert counted[twice] >= max(counted.values()) - EFFORT.simulations // 4


def test_a_sealed_answer_that_was_named_is_weighed_too():
    thought = ponder(GUIDED, known("hide"), 1, "even", EFFORT, b"seed", include=[NOTED])
    assert visits(thought)[NOTED] > 0
    assert all(line.mixed for line in thought.lines)


@pytest.mark.parametrize("phase", ["take", "hide"])
def test_what_is_looked_at_anyway_changes_no_value_of_the_search(phase):
    without = ponder(GUIDED, known(phase), 1, "even", EFFORT, b"seed")
    favourite = max(without.lines, key=lambda line: line.visits).actions
    named = ponder(GUIDED, known(phase), 1, "even", EFFORT, b"seed", include=[favourite])
    assert named.lines == without.lines
