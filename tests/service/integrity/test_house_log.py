"""The house log: games opened and ended in a list that only grows; a game that is taken away whole is missed."""

import json
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa
from click.testing import CliRunner

from domain.audit.house_log import HEADER, LogEntry, check_entry, check_growth, read_log_head, read_log_header
from domain.audit.merkle import consistency, extends, includes, inclusion, root
from service.app import create_app
from service.cli import main
from service.integrity import halt, house_log
from service.integrity.audit import audit_house
from service.integrity.audit_rounds import look_round
from service.kernel.clock import text
from service.kernel.signing import genuine
from service.store.event_store import checkpoints
from service.store.event_store.house_log import LogRow, append, entries, entry_of, heads, latest, places, proof, waiting
from tests.audit.programs import program
from tests.letters import parsed
from tests.service.clock_tables import clock_tables, sqlite_clock_tables
from tests.service.integrity.test_audit import owner_runs
from tests.service.store.service_tables import services, tables
from tests.tables import Tables
from tests.workers.worker_tables import manual_clock, sqlite_tables
from workers.sweep import write_log

__all__ = ["clock_tables", "manual_clock", "tables", "services", "sqlite_clock_tables", "sqlite_tables"]
once = pytest.mark.parametrize("url", ["sqlite"], indirect=True)
"""No statement of it has a dialect, a lock or a constraint of its own: PostgreSQL need not repeat it."""
TABLES = ("events", "leaves", "checkpoints", "seats", "decisions", "notices", "deliveries")


def asked(tables: Tables, **query: Any) -> Any:
    """What the host answers to anybody."""
    return create_app(tables.services).test_client().get("/.well-known/wardroom-log", query_string=query)


def told(tables: Tables, **query: Any) -> dict[str, Any]:
    answer = asked(tables, **query)
    assert answer.status_code == 200, answer.data
    return dict(answer.json)


def found(tables: Tables) -> list[tuple[str, str, str, str]]:
    """What the audit of the house finds in the log."""
    with tables.services.database.read() as connection:
        return [
            (finding.weight, finding.game, finding.table, finding.column)
            for finding in audit_house(connection, tables.services)
            if finding.table in ("log_entries", "log_heads")
        ]


def removed(tables: Tables, game: str) -> None:
    """All rows of a game are gone, as if it had never been."""
    owner_runs(tables, "DELETE FROM games WHERE id = :game", game=game)
    for table in TABLES:
        owner_runs(tables, f"DELETE FROM {table} WHERE game_id = :game", game=game)


@pytest.mark.slow
def test_games_come_into_the_log_once_as_they_are_opened_and_ended(tables):
    assert told(tables) == {"head": None}
    first, second = tables.open("ann"), tables.open("bob")
    write_log(tables.services)
    tables.begin("ann", "bob", "cyd")
    tables.play_out(third := tables.begin("ann", "bob", "cyd"), 1)
    assert house_log.write(tables.services) == 3
    assert house_log.write(tables.services) == 0
    with tables.services.database.read() as connection:
        kept = list(entries(connection))
        assert [head.size for head in heads(connection)] == [2, 5]
    assert [(entry.game, entry.what) for entry in kept[:2]] == [(first, "opened"), (second, "opened")]
    assert [entry.what for entry in kept[2:]] == ["opened", "opened", "ended"]
    assert (kept[4].game, kept[4].version, kept[4].hash) == (third, tables.head(third).version, tables.head(third).hash)
    assert kept == sorted(kept, key=lambda entry: (entry.time, entry.game)) or len({entry.time for entry in kept}) < 5
    assert found(tables) == []


@once
def test_games_that_were_there_before_the_log_come_into_it_by_their_time_in_steps(tables, monkeypatch):
    games = [tables.open("ann") for _ in range(5)]
    monkeypatch.setattr(house_log, "AT_ONCE", 2)
    assert [house_log.write(tables.services) for _ in range(4)] == [2, 2, 1, 0]
    with tables.services.database.read() as connection:
        assert [entry.game for entry in entries(connection)] == games
    assert found(tables) == []


@pytest.mark.slow
def test_a_row_that_was_lost_keeps_no_game_out_of_the_log(tables):
    """What the log is to tell of follows from the games: an audit finds it again, once."""
    running, over = tables.begin(), tables.begin(options={"rounds": "1"})
    house_log.write(tables.services)
    tables.play_out(over, 1)
    tables.open("dan")
    owner_runs(tables, "DELETE FROM unlogged")
    assert house_log.write(tables.services) == 0
    owner_runs(tables, "UPDATE games SET audited_at = 0")
    assert look_round(tables.services, 60) == 3
    assert house_log.write(tables.services) == 2
    owner_runs(tables, "UPDATE games SET audited_at = 0")
    assert (look_round(tables.services, 60), house_log.write(tables.services)) == (3, 0)
    with tables.services.database.read() as connection:
        told_of = sorted((entry.what, entry.game) for entry in entries(connection))
        assert connection.execute(sa.text("SELECT count(*) FROM unlogged")).scalar() == 0
    assert len(told_of) == 4
    assert {("opened", running), ("opened", over), ("ended", over)} < set(told_of)


@pytest.mark.slow
def test_a_game_that_is_taken_away_whole_is_found_and_its_players_can_prove_that_it_was_there(tables):
    game, other = tables.open("ann"), tables.open("bob")
    house_log.write(tables.services)
    before = told(tables, game=game, hash=(opening := hash_of(tables, game, 1)))
    removed(tables, game)
    assert found(tables) == [("history", game, "log_entries", "game_id")]
    tables.open("cyd")
    house_log.write(tables.services)
    after = told(tables, **{"from": 2, "game": game, "hash": opening})
    new = read_log_head(after)
    assert check_growth(read_log_head(before), new, after["consistency"])[0] == "verified"
    (row,) = after["entries"]
    assert check_entry(LogEntry(**row["entry"]), row["place"], row["inclusion"], new)[0] == "verified"
    assert (row["entry"]["game"], row["entry"]["what"], row["place"]) == (game, "opened", 0)
    assert other != game


@once
@pytest.mark.slow
def test_a_log_written_anew_without_a_game_is_found_by_who_kept_a_head(tables, tmp_path):
    game = tables.open("ann")
    tables.open("bob")
    house_log.write(tables.services)
    (tmp_path / "kept.json").write_text(json.dumps(told(tables)))
    removed(tables, game)
    again = "INSERT INTO unlogged SELECT id, 'opened' FROM games"
    owner_runs(tables, "DELETE FROM log_entries", "DELETE FROM log_heads", again)
    tables.open("cyd")
    house_log.write(tables.services)
    assert found(tables) == []
    (tmp_path / "log.json").write_text(json.dumps(told(tables, **{"from": 2})))
    done = checked(tables, tmp_path)
    assert done.exit_code == 1
    assert "broken    the log of 2 entries does not begin the one of 2: it was rewritten." in done.stdout


def checked(tables: Tables, folder: Path) -> Any:
    """`wardroom verify-log` on what was saved; the program of the page says the same."""
    with tables.services.database.read() as connection:
        keys = checkpoints.keys(connection)
    (folder / "keys.json").write_text(json.dumps({"keys": keys}, sort_keys=True, separators=(",", ":")))
    words = [str(folder / "log.json"), "--head", str(folder / "kept.json"), "--keys", str(folder / "keys.json")]
    done = CliRunner().invoke(main, ["verify-log", *words])
    other = program("verify_log")
    log, kept = json.loads((folder / "log.json").read_text()), other.read_head(folder / "kept.json")
    lines = other.check(log, [kept], {key["id"]: key["public"] for key in keys})
    assert any(line.startswith("broken") for line in lines) == (done.exit_code == 1), (lines, done.output)
    return done


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


@pytest.mark.slow
@once
def test_both_programs_take_a_log_that_grew_and_no_other(tables, tmp_path):
    game = tables.open("ann")
    for name in ("bob", "cyd", "dan"):
        tables.open(name)
    house_log.write(tables.services)
    (tmp_path / "kept.json").write_text(json.dumps(told(tables)))
    tables.open("bob")
    house_log.write(tables.services)
    log = told(tables, **{"from": 4, "game": game, "hash": hash_of(tables, game, 1)})
    (tmp_path / "log.json").write_text(json.dumps(log))
    done = checked(tables, tmp_path)
    assert done.exit_code == 0, done.output
    assert "verified  the first 4 of 5 entries are as they were" in done.stdout
    for name, spoil in SPOILT.items():
        wrong = json.loads(json.dumps(log))
        spoil(wrong)
        (tmp_path / "log.json").write_text(json.dumps(wrong))
        assert checked(tables, tmp_path).exit_code == 1, name


@pytest.mark.slow
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
        ("UPDATE events SET hash = upper(hash) WHERE version = 1", "hash"),
    ],
)
def test_doctor_finds_every_row_of_the_log_that_was_changed(tables, statement, column):
    tables.open("ann")
    tables.play_out(tables.begin("ann", "bob", "cyd", clock={"per_move": "P3D", "strikes": 1}), 3, late=1)
    house_log.write(tables.services)
    assert found(tables) == []
    owner_runs(tables, statement)
    assert column in {what for _, _, _, what in found(tables)}


@once
def test_a_game_that_is_not_in_the_log_for_long_is_noted(tables):
    game = tables.open("ann")
    assert found(tables) == [], "workers have a quarter of an hour"
    owner_runs(tables, "UPDATE games SET created_at = created_at - 3600000000, last_at = last_at - 3600000000")
    assert found(tables) == [("note", game, "log_entries", "")], "its opening: it has not ended"


@once
def test_the_end_of_a_game_that_does_not_verify_waits_until_it_does(tables):
    tables.play_out(game := tables.begin("ann", "bob", "cyd"), 1)
    database = tables.services.database
    with database.write() as tx:
        halt.halt(database, tx, game, "a test")
    assert house_log.write(tables.services) == 1, "its opening"
    with database.write() as tx:
        halt.release(tables.services, tx, game)
    assert house_log.write(tables.services) == 1


@once
def test_no_head_is_older_than_the_one_before_it_and_an_entry_is_within_its_head(tables):
    database = tables.services.database
    with database.write() as tx:
        for number, now in enumerate((5, 3, 8)):
            append(tx, [row(number)], now, lambda message: ("key", "signature"))
    with database.read() as connection:
        times = [head.time for head in heads(connection)]
        assert times == [text(5), text(5), text(8)]
        assert [len(places(connection, "g1", [f"{1:064x}"], size)) for size in (1, 2)] == [0, 1]


def test_the_log_has_what_was_first_first_whatever_it_is(tables):
    """An end between two openings, all told of at once."""
    tables.play_out(first := tables.begin("ann", "bob", "cyd"), 1)
    second = tables.open("ann")
    with tables.services.database.read() as connection:
        found = [(entry.game_id, entry.what) for entry in waiting(connection, 9)]
    assert found == [(first, "opened"), (first, "ended"), (second, "opened")]


@once
@pytest.mark.slow
def test_s11_who_knows_the_id_of_a_private_game_is_told_of_it_only_what_they_know_of_its_history(tables):
    game = tables.open("ann", public=False)
    tables.play_out(over := tables.begin("ann", "bob", "cyd"), 1)
    house_log.write(tables.services)
    opening, end = hash_of(tables, over, 1), tables.head(over).hash
    known = told(tables, game=over, hash=opening)["entries"]
    assert [(row["entry"]["what"], row["entry"]["hash"]) for row in known] == [("opened", opening)]
    both = told(tables, game=over, hash=[opening, end])["entries"]
    assert [row["entry"]["what"] for row in both] == ["opened", "ended"]
    nowhere = asked(tables, game="k7x2m9qd4t", hash=opening).data
    guesses = [opening, "0" * 64, "", "%", both[0]["inclusion"][0]]
    assert {asked(tables, game=game, hash=guess).data for guess in guesses} == {nowhere}
    assert asked(tables, game=over, hash=hash_of(tables, over, 2)).data == nowhere, "no entry is of that event"
    for refused in ({"game": game}, {"game": over}, {"hash": opening}, {"game": game, "hash": ["0"] * 3}):
        answer = asked(tables, **refused)
        assert (answer.status_code, answer.json["code"]) == (400, "bad-request")
        assert opening not in answer.text
    assert "public" not in asked(tables, game=over, hash=opening).headers["Cache-Control"]


def hash_of(tables: Tables, game: str, version: int) -> str:
    """The hash of an event, as checkpoints and bundles tell it to who may see the game."""
    with tables.services.database.read() as connection:
        return tables.services.streams.mark_of(connection, game, version)[0]


def long_log(tables: Tables, *counts: int) -> list[bytes]:
    """A log that was written in steps of so many entries, about games of others; its leaves."""
    rows = [row(number) for number in range(sum(counts))]
    with tables.services.database.write() as tx:
        for place, count in enumerate(counts):
            begin = sum(counts[:place])
            append(tx, rows[begin : begin + count], 1, lambda message: ("key", "signature"))
    return [entry_of(row).leaf() for row in rows]


def row(number: int) -> LogRow:
    return LogRow("opened", f"g{number}", 1, f"{number:064x}", number)


@pytest.mark.slow
def test_however_the_log_was_written_its_proofs_are_those_of_the_whole_list(tables):
    leaves = long_log(tables, 1, 1, 5, 1, 8, 1, 1, 3, 16, 2)
    tree = root(leaves)
    with tables.services.database.read() as connection:
        assert latest(connection).root == tree.hex()
        for first in range(1, len(leaves) + 1):
            grew = proof(connection, consistency(len(leaves), first))
            assert extends(first, len(leaves), grew, root(leaves[:first]), tree)
        for place, leaf in enumerate(leaves):
            assert includes(leaf, place, len(leaves), proof(connection, inclusion(len(leaves), place)), tree)


@pytest.mark.slow
@once
def test_s29_a_proof_reads_some_thirty_rows_of_a_log_however_long_it_is(tables):
    leaves = long_log(tables, *[1] * 300)
    asked_for = [consistency(300, 37), inclusion(300, 170)]
    last = {end - 1 for subtrees in asked_for for _, end in subtrees}
    kept = ", ".join(map(str, last))
    owner_runs(tables, f"UPDATE log_entries SET leaf = x'00' WHERE number NOT IN ({kept})")
    with tables.services.database.read() as connection:
        grew, there = (proof(connection, subtrees) for subtrees in asked_for)
        assert extends(37, 300, grew, root(leaves[:37]), root(leaves))
        assert includes(leaves[170], 170, 300, there, root(leaves))
    assert len(last) < 30


@pytest.mark.slow
@once
@pytest.mark.parametrize("query, status", [({"from": "0"}, 404), ({"from": "9"}, 404), ({"from": "x"}, 400)])
def test_a_size_the_log_never_had_is_refused(tables, query, status):
    tables.open("ann")
    house_log.write(tables.services)
    answer = asked(tables, **query)
    assert (answer.status_code, answer.content_type) == (status, "application/problem+json")


@pytest.mark.slow
def test_every_mail_about_a_game_carries_the_head_that_the_log_has_then(sqlite_tables: Tables):
    sqlite_tables.begin("ann", "bob", "cyd")
    sqlite_tables.deliver()
    assert all(HEADER not in parsed(letter) for letter in sqlite_tables.carrier.letters)
    write_log(sqlite_tables.services)
    sqlite_tables.begin("ann", "bob", "cyd")
    sqlite_tables.carrier.letters.clear()
    sqlite_tables.deliver()
    letters = [letter for letter in sqlite_tables.carrier.letters if "Wardroom-Checkpoint" in parsed(letter)]
    assert letters
    with sqlite_tables.services.database.read() as connection:
        keys = {key["id"]: key["public"] for key in checkpoints.keys(connection)}
        (kept,) = heads(connection)
    for letter in letters:
        head = read_log_header(str(parsed(letter)[HEADER]))
        assert head == kept
        assert genuine(keys[head.key], head.message(), head.signature)


@pytest.mark.slow
def test_s45_a_mail_as_it_leaves_is_read_by_the_program_that_outsiders_have(sqlite_tables: Tables, tmp_path: Path):
    """S-45, RFC 5322 2.2.3: evidence is folded at white space, and in no encoded word of RFC 2047."""
    sqlite_tables.begin("ann", "bob", "cyd")
    write_log(sqlite_tables.services)
    sqlite_tables.begin("ann", "bob", "cyd")
    sqlite_tables.carrier.letters.clear()
    sqlite_tables.deliver()
    read_head, found = program("verify_log").read_head, 0
    for letter in sqlite_tables.carrier.letters:
        head, _, _ = letter.data.partition(b"\r\n\r\n")
        if f"{HEADER}: ".encode() not in head:
            continue
        found += 1
        (tmp_path / "mail.eml").write_bytes(letter.data)
        evidence = head.partition(f"{HEADER}: ".encode())[2].partition(b"\r\nWardroom-")[0]
        assert b"=?" not in evidence, evidence
        assert max(map(len, evidence.split(b"\r\n"))) <= 78
        assert read_head(tmp_path / "mail.eml") == read_log_header(str(parsed(letter)[HEADER])).document()
    assert found
