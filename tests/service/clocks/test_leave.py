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
from service.games import views
from service.kernel.clock import SECOND
from service.store import decisions as store_decisions
from service.store.decisions import decisions
from tests.databases import BOTH
from tests.service.clockwork import DAY, HOUR, START, Hall, hall, shows, small_hall, utc
from tests.workers.office import Hands, hands
from workers.sweep import sweep_deadlines

pytestmark = pytest.mark.slow

__all__ = ["hall", "hands", "small_hall"]


def days_left(hall: Hall, game: str, name: str) -> int:
    """How many days of leave somebody has left in a game."""
    with hall.services.database.read() as connection:
        (one,) = (one for one in leave.in_games(hall.services, connection, hall.ids[name]) if one.game == game)
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
def test_design7_leave_is_announced_ahead_and_within_bounds(small_hall, first, last, code):
    small_hall.person("ann")
    if code is None:
        assert small_hall.takes_leave("ann", first, last)
        assert small_hall.leaves("ann") == [(first, last)]
        return
    with pytest.raises(RuleViolation) as refused:
        small_hall.takes_leave("ann", first, last)
    assert (refused.value.code, refused.value.rule) == (code, "DESIGN-7")
    assert refused.value.message.endswith(".")
    assert small_hall.leaves("ann") == []


@pytest.mark.parametrize("zone, first", [("Pacific/Kiritimati", "2031-03-06"), ("Pacific/Pago_Pago", "2031-03-05")])
def test_design7_tomorrow_is_tomorrow_where_the_player_lives(small_hall, zone, first):
    """At noon in Greenwich it is Wednesday in Kiritimati, and Tuesday morning in Pago Pago."""
    small_hall.named("ann", "Ann", zone)
    with pytest.raises(RuleViolation):
        small_hall.takes_leave("ann", f"2031-03-0{int(first[-1]) - 1}", "2031-03-09")
    assert small_hall.takes_leave("ann", first, "2031-03-09")


def test_the_same_leave_again_is_no_other_and_days_are_announced_once(small_hall):
    small_hall.person("ann")
    assert small_hall.takes_leave("ann", "2031-03-10", "2031-03-14")
    assert not small_hall.takes_leave("ann", "2031-03-10", "2031-03-14")
    for first, last in [("2031-03-14", "2031-03-20"), ("2031-03-05", "2031-03-10"), ("2031-03-11", "2031-03-12")]:
        with pytest.raises(RuleViolation) as refused:
            small_hall.takes_leave("ann", first, last)
        assert refused.value.code == "leave-overlaps"
    assert small_hall.takes_leave("ann", "2031-03-15", "2031-03-15")
    assert small_hall.leaves("ann") == [("2031-03-10", "2031-03-14"), ("2031-03-15", "2031-03-15")]


def test_nobody_announces_more_than_twenty_leaves_ahead(small_hall):
    small_hall.person("ann")
    for day in range(1, 21):
        small_hall.takes_leave("ann", f"2031-04-{day:02d}", f"2031-04-{day:02d}")
    with pytest.raises(RuleViolation) as refused:
        small_hall.takes_leave("ann", "2031-05-01", "2031-05-01")
    assert refused.value.code == "too-much-leave"


@pytest.mark.parametrize("kind", BOTH)
def test_leave_announced_twice_at_the_same_time_is_announced_once(request, open_services, kind):
    hall = Hall(open_services(request.getfixturevalue(f"migrated_{kind}"), clock=(hands := Hands())), hands)
    hall.person("ann")
    start, outcomes = threading.Barrier(4), []

    def run(last: str) -> None:
        start.wait()
        try:
            outcomes.append(hall.takes_leave("ann", "2031-03-10", last))
        except RuleViolation as refused:
            outcomes.append(refused.code)

    threads = [threading.Thread(target=run, args=(f"2031-03-1{n}",)) for n in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert sorted(map(str, outcomes)) == ["True", *["leave-overlaps"] * 3]
    assert len(hall.leaves("ann")) == 1


# What it does to clocks


def test_design7_a_deadline_that_runs_passes_leave_over_at_once(hall):
    game = hall.sets(leave_days=14, per_move="P3D")
    assert shows(hall.due(game, "ann")) == "Fri 07 Mar 12:00"
    hall.takes_leave("ann", "2031-03-06", "2031-03-09")
    assert shows(hall.due(game, "ann")) == "Tue 11 Mar 12:00"
    assert shows(hall.clock(game, "ann")["acts_at"]) == "Tue 11 Mar 12:10"
    assert shows(hall.due(game, "bob")) == "Fri 07 Mar 12:00", "nobody else is away"
    assert days_left(hall, game, "ann") == 10
    hall.moves(game, "bob", "hide 1")
    hall.moves(game, "ann", "hide 3")
    assert shows(hall.due(game, "ann")) == "Tue 11 Mar 12:00", "what is asked later knows of it, too"


def test_design7_leave_does_not_count_where_the_game_does_not_allow_it(small_hall):
    game = small_hall.sets(per_move="P3D")
    small_hall.takes_leave("ann", "2031-03-05", "2031-03-09")
    assert shows(small_hall.due(game, "ann")) == "Fri 07 Mar 12:00"
    small_hall.moves(game, "bob", "hide 1")
    small_hall.moves(game, "ann", "hide 3")
    assert shows(small_hall.due(game, "ann")) == "Fri 07 Mar 12:00"


def test_design7_leave_after_the_deadline_does_not_move_it_but_what_moves_it_there_passes_it_over(small_hall):
    game = small_hall.sets(leave_days=14, per_move="P3D")
    small_hall.takes_leave("ann", "2031-03-10", "2031-03-14")
    assert shows(small_hall.due(game, "ann")) == "Fri 07 Mar 12:00"
    small_hall.agrees(game, "pause", days=5)
    small_hall.hands.at = utc("2031-03-09T12:00")
    small_hall.agrees(game, "resume")
    assert shows(small_hall.due(game, "ann")) == "Mon 17 Mar 12:00", "half the 9th, the 15th, 16th, half the 17th"


def test_design7_leave_announced_while_the_clock_stands_counts_when_it_runs(hall):
    game = hall.sets(leave_days=14, per_move="P3D")
    hall.agrees(game, "pause", days=5)
    hall.takes_leave("ann", "2031-03-05", "2031-03-08")
    assert hall.clock(game, "ann")["due_at"] is None
    hall.agrees(game, "resume")
    assert shows(hall.due(game, "ann")) == "Tue 11 Mar 12:00"


def test_t44_days_of_leave_are_days_of_the_zone_in_which_the_clock_runs(small_hall):
    small_hall.named("ann", "Ann", "Pacific/Auckland")
    game = small_hall.sets(leave_days=14, quiet_hours=True)
    small_hall.changes("ann", timezone="America/New_York")
    small_hall.takes_leave("ann", "2031-03-05", "2031-03-05")
    row = small_hall.clock(game, "ann")
    assert row["hours"] == "Pacific/Auckland 480 count 2031-03-05"


# The cap


def test_design7_the_first_leave_days_since_the_game_was_opened_count(small_hall):
    game = small_hall.sets(leave_days=5, per_move="P2D")
    small_hall.takes_leave("ann", "2031-03-05", "2031-03-07")
    assert shows(small_hall.due(game, "ann")) == "Sun 09 Mar 12:00"
    small_hall.takes_leave("ann", "2031-03-08", "2031-03-20")
    assert shows(small_hall.due(game, "ann")) == "Tue 11 Mar 12:00", "two more days count, no third"
    assert days_left(small_hall, game, "ann") == 0


def test_design7_leave_from_before_a_game_was_opened_does_not_count_in_it(small_hall):
    small_hall.person("ann")
    small_hall.takes_leave("ann", "2031-03-05", "2031-03-10")
    small_hall.hands.at = utc("2031-03-08T12:00")
    game = small_hall.sets(leave_days=5, per_move="P2D")
    assert shows(small_hall.due(game, "ann")) == "Thu 13 Mar 00:00", "the 8th, 9th and 10th are leave, then two days"
    assert days_left(small_hall, game, "ann") == 2


def test_design7_each_game_counts_for_itself(small_hall):
    few, many = small_hall.sets(leave_days=2, per_move="P2D"), small_hall.sets(leave_days=14, per_move="P2D")
    small_hall.takes_leave("ann", "2031-03-05", "2031-03-08")
    assert shows(small_hall.due(few, "ann")) == "Sat 08 Mar 12:00"
    assert shows(small_hall.due(many, "ann")) == "Mon 10 Mar 12:00"
    assert (days_left(small_hall, few, "ann"), days_left(small_hall, many, "ann")) == (0, 10)


# Taking it back


def test_design7_leave_taken_back_moves_no_deadline(hall):
    game = hall.sets(leave_days=14, per_move="P3D")
    hall.takes_leave("ann", "2031-03-06", "2031-03-09")
    hall.takes_back("ann")
    assert hall.leaves("ann") == []
    assert shows(hall.due(game, "ann")) == "Tue 11 Mar 12:00"
    hall.moves(game, "bob", "hide 1")
    hall.moves(game, "ann", "hide 3")
    assert shows(hall.due(game, "ann")) == "Fri 07 Mar 12:00", "what is asked later knows nothing of it"


def test_design7_leave_that_has_begun_ends_today(small_hall):
    game = small_hall.sets(leave_days=14, per_move="P3D")
    small_hall.takes_leave("ann", "2031-03-20", "2031-03-28")
    small_hall.hands.at = utc("2031-03-22T12:00")
    small_hall.takes_back("ann")
    assert small_hall.leaves("ann") == [("2031-03-20", "2031-03-22")]
    assert days_left(small_hall, game, "ann") == 11
    small_hall.hands.advance(days=1)
    assert small_hall.leaves("ann") == []


def test_leave_that_moved_nothing_is_free_again_when_it_is_taken_back(small_hall):
    game = small_hall.sets(leave_days=5, per_move="P3D")
    small_hall.takes_leave("ann", "2031-03-20", "2031-03-24")
    assert days_left(small_hall, game, "ann") == 0
    small_hall.takes_back("ann")
    assert days_left(small_hall, game, "ann") == 5


def test_design7_nobody_gains_time_by_leave_that_is_not_taken(small_hall):
    """Announced, taken back, announced for other days, again and again: the cap holds."""
    game = small_hall.sets(leave_days=5, per_move="P3D")
    small_hall.takes_leave("ann", "2031-03-05", "2031-03-09")
    due = small_hall.due(game, "ann")
    assert shows(due) == "Wed 12 Mar 12:00"
    for first in (10, 15, 20):
        small_hall.takes_back("ann")
        assert days_left(small_hall, game, "ann") == 0, "a deadline has passed these days over: they are used up"
        small_hall.takes_leave("ann", f"2031-03-{first}", f"2031-03-{first + 4}")
        assert small_hall.due(game, "ann") == due
        small_hall.hands.advance(hours=12)
    small_hall.moves(game, "bob", "hide 1")
    small_hall.moves(game, "ann", "hide 3")
    small_hall.hands.at = utc("2031-03-19T12:00")
    small_hall.moves(game, "ann", "take")
    assert small_hall.due(game, "ann") == small_hall.hands.at + 3 * DAY, "nor in what is asked later"


def test_leave_taken_back_and_announced_again_counts_once(small_hall):
    game = small_hall.sets(leave_days=5, per_move="P3D")
    small_hall.takes_leave("ann", "2031-03-06", "2031-03-08")
    small_hall.takes_back("ann")
    small_hall.takes_leave("ann", "2031-03-06", "2031-03-08")
    assert days_left(small_hall, game, "ann") == 2
    small_hall.moves(game, "bob", "hide 1")
    small_hall.moves(game, "ann", "hide 3")
    assert shows(small_hall.due(game, "ann")) == "Mon 10 Mar 12:00"


def test_leave_taken_back_while_the_clock_stands_is_no_leave_when_it_runs(small_hall):
    game = small_hall.sets(leave_days=5, per_move="P3D")
    small_hall.agrees(game, "pause", days=1)
    small_hall.takes_leave("ann", "2031-03-05", "2031-03-08")
    small_hall.takes_back("ann")
    assert days_left(small_hall, game, "ann") == 5
    small_hall.agrees(game, "resume")
    assert shows(small_hall.due(game, "ann")) == "Fri 07 Mar 12:00"


# Clocks follow, whoever announced it and whatever happened then


def announces_only(hall: Hall, name: str, first: str, last: str) -> None:
    """The announcement is kept, and then the process dies."""
    with hall.services.database.write() as tx:
        leave.announce(hall.services, tx, hall.ids[name], date.fromisoformat(first), date.fromisoformat(last))


def test_a_sweep_lets_clocks_follow_that_did_not(hall):
    game, other = hall.sets(leave_days=14, per_move="P3D"), hall.sets("cyd", "ann", leave_days=14, per_move="P3D")
    announces_only(hall, "ann", "2031-03-06", "2031-03-09")
    assert shows(hall.due(game, "ann")) == "Fri 07 Mar 12:00"
    hall.hands.advance(minutes=1)
    sweep_deadlines(hall.services)
    assert shows(hall.due(game, "ann")) == shows(hall.due(other, "ann")) == "Tue 11 Mar 12:00"


def test_no_deadline_passes_that_leave_was_to_pass_over(hall):
    """Even where nobody swept for a day after the announcement."""
    game = hall.sets(leave_days=14, per_move="P3D")
    hall.moves(game, "bob", "hide 1")
    announces_only(hall, "ann", "2031-03-06", "2031-03-09")
    hall.hands.at = START + 3 * DAY + HOUR
    hall.stays_open()
    assert sweep_deadlines(hall.services) == 0
    assert shows(hall.due(game, "ann")) == "Tue 11 Mar 12:00", "counted from when it was announced, not from now"
    hall.hands.at = utc("2031-03-11T12:10")
    hall.stays_open()
    assert sweep_deadlines(hall.services) == 1


def test_a_game_that_cannot_be_opened_does_not_stop_the_leave_in_others(small_hall):
    broken, sound = (small_hall.sets(leave_days=14, per_move="P3D") for _ in range(2))
    small_hall.spoils(broken)
    announces_only(small_hall, "ann", "2031-03-06", "2031-03-09")
    sweep_deadlines(small_hall.services)
    assert shows(small_hall.due(sound, "ann")) == "Tue 11 Mar 12:00"


@pytest.mark.postgres
def test_leave_of_two_players_at_the_same_tables_at_once_ends_well(migrated_postgres, open_services):
    hall = Hall(open_services(migrated_postgres, clock=(hands := Hands())), hands)
    games = [hall.sets("ann", "bob", leave_days=14, per_move="P3D") for _ in range(6)]
    start = threading.Barrier(2)

    def run(name: str) -> None:
        start.wait()
        hall.takes_leave(name, "2031-03-06", "2031-03-09")

    threads = [threading.Thread(target=run, args=(name,)) for name in ("ann", "bob")]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert {shows(hall.due(game, name)) for game in games for name in ("ann", "bob")} == {"Tue 11 Mar 12:00"}


# Who sees it


def seats(hall: Hall, game: str) -> list[Any]:
    with hall.services.database.read() as connection:
        head = hall.services.streams.head(connection, game)
        return [one.get("away", "nothing is said") for one in views.position(connection, head, None)["seats"]]


def test_the_present_or_the_next_leave_stands_at_the_table_where_leave_counts(hall):
    game, strict = hall.sets(leave_days=5), hall.sets()
    hall.takes_leave("ann", "2031-03-20", "2031-03-21")
    hall.takes_leave("ann", "2031-03-10", "2031-03-12")
    assert seats(hall, game) == [{"from": "2031-03-10", "to": "2031-03-12"}, None]
    assert seats(hall, strict) == ["nothing is said"] * 2
    hall.hands.at = utc("2031-03-13T00:00")
    assert seats(hall, game) == [{"from": "2031-03-20", "to": "2031-03-21"}, None]
    hall.takes_back("ann")
    assert seats(hall, game) == [None, None]


def test_leave_is_over_when_its_last_day_is_where_the_player_lives(small_hall):
    small_hall.named("ann", "Ann", "Pacific/Pago_Pago")
    game = small_hall.sets(leave_days=5)
    small_hall.takes_leave("ann", "2031-03-10", "2031-03-10")
    small_hall.hands.at = utc("2031-03-11T10:59")
    assert seats(small_hall, game)[0] == {"from": "2031-03-10", "to": "2031-03-10"}
    small_hall.hands.advance(seconds=60)
    assert seats(small_hall, game)[0] is None


def test_what_the_leave_is_in_each_game_is_told_before_the_clocks_follow(small_hall):
    game, strict = small_hall.sets(leave_days=3, per_move="P3D"), small_hall.sets(per_move="P3D")
    announces_only(small_hall, "ann", "2031-03-06", "2031-03-09")
    with small_hall.services.database.read() as connection:
        told = {one.game: one for one in leave.in_games(small_hall.services, connection, small_hall.ids["ann"])}
    assert (told[strict].allowed, told[strict].moved) == (0, [])
    ((decision, was, due),) = told[game].moved
    assert (decision, shows(was), shows(due)) == ("hide-1", "Fri 07 Mar 12:00", "Mon 10 Mar 12:00")
    assert (told[game].days, told[game].left) == (3, 0)
    leave.follow_all(small_hall.services, small_hall.ids["ann"])
    assert small_hall.due(game, "ann") == due


def test_a_player_s_leave_ends_with_nobody_else_s(small_hall):
    small_hall.sets(leave_days=5)
    small_hall.takes_leave("ann", "2031-03-10", "2031-03-10")
    small_hall.takes_leave("bob", "2031-03-11", "2031-03-11")
    small_hall.takes_back("ann")
    assert (small_hall.leaves("ann"), small_hall.leaves("bob")) == ([], [("2031-03-11", "2031-03-11")])
    assert leave_days.MOST_AHEAD == 366
    assert leave.LATELY == 600 * SECOND


@pytest.mark.parametrize("hall", ["postgres"], indirect=True)
def test_who_plays_and_announces_leave_and_who_moves_house_do_not_wait_for_each_other(hall, monkeypatch):
    """Both take decisions first, then the player."""
    game = hall.sets(leave_days=5, reminders=["PT6H"])
    looked, held, failed = threading.Event(), threading.Event(), []
    remind_anew = store_decisions.remind_anew

    def at_the_same_time(*given: Any) -> None:
        looked.set()
        held.wait(60)
        remind_anew(*given)

    def moves_house() -> None:
        try:
            with hall.services.database.write() as tx:
                people.change_profile(tx, hall.ids["ann"], {"timezone": "Europe/Paris"})
        except Exception as error:
            failed.append(error)

    monkeypatch.setattr(store_decisions, "remind_anew", at_the_same_time)
    other = threading.Thread(target=moves_house)
    with hall.services.database.write() as tx:
        hall.services.streams.lock(tx, game)
        tx.execute(sa.update(decisions).where(decisions.c.game_id == game).values(graced=False))
        other.start()
        assert looked.wait(60)
        held.set()
        leave.announce(hall.services, tx, hall.ids["ann"], date(2031, 3, 10), date(2031, 3, 11))
    other.join()
    assert failed == []
