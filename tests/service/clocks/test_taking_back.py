"""A move that is taken back is owed until when it was owed, whatever had moved its deadline (Q-9, DESIGN 2).

The first day is Tuesday 4 March 2031, and everything begins at noon in Greenwich; a move has a day.
"""

import pytest

from service.games import takeback
from service.integrity import halt
from tests.service.clock_tables import DAY, HOUR, START, clock_tables, sqlite_clock_tables, utc
from tests.tables import Tables
from tests.workers.worker_tables import manual_clock
from workers.sweep import sweep_deadlines

pytestmark = pytest.mark.slow

__all__ = ["clock_tables", "manual_clock", "sqlite_clock_tables"]

MINUTE = HOUR // 60


def outage(clock_tables: Tables, hours: float) -> None:
    """The service is away for so long, and comes back."""
    sweep_deadlines(clock_tables.services)
    clock_tables.clock.at += int(hours * HOUR)
    sweep_deadlines(clock_tables.services)


def stop(clock_tables: Tables, game: str, hours: int) -> None:
    """The records of a game do not verify for so long: it is stopped, and goes on."""
    with clock_tables.services.database.write() as tx:
        halt.halt(clock_tables.services.database, tx, game, "a test")
    clock_tables.advance(hours=hours)
    with clock_tables.services.database.write() as tx:
        assert halt.release(clock_tables.services, tx, game)


def take_back(clock_tables: Tables, game: str, name: str = "ann") -> None:
    with clock_tables.services.database.write() as tx:
        assert takeback.go_back(clock_tables.services, tx, game, clock_tables.ids[name], ask=False).done


def slip(clock_tables: Tables, game: str, name: str = "ann") -> None:
    """Somebody answers, and takes it back at once."""
    clock_tables.move(game, name, "hide 1")
    take_back(clock_tables, game, name)


def test_q9_what_is_taken_back_keeps_the_credit_of_an_outage(clock_tables):
    game = clock_tables.begin_timed(bank="P2D")
    outage(clock_tables, 5)
    due = clock_tables.due(game, "ann")
    assert due == START + 3 * DAY + 5 * HOUR
    slip(clock_tables, game)
    row = clock_tables.seat_clock(game, "ann")
    assert (row["due_at"], row["bank_from"], row["began_at"]) == (due, START + DAY + 5 * HOUR, START)
    assert row["acts_at"] == due + 10 * MINUTE


def test_q9_what_is_taken_back_keeps_the_time_that_its_game_was_stopped(sqlite_clock_tables):
    game = sqlite_clock_tables.begin_timed()
    stop(sqlite_clock_tables, game, 7)
    slip(sqlite_clock_tables, game)
    assert sqlite_clock_tables.due(game, "ann") == START + DAY + 7 * HOUR


@pytest.mark.parametrize("state, settled", [("sent", START + 25 * HOUR), ("bounced", START)])
def test_q9_what_is_taken_back_keeps_the_time_of_who_could_not_be_told(sqlite_clock_tables, state, settled):
    game = sqlite_clock_tables.begin_timed()
    sqlite_clock_tables.execute(
        "UPDATE deliveries SET state = :state, done_at = :at WHERE kind = 'your-turn'", state=state, at=settled
    )
    sqlite_clock_tables.clock.at = START + 26 * HOUR
    sqlite_clock_tables.record_sweep()
    sweep_deadlines(sqlite_clock_tables.services)
    assert sqlite_clock_tables.due(game, "ann") == START + 26 * HOUR + DAY
    slip(sqlite_clock_tables, game)
    assert sqlite_clock_tables.due(game, "ann") == START + 26 * HOUR + DAY


@pytest.mark.parametrize("hours", [0, 5])
def test_design7_leave_counts_once_in_what_is_taken_back(sqlite_clock_tables, hours):
    game = sqlite_clock_tables.begin_timed(leave_days=5)
    sqlite_clock_tables.take_leave("ann", "2031-03-05", "2031-03-05")
    outage(sqlite_clock_tables, hours)
    due = sqlite_clock_tables.due(game, "ann")
    assert due == START + 2 * DAY + hours * HOUR
    slip(sqlite_clock_tables, game)
    assert sqlite_clock_tables.due(game, "ann") == due


def test_design7_leave_that_was_taken_back_after_a_deadline_moved_moves_it_still(sqlite_clock_tables):
    game = sqlite_clock_tables.begin_timed(leave_days=5)
    sqlite_clock_tables.take_leave("ann", "2031-03-05", "2031-03-05")
    sqlite_clock_tables.cancel_leave("ann")
    slip(sqlite_clock_tables, game)
    assert sqlite_clock_tables.due(game, "ann") == START + 2 * DAY


def test_design7_leave_that_is_announced_meanwhile_moves_what_is_taken_back(sqlite_clock_tables):
    game = sqlite_clock_tables.begin_timed(leave_days=5)
    outage(sqlite_clock_tables, 5)
    sqlite_clock_tables.move(game, "ann", "hide 1")
    sqlite_clock_tables.advance(hours=1)
    sqlite_clock_tables.take_leave("ann", "2031-03-05", "2031-03-05")
    take_back(sqlite_clock_tables, game)
    assert sqlite_clock_tables.due(game, "ann") == START + 2 * DAY + 5 * HOUR


def test_q9_an_outage_before_it_is_taken_back_is_no_time_of_the_player(sqlite_clock_tables):
    """Nobody could take anything back meanwhile; what went before the answer counts, what the others have is theirs."""
    game = sqlite_clock_tables.begin_timed("ann", "bob", "cyd")
    outage(sqlite_clock_tables, 2)
    sqlite_clock_tables.advance(hours=3)
    sqlite_clock_tables.move(game, "ann", "hide 1")
    outage(sqlite_clock_tables, 5)
    stop(sqlite_clock_tables, game, 1)
    take_back(sqlite_clock_tables, game)
    assert sqlite_clock_tables.due(game, "ann") == sqlite_clock_tables.due(game, "bob") == START + DAY + 8 * HOUR


def test_q9_what_is_taken_back_twice_keeps_every_credit_once(sqlite_clock_tables):
    game = sqlite_clock_tables.begin_timed(bank="P2D")
    for hours in (5, 3, 2):
        outage(sqlite_clock_tables, hours)
        slip(sqlite_clock_tables, game)
    assert sqlite_clock_tables.due(game, "ann") == START + 3 * DAY + 10 * HOUR
    assert sqlite_clock_tables.seat_clock(game, "ann")["bank_from"] == START + DAY + 10 * HOUR


def test_q9_an_outage_in_the_night_gives_nobody_time_who_takes_back(sqlite_clock_tables):
    """Ann's clock runs from 8 to 22: of 20 to 10 it was charged four hours."""
    game = sqlite_clock_tables.begin_timed(quiet_hours=True)
    sqlite_clock_tables.advance(hours=8)
    outage(sqlite_clock_tables, 14)
    assert sqlite_clock_tables.due(game, "ann") == utc("2031-03-05T16:00")
    slip(sqlite_clock_tables, game)
    assert sqlite_clock_tables.due(game, "ann") == utc("2031-03-05T16:00")


@pytest.mark.parametrize("stands", [False, True])
def test_design7_a_pause_in_the_night_gives_nobody_time_who_takes_back(sqlite_clock_tables, stands):
    game = sqlite_clock_tables.begin_timed(quiet_hours=True)
    due = sqlite_clock_tables.due(game, "ann")
    sqlite_clock_tables.clock.at = utc("2031-03-04T22:00")
    sqlite_clock_tables.move(game, "ann", "hide 1")
    sqlite_clock_tables.agree(game, "pause", days=1)
    sqlite_clock_tables.clock.at = utc("2031-03-05T08:00")
    if not stands:
        sqlite_clock_tables.agree(game, "resume")
    take_back(sqlite_clock_tables, game)
    row = sqlite_clock_tables.seat_clock(game, "ann")
    assert (row["due_at"], row["left"]) == ((None, 4 * HOUR) if stands else (due, None))
    assert due == utc("2031-03-05T12:00")


@pytest.mark.parametrize("paused_first", [True, False])
def test_q9_a_pause_and_an_outage_are_both_kept_by_what_is_taken_back(sqlite_clock_tables, paused_first):
    game = sqlite_clock_tables.begin_timed()
    if not paused_first:
        outage(sqlite_clock_tables, 5)
    sqlite_clock_tables.agree(game, "pause", days=1)
    sqlite_clock_tables.advance(hours=10)
    sqlite_clock_tables.agree(game, "resume")
    if paused_first:
        outage(sqlite_clock_tables, 5)
    slip(sqlite_clock_tables, game)
    assert sqlite_clock_tables.due(game, "ann") == START + DAY + 15 * HOUR


@pytest.mark.parametrize("answered_before", [True, False])
def test_design7_what_is_taken_back_while_the_clock_stands_has_what_was_left_of_more_time(
    sqlite_clock_tables, answered_before
):
    """Of a day five hours were used, of which two were an outage; and ten were given."""
    game = sqlite_clock_tables.begin_timed(bank="P2D")
    outage(sqlite_clock_tables, 2)
    sqlite_clock_tables.agree(game, "extend", hours=10)
    sqlite_clock_tables.advance(hours=3)
    if answered_before:
        sqlite_clock_tables.move(game, "ann", "hide 1")
    sqlite_clock_tables.agree(game, "pause", days=9)
    sqlite_clock_tables.advance(days=2)
    if not answered_before:
        sqlite_clock_tables.move(game, "ann", "hide 1")
    take_back(sqlite_clock_tables, game)
    row = sqlite_clock_tables.seat_clock(game, "ann")
    assert (row["due_at"], row["left"], row["left_bank"]) == (None, 31 * HOUR, 2 * DAY)


@pytest.mark.parametrize("resumed", ["never", "before the answer", "after it"])
def test_design7_what_is_asked_while_the_clock_stands_and_taken_back_has_all_its_time(sqlite_clock_tables, resumed):
    game = sqlite_clock_tables.begin_timed()
    sqlite_clock_tables.move(game, "ann", "hide 3")
    sqlite_clock_tables.move(game, "bob", "hide 1")
    sqlite_clock_tables.agree(game, "pause", days=9)
    sqlite_clock_tables.move(game, "ann", "take")
    sqlite_clock_tables.advance(hours=5)
    if resumed == "before the answer":
        sqlite_clock_tables.agree(game, "resume")
    sqlite_clock_tables.move(game, "ann", "hide 1")
    if resumed == "after it":
        sqlite_clock_tables.agree(game, "resume")
    runs_from = sqlite_clock_tables.clock.at
    sqlite_clock_tables.advance(hours=5)
    take_back(sqlite_clock_tables, game)
    row = sqlite_clock_tables.seat_clock(game, "ann")
    assert (row["due_at"], row["left"]) == ((None, DAY) if resumed == "never" else (runs_from + DAY, None))


def test_design7_who_moves_to_another_zone_owes_what_they_take_back_no_earlier(sqlite_clock_tables):
    """In Los Angeles a day ends at 6 in Greenwich: fourteen hours of its clock, and its night after them."""
    game = sqlite_clock_tables.begin_timed(quiet_hours=True)
    due = sqlite_clock_tables.due(game, "ann")
    sqlite_clock_tables.change_profile("ann", timezone="America/Los_Angeles")
    slip(sqlite_clock_tables, game)
    assert sqlite_clock_tables.due(game, "ann") == due == utc("2031-03-05T12:00")


def test_q9_what_was_lost_twice_at_once_is_given_once(sqlite_clock_tables):
    """The game is stopped three times, from 1 to 4, 5 to 6 and 7 to 8; nobody sweeps from 2 to 12."""
    game = sqlite_clock_tables.begin_timed()
    sqlite_clock_tables.move(game, "ann", "hide 1")
    services = sqlite_clock_tables.services
    database = services.database
    sweep_deadlines(services)
    for hour in (1, 2, 4, 5, 6, 7, 8, 12):
        sqlite_clock_tables.clock.at = START + hour * HOUR
        if hour in (2, 12):
            sqlite_clock_tables.record_sweep() if hour == 2 else sweep_deadlines(sqlite_clock_tables.services)
        else:
            with database.write() as tx:
                assert halt.halt(database, tx, game, "a test") if hour % 2 else halt.release(services, tx, game)
    take_back(sqlite_clock_tables, game)
    assert sqlite_clock_tables.due(game, "ann") == sqlite_clock_tables.due(game, "bob") == START + DAY + 11 * HOUR


def test_q9_of_an_outage_counts_what_came_after_it_was_asked(sqlite_clock_tables):
    """Nobody sweeps from 1 to 11; Ann is asked anew at 2, by consent, and answers at 3. Cyd owes since noon."""
    game = sqlite_clock_tables.begin_timed("ann", "bob", "cyd")
    sweep_deadlines(sqlite_clock_tables.services)
    sqlite_clock_tables.advance(hours=1)
    before = sqlite_clock_tables.head(game).version
    sqlite_clock_tables.clock.at += HOUR
    sqlite_clock_tables.move(game, "ann", "hide 1")
    sqlite_clock_tables.move(game, "bob", "hide 1")
    services, ids = sqlite_clock_tables.services, sqlite_clock_tables.ids
    with services.database.write() as tx:
        takeback.go_back(services, tx, game, ids["ann"], to=before)
    with services.database.write() as tx:
        assert takeback.vote(services, tx, game, ids["bob"], True).done
    sqlite_clock_tables.clock.at += HOUR
    sqlite_clock_tables.move(game, "ann", "hide 1")
    sqlite_clock_tables.clock.at += 8 * HOUR
    sweep_deadlines(services)
    assert sqlite_clock_tables.due(game, "cyd") == START + DAY + 10 * HOUR
    take_back(sqlite_clock_tables, game)
    assert sqlite_clock_tables.due(game, "ann") == START + 2 * HOUR + DAY + 9 * HOUR
