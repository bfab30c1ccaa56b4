"""Time that was lost: an outage is credited before anything expires, a clock that jumps fires nothing (Q-9, F-43).

The first day is Tuesday 4 March 2031, and everything begins at noon in Greenwich.
"""

import threading
from collections.abc import Callable
from typing import Any

import pytest
from click.testing import CliRunner

from service import cli
from service.clocks import outages
from service.clocks.outages import FLOOD_PATIENCE, JUMP, LONGEST_HOLD
from service.commands import diagnosis
from service.container import Services
from service.kernel.clock import SECOND
from service.kernel.clock_guard import OUTAGE, ClockGuard
from service.store import game_rows
from tests.databases import BOTH
from tests.service.clockwork import DAY, HOUR, START, Hall, shows
from tests.workers.office import NOON, Hands
from workers.mail_out.transport import Away
from workers.sweep import sweep, sweep_deadlines, sweep_reminders

MINUTE = 60 * SECOND


class Machine(Hands):
    """A clock of record that may be wrong, and the machine's own count of time, which never is."""

    def __init__(self) -> None:
        super().__init__(NOON)
        self.ahead = 0

    def counted(self) -> int:
        return self.at - self.ahead

    def jumps(self, by: int) -> None:
        """Somebody sets the clock."""
        self.at += by
        self.ahead += by


@pytest.fixture
def machine() -> Machine:
    return Machine()


@pytest.fixture(params=BOTH)
def hall(request: pytest.FixtureRequest, open_services: Callable[..., Services], machine: Machine) -> Hall:
    """A hall on each database; nobody sweeps unless a test does."""
    return made(open_services(request.getfixturevalue(f"migrated_{request.param}"), clock=machine), machine)


@pytest.fixture
def small_hall(migrated_sqlite: str, open_services: Callable[..., Services], machine: Machine) -> Hall:
    return made(open_services(migrated_sqlite, clock=machine), machine)


def made(services: Services, machine: Machine) -> Hall:
    hall = Hall(services, machine)
    machine.meanwhile = lambda: None
    return hall


def lives(hall: Hall, span: int, step: int = 5 * MINUTE) -> int:
    """The service lives for so long and sweeps now and then. How many deadlines it decided."""
    acted, end = 0, hall.hands.at + span
    while hall.hands.at < end:
        hall.hands.at = min(end, hall.hands.at + step)
        acted += sweep_deadlines(hall.services)
    return acted


def alarms(capsys: pytest.CaptureFixture[str], word: str) -> int:
    return capsys.readouterr().out.count(word)


# Outages


@pytest.mark.parametrize("away, credited", [(599, 0), (600, 0), (601, 601), (7200, 7200)])
def test_q9_an_outage_of_more_than_ten_minutes_is_credited_to_the_microsecond(hall, away, credited):
    game = hall.sets(bank="P2D", per_move="P1D")
    sweep_deadlines(hall.services)
    hall.hands.at += away * SECOND
    sweep_deadlines(hall.services)
    row = hall.clock(game, "ann")
    assert row["bank_from"] == START + DAY + credited * SECOND
    assert row["due_at"] == START + 3 * DAY + credited * SECOND
    assert row["acts_at"] == row["due_at"] + 600 * SECOND
    sweep_deadlines(hall.services)
    assert hall.due(game, "ann") == row["due_at"], "once"


def test_q9_nothing_expires_before_it_is_credited(hall):
    game = hall.sets()
    lives(hall, 20 * HOUR)
    hall.hands.at += 10 * HOUR
    assert sweep_deadlines(hall.services) == 0
    assert hall.due(game, "ann") == START + DAY + 10 * HOUR
    assert hall.due(game, "ann") - hall.hands.at == 4 * HOUR, "as much as there was when the service went away"
    assert lives(hall, 4 * HOUR + 10 * MINUTE) == 2
    assert {one["at"] for one in hall.facts(game, "table.turn-expired")} == {"2031-03-05T22:10:00.000000Z"}


def test_q9_a_decision_is_credited_for_the_part_since_it_began(small_hall):
    game = small_hall.sets(per_move="P3D")
    sweep_deadlines(small_hall.services)
    small_hall.hands.at += 6 * HOUR
    small_hall.moves(game, "ann", "hide 3")
    small_hall.moves(game, "bob", "hide 1")
    small_hall.hands.at += 2 * HOUR
    sweep_deadlines(small_hall.services)
    assert small_hall.due(game, "ann") == START + 3 * DAY + 8 * HOUR, "nobody looked after the clock, but people played"


def test_q9_a_clock_that_stands_is_not_credited_nor_is_a_night(small_hall):
    small_hall.named("ann", "Ann", "Pacific/Auckland")
    resting = small_hall.sets()
    small_hall.agrees(resting, "pause", days=2)
    asleep = small_hall.sets(quiet_hours=True)
    before = small_hall.clock(asleep, "ann")
    sweep_deadlines(small_hall.services)
    small_hall.hands.at += 2 * HOUR
    sweep_deadlines(small_hall.services)
    assert small_hall.clock(resting, "ann")["left"] == DAY
    assert small_hall.clock(asleep, "ann") == before, "at one in the morning her clock did not run"
    assert small_hall.due(asleep, "bob") == START + DAY + 2 * HOUR


def test_q9_what_was_left_of_the_grace_is_left_after_an_outage_in_the_night(small_hall):
    """No hour of the night is charged, so none is given back; but mail that was under way must still get in."""
    small_hall.hands.at = START - 4 * HOUR
    game = small_hall.sets(quiet_hours=True)
    due = small_hall.due(game, "ann")
    assert shows(due) == "Tue 04 Mar 22:00"
    lives(small_hall, due + 4 * MINUTE - small_hall.hands.at)
    small_hall.hands.at = due + 8 * HOUR
    assert sweep_deadlines(small_hall.services) == 0
    row = small_hall.clock(game, "ann")
    assert (row["due_at"], row["acts_at"]) == (due, due + 8 * HOUR + 6 * MINUTE)
    assert lives(small_hall, 5 * MINUTE, MINUTE) == 0
    assert lives(small_hall, MINUTE, MINUTE) == 2


@pytest.mark.parametrize("kind", BOTH)
def test_q9_two_sweepers_that_come_back_together_credit_once(request, open_services, kind, machine):
    url = request.getfixturevalue(f"migrated_{kind}")
    hall = made(open_services(url, clock=machine), machine)
    games = [hall.sets() for _ in range(5)]
    sweep_deadlines(hall.services)
    hall.hands.at += 3 * HOUR
    start = threading.Barrier(4)

    def run() -> None:
        services = open_services(url, clock=machine)
        start.wait()
        sweep_deadlines(services)

    threads = [threading.Thread(target=run) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert {hall.due(game, "ann") for game in games} == {START + DAY + 3 * HOUR}


@pytest.mark.postgres
def test_q9_a_move_made_while_clocks_are_credited_is_not_written_over(
    migrated_postgres, open_services, machine, monkeypatch
):
    """The credit reads all clocks, then changes them; in between somebody answers, and is asked something else."""
    hall = made(open_services(migrated_postgres, clock=machine), machine)
    game = hall.sets()
    hall.moves(game, "bob", "hide 1")
    lives(hall, 5 * HOUR)
    hall.hands.at += 3 * HOUR
    started, mover = threading.Event(), threading.Thread(target=lambda: hall.moves(game, "ann", "hide 3"))
    credited = outages.seat_clocks._credit_clock

    def slowly(*given: Any) -> bool:
        if not started.is_set():
            started.set()
            mover.start()
            mover.join(1)
        return credited(*given)

    with monkeypatch.context() as patch:
        patch.setattr("service.clocks.seat_clocks._credit_clock", slowly)
        sweep_deadlines(hall.services)
    mover.join(30)
    row = hall.clock(game, "ann")
    assert (row["decision"], row["due_at"], row["changes"]) == ("take-1", hall.hands.at + DAY, "")


def test_q9_whoever_stood_still_in_the_midst_of_a_sweep_looks_again_first(small_hall, monkeypatch):
    """A worker is frozen after it was let in, and wakes hours later: what came due meanwhile is not its to decide."""
    game = small_hall.sets()
    lives(small_hall, 20 * HOUR)
    pauses_over = game_rows.pauses_over

    def frozen(*given: Any) -> list[str]:
        small_hall.hands.at += 10 * HOUR
        return list(pauses_over(*given))

    with monkeypatch.context() as patch:
        patch.setattr("service.store.game_rows.pauses_over", frozen)
        assert sweep_deadlines(small_hall.services) == 0
    assert sweep_deadlines(small_hall.services) == 0
    assert small_hall.due(game, "ann") == START + DAY + 10 * HOUR


# Jumps


def test_f43_when_the_clock_jumps_a_day_ahead_nothing_fires_and_an_alarm_does(hall, capsys):
    game = hall.sets("ann", "bob", reminders=["PT6H"], per_move="P1D")
    lives(hall, HOUR, MINUTE)
    version, due = hall.head(game).version, hall.due(game, "ann")
    capsys.readouterr()
    hall.hands.jumps(DAY)
    for _ in range(30):
        hall.hands.at += MINUTE
        assert sweep_deadlines(hall.services) == 0
        assert sweep_reminders(hall.services) == 0, "nobody is told of a deadline that is not near"
    assert alarms(capsys, "jumped forward") == 30, "with every sweep, the first within a minute"
    assert hall.head(game).version == version
    assert hall.due(game, "ann") == due
    assert not hall.notices(kind="reminder")


def test_f43_set_right_again_the_clock_has_fired_nothing_and_moved_nothing(hall):
    game = hall.sets()
    lives(hall, HOUR, MINUTE)
    before = hall.clock(game, "ann")
    hall.hands.jumps(DAY)
    assert lives(hall, 20 * MINUTE, MINUTE) == 0
    hall.hands.jumps(-DAY)
    assert lives(hall, 22 * HOUR) == 0
    assert hall.clock(game, "ann") == before
    assert lives(hall, HOUR + 10 * MINUTE) == 2, "and all goes on"
    assert {one["at"] for one in hall.facts(game, "table.turn-expired")} == {"2031-03-05T12:10:00.000000Z"}


def test_f43_a_small_jump_that_is_set_right_is_set_right(small_hall):
    """Six minutes ahead for half an hour: the clock never comes back to before the jump."""
    small_hall.sets()
    lives(small_hall, HOUR, MINUTE)
    small_hall.hands.jumps(6 * MINUTE)
    lives(small_hall, 30 * MINUTE, MINUTE)
    assert held(small_hall) is not None
    small_hall.hands.jumps(-6 * MINUTE)
    lives(small_hall, 2 * MINUTE, MINUTE)
    assert held(small_hall) is None


@pytest.mark.parametrize("by, noticed", [(JUMP - SECOND, False), (JUMP + SECOND, True), (-DAY, False)])
def test_t41_what_is_a_jump(small_hall, by, noticed):
    small_hall.sets()
    lives(small_hall, HOUR, MINUTE)
    small_hall.hands.jumps(by)
    sweep_deadlines(small_hall.services)
    assert (held(small_hall) is not None) == noticed


def held(hall: Hall) -> int | None:
    with hall.services.database.read() as connection:
        return outages.held_since(connection)


def test_t41_a_machine_that_slept_has_not_jumped_but_was_away(small_hall):
    """Its own count goes on while it sleeps."""
    game = small_hall.sets()
    lives(small_hall, HOUR, MINUTE)
    small_hall.hands.at += 5 * HOUR
    assert sweep_deadlines(small_hall.services) == 0
    assert held(small_hall) is None
    assert small_hall.due(game, "ann") == START + DAY + 5 * HOUR


def test_t41_accepted_a_jump_is_credited_and_deadlines_are_decided_again(hall):
    game = hall.sets()
    lives(hall, HOUR, MINUTE)
    hall.hands.jumps(DAY)
    lives(hall, 20 * MINUTE, MINUTE)
    with hall.services.database.write() as tx:
        assert outages.accept(hall.services.database, tx)
        assert not outages.accept(hall.services.database, tx)
    assert hall.due(game, "ann") == START + 2 * DAY + 20 * MINUTE
    assert lives(hall, 22 * HOUR + 59 * MINUTE) == 0, "an hour of it had gone, and 23 were left"
    assert lives(hall, 12 * MINUTE, MINUTE) == 2


def test_t41_left_alone_for_six_hours_it_is_believed_and_credited(hall, capsys):
    game = hall.sets()
    lives(hall, HOUR, MINUTE)
    hall.hands.jumps(DAY)
    lives(hall, 5 * MINUTE)
    lives(hall, LONGEST_HOLD)
    assert held(hall) is not None
    lives(hall, 5 * MINUTE)
    assert held(hall) is None
    assert hall.due(game, "ann") == START + 2 * DAY + LONGEST_HOLD + 10 * MINUTE
    assert alarms(capsys, "is believed") == 1


def test_t41_a_process_that_has_looked_long_ago_takes_no_old_jump_for_a_new_one(small_hall, open_services):
    """An idle thread remembers the time before the jump, which was accepted meanwhile."""
    game = small_hall.sets(per_move="P30D")
    idle = open_services(small_hall.services.settings.database_url, clock=small_hall.hands)
    sweep_deadlines(idle)
    lives(small_hall, 2 * MINUTE, MINUTE)
    small_hall.hands.jumps(DAY)
    sweep_deadlines(small_hall.services)
    with small_hall.services.database.write() as tx:
        outages.accept(small_hall.services.database, tx)
    due = small_hall.due(game, "ann")
    small_hall.hands.at += MINUTE
    assert sweep_deadlines(idle) == 0
    assert held(small_hall) is None
    lives(small_hall, 2 * HOUR, MINUTE)
    assert (held(small_hall), small_hall.due(game, "ann")) == (None, due)


def test_t41_a_look_long_ago_proves_nothing():
    """Clocks drift apart over months."""
    guard = ClockGuard()
    assert guard.jump(1000 * HOUR, 0) == (0, 1000 * HOUR)
    assert guard.jump(1000 * HOUR + OUTAGE + JUMP + 1, OUTAGE) == (JUMP + 1, 1000 * HOUR)
    assert guard.jump(2000 * HOUR, 2 * OUTAGE + 1) == (0, 2000 * HOUR)


# Floods


def test_t41_unusually_many_deadlines_at_once_wait_a_quarter_of_an_hour_with_an_alarm(hall, capsys):
    for _ in range(5):
        hall.sets(per_move="PT12H")
    games = [hall.sets(per_move="P3D") for _ in range(5)]
    lives(hall, 12 * HOUR)
    capsys.readouterr()
    assert lives(hall, 10 * MINUTE, MINUTE) == 0
    assert lives(hall, FLOOD_PATIENCE - MINUTE, MINUTE) == 0
    assert alarms(capsys, "unusually many") == 1
    assert lives(hall, 2 * MINUTE, MINUTE) == 10
    with hall.services.database.read() as connection:
        status = outages.status(hall.services.database, connection)
    assert (status.flooded, status.due) == (None, 0)
    assert all(hall.due(game, "ann") == START + 3 * DAY for game in games)


@pytest.mark.parametrize("due, others", [(4, 0), (5, 21)])
def test_t41_few_deadlines_or_a_small_part_of_all_are_no_flood(small_hall, due, others):
    """Two seats a game: eight are few, ten of fifty-two are less than a fifth."""
    for _ in range(due):
        small_hall.sets(per_move="PT12H")
    for _ in range(others):
        small_hall.sets(per_move="P3D")
    lives(small_hall, 12 * HOUR)
    assert lives(small_hall, 10 * MINUTE, 10 * MINUTE) == 2 * due


# What operators are told


@pytest.fixture
def commanded(small_hall: Hall, monkeypatch: pytest.MonkeyPatch) -> Callable[..., Any]:
    """Run `wardroom` on the hall's own service."""
    from contextlib import contextmanager

    @contextmanager
    def opened(**_: object) -> Any:
        yield small_hall.services

    monkeypatch.setattr(cli, "open_services", opened)
    return lambda *words: CliRunner().invoke(cli.main, [*words])


def findings(hall: Hall) -> dict[str, tuple[str, str]]:
    return {one.what: (one.mark, one.sentence) for one in diagnosis.examine(hall.services)}


def test_wardroom_clock_and_doctor_say_that_all_is_well(small_hall, commanded):
    assert findings(small_hall)["clock"] == (
        "note", "Nobody has looked at deadlines yet: start the service, or its workers.",
    )  # fmt: skip
    small_hall.sets()
    sweep_deadlines(small_hall.services)
    done = commanded("clock")
    assert done.exit_code == 0
    assert done.output.splitlines() == [
        "now       2031-03-04T12:00:00.000000Z",
        "running   2 clocks, of which 0 wait to be decided",
        "looked at 2031-03-04T12:00:00.000000Z",
    ]
    assert findings(small_hall)["clock"][0] == "well"
    small_hall.hands.at += OUTAGE + 1
    assert findings(small_hall)["clock"][0] == "note"
    assert "Nothing was held." in commanded("clock", "accept").output


def test_wardroom_clock_says_that_a_jump_holds_everything_and_accept_believes_it(small_hall, commanded):
    game = small_hall.sets()
    lives(small_hall, HOUR, MINUTE)
    small_hall.hands.jumps(DAY)
    sweep_deadlines(small_hall.services)
    done = commanded("clock")
    assert done.exit_code == 1
    assert done.output.splitlines()[-1] == (
        "held      since 2031-03-05T13:00:00.000000Z: the clock jumped there from 2031-03-04T13:00:00.000000Z. Set it "
        "right, or run `wardroom clock accept` if it is right; else it is believed at 2031-03-05T19:00:00.000000Z."
    )
    mark, sentence = findings(small_hall)["clock"]
    assert mark == "broken"
    assert "wardroom clock accept" in sentence
    done = commanded("clock", "accept")
    assert (done.exit_code, done.stderr) == (0, "The time is believed: deadlines are decided again.\n")
    assert small_hall.due(game, "ann") == START + 2 * DAY
    assert commanded("clock").exit_code == 0
    assert findings(small_hall)["clock"][0] == "well"


def test_wardroom_clock_says_that_a_flood_is_held(small_hall, commanded):
    for _ in range(6):
        small_hall.sets(per_move="PT12H")
    lives(small_hall, 12 * HOUR + 10 * MINUTE)
    done = commanded("clock")
    assert done.exit_code == 0
    assert "unusually many deadlines would pass at once" in done.output
    assert "wardroom clock accept" in " ".join(done.output.split())
    assert findings(small_hall)["clock"][0] == "note"


def test_t41_many_deadlines_that_are_accepted_pass_at_once(small_hall, commanded):
    """Six tables whose people all let time run out; the operator has looked, and nothing is wrong."""
    for _ in range(6):
        small_hall.sets(per_move="PT12H")
    lives(small_hall, 12 * HOUR)
    assert lives(small_hall, 10 * MINUTE, MINUTE) == 0
    done = commanded("clock", "accept")
    assert done.exit_code == 0
    assert done.output.endswith("The deadlines that are due are decided now, however many they are.\n")
    assert lives(small_hall, 2 * MINUTE, MINUTE) == 12
    assert commanded("clock", "accept").output == "Nothing was held.\n"


def test_f21_wardroom_mail_flush_and_mail_list_say_what_waits_for_the_mail_server(small_hall, commanded):
    small_hall.carrier.name = "mailbox"
    small_hall.begins("ann", "bob")
    small_hall.carrier.before.extend([Away("it cannot be written")] * 2)
    small_hall.delivers()
    small_hall.hands.advance(microseconds=1)
    assert "The mail server mailbox takes nothing since 2031" in commanded("mail", "list").output
    done = commanded("mail", "flush")
    assert (done.exit_code, done.output) == (0, "2 mails are due, and are tried now.\n")
    assert small_hall.delivers() == 2
    assert commanded("mail", "flush").output == "No mail is due.\n"
    assert commanded("mail", "list").output == "No mail came in yet.\n"


def test_a_whole_sweep_after_an_outage_reminds_of_nothing_that_is_not_near(small_hall):
    """Deadlines are credited before reminders are looked at."""
    game = small_hall.sets(reminders=["PT6H"], per_move="P1D")
    lives(small_hall, 17 * HOUR)
    small_hall.hands.at += 10 * HOUR
    sweep(small_hall.services, small_hall.carrier)
    assert small_hall.due(game, "ann") - small_hall.hands.at == 7 * HOUR
    assert not small_hall.notices(kind="reminder")


# What happens in an outage before anybody sweeps again


def test_q9_a_move_before_the_first_sweep_pays_nothing_for_the_outage(small_hall):
    game = small_hall.sets("ann", "bob", "cyd", bank="P2D")
    sweep_deadlines(small_hall.services)
    small_hall.hands.at = START + 5 * DAY  # the time of the move would have been over for two days
    small_hall.moves(game, "ann", "hide 1")
    sweep_deadlines(small_hall.services)
    assert small_hall.bank(game, "ann") is None


def test_q9_a_pause_before_the_first_sweep_keeps_what_was_left_before_the_outage(small_hall):
    game = small_hall.sets("ann", "bob", per_move="P3D")
    sweep_deadlines(small_hall.services)
    small_hall.hands.at = START + 2 * DAY
    small_hall.agrees(game, "pause", hours=5)
    sweep_deadlines(small_hall.services)
    small_hall.hands.advance(hours=1)
    small_hall.agrees(game, "resume")
    assert shows(small_hall.due(game, "ann")) == shows(START + 5 * DAY + HOUR)
