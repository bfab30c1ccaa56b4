"""Digests: one mail over all games, in the morning, for who wants it, with no decision in it (RATE-06)."""

import re
from collections.abc import Callable
from datetime import date, datetime, timedelta
from email.message import EmailMessage
from typing import Any
from zoneinfo import ZoneInfo

import pytest
import sqlalchemy as sa
from hypothesis import given
from hypothesis import strategies as st

from service.clocks.hours import DAY
from service.container import Services
from service.deadlines import expire
from service.games import clock_votes
from service.kernel import zones
from service.kernel.clock import SECOND, moment
from service.mail import unsubscribes
from service.notify import digests
from service.notify.quiet_hours import waking
from service.store.people.players import players
from tests.apps import app_of
from tests.databases import BOTH
from tests.letters import html_of, parsed, text_of
from tests.manual_clock import ManualClock
from tests.tables import DOMAIN, SETTINGS, Tables
from tests.witnesses import WITNESS
from workers.letters.digest_text import MOST_GAMES, MOST_TOLD
from workers.mail_out.letter import Letter
from workers.sweep import sweep, sweep_digests

once = pytest.mark.parametrize("tables", ["sqlite"], indirect=True)
"""No statement of it has a dialect, a lock or a constraint of its own: PostgreSQL need not repeat it."""

ZONES = ["UTC", "Europe/Paris", "America/New_York", "Asia/Kathmandu", "Pacific/Auckland", "Pacific/Chatham"]


def at(text: str, zone: str = "UTC") -> int:
    return int(datetime.fromisoformat(text).replace(tzinfo=ZoneInfo(zone)).timestamp()) * SECOND


def goes_to(tables: Tables, text: str, zone: str = "UTC") -> None:
    """Let the time be so, swept before and then."""
    sweep_digests(tables.services)
    tables.advance(seconds=(at(text, zone) - tables.clock.at) / SECOND)
    sweep_digests(tables.services)
    tables.deliver()


def wants(tables: Tables, name: str, digest: str = "daily", **profile: Any) -> None:
    """Somebody asks for a digest; it is planned at once, and a moment goes by."""
    tables.player(name)
    tables.change_profile(name, digest=digest, **profile)
    sweep_digests(tables.services)
    tables.advance(seconds=1)


def digests_to(tables: Tables, name: str) -> list[Letter]:
    return [letter for letter in tables.carrier.letters_to(name) if letter.message_id.startswith("<digest")]


def stories(letter: Letter) -> list[str]:
    """What a digest says happened."""
    return [line.removeprefix("  - ") for line in text_of(letter).splitlines() if line.startswith("  - ")]


def profile(tables: Tables, name: str) -> dict[str, Any]:
    with tables.services.database.read() as connection:
        found = sa.select(players).where(players.c.id == tables.ids[name])
        return dict(connection.execute(found).mappings().one())


def planned(tables: Tables, name: str) -> int | None:
    """When the next digest of somebody is made."""
    found: int | None = profile(tables, name)["digest_at"]
    return found


@pytest.fixture(params=BOTH)
def tables(request: pytest.FixtureRequest, open_services: Callable[..., Services], manual_clock: ManualClock) -> Tables:
    """Tables with addresses that can be told from others."""
    return Tables(
        open_services(request.getfixturevalue(f"migrated_{request.param}"), clock=manual_clock, **SETTINGS),
        manual_clock,
    )


@pytest.fixture
def daily(mail_tables: Tables) -> Tables:
    """Ann has a game with bob, gets a digest every day, and bob has just hidden his pennies."""
    game = mail_tables.begin("ann", "bob", "cyd", options={"rounds": "3"})
    wants(mail_tables, "ann")
    mail_tables.deliver()
    mail_tables.move(game, "bob", "hide 2")
    return mail_tables


# When


@given(st.sampled_from(ZONES), st.integers(0, 1439), st.integers(at("2030-01-01"), at("2033-01-01")), st.booleans())
def test_rate06_the_next_morning_is_the_first_after_now_at_which_the_player_wakes_up(zone, wakes, now, weekly):
    hours = waking(zone, wakes)
    found = digests.next_morning(hours, now, weekly=weekly)
    assert now < found <= now + (8 if weekly else 2) * DAY
    assert hours.is_awake(found)
    assert not hours.is_awake(found - 1), "nobody is awake a moment before"
    local = moment(found).astimezone(ZoneInfo(zone))
    assert not weekly or local.weekday() == 0
    again = digests.next_morning(hours, found, weekly=weekly)
    assert (moment(again).astimezone(ZoneInfo(zone)).date() - local.date()).days == (7 if weekly else 1)


SHIFTS = {
    ("America/Nuuk", "23:59", "2026-03-26"): "22:59 on 2026-03-28",
    ("America/Nuuk", "23:00", "2026-03-26"): "22:59 on 2026-03-28",
    ("America/Nuuk", "22:30", "2026-03-26"): "",
    ("America/Scoresbysund", "23:59", "2026-03-26"): "22:59 on 2026-03-28",
    ("America/Nuuk", "23:30", "2026-10-22"): "",  # 23:30 comes twice
    ("Pacific/Apia", "12:00", "2011-12-27"): "no 2011-12-30",
    ("Africa/Cairo", "00:00", "2026-04-22"): "01:00 on 2026-04-24",
    ("America/Havana", "00:00", "2026-10-30"): "",  # midnight comes twice
    ("Asia/Beirut", "00:15", "2026-03-27"): "01:00 on 2026-03-29",
    ("Europe/Berlin", "02:30", "2026-03-27"): "03:00 on 2026-03-29",
}
"""By zone, wake time and first day: the morning that a change of the clocks moves within its day, or takes."""


def test_t43_rate06_each_day_has_one_morning_whatever_the_clocks_skip():
    for (zone, wakes, first), shift in SHIFTS.items():
        hours = waking(zone, int(wakes[:2]) * 60 + int(wakes[3:]))
        found, now = [], at(first, zone) - 1
        for _ in range(5):
            now = digests.next_morning(hours, now, weekly=False)
            assert hours.is_awake(now), (zone, wakes)
            found.append(f"{moment(now).astimezone(zones.zone(zone)):%H:%M on %Y-%m-%d}")
        days = [str(date.fromisoformat(first) + timedelta(days=number)) for number in range(6)]
        wanted = [f"{wakes} on {day}" for day in days if shift != f"no {day}"][:5]
        assert found == [shift if shift[-10:] == day[-10:] else day for day in wanted], (zone, wakes)


@once
def test_rate06_a_sweep_that_is_late_for_midnight_takes_no_digest_from_the_next_day(tables):
    game = tables.begin("ann", "bob", "cyd", options={"rounds": "3"})
    wants(tables, "ann", wakes_at=1439)
    tables.deliver()
    for seat, when in (("bob", "2031-03-05T00:00:03"), ("cyd", "2031-03-05T23:59")):
        tables.advance(seconds=1)
        tables.move(game, seat, "hide 2")
        goes_to(tables, when)
    assert [row["decision"] for row in tables.notices(kind="digest")] == ["2031-03-04", "2031-03-05"]


@once
@pytest.mark.parametrize(
    "digest, zone, wakes_at, when",
    [
        ("daily", "UTC", 480, at("2031-03-05T08:00")),
        ("daily", "UTC", 750, at("2031-03-04T12:30")),
        ("daily", "Pacific/Auckland", 480, at("2031-03-05T08:00", "Pacific/Auckland")),
        ("weekly", "UTC", 480, at("2031-03-10T08:00")),
        ("weekly", "America/New_York", 420, at("2031-03-10T07:00", "America/New_York")),
        ("off", "UTC", 480, None),
    ],
)
def test_rate06_it_comes_in_the_players_own_morning_weekly_on_mondays(tables, digest, zone, wakes_at, when):
    """It is Tuesday, noon in UTC."""
    wants(tables, "ann", digest, timezone=zone, wakes_at=wakes_at)
    assert planned(tables, "ann") == when


def test_rate06_nobody_gets_one_unasked(mail_tables):
    game = mail_tables.begin("ann", "bob")
    mail_tables.move(game, "bob", "hide 2")
    goes_to(mail_tables, "2031-03-12T08:00")
    assert not mail_tables.notices(kind="digest")


def test_rate06_it_is_made_at_that_moment_and_once_a_day(daily):
    goes_to(daily, "2031-03-05T07:59:59")
    assert not daily.notices(kind="digest")
    goes_to(daily, "2031-03-05T08:00")
    assert len(digests_to(daily, "ann")) == 1
    for _ in range(3):
        goes_to(daily, "2031-03-05T20:00")
    assert len(daily.notices(kind="digest")) == 1
    assert planned(daily, "ann") == at("2031-03-06T08:00")


def test_rate06_a_change_of_zone_moves_it(daily):
    daily.change_profile("ann", timezone="Pacific/Auckland")
    goes_to(daily, "2031-03-05T08:00", "Pacific/Auckland")
    assert len(digests_to(daily, "ann")) == 1
    assert planned(daily, "ann") == at("2031-03-06T08:00", "Pacific/Auckland")


def test_rate06_what_is_planned_anew_is_not_sent_at_once(daily):
    daily.change_profile("ann", wakes_at=420)
    sweep_digests(daily.services)
    assert not daily.notices(kind="digest")
    assert planned(daily, "ann") == at("2031-03-05T07:00")


def test_rate06_a_change_of_zone_after_it_came_brings_no_second_on_that_day(daily):
    goes_to(daily, "2031-03-05T08:00")
    daily.advance(hours=1)
    daily.move(daily.notices(kind="your-turn")[0]["game_id"], "cyd", "hide 1")
    daily.change_profile("ann", timezone="America/New_York")
    goes_to(daily, "2031-03-05T08:00", "America/New_York")
    assert len(daily.notices(kind="digest")) == 1


def test_rate07_one_that_is_late_waits_for_the_morning(daily):
    """The service was away all day; back at eleven at night it makes one, for the morning."""
    goes_to(daily, "2031-03-05T23:00")
    (row,) = daily.notices(kind="digest")
    assert (row["state"], row["not_before"]) == ("queued", at("2031-03-06T08:00"))
    daily.change_profile("ann", timezone="Europe/Paris")
    daily.execute("UPDATE deliveries SET not_before = 0 WHERE kind = 'digest'")
    daily.deliver()
    (row,) = daily.notices(kind="digest")
    assert (row["state"], row["attempts"]) == ("queued", 0)
    assert row["not_before"] == at("2031-03-06T08:00", "Europe/Paris"), "checked again when it is sent"


def test_rate06_two_that_wait_become_one(daily):
    goes_to(daily, "2031-03-05T23:00")
    goes_to(daily, "2031-03-06T08:00")
    daily.deliver()
    first, second = daily.notices(kind="digest")
    assert (first["state"], first["reason"]) == ("superseded", "a later digest tells it")
    assert second["state"] == "sent"
    assert "PennyHidden" in text_of(digests_to(daily, "ann")[0]), "and nothing is lost"


# What


def test_rate06_of_each_game_what_happened_and_who_is_to_answer_by_when(tables):
    game = tables.begin("ann", "bob", "cyd", options={"rounds": "3"})
    other = tables.begin("ann", "dan")
    wants(tables, "ann")
    tables.move(game, "bob", "hide 2")
    tables.move(other, "ann", "hide 1")
    goes_to(tables, "2031-03-05T08:00")
    (letter,) = digests_to(tables, "ann")
    words = text_of(letter)
    assert words.splitlines()[0] == "It is your turn in 1 game."
    first, second = sorted((game, other), key=words.index)
    assert (first, second) == (game, other), "what waits for ann comes first"
    about_first, about_second = words[words.index(game) : words.index(other)], words[words.index(other) :]
    assert "It is your turn: answer by Fri 07 Mar 2031 12:00 UTC." in " ".join(about_first.split())
    assert "cyd has to answer by" in about_first
    assert "bob is to answer" not in about_first
    assert "It is your turn" not in about_second
    assert "dan has to answer by" in about_second
    for one in (game, other):
        assert f"https://wardroom.example/g/{one}\n" in words
        head = tables.head(one)
        assert f"Version {head.version}, hash {head.hash}" in words
        assert head.hash in html_of(letter)


def test_rate06_what_one_digest_told_the_next_does_not(daily):
    goes_to(daily, "2031-03-05T08:00")
    game = daily.notices(kind="your-turn")[0]["game_id"]
    daily.advance(hours=1)
    daily.move(game, "cyd", "hide 1")
    goes_to(daily, "2031-03-06T08:00")
    first, second = (stories(letter) for letter in digests_to(daily, "ann"))
    assert first == second == ["PennyHidden"]


def test_rate06_it_tells_nothing_from_before_it_was_asked_for(mail_tables):
    game = mail_tables.begin("ann", "bob", "cyd")
    mail_tables.move(game, "cyd", "hide 1")
    mail_tables.advance(hours=1)
    wants(mail_tables, "ann")
    goes_to(mail_tables, "2031-03-05T08:00")
    assert not mail_tables.notices(kind="digest")
    mail_tables.change_profile("ann", digest="off")
    mail_tables.move(game, "bob", "hide 1")
    mail_tables.advance(hours=1)
    wants(mail_tables, "ann")
    goes_to(mail_tables, "2031-03-06T08:00")
    assert not mail_tables.notices(kind="digest")


def test_rate09_one_that_did_not_go_out_is_made_up_for_by_the_next(daily):
    goes_to(daily, "2031-03-05T08:00")
    daily.execute("UPDATE deliveries SET state = 'superseded', reason = 'held back: x' WHERE kind = 'digest'")
    game = daily.notices(kind="your-turn")[0]["game_id"]
    daily.advance(hours=1)
    daily.move(game, "cyd", "hide 1")
    goes_to(daily, "2031-03-06T08:00")
    assert stories(digests_to(daily, "ann")[1]) == ["PennyHidden", "PennyHidden"]
    assert "1 mail to you was held back before this one" in text_of(digests_to(daily, "ann")[1])


def test_rate06_nothing_happened_no_mail(daily):
    goes_to(daily, "2031-03-05T08:00")
    goes_to(daily, "2031-03-06T08:00")
    assert len(daily.notices(kind="digest")) == 1
    assert planned(daily, "ann") == at("2031-03-07T08:00")


def test_rate06_where_nothing_worth_telling_happened_it_is_not_sent(daily):
    goes_to(daily, "2031-03-05T08:00")
    daily.execute("UPDATE games SET last_at = :now", now=daily.clock.at + 1)
    goes_to(daily, "2031-03-06T08:00")
    assert [(row["state"], row["reason"]) for row in daily.notices(kind="digest")][1:] == [
        ("superseded", "nothing happened")
    ]


def test_rate06_a_long_story_is_cut_to_its_end(mail_tables):
    game = mail_tables.begin("ann", "bob", "cyd", "dan", kind="tammany-hall")
    wants(mail_tables, "ann")
    for seed in range(30):
        mail_tables.play_on(game, seed)
    goes_to(mail_tables, "2031-03-05T08:00")
    (letter,) = digests_to(mail_tables, "ann")
    told = [line for line in text_of(letter).splitlines() if line.startswith("  - ")]
    assert len(told) == MOST_TOLD == 5
    (more,) = re.findall(r"And (\d+) earlier events\.", text_of(letter))
    assert int(more) > 20
    assert f"And {more} earlier events" in html_of(letter)


def test_rate06_a_game_that_ended_is_told_of_once(mail_tables):
    game = mail_tables.begin("ann", "bob")
    wants(mail_tables, "ann")
    mail_tables.play_out(game, 1, late=0)
    goes_to(mail_tables, "2031-03-05T08:00")
    (letter,) = digests_to(mail_tables, "ann")
    assert "The game is over" in text_of(letter)
    assert text_of(letter).splitlines()[0] == "What happened in your games."
    mail_tables.advance(hours=1)
    other = mail_tables.begin("ann", "cyd")
    goes_to(mail_tables, "2031-03-06T08:00")
    assert game not in text_of(digests_to(mail_tables, "ann")[1])
    assert other in text_of(digests_to(mail_tables, "ann")[1])


def test_rate06_more_games_than_fit(mail_tables):
    wants(mail_tables, "ann")
    for _ in range(MOST_GAMES + 3):
        mail_tables.begin("ann", "bob")
    goes_to(mail_tables, "2031-03-05T08:00")
    (letter,) = digests_to(mail_tables, "ann")
    assert text_of(letter).count("wardroom.example/g/") == MOST_GAMES
    assert "You are in more games than fit here" in text_of(letter)


def test_rate06_a_game_she_muted_and_a_game_of_others_are_not_in_it(daily):
    muted, loud, foreign = daily.begin("ann", "bob"), daily.begin("ann", "bob"), daily.begin("bob", "cyd")
    with daily.services.database.write() as tx:
        unsubscribes.mute(daily.services.database, tx, daily.ids["ann"], muted)
    goes_to(daily, "2031-03-05T08:00")
    words = text_of(digests_to(daily, "ann")[0])
    assert loud in words
    assert muted not in words
    assert foreign not in words


def test_rate06_who_is_to_answer_is_told_as_it_is_when_it_is_sent(daily):
    game = daily.notices(kind="your-turn")[0]["game_id"]
    sweep_digests(daily.services)
    daily.advance(seconds=(at("2031-03-05T08:00") - daily.clock.at) / SECOND)
    sweep_digests(daily.services)
    daily.advance(minutes=1)
    daily.move(game, "ann", "hide 1")
    daily.deliver()
    words = text_of(digests_to(daily, "ann")[0])
    assert "It is your turn" not in words
    assert stories(digests_to(daily, "ann")[0]) == ["PennyHidden"], "the story ends where the digest was made …"
    goes_to(daily, "2031-03-06T08:00")
    assert stories(digests_to(daily, "ann")[1]) == ["PennyHidden"], "… and goes on with the next"


def test_rate06_while_the_clock_stands_it_says_so(daily):
    game = daily.begin("ann", "bob")
    with daily.services.database.write() as tx:
        clock_votes.propose(daily.services, tx, game, daily.ids["ann"], "pause", 5 * 86400)
    with daily.services.database.write() as tx:
        clock_votes.vote(daily.services, tx, game, daily.ids["bob"], True)
    goes_to(daily, "2031-03-05T08:00")
    words = text_of(digests_to(daily, "ann")[0])
    assert "It is your turn; the clock is stopped." in words
    assert "bob has to answer; the clock is stopped." in words


def test_who_takes_a_seat_over_reads_what_happened_since(mail_tables):
    game = mail_tables.begin("ann", "bob", "cyd", clock={"per_move": "P3D", "strikes": 1}, options={"rounds": "3"})
    wants(mail_tables, "dan")
    for name in ("ann", "cyd"):
        mail_tables.move(game, name, "hide 3")
    assert mail_tables.expire(game, 1)
    mail_tables.sit(game, "dan")
    goes_to(mail_tables, "2031-03-05T08:00")
    words = text_of(digests_to(mail_tables, "dan")[0]).lower()
    assert "dan is back" in words
    assert "dan let the deadline pass" not in words
    assert expire.UNDELIVERED


# Secrets, languages, the mail itself


def test_out30_s02_a_digest_is_told_from_the_view_of_its_readers_seat(mail_tables):
    """Of the same moves in two games at one time, but for what bob hides, ann reads the same."""
    wants(mail_tables, "ann")
    games = [mail_tables.begin("ann", "bob", "cyd", kind="tammany-hall") for _ in range(2)]
    mail_tables.advance(hours=1)
    for game, pennies in zip([mail_tables.begin("ann", "bob", "cyd") for _ in range(2)], (0, 3), strict=True):
        mail_tables.move(game, "bob", f"hide {pennies}")
        games.append(game)
    goes_to(mail_tables, "2031-03-05T08:00")
    words = WITNESS.sub("WITNESS", text_of(digests_to(mail_tables, "ann")[0]))
    one, other = (words[words.index(game) :].partition("\n\n")[0].replace(game, "GAME") for game in games[2:])
    assert one == other
    assert "PennyHidden" in one


def test_out36_without_secrets_it_says_how_much_happened_and_no_more(daily):
    daily.change_profile("ann", secret_free=True)
    goes_to(daily, "2031-03-05T08:00")
    words = text_of(digests_to(daily, "ann")[0])
    assert re.search(r"1 event\.", words)
    assert "PennyHidden" not in words
    assert "It is your turn: answer by" in words


def test_out37_it_speaks_the_language_of_its_reader(daily):
    daily.change_profile("ann", language="de")
    goes_to(daily, "2031-03-05T08:00")
    (letter,) = digests_to(daily, "ann")
    assert '<html lang="de">' in html_of(letter)
    assert "Mär" in text_of(letter), "days and months too"


def test_out13_out15_its_headers(daily):
    goes_to(daily, "2031-03-05T08:00")
    message = parsed(digests_to(daily, "ann")[0])
    assert message["Auto-Submitted"] == "auto-generated"
    assert message["Reply-To"].addresses[0].addr_spec == f"no-reply@{DOMAIN}", "it answers no decision"
    assert message["List-Id"] == f"<digest.{DOMAIN}>"
    assert message["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"
    assert message["Message-ID"].startswith("<digest.account.2031-03-05.")
    assert "In-Reply-To" not in message
    assert not re.search(r"\bmv-[0-9a-z]", digests_to(daily, "ann")[0].data.decode())


def test_rate02_the_same_notice_makes_the_same_bytes(daily):
    sweep_digests(daily.services)
    daily.advance(seconds=(at("2031-03-05T08:00") - daily.clock.at) / SECOND)
    sweep_digests(daily.services)
    (row,) = daily.notices(kind="digest")
    first = daily.compose(row)
    daily.advance(minutes=1)
    daily.begin("ann", "dan")
    daily.deliver()
    assert digests_to(daily, "ann")[0].data == first.data != b""


# The way out


def stop_link(letter: Letter) -> tuple[str, str]:
    found = re.fullmatch(r"<https://wardroom\.example(/u/[^>]+)>, <mailto:(u-[0-9a-z]{33}@play\.example)>",
                         str(parsed(letter)["List-Unsubscribe"]))  # fmt: skip
    assert found
    return found[1], found[2]


def test_out15_one_click_ends_digests_and_nothing_else(daily):
    game = daily.notices(kind="your-turn")[0]["game_id"]
    goes_to(daily, "2031-03-05T08:00")
    link, _ = stop_link(digests_to(daily, "ann")[0])
    browser = app_of(daily.services).test_client()
    assert "Stop the digest of all your games?" in browser.get(link).text
    assert profile(daily, "ann")["digest"] == "daily", "looking changes nothing (OUT-16)"
    before = {**profile(daily, "ann"), "digest": "off", "digest_at": None, "digest_since": None}
    for _ in range(2):
        assert "No more digests" in browser.post(link, data={"List-Unsubscribe": "One-Click"}).text
    assert profile(daily, "ann") == before
    with daily.services.database.read() as connection:
        assert not unsubscribes.is_muted(connection, daily.ids["ann"], game)
    again = browser.post(link, data={"action": "resume"}).text
    assert "You will get digests again." in again
    assert profile(daily, "ann")["digest"] == "daily"


def test_out15_a_weekly_digest_comes_again_weekly(mail_tables):
    wants(mail_tables, "ann", "weekly")
    mail_tables.begin("ann", "bob")
    goes_to(mail_tables, "2031-03-10T08:00")
    (letter,) = digests_to(mail_tables, "ann")
    assert "every Monday morning" in text_of(letter)
    link, _ = stop_link(letter)
    browser = app_of(mail_tables.services).test_client()
    browser.post(link)
    browser.post(link, data={"action": "resume"})
    assert profile(mail_tables, "ann")["digest"] == "weekly"


def test_out15_a_mail_to_the_address_ends_digests_and_nothing_else(daily):
    game = daily.notices(kind="your-turn")[0]["game_id"]
    goes_to(daily, "2031-03-05T08:00")
    _, address = stop_link(digests_to(daily, "ann")[0])
    mail = EmailMessage()
    mail["From"], mail["To"], mail["Subject"] = "Ann <ann@people.example>", address, "unsubscribe"
    mail["Message-ID"] = "<out@people.example>"
    mail.set_content("")
    number = daily.accept_mail(mail, address)
    daily.read_inbox()
    (row,) = daily.mails(id=number)
    assert (row["state"], row["reason"]) == ("applied", "digests stopped")
    assert (profile(daily, "ann")["digest"], planned(daily, "ann")) == ("off", None)
    with daily.services.database.read() as connection:
        assert not unsubscribes.is_muted(connection, daily.ids["ann"], game)
    assert profile(daily, "ann")["mail"]


def test_rate04_one_that_is_not_wanted_any_more_is_not_sent(daily):
    sweep_digests(daily.services)
    daily.advance(seconds=(at("2031-03-05T08:00") - daily.clock.at) / SECOND)
    sweep_digests(daily.services)
    daily.change_profile("ann", digest="off")
    daily.deliver()
    (row,) = daily.notices(kind="digest")
    assert (row["state"], row["reason"]) == ("superseded", "the player wants no digest")


def test_the_sweep_makes_digests(daily):
    sweep(daily.services, daily.carrier)
    daily.advance(seconds=(at("2031-03-05T08:00") - daily.clock.at) / SECOND)
    sweep(daily.services, daily.carrier)
    assert len(digests_to(daily, "ann")) == 1


def test_many_digests_are_all_made_in_one_sweep(mail_tables):
    for number in range(digests.BATCH + 5):
        wants(mail_tables, f"reader{number}")
    wants(mail_tables, "ann")
    mail_tables.begin("ann", "bob")
    goes_to(mail_tables, "2031-03-05T08:00")
    assert sweep_digests(mail_tables.services) == 0
    assert len(mail_tables.notices(kind="digest")) == 1, "the others sit in no game"
    assert planned(mail_tables, "reader3") == at("2031-03-06T08:00")
