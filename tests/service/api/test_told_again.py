"""A deadline that was told with an event is told again, however late the sweep looks at the clocks after it."""

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from service.kernel.clock import SECOND
from service.kernel.clock_guard import OUTAGE
from tests.service.api.test_time_travel import Witness
from tests.service.clockwork import Hall, hall, small_hall
from tests.workers.office import hands

__all__ = ["hall", "hands", "small_hall"]
LAW = settings(max_examples=10, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
WAITS = st.tuples(st.integers(0, 3 * OUTAGE // SECOND), st.integers(0, OUTAGE), st.sampled_from(["play", "pause"]))


def unswept(hall: Hall) -> Witness:
    """A game that the web plays on while no sweep runs."""
    game = hall.begins("ann", "bob", "cyd", kind="tammany-hall", clock={"per_move": "P3D"})
    hall.sweeps()
    hall.hands.meanwhile = lambda: None
    return Witness(hall, game, "ann", "bob", "cyd")


def dues(witness: Witness, version: int | None = None) -> dict[int, str | None]:
    """When the answers are due that began to be owed with the last event."""
    game = witness.asks("ann", version=version).ok().json
    return {one["seat"]: one["due"] for one in game["clock"]["deadlines"] if one["since"] == game["version"]}


@pytest.mark.slow
@LAW
@given(waits=st.lists(WAITS, min_size=1, max_size=4))
def test_q9_no_clock_that_has_just_begun_is_moved_without_an_event(small_hall, waits):
    witness = unswept(small_hall)
    hall, game = witness.hall, witness.game
    for seconds, micros, what in waits:
        hall.hands.advance(seconds=seconds)
        if what == "play":
            hall.steps(game)
        else:
            hall.agrees(game, "resume" if hall.head(game).table.paused else "pause", hours=50)
        version, told = hall.head(game).version, dues(witness)
        hall.hands.at += micros
        hall.sweeps()
        assert hall.head(game).version == version
        assert dues(witness) == told == dues(witness, version)


@pytest.mark.parametrize("late, moved", [(1, 0), (OUTAGE, 0), (OUTAGE + 1, OUTAGE + 1)])
def test_q9_a_clock_that_began_in_an_outage_is_moved_by_what_of_it_was_an_outage(small_hall, late, moved):
    witness = unswept(small_hall)
    small_hall.hands.advance(hours=1)
    began = small_hall.head(witness.game).version
    while small_hall.head(witness.game).version == began or not dues(witness):
        small_hall.steps(witness.game)
    (seat,) = dues(witness)
    with small_hall.services.database.read() as connection:
        before = connection.exec_driver_sql(f"SELECT due_at FROM decisions WHERE seat = {seat}").scalar_one()
        small_hall.hands.at += late
    small_hall.sweeps()
    with small_hall.services.database.read() as connection:
        after = connection.exec_driver_sql(f"SELECT due_at FROM decisions WHERE seat = {seat}").scalar_one()
    assert after - before == moved
