"""What clocks show: time of a move, bank, increment; pauses, more time, leave; and that no deadline moves earlier.

The first day is Tuesday 4 March 2031, and everything begins at noon in Greenwich unless a test says otherwise.
"""

import random
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from freezegun import freeze_time
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from domain.rulesets import RULESETS
from domain.table.undo import MOST_IN_A_ROW
from service.clocks import outages, seat_clocks
from service.clocks.seat_clocks import hours_of
from service.container import Services
from service.games import clock_votes, play, takeback
from service.games.commit import lock, move_deadlines
from service.kernel.clock import SECOND, moment
from service.store.clocks import outages as outage_rows
from service.store.clocks.decisions import Decision
from tests.domain.table.pennies import PENNIES
from tests.service.clock_tables import DAY, HOUR, START, clock_tables, shows, sqlite_clock_tables, utc
from tests.service.store.service_tables import check
from tests.tables import CLOCK, Tables
from tests.workers.due.test_clock import Ice
from tests.workers.worker_tables import manual_clock
from workers.sweep import sweep_deadlines

pytestmark = pytest.mark.slow

__all__ = ["clock_tables", "manual_clock", "sqlite_clock_tables"]


# The bank


def test_design7_a_move_uses_its_own_time_first_and_nothing_of_the_bank(sqlite_clock_tables):
    game = sqlite_clock_tables.begin_timed(bank="P2D")
    row = sqlite_clock_tables.seat_clock(game, "ann")
    assert (row["bank_from"] - START, row["due_at"] - START) == (DAY, 3 * DAY)
    sqlite_clock_tables.clock.at = START + DAY
    sqlite_clock_tables.move(game, "ann", "hide 1")
    assert (sqlite_clock_tables.bank_changes(game), sqlite_clock_tables.bank(game, "ann")) == ([], None)


def test_design7_the_bank_pays_to_the_second_for_what_the_time_of_the_move_does_not(clock_tables):
    game = clock_tables.begin_timed(bank="P2D")
    clock_tables.clock.at = START + DAY + 5 * HOUR + 13 * 60 * SECOND + 7 * SECOND
    clock_tables.move(game, "ann", "hide 1")
    left = 2 * 86_400 - (5 * 3600 + 13 * 60 + 7)
    assert clock_tables.bank_changes(game) == [(0, left)]
    clock_tables.move(game, "bob", "hide 3")
    assert clock_tables.bank_changes(game) == [(0, left), (1, left)]
    clock_tables.move(game, "bob", "take")
    now = clock_tables.clock.at
    row = clock_tables.seat_clock(game, "ann")
    assert (row["bank_from"], row["due_at"]) == (now + DAY, now + DAY + left * SECOND), "what is left is what there is"
    check(clock_tables.services, game)


def test_design7_a_bank_that_is_used_up_adds_nothing(sqlite_clock_tables):
    game = sqlite_clock_tables.begin_timed(bank="P2D")
    sqlite_clock_tables.clock.at = START + 3 * DAY + 60 * SECOND
    sqlite_clock_tables.move(game, "ann", "hide 3")
    assert sqlite_clock_tables.bank_changes(game) == [(0, 0)]
    sqlite_clock_tables.move(game, "bob", "hide 1")
    row = sqlite_clock_tables.seat_clock(game, "ann")
    assert row["bank_from"] == row["due_at"] == sqlite_clock_tables.clock.at + DAY


@pytest.mark.parametrize(
    "used, left",
    [
        (0, None),  # it is full already
        (12 * 3600, None),
        (12 * 3600 + 1, 2 * 86_400 - 1),
        (86_400, 86_400 + 12 * 3600),
        (2 * 86_400, 12 * 3600),
    ],
)
def test_design7_the_increment_fills_the_bank_and_never_above_its_size(sqlite_clock_tables, used, left):
    game = sqlite_clock_tables.begin_timed(bank="P2D", increment="PT12H")
    sqlite_clock_tables.clock.at = START + DAY + used * SECOND
    sqlite_clock_tables.move(game, "ann", "hide 1")
    assert sqlite_clock_tables.bank(game, "ann") == left
    assert sqlite_clock_tables.bank(game, "bob") is None, "who has not answered has got nothing"


def test_design7_a_missed_deadline_empties_the_bank_and_earns_no_increment(clock_tables):
    game = clock_tables.begin_timed(bank="P2D", increment="PT12H", strikes=3)
    clock_tables.move(game, "ann", "hide 1")
    clock_tables.clock.at = START + 3 * DAY + 600 * SECOND
    clock_tables.record_sweep()
    assert sweep_deadlines(clock_tables.services) == 1
    assert clock_tables.bank_changes(game) == [(1, 0)]
    clock_tables.move(game, "ann", "take")
    clock_tables.move(game, "bob", "hide 1")
    assert clock_tables.bank_changes(game) == [(1, 0), (1, 12 * 3600)]
    check(clock_tables.services, game)


def test_th9_9_a_sealed_bid_that_is_replaced_costs_the_bank_once(sqlite_clock_tables):
    game = sqlite_clock_tables.begin_timed("ann", "bob", "cyd", bank="P2D")
    sqlite_clock_tables.clock.at = START + DAY + HOUR
    sqlite_clock_tables.move(game, "ann", "hide 1")
    sqlite_clock_tables.advance(hours=20)
    sqlite_clock_tables.move(game, "ann", "hide 2")
    assert sqlite_clock_tables.bank_changes(game) == [(0, 47 * 3600)]


def test_design7_the_caretaker_and_bots_have_no_bank(sqlite_clock_tables):
    game = sqlite_clock_tables.begin(
        "ann", "bob", bots=1, clock=CLOCK | {"bank": "P2D", "strikes": 1}, options={"rounds": "3"}
    )
    sqlite_clock_tables.mark_all_sent()
    sqlite_clock_tables.move(game, "ann", "hide 3")
    sqlite_clock_tables.clock.at = START + 3 * DAY + 600 * SECOND
    sqlite_clock_tables.record_sweep()
    assert sweep_deadlines(sqlite_clock_tables.services) == 1
    assert sqlite_clock_tables.head(game).table.chairs[1].vacant
    sqlite_clock_tables.move(game, "ann", "take")
    sqlite_clock_tables.move(game, "ann", "hide 3")
    assert sqlite_clock_tables.bank_changes(game) == [(1, 0)], (
        "of bob, as his deadline passed; then the caretaker plays at once"
    )


def test_q9_who_was_told_too_late_pays_nothing_for_it(sqlite_clock_tables):
    game = sqlite_clock_tables.begin("ann", "bob", clock=CLOCK | {"bank": "P2D"})
    sqlite_clock_tables.clock.at = START + 4 * DAY
    sqlite_clock_tables.mark_all_sent()
    sqlite_clock_tables.execute(
        "UPDATE deliveries SET done_at = :now WHERE kind = 'your-turn'", now=START + 4 * DAY - 1
    )
    sqlite_clock_tables.record_sweep()
    assert sweep_deadlines(sqlite_clock_tables.services) == 0
    row = sqlite_clock_tables.seat_clock(game, "ann")
    assert (row["bank_from"], row["due_at"]) == (START + 5 * DAY, START + 7 * DAY)


def test_t41_nobody_s_bank_pays_for_a_clock_that_has_jumped(sqlite_clock_tables):
    game = sqlite_clock_tables.begin_timed(bank="P2D")
    sqlite_clock_tables.execute("INSERT INTO heartbeats (name, at) VALUES ('held', :now), ('right', :now)", now=START)
    sqlite_clock_tables.clock.at = START + 2 * DAY
    sqlite_clock_tables.move(game, "ann", "hide 1")
    assert sqlite_clock_tables.bank_changes(game) == []


@pytest.mark.parametrize("quiet", [False, True])
def test_design7_with_quiet_hours_a_bank_is_measured_like_the_time_of_a_move(sqlite_clock_tables, quiet):
    """Two days are 28 hours of the clock; from noon to noon are 14."""
    game = sqlite_clock_tables.begin_timed(bank="P2D", quiet_hours=quiet)
    sqlite_clock_tables.clock.at = START + 2 * DAY
    sqlite_clock_tables.move(game, "ann", "hide 1")
    assert sqlite_clock_tables.bank_changes(game) == [(0, 86_400)]
    assert sqlite_clock_tables.due(game, "bob") == START + 3 * DAY


# Pause, and time given


@settings(max_examples=15, deadline=None, suppress_health_check=list(HealthCheck))
@given(st.integers(1, 3 * DAY // SECOND - 2), st.integers(3600, 60 * 86_400), st.integers(0, 999_999))
def test_design7_a_pause_keeps_what_is_left_to_the_microsecond(sqlite_clock_tables, before, length, more):
    game = sqlite_clock_tables.begin_timed(bank="P2D")
    was, began = sqlite_clock_tables.due(game, "ann"), sqlite_clock_tables.clock.at
    sqlite_clock_tables.clock.at += before * SECOND + more
    stopped = sqlite_clock_tables.clock.at
    sqlite_clock_tables.agree(game, "pause", days=60)
    row = sqlite_clock_tables.seat_clock(game, "ann")
    assert (row["due_at"], row["acts_at"], row["remind_at"]) == (None, None, None)
    assert (row["left"], row["left_bank"]) == (max(0, began + DAY - stopped), min(2 * DAY, was - stopped))
    sqlite_clock_tables.clock.at += length * SECOND + more
    sqlite_clock_tables.agree(game, "resume")
    assert sqlite_clock_tables.due(game, "ann") - sqlite_clock_tables.clock.at == was - stopped
    assert sqlite_clock_tables.seat_clock(game, "ann")["bank_from"] == sqlite_clock_tables.clock.at + max(
        0, began + DAY - stopped
    )


def test_design7_a_pause_ends_by_itself_when_it_was_agreed_to(clock_tables):
    game = clock_tables.begin_timed()
    clock_tables.advance(hours=4)
    clock_tables.agree(game, "pause", days=10)
    clock_tables.advance(days=10, microseconds=-1)
    assert (sweep_deadlines(clock_tables.services), clock_tables.head(game).table.paused) == (0, True)
    clock_tables.advance(microseconds=1)
    assert sweep_deadlines(clock_tables.services) == 0
    assert [one["data"]["reason"] for one in clock_tables.events(game, "table.clock-resumed")] == ["over"]
    assert clock_tables.due(game, "ann") == clock_tables.clock.at + 20 * HOUR
    with clock_tables.services.database.write() as tx:
        assert not clock_tables.services.streams.rebuild(tx, game), "the state is the fold of the log"


@pytest.mark.parametrize("clock_tables", ["postgres"], indirect=True)
def test_q9_a_pause_that_is_agreed_while_an_outage_is_credited_keeps_the_credit(clock_tables):
    game = clock_tables.begin_timed()
    clock_tables.clock.at = START + DAY // 2
    pausing_meanwhile = threading.Thread(target=clock_tables.agree, args=(game, "pause"), kwargs={"hours": 5})
    with clock_tables.services.database.write() as tx:
        outage_rows.add(tx, START, START + DAY // 2)
        lock(clock_tables.services, tx, game)
        pausing_meanwhile.start()
        pausing_meanwhile.join(0.5)
    pausing_meanwhile.join()
    assert clock_tables.seat_clock(game, "ann")["left"] == clock_tables.seat_clock(game, "bob")["left"] == DAY


def test_design7_what_is_asked_while_the_clock_stands_has_all_its_time_when_it_runs(sqlite_clock_tables):
    game = sqlite_clock_tables.begin_timed(bank="P2D")
    sqlite_clock_tables.agree(game, "pause", days=10)
    sqlite_clock_tables.move(game, "ann", "hide 3")
    sqlite_clock_tables.advance(days=3)
    sqlite_clock_tables.move(game, "bob", "hide 1")
    row = sqlite_clock_tables.seat_clock(game, "ann")
    assert (row["due_at"], row["left"], row["left_bank"]) == (None, DAY, 2 * DAY)
    assert sqlite_clock_tables.bank_changes(game) == [], "nobody pays while the clock stands"
    sqlite_clock_tables.advance(days=3)
    sqlite_clock_tables.agree(game, "resume")
    assert sqlite_clock_tables.due(game, "ann") == sqlite_clock_tables.clock.at + 3 * DAY


def test_design7_more_time_is_time_of_the_move_and_the_bank_comes_after_it(sqlite_clock_tables):
    game = sqlite_clock_tables.begin_timed(bank="P2D")
    sqlite_clock_tables.clock.at = START + DAY + 6 * HOUR
    sqlite_clock_tables.agree(game, "extend", days=2)
    row = sqlite_clock_tables.seat_clock(game, "ann")
    assert (row["bank_from"], row["due_at"], row["acts_at"]) == (
        START + 3 * DAY, START + 5 * DAY, START + 5 * DAY + 600 * SECOND,
    )  # fmt: skip
    sqlite_clock_tables.move(game, "ann", "hide 1")
    assert sqlite_clock_tables.bank_changes(game) == []


def test_design7_more_time_is_for_those_who_owe_something_now_and_for_no_later_move(sqlite_clock_tables):
    game = sqlite_clock_tables.begin_timed()
    sqlite_clock_tables.move(game, "ann", "hide 3")
    sqlite_clock_tables.agree(game, "extend", days=2)
    assert sqlite_clock_tables.due(game, "bob") == START + 3 * DAY
    sqlite_clock_tables.move(game, "bob", "hide 1")
    assert sqlite_clock_tables.due(game, "ann") == START + DAY


def test_design2_what_is_taken_back_is_owed_with_the_time_and_the_bank_it_had(sqlite_clock_tables):
    game = sqlite_clock_tables.begin_timed(bank="P2D", increment="PT12H")
    sqlite_clock_tables.move(game, "ann", "hide 3")
    sqlite_clock_tables.clock.at = START + 2 * DAY
    sqlite_clock_tables.move(game, "bob", "hide 1")
    began = sqlite_clock_tables.clock.at
    sqlite_clock_tables.clock.at = began + DAY + 6 * HOUR
    sqlite_clock_tables.move(game, "ann", "nod")
    assert sqlite_clock_tables.due(game, "ann") == began + 3 * DAY, "to nod answers nothing"
    with sqlite_clock_tables.services.database.write() as tx:
        takeback.go_back(sqlite_clock_tables.services, tx, game, sqlite_clock_tables.ids["ann"], reason="slip")
    assert sqlite_clock_tables.due(game, "ann") == began + 3 * DAY
    sqlite_clock_tables.move(game, "ann", "take")
    assert sqlite_clock_tables.bank(game, "ann") is None, "six hours used, twelve added: it is full"


def test_design2_who_takes_something_back_at_the_last_moment_has_an_hour(sqlite_clock_tables):
    game = sqlite_clock_tables.begin_timed(bank="P2D")
    sqlite_clock_tables.clock.at = sqlite_clock_tables.due(game, "ann") - 60 * SECOND
    sqlite_clock_tables.move(game, "ann", "hide 1")
    with sqlite_clock_tables.services.database.write() as tx:
        takeback.go_back(sqlite_clock_tables.services, tx, game, sqlite_clock_tables.ids["ann"], reason="slip")
    row = sqlite_clock_tables.seat_clock(game, "ann")
    assert row["due_at"] == row["bank_from"] == sqlite_clock_tables.clock.at + HOUR


def test_design2_nobody_gains_time_or_bank_by_taking_back(sqlite_clock_tables):
    game = sqlite_clock_tables.begin_timed("ann", "bob", "cyd", bank="P2D", increment="PT12H")
    sqlite_clock_tables.clock.at = START + 2 * DAY
    due = sqlite_clock_tables.due(game, "ann")
    for _ in range(3):
        sqlite_clock_tables.advance(hours=1)
        sqlite_clock_tables.move(game, "ann", "hide 1")
        with sqlite_clock_tables.services.database.write() as tx:
            takeback.go_back(sqlite_clock_tables.services, tx, game, sqlite_clock_tables.ids["ann"], reason="slip")
        assert sqlite_clock_tables.due(game, "ann") == due
    sqlite_clock_tables.move(game, "ann", "hide 2")
    assert sqlite_clock_tables.bank(game, "ann") == 2 * 86_400 - 27 * 3600 + 12 * 3600


# Nights, weekends, zones: how a real game is due


def test_design7_a_weekend_that_is_skipped_is_skipped_where_the_player_lives(sqlite_clock_tables):
    sqlite_clock_tables.rename("ann", "Ann", "Pacific/Auckland")
    sqlite_clock_tables.rename("bob", "Bob", "America/Los_Angeles")
    sqlite_clock_tables.clock.at = utc("2031-03-07T10:00")  # Friday evening in Auckland, Friday night in Los Angeles
    game = sqlite_clock_tables.begin_timed(weekends="skip")
    assert shows(sqlite_clock_tables.due(game, "ann")) == "Mon 10 Mar 10:00", "Monday 23:00 in Auckland"
    assert shows(sqlite_clock_tables.due(game, "bob")) == "Mon 10 Mar 09:00", (
        "Monday 02:00 in Los Angeles, a day of 23 hours skipped"
    )


def test_design7_no_deadline_falls_into_a_night_of_its_player(sqlite_clock_tables):
    sqlite_clock_tables.rename("ann", "Ann", "Europe/Berlin")
    sqlite_clock_tables.change_profile("ann", wakes_at=6 * 60)
    sqlite_clock_tables.rename("bob", "Bob", "Asia/Kathmandu")
    game = sqlite_clock_tables.begin_timed(quiet_hours=True)
    assert shows(sqlite_clock_tables.due(game, "ann")) == "Wed 05 Mar 12:00"
    assert shows(sqlite_clock_tables.due(game, "bob")) == "Wed 05 Mar 12:00"
    row = sqlite_clock_tables.seat_clock(game, "ann")
    assert hours_of(Decision(**row)).charged(START, row["due_at"]) == 14 * HOUR
    assert (hours_of(Decision(**row)).zone, hours_of(Decision(**row)).wakes) == ("Europe/Berlin", 360)


@pytest.mark.parametrize("change", [{"timezone": "Pacific/Auckland"}, {"wakes_at": 12 * 60}])
def test_t44_a_new_zone_or_wake_time_is_for_what_is_asked_later(sqlite_clock_tables, change):
    sqlite_clock_tables.rename("ann", "Ann", "Europe/Berlin")
    game = sqlite_clock_tables.begin_timed(quiet_hours=True)
    before = sqlite_clock_tables.seat_clock(game, "ann")
    sqlite_clock_tables.change_profile("ann", **change)
    sqlite_clock_tables.agree(game, "pause", days=1)
    sqlite_clock_tables.agree(game, "resume")
    assert sqlite_clock_tables.due(game, "ann") == before["due_at"]
    assert sqlite_clock_tables.seat_clock(game, "ann")["hours"] == before["hours"]
    sqlite_clock_tables.move(game, "ann", "hide 3")
    sqlite_clock_tables.move(game, "bob", "hide 1")
    assert sqlite_clock_tables.seat_clock(game, "ann")["hours"] != before["hours"]


def test_t44_a_zone_that_the_package_has_dropped_counts_as_utc(sqlite_clock_tables):
    sqlite_clock_tables.player("ann")
    sqlite_clock_tables.execute("UPDATE players SET timezone = 'Mars/Base'")
    game = sqlite_clock_tables.begin_timed(quiet_hours=True, leave_days=5)
    assert hours_of(Decision(**sqlite_clock_tables.seat_clock(game, "ann"))).zone == "UTC"


SIX = {
    "ann": "Europe/Berlin",
    "bob": "America/New_York",
    "cyd": "Asia/Kolkata",
    "dan": "Africa/Nairobi",
    "eve": "Australia/Lord_Howe",
    "fay": "America/Sao_Paulo",
}
SIX_PENNIES: Any = replace(
    PENNIES,
    kind="pennies-of-six",
    seats=range(2, 7),
    notation=replace(PENNIES.notation, pawns=(*PENNIES.notation.pawns, "lead")),
    options={"rounds": ("3",)},
)


def awake_minutes(zone: str, begins: int, ends: int) -> int:
    """Minutes between two moments in which the clocks of a zone show eight in the morning to ten at night."""
    where, minute = ZoneInfo(zone), timedelta(minutes=1)
    at, end, count = moment(begins), moment(ends), 0
    while at < end:
        count += 8 <= at.astimezone(where).hour < 22
        at += minute
    return count


def test_design7_five_continents_and_six_zones_are_charged_the_same_to_the_minute(sqlite_clock_tables, monkeypatch):
    """Over the nights in which America, then Europe, then Lord Howe change their clocks."""
    monkeypatch.setitem(RULESETS, SIX_PENNIES.kind, SIX_PENNIES)
    for name, zone in SIX.items():
        sqlite_clock_tables.rename(name, name.capitalize(), zone)
    chance = random.Random("continents")
    sqlite_clock_tables.clock.at = utc("2031-03-07T17:23")
    terms = CLOCK | {"per_move": "P3D", "bank": "P2D", "quiet_hours": True}
    game = sqlite_clock_tables.begin(*SIX, kind=SIX_PENNIES.kind, clock=terms)
    sqlite_clock_tables.mark_all_sent()
    charged: dict[str, list[int]] = {name: [] for name in SIX}
    while sqlite_clock_tables.head(game).table.status == "running":
        owing = sqlite_clock_tables.awaited(game)
        for name in SIX:
            if sqlite_clock_tables.seat(game, name) in owing:
                row = sqlite_clock_tables.seat_clock(game, name)
                allowed = awake_minutes(SIX[name], row["began_at"], row["bank_from"])
                assert abs(allowed - 42 * 60) <= 1, (name, row)
                bank = awake_minutes(SIX[name], row["bank_from"], row["due_at"])
                assert 28 * 60 - 1 <= bank <= 29 * 60, (name, row)
                assert row["due_at"] % HOUR == 0, "it tells nobody's zone to the minute"
                if len(owing) == len(SIX):
                    charged[name].append(allowed)
        sqlite_clock_tables.advance(hours=chance.randint(30, 60))
        for seat in owing:
            sqlite_clock_tables.move(game, seat, "hide 2" if sqlite_clock_tables.phase(game) == "hide" else "take")
    assert all(len(times) == 3 for times in charged.values())
    assert max(map(sum, charged.values())) - min(map(sum, charged.values())) <= 3


# A deadline never moves earlier

DEED = st.sampled_from(
    ["wait", "pause", "resume", "extend", "leave", "back", "outage", "late", "answer", "zone", "slip"]
)


@pytest.mark.slow
@settings(max_examples=20, deadline=None, suppress_health_check=list(HealthCheck))
@given(st.lists(st.tuples(DEED, st.integers(1, 60)), min_size=3, max_size=12), st.booleans(), st.booleans())
def test_design7_whatever_happens_no_deadline_moves_earlier(sqlite_clock_tables, deeds, quiet, skips):
    clock_tables = sqlite_clock_tables
    clock_tables.rename("ann", "Ann", "Europe/Berlin")
    weekends = "skip" if skips else "count"
    game = clock_tables.begin_timed("ann", "bob", "cyd", bank="P2D", quiet_hours=quiet, weekends=weekends, leave_days=5)
    latest, acts = clock_tables.due(game, "ann"), clock_tables.seat_clock(game, "ann")["acts_at"]
    others = ["bob", "cyd"]
    for deed, size in deeds:
        does(clock_tables, game, deed, size, others)
        row = clock_tables.seat_clock(game, "ann")
        if row["due_at"] is None:
            continue
        assert row["due_at"] >= latest, (deed, size)
        assert row["acts_at"] >= max(acts, row["due_at"]), (deed, size)
        assert row["bank_from"] <= row["due_at"]
        latest, acts = row["due_at"], row["acts_at"]
    clock_tables.cancel_leave("ann")


BERLIN_AHEAD = 2 * 3_600_000_000
"""Microseconds: where she lives a day begins this much earlier, at most."""


def does(clock_tables: Tables, game: str, deed: str, size: int, others: list[str]) -> None:
    paused = clock_tables.head(game).table.paused
    tomorrow = clock_tables.clock.at + BERLIN_AHEAD + size % 6 * DAY + DAY
    match deed:
        case "wait":
            clock_tables.advance(hours=size)
        case "pause" if not paused:
            clock_tables.agree(game, "pause", hours=size)
        case "resume" if paused:
            clock_tables.agree(game, "resume")
        case "extend" if not paused:
            clock_tables.agree(game, "extend", hours=size)
        case "leave" if not clock_tables.leave_days("ann"):
            clock_tables.take_leave(
                "ann", f"{moment(tomorrow):%Y-%m-%d}", f"{moment(tomorrow + size % 4 * DAY):%Y-%m-%d}"
            )
        case "back":
            clock_tables.cancel_leave("ann")
        case "outage":
            began = clock_tables.clock.at
            clock_tables.advance(hours=size)
            with clock_tables.services.database.write() as tx:
                outage_rows.add(tx, began, clock_tables.clock.at)
            with clock_tables.services.database.write() as tx:
                lock(clock_tables.services, tx, game)
        case "late" if not paused:
            owed = Decision(**clock_tables.seat_clock(game, "ann"))
            with clock_tables.services.database.write() as tx:
                head = lock(clock_tables.services, tx, game)
                again = {owed.seat: seat_clocks.give_again(head, owed)}
                move_deadlines(clock_tables.services, tx, head, again, "player", reason="told-late")
        case "answer" if others:
            clock_tables.move(game, others.pop(), "hide 1")
        case "slip" if others and len(clock_tables.events(game, "table.rewound")) < MOST_IN_A_ROW:
            clock_tables.move(game, "ann", "hide 1")
            with clock_tables.services.database.write() as tx:
                takeback.go_back(clock_tables.services, tx, game, clock_tables.ids["ann"], ask=False)
        case "zone":
            clock_tables.change_profile(
                "ann", timezone=("Pacific/Auckland", "America/New_York")[size % 2], wakes_at=size * 20
            )


# A missed deadline that stops the clock


def stops(clock_tables: Tables, strikes: int = 2, **clock: Any) -> str:
    """A game that waits for Bob, whose deadline has passed."""
    game = clock_tables.begin_timed(on_timeout="pause", strikes=strikes, **clock)
    clock_tables.move(game, "ann", "hide 1")
    clock_tables.clock.at = clock_tables.due(game, "bob") + 600 * SECOND
    clock_tables.record_sweep()
    assert sweep_deadlines(clock_tables.services) == 1
    return game


def test_design7_with_on_timeout_pause_a_missed_deadline_stops_the_clock_and_nobody_plays(clock_tables):
    game = stops(clock_tables)
    assert [one["type"] for one in clock_tables.events(game)[-2:]] == ["table.turn-expired", "table.clock-paused"]
    table = clock_tables.head(game).table
    assert (table.paused, table.late, table.chairs[1].strikes) == (True, 1, 1)
    assert clock_tables.awaited(game) == [1]
    clock_tables.advance(days=300)
    assert sweep_deadlines(clock_tables.services) == 0, "it waits as long as it takes"


def test_design7_the_late_player_s_own_act_lets_the_clock_run_again(clock_tables):
    game = stops(clock_tables, bank="P2D", increment="PT12H")
    clock_tables.advance(days=30)
    clock_tables.move(game, "bob", "hide 3")
    table = clock_tables.head(game).table
    assert (table.paused, table.late, table.chairs[1].strikes) == (False, None, 0)
    assert [one["data"]["reason"] for one in clock_tables.events(game, "table.clock-resumed")] == ["acted"]
    assert clock_tables.bank_changes(game) == [(1, 12 * 3600)], "the bank was used up when the deadline passed"
    assert clock_tables.due(game, "bob") == clock_tables.clock.at + DAY + 12 * HOUR, "he takes the pot now"


def test_design7_the_host_lets_the_clock_run_and_the_late_player_has_the_time_of_a_move_again(clock_tables):
    game = stops(clock_tables, bank="P2D")
    clock_tables.advance(days=3)
    with clock_tables.services.database.write() as tx:
        clock_votes.propose(clock_tables.services, tx, game, clock_tables.ids["ann"], "resume", 0)
    assert [one["data"]["reason"] for one in clock_tables.events(game, "table.clock-resumed")] == ["host"]
    assert clock_tables.due(game, "bob") == clock_tables.clock.at + DAY, "without the bank, which is used up"
    clock_tables.advance(days=1, minutes=10)
    assert sweep_deadlines(clock_tables.services) == 1
    table = clock_tables.head(game).table
    assert table.chairs[1].vacant, "the second in a row"
    assert not table.paused
    assert clock_tables.awaited(game) == [0]


def test_design7_a_deadline_missed_for_the_last_time_is_played_by_the_caretaker_even_there(sqlite_clock_tables):
    game = stops(sqlite_clock_tables, strikes=1)
    table = sqlite_clock_tables.head(game).table
    assert (table.paused, table.chairs[1].vacant) == (False, True)
    assert "table.caretaker-acted" in {one["type"] for one in sqlite_clock_tables.events(game)}


# Clocks that processes read


@pytest.fixture(params=["UTC", "Pacific/Chatham"])
def iced(
    request: pytest.FixtureRequest,
    migrated_sqlite: str,
    open_services: Callable[..., Services],
    monkeypatch: pytest.MonkeyPatch,
) -> Iterator[Tables]:
    """Tables whose processes read a frozen clock, on a machine that stands somewhere."""
    monkeypatch.setenv("TZ", request.param)
    time.tzset()
    with freeze_time(datetime(2031, 3, 28, 21, 30, tzinfo=UTC), ignore=["_pytest.timing"]) as frozen:
        yield Tables(open_services(migrated_sqlite), Ice(frozen))
    monkeypatch.undo()
    time.tzset()


def test_t40_where_the_machine_stands_changes_no_deadline(iced):
    """Friday evening; on Sunday Europe changes its clocks, a week later Chatham."""
    iced.rename("ann", "Ann", "Europe/Berlin")
    iced.rename("bob", "Bob", "Pacific/Chatham")
    game = iced.begin_timed(weekends="skip", quiet_hours=True, leave_days=5, per_move="P2D", bank="P1D")
    assert shows(iced.due(game, "ann")) == "Wed 02 Apr 20:00", "22:00 in Berlin, of Monday to Wednesday"
    assert shows(iced.due(game, "bob")) == "Wed 02 Apr 09:00", "22:00 there, of the same days, and up to the full hour"
    iced.take_leave("ann", "2031-04-01", "2031-04-01")
    assert shows(iced.due(game, "ann")) == "Thu 03 Apr 20:00"
    iced.advance(days=3)
    iced.agree(game, "pause", days=2)
    iced.advance(days=2)
    iced.record_sweep()
    sweep_deadlines(iced.services)
    assert shows(iced.due(game, "ann")) == "Fri 04 Apr 20:00"
    with iced.services.database.write() as tx:
        assert outages.is_time_sure(iced.services.database, iced.services.clock_guard, tx)
    document = iced.clock_page(game, "ann")
    assert document["now"] == "2031-04-02T21:30:00.000000Z"
    assert "So the answer is due by Fri 04 Apr 2031 22:00 CEST (20:00 UTC)." in document["text"]


# What it costs


def test_a_move_under_the_default_clock_asks_for_nobody_s_hours(sqlite_clock_tables):
    """No statement about zones, leave, signs of life or pauses: the way of a move is as short as it was."""
    game = sqlite_clock_tables.begin_timed("ann", "bob", "cyd", per_move="P3D")
    said: list[str] = []
    with sqlite_clock_tables.services.database.write() as tx:
        driver = tx.driver
        driver.set_trace_callback(said.append)
        play.move(sqlite_clock_tables.services, tx, game, sqlite_clock_tables.ids["ann"], play.Orders(text="hide 1"))
        driver.set_trace_callback(None)
    assert said
    for word in ("absences", "heartbeats", "timezone", "paused_until"):
        assert not [one for one in said if word in one], word
    told = list(dict.fromkeys(said))  # what a trigger does is traced as its statement once more
    assert len(told) == 7, "as many as before there were banks and leave, the checkpoint, and who may see the game"
