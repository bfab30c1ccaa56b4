"""What a known jump of the clock explains is said by the audit, and passed (T-41)."""

from collections.abc import Callable

import pytest

from service.container import Services
from service.integrity import audit
from service.integrity.checks.findings import Finding
from service.kernel.clock import SECOND
from tests.databases import BOTH
from tests.manual_clock import Died, dying
from tests.tables import Tables
from tests.workers.due.test_outages import Machine
from workers.sweep import sweep_deadlines

DAY = 86_400 * SECOND


@pytest.fixture(params=BOTH)
def clock_tables(request: pytest.FixtureRequest, open_services: Callable[..., Services]) -> Tables:
    machine = Machine()
    return Tables(open_services(request.getfixturevalue(f"migrated_{request.param}"), clock=machine), machine)


def found(clock_tables: Tables, game: str) -> list[Finding]:
    return audit.audit_game(clock_tables.services, game, mend=False, thorough=True).findings


def lives_through_a_jump(clock_tables: Tables, *, noticed: bool) -> str:
    """A game before, during and after a day's jump; mails that were made in it go out after it, too."""
    game = clock_tables.begin("ann", "bob", "cyd", clock={"per_move": "P10D"}, options={"rounds": "3"})
    clock_tables.deliver()
    clock_tables.advance(minutes=1)
    sweep_deadlines(clock_tables.services)
    clock_tables.clock.jumps(DAY)
    if noticed:
        sweep_deadlines(clock_tables.services)
    clock_tables.move(game, 0, "hide 1")
    clock_tables.request_code("ann")
    clock_tables.begin("ann", "bob", "cyd")
    clock_tables.deliver()
    clock_tables.advance(minutes=30)
    clock_tables.move(game, 1, "hide 1")
    if noticed:
        sweep_deadlines(clock_tables.services)
    else:
        clock_tables.execute("UPDATE heartbeats SET at = :now WHERE name = 'sweep'", now=clock_tables.clock.at)
    clock_tables.move(game, 2, "hide 1")
    clock_tables.clock.jumps(-DAY)
    sweep_deadlines(clock_tables.services)
    clock_tables.advance(minutes=1)
    clock_tables.deliver()
    clock_tables.advance(minutes=30)
    clock_tables.play_on(game)
    clock_tables.deliver()
    return game


@pytest.mark.parametrize("noticed", [True, False])
def test_t41_what_a_healed_jump_left_is_said_and_passed(clock_tables, noticed):
    lives_through_a_jump(clock_tables, noticed=noticed)
    with clock_tables.services.database.read() as connection:
        games = audit.game_ids(connection)
    findings = [finding for game in games for finding in found(clock_tables, game)]
    assert {finding.column for finding in findings} >= {"created_at", "done_at"}
    assert not [finding.line() for finding in findings if finding.left]
    assert all("it was set right at 2031-03-04T12:3" in finding.sentence for finding in findings)


@pytest.mark.parametrize("column, days", [("done_at", 2), ("done_at", -40), ("created_at", -40), ("not_before", 40)])
def test_what_a_jump_does_not_explain_is_as_wrong_as_ever(clock_tables, column, days):
    game = lives_through_a_jump(clock_tables, noticed=True)
    earliest = "SELECT min(id) FROM deliveries WHERE game_id = :game AND state = 'sent'"
    clock_tables.execute(
        f"UPDATE deliveries SET {column} = {column} + :off WHERE id = ({earliest})",
        off=days * DAY,
        game=game,
    )
    assert [finding.column for finding in found(clock_tables, game) if finding.left]


def test_t41_what_was_put_off_or_leased_by_the_wrong_clock_goes_by_the_right_one(clock_tables):
    clock_tables.begin("ann", "bob")
    clock_tables.deliver()
    sweep_deadlines(clock_tables.services)
    clock_tables.clock.jumps(DAY)
    sweep_deadlines(clock_tables.services)
    clock_tables.begin("cyd", "dan")
    with pytest.raises(Died):
        clock_tables.deliver(fault=dying("composed"))
    clock_tables.clock.jumps(-DAY)
    clock_tables.advance(minutes=1)
    sweep_deadlines(clock_tables.services)
    clock_tables.advance(seconds=21)
    assert clock_tables.deliver() == 2, "and not a day later"
