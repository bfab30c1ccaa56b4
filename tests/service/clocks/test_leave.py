"""Leave: announced ahead, in whole days of one's own zone; deadlines pass it over, and it is used up (DESIGN 7).

The first day is Tuesday 4 March 2031, and everything begins at noon in Greenwich unless a test says otherwise.
"""

import threading
from datetime import date
from typing import Any

import pytest
import sqlalchemy as sa

from domain.engine.refusals import RuleViolation
from service.accounts import people
from service.clocks import leave, leave_days
from service.deadlines import after_leave
from service.games import views
from service.kernel.clock import SECOND
from service.store.clocks import decisions as store_decisions
from service.store.clocks.decisions import decisions
from tests.databases import BOTH
from tests.manual_clock import ManualClock
from tests.service.clock_tables import DAY, HOUR, START, clock_tables, shows, sqlite_clock_tables, utc
from tests.tables import Tables
from tests.workers.worker_tables import manual_clock
from workers.sweep import sweep_deadlines

pytestmark = pytest.mark.slow

__all__ = ["clock_tables", "manual_clock", "sqlite_clock_tables"]


def days_left(clock_tables: Tables, game: str, name: str) -> int:
    """How many days of leave somebody has left in a game."""
    with clock_tables.services.database.read() as connection:
        (one,) = (
            one for one in leave.in_games(clock_tables.services, connection, clock_tables.ids[name]) if one.game == game
        )
    return one.left


# Announcing


@pytest.mark.parametrize(
    "first, last, code",
    [
        ("2031-03-05", "2031-03-05", None),  # tomorrow
        ("2031-03-05", "2031-05-03", None),  # sixty days
        ("2032-03-04", "2032-03-05", None),  # in 366 days
        ("2031-03-04", "2031-03-09", "leave-too-late"),  # today
        ("2031-03-03", "2031-03-09", "leave-too-late"),
        ("2031-03-09", "2031-03-08", "bad-leave"),
        ("2031-03-05", "2031-05-04", "bad-leave"),
        ("2032-03-05", "2032-03-05", "bad-leave"),
        ("0001-01-01", "9999-12-31", "leave-too-late"),
        ("9999-01-01", "9999-12-31", "bad-leave"),
    ],
)
def test_design7_leave_is_announced_ahead_and_within_bounds(sqlite_clock_tables, first, last, code):
    sqlite_clock_tables.player("ann")
    if code is None:
        assert sqlite_clock_tables.take_leave("ann", first, last)
        assert sqlite_clock_tables.leave_days("ann") == [(first, last)]
        return
    with pytest.raises(RuleViolation) as refused:
        sqlite_clock_tables.take_leave("ann", first, last)
    assert (refused.value.code, refused.value.rule) == (code, "DESIGN-7")
    assert refused.value.message.endswith(".")
    assert sqlite_clock_tables.leave_days("ann") == []


@pytest.mark.parametrize("zone, first", [("Pacific/Kiritimati", "2031-03-06"), ("Pacific/Pago_Pago", "2031-03-05")])
def test_design7_tomorrow_is_tomorrow_where_the_player_lives(sqlite_clock_tables, zone, first):
    """At noon in Greenwich it is Wednesday in Kiritimati, and Tuesday morning in Pago Pago."""
    sqlite_clock_tables.rename("ann", "Ann", zone)
    with pytest.raises(RuleViolation):
        sqlite_clock_tables.take_leave("ann", f"2031-03-0{int(first[-1]) - 1}", "2031-03-09")
    assert sqlite_clock_tables.take_leave("ann", first, "2031-03-09")


def test_the_same_leave_again_is_no_other_and_days_are_announced_once(sqlite_clock_tables):
    sqlite_clock_tables.player("ann")
    assert sqlite_clock_tables.take_leave("ann", "2031-03-10", "2031-03-14")
    assert not sqlite_clock_tables.take_leave("ann", "2031-03-10", "2031-03-14")
    for first, last in [("2031-03-14", "2031-03-20"), ("2031-03-05", "2031-03-10"), ("2031-03-11", "2031-03-12")]:
        with pytest.raises(RuleViolation) as refused:
            sqlite_clock_tables.take_leave("ann", first, last)
        assert refused.value.code == "leave-overlaps"
    assert sqlite_clock_tables.take_leave("ann", "2031-03-15", "2031-03-15")
    assert sqlite_clock_tables.leave_days("ann") == [("2031-03-10", "2031-03-14"), ("2031-03-15", "2031-03-15")]


def test_nobody_announces_more_than_twenty_leaves_ahead(sqlite_clock_tables):
    sqlite_clock_tables.player("ann")
    for day in range(1, 21):
        sqlite_clock_tables.take_leave("ann", f"2031-04-{day:02d}", f"2031-04-{day:02d}")
    with pytest.raises(RuleViolation) as refused:
        sqlite_clock_tables.take_leave("ann", "2031-05-01", "2031-05-01")
    assert refused.value.code == "too-much-leave"


@pytest.mark.parametrize("kind", BOTH)
def test_leave_announced_twice_at_the_same_time_is_announced_once(request, open_services, kind):
    clock_tables = Tables(
        open_services(request.getfixturevalue(f"migrated_{kind}"), clock=(manual_clock := ManualClock())), manual_clock
    )
    clock_tables.player("ann")
    start, outcomes = threading.Barrier(4), []

    def run(last: str) -> None:
        start.wait()
        try:
            outcomes.append(clock_tables.take_leave("ann", "2031-03-10", last))
        except RuleViolation as refused:
            outcomes.append(refused.code)

    threads = [threading.Thread(target=run, args=(f"2031-03-1{n}",)) for n in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert sorted(map(str, outcomes)) == ["True", *["leave-overlaps"] * 3]
    assert len(clock_tables.leave_days("ann")) == 1


# What it does to clocks


def test_design7_a_deadline_that_runs_passes_leave_over_at_once(clock_tables):
    game = clock_tables.begin_timed(leave_days=14, per_move="P3D")
    assert shows(clock_tables.due(game, "ann")) == "Fri 07 Mar 12:00"
    clock_tables.take_leave("ann", "2031-03-06", "2031-03-09")
    assert shows(clock_tables.due(game, "ann")) == "Tue 11 Mar 12:00"
    assert shows(clock_tables.seat_clock(game, "ann")["acts_at"]) == "Tue 11 Mar 12:10"
    assert shows(clock_tables.due(game, "bob")) == "Fri 07 Mar 12:00", "nobody else is away"
    assert days_left(clock_tables, game, "ann") == 10
    clock_tables.move(game, "bob", "hide 1")
    clock_tables.move(game, "ann", "hide 3")
    assert shows(clock_tables.due(game, "ann")) == "Tue 11 Mar 12:00", "what is asked later knows of it, too"


def test_design7_leave_does_not_count_where_the_game_does_not_allow_it(sqlite_clock_tables):
    game = sqlite_clock_tables.begin_timed(per_move="P3D")
    sqlite_clock_tables.take_leave("ann", "2031-03-05", "2031-03-09")
    assert shows(sqlite_clock_tables.due(game, "ann")) == "Fri 07 Mar 12:00"
    sqlite_clock_tables.move(game, "bob", "hide 1")
    sqlite_clock_tables.move(game, "ann", "hide 3")
    assert shows(sqlite_clock_tables.due(game, "ann")) == "Fri 07 Mar 12:00"


def test_design7_leave_after_the_deadline_does_not_move_it_but_what_moves_it_there_passes_it_over(sqlite_clock_tables):
    game = sqlite_clock_tables.begin_timed(leave_days=14, per_move="P3D")
    sqlite_clock_tables.take_leave("ann", "2031-03-10", "2031-03-14")
    assert shows(sqlite_clock_tables.due(game, "ann")) == "Fri 07 Mar 12:00"
    sqlite_clock_tables.agree(game, "pause", days=5)
    sqlite_clock_tables.clock.at = utc("2031-03-09T12:00")
    sqlite_clock_tables.agree(game, "resume")
    assert shows(sqlite_clock_tables.due(game, "ann")) == "Mon 17 Mar 12:00", (
        "half the 9th, the 15th, 16th, half the 17th"
    )


def test_design7_leave_announced_while_the_clock_stands_counts_when_it_runs(clock_tables):
    game = clock_tables.begin_timed(leave_days=14, per_move="P3D")
    clock_tables.agree(game, "pause", days=5)
    clock_tables.take_leave("ann", "2031-03-05", "2031-03-08")
    assert clock_tables.seat_clock(game, "ann")["due_at"] is None
    clock_tables.agree(game, "resume")
    assert shows(clock_tables.due(game, "ann")) == "Tue 11 Mar 12:00"


def test_t44_days_of_leave_are_days_of_the_zone_in_which_the_clock_runs(sqlite_clock_tables):
    sqlite_clock_tables.rename("ann", "Ann", "Pacific/Auckland")
    game = sqlite_clock_tables.begin_timed(leave_days=14, quiet_hours=True)
    sqlite_clock_tables.change_profile("ann", timezone="America/New_York")
    sqlite_clock_tables.take_leave("ann", "2031-03-05", "2031-03-05")
    row = sqlite_clock_tables.seat_clock(game, "ann")
    assert row["hours"] == "Pacific/Auckland 480 count 2031-03-05"


# The cap


def test_design7_the_first_leave_days_since_the_game_was_opened_count(sqlite_clock_tables):
    game = sqlite_clock_tables.begin_timed(leave_days=5, per_move="P2D")
    sqlite_clock_tables.take_leave("ann", "2031-03-05", "2031-03-07")
    assert shows(sqlite_clock_tables.due(game, "ann")) == "Sun 09 Mar 12:00"
    sqlite_clock_tables.take_leave("ann", "2031-03-08", "2031-03-20")
    assert shows(sqlite_clock_tables.due(game, "ann")) == "Tue 11 Mar 12:00", "two more days count, no third"
    assert days_left(sqlite_clock_tables, game, "ann") == 0


def test_design7_leave_from_before_a_game_was_opened_does_not_count_in_it(sqlite_clock_tables):
    sqlite_clock_tables.player("ann")
    sqlite_clock_tables.take_leave("ann", "2031-03-05", "2031-03-10")
    sqlite_clock_tables.clock.at = utc("2031-03-08T12:00")
    game = sqlite_clock_tables.begin_timed(leave_days=5, per_move="P2D")
    assert shows(sqlite_clock_tables.due(game, "ann")) == "Thu 13 Mar 00:00", (
        "the 8th, 9th and 10th are leave, then two days"
    )
    assert days_left(sqlite_clock_tables, game, "ann") == 2


def test_design7_each_game_counts_for_itself(sqlite_clock_tables):
    few, many = (
        sqlite_clock_tables.begin_timed(leave_days=2, per_move="P2D"),
        sqlite_clock_tables.begin_timed(leave_days=14, per_move="P2D"),
    )
    sqlite_clock_tables.take_leave("ann", "2031-03-05", "2031-03-08")
    assert shows(sqlite_clock_tables.due(few, "ann")) == "Sat 08 Mar 12:00"
    assert shows(sqlite_clock_tables.due(many, "ann")) == "Mon 10 Mar 12:00"
    assert (days_left(sqlite_clock_tables, few, "ann"), days_left(sqlite_clock_tables, many, "ann")) == (0, 10)


# Taking it back


def test_design7_leave_taken_back_moves_no_deadline(clock_tables):
    game = clock_tables.begin_timed(leave_days=14, per_move="P3D")
    clock_tables.take_leave("ann", "2031-03-06", "2031-03-09")
    clock_tables.cancel_leave("ann")
    assert clock_tables.leave_days("ann") == []
    assert shows(clock_tables.due(game, "ann")) == "Tue 11 Mar 12:00"
    clock_tables.move(game, "bob", "hide 1")
    clock_tables.move(game, "ann", "hide 3")
    assert shows(clock_tables.due(game, "ann")) == "Fri 07 Mar 12:00", "what is asked later knows nothing of it"


def test_design7_leave_that_has_begun_ends_today(sqlite_clock_tables):
    game = sqlite_clock_tables.begin_timed(leave_days=14, per_move="P3D")
    sqlite_clock_tables.take_leave("ann", "2031-03-20", "2031-03-28")
    sqlite_clock_tables.clock.at = utc("2031-03-22T12:00")
    sqlite_clock_tables.cancel_leave("ann")
    assert sqlite_clock_tables.leave_days("ann") == [("2031-03-20", "2031-03-22")]
    assert days_left(sqlite_clock_tables, game, "ann") == 11
    sqlite_clock_tables.advance(days=1)
    assert sqlite_clock_tables.leave_days("ann") == []


def test_leave_that_moved_nothing_is_free_again_when_it_is_taken_back(sqlite_clock_tables):
    game = sqlite_clock_tables.begin_timed(leave_days=5, per_move="P3D")
    sqlite_clock_tables.take_leave("ann", "2031-03-20", "2031-03-24")
    assert days_left(sqlite_clock_tables, game, "ann") == 0
    sqlite_clock_tables.cancel_leave("ann")
    assert days_left(sqlite_clock_tables, game, "ann") == 5


def test_design7_nobody_gains_time_by_leave_that_is_not_taken(sqlite_clock_tables):
    """Announced, taken back, announced for other days, again and again: the cap holds."""
    game = sqlite_clock_tables.begin_timed(leave_days=5, per_move="P3D")
    sqlite_clock_tables.take_leave("ann", "2031-03-05", "2031-03-09")
    due = sqlite_clock_tables.due(game, "ann")
    assert shows(due) == "Wed 12 Mar 12:00"
    for first in (10, 15, 20):
        sqlite_clock_tables.cancel_leave("ann")
        assert days_left(sqlite_clock_tables, game, "ann") == 0, (
            "a deadline has passed these days over: they are used up"
        )
        sqlite_clock_tables.take_leave("ann", f"2031-03-{first}", f"2031-03-{first + 4}")
        assert sqlite_clock_tables.due(game, "ann") == due
        sqlite_clock_tables.advance(hours=12)
    sqlite_clock_tables.move(game, "bob", "hide 1")
    sqlite_clock_tables.move(game, "ann", "hide 3")
    sqlite_clock_tables.clock.at = utc("2031-03-19T12:00")
    sqlite_clock_tables.move(game, "ann", "take")
    assert sqlite_clock_tables.due(game, "ann") == sqlite_clock_tables.clock.at + 3 * DAY, "nor in what is asked later"


def test_leave_taken_back_and_announced_again_counts_once(sqlite_clock_tables):
    game = sqlite_clock_tables.begin_timed(leave_days=5, per_move="P3D")
    sqlite_clock_tables.take_leave("ann", "2031-03-06", "2031-03-08")
    sqlite_clock_tables.cancel_leave("ann")
    sqlite_clock_tables.take_leave("ann", "2031-03-06", "2031-03-08")
    assert days_left(sqlite_clock_tables, game, "ann") == 2
    sqlite_clock_tables.move(game, "bob", "hide 1")
    sqlite_clock_tables.move(game, "ann", "hide 3")
    assert shows(sqlite_clock_tables.due(game, "ann")) == "Mon 10 Mar 12:00"


def test_leave_taken_back_while_the_clock_stands_is_no_leave_when_it_runs(sqlite_clock_tables):
    game = sqlite_clock_tables.begin_timed(leave_days=5, per_move="P3D")
    sqlite_clock_tables.agree(game, "pause", days=1)
    sqlite_clock_tables.take_leave("ann", "2031-03-05", "2031-03-08")
    sqlite_clock_tables.cancel_leave("ann")
    assert days_left(sqlite_clock_tables, game, "ann") == 5
    sqlite_clock_tables.agree(game, "resume")
    assert shows(sqlite_clock_tables.due(game, "ann")) == "Fri 07 Mar 12:00"


# Clocks follow, whoever announced it and whatever happened then


def announces_only(clock_tables: Tables, name: str, first: str, last: str) -> None:
    """The announcement is kept, and then the process dies."""
    with clock_tables.services.database.write() as tx:
        leave.announce(
            clock_tables.services, tx, clock_tables.ids[name], date.fromisoformat(first), date.fromisoformat(last)
        )


def test_a_sweep_lets_clocks_follow_that_did_not(clock_tables):
    game, other = (
        clock_tables.begin_timed(leave_days=14, per_move="P3D"),
        clock_tables.begin_timed("cyd", "ann", leave_days=14, per_move="P3D"),
    )
    announces_only(clock_tables, "ann", "2031-03-06", "2031-03-09")
    assert shows(clock_tables.due(game, "ann")) == "Fri 07 Mar 12:00"
    clock_tables.advance(minutes=1)
    sweep_deadlines(clock_tables.services)
    assert shows(clock_tables.due(game, "ann")) == shows(clock_tables.due(other, "ann")) == "Tue 11 Mar 12:00"


def test_no_deadline_passes_that_leave_was_to_pass_over(clock_tables):
    """Even where nobody swept for a day after the announcement."""
    game = clock_tables.begin_timed(leave_days=14, per_move="P3D")
    clock_tables.move(game, "bob", "hide 1")
    announces_only(clock_tables, "ann", "2031-03-06", "2031-03-09")
    clock_tables.clock.at = START + 3 * DAY + HOUR
    clock_tables.record_sweep()
    assert sweep_deadlines(clock_tables.services) == 0
    assert shows(clock_tables.due(game, "ann")) == "Tue 11 Mar 12:00", (
        "counted from when it was announced, not from now"
    )
    clock_tables.clock.at = utc("2031-03-11T12:10")
    clock_tables.record_sweep()
    assert sweep_deadlines(clock_tables.services) == 1


def test_a_game_that_cannot_be_opened_does_not_stop_the_leave_in_others(sqlite_clock_tables):
    broken, sound = (sqlite_clock_tables.begin_timed(leave_days=14, per_move="P3D") for _ in range(2))
    sqlite_clock_tables.lose_key(broken)
    announces_only(sqlite_clock_tables, "ann", "2031-03-06", "2031-03-09")
    sweep_deadlines(sqlite_clock_tables.services)
    assert shows(sqlite_clock_tables.due(sound, "ann")) == "Tue 11 Mar 12:00"


@pytest.mark.postgres
def test_leave_of_two_players_at_the_same_tables_at_once_ends_well(migrated_postgres, open_services):
    clock_tables = Tables(open_services(migrated_postgres, clock=(manual_clock := ManualClock())), manual_clock)
    games = [clock_tables.begin_timed("ann", "bob", leave_days=14, per_move="P3D") for _ in range(6)]
    start = threading.Barrier(2)

    def run(name: str) -> None:
        start.wait()
        clock_tables.take_leave(name, "2031-03-06", "2031-03-09")

    threads = [threading.Thread(target=run, args=(name,)) for name in ("ann", "bob")]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert {shows(clock_tables.due(game, name)) for game in games for name in ("ann", "bob")} == {"Tue 11 Mar 12:00"}


# Who sees it


def seats(clock_tables: Tables, game: str) -> list[Any]:
    with clock_tables.services.database.read() as connection:
        head = clock_tables.services.streams.head(connection, game)
        return [one.get("away", "nothing is said") for one in views.position(connection, head, None)["seats"]]


def test_the_present_or_the_next_leave_stands_at_the_table_where_leave_counts(clock_tables):
    game, strict = clock_tables.begin_timed(leave_days=5), clock_tables.begin_timed()
    clock_tables.take_leave("ann", "2031-03-20", "2031-03-21")
    clock_tables.take_leave("ann", "2031-03-10", "2031-03-12")
    assert seats(clock_tables, game) == [{"from": "2031-03-10", "to": "2031-03-12"}, None]
    assert seats(clock_tables, strict) == ["nothing is said"] * 2
    clock_tables.clock.at = utc("2031-03-13T00:00")
    assert seats(clock_tables, game) == [{"from": "2031-03-20", "to": "2031-03-21"}, None]
    clock_tables.cancel_leave("ann")
    assert seats(clock_tables, game) == [None, None]


def test_leave_is_over_when_its_last_day_is_where_the_player_lives(sqlite_clock_tables):
    sqlite_clock_tables.rename("ann", "Ann", "Pacific/Pago_Pago")
    game = sqlite_clock_tables.begin_timed(leave_days=5)
    sqlite_clock_tables.take_leave("ann", "2031-03-10", "2031-03-10")
    sqlite_clock_tables.clock.at = utc("2031-03-11T10:59")
    assert seats(sqlite_clock_tables, game)[0] == {"from": "2031-03-10", "to": "2031-03-10"}
    sqlite_clock_tables.advance(seconds=60)
    assert seats(sqlite_clock_tables, game)[0] is None


def test_what_the_leave_is_in_each_game_is_told_before_the_clocks_follow(sqlite_clock_tables):
    game, strict = (
        sqlite_clock_tables.begin_timed(leave_days=3, per_move="P3D"),
        sqlite_clock_tables.begin_timed(per_move="P3D"),
    )
    announces_only(sqlite_clock_tables, "ann", "2031-03-06", "2031-03-09")
    with sqlite_clock_tables.services.database.read() as connection:
        told = {
            one.game: one
            for one in leave.in_games(sqlite_clock_tables.services, connection, sqlite_clock_tables.ids["ann"])
        }
    assert (told[strict].allowed, told[strict].moved) == (0, [])
    ((decision, was, due),) = told[game].moved
    assert (decision, shows(was), shows(due)) == ("hide-1", "Fri 07 Mar 12:00", "Mon 10 Mar 12:00")
    assert (told[game].days, told[game].left) == (3, 0)
    after_leave.follow_all(sqlite_clock_tables.services, sqlite_clock_tables.ids["ann"])
    assert sqlite_clock_tables.due(game, "ann") == due


def test_a_player_s_leave_ends_with_nobody_else_s(sqlite_clock_tables):
    sqlite_clock_tables.begin_timed(leave_days=5)
    sqlite_clock_tables.take_leave("ann", "2031-03-10", "2031-03-10")
    sqlite_clock_tables.take_leave("bob", "2031-03-11", "2031-03-11")
    sqlite_clock_tables.cancel_leave("ann")
    assert (sqlite_clock_tables.leave_days("ann"), sqlite_clock_tables.leave_days("bob")) == (
        [],
        [("2031-03-11", "2031-03-11")],
    )
    assert leave_days.MOST_AHEAD == 366
    assert after_leave.LATELY == 600 * SECOND


@pytest.mark.parametrize("clock_tables", ["postgres"], indirect=True)
def test_who_plays_and_announces_leave_and_who_moves_house_do_not_wait_for_each_other(clock_tables, monkeypatch):
    """Both take decisions first, then the player."""
    game = clock_tables.begin_timed(leave_days=5, reminders=["PT6H"])
    looked, held, failed = threading.Event(), threading.Event(), []
    remind_anew = store_decisions.remind_anew

    def at_the_same_time(*given: Any) -> None:
        looked.set()
        held.wait(60)
        remind_anew(*given)

    def moves_house() -> None:
        try:
            with clock_tables.services.database.write() as tx:
                people.change_profile(tx, clock_tables.ids["ann"], {"timezone": "Europe/Paris"})
        except Exception as error:
            failed.append(error)

    monkeypatch.setattr(store_decisions, "remind_anew", at_the_same_time)
    other = threading.Thread(target=moves_house)
    with clock_tables.services.database.write() as tx:
        clock_tables.services.streams.lock(tx, game)
        tx.execute(sa.update(decisions).where(decisions.c.game_id == game).values(graced=False))
        other.start()
        assert looked.wait(60)
        held.set()
        leave.announce(clock_tables.services, tx, clock_tables.ids["ann"], date(2031, 3, 10), date(2031, 3, 11))
    other.join()
    assert failed == []
