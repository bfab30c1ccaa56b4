"""A deadline that was told with an event is told again, however late the sweep looks at the clocks after it."""

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from service.kernel.clock import SECOND
from service.kernel.clock_guard import OUTAGE
from tests.service.api.test_time_travel import Witness
from tests.service.clock_tables import clock_tables, sqlite_clock_tables
from tests.tables import Tables
from tests.workers.worker_tables import manual_clock

__all__ = ["clock_tables", "manual_clock", "sqlite_clock_tables"]
LAW = settings(max_examples=10, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
WAITS = st.tuples(st.integers(0, 3 * OUTAGE // SECOND), st.integers(0, OUTAGE), st.sampled_from(["play", "pause"]))


def unswept(clock_tables: Tables) -> Witness:
    """A game that the web plays on while no sweep runs."""
    game = clock_tables.begin("ann", "bob", "cyd", kind="tammany-hall", clock={"per_move": "P3D"})
    clock_tables.sweep()
    clock_tables.clock.meanwhile = lambda: None
    return Witness(clock_tables, game, "ann", "bob", "cyd")


def dues(witness: Witness, version: int | None = None) -> dict[int, str | None]:
    """When the answers are due that began to be owed with the last event."""
    game = witness.asks("ann", version=version).ok().json
    return {one["seat"]: one["due"] for one in game["clock"]["deadlines"] if one["since"] == game["version"]}


@pytest.mark.slow
@LAW
@given(waits=st.lists(WAITS, min_size=1, max_size=4))
def test_q9_no_clock_that_has_just_begun_is_moved(sqlite_clock_tables, waits):
    witness = unswept(sqlite_clock_tables)
    clock_tables, game = witness.clock_tables, witness.game
    for seconds, micros, what in waits:
        clock_tables.advance(seconds=seconds)
        if what == "play":
            clock_tables.play_on(game)
        else:
            clock_tables.agree(game, "resume" if clock_tables.head(game).table.paused else "pause", hours=50)
        version, told = clock_tables.head(game).version, dues(witness)
        clock_tables.clock.at += micros
        clock_tables.sweep()
        if told:
            assert clock_tables.head(game).version == version
            assert dues(witness) == told == dues(witness, version)


@pytest.mark.parametrize("late, moved", [(1, 0), (OUTAGE, 0), (OUTAGE + 1, OUTAGE + 1)])
def test_q9_a_clock_that_began_in_an_outage_is_moved_by_what_of_it_was_an_outage(sqlite_clock_tables, late, moved):
    witness = unswept(sqlite_clock_tables)
    sqlite_clock_tables.advance(hours=1)
    began = sqlite_clock_tables.head(witness.game).version
    while sqlite_clock_tables.head(witness.game).version == began or not dues(witness):
        sqlite_clock_tables.play_on(witness.game)
    (seat,) = dues(witness)
    with sqlite_clock_tables.services.database.read() as connection:
        before = connection.exec_driver_sql(f"SELECT due_at FROM decisions WHERE seat = {seat}").scalar_one()
        sqlite_clock_tables.clock.at += late
    sqlite_clock_tables.sweep()
    with sqlite_clock_tables.services.database.read() as connection:
        after = connection.exec_driver_sql(f"SELECT due_at FROM decisions WHERE seat = {seat}").scalar_one()
    assert after - before == moved
