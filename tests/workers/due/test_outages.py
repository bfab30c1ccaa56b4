"""Time that was lost: an outage is credited before anything expires, a clock that jumps fires nothing (Q-9, F-43).

The first day is Tuesday 4 March 2031, and everything begins at noon in Greenwich.
"""

import threading
from collections.abc import Callable
from typing import Any

import pytest
from click.testing import CliRunner

from service import cli
from service.clocks import outages, seat_clocks
from service.clocks.outages import FLOOD_PATIENCE, JUMP, LONGEST_HOLD
from service.commands.health import diagnosis
from service.commands.operating import queue
from service.container import Services
from service.kernel.clock import SECOND
from service.kernel.clock_guard import OUTAGE, ClockGuard
from service.store.games import game_rows
from tests.databases import BOTH
from tests.manual_clock import NOON, ManualClock
from tests.service.clock_tables import DAY, HOUR, START, shows
from tests.tables import Tables
from workers.mail_out.transport import Away
from workers.sweep import sweep, sweep_deadlines, sweep_reminders

MINUTE = 60 * SECOND


class Machine(ManualClock):
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
def clock_tables(request: pytest.FixtureRequest, open_services: Callable[..., Services], machine: Machine) -> Tables:
    """A hall on each database; nobody sweeps unless a test does."""
    return made(open_services(request.getfixturevalue(f"migrated_{request.param}"), clock=machine), machine)


@pytest.fixture
def sqlite_clock_tables(migrated_sqlite: str, open_services: Callable[..., Services], machine: Machine) -> Tables:
    return made(open_services(migrated_sqlite, clock=machine), machine)


def made(services: Services, machine: Machine) -> Tables:
    clock_tables = Tables(services, machine)
    machine.meanwhile = lambda: None
    return clock_tables


def lives(clock_tables: Tables, span: int, step: int = 5 * MINUTE) -> int:
    """The service lives for so long and sweeps now and then. How many deadlines it decided."""
    acted, end = 0, clock_tables.clock.at + span
    while clock_tables.clock.at < end:
        clock_tables.clock.at = min(end, clock_tables.clock.at + step)
        acted += sweep_deadlines(clock_tables.services)
    return acted


def alarms(capsys: pytest.CaptureFixture[str], word: str) -> int:
    return capsys.readouterr().out.count(word)


# Outages


@pytest.mark.parametrize("away, credited", [(599, 0), (600, 0), (601, 601), (7200, 7200)])
def test_q9_an_outage_of_more_than_ten_minutes_is_credited_to_the_microsecond(clock_tables, away, credited):
    game = clock_tables.begin_timed(bank="P2D", per_move="P1D")
    sweep_deadlines(clock_tables.services)
    clock_tables.clock.at += away * SECOND
    sweep_deadlines(clock_tables.services)
    row = clock_tables.seat_clock(game, "ann")
    assert row["bank_from"] == START + DAY + credited * SECOND
    assert row["due_at"] == START + 3 * DAY + credited * SECOND
    assert row["acts_at"] == row["due_at"] + 600 * SECOND
    sweep_deadlines(clock_tables.services)
    assert clock_tables.due(game, "ann") == row["due_at"], "once"


def test_q9_nothing_expires_before_it_is_credited(clock_tables):
    game = clock_tables.begin_timed()
    lives(clock_tables, 20 * HOUR)
    clock_tables.clock.at += 10 * HOUR
    assert sweep_deadlines(clock_tables.services) == 0
    assert clock_tables.due(game, "ann") == START + DAY + 10 * HOUR
    assert clock_tables.due(game, "ann") - clock_tables.clock.at == 4 * HOUR, (
        "as much as there was when the service went away"
    )
    assert lives(clock_tables, 4 * HOUR + 10 * MINUTE) == 2
    assert {one["at"] for one in clock_tables.events(game, "table.turn-expired")} == {"2031-03-05T22:10:00.000000Z"}


def test_q9_a_decision_is_credited_for_the_part_since_it_began(sqlite_clock_tables):
    game = sqlite_clock_tables.begin_timed(per_move="P3D")
    sweep_deadlines(sqlite_clock_tables.services)
    sqlite_clock_tables.clock.at += 6 * HOUR
    sqlite_clock_tables.move(game, "ann", "hide 3")
    sqlite_clock_tables.move(game, "bob", "hide 1")
    sqlite_clock_tables.clock.at += 2 * HOUR
    sweep_deadlines(sqlite_clock_tables.services)
    assert sqlite_clock_tables.due(game, "ann") == START + 3 * DAY + 8 * HOUR, (
        "nobody looked after the clock, but people played"
    )


def test_q9_a_clock_that_stands_is_not_credited_nor_is_a_night(sqlite_clock_tables):
    sqlite_clock_tables.rename("ann", "Ann", "Pacific/Auckland")
    resting = sqlite_clock_tables.begin_timed()
    sqlite_clock_tables.agree(resting, "pause", days=2)
    asleep = sqlite_clock_tables.begin_timed(quiet_hours=True)
    before = sqlite_clock_tables.seat_clock(asleep, "ann")
    sweep_deadlines(sqlite_clock_tables.services)
    sqlite_clock_tables.clock.at += 2 * HOUR
    sweep_deadlines(sqlite_clock_tables.services)
    assert sqlite_clock_tables.seat_clock(resting, "ann")["left"] == DAY
    after = sqlite_clock_tables.seat_clock(asleep, "ann")
    assert (after.pop("outage"), before.pop("outage")) == (1, 0)
    assert after == before, "at one in the morning her clock did not run"
    assert sqlite_clock_tables.due(asleep, "bob") == START + DAY + 2 * HOUR


def test_q9_what_was_left_of_the_grace_is_left_after_an_outage_in_the_night(sqlite_clock_tables):
    """No hour of the night is charged, so none is given back; but mail that was under way must still get in."""
    sqlite_clock_tables.clock.at = START - 4 * HOUR
    game = sqlite_clock_tables.begin_timed(quiet_hours=True)
    due = sqlite_clock_tables.due(game, "ann")
    assert shows(due) == "Tue 04 Mar 22:00"
    lives(sqlite_clock_tables, due + 4 * MINUTE - sqlite_clock_tables.clock.at)
    sqlite_clock_tables.clock.at = due + 8 * HOUR
    assert sweep_deadlines(sqlite_clock_tables.services) == 0
    row = sqlite_clock_tables.seat_clock(game, "ann")
    assert (row["due_at"], row["acts_at"]) == (due, due + 8 * HOUR + 6 * MINUTE)
    assert lives(sqlite_clock_tables, 5 * MINUTE, MINUTE) == 0
    assert lives(sqlite_clock_tables, MINUTE, MINUTE) == 2


@pytest.mark.parametrize("kind", BOTH)
def test_q9_two_sweepers_that_come_back_together_credit_once(request, open_services, kind, machine):
    url = request.getfixturevalue(f"migrated_{kind}")
    clock_tables = made(open_services(url, clock=machine), machine)
    games = [clock_tables.begin_timed() for _ in range(5)]
    sweep_deadlines(clock_tables.services)
    clock_tables.clock.at += 3 * HOUR
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
    assert {clock_tables.due(game, "ann") for game in games} == {START + DAY + 3 * HOUR}


@pytest.mark.postgres
def test_q9_a_move_made_while_clocks_are_credited_is_not_written_over(
    migrated_postgres, open_services, machine, monkeypatch
):
    """The credit reads all clocks, then changes them; in between somebody answers, and is asked something else."""
    clock_tables = made(open_services(migrated_postgres, clock=machine), machine)
    game = clock_tables.begin_timed()
    clock_tables.move(game, "bob", "hide 1")
    lives(clock_tables, 5 * HOUR)
    clock_tables.clock.at += 3 * HOUR
    started, mover = threading.Event(), threading.Thread(target=lambda: clock_tables.move(game, "ann", "hide 3"))
    given_back = seat_clocks.given_back

    def slowly(*given: Any) -> dict[str, Any]:
        if not started.is_set():
            started.set()
            mover.start()
            mover.join(1)
        return given_back(*given)

    with monkeypatch.context() as patch:
        patch.setattr("service.clocks.seat_clocks.given_back", slowly)
        sweep_deadlines(clock_tables.services)
    mover.join(30)
    row = clock_tables.seat_clock(game, "ann")
    assert (row["decision"], row["due_at"], row["reasons"]) == ("take-1", clock_tables.clock.at + DAY, "")


def test_q9_whoever_stood_still_in_the_midst_of_a_sweep_looks_again_first(sqlite_clock_tables, monkeypatch):
    """A worker is frozen after it was let in, and wakes hours later: what came due meanwhile is not its to decide."""
    game = sqlite_clock_tables.begin_timed()
    lives(sqlite_clock_tables, 20 * HOUR)
    pauses_over = game_rows.pauses_over

    def frozen(*given: Any) -> list[str]:
        sqlite_clock_tables.clock.at += 10 * HOUR
        return list(pauses_over(*given))

    with monkeypatch.context() as patch:
        patch.setattr("service.store.games.game_rows.pauses_over", frozen)
        assert sweep_deadlines(sqlite_clock_tables.services) == 0
    assert sweep_deadlines(sqlite_clock_tables.services) == 0
    assert sqlite_clock_tables.due(game, "ann") == START + DAY + 10 * HOUR


# Jumps


def test_f43_when_the_clock_jumps_a_day_ahead_nothing_fires_and_an_alarm_does(clock_tables, capsys):
    game = clock_tables.begin_timed("ann", "bob", reminders=["PT6H"], per_move="P1D")
    lives(clock_tables, HOUR, MINUTE)
    version, due = clock_tables.head(game).version, clock_tables.due(game, "ann")
    capsys.readouterr()
    clock_tables.clock.jumps(DAY)
    for _ in range(30):
        clock_tables.clock.at += MINUTE
        assert sweep_deadlines(clock_tables.services) == 0
        assert sweep_reminders(clock_tables.services) == 0, "nobody is told of a deadline that is not near"
    assert alarms(capsys, "jumped forward") == 30, "with every sweep, the first within a minute"
    assert clock_tables.head(game).version == version
    assert clock_tables.due(game, "ann") == due
    assert not clock_tables.notices(kind="reminder")


def test_f43_set_right_again_the_clock_has_fired_nothing_and_moved_nothing(clock_tables):
    game = clock_tables.begin_timed()
    lives(clock_tables, HOUR, MINUTE)
    before = clock_tables.seat_clock(game, "ann")
    clock_tables.clock.jumps(DAY)
    assert lives(clock_tables, 20 * MINUTE, MINUTE) == 0
    clock_tables.clock.jumps(-DAY)
    assert lives(clock_tables, 22 * HOUR) == 0
    assert clock_tables.seat_clock(game, "ann") == before
    assert lives(clock_tables, HOUR + 10 * MINUTE) == 2, "and all goes on"
    assert {one["at"] for one in clock_tables.events(game, "table.turn-expired")} == {"2031-03-05T12:10:00.000000Z"}


def test_f43_a_small_jump_that_is_set_right_is_set_right(sqlite_clock_tables):
    """Six minutes ahead for half an hour: the clock never comes back to before the jump."""
    sqlite_clock_tables.begin_timed()
    lives(sqlite_clock_tables, HOUR, MINUTE)
    sqlite_clock_tables.clock.jumps(6 * MINUTE)
    lives(sqlite_clock_tables, 30 * MINUTE, MINUTE)
    assert held(sqlite_clock_tables) is not None
    sqlite_clock_tables.clock.jumps(-6 * MINUTE)
    lives(sqlite_clock_tables, 2 * MINUTE, MINUTE)
    assert held(sqlite_clock_tables) is None


@pytest.mark.parametrize("by, noticed", [(JUMP - SECOND, False), (JUMP + SECOND, True), (-DAY, False)])
def test_t41_what_is_a_jump(sqlite_clock_tables, by, noticed):
    sqlite_clock_tables.begin_timed()
    lives(sqlite_clock_tables, HOUR, MINUTE)
    sqlite_clock_tables.clock.jumps(by)
    sweep_deadlines(sqlite_clock_tables.services)
    assert (held(sqlite_clock_tables) is not None) == noticed


def held(clock_tables: Tables) -> int | None:
    with clock_tables.services.database.read() as connection:
        return outages.held_since(connection)


def test_t41_a_machine_that_slept_has_not_jumped_but_was_away(sqlite_clock_tables):
    """Its own count goes on while it sleeps."""
    game = sqlite_clock_tables.begin_timed()
    lives(sqlite_clock_tables, HOUR, MINUTE)
    sqlite_clock_tables.clock.at += 5 * HOUR
    assert sweep_deadlines(sqlite_clock_tables.services) == 0
    assert held(sqlite_clock_tables) is None
    assert sqlite_clock_tables.due(game, "ann") == START + DAY + 5 * HOUR


def test_t41_accepted_a_jump_is_credited_and_deadlines_are_decided_again(clock_tables):
    game = clock_tables.begin_timed()
    lives(clock_tables, HOUR, MINUTE)
    clock_tables.clock.jumps(DAY)
    lives(clock_tables, 20 * MINUTE, MINUTE)
    with clock_tables.services.database.write() as tx:
        assert outages.accept(clock_tables.services.database, tx)
        assert not outages.accept(clock_tables.services.database, tx)
    sweep_deadlines(clock_tables.services)
    assert clock_tables.due(game, "ann") == START + 2 * DAY + 20 * MINUTE
    assert lives(clock_tables, 22 * HOUR + 59 * MINUTE) == 0, "an hour of it had gone, and 23 were left"
    assert lives(clock_tables, 12 * MINUTE, MINUTE) == 2


def test_t41_left_alone_for_six_hours_it_is_believed_and_credited(clock_tables, capsys):
    game = clock_tables.begin_timed()
    lives(clock_tables, HOUR, MINUTE)
    clock_tables.clock.jumps(DAY)
    lives(clock_tables, 5 * MINUTE)
    lives(clock_tables, LONGEST_HOLD)
    assert held(clock_tables) is not None
    lives(clock_tables, 5 * MINUTE)
    assert held(clock_tables) is None
    assert clock_tables.due(game, "ann") == START + 2 * DAY + LONGEST_HOLD + 10 * MINUTE
    assert alarms(capsys, "is believed") == 1


def test_t41_a_process_that_has_looked_long_ago_takes_no_old_jump_for_a_new_one(sqlite_clock_tables, open_services):
    """An idle thread remembers the time before the jump, which was accepted meanwhile."""
    game = sqlite_clock_tables.begin_timed(per_move="P30D")
    idle = open_services(sqlite_clock_tables.services.settings.database_url, clock=sqlite_clock_tables.clock)
    sweep_deadlines(idle)
    lives(sqlite_clock_tables, 2 * MINUTE, MINUTE)
    sqlite_clock_tables.clock.jumps(DAY)
    sweep_deadlines(sqlite_clock_tables.services)
    with sqlite_clock_tables.services.database.write() as tx:
        outages.accept(sqlite_clock_tables.services.database, tx)
    sweep_deadlines(sqlite_clock_tables.services)
    due = sqlite_clock_tables.due(game, "ann")
    sqlite_clock_tables.clock.at += MINUTE
    assert sweep_deadlines(idle) == 0
    assert held(sqlite_clock_tables) is None
    lives(sqlite_clock_tables, 2 * HOUR, MINUTE)
    assert (held(sqlite_clock_tables), sqlite_clock_tables.due(game, "ann")) == (None, due)


def test_t41_a_look_long_ago_proves_nothing():
    """Clocks drift apart over months."""
    guard = ClockGuard()
    assert guard.jump(1000 * HOUR, 0) == (0, 1000 * HOUR)
    assert guard.jump(1000 * HOUR + OUTAGE + JUMP + 1, OUTAGE) == (JUMP + 1, 1000 * HOUR)
    assert guard.jump(2000 * HOUR, 2 * OUTAGE + 1) == (0, 2000 * HOUR)


# Floods


def test_t41_unusually_many_deadlines_at_once_wait_a_quarter_of_an_hour_with_an_alarm(clock_tables, capsys):
    for _ in range(5):
        clock_tables.begin_timed(per_move="PT12H")
    games = [clock_tables.begin_timed(per_move="P3D") for _ in range(5)]
    lives(clock_tables, 12 * HOUR)
    capsys.readouterr()
    assert lives(clock_tables, 10 * MINUTE, MINUTE) == 0
    assert lives(clock_tables, FLOOD_PATIENCE - MINUTE, MINUTE) == 0
    assert alarms(capsys, "unusually many") == 1
    assert lives(clock_tables, 2 * MINUTE, MINUTE) == 10
    with clock_tables.services.database.read() as connection:
        status = outages.status(clock_tables.services.database, connection)
    assert (status.flooded, status.due) == (None, 0)
    assert all(clock_tables.due(game, "ann") == START + 3 * DAY for game in games)


@pytest.mark.parametrize("due, others", [(4, 0), (5, 21)])
def test_t41_few_deadlines_or_a_small_part_of_all_are_no_flood(sqlite_clock_tables, due, others):
    """Two seats a game: eight are few, ten of fifty-two are less than a fifth."""
    for _ in range(due):
        sqlite_clock_tables.begin_timed(per_move="PT12H")
    for _ in range(others):
        sqlite_clock_tables.begin_timed(per_move="P3D")
    lives(sqlite_clock_tables, 12 * HOUR)
    assert lives(sqlite_clock_tables, 10 * MINUTE, 10 * MINUTE) == 2 * due


# What operators are told


@pytest.fixture
def commanded(sqlite_clock_tables: Tables, monkeypatch: pytest.MonkeyPatch) -> Callable[..., Any]:
    """Run `wardroom` on the hall's own service."""
    from contextlib import contextmanager

    @contextmanager
    def opened(**_: object) -> Any:
        yield sqlite_clock_tables.services

    monkeypatch.setattr(cli, "open_services", opened)
    monkeypatch.setattr(queue, "open_services", opened)
    return lambda *words: CliRunner().invoke(cli.main, [*words])


def findings(clock_tables: Tables) -> dict[str, tuple[str, str]]:
    return {one.what: (one.mark, one.sentence) for one in diagnosis.examine(clock_tables.services)}


def test_wardroom_clock_and_doctor_say_that_all_is_well(sqlite_clock_tables, commanded):
    assert findings(sqlite_clock_tables)["clock"] == (
        "note", "Nobody has looked at deadlines yet: start the service, or its workers.",
    )  # fmt: skip
    sqlite_clock_tables.begin_timed()
    sweep_deadlines(sqlite_clock_tables.services)
    done = commanded("clock")
    assert done.exit_code == 0
    assert done.output.splitlines() == [
        "now       2031-03-04T12:00:00.000000Z",
        "running   2 clocks, of which 0 wait to be decided",
        "looked at 2031-03-04T12:00:00.000000Z",
    ]
    assert findings(sqlite_clock_tables)["clock"][0] == "well"
    sqlite_clock_tables.clock.at += OUTAGE + 1
    assert findings(sqlite_clock_tables)["clock"][0] == "note"
    assert "Nothing was held." in commanded("clock", "accept").output


def test_wardroom_clock_says_that_a_jump_holds_everything_and_accept_believes_it(sqlite_clock_tables, commanded):
    game = sqlite_clock_tables.begin_timed()
    lives(sqlite_clock_tables, HOUR, MINUTE)
    sqlite_clock_tables.clock.jumps(DAY)
    sweep_deadlines(sqlite_clock_tables.services)
    done = commanded("clock")
    assert done.exit_code == 1
    assert done.output.splitlines()[-1] == (
        "held      since 2031-03-05T13:00:00.000000Z: the clock jumped there from 2031-03-04T13:00:00.000000Z. Set it "
        "right, or run `wardroom clock accept` if it is right; else it is believed at 2031-03-05T19:00:00.000000Z."
    )
    mark, sentence = findings(sqlite_clock_tables)["clock"]
    assert mark == "broken"
    assert "wardroom clock accept" in sentence
    done = commanded("clock", "accept")
    assert (done.exit_code, done.stderr) == (0, "The time is believed: deadlines are decided again.\n")
    sweep_deadlines(sqlite_clock_tables.services)
    assert sqlite_clock_tables.due(game, "ann") == START + 2 * DAY
    assert commanded("clock").exit_code == 0
    assert findings(sqlite_clock_tables)["clock"][0] == "well"


def test_wardroom_clock_says_that_a_flood_is_held(sqlite_clock_tables, commanded):
    for _ in range(6):
        sqlite_clock_tables.begin_timed(per_move="PT12H")
    lives(sqlite_clock_tables, 12 * HOUR + 10 * MINUTE)
    done = commanded("clock")
    assert done.exit_code == 0
    assert "unusually many deadlines would pass at once" in done.output
    assert "wardroom clock accept" in " ".join(done.output.split())
    assert findings(sqlite_clock_tables)["clock"][0] == "note"


def test_t41_many_deadlines_that_are_accepted_pass_at_once(sqlite_clock_tables, commanded):
    """Six tables whose people all let time run out; the operator has looked, and nothing is wrong."""
    for _ in range(6):
        sqlite_clock_tables.begin_timed(per_move="PT12H")
    lives(sqlite_clock_tables, 12 * HOUR)
    assert lives(sqlite_clock_tables, 10 * MINUTE, MINUTE) == 0
    done = commanded("clock", "accept")
    assert done.exit_code == 0
    assert done.output.endswith("The deadlines that are due are decided now, however many they are.\n")
    assert lives(sqlite_clock_tables, 2 * MINUTE, MINUTE) == 12
    assert commanded("clock", "accept").output == "Nothing was held.\n"


def test_f21_wardroom_mail_flush_and_mail_list_say_what_waits_for_the_mail_server(sqlite_clock_tables, commanded):
    sqlite_clock_tables.carrier.name = "mailbox"
    sqlite_clock_tables.begin("ann", "bob")
    sqlite_clock_tables.carrier.before.extend([Away("it cannot be written")] * 2)
    sqlite_clock_tables.deliver()
    sqlite_clock_tables.advance(microseconds=1)
    assert "The mail server mailbox takes nothing since 2031" in commanded("mail", "list").output
    done = commanded("mail", "flush")
    assert (done.exit_code, done.output) == (0, "2 mails are due, and are tried now.\n")
    assert sqlite_clock_tables.deliver() == 2
    assert commanded("mail", "flush").output == "No mail is due.\n"
    assert commanded("mail", "list").output == "No mail came in yet.\n"


def test_a_whole_sweep_after_an_outage_reminds_of_nothing_that_is_not_near(sqlite_clock_tables):
    """Deadlines are credited before reminders are looked at."""
    game = sqlite_clock_tables.begin_timed(reminders=["PT6H"], per_move="P1D")
    lives(sqlite_clock_tables, 17 * HOUR)
    sqlite_clock_tables.clock.at += 10 * HOUR
    sweep(sqlite_clock_tables.services, sqlite_clock_tables.carrier)
    assert sqlite_clock_tables.due(game, "ann") - sqlite_clock_tables.clock.at == 7 * HOUR
    assert not sqlite_clock_tables.notices(kind="reminder")


# What happens in an outage before anybody sweeps again


def test_q9_a_move_before_the_first_sweep_pays_nothing_for_the_outage(sqlite_clock_tables):
    game = sqlite_clock_tables.begin_timed("ann", "bob", "cyd", bank="P2D")
    sweep_deadlines(sqlite_clock_tables.services)
    sqlite_clock_tables.clock.at = START + 5 * DAY  # the time of the move would have been over for two days
    sqlite_clock_tables.move(game, "ann", "hide 1")
    sweep_deadlines(sqlite_clock_tables.services)
    assert sqlite_clock_tables.bank(game, "ann") is None


def test_q9_a_pause_before_the_first_sweep_keeps_what_was_left_before_the_outage(sqlite_clock_tables):
    game = sqlite_clock_tables.begin_timed("ann", "bob", per_move="P3D")
    sweep_deadlines(sqlite_clock_tables.services)
    sqlite_clock_tables.clock.at = START + 2 * DAY
    sqlite_clock_tables.agree(game, "pause", hours=5)
    sweep_deadlines(sqlite_clock_tables.services)
    sqlite_clock_tables.advance(hours=1)
    sqlite_clock_tables.agree(game, "resume")
    assert shows(sqlite_clock_tables.due(game, "ann")) == shows(START + 5 * DAY + HOUR)
