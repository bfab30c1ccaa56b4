"""Counts that may only shrink: the size of the product, its trips, its statements and its contorted sentences."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from lab.english import Docstring
from lab.ratchets import grown
from tests.closing import read_limits

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
