"""`wardroom arena`: players at tables, counted, kept and taken up again."""

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from domain import rulesets
from domain.search import gates
from domain.search.gates import Gate
from domain.search.standing import Pairing
from service.cli import main
from service.commands.bots.arena import run
from service.commands.bots.arena.record_file import code_digest, read_records
from service.commands.bots.arena.tables import Table, play_table, play_tables
from tests.acceptance.processes import until


def arena(*words: str) -> tuple[int, str, str]:
    result = CliRunner().invoke(main, ["arena", *words])
    return result.exit_code, result.stdout, result.stderr


@pytest.mark.slow
def test_a_caretaker_among_random_players_hardly_wins_and_is_told_so_in_words():
    code, output, _ = arena(
        "caretaker", "random", "--game", "city-hall", "--seats", "3", "--tables", "3", "--jobs", "1"
    )
    assert code == 0
    assert "caretaker alone among 2 of random, city-hall, 3 seats" in output
    assert "fair would be 33.3%" in output


@pytest.mark.slow
def test_finished_tables_are_not_played_again(tmp_path):
    file = tmp_path / "tables.ndjson"
    words = ("random", "caretaker", "--jobs", "1", "--json", "--resume", str(file))
    code, output, _ = arena(*words, "--tables", "2")
    first = read_records(file)
    assert (code, json.loads(output)["tables"], len(first)) == (0, 2, 2)
    file.write_bytes(file.read_bytes() + b'{"pairing":{"ga')  # the machine went down in the middle of a line
    code, output, told = arena(*words, "--tables", "3")
    assert (code, json.loads(output)["tables"]) == (0, 3)
    assert "2 tables are in" in told
    assert read_records(file)[:2] == first
    assert len(read_records(file)) == 3


@pytest.mark.slow
def test_tables_of_other_code_do_not_count(tmp_path):
    file = tmp_path / "tables.ndjson"
    words = ("random", "caretaker", "--jobs", "1", "--tables", "1", "--resume", str(file))
    arena(*words)
    file.write_bytes(file.read_bytes().replace(code_digest("tammany-hall").encode(), b"0" * 16))
    _, _, told = arena(*words)
    assert "1 tables were played by other code" in told
    assert len(read_records(file)) == 2


@pytest.mark.slow
def test_a_table_is_the_same_in_a_process_of_its_own():
    pairing = Pairing("city-hall", 2, "random", "caretaker")
    tables = [Table(pairing, "7", number, "") for number in range(2)]
    apart = sorted(play_tables(tables, jobs=2), key=lambda record: record.number)
    for table, record in zip(tables, apart, strict=True):
        here = play_table(table)
        assert (here.winners, here.scores, here.moves) == (record.winners, record.scores, record.moves)
    assert [record.seat for record in apart] == [0, 1]


@pytest.mark.parametrize(
    "words, sentence",
    [
        (["4", "random"], "There is no player '4'"),
        (["1", "2:angry"], "There is no temper 'angry'"),
        (["random", "random", "--seats", "2"], "tammany-hall has 3 to 5 seats, not 2."),
        (["random", "random", "--game", "chess"], "There is no game 'chess': tammany-hall"),
        (["random", "random", "--tables", "10001"], "not in the range"),
        (["random", "random", "--jobs", "0"], "not in the range"),
        (["random"], "Give A and B, such as 2 1, or --report PAGE."),
        (["1", "random", "--report", "page.md"], "leave out A, B, --seats and --json"),
        (["2-legs", "random"], "No bot can do without 'legs': tree, playouts, matrix, weights."),
    ],
)
def test_what_cannot_be_played_is_refused_in_a_sentence(words, sentence):
    code, output, told = arena(*words)
    assert (code, output) == (os.EX_USAGE, "")
    assert sentence in told


def test_a_file_of_something_else_is_left_alone(tmp_path):
    for content in (b"# Bots\n\nNo records.\n", b"# no line end", b"{}\n"):
        file = tmp_path / "bots.md"
        file.write_bytes(content)
        code, _, told = arena("random", "caretaker", "--tables", "1", "--jobs", "1", "--resume", str(file))
        assert code == os.EX_DATAERR
        assert "name another file" in told
        assert file.read_bytes() == content


@pytest.mark.slow
def test_an_interrupted_arena_keeps_what_it_played(tmp_path):
    file = tmp_path / "tables.ndjson"
    words = ["arena", "random", "caretaker", "--tables", "1000", "--jobs", "2", "--resume", str(file)]
    root = Path(__file__).parent.parent.parent.parent
    process = subprocess.Popen(
        [sys.executable, "-P", "-m", "service.cli", *words],
        env=os.environ | {"PYTHONPATH": str(root)},
        stderr=subprocess.PIPE,
        text=True,
    )
    until(lambda: (file.exists() and file.stat().st_size) or process.poll() is not None, "the first table")
    process.send_signal(signal.SIGINT)
    _, told = process.communicate(timeout=60)
    assert process.returncode == 130
    assert "Interrupted after" in told
    assert read_records(file)


@pytest.mark.slow
def test_the_report_is_a_page_of_all_gates_and_says_which_are_not_met(tmp_path, monkeypatch):
    def toy_gates(rules):
        yield Gate(Pairing(rules.kind, rules.seats[0], "random", "caretaker"), 3, 0.5, doubtful=True)
        yield Gate(Pairing(rules.kind, rules.seats[1], "caretaker", "random"), 3, 1.0)

    games = {kind: rulesets.RULESETS[kind] for kind in ("tammany-hall", "city-hall")}
    monkeypatch.setattr(rulesets, "RULESETS", games)
    monkeypatch.setattr(gates, "gates", toy_gates)
    monkeypatch.setattr(gates, "trials", lambda rules: [Gate(Pairing(rules.kind, 3, "random", "random"), 3)])
    page = tmp_path / "bots.md"
    words = ("--report", str(page), "--jobs", "1", "--tables", "2")
    code, output, told = arena(*words)
    assert (code, output) == (1, "")
    assert "A gate is not met: tammany-hall, 4 seats, caretaker against random." in told
    text = page.read_text()
    rows = [line.split(" | ") for line in text.splitlines() if line.startswith("| tammany-hall")]
    assert [row[1:5] for row in rows] == [
        ["3", "random", "caretaker", "2"],
        ["4", "caretaker", "random", "2"],
        ["3", "random", "random", "2"],
    ]
    assert [row[-1] for row in rows[:2]] == ["yes |", "**no** |"]
    arena(*words)
    assert page.read_text() == text
    assert len(read_records(tmp_path / "bots.md.tables.ndjson")) == 12


def test_a_report_that_is_interrupted_counts_what_was_played_of_each_pairing(tmp_path, monkeypatch):
    """Intervals say how sure it is; the rest is played when it is asked for again."""
    pairing = Pairing("city-hall", 2, "caretaker", "caretaker")
    monkeypatch.setattr(gates, "gates", lambda rules: [Gate(pairing, 3)] if rules.kind == "city-hall" else [])
    monkeypatch.setattr(gates, "trials", lambda rules: [])
    page = tmp_path / "bots.md"
    played = iter(play_tables([Table(pairing, "1", 0, code_digest("city-hall"))], 1))

    def interrupted(left, jobs):
        yield from played
        raise KeyboardInterrupt

    monkeypatch.setattr(run, "play_tables", interrupted)
    code, _, told = arena("--report", str(page), "--jobs", "1")
    assert (code, "Interrupted after 1 of 3 tables." in told) == (130, True)
    assert "| city-hall | 2 | caretaker | caretaker | 1 |" in page.read_text()
    page.unlink()
    (tmp_path / "bots.md.tables.ndjson").unlink()
    assert arena("--report", str(page), "--jobs", "1")[0] == 130
    assert not page.exists(), "of no table there is nothing to tell"
