"""The house log: games opened and ended in a list that only grows; a game that is taken away whole is missed."""

import importlib.util
import json
import sys
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from domain.audit.house_log import HEADER, LogEntry, check_entry, check_growth, read_log_head, read_log_header
from service.app import create_app
from service.cli import main
from service.integrity import house_log
from service.integrity.audit import audit_house
from service.kernel.signing import genuine
from service.store import checkpoints
from service.store.house_log import entries, heads
from tests.service.clockwork import hall, small_hall
from tests.service.integrity.test_audit import owner_runs
from tests.service.store.house import House, house, services
from tests.workers.office import Office, hands, parsed, small_office
from workers.sweep import write_log

__all__ = ["hall", "hands", "house", "services", "small_hall", "small_office"]
once = pytest.mark.parametrize("url", ["sqlite"], indirect=True)
"""No statement of it has a dialect, a lock or a constraint of its own: PostgreSQL need not repeat it."""
TABLES = ("events", "leaves", "checkpoints", "seats", "decisions", "notices", "deliveries")


def asked(house: House, **query: Any) -> Any:
    """What the host answers to anybody."""
    return create_app(house.services).test_client().get("/.well-known/wardroom-log", query_string=query)


def told(house: House, **query: Any) -> dict[str, Any]:
    answer = asked(house, **query)
    assert answer.status_code == 200, answer.data
    return dict(answer.json)


def found(house: House) -> list[tuple[str, str, str, str]]:
    """What the audit of the house finds in the log."""
    with house.services.database.read() as connection:
        return [
            (finding.weight, finding.game, finding.table, finding.column)
            for finding in audit_house(connection, house.services)
            if finding.table in ("log_entries", "log_heads")
        ]


def removed(house: House, game: str) -> None:
    """All rows of a game are gone, as if it had never been."""
    owner_runs(house, "DELETE FROM games WHERE id = :game", game=game)
    for table in TABLES:
        owner_runs(house, f"DELETE FROM {table} WHERE game_id = :game", game=game)


def test_games_come_into_the_log_once_as_they_are_opened_and_ended(house):
    assert told(house) == {"head": None}
    first, second = house.opens("ann"), house.opens("bob")
    write_log(house.services)
    house.begins("ann", "bob", "cyd")
    house.wanders(third := house.begins("ann", "bob", "cyd"), 1)
    assert house_log.write(house.services) == 3
    assert house_log.write(house.services) == 0
    with house.services.database.read() as connection:
        kept = list(entries(connection))
        assert [head.size for head in heads(connection)] == [2, 5]
    assert [(entry.game, entry.what) for entry in kept[:2]] == [(first, "opened"), (second, "opened")]
    assert [entry.what for entry in kept[2:]] == ["opened", "opened", "ended"]
    assert (kept[4].game, kept[4].version, kept[4].hash) == (third, house.head(third).version, house.head(third).hash)
    assert kept == sorted(kept, key=lambda entry: (entry.time, entry.game)) or len({entry.time for entry in kept}) < 5
    assert found(house) == []


@once
def test_games_that_were_there_before_the_log_come_into_it_by_their_time_in_steps(house, monkeypatch):
    games = [house.opens("ann") for _ in range(5)]
    monkeypatch.setattr(house_log, "AT_ONCE", 2)
    assert [house_log.write(house.services) for _ in range(4)] == [2, 2, 1, 0]
    with house.services.database.read() as connection:
        assert [entry.game for entry in entries(connection)] == games
    assert found(house) == []


def test_a_game_that_is_taken_away_whole_is_found_and_its_players_can_prove_that_it_was_there(house):
    game, other = house.opens("ann"), house.opens("bob")
    house_log.write(house.services)
    before = told(house, game=game)
    removed(house, game)
    assert found(house) == [("history", game, "log_entries", "game_id")]
    house.opens("cyd")
    house_log.write(house.services)
    after = told(house, **{"from": 2, "game": game})
    new = read_log_head(after)
    assert check_growth(read_log_head(before), new, after["consistency"])[0] == "verified"
    (row,) = after["entries"]
    assert check_entry(LogEntry(**row["entry"]), row["place"], row["inclusion"], new)[0] == "verified"
    assert (row["entry"]["game"], row["entry"]["what"], row["place"]) == (game, "opened", 0)
    assert other != game


@once
def test_a_log_written_anew_without_a_game_is_found_by_who_kept_a_head(house, tmp_path):
    game = house.opens("ann")
    house.opens("bob")
    house_log.write(house.services)
    (tmp_path / "kept.json").write_text(json.dumps(told(house)))
    removed(house, game)
    owner_runs(house, "DELETE FROM log_entries", "DELETE FROM log_heads")
    house.opens("cyd")
    house_log.write(house.services)
    assert found(house) == []
    (tmp_path / "log.json").write_text(json.dumps(told(house, **{"from": 2})))
    done = checked(house, tmp_path)
    assert done.exit_code == 1
    assert "broken    the log of 2 entries does not begin the one of 2: it was rewritten." in done.stdout


def checked(house: House, folder: Path) -> Any:
    """`wardroom verify-log` on what was saved; the program of the page says the same."""
    with house.services.database.read() as connection:
        keys = checkpoints.keys(connection)
    (folder / "keys.json").write_text(json.dumps({"keys": keys}, sort_keys=True, separators=(",", ":")))
    words = [str(folder / "log.json"), "--head", str(folder / "kept.json"), "--keys", str(folder / "keys.json")]
    done = CliRunner().invoke(main, ["verify-log", *words])
    log, kept = json.loads((folder / "log.json").read_text()), other().read_head(folder / "kept.json")
    lines = other().check(log, [kept], {key["id"]: key["public"] for key in keys})
    assert any(line.startswith("broken") for line in lines) == (done.exit_code == 1), (lines, done.output)
    return done


def other() -> Any:
    """The program beside the page."""
    folder = Path(__file__).parents[3] / "docs" / "audit"
    sys.path.insert(0, str(folder))
    try:
        spec = importlib.util.spec_from_file_location("verify_log", folder / "verify_log.py")
        assert spec
        assert spec.loader
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
    finally:
        sys.path.remove(str(folder))
    return module


SPOILT = {
    "an entry of another game": lambda log: log["entries"][0]["entry"].update(game="another"),
    "an entry that is none": lambda log: log["entries"][0]["entry"].pop("hash"),
    "an entry elsewhere": lambda log: log["entries"][0].update(place=1),
    "a head that is not signed": lambda log: log["head"].update(time="2026-01-01T00:00:00.000000Z"),
    "a shorter log": lambda log: log["head"].update(size=1),
    "another size than was asked for": lambda log: log.update({"from": 1}),
    "a proof cut short": lambda log: log["consistency"].pop(),
    "a proof that is none": lambda log: log.update(consistency=["x"]),
    "no proof": lambda log: log.pop("consistency"),
}


@once
def test_both_programs_take_a_log_that_grew_and_no_other(house, tmp_path):
    game = house.opens("ann")
    for name in ("bob", "cyd", "dan"):
        house.opens(name)
    house_log.write(house.services)
    (tmp_path / "kept.json").write_text(json.dumps(told(house)))
    house.opens("bob")
    house_log.write(house.services)
    log = told(house, **{"from": 4, "game": game})
    (tmp_path / "log.json").write_text(json.dumps(log))
    done = checked(house, tmp_path)
    assert done.exit_code == 0, done.output
    assert "verified  the first 4 of 5 entries are as they were" in done.stdout
    for name, spoil in SPOILT.items():
        wrong = json.loads(json.dumps(log))
        spoil(wrong)
        (tmp_path / "log.json").write_text(json.dumps(wrong))
        assert checked(house, tmp_path).exit_code == 1, name


@once
@pytest.mark.parametrize(
    "statement, column",
    [
        ("UPDATE log_entries SET hash = '0' WHERE number = 0", "root"),
        ("UPDATE log_heads SET root = replace(root, substr(root, 1, 1), 'x')", "root"),
        ("UPDATE log_heads SET at = at + 1", "signature"),
        ("DELETE FROM log_entries WHERE number = 1", "size"),
        ("DELETE FROM log_heads", "size"),
        ("UPDATE games SET status = 'running'", "what"),
        ("UPDATE games SET version = version + 1 WHERE status = 'abandoned'", "hash"),
    ],
)
def test_doctor_finds_every_row_of_the_log_that_was_changed(house, statement, column):
    house.opens("ann")
    house.wanders(house.begins("ann", "bob", "cyd", clock={"per_move": "P3D", "strikes": 1}), 3, late=1)
    house_log.write(house.services)
    assert found(house) == []
    owner_runs(house, statement)
    assert column in {what for _, _, _, what in found(house)}


@once
def test_a_game_that_is_not_in_the_log_for_long_is_noted(house):
    game = house.opens("ann")
    owner_runs(house, "UPDATE games SET created_at = created_at - 3600000000")
    assert ("note", game, "log_entries", "") in found(house)


@once
@pytest.mark.parametrize("query, status", [({"from": "0"}, 404), ({"from": "9"}, 404), ({"from": "x"}, 400)])
def test_a_size_the_log_never_had_is_refused(house, query, status):
    house.opens("ann")
    house_log.write(house.services)
    answer = asked(house, **query)
    assert (answer.status_code, answer.content_type) == (status, "application/problem+json")
    assert told(house, game="nosuchgame")["entries"] == []


def test_every_mail_about_a_game_carries_the_head_that_the_log_has_then(small_office: Office):
    small_office.begins("ann", "bob", "cyd")
    small_office.delivers()
    assert all(HEADER not in parsed(letter) for letter in small_office.carrier.letters)
    write_log(small_office.services)
    small_office.begins("ann", "bob", "cyd")
    small_office.carrier.letters.clear()
    small_office.delivers()
    letters = [letter for letter in small_office.carrier.letters if "Wardroom-Checkpoint" in parsed(letter)]
    assert letters
    with small_office.services.database.read() as connection:
        keys = {key["id"]: key["public"] for key in checkpoints.keys(connection)}
        (kept,) = heads(connection)
    for letter in letters:
        head = read_log_header(str(parsed(letter)[HEADER]))
        assert head == kept
        assert genuine(keys[head.key], head.message(), head.signature)
