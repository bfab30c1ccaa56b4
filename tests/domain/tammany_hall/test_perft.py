"""Legal actions counted at depth 1, 2 and 3 from six positions; `tests.domain.perft` says what is counted."""

import pytest

from domain.tammany_hall import TAMMANY_HALL
from tests.domain.perft import counts
from tests.domain.tammany_hall.positions import POSITIONS

COUNTS = {
    "opening": (21, 21, 1953),
    "slander_is_left": (3, 310, 1080),
    "police_and_end": (3, 310, 1056),
    "two_bid_for_ward_6": (9, 27, 324),
    "bonus_of_ward_7": (5, 120, 95400),
    "mayor_of_three": (12, 5148, 5148),
}


@pytest.mark.slow
@pytest.mark.parametrize("name", POSITIONS)
def test_the_legal_actions_of_a_position_are_those_counted(name):
    assert counts(TAMMANY_HALL, POSITIONS[name]()) == COUNTS[name]
