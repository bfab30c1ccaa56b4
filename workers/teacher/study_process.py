"""The process that studies games which are over: of low priority, without our environment, told nothing but a history.

It keeps the last game it was told, so that its history travels once and not with every slice.
"""

import resource
import time
from collections.abc import Sequence
from typing import Final

import msgspec

from domain.audit.verify_history import read_entries
from domain.teacher.course import Course, course
from domain.teacher.effort import STUDY_EFFORTS
from domain.teacher.findings import Finding
from domain.teacher.study import study
from service.kernel.child_process import answer_requests

MEMORY: Final = 1024 * 1024 * 1024
"""Bytes of address space that the process may take: many times what it needs."""


class Slice(msgspec.Struct, frozen=True):
    """Questions of a game to be studied, from one on, for so many seconds; `lines` is its export, if it is told."""

    hash: str
    strength: int
    after: int
    seconds: float
    lines: Sequence[str] | None = None


class Studied(msgspec.Struct, frozen=True):
    """What was found of questions up to `done` of `total`; `unknown`: nothing, for the game was never told."""

    done: int = 0
    total: int = 0
    findings: Sequence[Finding] = ()
    unknown: bool = False


_known: Final[dict[str, Course]] = {}


def study_slice(asked: Slice) -> Studied:
    """Study at least one question, and more while there is time. Raises NothingToLearn, BrokenHistory, LookupError."""
    if asked.hash not in _known:
        if asked.lines is None:
            return Studied(unknown=True)
        kept, entries, _ = read_entries(asked.lines)
        _known.clear()
        _known[asked.hash] = course(kept.rules, entries)
    school, effort = _known[asked.hash], STUDY_EFFORTS[asked.strength]
    findings: list[Finding] = []
    end, done, total = time.monotonic() + asked.seconds, asked.after, len(school.questions)
    while done < total:
        findings += study(school, school.questions[done], effort)
        done += 1
        if time.monotonic() > end:
            break
    return Studied(done, total, findings)


def main() -> None:
    """Study what comes by standard input until it ends."""
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    answer_requests(lambda line: study_slice(msgspec.json.decode(line, type=Slice)))


if __name__ == "__main__":
    main()
