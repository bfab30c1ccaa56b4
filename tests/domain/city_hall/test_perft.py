"""Legal actions counted at depth 1, 2 and 3 from six positions; `tests.domain.perft` says what is counted."""

import pytest

from domain.city_hall import CITY_HALL
from tests.domain.city_hall.positions import POSITIONS
from tests.domain.perft import counts

COUNTS = {
    "draft": (3, 9, 27),
    "initial_buildings": (9, 81, 324),
    "first_activation": (29, 116, 377),
    "two_may_bid": (4, 13, 29),
    "keep_or_accept": (3, 6, 168),
    "zoning_board": (21, 546, 1638),
}


@pytest.mark.parametrize("name", POSITIONS)
def test_the_legal_actions_of_a_position_are_those_counted(name):
    assert counts(CITY_HALL, POSITIONS[name]()) == COUNTS[name]
