"""The ledger of the simulator reckons clocks as the service does, where runs under faults come by only now and then."""

from pathlib import Path

import pytest

from domain.rulesets import RULESETS
from service.kernel.clock import SECOND
from service.kernel.clock_guard import OUTAGE
from tests.domain.table.pennies import PENNIES
from tests.service.clock_tables import DAY, HOUR, START, clock_tables, sqlite_clock_tables
from tests.simulation.checker import Checker
from tests.simulation.games import Letters
from tests.simulation.told import Told
from tests.simulation.world import POLICIES
from tests.tables import Tables
from tests.workers.worker_tables import manual_clock

__all__ = ["clock_tables", "manual_clock", "sqlite_clock_tables"]


@pytest.fixture(autouse=True)
def _with_pennies(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(RULESETS, PENNIES.kind, PENNIES)  # type: ignore[misc]


def begin(clock_tables: Tables, policy: str) -> str:
    """A game under a policy of the simulation; a sweep has just looked at it, and the next is a test's."""
    game = clock_tables.begin("ann", "bob", clock=POLICIES[policy][1], options={"rounds": "3"})
    clock_tables.mark_all_sent()
    clock_tables.sweep()
    clock_tables.clock.meanwhile = lambda: None
    return game


def wrong(clock_tables: Tables, game: str, policy: str, outage: tuple[int, int], folder: Path) -> list[str]:
    """What the checker finds wrong in the due table of a game that outlived this outage."""
    told = Told(openings={game: (policy, PENNIES.kind)}, outages=[outage], over=outage[1])
    checker = Checker(clock_tables.services, told, Letters(folder / "none"), (START, START + 9 * DAY))
    checker.check(game)
    return checker.found.examples["due table"]


@pytest.mark.parametrize(
    "policy, late",
    [
        *((policy, late) for policy in ("plain", "bank") for late in (1, 38 * SECOND, OUTAGE, OUTAGE + 1, 2 * HOUR)),
        *(("ten minutes", late) for late in (OUTAGE - 1, OUTAGE, OUTAGE + 1)),  # at its last moment, it is over, too
    ],
)
def test_q9_a_clock_that_began_in_an_outage_is_due_when_the_ledger_says(
    sqlite_clock_tables, policy, late, tmp_path, monkeypatch
):
    monkeypatch.setitem(POLICIES, "ten minutes", (1, POLICIES["at once"][1] | {"per_move": "PT10M"}))  # type: ignore[misc]
    game = begin(sqlite_clock_tables, policy)
    last, back = sqlite_clock_tables.clock.at, sqlite_clock_tables.clock.at + 5 * HOUR
    sqlite_clock_tables.clock.at = back - late
    sqlite_clock_tables.move(game, "ann", "hide 3")
    sqlite_clock_tables.move(game, "bob", "hide 1")
    sqlite_clock_tables.clock.at = back
    sqlite_clock_tables.sweep()
    assert wrong(sqlite_clock_tables, game, policy, (last, back), tmp_path) == []
