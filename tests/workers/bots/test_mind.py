"""The process in which bots think: told what their seat sees and no more, of low priority, the same move every time."""

import os
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from random import Random

import pytest

from domain.engine.bots import Bot
from domain.engine.game import Action
from domain.rulesets import RULESETS
from domain.search.position import Position
from service.games.questions import Question, pack_state
from service.kernel.child_process import ChildFailed, ChildGone, ChildProcess
from service.kernel.own_modules import ROOT
from tests.domain.table.pennies import PENNIES
from tests.tables import Tables
from workers.bots import mind
from workers.bots import mind_process as process
from workers.bots.mind import NICENESS, by_process, mind_process
from workers.bots.thinker import Thinker

LONG = 300
TOY = "tests.workers.bots.toy_mind"


@pytest.fixture
def child() -> Iterator[ChildProcess]:
    """The real process; nothing is started before it is asked."""
    child = mind_process()
    yield child
    child.close()


@pytest.fixture
def toy() -> Iterator[ChildProcess]:
    """The same process with Pennies among its games, in which a thought may take for ever."""
    child = ChildProcess(TOY, NICENESS)
    yield child
    child.close()


def a_question(kind: str, seats: int, strength: int = 1, moves: int = 40) -> Question:
    """What a bot is asked somewhere in a game."""
    rng = Random(kind)
    position = Position.new(kind, seats, rng=rng)
    for _ in range(moves):
        position.push(position.sample_action(rng, min(position.awaiting)), min(position.awaiting))
    seat = min(position.awaiting)
    state = position.rules.decider.blind(position.state, seat)
    return Question(kind, pack_state(state), seat, Bot(strength), b"s" * 32)


@pytest.mark.parametrize("kind, seats", [("tammany-hall", 3), ("city-hall", 2)])
def test_the_process_finds_the_move_that_we_find(child, kind, seats):
    """Another process, another hash seed: what is found follows from the question alone."""
    question = a_question(kind, seats)
    found = by_process(child, LONG)(question)
    assert os.getpriority(os.PRIO_PROCESS, child.pid) == max(NICENESS, os.nice(0)), "of low priority"
    child.close()
    assert by_process(child, LONG)(question) == found
    assert process.think(question) == process.think(question)
    assert by_process(child, LONG)(question) == found


def test_it_imports_neither_a_database_nor_a_web_application():
    found = subprocess.run(
        [sys.executable, "-P", "-c", "import sys, workers.bots.mind_process as m; print(*sys.modules)"],
        cwd=ROOT, env={"PYTHONPATH": str(ROOT)}, capture_output=True, text=True, check=True,
    )  # fmt: skip
    loaded = {name.partition(".")[0] for name in found.stdout.split()}
    assert not loaded & {"flask", "sqlalchemy", "sqlmodel", "celery", "psycopg", "cryptography", "redis"}


def test_a_process_that_is_killed_in_the_midst_of_a_thought_is_replaced_and_the_move_is_the_same(
    sqlite_tables: Tables, toy: ChildProcess
) -> None:
    """The embedded mode: the child dies, its parent does not."""
    game = sqlite_tables.begin("ann", "bob", bots=[Bot(2)])
    asked: list[Question] = []

    def killed_once(question: Question) -> list[Action]:
        asked.append(question)
        if len(asked) > 1:
            return by_process(toy, LONG)(question)
        by_process(toy, LONG)(question)
        threading.Timer(0.05, os.kill, [toy.pid, signal.SIGKILL]).start()
        return by_process(toy, LONG)(a_question_about_pennies("for ever"))

    thinker = Thinker(sqlite_tables.services, killed_once)
    assert thinker.work() == 0
    sqlite_tables.advance(seconds=2)
    assert thinker.work() == 1
    assert asked[0] == asked[1]
    (action,) = by_process(toy, LONG)(asked[0])
    assert sqlite_tables.head(game).table.game.hands == {2: action.pennies}


@pytest.mark.parametrize("busy", [0, 1000], ids=["by the clock", "by what it computes"])
def test_a_thought_that_takes_too_long_is_given_up(toy, monkeypatch, busy):
    monkeypatch.setitem(RULESETS, PENNIES.kind, PENNIES)
    question = a_question_about_pennies()
    by_process(toy, LONG)(question)
    with monkeypatch.context() as patch:
        patch.setattr(mind, "BUSY", busy)
        hasty = by_process(toy, 1)
    with pytest.raises(ChildGone):
        hasty(a_question_about_pennies("for ever"))
    assert by_process(toy, LONG)(question)


def test_what_cannot_be_thought_is_told_as_a_failure(toy):
    with pytest.raises(ChildFailed):
        by_process(toy, LONG)(Question("chess", b"", 0, Bot(1), b""))


def a_question_about_pennies(mood: str = "calm") -> Question:
    state = PENNIES.decider.initial(2, {"rounds": "1", "mood": mood})
    state.phase = "hide"
    return Question("pennies", pack_state(state), 0, Bot(1), b"s" * 32)
