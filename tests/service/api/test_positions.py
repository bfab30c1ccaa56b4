"""A position that a program plays by itself beside a game on the server: both always offer the same (DESIGN-8)."""

import random

import pytest

from tests.domain.search.table_positions import beginning
from tests.service.api.table import Api, ApiTable

STEPS = 60


@pytest.mark.parametrize("kind, names", [("tammany-hall", "ann ben cat"), ("city-hall", "ann ben")])
@pytest.mark.slow
def test_the_legal_actions_of_a_position_are_those_the_service_lists(sqlite_api, kind, names):
    """Asked for every seat after every action: also of those that nobody waits for, who may replace a sealed bid."""
    table = sqlite_api.begin(*sqlite_api.players(names), ruleset=kind)
    position, rng = beginning(head(sqlite_api, table)), random.Random(kind)
    for _ in range(STEPS):
        offered = [table.legal(player) for player in table.seated]
        assert offered == [list(map(position.write, position.legal(seat))) for seat in range(position.seats)]
        seat = rng.choice(sorted(position.awaiting))
        text = position.write(position.sample_action(rng, seat))
        table.move(table.seated[seat], text)
        position.push(text, seat)
    assert position.state == head(sqlite_api, table).game


def head(api: Api, table: ApiTable):
    """The table as the server has it, with all that is hidden."""
    with api.services.database.read() as connection:
        return api.services.streams.head(connection, table.id).table
