"""What a known jump of the clock explains is said by the audit, and passed (T-41)."""

from collections.abc import Callable

import pytest

from service.container import Services
from service.integrity import audit
from service.integrity.checks.findings import Finding
from service.kernel.clock import SECOND
from tests.databases import BOTH
from tests.service.clockwork import Hall
from tests.workers.due.test_outages import Machine
from tests.workers.office import Died, dying
from workers.sweep import sweep_deadlines

DAY = 86_400 * SECOND


@pytest.fixture(params=BOTH)
def hall(request: pytest.FixtureRequest, open_services: Callable[..., Services]) -> Hall:
    machine = Machine()
    return Hall(open_services(request.getfixturevalue(f"migrated_{request.param}"), clock=machine), machine)


def found(hall: Hall, game: str) -> list[Finding]:
    return audit.audit_game(hall.services, game, mend=False, thorough=True).findings


def lives_through_a_jump(hall: Hall, *, noticed: bool) -> str:
    """A game before, during and after a day's jump; mails that were made in it go out after it, too."""
    game = hall.begins("ann", "bob", "cyd", clock={"per_move": "P10D"}, options={"rounds": "3"})
    hall.delivers()
    hall.hands.advance(minutes=1)
    sweep_deadlines(hall.services)
    hall.hands.jumps(DAY)
    if noticed:
        sweep_deadlines(hall.services)
    hall.plays(game, 0, "hide 1")
    hall.asks_for_a_code("ann")
    hall.begins("ann", "bob", "cyd")
    hall.delivers()
    hall.hands.advance(minutes=30)
    hall.plays(game, 1, "hide 1")
    if noticed:
        sweep_deadlines(hall.services)
    else:
        hall.executes("UPDATE heartbeats SET at = :now WHERE name = 'sweep'", now=hall.hands.at)
    hall.plays(game, 2, "hide 1")
    hall.hands.jumps(-DAY)
    sweep_deadlines(hall.services)
    hall.hands.advance(minutes=1)
    hall.delivers()
    hall.hands.advance(minutes=30)
    hall.steps(game)
    hall.delivers()
    return game


@pytest.mark.parametrize("noticed", [True, False])
def test_t41_what_a_healed_jump_left_is_said_and_passed(hall, noticed):
    lives_through_a_jump(hall, noticed=noticed)
    with hall.services.database.read() as connection:
        games = audit.game_ids(connection)
    findings = [finding for game in games for finding in found(hall, game)]
    assert {finding.column for finding in findings} >= {"created_at", "done_at"}
    assert not [finding.line() for finding in findings if finding.left]
    assert all("it was set right at 2031-03-04T12:3" in finding.sentence for finding in findings)


@pytest.mark.parametrize("column, days", [("done_at", 2), ("done_at", -40), ("created_at", -40), ("not_before", 40)])
def test_what_a_jump_does_not_explain_is_as_wrong_as_ever(hall, column, days):
    game = lives_through_a_jump(hall, noticed=True)
    earliest = "SELECT min(id) FROM deliveries WHERE game_id = :game AND state = 'sent'"
    hall.executes(
        f"UPDATE deliveries SET {column} = {column} + :off WHERE id = ({earliest})",
        off=days * DAY,
        game=game,
    )
    assert [finding.column for finding in found(hall, game) if finding.left]


def test_t41_what_was_put_off_or_leased_by_the_wrong_clock_goes_by_the_right_one(hall):
    hall.begins("ann", "bob")
    hall.delivers()
    sweep_deadlines(hall.services)
    hall.hands.jumps(DAY)
    sweep_deadlines(hall.services)
    hall.begins("cyd", "dan")
    with pytest.raises(Died):
        hall.delivers(fault=dying("composed"))
    hall.hands.jumps(-DAY)
    hall.hands.advance(minutes=1)
    sweep_deadlines(hall.services)
    hall.hands.advance(seconds=21)
    assert hall.delivers() == 2, "and not a day later"
