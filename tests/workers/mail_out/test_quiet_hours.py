"""Nights: reminders come by day, each rung once, and never about what is not so any more (RATE-07, RATE-08)."""

from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
import sqlalchemy as sa
from hypothesis import given
from hypothesis import strategies as st

from config.durations import parse_duration
from service.clocks.hours import DAY, HOUR, Hours
from service.games import clock_votes, takeback
from service.kernel.clock import SECOND, micros, moment
from service.notify.quiet_hours import LAST_CALL, USEFUL, evening, reminder_at, three_quarters, waking
from service.store.clocks.decisions import decisions
from service.store.event_store.streams import games
from service.store.outgoing.outbox import outbox
from tests.tables import Tables
from workers.mail_out.transport import Deferred
from workers.sweep import sweep, sweep_reminders

ZONES = ["UTC", "Europe/Paris", "America/New_York", "Asia/Kathmandu", "Pacific/Auckland", "Pacific/Chatham"]
NEVER: dict[str, list[str]] = {"reminders": []}


def at(text: str, zone: str = "UTC") -> int:
    return int(datetime.fromisoformat(text).replace(tzinfo=ZoneInfo(zone)).timestamp()) * SECOND


def goes_to(tables: Tables, text: str, zone: str = "UTC") -> None:
    """Let time pass, from one moment at which anything is due to the next: sweep and deliver at each."""
    end = at(text, zone)
    sweep(tables.services, tables.carrier)
    while tables.clock.at < end:
        following = min([end, *(one for one in due_times(tables) if one > tables.clock.at)])
        tables.advance(seconds=(following - tables.clock.at) / SECOND)
        sweep(tables.services, tables.carrier)


def due_times(tables: Tables) -> list[int]:
    """When anything is due."""
    with tables.services.database.read() as connection:
        return [
            *connection.execute(sa.select(decisions.c.remind_at).where(decisions.c.remind_at.is_not(None))).scalars(),
            *connection.execute(sa.select(decisions.c.acts_at).where(decisions.c.acts_at.is_not(None))).scalars(),
            *connection.execute(sa.select(outbox.c.not_before).where(outbox.c.state == "queued")).scalars(),
            *connection.execute(sa.select(games.c.paused_until).where(games.c.paused_until.is_not(None))).scalars(),
        ]


def reminded(tables: Tables, name: str, zone: str = "UTC") -> list[str]:
    """When reminders were sent to somebody, by their own clock."""
    rows = tables.notices(kind="reminder", recipient=tables.ids[name], state="sent")
    return [moment(row["done_at"]).astimezone(ZoneInfo(zone)).strftime("%a %H:%M") for row in rows]


def starts(tables: Tables, when: str, *names: str, zone: str = "UTC", wakes_at: int = 480, **clock: object) -> str:
    """A game that begins then, its players in that zone; only the first of them is still asked."""
    tables.advance(seconds=(at(when) - tables.clock.at) / SECOND)
    for name in names:
        tables.player(name)
        tables.change_profile(name, timezone=zone, wakes_at=wakes_at)
    game = tables.begin(*names, clock={"per_move": "P3D", **clock})
    tables.deliver()
    return game


# Where a reminder goes: laws

moments = st.integers(at("2030-01-01T00:00"), at("2033-01-01T00:00"))
nights = st.builds(waking, st.sampled_from(ZONES), st.integers(0, 1439))


@given(nights, moments)
def test_rate07_the_evening_before_is_awake_and_leaves_time_to_arrive(hours: Hours, wanted: int) -> None:
    found = evening(hours, wanted)
    assert found <= wanted
    assert hours.is_awake(found)
    assert hours.awake_before(found + LAST_CALL) == found + LAST_CALL, "still the same evening"
    if hours.is_awake(wanted) and hours.is_awake(wanted + LAST_CALL):
        assert found == wanted, "by day nothing moves"
    assert wanted - found < 12 * HOUR, "the first look is early enough"


@given(nights, moments, st.integers(0, 4 * DAY), st.integers(0, 4 * DAY), st.integers(0, 4 * DAY))
def test_rate07_a_reminder_is_at_night_only_where_the_morning_is_too_late(
    hours: Hours, began: int, lasts: int, before: int, passed: int
) -> None:
    due, now = began + lasts, began + passed
    wanted = max(began, due - before)
    found = reminder_at(hours, began, due, wanted, now)
    assert found >= now
    if not hours.is_awake(found):
        assert hours.awake_from(found) > due - USEFUL
        assert found == max(wanted, now) or evening(hours, wanted) < now
    if found > max(wanted, now):
        assert found <= due - USEFUL, "later only where that is of use"
    assert reminder_at(hours, began, due, wanted, found) == found, "what is planned is sent"


@given(nights, moments, st.integers(0, 4 * DAY), st.lists(st.integers(0, 3 * DAY), min_size=2, max_size=5))
def test_rate08_rungs_keep_their_order(hours: Hours, began: int, passed: int, rungs: list[int]) -> None:
    due = began + 3 * DAY
    times = [reminder_at(hours, began, due, due - before, began + passed) for before in sorted(rungs, reverse=True)]
    assert times == sorted(times)


def test_a_zone_that_was_known_once_has_the_nights_of_utc() -> None:
    assert waking("Mars/Olympus", 480) == Hours("UTC", 480)


# Where a reminder goes: records


@pytest.mark.parametrize("zone", ZONES)
def test_rate07_a_rung_in_the_night_comes_the_evening_before(sqlite_tables: Tables, zone: str) -> None:
    """Due at three in the night, by local time: the reminder of six hours before would come in the last minutes awake,
    that of two hours before in the middle of the night."""
    begins = moment(at("2031-03-05T03:00", zone)).astimezone(UTC).strftime("%Y-%m-%dT%H:%M")
    starts(sqlite_tables, begins, "ann", "bob", zone=zone, reminders=["PT2H"])
    goes_to(sqlite_tables, "2031-03-08T02:59", zone)
    assert reminded(sqlite_tables, "ann", zone) == ["Fri 21:45"]


def test_rate07_a_rung_by_day_comes_on_the_minute(sqlite_tables: Tables) -> None:
    starts(sqlite_tables, "2031-03-05T15:00", "ann", "bob", reminders=["P1D", "PT7H"])
    goes_to(sqlite_tables, "2031-03-08T14:59")
    assert reminded(sqlite_tables, "ann") == ["Fri 15:00", "Sat 08:00"]


def test_rate07_the_waking_hours_are_the_players_own(sqlite_tables: Tables) -> None:
    """Who wakes at noon sleeps from two in the night."""
    starts(sqlite_tables, "2031-03-05T10:00", "ann", "bob", wakes_at=720, reminders=["PT9H", "PT2H"])
    goes_to(sqlite_tables, "2031-03-08T09:59")
    assert reminded(sqlite_tables, "ann") == ["Sat 01:00", "Sat 01:45"], (
        "the one by their day, the other before it ends"
    )


def test_rate07_two_rungs_of_one_night_are_one_reminder(sqlite_tables: Tables) -> None:
    starts(sqlite_tables, "2031-03-05T07:00", "ann", "bob", reminders=["PT6H", "PT2H"])
    goes_to(sqlite_tables, "2031-03-08T06:59")
    assert reminded(sqlite_tables, "ann") == ["Fri 21:45"]
    (row,) = sqlite_tables.notices(kind="reminder", recipient=sqlite_tables.ids["ann"])
    assert row["decision"].endswith(".2"), "the more urgent one"


@pytest.mark.parametrize(
    "begins, per_move, before, sent",
    [
        pytest.param("2031-03-05T23:00", "PT11H", "PT7H", ["Thu 08:00"], id="in the morning, two hours are left"),
        pytest.param("2031-03-05T23:00", "PT10H", "PT6H", ["Thu 08:00"], id="in the morning, an hour is left"),
        pytest.param("2031-03-05T23:00", "PT9H59M", "PT5H59M", ["Thu 03:00"], id="less than an hour would be left"),
        pytest.param("2031-03-05T21:50", "PT6H", "PT4H", ["Wed 23:50"], id="no evening since it began"),
    ],
)
def test_rate07_without_an_evening_before_it_is_the_morning_if_that_is_of_use(
    sqlite_tables: Tables, begins: str, per_move: str, before: str, sent: list[str]
) -> None:
    starts(sqlite_tables, begins, "ann", "bob", per_move=per_move, reminders=[before])
    due = sqlite_tables.clock.at + micros(parse_duration(per_move))
    goes_to(sqlite_tables, f"{moment(due - SECOND):%Y-%m-%dT%H:%M:%S}")
    assert reminded(sqlite_tables, "ann") == sent


def test_rate07_an_evening_reminder_that_could_not_go_out_waits_for_the_morning(sqlite_tables: Tables) -> None:
    starts(sqlite_tables, "2031-03-05T12:00", "ann", "bob", reminders=["PT6H"])
    goes_to(sqlite_tables, "2031-03-07T21:44")
    sqlite_tables.carrier.before.extend([Deferred("451 not now")] * 12)
    goes_to(sqlite_tables, "2031-03-07T23:30")
    sqlite_tables.carrier.before.clear()
    rows = sqlite_tables.notices(kind="reminder")
    assert {row["state"] for row in rows} == {"queued"}
    assert {row["reason"] for row in rows} == {"it is sent in the morning"}
    assert {row["not_before"] for row in rows} == {at("2031-03-08T08:00")}
    goes_to(sqlite_tables, "2031-03-08T11:59")
    assert reminded(sqlite_tables, "ann") == ["Sat 08:00"]


def test_rate07_where_the_morning_is_too_late_it_goes_out_at_night(sqlite_tables: Tables) -> None:
    starts(sqlite_tables, "2031-03-05T08:30", "ann", "bob", reminders=["PT6H"])
    goes_to(sqlite_tables, "2031-03-07T21:44")
    sqlite_tables.carrier.before.extend([Deferred("451 not now")] * 12)
    goes_to(sqlite_tables, "2031-03-07T22:10")
    sqlite_tables.carrier.before.clear()
    goes_to(sqlite_tables, "2031-03-07T22:11")
    goes_to(sqlite_tables, "2031-03-08T08:29")
    assert reminded(sqlite_tables, "ann") == ["Fri 22:11"]


def test_a_hold_is_no_attempt(sqlite_tables: Tables) -> None:
    starts(sqlite_tables, "2031-03-05T12:00", "ann", "bob", reminders=["PT6H"])
    goes_to(sqlite_tables, "2031-03-07T21:44")
    sqlite_tables.advance(seconds=120)
    sweep_reminders(sqlite_tables.services)
    sqlite_tables.advance(hours=1)
    sqlite_tables.deliver()
    rows = sqlite_tables.notices(kind="reminder")
    assert {(row["attempts"], row["state"], row["lease"]) for row in rows} == {(0, "queued", None)}


# Your turn at night


def night_move(tables: Tables, **profile: object) -> str:
    """Bob moves while it is half past eleven at night for ann, and it is her turn."""
    game = starts(tables, "2031-03-05T12:00", "ann", "bob", **NEVER)
    tables.change_profile("ann", **profile)
    tables.advance(hours=11, minutes=30)
    tables.move(game, "ann", "hide 1")
    tables.move(game, "bob", "hide 2")
    tables.carrier.letters.clear()
    tables.deliver()
    return game


def test_rate07_a_first_turn_mail_is_not_held_at_night(sqlite_tables: Tables) -> None:
    night_move(sqlite_tables)
    assert sqlite_tables.carrier.kinds()["your-turn"] == 1


def test_rate07_who_asks_for_it_gets_turn_mails_in_the_morning(sqlite_tables: Tables) -> None:
    game = night_move(sqlite_tables, quiet_turns=True)
    awaited = sqlite_tables.awaited(game)
    held = sqlite_tables.notices(kind="your-turn", state="queued")
    if awaited == [0]:
        assert {row["reason"] for row in held} == {"it is sent in the morning, as you asked"}
        assert {row["not_before"] for row in held} == {at("2031-03-06T08:00")}
        goes_to(sqlite_tables, "2031-03-06T08:00")
    assert sqlite_tables.carrier.kinds()["your-turn"] == 1


@pytest.mark.parametrize(
    "per_move, sent",
    [
        pytest.param("PT24H", "08:00", id="until the morning"),
        pytest.param("PT12H", "08:00", id="exactly a quarter is left"),
        pytest.param("PT11H", "07:15", id="a quarter of the time is left"),
        pytest.param("PT4H", "02:00", id="long before the morning"),
    ],
)
def test_rate07_a_held_turn_leaves_a_quarter_of_its_time(sqlite_tables: Tables, per_move: str, sent: str) -> None:
    for name in ("ann", "bob"):
        sqlite_tables.player(name)
        sqlite_tables.change_profile(name, quiet_turns=True)
    sqlite_tables.advance(seconds=(at("2031-03-05T23:00") - sqlite_tables.clock.at) / SECOND)
    sqlite_tables.begin("ann", "bob", clock={"per_move": per_move, "reminders": []})
    goes_to(sqlite_tables, "2031-03-06T08:30")
    rows = sqlite_tables.notices(kind="your-turn", recipient=sqlite_tables.ids["ann"])[:1]
    assert [moment(row["done_at"]).strftime("%H:%M") for row in rows] == [sent]


def test_a_quarter_of_the_time_is_left() -> None:
    assert three_quarters(0, 100) == 75
    assert three_quarters(50, 50) == 50


# Each rung once, whatever moves the deadline


def rungs(tables: Tables, name: str = "ann") -> list[str]:
    """The rungs somebody was reminded with, and when."""
    rows = tables.notices(kind="reminder", recipient=tables.ids[name], state="sent")
    rows.sort(key=lambda row: row["done_at"])
    return [f"{row['decision'].partition('.')[2]} {moment(row['done_at']):%a %H:%M}" for row in rows]


def agrees(tables: Tables, game: str, what: str, seconds: int = 0) -> None:
    """Ann proposes, bob agrees."""
    with tables.services.database.write() as tx:
        clock_votes.propose(tables.services, tx, game, tables.ids["ann"], what, seconds)  # type: ignore[arg-type]
    with tables.services.database.write() as tx:
        clock_votes.vote(tables.services, tx, game, tables.ids["bob"], True)


def test_rate08_an_extension_brings_no_rung_twice(sqlite_tables: Tables) -> None:
    game = starts(sqlite_tables, "2031-03-05T12:00", "ann", "bob", reminders=["P1D", "PT3H"])
    goes_to(sqlite_tables, "2031-03-07T18:00")
    assert rungs(sqlite_tables) == ["1 Fri 12:00"]
    agrees(sqlite_tables, game, "extend", 2 * 86400)
    goes_to(sqlite_tables, "2031-03-10T11:59")
    assert rungs(sqlite_tables) == ["1 Fri 12:00", "2 Mon 09:00"]
    assert len(sqlite_tables.notices(kind="reminder", recipient=sqlite_tables.ids["ann"])) == 2


def test_rate08_an_extension_in_time_moves_every_rung(sqlite_tables: Tables) -> None:
    game = starts(sqlite_tables, "2031-03-05T12:00", "ann", "bob", reminders=["P1D", "PT3H"])
    goes_to(sqlite_tables, "2031-03-07T11:59")
    agrees(sqlite_tables, game, "extend", 86400)
    goes_to(sqlite_tables, "2031-03-09T11:59")
    assert rungs(sqlite_tables) == ["1 Sat 12:00", "2 Sun 09:00"]


def test_rate08_a_reminder_under_way_is_not_sent_when_the_deadline_moves_and_comes_again(
    sqlite_tables: Tables,
) -> None:
    game = starts(sqlite_tables, "2031-03-05T12:00", "ann", "bob", reminders=["P1D", "PT3H"])
    goes_to(sqlite_tables, "2031-03-07T11:59")
    sqlite_tables.advance(minutes=1)
    sweep_reminders(sqlite_tables.services)
    agrees(sqlite_tables, game, "extend", 86400)
    sqlite_tables.deliver()
    rows = sqlite_tables.notices(kind="reminder")
    assert {(row["state"], row["reason"]) for row in rows} == {("superseded", "it comes later now")}
    goes_to(sqlite_tables, "2031-03-09T11:59")
    assert rungs(sqlite_tables) == ["1 Sat 12:00", "2 Sun 09:00"]


def test_rate08_no_reminder_while_the_clock_stands(sqlite_tables: Tables) -> None:
    game = starts(sqlite_tables, "2031-03-05T12:00", "ann", "bob", reminders=["P1D", "PT3H"])
    goes_to(sqlite_tables, "2031-03-07T11:59")
    sqlite_tables.advance(minutes=1)
    sweep_reminders(sqlite_tables.services)
    agrees(sqlite_tables, game, "pause", 4 * 86400)
    sqlite_tables.deliver()
    rows = sqlite_tables.notices(kind="reminder")
    assert {(row["state"], row["reason"]) for row in rows} == {("superseded", "the clock stands")}
    goes_to(sqlite_tables, "2031-03-10T12:00")
    assert rungs(sqlite_tables) == []
    goes_to(sqlite_tables, "2031-03-12T11:59")
    assert rungs(sqlite_tables) == ["2 Wed 09:00"], "the pause ended on Tuesday at noon, a day before the deadline"


def test_rate08_a_pause_before_the_first_rung_moves_both(sqlite_tables: Tables) -> None:
    game = starts(sqlite_tables, "2031-03-05T12:00", "ann", "bob", reminders=["P1D", "PT3H"])
    goes_to(sqlite_tables, "2031-03-06T12:00")
    agrees(sqlite_tables, game, "pause", 86400)
    goes_to(sqlite_tables, "2031-03-09T11:59")
    assert rungs(sqlite_tables) == ["1 Sat 12:00", "2 Sun 09:00"]


def test_rate08_a_change_of_zone_moves_a_rung_and_doubles_none(sqlite_tables: Tables) -> None:
    """Ann flies from UTC to Auckland: nine in the morning is ten at night there."""
    starts(sqlite_tables, "2031-03-05T12:00", "ann", "bob", reminders=["P1D", "PT3H"])
    goes_to(sqlite_tables, "2031-03-07T13:00")
    sqlite_tables.change_profile("ann", timezone="Pacific/Auckland")
    goes_to(sqlite_tables, "2031-03-08T11:59")
    assert rungs(sqlite_tables) == ["1 Fri 12:00", "2 Sat 08:45"]
    assert reminded(sqlite_tables, "ann", "Pacific/Auckland")[1] == "Sat 21:45"


def test_rate08_a_change_of_zone_back_and_forth_doubles_none(sqlite_tables: Tables) -> None:
    starts(sqlite_tables, "2031-03-05T12:00", "ann", "bob", reminders=["P1D", "PT6H"])
    for day in range(3):
        for zone in ZONES:
            goes_to(sqlite_tables, f"2031-03-{6 + day:02}T{3 + ZONES.index(zone):02}:00")
            sqlite_tables.change_profile("ann", timezone=zone)
    goes_to(sqlite_tables, "2031-03-08T11:59")
    assert [rung[0] for rung in rungs(sqlite_tables)] == ["1", "2"]


@pytest.mark.parametrize("day", ["2031-03-30", "2031-10-26"])
def test_f44_the_night_of_a_change_of_clocks_has_one_reminder(sqlite_tables: Tables, day: str) -> None:
    due = datetime.fromisoformat(f"{day}T05:00").replace(tzinfo=ZoneInfo("Europe/Paris")).astimezone(UTC)
    begins = (due - timedelta(days=3)).strftime("%Y-%m-%dT%H:%M")
    starts(sqlite_tables, begins, "ann", "bob", zone="Europe/Paris", reminders=["PT4H", "PT2H"])
    goes_to(sqlite_tables, f"{day}T04:59", "Europe/Paris")
    assert reminded(sqlite_tables, "ann", "Europe/Paris") == ["Sat 21:45"]


def test_rate08_no_reminder_after_the_answer_and_none_twice_when_it_is_taken_back(sqlite_tables: Tables) -> None:
    """Taken back within the hour: it is owed since it was first, and what was reminded of is not again."""
    game = starts(sqlite_tables, "2031-03-05T12:00", "ann", "bob", reminders=["P1D", "PT3H"])
    goes_to(sqlite_tables, "2031-03-07T18:00")
    sqlite_tables.move(game, "ann", "hide 1")
    goes_to(sqlite_tables, "2031-03-07T18:30")
    with sqlite_tables.services.database.write() as tx:
        takeback.go_back(sqlite_tables.services, tx, game, sqlite_tables.ids["ann"])
    goes_to(sqlite_tables, "2031-03-08T11:59")
    assert rungs(sqlite_tables) == ["1 Fri 12:00", "2 Sat 09:00"]
    assert rungs(sqlite_tables, "bob") == ["1 Fri 12:00", "2 Sat 09:00"]


def test_rate08_a_reminder_held_until_a_later_one_is_due_is_not_sent(sqlite_tables: Tables) -> None:
    """In the morning there would be two; the later one says it."""
    starts(sqlite_tables, "2031-03-05T09:00", "ann", "bob", reminders=["PT12H", "PT1H"])
    goes_to(sqlite_tables, "2031-03-07T20:59")
    sqlite_tables.carrier.before.extend([Deferred("451 not now")] * 12)
    sqlite_tables.advance(minutes=1)
    sweep_reminders(sqlite_tables.services)
    sqlite_tables.deliver()
    sqlite_tables.carrier.before.clear()
    sqlite_tables.advance(hours=11)
    sweep(sqlite_tables.services, sqlite_tables.carrier)
    assert rungs(sqlite_tables) == ["2 Sat 08:00"]
    (first, second) = sqlite_tables.notices(kind="reminder", recipient=sqlite_tables.ids["ann"])
    assert (first["state"], first["reason"]) == ("superseded", "a later reminder says it")
    assert second["state"] == "sent"


def test_a_reminder_that_failed_is_not_made_again(sqlite_tables: Tables) -> None:
    starts(sqlite_tables, "2031-03-05T12:00", "ann", "bob", reminders=["P1D"])
    goes_to(sqlite_tables, "2031-03-07T12:00")
    sqlite_tables.execute("UPDATE deliveries SET state = 'failed' WHERE kind = 'reminder'")
    sqlite_tables.change_profile("ann", timezone="Europe/Paris")
    goes_to(sqlite_tables, "2031-03-07T14:00")
    assert sqlite_tables.states(kind="reminder") == {"failed": 2}


def test_the_first_look_is_never_after_a_reminder_is_due() -> None:
    assert micros(timedelta(hours=12)) > DAY - 14 * HOUR + LAST_CALL
