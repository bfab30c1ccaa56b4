"""Whoever finds a bot's move, given a question: a process of its own, or for tests what they like."""

import os
from collections.abc import Callable
from typing import Final

from domain.engine.game import Action
from service.games.questions import Question, unpack_actions
from service.kernel.child_process import ChildProcess
from workers.bots.mind_process import Task

Mind = Callable[[Question], list[Action]]
"""Raises ChildGone or ChildFailed where nothing came of it."""
NICENESS: Final = 11
"""Whoever serves people goes first: of a core that others want all the time this gets a thirteenth. At 19 it would be a
seventieth, and whoever waits for bots on a busy machine would wait for minutes."""
BUSY: Final = 4
"""So many times as long as it computes may a thought take on the clock: of low priority it waits for others."""


def mind_process() -> ChildProcess:
    """A process in which bots think. It is started when it is first asked."""
    return ChildProcess("workers.bots.mind_process", max(0, NICENESS - os.nice(0)))


def by_process(process: ChildProcess, seconds: int) -> Mind:
    """A mind in such a process; a thought that computes for more than so many seconds is given up."""
    patience = BUSY * seconds
    return lambda question: unpack_actions(question.kind, process.ask(Task(question, seconds), bytes, patience))
