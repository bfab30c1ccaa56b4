"""`wardroom queue` and `wardroom stats`: what waits, what is down, what was done; numbers and nothing else."""

import json
import os

import pytest

from service.store.running import operator_acts
from tests.service.clock_tables import clock_tables, sqlite_clock_tables
from tests.service.commands import commanded
from tests.service.commands.commanded import Run
from tests.tables import Tables
from tests.workers.worker_tables import manual_clock
from workers.mail_out.transport import Away

__all__ = ["clock_tables", "manual_clock", "sqlite_clock_tables"]


@pytest.fixture
def wardroom(clock_tables: Tables, monkeypatch: pytest.MonkeyPatch) -> Run:
    return commanded.on(clock_tables.services, monkeypatch)


def test_the_queue_says_what_waits_on_which_channel_and_which_server_is_down(clock_tables, wardroom):
    assert wardroom("queue", "list").stdout.startswith("Nothing waits to go out.\n")
    clock_tables.carrier.name = "mailbox"
    clock_tables.begin("ann", "bob")
    clock_tables.carrier.before.extend([Away("it cannot be written")] * 2)
    clock_tables.deliver()
    clock_tables.advance(microseconds=1)
    found = json.loads(wardroom("queue", "list", "--json").stdout)
    assert [(row["channel"], row["kind"]) for row in found["out"]] == [("mail", "your-turn")]
    assert found["out"][0]["queued"] == 2
    assert [(place["channel"], place["reason"]) for place in found["down"]] == [("mail", "it cannot be written")]
    assert found["in"] == {"waiting": 0, "oldest": None, "quarantined": 0}
    told = wardroom("queue", "list").stdout
    assert "The mail server mailbox takes nothing since 2031" in told
    assert "0 wait to be read; 0 were put aside." in told
    done = wardroom("queue", "flush", "--channel", "mail", "--as", "carla")
    assert (done.exit_code, done.stderr) == (0, "2 mails are due, and are tried now.\n")
    assert clock_tables.deliver() == 2
    assert json.loads(wardroom("queue", "list", "--json").stdout)["out"] == []
    assert wardroom("queue", "flush").stderr == "Nothing is due.\n"
    with clock_tables.services.database.read() as connection:
        last, first = operator_acts.latest(connection, 2)
    assert (first.operator, first.what, first.results) == ("carla", "queue flush", {"mail": 2})
    assert last.results == {"feed": 0, "mail": 0, "push": 0, "webhook": 0}


def test_an_unknown_channel_is_a_mistake_in_the_words(wardroom):
    assert wardroom("queue", "flush", "--channel", "pigeon").exit_code == os.EX_USAGE


@pytest.mark.slow
def test_stats_count_people_games_moves_and_how_late_things_were(clock_tables, wardroom):
    empty = json.loads(wardroom("stats", "--json").stdout)
    assert (empty["weeks"], empty["games"], empty["days"]) == ([], [], [])
    game = clock_tables.begin("ann", "bob")
    clock_tables.deliver()
    clock_tables.advance(days=8)
    clock_tables.sweep()
    found = json.loads(wardroom("stats", "--json").stdout)
    assert found["players"]["all"] == 2
    assert found["weeks"][-1]["players_with_turns"] == 2
    assert found["games"] == [{"ruleset": "pennies", "status": "running", "games": 1}]
    assert sum(day["moves"] for day in found["days"]) >= 2
    assert {day["days_ago"] for day in found["days"]} <= set(range(14))
    assert found["database_bytes"] > 0
    rows = {row["table"]: row["rows"] for row in found["tables"]}
    assert {"events", "players", "deliveries"} <= rows.keys()
    told = wardroom("stats").stdout
    assert "Players: 2; " in told
    assert game not in told
