"""`wardroom games`, `seats`, `deadline` and `journal`: what operators see and do, and never see or half do."""

import json
import os
import re
from typing import Any

import pytest
import sqlalchemy as sa
from click.testing import Result

from domain.audit.verify_history import audit
from domain.engine.game import NOBODY
from service.store.across import gauges, player_lists
from service.store.event_store import histories
from service.store.games import invitations
from service.store.rows import EventRow, LeafRow
from service.store.running import operator_acts
from tests.service.clock_tables import DAY, HOUR, clock_tables, sqlite_clock_tables
from tests.service.commands import commanded
from tests.service.commands.commanded import Run
from tests.service.store.service_tables import check
from tests.tables import Tables
from tests.workers.worker_tables import manual_clock

__all__ = ["clock_tables", "manual_clock", "sqlite_clock_tables"]
WHY = ("--why", "They asked for it.", "--as", "carla")


@pytest.fixture
def wardroom(clock_tables: Tables, monkeypatch: pytest.MonkeyPatch) -> Run:
    return commanded.on(clock_tables.services, monkeypatch)


@pytest.fixture
def on_sqlite(sqlite_clock_tables: Tables, monkeypatch: pytest.MonkeyPatch) -> Run:
    return commanded.on(sqlite_clock_tables.services, monkeypatch)


def told(done: Result) -> Any:
    """What a command printed for programs."""
    assert done.exit_code == 0, done.stderr
    return json.loads(done.stdout)


def listed(done: Result) -> list[str]:
    assert done.exit_code == 0, done.stderr
    return [json.loads(line)["id"] for line in done.stdout.splitlines()]


def fails(done: Result, code: int, *words: str) -> None:
    assert done.exit_code == code, done.output
    assert all(word in done.stderr for word in words), done.stderr
    assert "Traceback" not in done.output


def journal(tables: Tables) -> list[str]:
    with tables.services.database.read() as connection:
        return [act.what for act in operator_acts.every(connection)]


# Looking


def test_games_are_listed_by_status_rules_host_and_how_long_somebody_is_waited_for(clock_tables, wardroom):
    old = clock_tables.begin_timed("ann", "bob", "cyd")
    clock_tables.advance(days=2)
    waits = clock_tables.open("bob", public=False)
    new = clock_tables.begin_timed("bob", "ann")
    assert listed(wardroom("games", "list", "--json"))[2] == old
    assert set(listed(wardroom("games", "list", "--json", "--limit", "2"))) == {new, waits}
    assert listed(wardroom("games", "list", "--status", "open", "--json")) == [waits], "private ones, too"
    assert listed(wardroom("games", "list", "--waiting", "24", "--json")) == [old]
    assert listed(wardroom("games", "list", "--host", "ann@people.example", "--json")) == [old]
    assert set(listed(wardroom("games", "list", "--host", "BOB", "--json"))) == {new, waits}
    meant = f"{waits[:-1]}{'3' if waits[-1] == '2' else '2'}"
    fails(wardroom("games", "show", meant), os.EX_NOINPUT, waits)
    with clock_tables.services.database.read() as connection:
        assert player_lists.games_beginning(connection, waits[:6], 9) == [(waits, "pennies", "open")]
        assert gauges.games_by_status(connection) == {"open": 1, "running": 2}
    assert listed(wardroom("games", "list", "--stopped", "--json")) == []
    assert wardroom("games", "list", "--stopped").stderr == "There is no such game.\n"
    first = wardroom("games", "list", "--limit", "1", "--json")
    assert first.stderr == f"There are more: say the same with --after {listed(first)[0]}.\n"
    rest = wardroom("games", "list", "--after", listed(first)[0], "--json")
    assert [*listed(first), *listed(rest)] == listed(wardroom("games", "list", "--json"))
    (row,) = map(json.loads, wardroom("games", "list", "--status", "open", "--json").stdout.splitlines())
    assert (row["seats"], row["free"], row["asked"], row["waiting_since"], row["public"]) == (3, 2, 0, None, False)
    fails(wardroom("games", "list", "--ruleset", "chess"), os.EX_DATAERR, "There are no such rules", "tammany-hall")
    fails(wardroom("games", "list", "--host", "nobody"), os.EX_NOUSER, "There is no player nobody")


def test_a_game_is_shown_with_seats_clock_who_is_asked_what_did_not_go_out_and_the_journal(clock_tables, wardroom):
    game = clock_tables.begin("ann", "bob", bots=1, clock={"per_move": "P1D", "grace": "PT10M", "reminders": []})
    wardroom("games", "pause", game, *WHY, "--hours", "5")
    found = told(wardroom("games", "show", game, "--json"))
    assert [(seat["status"], seat["name"]) for seat in found["seat_list"]] == [
        ("taken", "ann"), ("taken", "bob"), ("bot", "bot 0, even"),
    ]  # fmt: skip
    assert found["clock"]["per_move"] == "P1D"
    assert (found["paused"], found["paused_until"]) == (True, "2031-03-04T17:00:00Z")
    assert [(asked["seat"], asked["due"]) for asked in found["asked_list"]] == [(0, None), (1, None)]
    assert {(mail["kind"], mail["seat"], mail["state"]) for mail in found["undelivered"]} == {
        (kind, seat, "queued") for kind in ("your-turn", "operator-act") for seat in (0, 1)
    }
    (act,) = found["journal"]
    assert (act["operator"], act["what"], act["why"]) == ("carla", "clock-paused", "They asked for it.")
    text = wardroom("games", "show", f"https://games.example/g/{game.upper()}/").stdout
    assert "by ann" in text
    assert "\nClock: Each move has " in text
    assert "The clock stands until 2031-03-04T17:00:00Z at most." in text
    assert "carla: clock-paused. They asked for it." in text
    version = clock_tables.head(game).version
    with clock_tables.services.database.read() as connection:
        for before, last in ((None, version), (version + 1, version), (version, None)):
            assert histories.last_of_types(connection, game, ["table.clock-paused"], before) == last, before


def test_a_game_that_is_stopped_is_shown_with_why_and_nothing_is_done_there(sqlite_clock_tables, on_sqlite):
    game = sqlite_clock_tables.begin_timed()
    sqlite_clock_tables.execute("UPDATE games SET halted_at = 1, halted = 'event 3: It is not whole.'")
    assert "STOPPED since 1970" in on_sqlite("games", "show", game).stdout
    assert listed(on_sqlite("games", "list", "--stopped", "--json")) == [game]
    for words in (("games", "end", game, "--yes"), ("deadline", "extend", game, "0", "5")):
        fails(on_sqlite(*words, *WHY), os.EX_UNAVAILABLE, "event 3", f"doctor --audit --game {game}")


def test_a_game_that_turns_out_not_to_hold_is_no_fault_of_wardroom(sqlite_clock_tables, on_sqlite):
    game = sqlite_clock_tables.begin_timed()
    sqlite_clock_tables.execute("UPDATE games SET version = version - 1")
    for words in (("games", "pause", game), ("games", "end", game, "--yes")):
        fails(on_sqlite(*words, *WHY), os.EX_UNAVAILABLE, "is stopped", f"doctor --audit --game {game}")
    assert listed(on_sqlite("games", "list", "--stopped", "--json")) == [game]


# Acting


@pytest.mark.slow
def test_time_is_given_to_a_seat_by_number_colour_or_name_and_to_all(clock_tables, wardroom):
    game = clock_tables.begin_timed("ann", "bob")
    due = clock_tables.due(game, "bob")
    for number, seat in enumerate(
        ("1", "bob", told(wardroom("games", "show", game, "--json"))["seat_list"][1]["colour"]), 1
    ):
        done = wardroom("deadline", "extend", game, seat, "5", *WHY)
        assert done.stderr == f"Seat 1 in {game} has 5 hours more.\n"
        assert clock_tables.due(game, "bob") == due + number * 5 * HOUR
    assert wardroom("deadline", "extend", game, "--all", "24", *WHY).exit_code == 0
    assert clock_tables.due(game, "ann") == due + DAY
    for words in ((game, "5"), (game, "0", "1", "5"), (game, "--all", "0", "5"), (game, "0", "721"), (game, "0", "x")):
        fails(wardroom("deadline", "extend", *words, *WHY), os.EX_USAGE)
    fails(wardroom("deadline", "extend", game, "eve", "5", *WHY), os.EX_DATAERR, "0 (ann), 1 (bob)")
    clock_tables.move(game, "bob", "hide 1")
    fails(wardroom("deadline", "extend", game, "bob", "5", *WHY), os.EX_DATAERR, "Nothing is asked of this seat now")
    check(clock_tables.services, game)


def test_a_clock_is_stopped_and_started_and_what_is_done_already_is_refused(clock_tables, wardroom):
    game = clock_tables.begin_timed("ann", "bob")
    assert wardroom("games", "pause", game, *WHY).stderr == f"The clock of {game} is stopped.\n"
    fails(wardroom("games", "pause", game, *WHY), os.EX_DATAERR, "The clock is stopped already.")
    assert wardroom("games", "resume", game, *WHY).stderr == f"The clock of {game} runs again.\n"
    fails(wardroom("games", "resume", game, *WHY), os.EX_DATAERR, "there is nothing to resume")
    assert journal(clock_tables) == ["clock-paused", "clock-resumed"]


def test_a_game_is_ended_by_whoever_types_its_id_or_says_yes(sqlite_clock_tables, on_sqlite, monkeypatch):
    game = sqlite_clock_tables.begin_timed("ann", "bob")
    fails(on_sqlite("games", "end", game, *WHY), os.EX_USAGE, "say --yes")
    monkeypatch.setattr("service.commands.operating.acting.sys.stdin.isatty", lambda: True, raising=False)
    done = on_sqlite("games", "end", game, "--yes", *WHY, "--json")
    assert told(done)["what"] == "game-ended"
    assert done.stderr == f"Game {game} is over.\n"
    assert sqlite_clock_tables.head(game).table.status == "abandoned"
    for words in (
        ("games", "end", game, "--yes"), ("games", "pause", game), ("seats", "vacate", game, "0", "--yes"),
        ("seats", "invite", game, "0", "dan@people.example"), ("deadline", "extend", game, "--all", "5"),
    ):  # fmt: skip
        fails(on_sqlite(*words, *WHY), os.EX_DATAERR, "The game is over.")


def test_a_seat_is_freed_and_somebody_invited_to_it(clock_tables, wardroom):
    game = clock_tables.begin_timed("ann", "bob", "cyd")
    fails(wardroom("seats", "invite", game, "bob", "dan@people.example", *WHY), os.EX_DATAERR, "free it first")
    assert wardroom("seats", "vacate", game, "bob", "--yes", *WHY).stderr == f"Seat 1 of {game} is free.\n"
    fails(wardroom("seats", "vacate", game, "1", "--yes", *WHY), os.EX_DATAERR, "Nobody plays this seat.")
    done = wardroom("seats", "invite", game, "1", "Dan@People.example", *WHY)
    assert done.stderr == f"Dan@People.example is invited to seat 1 of {game}.\n"
    with clock_tables.services.database.read() as connection:
        host = clock_tables.ids["ann"]
        for statuses, invited in ((("open", "running"), 1), (("open",), 0)):
            assert invitations.of_host(connection, host, 0, statuses) == invited, statuses
    fails(wardroom("seats", "invite", game, "1", "nonsense", *WHY), os.EX_DATAERR)
    fails(wardroom("seats", "invite", game, "1", "dan@people.example", *WHY), os.EX_DATAERR, "invited to the table")
    assert [json.loads(line)["what"] for line in wardroom("journal", "--json").stdout.splitlines()] == [
        "seat-invited", "seat-vacated",
    ]  # fmt: skip
    assert "people.example" not in wardroom("journal").stdout, "the journal is for good, and says no address"


def test_the_seat_of_the_last_person_is_not_freed_which_would_end_the_game(clock_tables, wardroom):
    game = clock_tables.begin_timed("ann", "bob")
    assert wardroom("seats", "vacate", game, "bob", "--yes", *WHY).exit_code == 0
    for how in ("--yes", "--dry-run"):
        fails(wardroom("seats", "vacate", game, "ann", how, *WHY), os.EX_DATAERR, "Nobody else plays there")
    assert clock_tables.head(game).table.status == "running"


def test_nothing_is_done_that_is_only_rehearsed(clock_tables, wardroom):
    game = clock_tables.begin_timed("ann", "bob")
    before = clock_tables.head(game).hash
    for words in (
        ("games", "end", game), ("games", "pause", game), ("seats", "vacate", game, "0"),
        ("deadline", "extend", game, "--all", "5"),
    ):  # fmt: skip
        done = wardroom(*words, *WHY, "--dry-run")
        assert done.exit_code == 0
        assert done.stderr.startswith("Nothing was done (--dry-run); without it: ")
    fails(wardroom("games", "resume", game, *WHY, "--dry-run"), os.EX_DATAERR)
    assert clock_tables.head(game).hash == before
    assert journal(clock_tables) == []


ACTS = (
    ("games", "end"), ("games", "pause"), ("games", "resume"), ("seats", "vacate"), ("seats", "invite"),
    ("deadline", "extend"),
)  # fmt: skip


@pytest.mark.parametrize("command", ACTS, ids=" ".join)
def test_an_id_that_nobody_knows_is_answered_with_those_like_it_and_a_reason_is_wanted(
    sqlite_clock_tables, on_sqlite, command
):
    game = sqlite_clock_tables.begin_timed("ann", "bob")
    wrong = game[:-1] + ("x" if game[-1] != "x" else "y")
    more = {"vacate": ["0"], "invite": ["0", "dan@people.example"], "extend": ["0", "5"]}.get(command[1], [])
    fails(on_sqlite(*command, wrong, *more, *WHY, "--yes"), os.EX_NOINPUT, f"Is it {game}?")
    fails(on_sqlite(*command, "zzz", *more, *WHY, "--yes"), os.EX_NOINPUT, "games list")
    fails(on_sqlite(*command, game, *more, "--yes"), os.EX_USAGE, "--why")
    fails(
        on_sqlite(*command, game, *more, "--yes", "--why", "bob@people.example"), os.EX_USAGE, "leave the address out"
    )
    fails(on_sqlite(*command, game, *more, "--yes", "--why", " "), os.EX_USAGE, "Say why")
    assert journal(sqlite_clock_tables) == []


def test_every_command_says_an_example_and_its_page(on_sqlite):
    for command in (*ACTS, ("games", "list"), ("games", "show"), ("journal",)):
        text = on_sqlite(*command, "--help").stdout
        assert f"Example: wardroom {' '.join(command)}" in " ".join(text.split()), command
        assert "docs/operations.md" in text


# Laws


def everything_said(tables: Tables, run: Run, game: str) -> str:
    """All that the commands print of a game, with and without --json, while one acts on it."""
    said = []
    for words in (
        ("games", "show", game), ("journal", "--game", game),
        ("deadline", "extend", game, "--all", "5", *WHY), ("games", "pause", game, *WHY),
        ("games", "resume", game, *WHY), ("games", "end", game, *WHY, "--dry-run"),
        ("seats", "vacate", game, "1", *WHY, "--yes"), ("seats", "invite", game, "1", "dan@people.example", *WHY),
        ("games", "show", game), ("journal", "--game", game),
    ):  # fmt: skip
        done = [run(*words), run(*words, "--json")] if words[1:2] not in (("pause",), ("resume",)) else [run(*words)]
        said += [it.stdout + it.stderr for it in done]
    return "\n".join(said)


@pytest.mark.slow
def test_s01_commands_say_the_same_whatever_is_sealed(sqlite_clock_tables, on_sqlite):
    """Twin tables that differ in a bid that nobody may know, and then in what the caretaker's rules make of it."""
    said = []
    for bid in ("hide 1", "hide 3"):
        game = sqlite_clock_tables.begin_timed("ann", "bob", "cyd")
        sqlite_clock_tables.move(game, "ann", bid)
        text = everything_said(sqlite_clock_tables, on_sqlite, game).replace(game, "GAME")
        said.append(re.sub(r" +", " ", re.sub(r"\d+", "0", text)))
    assert said[0] == said[1]
    assert "seat-vacated" in said[0]


@pytest.mark.slow
def test_s33_no_command_changes_an_event_or_opens_a_leaf_of_a_game_that_goes_on(sqlite_clock_tables, on_sqlite):
    game = sqlite_clock_tables.begin_timed("ann", "bob", "cyd")
    sqlite_clock_tables.move(game, "ann", "hide 1")
    rows = _history(sqlite_clock_tables)
    everything_said(sqlite_clock_tables, on_sqlite, game)
    after = _history(sqlite_clock_tables)
    assert {key: after[key] for key in rows} == rows
    with sqlite_clock_tables.services.database.read() as connection:
        found = sqlite_clock_tables.services.streams.seen(connection, game, None, after=0, upto=9999)
    assert all("data" not in leaf for event in found for leaf in event["sealed"] if leaf["for"] != NOBODY)
    assert audit(line + b"\n" for line in sqlite_clock_tables.export(game)).ok


def _history(tables: Tables) -> dict[Any, Any]:
    """Every event and leaf, by its key."""
    found: dict[Any, Any] = {}
    with tables.services.database.read() as connection:
        for row in connection.execute(sa.select(EventRow.__table__)):  # type: ignore[attr-defined]
            found["event", row.game_id, row.version] = (row.type, row.body, row.hash)
        for row in connection.execute(sa.select(LeafRow.__table__)):  # type: ignore[attr-defined]
            found["leaf", row.game_id, row.version, row.number] = (row.owner, row.opened)
    return found
