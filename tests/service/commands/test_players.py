"""`wardroom players` and `wardroom talk`: who they are, and what the operator does about them, which they are told."""

import json
import os

import pytest
import sqlalchemy as sa

from service.games import chat
from service.store.people import suspensions
from service.store.rows import EventRow
from service.store.running import operator_acts
from tests.letters import text_of
from tests.service.clock_tables import clock_tables, sqlite_clock_tables
from tests.service.commands import commanded
from tests.service.commands.commanded import Run
from tests.tables import Tables
from tests.workers.worker_tables import manual_clock

__all__ = ["clock_tables", "manual_clock", "sqlite_clock_tables"]
BECAUSE = ("--why", "Two Bobs.", "--as", "carla", "--yes")


@pytest.fixture
def wardroom(sqlite_clock_tables: Tables, monkeypatch: pytest.MonkeyPatch) -> Run:
    return commanded.on(sqlite_clock_tables.services, monkeypatch)


def mails(tables: Tables, name: str) -> list[str]:
    tables.deliver()
    return [text_of(letter) for letter in tables.carrier.letters_to(name)]


def acts(tables: Tables) -> list[operator_acts.Act]:
    with tables.services.database.read() as connection:
        return list(operator_acts.every(connection))


# list and show


def test_players_are_found_by_name_and_address_and_listed_page_by_page(clock_tables, monkeypatch):
    wardroom = commanded.on(clock_tables.services, monkeypatch)
    for name in ("ann", "bob", "cyd", "b_b"):
        clock_tables.player(name)
        clock_tables.advance(seconds=1)
    clock_tables.begin("ann", "bob")

    def listed(*words: str) -> list[str]:
        done = wardroom("players", "list", "--json", *words)
        assert done.exit_code == 0, done.stderr
        return [json.loads(line)["name"] for line in done.stdout.splitlines()]

    assert listed() == ["b_b", "cyd", "bob", "ann"]
    assert listed("B_") == ["b_b"]
    assert listed("BOB@people") == ["bob"]
    assert listed("nobody") == []
    assert listed("--suspended") == []
    first = wardroom("players", "list", "--limit", "3")
    rest = first.stderr.split("--after ")[1].rstrip(".\n")
    assert listed("--after", rest) == ["ann"]
    assert [line.split()[1] for line in first.stdout.splitlines()] == ["name", "b_b", "cyd", "bob"]


def test_a_player_is_shown_by_id_address_or_name_without_talk_or_secrets(sqlite_clock_tables, wardroom):
    game = sqlite_clock_tables.begin("ann", "bob")
    with sqlite_clock_tables.services.database.write() as tx:
        chat.say(sqlite_clock_tables.services, tx, game, sqlite_clock_tables.ids["bob"], "marmalade", to=None)
    bob = sqlite_clock_tables.ids["bob"]
    for known_as in (bob, "bob@people.example", "BOB@people.example", "bob"):
        found = json.loads(wardroom("players", "show", known_as, "--json").stdout)
        assert found["id"] == bob
    assert [(seat["game"], seat["status"]) for seat in found["seats"]] == [(game, "running")]
    assert [token["label"] for token in found["tokens"]] == ["command line"]
    assert found["mail"] == {"wanted": True, "state": "ok", "said": None}
    told = wardroom("players", "show", "bob").stdout
    assert game in told
    assert "marmalade" not in told
    unknown = wardroom("players", "show", "zed")
    assert (unknown.exit_code, "wardroom players list" in unknown.stderr) == (os.EX_NOUSER, True)
    sqlite_clock_tables.rename("cyd", "bob")
    several = wardroom("players", "show", "bob")
    assert (several.exit_code, bob in several.stderr) == (os.EX_USAGE, True)


# rename


@pytest.mark.slow
def test_a_player_who_is_renamed_is_told_and_so_is_their_table(sqlite_clock_tables, wardroom):
    sqlite_clock_tables.begin("ann", "bob")
    sqlite_clock_tables.deliver()
    done = wardroom("players", "rename", "bob", "Bob the Second", *BECAUSE)
    assert done.exit_code == 0, done.stderr
    assert (acts(sqlite_clock_tables)[-1].what, acts(sqlite_clock_tables)[-1].why) == ("players rename", "Two Bobs.")
    own, other = mails(sqlite_clock_tables, "bob")[-1], mails(sqlite_clock_tables, "ann")[-1]
    assert "You are called Bob the Second now" in own
    assert "Two Bobs." in own
    assert "bob is called Bob the Second now" in other
    assert "Two Bobs." not in other, "the reason is for whom it is about"


@pytest.mark.parametrize(
    ("name", "code", "told"),
    [
        ("Admin", os.EX_DATAERR, "the service's own"),
        ("ann", os.EX_DATAERR, "looks like your name"),
        ("bob", os.EX_DATAERR, "That is their name already."),
    ],
)
def test_a_name_that_nobody_may_have_is_not_given(sqlite_clock_tables, wardroom, name, code, told):
    sqlite_clock_tables.begin("ann", "bob")
    done = wardroom("players", "rename", "bob", name, *BECAUSE)
    assert (done.exit_code, told in done.stderr) == (code, True), done.stderr
    assert acts(sqlite_clock_tables) == []


@pytest.mark.parametrize(
    "words",
    [
        ("players", "rename", "bob", "Bo", "--why", "x"),
        ("players", "suspend", "bob", "--why", "x"),
        ("players", "tokens", "revoke", "bob", "--all", "--why", "x"),
        ("players", "tokens", "revoke", "bob", "--why", "x", "--yes"),
        ("players", "suspend", "bob", "--yes"),
        ("players", "suspend", "bob", "--why", "write to x@people.example", "--yes"),
        ("players", "suspend", "bob", "--until", "soon", *BECAUSE),
        ("players", "suspend", "bob", "--until", "P4000000D", *BECAUSE),
        ("players", "suspend", "bob", "--until", "9999-12-31T23:59:59-23:00", *BECAUSE),
        ("players", "suspend", "bob", "--until", "P1D", "--lift", *BECAUSE),
    ],
)
def test_what_is_not_meant_so_is_not_done(sqlite_clock_tables, wardroom, words):
    sqlite_clock_tables.player("bob")
    assert wardroom(*words).exit_code == os.EX_USAGE
    assert acts(sqlite_clock_tables) == []


# suspend and lift


@pytest.mark.slow
def test_a_suspension_is_told_ends_by_itself_and_can_be_lifted(clock_tables, monkeypatch):
    tables, wardroom = clock_tables, commanded.on(clock_tables.services, monkeypatch)
    tables.begin("ann", "bob")
    tables.deliver()
    bob = tables.ids["bob"]
    assert wardroom("players", "suspend", "bob", "--until", "P14D", *BECAUSE).exit_code == 0
    with tables.services.database.read() as connection:
        assert suspensions.of(connection, bob, tables.clock.at) is not None
        assert suspensions.of(connection, bob, tables.clock.at + 14 * 86_400_000_000) is None
    own, host = mails(tables, "bob")[-1], mails(tables, "ann")[-1]
    assert "You are kept out of Wardroom until" in own
    assert "Two Bobs." in own
    assert "caretaker" in own
    assert "bob, who sits at a table of yours, cannot play for now" in host
    assert "Two Bobs." not in host
    assert json.loads(wardroom("players", "list", "--suspended", "--json").stdout)["id"] == bob
    assert json.loads(wardroom("players", "show", "bob", "--json").stdout)["suspension"]["why"] == "Two Bobs."
    assert wardroom("players", "suspend", "bob", "--lift", *BECAUSE).exit_code == 0
    assert "You can come in again" in mails(tables, "bob")[-1]
    again = wardroom("players", "suspend", "bob", "--lift", *BECAUSE)
    assert (again.exit_code, "not suspended" in again.stderr) == (os.EX_DATAERR, True)
    over = wardroom("players", "suspend", "bob", "--until", "2001-01-01", *BECAUSE)
    assert (over.exit_code, "That time is over" in over.stderr) == (os.EX_DATAERR, True)


def test_the_games_of_a_suspended_player_go_on_by_their_clocks(sqlite_clock_tables, wardroom):
    tables = sqlite_clock_tables
    game = tables.begin_timed("ann", "bob")
    tables.deliver()
    assert wardroom("players", "suspend", "bob", *BECAUSE).exit_code == 0
    due = tables.due(game, "bob")
    tables.mark_all_sent()
    tables.advance(microseconds=due - tables.clock.at + 3_600_000_000)
    tables.sweep()
    assert tables.events(game, "table.caretaker-acted"), "nobody waits for ever"


# tokens


@pytest.mark.slow
def test_tokens_are_ended_one_or_all_and_their_owner_is_told(sqlite_clock_tables, wardroom):
    tables = sqlite_clock_tables
    tables.player("bob")
    token = json.loads(wardroom("players", "show", "bob", "--json").stdout)["tokens"][0]["id"]
    assert wardroom("players", "tokens", "revoke", "bob", "t_none", *BECAUSE).exit_code == os.EX_DATAERR
    assert wardroom("players", "tokens", "revoke", "bob", token, *BECAUSE).exit_code == 0
    assert json.loads(wardroom("players", "show", "bob", "--json").stdout)["tokens"] == []
    assert "Tokens of yours were ended" in mails(tables, "bob")[-1]
    assert acts(tables)[-1].results == {"tokens": 1}


# talk


@pytest.mark.slow
def test_a_hidden_line_is_read_by_nobody_in_talk_and_mails_until_it_is_shown_again(clock_tables, monkeypatch):
    tables, wardroom = clock_tables, commanded.on(clock_tables.services, monkeypatch)
    game = tables.begin("ann", "bob")
    tables.deliver()
    with tables.services.database.write() as tx:
        line = chat.say(tables.services, tx, game, tables.ids["bob"], "marmalade", to=None)
        chat.say(tables.services, tx, game, tables.ids["bob"], "toast", to=None)
    tables.advance(minutes=5, seconds=1)
    hidden = wardroom("talk", "hide", game, f"{line}", "--why", "Threats.", "--yes")
    assert hidden.exit_code == 0, hidden.stderr

    def read(name: str) -> list[str]:
        head = tables.head(game)
        with tables.services.database.read() as connection:
            seat = tables.seat(game, name)
            lines = chat.messages(tables.services, connection, head, seat).lines
        return [f"{said.hidden}" if said.hidden else said.text for said in lines]

    assert read("ann") == read("bob") == ["hidden by the operator of this service: Threats.", "toast"]
    tables.advance(minutes=5)
    told = mails(tables, "ann")
    assert not any("marmalade" in mail for mail in told)
    assert any("hidden by the operator of this service: Threats." in mail and "toast" in mail for mail in told)
    assert any("A line of yours was hidden" in mail for mail in mails(tables, "bob"))
    assert wardroom("talk", "hide", game, f"{line}", "--why", "x", "--yes").exit_code == os.EX_DATAERR
    assert wardroom("talk", "hide", game, "7", "--why", "x", "--yes").exit_code == os.EX_NOINPUT
    assert wardroom("talk", "hide", "nosuchgame", f"{line}", "--why", "x", "--yes").exit_code == os.EX_NOINPUT
    assert wardroom("talk", "unhide", game, f"{line}", "--why", "A quotation.", "--yes").exit_code == 0
    assert read("ann") == ["marmalade", "toast"]


def test_a_mail_of_hidden_lines_alone_is_not_sent(sqlite_clock_tables, wardroom):
    tables = sqlite_clock_tables
    game = tables.begin("ann", "bob")
    tables.deliver()
    with tables.services.database.write() as tx:
        line = chat.say(tables.services, tx, game, tables.ids["bob"], "marmalade", to=None)
    assert wardroom("talk", "hide", game, f"{line}", "--why", "Threats.", "--yes").exit_code == 0
    tables.advance(minutes=10)
    tables.deliver()
    assert tables.states(kind="talk") == {"superseded": 1}


# The law


def test_no_command_of_these_changes_an_event_or_tells_what_is_sealed(sqlite_clock_tables, wardroom):
    tables = sqlite_clock_tables
    game = tables.begin("ann", "bob")
    table = EventRow.__table__

    def rows() -> list[object]:
        with tables.services.database.read() as connection:
            return list(connection.execute(sa.select(table).order_by(table.c.game_id, table.c.version)).all())

    before = rows()
    for words in (
        ("players", "rename", "bob", "Robert"),
        ("players", "suspend", "Robert"),
        ("players", "suspend", "Robert", "--lift"),
        ("players", "tokens", "revoke", "Robert", "--all"),
    ):
        assert wardroom(*words, *BECAUSE).exit_code == 0
    assert rows() == before
    assert [act.results.get("seed") for act in acts(tables)] == [None] * 4
    head = tables.head(game)
    assert head.version == len(before)
