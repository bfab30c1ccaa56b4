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
from service.clocks import outages, seat_clocks
from service.clocks.seat_clocks import hours_of
from service.container import Services
from service.games import clock_votes, play, takeback
from service.kernel.clock import SECOND, moment
from service.store.decisions import Decision
from tests.domain.table.pennies import PENNIES
from tests.service.clockwork import CLOCK, DAY, HOUR, START, Hall, hall, shows, small_hall, utc
from tests.service.store.house import check
from tests.workers.due.test_clock import Ice
from tests.workers.office import hands
from workers.sweep import sweep_deadlines

pytestmark = pytest.mark.slow

__all__ = ["hall", "hands", "small_hall"]


# The bank


def test_design7_a_move_uses_its_own_time_first_and_nothing_of_the_bank(small_hall):
    game = small_hall.sets(bank="P2D")
    row = small_hall.clock(game, "ann")
    assert (row["bank_from"] - START, row["due_at"] - START) == (DAY, 3 * DAY)
    small_hall.hands.at = START + DAY
    small_hall.moves(game, "ann", "hide 1")
    assert (small_hall.banks(game), small_hall.bank(game, "ann")) == ([], None)


def test_design7_the_bank_pays_to_the_second_for_what_the_time_of_the_move_does_not(hall):
    game = hall.sets(bank="P2D")
    hall.hands.at = START + DAY + 5 * HOUR + 13 * 60 * SECOND + 7 * SECOND
    hall.moves(game, "ann", "hide 1")
    left = 2 * 86_400 - (5 * 3600 + 13 * 60 + 7)
    assert hall.banks(game) == [(0, left)]
    hall.moves(game, "bob", "hide 3")
    assert hall.banks(game) == [(0, left), (1, left)]
    hall.moves(game, "bob", "take")
    now = hall.hands.at
    row = hall.clock(game, "ann")
    assert (row["bank_from"], row["due_at"]) == (now + DAY, now + DAY + left * SECOND), "what is left is what there is"
    check(hall.services, game)


def test_design7_a_bank_that_is_used_up_adds_nothing(small_hall):
    game = small_hall.sets(bank="P2D")
    small_hall.hands.at = START + 3 * DAY + 60 * SECOND
    small_hall.moves(game, "ann", "hide 3")
    assert small_hall.banks(game) == [(0, 0)]
    small_hall.moves(game, "bob", "hide 1")
    row = small_hall.clock(game, "ann")
    assert row["bank_from"] == row["due_at"] == small_hall.hands.at + DAY


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
def test_design7_the_increment_fills_the_bank_and_never_above_its_size(small_hall, used, left):
    game = small_hall.sets(bank="P2D", increment="PT12H")
    small_hall.hands.at = START + DAY + used * SECOND
    small_hall.moves(game, "ann", "hide 1")
    assert small_hall.bank(game, "ann") == left
    assert small_hall.bank(game, "bob") is None, "who has not answered has got nothing"


def test_design7_a_missed_deadline_empties_the_bank_and_earns_no_increment(hall):
    game = hall.sets(bank="P2D", increment="PT12H", strikes=3)
    hall.moves(game, "ann", "hide 1")
    hall.hands.at = START + 3 * DAY + 600 * SECOND
    hall.stays_open()
    assert sweep_deadlines(hall.services) == 1
    assert hall.banks(game) == [(1, 0)]
    hall.moves(game, "ann", "take")
    hall.moves(game, "bob", "hide 1")
    assert hall.banks(game) == [(1, 0), (1, 12 * 3600)]
    check(hall.services, game)


def test_th9_9_a_sealed_bid_that_is_replaced_costs_the_bank_once(small_hall):
    game = small_hall.sets("ann", "bob", "cyd", bank="P2D")
    small_hall.hands.at = START + DAY + HOUR
    small_hall.moves(game, "ann", "hide 1")
    small_hall.hands.advance(hours=20)
    small_hall.moves(game, "ann", "hide 2")
    assert small_hall.banks(game) == [(0, 47 * 3600)]


def test_design7_the_caretaker_and_bots_have_no_bank(small_hall):
    game = small_hall.begins("ann", "bob", bots=1, clock=CLOCK | {"bank": "P2D", "strikes": 1}, options={"rounds": "3"})
    small_hall.delivers_all()
    small_hall.moves(game, "ann", "hide 3")
    small_hall.hands.at = START + 3 * DAY + 600 * SECOND
    small_hall.stays_open()
    assert sweep_deadlines(small_hall.services) == 1
    assert small_hall.head(game).table.chairs[1].vacant
    small_hall.moves(game, "ann", "take")
    small_hall.moves(game, "ann", "hide 3")
    assert small_hall.banks(game) == [(1, 0)], "of bob, as his deadline passed; then the caretaker plays at once"


def test_q9_who_was_told_too_late_pays_nothing_for_it(small_hall):
    game = small_hall.begins("ann", "bob", clock=CLOCK | {"bank": "P2D"})
    small_hall.hands.at = START + 4 * DAY
    small_hall.delivers_all()
    small_hall.executes("UPDATE deliveries SET done_at = :now WHERE kind = 'your-turn'", now=START + 4 * DAY - 1)
    small_hall.stays_open()
    assert sweep_deadlines(small_hall.services) == 0
    row = small_hall.clock(game, "ann")
    assert (row["bank_from"], row["due_at"]) == (START + 5 * DAY, START + 7 * DAY)


def test_t41_nobody_s_bank_pays_for_a_clock_that_has_jumped(small_hall):
    game = small_hall.sets(bank="P2D")
    small_hall.executes("INSERT INTO heartbeats (name, at) VALUES ('held', :now), ('right', :now)", now=START)
    small_hall.hands.at = START + 2 * DAY
    small_hall.moves(game, "ann", "hide 1")
    assert small_hall.banks(game) == []


@pytest.mark.parametrize("quiet", [False, True])
def test_design7_with_quiet_hours_a_bank_is_measured_like_the_time_of_a_move(small_hall, quiet):
    """Two days are 28 hours of the clock; from noon to noon are 14."""
    game = small_hall.sets(bank="P2D", quiet_hours=quiet)
    small_hall.hands.at = START + 2 * DAY
    small_hall.moves(game, "ann", "hide 1")
    assert small_hall.banks(game) == [(0, 86_400)]
    assert small_hall.due(game, "bob") == START + 3 * DAY


# Pause, and time given


@settings(max_examples=15, deadline=None, suppress_health_check=list(HealthCheck))
@given(st.integers(1, 3 * DAY // SECOND - 2), st.integers(3600, 60 * 86_400), st.integers(0, 999_999))
def test_design7_a_pause_keeps_what_is_left_to_the_microsecond(small_hall, before, length, more):
    game = small_hall.sets(bank="P2D")
    was, began = small_hall.due(game, "ann"), small_hall.hands.at
    small_hall.hands.at += before * SECOND + more
    stopped = small_hall.hands.at
    small_hall.agrees(game, "pause", days=60)
    row = small_hall.clock(game, "ann")
    assert (row["due_at"], row["acts_at"], row["remind_at"]) == (None, None, None)
    assert (row["left"], row["left_bank"]) == (max(0, began + DAY - stopped), min(2 * DAY, was - stopped))
    small_hall.hands.at += length * SECOND + more
    small_hall.agrees(game, "resume")
    assert small_hall.due(game, "ann") - small_hall.hands.at == was - stopped
    assert small_hall.clock(game, "ann")["bank_from"] == small_hall.hands.at + max(0, began + DAY - stopped)


def test_design7_a_pause_ends_by_itself_when_it_was_agreed_to(hall):
    game = hall.sets()
    hall.hands.advance(hours=4)
    hall.agrees(game, "pause", days=10)
    hall.hands.advance(days=10, microseconds=-1)
    assert (sweep_deadlines(hall.services), hall.head(game).table.paused) == (0, True)
    hall.hands.advance(microseconds=1)
    assert sweep_deadlines(hall.services) == 0
    assert [one["data"]["reason"] for one in hall.facts(game, "table.clock-resumed")] == ["over"]
    assert hall.due(game, "ann") == hall.hands.at + 20 * HOUR
    with hall.services.database.write() as tx:
        assert not hall.services.streams.rebuild(tx, game), "the state is the fold of the log"


@pytest.mark.parametrize("hall", ["postgres"], indirect=True)
def test_q9_a_pause_that_is_agreed_while_an_outage_is_credited_keeps_the_credit(hall):
    game = hall.sets()
    hall.hands.at = START + DAY // 2
    pausing_meanwhile = threading.Thread(target=hall.agrees, args=(game, "pause"), kwargs={"hours": 5})
    with hall.services.database.write() as tx:
        assert seat_clocks.credit(tx, START, START + DAY // 2) == 2
        pausing_meanwhile.start()
        pausing_meanwhile.join(0.5)
    pausing_meanwhile.join()
    assert hall.clock(game, "ann")["left"] == hall.clock(game, "bob")["left"] == DAY


def test_design7_what_is_asked_while_the_clock_stands_has_all_its_time_when_it_runs(small_hall):
    game = small_hall.sets(bank="P2D")
    small_hall.agrees(game, "pause", days=10)
    small_hall.moves(game, "ann", "hide 3")
    small_hall.hands.advance(days=3)
    small_hall.moves(game, "bob", "hide 1")
    row = small_hall.clock(game, "ann")
    assert (row["due_at"], row["left"], row["left_bank"]) == (None, DAY, 2 * DAY)
    assert small_hall.banks(game) == [], "nobody pays while the clock stands"
    small_hall.hands.advance(days=3)
    small_hall.agrees(game, "resume")
    assert small_hall.due(game, "ann") == small_hall.hands.at + 3 * DAY


def test_design7_more_time_is_time_of_the_move_and_the_bank_comes_after_it(small_hall):
    game = small_hall.sets(bank="P2D")
    small_hall.hands.at = START + DAY + 6 * HOUR
    small_hall.agrees(game, "extend", days=2)
    row = small_hall.clock(game, "ann")
    assert (row["bank_from"], row["due_at"], row["acts_at"]) == (
        START + 3 * DAY, START + 5 * DAY, START + 5 * DAY + 600 * SECOND,
    )  # fmt: skip
    small_hall.moves(game, "ann", "hide 1")
    assert small_hall.banks(game) == []


def test_design7_more_time_is_for_those_who_owe_something_now_and_for_no_later_move(small_hall):
    game = small_hall.sets()
    small_hall.moves(game, "ann", "hide 3")
    small_hall.agrees(game, "extend", days=2)
    assert small_hall.due(game, "bob") == START + 3 * DAY
    small_hall.moves(game, "bob", "hide 1")
    assert small_hall.due(game, "ann") == START + DAY


def test_design2_what_is_taken_back_is_owed_with_the_time_and_the_bank_it_had(small_hall):
    game = small_hall.sets(bank="P2D", increment="PT12H")
    small_hall.moves(game, "ann", "hide 3")
    small_hall.hands.at = START + 2 * DAY
    small_hall.moves(game, "bob", "hide 1")
    began = small_hall.hands.at
    small_hall.hands.at = began + DAY + 6 * HOUR
    small_hall.moves(game, "ann", "nod")
    assert small_hall.due(game, "ann") == began + 3 * DAY, "to nod answers nothing"
    with small_hall.services.database.write() as tx:
        takeback.go_back(small_hall.services, tx, game, small_hall.ids["ann"], reason="slip")
    assert small_hall.due(game, "ann") == began + 3 * DAY
    small_hall.moves(game, "ann", "take")
    assert small_hall.bank(game, "ann") is None, "six hours used, twelve added: it is full"


def test_design2_who_takes_something_back_at_the_last_moment_has_an_hour(small_hall):
    game = small_hall.sets(bank="P2D")
    small_hall.hands.at = small_hall.due(game, "ann") - 60 * SECOND
    small_hall.moves(game, "ann", "hide 1")
    with small_hall.services.database.write() as tx:
        takeback.go_back(small_hall.services, tx, game, small_hall.ids["ann"], reason="slip")
    row = small_hall.clock(game, "ann")
    assert row["due_at"] == row["bank_from"] == small_hall.hands.at + HOUR


def test_design2_nobody_gains_time_or_bank_by_taking_back(small_hall):
    game = small_hall.sets("ann", "bob", "cyd", bank="P2D", increment="PT12H")
    small_hall.hands.at = START + 2 * DAY
    due = small_hall.due(game, "ann")
    for _ in range(3):
        small_hall.hands.advance(hours=1)
        small_hall.moves(game, "ann", "hide 1")
        with small_hall.services.database.write() as tx:
            takeback.go_back(small_hall.services, tx, game, small_hall.ids["ann"], reason="slip")
        assert small_hall.due(game, "ann") == due
    small_hall.moves(game, "ann", "hide 2")
    assert small_hall.bank(game, "ann") == 2 * 86_400 - 27 * 3600 + 12 * 3600


# Nights, weekends, zones: how a real game is due


def test_design7_a_weekend_that_is_skipped_is_skipped_where_the_player_lives(small_hall):
    small_hall.named("ann", "Ann", "Pacific/Auckland")
    small_hall.named("bob", "Bob", "America/Los_Angeles")
    small_hall.hands.at = utc("2031-03-07T10:00")  # Friday evening in Auckland, Friday night in Los Angeles
    game = small_hall.sets(weekends="skip")
    assert shows(small_hall.due(game, "ann")) == "Mon 10 Mar 10:00", "Monday 23:00 in Auckland"
    assert shows(small_hall.due(game, "bob")) == "Mon 10 Mar 09:00", (
        "Monday 02:00 in Los Angeles, a day of 23 hours skipped"
    )


def test_design7_no_deadline_falls_into_a_night_of_its_player(small_hall):
    small_hall.named("ann", "Ann", "Europe/Berlin")
    small_hall.changes("ann", wakes_at=6 * 60)
    small_hall.named("bob", "Bob", "Asia/Kathmandu")
    game = small_hall.sets(quiet_hours=True)
    assert shows(small_hall.due(game, "ann")) == "Wed 05 Mar 12:00"
    assert shows(small_hall.due(game, "bob")) == "Wed 05 Mar 12:00"
    row = small_hall.clock(game, "ann")
    assert hours_of(Decision(**row)).charged(START, row["due_at"]) == 14 * HOUR
    assert (hours_of(Decision(**row)).zone, hours_of(Decision(**row)).wakes) == ("Europe/Berlin", 360)


@pytest.mark.parametrize("change", [{"timezone": "Pacific/Auckland"}, {"wakes_at": 12 * 60}])
def test_t44_a_new_zone_or_wake_time_is_for_what_is_asked_later(small_hall, change):
    small_hall.named("ann", "Ann", "Europe/Berlin")
    game = small_hall.sets(quiet_hours=True)
    before = small_hall.clock(game, "ann")
    small_hall.changes("ann", **change)
    small_hall.agrees(game, "pause", days=1)
    small_hall.agrees(game, "resume")
    assert small_hall.due(game, "ann") == before["due_at"]
    assert small_hall.clock(game, "ann")["hours"] == before["hours"]
    small_hall.moves(game, "ann", "hide 3")
    small_hall.moves(game, "bob", "hide 1")
    assert small_hall.clock(game, "ann")["hours"] != before["hours"]


def test_t44_a_zone_that_the_package_has_dropped_counts_as_utc(small_hall):
    small_hall.person("ann")
    small_hall.executes("UPDATE players SET timezone = 'Mars/Base'")
    game = small_hall.sets(quiet_hours=True, leave_days=5)
    assert hours_of(Decision(**small_hall.clock(game, "ann"))).zone == "UTC"


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


def test_design7_five_continents_and_six_zones_are_charged_the_same_to_the_minute(small_hall, monkeypatch):
    """Over the nights in which America, then Europe, then Lord Howe change their clocks."""
    monkeypatch.setitem(RULESETS, SIX_PENNIES.kind, SIX_PENNIES)
    for name, zone in SIX.items():
        small_hall.named(name, name.capitalize(), zone)
    chance = random.Random("continents")
    small_hall.hands.at = utc("2031-03-07T17:23")
    terms = CLOCK | {"per_move": "P3D", "bank": "P2D", "quiet_hours": True}
    game = small_hall.begins(*SIX, kind=SIX_PENNIES.kind, clock=terms)
    small_hall.delivers_all()
    charged: dict[str, list[int]] = {name: [] for name in SIX}
    while small_hall.head(game).table.status == "running":
        owing = small_hall.awaited(game)
        for name in SIX:
            if small_hall.seat(game, name) in owing:
                row = small_hall.clock(game, name)
                allowed = awake_minutes(SIX[name], row["began_at"], row["bank_from"])
                assert abs(allowed - 42 * 60) <= 1, (name, row)
                assert abs(awake_minutes(SIX[name], row["bank_from"], row["due_at"]) - 28 * 60) <= 1, (name, row)
                if len(owing) == len(SIX):
                    charged[name].append(allowed)
        small_hall.hands.advance(hours=chance.randint(30, 60))
        for seat in owing:
            small_hall.plays(game, seat, "hide 2" if small_hall.phase(game) == "hide" else "take")
    assert all(len(times) == 3 for times in charged.values())
    assert max(map(sum, charged.values())) - min(map(sum, charged.values())) <= 3


# A deadline never moves earlier

DEED = st.sampled_from(["wait", "pause", "resume", "extend", "leave", "back", "outage", "late", "answer", "zone"])


@pytest.mark.slow
@settings(max_examples=20, deadline=None, suppress_health_check=list(HealthCheck))
@given(st.lists(st.tuples(DEED, st.integers(1, 60)), min_size=3, max_size=12), st.booleans(), st.booleans())
def test_design7_whatever_happens_no_deadline_moves_earlier(small_hall, deeds, quiet, skips):
    hall = small_hall
    hall.named("ann", "Ann", "Europe/Berlin")
    weekends = "skip" if skips else "count"
    game = hall.sets("ann", "bob", "cyd", bank="P2D", quiet_hours=quiet, weekends=weekends, leave_days=5)
    latest, acts = hall.due(game, "ann"), hall.clock(game, "ann")["acts_at"]
    others = ["bob", "cyd"]
    for deed, size in deeds:
        does(hall, game, deed, size, others)
        row = hall.clock(game, "ann")
        if row["due_at"] is None:
            continue
        assert row["due_at"] >= latest, (deed, size)
        assert row["acts_at"] >= max(acts, row["due_at"]), (deed, size)
        assert row["bank_from"] <= row["due_at"]
        latest, acts = row["due_at"], row["acts_at"]
    hall.takes_back("ann")


BERLIN_AHEAD = 2 * 3_600_000_000
"""Microseconds: where she lives a day begins this much earlier, at most."""


def does(hall: Hall, game: str, deed: str, size: int, others: list[str]) -> None:
    paused = hall.head(game).table.paused
    tomorrow = hall.hands.at + BERLIN_AHEAD + size % 6 * DAY + DAY
    match deed:
        case "wait":
            hall.hands.advance(hours=size)
        case "pause" if not paused:
            hall.agrees(game, "pause", hours=size)
        case "resume" if paused:
            hall.agrees(game, "resume")
        case "extend" if not paused:
            hall.agrees(game, "extend", hours=size)
        case "leave" if not hall.leaves("ann"):
            hall.takes_leave("ann", f"{moment(tomorrow):%Y-%m-%d}", f"{moment(tomorrow + size % 4 * DAY):%Y-%m-%d}")
        case "back":
            hall.takes_back("ann")
        case "outage":
            began = hall.hands.at
            hall.hands.advance(hours=size)
            with hall.services.database.write() as tx:
                seat_clocks.credit(tx, began, hall.hands.at)
        case "late" if not paused:
            owed = Decision(**hall.clock(game, "ann"))
            with hall.services.database.write() as tx:
                seat_clocks.give_again(tx, hall.services.streams.lock(tx, game), owed, "told-late")
        case "answer" if others:
            hall.moves(game, others.pop(), "hide 1")
        case "zone":
            hall.changes("ann", timezone=("Pacific/Auckland", "America/New_York")[size % 2], wakes_at=size * 20)


# A missed deadline that stops the clock


def stops(hall: Hall, strikes: int = 2, **clock: Any) -> str:
    """A game that waits for Bob, whose deadline has passed."""
    game = hall.sets(on_timeout="pause", strikes=strikes, **clock)
    hall.moves(game, "ann", "hide 1")
    hall.hands.at = hall.due(game, "bob") + 600 * SECOND
    hall.stays_open()
    assert sweep_deadlines(hall.services) == 1
    return game


def test_design7_with_on_timeout_pause_a_missed_deadline_stops_the_clock_and_nobody_plays(hall):
    game = stops(hall)
    assert [one["type"] for one in hall.facts(game)[-2:]] == ["table.turn-expired", "table.clock-paused"]
    table = hall.head(game).table
    assert (table.paused, table.late, table.chairs[1].strikes) == (True, 1, 1)
    assert hall.awaited(game) == [1]
    hall.hands.advance(days=300)
    assert sweep_deadlines(hall.services) == 0, "it waits as long as it takes"


def test_design7_the_late_player_s_own_act_lets_the_clock_run_again(hall):
    game = stops(hall, bank="P2D", increment="PT12H")
    hall.hands.advance(days=30)
    hall.moves(game, "bob", "hide 3")
    table = hall.head(game).table
    assert (table.paused, table.late, table.chairs[1].strikes) == (False, None, 0)
    assert [one["data"]["reason"] for one in hall.facts(game, "table.clock-resumed")] == ["acted"]
    assert hall.banks(game) == [(1, 12 * 3600)], "the bank was used up when the deadline passed"
    assert hall.due(game, "bob") == hall.hands.at + DAY + 12 * HOUR, "he takes the pot now"


def test_design7_the_host_lets_the_clock_run_and_the_late_player_has_the_time_of_a_move_again(hall):
    game = stops(hall, bank="P2D")
    hall.hands.advance(days=3)
    with hall.services.database.write() as tx:
        clock_votes.propose(hall.services, tx, game, hall.ids["ann"], "resume", 0)
    assert [one["data"]["reason"] for one in hall.facts(game, "table.clock-resumed")] == ["host"]
    assert hall.due(game, "bob") == hall.hands.at + DAY, "without the bank, which is used up"
    hall.hands.advance(days=1, minutes=10)
    assert sweep_deadlines(hall.services) == 1
    table = hall.head(game).table
    assert table.chairs[1].vacant, "the second in a row"
    assert not table.paused
    assert hall.awaited(game) == [0]


def test_design7_a_deadline_missed_for_the_last_time_is_played_by_the_caretaker_even_there(small_hall):
    game = stops(small_hall, strikes=1)
    table = small_hall.head(game).table
    assert (table.paused, table.chairs[1].vacant) == (False, True)
    assert "table.caretaker-acted" in {one["type"] for one in small_hall.facts(game)}


# Clocks that processes read


@pytest.fixture(params=["UTC", "Pacific/Chatham"])
def iced(
    request: pytest.FixtureRequest,
    migrated_sqlite: str,
    open_services: Callable[..., Services],
    monkeypatch: pytest.MonkeyPatch,
) -> Iterator[Hall]:
    """A hall whose processes read a frozen clock, on a machine that stands somewhere."""
    monkeypatch.setenv("TZ", request.param)
    time.tzset()
    with freeze_time(datetime(2031, 3, 28, 21, 30, tzinfo=UTC), ignore=["_pytest.timing"]) as frozen:
        yield Hall(open_services(migrated_sqlite), Ice(frozen))
    monkeypatch.undo()
    time.tzset()


def test_t40_where_the_machine_stands_changes_no_deadline(iced):
    """Friday evening; on Sunday Europe changes its clocks, a week later Chatham."""
    iced.named("ann", "Ann", "Europe/Berlin")
    iced.named("bob", "Bob", "Pacific/Chatham")
    game = iced.sets(weekends="skip", quiet_hours=True, leave_days=5, per_move="P2D", bank="P1D")
    assert shows(iced.due(game, "ann")) == "Wed 02 Apr 20:00", "22:00 in Berlin, of Monday to Wednesday"
    assert shows(iced.due(game, "bob")) == "Wed 02 Apr 08:15", "22:00 there, of the same days"
    iced.takes_leave("ann", "2031-04-01", "2031-04-01")
    assert shows(iced.due(game, "ann")) == "Thu 03 Apr 20:00"
    iced.hands.advance(days=3)
    iced.agrees(game, "pause", days=2)
    iced.hands.advance(days=2)
    iced.stays_open()
    sweep_deadlines(iced.services)
    assert shows(iced.due(game, "ann")) == "Fri 04 Apr 20:00"
    with iced.services.database.write() as tx:
        assert outages.may_decide(iced.services.database, iced.services.clock_guard, tx)
    document = iced.page(game, "ann")
    assert document["now"] == "2031-04-02T21:30:00.000000Z"
    assert "So the answer is due by Fri 04 Apr 2031 22:00 CEST (20:00 UTC)." in document["text"]


# What it costs


def test_a_move_under_the_default_clock_asks_for_nobody_s_hours(small_hall):
    """No statement about zones, leave, signs of life or pauses: the way of a move is as short as it was."""
    game = small_hall.sets("ann", "bob", "cyd", per_move="P3D")
    said: list[str] = []
    with small_hall.services.database.write() as tx:
        driver: Any = tx.connection.driver_connection
        driver.set_trace_callback(said.append)
        play.move(small_hall.services, tx, game, small_hall.ids["ann"], play.Orders(text="hide 1"))
        driver.set_trace_callback(None)
    assert said
    for word in ("absences", "heartbeats", "timezone", "paused_until", "missed"):
        assert not [one for one in said if word in one], word
    told = list(dict.fromkeys(said))  # what a trigger does is traced as its statement once more
    assert len(told) == 7, "as many as before there were banks and leave, and the checkpoint"
