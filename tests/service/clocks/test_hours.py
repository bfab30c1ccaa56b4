"""The hours a clock runs: nights, weekends, leave and changes of the clocks on the way (T-40 … T-44, DESIGN 7)."""

import zoneinfo
from collections.abc import Iterator
from datetime import UTC, date, datetime, timedelta
from functools import lru_cache
from itertools import pairwise
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest
from freezegun import freeze_time
from hypothesis import assume, given
from hypothesis import strategies as st

from service.clocks import hours as service_hours
from service.clocks.hours import AWAKE, DAY, HOUR, Hours, Pause, scaled
from service.kernel import zones
from service.kernel.clock import EPOCH, SECOND, micros, moment
from service.kernel.zones import first_shown, zone

pytestmark = pytest.mark.slow

MINUTE = 60 * SECOND
QUARTER = 15 * MINUTE
EIGHT = 8 * 60
QUARTERS_OF_A_DAY = range(0, 24 * 60, 15)

ODD_ZONES = (
    "Africa/Casablanca",  # an hour back for Ramadan, until 2026
    "Africa/Cairo",  # changes at midnight
    "America/Havana",  # midnight comes twice
    "America/Nuuk",  # skips the last hour of a Saturday
    "America/Santiago",
    "America/St_Johns",  # half an hour off
    "Asia/Beirut",
    "Asia/Kathmandu",  # quarter of an hour off, never changes
    "Australia/Lord_Howe",  # changes by half an hour
    "Europe/Dublin",  # winter is the exception
    "Pacific/Apia",  # skipped a whole day
    "Pacific/Chatham",
)
CHANGING_ZONES = tuple(name for name in ODD_ZONES if name not in ("Asia/Kathmandu", "Pacific/Apia"))


def utc(written: str) -> int:
    """A moment written in UTC."""
    return micros(datetime.fromisoformat(written).replace(tzinfo=UTC) - EPOCH)


def local(name: str, written: str) -> int:
    """A moment as the clocks of a zone show it (the first of two)."""
    return micros(datetime.fromisoformat(written).replace(tzinfo=zone(name)) - EPOCH)


def shows(name: str, at: int) -> str:
    """What the clocks of a zone show at a moment."""
    return f"{moment(at).astimezone(zone(name)):%a %d %b %H:%M}"


def clock_face(name: str, at: int) -> datetime:
    """The same, to reckon with."""
    return moment(at).astimezone(zone(name)).replace(tzinfo=None)


@lru_cache(64)
def changes(name: str, first: int, last: int) -> list[tuple[int, timedelta]]:
    """Every moment from one year to another at which the clocks of a zone jump, and by how much."""

    def offset(at: int) -> timedelta:
        return moment(at).astimezone(zone(name)).utcoffset() or timedelta()

    found = []
    for before, after in pairwise(range(utc(f"{first}-01-01"), utc(f"{last + 1}-01-01") + 1, DAY)):
        if offset(before) == offset(after):
            continue
        low, high = before, after
        while high - low > SECOND:
            middle = (low + high) // 2 // SECOND * SECOND
            low, high = (middle, high) if offset(middle) == offset(before) else (low, middle)
        found.append((high, offset(high) - offset(before)))
    return found


def pauses(hours: Hours, start: str, end: str) -> list[tuple[str, str, str]]:
    """The pauses between two local times, in local times."""
    found = hours.pauses(local(hours.zone, start), local(hours.zone, end))
    return [(shows(hours.zone, one.begins), shows(hours.zone, one.ends), one.why) for one in found]


def days(*written: str) -> tuple[date, ...]:
    return tuple(map(date.fromisoformat, written))


# A player's week: 20 November 2026 is a Friday

BERLIN = Hours("Europe/Berlin", EIGHT, False, ())
BERLIN_WEEKDAYS = Hours("Europe/Berlin", EIGHT, True, ())


@pytest.mark.parametrize(
    "hours, start, charge, due",
    [
        (BERLIN, "2026-11-20T19:00", 2, "Fri 20 Nov 21:00"),
        (BERLIN, "2026-11-20T19:00", 4, "Sat 21 Nov 09:00"),
        (BERLIN, "2026-11-20T19:00", 42, "Mon 23 Nov 19:00"),
        (BERLIN, "2026-11-20T03:00", 1, "Fri 20 Nov 09:00"),
        (BERLIN, "2026-11-20T19:00", 3, "Fri 20 Nov 22:00"),  # not next morning
        (BERLIN, "2026-11-20T08:00", 28, "Sat 21 Nov 22:00"),
        (BERLIN, "2026-11-20T19:00", 0, "Fri 20 Nov 19:00"),
        (BERLIN, "2026-11-20T22:00", 0, "Sat 21 Nov 08:00"),
        (BERLIN_WEEKDAYS, "2026-11-20T19:00", 4, "Mon 23 Nov 09:00"),
        (BERLIN_WEEKDAYS, "2026-11-20T22:00", 0, "Mon 23 Nov 08:00"),
        (BERLIN_WEEKDAYS, "2026-11-21T12:00", 14, "Mon 23 Nov 22:00"),
        (Hours("Europe/Berlin", None, True, ()), "2026-11-20T19:00", 24, "Mon 23 Nov 19:00"),
        (Hours("Europe/Berlin", None, True, ()), "2026-11-20T19:00", 5, "Sat 21 Nov 00:00"),
        (Hours("Europe/Berlin", EIGHT, False, days("2026-11-21")), "2026-11-20T19:00", 4, "Sun 22 Nov 09:00"),
        (Hours("Europe/Berlin", EIGHT, True, days("2026-11-23")), "2026-11-20T19:00", 4, "Tue 24 Nov 09:00"),
        (Hours("Europe/Berlin", 23 * 60, True, ()), "2026-11-20T23:30", 14, "Mon 23 Nov 23:30"),
        (Hours("Europe/Berlin", 0, False, ()), "2026-11-20T13:00", 2, "Sat 21 Nov 01:00"),
        (Hours("Europe/Berlin", None, False, ()), "2026-11-20T19:00", 42, "Sun 22 Nov 13:00"),
    ],
)
def test_a_clock_is_charged_by_day_and_stands_by_night_on_weekends_and_on_leave(hours, start, charge, due):
    assert shows("Europe/Berlin", hours.until(local("Europe/Berlin", start), charge * HOUR)) == due


def test_design_7_nights_next_to_a_weekend_stay_nights_and_the_one_inside_belongs_to_it():
    assert pauses(BERLIN_WEEKDAYS, "2026-11-20T19:00", "2026-11-23T12:00") == [
        ("Fri 20 Nov 22:00", "Sat 21 Nov 08:00", "night"),
        ("Sat 21 Nov 08:00", "Sun 22 Nov 22:00", "weekend"),
        ("Sun 22 Nov 22:00", "Mon 23 Nov 08:00", "night"),
    ]


def test_design_7_leave_goes_before_a_weekend_and_both_before_a_night():
    hours = Hours("Europe/Berlin", EIGHT, True, days("2026-11-19", "2026-11-20", "2026-11-21", "2026-11-24"))
    assert pauses(hours, "2026-11-19T03:00", "2026-11-25T03:00") == [
        ("Thu 19 Nov 03:00", "Thu 19 Nov 08:00", "night"),
        ("Thu 19 Nov 08:00", "Sat 21 Nov 22:00", "leave"),
        ("Sat 21 Nov 22:00", "Sun 22 Nov 08:00", "night"),
        ("Sun 22 Nov 08:00", "Sun 22 Nov 22:00", "weekend"),
        ("Sun 22 Nov 22:00", "Mon 23 Nov 08:00", "night"),
        ("Mon 23 Nov 22:00", "Tue 24 Nov 08:00", "night"),
        ("Tue 24 Nov 08:00", "Tue 24 Nov 22:00", "leave"),
        ("Tue 24 Nov 22:00", "Wed 25 Nov 03:00", "night"),
    ]


def test_without_quiet_hours_a_weekend_is_two_whole_days_and_leave_adjoins_it():
    hours = Hours("Asia/Tokyo", None, True, days("2026-11-23", "2026-11-24"))
    assert pauses(hours, "2026-11-19T00:00", "2026-11-27T00:00") == [
        ("Sat 21 Nov 00:00", "Mon 23 Nov 00:00", "weekend"),
        ("Mon 23 Nov 00:00", "Wed 25 Nov 00:00", "leave"),
    ]


def test_a_moment_inside_a_weekend_or_its_night_is_told_as_the_weekend():
    assert pauses(BERLIN_WEEKDAYS, "2026-11-21T23:00", "2026-11-22T02:00") == [
        ("Sat 21 Nov 23:00", "Sun 22 Nov 02:00", "weekend")
    ]


@pytest.mark.parametrize(
    "at, wakes, from_then, before",
    [
        ("2026-11-21T08:00", True, "Sat 21 Nov 08:00", "Sat 21 Nov 08:00"),
        ("2026-11-21T21:59", True, "Sat 21 Nov 21:59", "Sat 21 Nov 21:59"),
        ("2026-11-21T22:00", False, "Sun 22 Nov 08:00", "Sat 21 Nov 22:00"),
        ("2026-11-22T07:59", False, "Sun 22 Nov 08:00", "Sat 21 Nov 22:00"),
        ("2026-11-22T12:00", True, "Sun 22 Nov 12:00", "Sun 22 Nov 12:00"),
    ],
)
@pytest.mark.parametrize("hours", [BERLIN, Hours("Europe/Berlin", EIGHT, True, days("2026-11-21", "2026-11-22"))])
def test_rate07_a_reminder_minds_nights_but_neither_weekends_nor_leave(hours, at, wakes, from_then, before):
    then = local("Europe/Berlin", at)
    assert hours.is_awake(then) is wakes
    assert shows("Europe/Berlin", hours.awake_from(then)) == from_then
    assert shows("Europe/Berlin", hours.awake_before(then)) == before


def test_rate07_without_quiet_hours_every_moment_is_awake():
    hours = Hours("Asia/Tokyo", None, True, days("2026-11-21"))
    for at in range(utc("2026-11-20"), utc("2026-11-24"), HOUR):
        assert hours.is_awake(at)
        assert hours.awake_from(at) == at == hours.awake_before(at)


@pytest.mark.parametrize(
    "calendar, charge", [(3 * DAY, 42 * HOUR), (12 * HOUR, 7 * HOUR), (0, 0), (1, 1), (12, 7), (13, 8), (24, 14)]
)
def test_a_span_of_the_calendar_is_fourteen_twenty_fourths_of_it_with_quiet_hours(calendar, charge):
    assert scaled(calendar, quiet=True) == charge
    assert scaled(calendar, quiet=False) == calendar


# Issue 5's five-continent table: the same charged hours for all, due while they are awake

FIVE_CONTINENTS = {
    "America/Los_Angeles": "Mon 23 Nov 10:00",
    "America/Sao_Paulo": "Mon 23 Nov 15:00",
    "Europe/Berlin": "Mon 23 Nov 19:00",
    "Africa/Nairobi": "Mon 23 Nov 21:00",
    "Asia/Tokyo": "Mon 23 Nov 22:00",
    "Pacific/Auckland": "Mon 23 Nov 22:00",
}


def test_issue_5_the_five_continent_table_three_days_are_42_charged_hours_for_each():
    start = utc("2026-11-20T18:00")
    dues = {name: Hours(name, EIGHT, False, ()).until(start, scaled(3 * DAY, True)) for name in FIVE_CONTINENTS}
    assert {name: shows(name, due) for name, due in dues.items()} == FIVE_CONTINENTS
    for name, due in dues.items():
        assert Hours(name, EIGHT, False, ()).charged(start, due) == 42 * HOUR


@pytest.mark.parametrize("name", FIVE_CONTINENTS)
@pytest.mark.parametrize("skips_weekends", [False, True])
def test_issue_5_all_through_a_year_five_continents_get_the_same_and_none_is_due_by_night(name, skips_weekends):
    hours = Hours(name, EIGHT, skips_weekends, ())
    for start in range(utc("2026-01-01"), utc("2027-01-01"), 5 * HOUR):
        due = hours.until(start, scaled(3 * DAY, True))
        assert hours.charged(start, due) == 42 * HOUR
        assert "08:00" < f"{clock_face(name, due):%H:%M}" <= "22:00"


# T-43: every change of the clocks, 2024 to 2030


def around_changes(name: str) -> Iterator[tuple[int, datetime, timedelta, datetime]]:
    """(the moment, the first clock face skipped or shown twice, the jump, a clock face near it) for every change."""
    for at, jump in changes(name, 2024, 2030):
        edge = clock_face(name, at) - max(jump, timedelta())
        inside = abs(jump) // 2
        for after in (
            -timedelta(minutes=15),
            timedelta(),
            inside,
            abs(jump) - timedelta(minutes=1),
            abs(jump),
            3 * inside,
        ):
            yield at, edge, jump, edge + after


@pytest.mark.parametrize("name", CHANGING_ZONES)
def test_t43_wherever_the_wake_time_falls_in_a_gap_or_fold_the_day_charges_14_hours(name):
    assert len(changes(name, 2024, 2030)) >= 7
    for at, _, _, wake in around_changes(name):
        hours = Hours(name, wake.hour * 60 + wake.minute, False, ())
        begins = next(
            t
            for t in range(at - 3 * HOUR, at + 3 * HOUR, MINUTE)
            if clock_face(name, t) >= wake or clock_face(name, t + MINUTE).date() > wake.date()
        )
        assert hours.until(begins - HOUR, 0) == begins
        assert hours.until(begins, AWAKE) == begins + AWAKE
        assert hours.charged(begins - 8 * HOUR, begins + 22 * HOUR) == AWAKE
        assert [hours.is_awake(t) for t in (begins - 1, begins, begins + AWAKE - 1, begins + AWAKE)] == [0, 1, 1, 0]
        assert hours.awake_before(begins + AWAKE + HOUR) == begins + AWAKE


@pytest.mark.parametrize("name", CHANGING_ZONES)
def test_t43_without_quiet_hours_a_day_charges_its_elapsed_length(name):
    for at, edge, jump, _ in around_changes(name):
        day = edge.date()
        before, after = (day + timedelta(days=n) for n in (-1, 1))
        lengths = {one: charged_alone(name, one, at) for one in (before, day, after)}
        assert lengths == {before: DAY, day: DAY - micros(jump), after: DAY}


def charged_alone(name: str, day: date, at: int) -> int:
    """What a day charges in the days around a moment, all others being leave."""
    others = tuple(one for n in range(-9, 10) if (one := day + timedelta(days=n)) != day)
    return Hours(name, None, False, others).charged(at - 4 * DAY, at + 4 * DAY)


@pytest.mark.parametrize(
    "name, day, minute, first",
    [
        ("Europe/Berlin", "2026-03-29", 150, "2026-03-29T01:00"),  # 02:30 is skipped: 03:00
        ("Europe/Berlin", "2026-10-25", 150, "2026-10-25T00:30"),  # 02:30 comes twice: the first
        ("America/Sao_Paulo", "2018-11-04", 0, "2018-11-04T03:00"),  # no midnight: 01:00
        ("Africa/Cairo", "2026-04-24", 0, "2026-04-23T22:00"),
        ("Asia/Beirut", "2026-03-29", 30, "2026-03-28T22:00"),
        ("America/Nuuk", "2026-03-28", 23 * 60 + 30, "2026-03-29T01:00"),  # Saturday ends at 23:00; Hours take 22:59
        ("America/Havana", "2026-11-01", 0, "2026-11-01T04:00"),  # midnight comes twice
        ("Australia/Lord_Howe", "2026-10-04", 135, "2026-10-03T15:30"),  # 02:15 is skipped: 02:30
        ("Pacific/Apia", "2011-12-30", 12 * 60, "2011-12-30T10:00"),
    ],
)
def test_t43_a_local_time_that_is_skipped_is_the_end_of_the_gap_and_one_shown_twice_the_first(name, day, minute, first):
    assert first_shown(name, date.fromisoformat(day).toordinal(), minute) == utc(first)


@pytest.mark.parametrize("leave", [(), days("2011-12-30")])
def test_t43_a_day_the_zone_skipped_charges_nothing(leave):
    start, end = local("Pacific/Apia", "2011-12-29T00:00"), local("Pacific/Apia", "2012-01-01T00:00")
    assert Hours("Pacific/Apia", EIGHT, False, leave).charged(start, end) == 2 * AWAKE
    assert Hours("Pacific/Apia", None, True, leave).charged(start, end) == DAY
    assert pauses(Hours("Pacific/Apia", EIGHT, False, leave), "2011-12-29T12:00", "2011-12-31T12:00") == [
        ("Thu 29 Dec 22:00", "Sat 31 Dec 08:00", "night")
    ]


def test_t43_the_night_after_a_day_the_zone_skipped_began_two_days_before():
    at = local("Pacific/Apia", "2011-12-31T03:00")
    hours = Hours("Pacific/Apia", EIGHT, False, ())
    assert shows("Pacific/Apia", hours.awake_before(at)) == "Thu 29 Dec 22:00"
    assert shows("Pacific/Apia", hours.until(at, 0)) == "Sat 31 Dec 08:00"
    assert pauses(hours, "2011-12-31T03:00", "2011-12-31T09:00") == [("Sat 31 Dec 03:00", "Sat 31 Dec 08:00", "night")]


def test_t43_leave_over_a_day_the_zone_skipped_is_one_stretch():
    hours = Hours("Pacific/Apia", EIGHT, False, days("2011-12-29", "2011-12-30", "2011-12-31"))
    assert pauses(hours, "2011-12-29T08:00", "2011-12-31T22:00") == [("Thu 29 Dec 08:00", "Sat 31 Dec 22:00", "leave")]


# Laws


@st.composite
def moments_of(draw: st.DrawFn, name: str) -> int:
    """A moment: often within days of a change of the clocks, often on the quarter of an hour."""
    near = changes(name, 2008, 2031)
    if near and draw(st.booleans()):
        at = draw(st.sampled_from(near))[0] + draw(st.integers(-4 * DAY, 2 * DAY))
    else:
        at = draw(st.integers(utc("2005-01-01"), utc("2036-01-01")))
    return at // QUARTER * QUARTER if draw(st.booleans()) else at


@st.composite
def cases(draw: st.DrawFn, wakes: st.SearchStrategy[int | None] | None = None) -> tuple[Hours, int]:
    """Any hours, and a moment among them."""
    name = draw(st.sampled_from(ODD_ZONES))
    start = draw(moments_of(name))
    today = clock_face(name, start).date()
    away = sorted(today + timedelta(days=n) for n in draw(st.sets(st.integers(-3, 12), max_size=8)))
    wake = draw(st.none() | st.integers(0, 24 * 60 - 1) if wakes is None else wakes)
    return Hours(name, wake, draw(st.booleans()), tuple(away)), start


spans = st.integers(0, 12 * DAY) | st.integers(0, 12 * 24 * 4).map(QUARTER.__mul__)
budgets = st.integers(0, 7 * DAY) | st.sampled_from([0, 1, *(n * AWAKE for n in range(1, 8)), DAY, 2 * DAY])


@given(cases(), budgets)
def test_law_until_charges_the_budget_and_not_a_microsecond_later(case, budget):
    hours, start = case
    due = hours.until(start, budget)
    assert hours.charged(start, due) == budget
    assert budget == 0 or hours.charged(start, due - 1) == budget - 1


@given(cases(), budgets, budgets, spans)
def test_law_a_later_start_or_a_larger_budget_is_never_due_earlier(case, budget, more, later):
    hours, start = case
    due = hours.until(start, budget)
    assert start <= due <= hours.until(start, budget + more)
    assert due <= hours.until(start + later, budget)


@given(cases(), budgets, budgets)
def test_law_a_budget_in_two_parts_ends_where_the_whole_ends(case, first, second):
    hours, start = case
    assume(second > 0)
    assert hours.until(hours.until(start, first), second) == hours.until(start, first + second)


@given(cases(), spans, spans)
def test_law_charged_time_adds_up(case, first, second):
    hours, start = case
    middle, end = start + first, start + first + second
    assert hours.charged(start, end) == hours.charged(start, middle) + hours.charged(middle, end)
    assert hours.charged(end, start) == 0


@given(cases(), spans)
def test_law_what_is_not_charged_is_a_pause_in_order_and_merged(case, span):
    hours, start = case
    end = start + span
    found = hours.pauses(start, end)
    assert hours.charged(start, end) + sum(one.ends - one.begins for one in found) == span
    for one in found:
        assert start <= one.begins < one.ends <= end
        assert hours.charged(one.begins, one.ends) == 0
    for one, following in pairwise(found):
        assert one.ends <= following.begins
        assert (one.ends, one.why) != (following.begins, following.why)


@given(cases(), spans, spans)
def test_law_pauses_do_not_depend_on_where_one_looks_from(case, first, second):
    hours, start = case
    middle, end = start + first, start + first + second
    whole = hours.pauses(start, end)
    cut = [
        Pause(max(one.begins, low), min(one.ends, high), one.why)
        for low, high in ((start, middle), (middle, end))
        for one in whole
        if max(one.begins, low) < min(one.ends, high)
    ]
    assert hours.pauses(start, middle) + hours.pauses(middle, end) == cut


@given(cases(), budgets)
def test_law_nothing_is_due_inside_a_pause_but_at_its_beginning(case, budget):
    hours, start = case
    due = hours.until(start, budget)
    around = hours.pauses(due - 3 * DAY, due + 3 * DAY)
    assert not [one for one in around if one.begins < due < one.ends]
    assert budget or due not in [one.begins for one in around]


@given(cases(), budgets, st.integers(-3, 12))
def test_law_more_leave_never_makes_it_earlier(case, budget, day):
    hours, start = case
    more = {*hours.away, clock_face(hours.zone, start).date() + timedelta(days=day)}
    longer = Hours(hours.zone, hours.wakes, hours.skips_weekends, tuple(sorted(more)))
    assert longer.until(start, budget) >= hours.until(start, budget)


@given(cases())
def test_law_rate07_the_awake_moments_around_are_the_edges_of_the_night(case):
    hours, at = case
    nights = Hours(hours.zone, hours.wakes, False, ())
    night = next((one for one in nights.pauses(at - 2 * DAY, at + 2 * DAY) if one.begins <= at < one.ends), None)
    assert hours.is_awake(at) is (night is None)
    assert (hours.awake_before(at), hours.awake_from(at)) == ((night.begins, night.ends) if night else (at, at))
    assert hours.is_awake(hours.awake_from(at))
    assert hours.awake_before(hours.awake_before(at)) == hours.awake_before(at)


@given(cases(st.none() | st.sampled_from(QUARTERS_OF_A_DAY)), st.integers(0, 6 * 24 * 4))
def test_law_a_player_who_watches_the_clock_every_quarter_of_an_hour_counts_the_same(case, quarters):
    hours, start = case
    assume(hours.zone != "America/Nuuk" or (hours.wakes or 0) < 23 * 60)  # 22:59 in March: no quarter of an hour
    start = start // QUARTER * QUARTER
    end = start + quarters * QUARTER
    assert hours.charged(start, end) == sum(QUARTER for at in watched(hours, start - 4 * DAY, end) if at >= start)


def watched(hours: Hours, start: int, end: int) -> Iterator[int]:
    """The quarters in which the clock runs, as one who looks at the clock on the wall sees it from some days before."""
    seen: set[date] = set()
    waiting: set[date] = set()
    day, left = None, 0
    for at in range(start, end, QUARTER):
        face = clock_face(hours.zone, at)
        waiting |= {face.date()} - seen
        seen.add(face.date())
        for one in sorted(waiting):
            if face >= datetime.combine(one, datetime.min.time()) + timedelta(minutes=hours.wakes or 0):
                waiting.remove(one)
                day, left = one, AWAKE if hours.wakes is not None else 2 * DAY
        runs = day is not None and day not in hours.away and not (hours.skips_weekends and day.weekday() >= 5)
        if runs and left:
            yield at
        left = max(0, left - QUARTER)


# What is kept beside a deadline (T-44)


@pytest.mark.parametrize(
    "hours, line",
    [
        (Hours("UTC"), "UTC - count"),
        (BERLIN_WEEKDAYS, "Europe/Berlin 480 skip"),
        (
            Hours("America/Argentina/Ushuaia", 0, False, days("2026-12-24", "2026-12-30", "2026-12-31", "2027-01-01")),
            "America/Argentina/Ushuaia 0 count 2026-12-24 2026-12-30/2027-01-01",
        ),
    ],
)
def test_t44_hours_are_kept_on_one_line(hours, line):
    assert hours.text() == line
    assert Hours.read(line) == hours


@given(cases())
def test_law_t44_hours_read_back_are_the_same(case):
    hours, _ = case
    assert Hours.read(hours.text()) == hours
    assert hours.text().isascii()


@pytest.mark.parametrize(
    "line",
    [
        "",
        "UTC",
        "UTC -",
        "UTC 480 never",
        "UTC  480 skip",
        "UTC 0480 skip",
        "UTC 1440 skip",
        "UTC ４８０ skip",
        "UTC - skip ",
        "Europe/Nowhere - skip",
        "UTC - skip 20261224",
        "UTC - skip 2026-12-24 2026-12-25",
        "UTC - skip 2026-12-25/2026-12-24",
        "UTC - skip 2026-12-24/2026-12-24",
        "UTC - skip 2026-12-24/2026-12-25/2026-12-26",
        "UTC - skip 2026-12-24 2026-12-23",
        "UTC - skip 2026-02-30",
    ],
)
def test_t44_a_line_that_was_never_written_is_not_read(line):
    with pytest.raises(ValueError, match=r"are no hours: .*\.$"):
        Hours.read(line)


@pytest.mark.parametrize(
    "name", ["", "Berlin", "europe/berlin", "localtime", "Europe", "../zones", "/etc/localtime", "é"]
)
def test_an_unknown_zone_is_refused_with_one_that_exists(name):
    with pytest.raises(ValueError, match="is no time zone: write one as in Europe/Paris"):
        zone(name)
    with pytest.raises(ValueError, match="is no time zone"):
        Hours(name)


@pytest.mark.parametrize("wakes", [-1, 1440])
def test_a_wake_time_is_a_minute_of_the_day(wakes):
    with pytest.raises(ValueError, match="0 to 1439"):
        Hours("UTC", wakes)
    assert Hours("UTC", 0).wakes == 0
    assert Hours("UTC", 1439).wakes == 1439


@pytest.mark.parametrize("leave", [days("2026-12-24", "2026-12-24"), days("2026-12-24", "2026-12-23")])
def test_leave_lists_each_day_once_and_in_order(leave):
    with pytest.raises(ValueError, match="each day once and in order"):
        Hours("UTC", away=leave)


@pytest.mark.parametrize("hours", [Hours("UTC"), BERLIN])
def test_a_budget_below_zero_is_refused(hours):
    with pytest.raises(ValueError, match="less than nothing"):
        hours.until(0, -1)


def test_leave_for_years_ends_the_search_with_a_sentence():
    christmas = date(2026, 12, 24)
    long = Hours("Europe/Berlin", EIGHT, True, tuple(christmas + timedelta(days=n) for n in range(20 * 365)))
    with pytest.raises(ValueError, match=r"In the ten years after 2026-12-24T08:00:00.000000Z .* shorten the leave\.$"):
        long.until(utc("2026-12-24T08:00"), 0)
    nine_years = Hours("Europe/Berlin", EIGHT, True, long.away[: 9 * 365])
    assert moment(nine_years.until(utc("2026-12-24T08:00"), HOUR)).year == 2035


def test_plain_hours_look_up_no_zone(monkeypatch):
    monkeypatch.setattr(service_hours, "first_shown", None)
    hours = Hours("Pacific/Chatham")
    assert hours.plain
    assert hours.until(17, 3 * DAY) == 17 + 3 * DAY
    assert hours.charged(17, 18) == 1
    assert hours.charged(18, 17) == 0
    assert hours.pauses(0, 9 * DAY) == []
    for other in (Hours("UTC", 0), Hours("UTC", skips_weekends=True), Hours("UTC", away=days("2026-12-24"))):
        assert not other.plain


# T-44, T-40: one zone database, and no clock of our own


def test_t44_zones_come_from_the_pinned_package_whatever_the_host_has(tmp_path: Path):
    trap = tmp_path / "Europe" / "Berlin"
    trap.parent.mkdir()
    with zones.files("tzdata").joinpath("zoneinfo/Asia/Tokyo").open("rb") as tokyo:
        trap.write_bytes(tokyo.read())
    zoneinfo.reset_tzpath([str(tmp_path)])
    zone.cache_clear()
    try:
        assert ZoneInfo.no_cache("Europe/Berlin").utcoffset(datetime(2026, 1, 1)) == timedelta(hours=9)  # noqa: DTZ001
        assert zone("Europe/Berlin").utcoffset(datetime(2026, 1, 1)) == timedelta(hours=1)  # noqa: DTZ001
    finally:
        zoneinfo.reset_tzpath()
        zone.cache_clear()


def test_t44_every_zone_of_the_package_can_be_read():
    names = zones.files("tzdata").joinpath("zones").read_text().split()
    assert len(names) > 500
    for name in names:
        assert str(zone(name)) == name


def test_t40_a_frozen_shifted_clock_changes_nothing():
    start = utc("2026-10-24T18:00")
    free = BERLIN_WEEKDAYS.until(start, 42 * HOUR), BERLIN_WEEKDAYS.pauses(start, start + 9 * DAY)
    first_shown.cache_clear()
    with freeze_time("2031-05-06 07:08:09", tz_offset=13):
        frozen = BERLIN_WEEKDAYS.until(start, 42 * HOUR), BERLIN_WEEKDAYS.pauses(start, start + 9 * DAY)
        assert Hours.read("UTC 1 count 2026-12-24").text() == "UTC 1 count 2026-12-24"
    assert frozen == free
