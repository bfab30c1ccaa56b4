"""`wardroom analyse`: what else could have been done, from a file; nothing of a game that is not over."""

import json
import lzma
import os
from dataclasses import replace
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from domain.history.codec import history
from domain.rulesets import RULESETS
from domain.teacher import draws
from service.cli import main
from service.integrity import export_bundle
from tests.domain.table.gamebook import begin, finished
from tests.domain.teacher.toy import GUIDED, guided_pennies
from tests.tables import Tables

GAMES = Path(__file__).parents[2] / "archive" / "games"


@pytest.fixture(autouse=True)
def pennies(monkeypatch):
    """Few playouts of each draw: what they cost is no matter here."""
    monkeypatch.setattr(draws, "FEWEST", 4)
    with guided_pennies():
        yield


@pytest.fixture
def over() -> bytes:
    return b"\n".join(finished().export()) + b"\n"


def analyse(content: bytes, *words: str) -> Result:
    return CliRunner().invoke(main, ["analyse", "-", "--strength", "1", *words], input=content)


@pytest.mark.parametrize("name", ["tammany-hall-troubled-0", "city-hall-votes-39"])
@pytest.mark.slow
def test_a_seat_of_an_archived_game_of_each_ruleset_is_told_what_it_could_have_done(name):
    told = analyse(lzma.decompress((GAMES / f"{name}.ndjson.xz").read_bytes()), "--seat", "1")
    assert told.exit_code == 0, told.output
    assert "what else could have been done" in told.stdout
    assert "decisions. Its moves kept" in told.stdout
    assert "better: “" in told.stdout
    assert "questions in" in told.stderr
    assert max(map(len, told.stdout.splitlines())) <= 78


def test_the_same_as_json_and_the_same_every_time(over):
    first, second = (analyse(over, "--json").stdout for _ in range(2))
    assert first == second
    found = json.loads(first)
    assert (found["ruleset"], found["strength"]) == ("pennies", 1)
    assert [seat["seat"] for seat in found["seats"]] == [0, 1, 2]
    assert {one["type"] for one in found["findings"]} >= {"decision", "bid"}


def test_a_bundle_is_read_as_its_history(migrated_sqlite, open_services):
    services = open_services(migrated_sqlite)
    tables = Tables(services)
    game = tables.begin()
    tables.play_out(game, 3, late=0)
    with services.database.read() as connection:
        head = services.streams.head(connection, game)
        bundle = export_bundle.make(services, connection, head, None)
    with guided_pennies():
        told = analyse(bundle, "--json")
    assert told.exit_code == 0, told.output
    assert json.loads(told.stdout)["game"] == game


@pytest.mark.parametrize("seat", [0, None])
def test_a_game_that_runs_is_refused_to_whoever_has_its_export(seat):
    refused = analyse(b"\n".join(begin().move(0, "hide 2").export(seat)))
    assert (refused.exit_code, refused.output) == (
        os.EX_DATAERR,
        "Error: The game is not over, or parts of its history are sealed: nothing is said before its end.\n",
    )


@pytest.mark.parametrize("content", [b"no history\n", b"PK\x03\x04 no bundle", b""])
def test_what_is_no_game_is_refused_in_a_sentence(content):
    refused = analyse(content)
    assert refused.exit_code == os.EX_DATAERR
    assert " is broken: " in refused.output
    assert "Traceback" not in refused.output


def test_a_seat_or_a_strength_that_does_not_exist_is_refused(over):
    assert "seats 0 to 2" in analyse(over, "--seat", "3").output
    assert CliRunner().invoke(main, ["analyse", "-", "--strength", "4"], input=over).exit_code == os.EX_USAGE


def test_a_game_that_no_bot_can_think_about_is_refused(over, monkeypatch):
    monkeypatch.setitem(RULESETS, GUIDED.kind, replace(GUIDED, guidance=None))
    history.cache_clear()
    assert "no bot can think about it" in analyse(over).output
