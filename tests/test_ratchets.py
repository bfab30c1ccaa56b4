"""Counts that may only shrink, and how a run of the checks ends."""

import json
import os
import runpy
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
import sqlalchemy as sa

import dev
from lab.english import Docstring
from lab.ratchets import grown
from service.store.database import Database
from service.store.statements import Statement
from tests import closing
from tests.both_databases import ONE_BY_NATURE, BothDatabases
from tests.closing import Closing, read_limits

ROOT = Path(__file__).parent.parent


@pytest.mark.slow
def test_no_count_has_grown() -> None:
    """If one has on purpose, raise it in tests/ratchets.json and say why in the commit."""
    script = "import json; from lab.ratchets import counted; print(json.dumps(counted()))"
    assert grown(counted_apart(script), read_limits()) == []


def counted_apart(script: str) -> dict[str, int]:
    """Return the counts as a process of its own takes them: other tests have loaded modules and hold caches."""
    done = subprocess.run([sys.executable, "-W", "ignore", "-c", script], cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    counts: dict[str, int] = json.loads(done.stdout.splitlines()[-1])
    return counts


def test_a_count_above_its_limit_and_one_without_a_limit_are_told() -> None:
    assert grown({"a": 3, "b": 2}, {"a": 3, "b": 1}) == ["b: 2, and tests/ratchets.json allows 1"]
    assert grown({"c": 1}, {}) == ["c: 1, and tests/ratchets.json allows 0"]


@pytest.mark.parametrize(
    "is_function, text, rule",
    [
        (False, "Whose turn it is.", "opens with a question word"),
        (False, "All that is kept about me.", "opens with all that"),
        (False, "The seat of a player. None for an id that is nobody's.", "where for if, None for"),
        (False, "The clock of a seat, be it held or not.", "unusual words"),
        (False, "A sentence " + "word " * 19 + "end.", "sentence of more than 20 words"),
        (True, "The seats that owe a bid.", "function without a verb in front"),
    ],
)
def test_a_hard_sentence_breaks_a_rule(is_function: bool, text: str, rule: str) -> None:
    assert Docstring("here", is_function, text).broken() == {rule}


def test_plain_sentences_break_no_rule() -> None:
    for plain in (
        "Return the seats that still owe a bid.",
        "Stop the child, even mid-request; waiting callers get ChildGone.",
    ):
        assert Docstring("here", True, plain).broken() == set()


# The end of a run


def reported(counts: Closing, *seconds: float) -> None:
    """Report a test of each of these durations, each in a file of its own."""
    for number, duration in enumerate(seconds):
        counts.pytest_runtest_logreport(SimpleNamespace(nodeid=f"tests/test_{number}.py::test", duration=duration))  # type: ignore[arg-type]


def left_out(*markers: str) -> Any:
    """Return a test with these markers."""
    return SimpleNamespace(get_closest_marker=lambda name: name in markers)


def test_a_run_ends_with_its_cases_its_slowest_files_and_what_it_left_out(pytestconfig: pytest.Config) -> None:
    counts = Closing(pytestconfig)
    reported(counts, 1, 4, 2, 3)
    counts.pytest_deselected([left_out("slow"), left_out("slow", "long"), left_out()])
    counts.pytest_testnodedown(SimpleNamespace(workeroutput={"closing": {"processes": 7, "left_out": {"slow": 2}}}))
    line = counts.line()
    assert line.startswith("4 cases in 0.0 minutes, 7 processes; slowest: ")
    assert "slowest: tests/test_1.py 4 s, tests/test_3.py 3 s, tests/test_2.py 2 s." in line
    assert line.endswith("Left out: 2 slow: dev.py test; 1 long drills: --long; 1 by name.")


def test_a_whole_run_with_too_many_cases_fails(
    pytestconfig: pytest.Config, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (tmp_path / "ratchets.json").write_text('{"cases": 1, "processes": 0}')
    monkeypatch.setattr(closing, "LIMITS", tmp_path / "ratchets.json")
    counts, session = Closing(pytestconfig), SimpleNamespace(exitstatus=0)
    monkeypatch.setattr(counts, "config", SimpleNamespace())
    monkeypatch.setattr(counts, "is_whole", lambda: True)
    reported(counts, 1)
    counts.pytest_sessionfinish(session, 0)  # type: ignore[arg-type]
    assert session.exitstatus == 0
    reported(counts, 1, 1)
    counts.pytest_sessionfinish(session, 0)  # type: ignore[arg-type]
    assert session.exitstatus == 1
    assert counts.too_many() == ["cases: 2, and tests/ratchets.json allows 1 (CONTRIBUTING: ratchets)"]


TOY_STORE = """
import sqlalchemy as sa
from service.store.statements import Statement

one = Statement(sa.select(sa.literal_column("1")))


def by_driver(connection):
    return [row[0] for row in one(connection)]


def by_core(connection):
    return [connection.execute(sa.select(1)).scalar_one() for _ in range(1)]


def by_clock(connection, now):
    return [now(connection)]
"""
TOY_CLOCK = """
def now(connection):
    return connection.exec_driver_sql("SELECT 1").scalar_one()
"""


def test_a_whole_run_fails_if_a_function_of_the_store_ran_on_one_database_only(
    sqlite_url: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    """Two functions run on SQLite only; a worker tells that one of them ran on PostgreSQL, too."""
    (tmp_path / "store").mkdir()
    for name, text in (("store/toy.py", TOY_STORE), ("clock.py", TOY_CLOCK)):
        (tmp_path / name).write_text(text)
    toy = SimpleNamespace(**{**runpy.run_path(f"{tmp_path}/clock.py"), **runpy.run_path(f"{tmp_path}/store/toy.py")})
    closing = SimpleNamespace(config=SimpleNamespace(), is_whole=lambda: True)
    both, session = BothDatabases(closing, tmp_path / "store"), SimpleNamespace(exitstatus=0)  # type: ignore[arg-type]
    monkeypatch.setattr(Statement, "_for", Statement._for)
    both.watch()
    request.addfinalizer(lambda: sa.event.remove(sa.Engine, "before_cursor_execute", both.note))
    both.pytest_sessionfinish(session, 0)  # type: ignore[arg-type]
    assert session.exitstatus == 0
    database = Database(sqlite_url)
    with database.read() as connection:
        assert toy.by_driver(connection) + toy.by_core(connection) + toy.by_clock(connection, toy.now) == [1, 1, 1]
    database.close()
    sentence = "service/store/toy.py:{} ran its statements on {} only: let a test run it on the other database"
    assert both.one_sided() == [sentence.format(name, "sqlite") for name in ("by_core", "by_driver")]
    worker = [["postgresql", f"{tmp_path}/store/toy.py", name] for name in ("by_driver", "unused.<locals>.<genexpr>")]
    both.pytest_testnodedown(SimpleNamespace(workeroutput={"both databases": worker}))
    for whole, status, failures in (
        (False, 0, []),
        (True, 1, [sentence.format("by_core", "sqlite"), sentence.format("unused", "postgresql")]),
    ):
        closing.is_whole = lambda whole=whole: whole
        both.pytest_sessionfinish(session, 0)  # type: ignore[arg-type]
        assert (session.exitstatus, both.failures) == (status, failures)


def test_the_functions_that_need_one_database_only_exist() -> None:
    for name in ONE_BY_NATURE:
        file, _, function = name.partition(":")
        assert (ROOT / "service/store" / file).exists(), name
        assert not function or f"def {function}(" in (ROOT / "service/store" / file).read_text(), name


@pytest.mark.slow
def test_a_static_check_that_fails_stops_nothing_and_is_shown_at_the_end(capfd: pytest.CaptureFixture[str]) -> None:
    words = {"one": ["python", "-c", "print('why not'); exit(1)"], "two": ["python", "-c", "print('unread')"]}
    assert dev.Steps(words, dict(os.environ)).finish() == ["one"]
    told = capfd.readouterr().out
    assert told.index("== two: passed") < told.index("== one failed") < told.index("why not")
    assert "unread" not in told
