"""Feeds at a secret address: what waits, what happened, until when; for programs of others, so nothing secret."""

import json
import re
from collections.abc import Iterator
from datetime import timedelta
from urllib.parse import urlsplit
from xml.etree import ElementTree

import pytest
import sqlalchemy as sa
from icalendar import Calendar

from config.logging import scrub
from service.accounts import feeds
from service.api.http import limits
from service.deadlines.calendar import Deadline, calendar_file
from service.games import clock_votes
from service.privacy import erase, export
from tests.databases import BOTH
from tests.letters import parsed
from tests.manual_clock import NOON, ManualClock
from tests.service.api.table import Api, ApiTable, Player
from tests.service.api.test_secrecy import Chips, Heard, told_twice, worlds
from tests.service.web.browser import Browser
from tests.service.web.feed_reader import NS, moment, read_atom, read_calendar
from tests.tables import Tables
from workers.feeds.channel import KEPT, tell_feeds
from workers.sweep import KEPT_IN_FEEDS, housekeep

__all__ = ["worlds"]


class Subscriber:
    """A program of somebody's that fetches their feeds, and has no session."""

    def __init__(self, tables: Tables, name: str) -> None:
        self.tables, self.name = tables, name
        self.owner = Browser(tables.services, tables.player(name))
        self.client = Browser(tables.services).client
        self.paths = self.renew()

    def renew(self) -> dict[str, str]:
        page = self.owner.get("/me/feeds")
        fields = self.owner.send(page.form("/me/feeds")).tags
        return {tag["id"]: urlsplit(tag["value"]).path for name, tag in fields if name == "input" and "readonly" in tag}

    def fetch(self, form: str, **headers: str):
        tell_feeds(self.tables.services)
        return self.client.get(self.paths[form], headers=headers)

    def news(self):
        answer = self.fetch("atom")
        assert answer.content_type == "application/atom+xml; charset=utf-8"
        return read_atom(answer.data)[1]

    def deadlines(self):
        answer = self.fetch("ics")
        assert answer.content_type == "text/calendar; charset=utf-8"
        assert len(Calendar.from_ical(answer.data).walk("VEVENT")) == len(read_calendar(answer.data))
        return read_calendar(answer.data)


def test_a_new_feed_begins_with_what_waits_and_tells_what_happens(tables):
    game = tables.begin("ann", "bob")
    ann, bob = Subscriber(tables, "ann"), Subscriber(tables, "bob")
    (waits,) = ann.news()
    assert waits.title == "ann, what is your move? Answer by Fri 07 Mar 2031 12:00 UTC. Lunch break"
    assert waits.link == f"http://127.0.0.1:8000/g/{game}"
    assert ann.news() == [waits], "and it keeps its entry"
    tables.move(game, "ann", "hide 1")
    assert ann.news() == [], "it is answered"
    assert len(bob.news()) == 1
    tables.move(game, "bob", "hide 2")
    (told,) = (ann, bob)[tables.awaited(game)[0]].news()
    assert told.id != waits.id


def test_what_happened_is_told_to_the_end(tables):
    game = tables.begin("ann", "bob")
    ann = Subscriber(tables, "ann")
    tables.expire(game, 0)
    assert any("deadline" in entry.title for entry in ann.news())
    tables.play_out(game, 5, late=0)
    assert "Your game of Pennies “Lunch break” is over." in [entry.title for entry in ann.news()]


def test_who_wants_no_secrets_in_mails_is_told_headlines_alone_in_their_language(tables):
    tables.begin("ann", "bob")
    tables.change_profile("ann", secret_free=True, language="de")
    (ann,), (bob,) = (Subscriber(tables, name).news() for name in ("ann", "bob"))
    assert (ann.title.startswith("ann, was ist dein Zug? "), ann.text) == (True, "")
    assert bob.text == "PotDrawn"


def test_without_a_feed_nothing_is_made_for_one(tables):
    tables.begin("ann", "bob")
    assert tell_feeds(tables.services) == 0


def test_a_deadline_that_moves_keeps_its_event_and_one_that_is_gone_is_in_no_calendar(tables):
    """RFC 5545 3.8.4.7, 3.8.7.4."""
    game = tables.begin("ann", "bob", clock={"per_move": "P3D", "grace": "PT10M"}, name="Lunch break")
    ann = Subscriber(tables, "ann")
    (before,) = ann.deadlines()
    assert moment(before["DTSTART"]) == NOON + timedelta(days=3)
    tables.advance(hours=1)
    agreed(tables, game, "extend", 86400)
    (after,) = ann.deadlines()
    assert after["UID"] == before["UID"]
    assert moment(after["DTSTART"]) - moment(before["DTSTART"]) == timedelta(days=1)
    assert int(after["SEQUENCE"]) > int(before["SEQUENCE"])
    assert moment(after["DTSTAMP"]) - moment(before["DTSTAMP"]) == timedelta(hours=1)
    assert after["VALARM.TRIGGER"] == "-PT3H"
    assert after["DESCRIPTION"] == "Lunch break: ann\\, bob"
    tables.move(game, "ann", "hide 1")
    assert ann.deadlines() == []


def test_out19_an_answered_deadline_leaves_the_calendar_however_it_was_answered(tables):
    """RFC 5545 3.6: with nothing left the calendar stays valid, so programs take it and drop the event."""
    endings = {
        "a move": lambda game: tables.move(game, "ann", "hide 1"),
        "the caretaker": lambda game: tables.expire(game, 0),
        "a pause": lambda game: agreed(tables, game, "pause", 7200),
    }
    for name, end in endings.items():
        game = tables.begin("ann", "bob", clock={"per_move": "P3D", "grace": "PT10M"})
        ann = Subscriber(tables, "ann")
        assert [event["URL"].rpartition("/")[2] for event in ann.deadlines()] == [game]
        end(game)
        answer = ann.fetch("ics", **{"If-None-Match": ann.fetch("ics").headers["ETag"]})
        assert answer.status_code == 304
        assert ann.deadlines() == [], name


def agreed(tables: Tables, game: str, what: str, seconds: int) -> None:
    """Ann proposes a change of the clock, and bob agrees."""
    with tables.services.database.write() as tx:
        clock_votes.propose(tables.services, tx, game, tables.ids["ann"], what, seconds)
    with tables.services.database.write() as tx:
        clock_votes.vote(tables.services, tx, game, tables.ids["bob"], True)


def test_an_entry_says_the_deadline_as_it_is_now_and_when_it_was_written(tables):
    """RFC 4287 4.2.15: readers show an entry again if `updated` has changed."""
    moved = {
        "extended": lambda game: agreed(tables, game, "extend", 86400),
        "stopped": lambda game: agreed(tables, game, "pause", 7200),
    }
    for name, move in moved.items():
        game = tables.begin("ann", "bob", clock={"per_move": "P3D", "grace": "PT10M"})
        ann = Subscriber(tables, "ann")
        (before,) = (entry for entry in ann.news() if "your-turn" in entry.id and entry.link.endswith(game))
        tables.advance(hours=1)
        move(game)
        (after,) = (entry for entry in ann.news() if entry.id == before.id)
        assert after.updated - before.updated == timedelta(hours=1), name
        assert after.title != before.title, name
        assert ("Sat 08 Mar 2031" in after.title) is (name == "extended"), after.title
        assert after in ann.news(), "once"


def test_every_feed_names_its_own_address(tables):
    """RFC 4287 4.1.1: a feed SHOULD have a link to itself."""
    game = tables.begin("ann", "bob")
    ann = Subscriber(tables, "ann")
    for path in (ann.paths["atom"], f"/g/{game}/feed.atom"):
        document = ElementTree.fromstring(ann.client.get(path).data)
        links = {link.attrib["rel"]: link.attrib["href"] for link in document.findall(f"{NS}link")}
        assert links["self"] == f"http://127.0.0.1:8000{path}"


def test_a_mail_and_the_calendar_speak_of_the_same_event(tables):
    tables.player("ann")
    tables.change_profile("ann", calendar=True)
    tables.begin("ann", "bob")
    ann = Subscriber(tables, "ann")
    (row,) = tables.notices(kind="your-turn", recipient=tables.ids["ann"])
    (file,) = [part for part in parsed(tables.compose(row)).walk() if part.get_content_type() == "text/calendar"]
    (mailed,), (event,) = read_calendar(file.get_payload(decode=True)), ann.deadlines()
    assert (mailed["UID"], mailed["DTSTART"]) == (event["UID"], event["DTSTART"])


def test_a_feed_that_has_not_changed_is_not_sent_again(tables):
    tables.begin("ann", "bob")
    ann = Subscriber(tables, "ann")
    for form in ("atom", "ics"):
        first = ann.fetch(form)
        assert first.headers["Cache-Control"] == "private, no-cache"
        assert first.headers["Referrer-Policy"] == "no-referrer"
        again = ann.fetch(form, **{"If-None-Match": first.headers["ETag"]})
        assert (again.status_code, again.data) == (304, b"")
        packed = ann.fetch(form, **{"Accept-Encoding": "gzip"})
        again = ann.fetch(form, **{"If-None-Match": packed.headers["ETag"], "Accept-Encoding": "gzip"})
        assert again.status_code == 304


def test_a_new_address_kills_the_old_one_and_what_was_told_stays(tables):
    tables.begin("ann", "bob")
    ann = Subscriber(tables, "ann")
    told, old = ann.news(), ann.paths
    ann.paths = ann.renew()
    assert [ann.client.get(path).status_code for path in old.values()] == [404, 404]
    assert ann.news() == told


def test_who_ends_their_feeds_has_none_any_more(tables):
    tables.begin("ann", "bob")
    ann = Subscriber(tables, "ann")
    assert ann.news()
    page = ann.owner.get("/me/feeds")
    assert "last fetched" in page.words
    assert ann.paths["atom"] not in page.html, "the address is shown once"
    ann.owner.send(page.form("/me/feeds/end"))
    assert ann.fetch("atom").status_code == 404
    with tables.services.database.read() as connection:
        assert feeds.of_player(connection, tables.ids["ann"]) is None
        kept = connection.execute(sa.text("SELECT count(*) FROM deliveries WHERE channel = 'feed'")).scalar_one()
    assert kept == 0, "and what they told is forgotten"


@pytest.mark.parametrize("secret", ["wr_", "x" * 300, "%F0%9F%98%80", "..%2F..%2Fme", "me"])
def test_what_is_no_address_of_a_feed_is_nothing(tables, secret):
    for form in ("atom", "ics", "xml"):
        assert Browser(tables.services).client.get(f"/feeds/{secret}.{form}").status_code == 404


def test_a_token_opens_no_feed_and_a_feed_no_api(tables):
    ann = Subscriber(tables, "ann")
    secret = ann.paths["atom"].removeprefix("/feeds/").removesuffix(".atom")
    answer = ann.client.get("/api/v1/me", headers={"Authorization": f"Bearer {secret}"})
    assert answer.status_code == 401
    ann.client.set_cookie("wardroom", secret)
    assert ann.client.get("/me/feeds").status_code == 303


HOSTILE = '</title><script>alert(1)</script>]]>&amp;"\x0b\x1b\ufffe; \\n,'


def test_names_that_would_break_a_feed_do_not(tables):
    """XML 1.0 2.2; RFC 5545 3.3.11."""
    game = tables.begin("ann", "bob", "cyd", kind="tammany-hall")
    tables.execute("UPDATE games SET name = :name", name=HOSTILE)
    tables.execute("UPDATE players SET name = :name WHERE id = :id", name=HOSTILE, id=tables.ids["bob"])
    ann = Subscriber(tables, "ann")
    while not (tables.awaited(game) == [0] and tables.head(game).version > 20):
        seat = tables.awaited(game)[0]
        tables.move(game, seat, tables.legal(game, seat)[0])
    assert "<script>alert(1)</script>]]>&amp;" in "".join(entry.text for entry in ann.news())
    (event,) = ann.deadlines()
    people = re.sub(r"[^ -~]", "", event["DESCRIPTION"])
    hostile = '</title><script>alert(1)</script>]]>&amp\\;"\\; \\\\n\\,'
    assert people == f"{hostile}: ann\\, {hostile}\\, cyd"
    public = Browser(tables.services).client.get(f"/g/{game}/feed.atom")
    assert any("<script>" in entry.title for entry in read_atom(public.data)[1])


def test_a_feed_holds_what_is_new(tables, monkeypatch):
    monkeypatch.setattr("workers.feeds.channel.KEPT", 2)
    assert KEPT == 60
    ann = Subscriber(tables, "ann")
    for _ in range(4):
        tables.begin("ann", "bob")
    assert len(ann.news()) == 2


def test_s29_no_log_has_the_secret_of_a_feed():
    line = scrub('127.0.0.1 "GET /feeds/wr_0123456789abcdef-ghijklmnop_qrstuv.atom" 200')
    assert line == '127.0.0.1 "GET /feeds/[struck out].atom" 200'


def test_by_rest_feeds_are_made_renewed_and_ended(tables):
    api = Api(tables.services, domain="people.example")
    ann = api.player("ann")
    assert api.get("/me/feeds", ann).ok().json == {"created_at": None, "last_used_at": None}
    first = api.post("/me/feeds", ann).ok(201).json
    second = api.post("/me/feeds", ann).ok(201).json
    fetched = [api.get("/" + urlsplit(made[form]).path).status for made in (first, second) for form in ("atom", "ics")]
    assert fetched == [404, 404, 200, 200]
    assert api.get("/me/feeds", ann).ok().json["last_used_at"] is not None
    assert [token["kind"] for token in api.get("/me/tokens", ann).ok().json["items"]].count("feed") == 1
    for _ in range(2):
        api.delete("/me/feeds", ann).ok(204)
    assert api.get("/" + urlsplit(second["ics"]).path).status == 404


def test_s50_with_their_owner_feeds_and_what_they_told_are_gone(tables):
    tables.begin("ann", "bob")
    ann = Subscriber(tables, "ann")
    assert len(ann.news()) == 1
    with tables.services.database.read() as connection:
        kept = json.loads(b"".join(export.export(tables.services, connection, tables.ids["ann"])))
    assert [json.loads(entry["body"])["headline"] for entry in kept["feed_entries"]] == [ann.news()[0].title]
    erase.erase(tables.services, tables.ids["ann"])
    assert [ann.fetch(form).status_code for form in ("atom", "ics")] == [404, 404]
    with tables.services.database.read() as connection:
        assert connection.execute(sa.text("SELECT count(*) FROM deliveries WHERE channel = 'feed'")).scalar_one() == 0


def exported_feed(tables: Tables, name: str) -> str:
    with tables.services.database.read() as connection:
        return json.dumps(
            json.loads(b"".join(export.export(tables.services, connection, tables.ids[name])))["feed_entries"]
        )


@pytest.mark.parametrize("base", BOTH)
def test_s50_the_feeds_of_others_name_an_erased_person_no_more(base, request, open_services):
    """Not a word of what was told stays, and the question that waits is asked again, without the name."""
    clock = ManualClock()
    tables = Tables(open_services(request.getfixturevalue(f"migrated_{base}"), clock=clock), clock)
    game, other = tables.begin("ann", "bob", "cyd", kind="tammany-hall"), tables.begin("ann", "bob")
    tables.execute("UPDATE players SET name = 'Cydonia' WHERE id = :id", id=tables.ids["cyd"])
    bob = Subscriber(tables, "bob")
    while not (tables.awaited(game) == [1] and tables.head(game).version > 20):
        seat = tables.awaited(game)[0]
        tables.move(game, seat, tables.legal(game, seat)[0])
    assert "Cydonia" in "".join(entry.text for entry in bob.news())
    assert "Cydonia" in exported_feed(tables, "bob")
    tables.move(other, "ann", "hide 1")
    kept = [entry for entry in bob.news() if entry.link.endswith(other)]
    erase.erase(tables.services, tables.ids["cyd"])
    assert "Cydonia" not in exported_feed(tables, "bob")
    told = bob.news()
    assert "Cydonia" not in "".join(entry.title + entry.text for entry in told)
    assert "Cydonia" not in exported_feed(tables, "bob")
    assert any(entry.link.endswith(game) for entry in told), "it is bob's turn still"
    assert [entry for entry in told if entry.link.endswith(other)] == kept, "a game of others is as it was"


@pytest.mark.parametrize("base", BOTH)
def test_s50_an_entry_that_was_being_written_meanwhile_is_emptied_by_the_second_look(base, request, open_services):
    clock = ManualClock()
    tables = Tables(open_services(request.getfixturevalue(f"migrated_{base}"), clock=clock), clock)
    tables.begin("ann", "bob", "cyd")
    bob = Subscriber(tables, "bob")
    assert bob.news()
    erase.erase(tables.services, tables.ids["cyd"])
    tables.execute("UPDATE deliveries SET body = 'Cydonia' WHERE channel = 'feed'")
    tables.advance(minutes=11)
    erase.go_on(tables.services)
    assert "Cydonia" not in exported_feed(tables, "bob")


def test_what_feeds_told_is_forgotten_after_sixty_days(tables):
    game = tables.begin("ann", "bob")
    ann = Subscriber(tables, "ann")
    tables.play_out(game, 5, late=0)
    assert ann.news()
    tables.clock.at += KEPT_IN_FEEDS
    housekeep(tables.services)
    assert ann.news()
    tables.clock.at += 1
    housekeep(tables.services)
    assert exported_feed(tables, "ann") == "[]"


def test_s29_feeds_are_counted_by_network_whatever_the_address(migrated_sqlite, open_services, monkeypatch):
    """Who guesses addresses has no more tries than who fetches."""
    monkeypatch.setattr(limits, "FEEDS", 3)
    client = Browser(open_services(migrated_sqlite, RATE_LIMITS="on")).client
    paths = [*(f"/feeds/wr_{'x' * 40}{number}.ics" for number in range(3)), "/g/abc/feed.atom"]
    answers = [client.get(path) for path in paths]
    assert [answer.status_code for answer in answers] == [404, 404, 404, 429]
    assert int(answers[-1].headers["Retry-After"]) > 0


# Public games


def test_a_public_game_tells_its_story_to_anybody(tables):
    game = tables.begin("ann", "bob")
    reader = Browser(tables.services).client
    path = f"/g/{game}/feed.atom"
    (feed, before), page = (
        read_atom(reader.get(path).data),
        Browser(tables.services, tables.ids["ann"]).get(f"/g/{game}"),
    )
    assert {"rel": "alternate", "type": "application/atom+xml", "title": "Pennies", "href": path} in [
        attrs for tag, attrs in page.tags if tag == "link"
    ]
    tables.move(game, "ann", "hide 1")
    tables.move(game, "bob", "hide 1")
    answer = reader.get(path)
    now = read_atom(answer.data)
    assert now[0] == feed
    assert [entry.id for entry in now[1]][-len(before) :] == [entry.id for entry in before], "newest first, ids stay"
    assert now[1][0].link == f"http://127.0.0.1:8000/g/{game}?v={now[1][0].id.rpartition('/')[2]}"
    assert answer.headers["Cache-Control"] == "public, max-age=60"
    assert reader.get(path, headers={"If-None-Match": answer.headers["ETag"]}).status_code == 304


def test_s11_a_private_game_has_no_feed_not_even_for_those_who_sit_there(tables):
    game = tables.begin("ann", bots=1, public=False)
    for browser in (Browser(tables.services), Browser(tables.services, tables.ids["ann"])):
        assert browser.client.get(f"/g/{game}/feed.atom").status_code == 404
        assert browser.client.get("/g/g_nothing/feed.atom").status_code == 404
    assert "feed.atom" not in Browser(tables.services, tables.ids["ann"]).get(f"/g/{game}").html


# The twin law


@pytest.mark.slow
def test_s02_no_feed_tells_what_a_sealed_bid_holds(worlds):
    def story(table: ApiTable, secretive: Player, chips: Chips) -> Iterator[Heard]:
        for player in table.seated:
            table.api.post("/me/feeds", player).ok(201)
        made = {player.name: table.api.post("/me/feeds", player).ok(201).json for player in table.seated}
        table.bid(secretive, **chips)
        yield _fetched(table, made)
        table.bid(secretive)
        for player in table.seated:
            if player is not secretive:
                table.bid(player)
        yield _fetched(table, made)

    told_twice(worlds, _unknowing(story))


def _fetched(table: ApiTable, made: dict[str, dict[str, str]]) -> Heard:
    tell_feeds(table.api.services)
    heard: Heard = {}
    for name, urls in made.items():
        paths = [urlsplit(urls["atom"]).path, urlsplit(urls["ics"]).path, f"/g/{table.id}/feed.atom"]
        answers = [table.api.get(f"/{path}").ok() for path in paths]
        heard[name] = [(path, one.status, (), one.text) for path, one in zip(paths, answers, strict=True)]
    return heard


def _unknowing(story):
    """Also who knows the secret reads the same in their feeds: their name is not looked for."""

    def told(table: ApiTable, secretive: Player, chips: Chips) -> Iterator[Heard]:
        for heard in story(table, secretive, chips):
            yield {f"the feeds of {name}": lines for name, lines in heard.items()}

    return told


def test_a_line_of_a_calendar_is_folded_and_nothing_breaks_out_of_it():
    deadline = Deadline("g", 0, 1, 0, 0, 0, "ü" * 200 + "\r\nEND:VEVENT", "https://example.org", "a\nBEGIN:VALARM")
    (event,) = read_calendar(calendar_file("example.org", [deadline], "my;name"))
    assert event["SUMMARY"].startswith("ü" * 200)
