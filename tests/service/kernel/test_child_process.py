"""A child that thinks for this process: it answers, it may fail or be lost, and never outlives us."""

import os
import subprocess
import sys
import threading
from collections.abc import Iterator

import pytest

from service.kernel.child_process import ChildFailed, ChildGone, ChildProcess
from service.kernel.own_modules import ROOT

TOY = "tests.service.kernel.toy_child"
LONG = 30.0


@pytest.fixture(scope="module")
def child() -> Iterator[ChildProcess]:
    made = ChildProcess(TOY, niceness=3)
    yield made
    made.close()


def test_a_child_answers_again_and_again_at_a_lower_priority(child):
    assert [child.ask({"double": number}, int, LONG) for number in (1, 2, 3)] == [2, 4, 6]
    assert os.getpriority(os.PRIO_PROCESS, child.pid) == min(19, os.getpriority(os.PRIO_PROCESS, 0) + 3)


def test_a_fault_of_a_request_is_named_and_the_next_one_answered(child):
    with pytest.raises(ChildFailed, match="LookupError: nobody knows how"):
        child.ask({"sing": True}, int, LONG)
    assert child.ask({"double": 4}, int, LONG) == 8


def test_a_child_gets_nothing_of_our_environment(child, monkeypatch):
    child.close()
    monkeypatch.setenv("WARDROOM_SECRET_KEY", "ours")
    assert child.ask({"environment": "WARDROOM_SECRET_KEY"}, str | None, LONG) is None


@pytest.mark.slow
def test_a_child_that_ends_is_replaced(child):
    with pytest.raises(ChildGone):
        child.ask({"die": 3}, int, LONG)
    assert child.ask({"double": 5}, int, LONG) == 10


def test_a_child_that_takes_too_long_is_ended(child):
    child.ask({"double": 5}, int, LONG)
    with pytest.raises(ChildGone):
        child.ask({"wait": LONG}, int, 0.05)
    assert child.pid is None


@pytest.mark.slow
def test_closing_ends_a_child_that_is_thinking(child):
    child.ask({"double": 5}, int, LONG)
    threading.Timer(0.05, child.close).start()
    with pytest.raises(ChildGone):
        child.ask({"wait": LONG}, int, LONG)


def test_a_thinking_child_ends_when_its_parent_is_gone():
    process = subprocess.Popen(
        [sys.executable, "-P", "-m", TOY, "0"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, cwd=ROOT,
        env={"PYTHONPATH": str(ROOT)},
    )  # fmt: skip
    process.stdin.write(b'{"double": 1}\n{"wait": 30}\n')
    process.stdin.flush()
    assert b'"answer":2' in process.stdout.readline()
    process.stdin.close()
    assert process.wait(timeout=10) == 0
    process.stdout.close()
