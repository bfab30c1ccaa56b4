"""The process in which bots think: of low priority, without our environment, and told what a seat may see and no more.

It never opens a database, and imports no part of the web application.
"""

import resource
import signal
from typing import Final

import msgspec

from domain.rulesets import ruleset
from domain.search.strengths import effort_of, paced
from domain.search.think import ponder
from service.games.questions import Question, pack_actions, unpack_state
from service.kernel.child_process import answer_requests

MEMORY: Final = 1024 * 1024 * 1024
"""Bytes of address space that the process may take: many times what it needs."""


class Task(msgspec.Struct, frozen=True):
    """A question, and for how many seconds it may be computed about."""

    question: Question
    seconds: float


def think(question: Question) -> bytes:
    """The move of a bot, packed."""
    rules, state = ruleset(question.kind), unpack_state(question.kind, question.state)
    effort = paced(effort_of(rules.guidance, question.bot.strength), question.answered)
    thought = ponder(rules, state, question.seat, question.bot.temper, effort, question.seed)
    return pack_actions(thought.actions)


def main() -> None:
    """Think about what comes by standard input until it ends; a thought that computes for too long ends the process."""
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    answer_requests(lambda line: _think_in_time(msgspec.json.decode(line, type=Task)))


def _think_in_time(task: Task) -> bytes:
    signal.setitimer(signal.ITIMER_PROF, task.seconds)
    move = think(task.question)
    signal.setitimer(signal.ITIMER_PROF, 0)
    return move


if __name__ == "__main__":
    main()
