"""Where a learner is in a lesson: found from the moves alone, by the rules, and never kept.

A step is due when the game asks the learner what it is about; one that the game passes over is left out. A move that
reaches the goal leads to the next step, one that misses it is told so, and holds the game until the learner tries
again or goes on. Whatever is asked that no step is about, the learner answers as they like: so there is no dead end.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Final, Literal

from domain.engine.game import Seat
from domain.engine.lessons import ANY, Attempt
from domain.engine.refusals import OrderNotUnderstood, RuleViolation
from domain.rulesets import RULESETS
from domain.table.evolve import Rules
from service.lessons.material import Lesson, Step, lesson_of
from service.lessons.practice import MOST_PLAYS, Practice, fits, own_facts, practice
from service.lessons.token import ON, WRONG, BadToken, lines_of

SEAT: Final[Seat] = 0
"""Where the learner sits."""
KEPT: Final = 256
"""Places that are remembered, so that a step costs one move and not all of them."""
Outcome = Literal["", "reached", "missed", "not-yet"]
"""What came of the last move; "not-yet" where the goal can still be reached in the same decision."""


@dataclass(frozen=True, slots=True)
class Place:
    """A place in a lesson."""

    lesson: Lesson
    practice: Practice
    items: tuple[str, ...] = ()
    """The moves that led here."""
    number: int = 0
    """Of the step, from 0."""
    began: Practice | None = None
    """The table when the decision came up that the step is about."""
    first: int = 0
    """The step that was due then."""
    retry: tuple[str, ...] = ()
    """The moves before that decision."""
    before: Practice | None = None
    """The table before the last move."""
    outcome: Outcome = ""
    last: tuple[Step, ...] = ()
    """The steps that the last move reached, or the one that it missed."""
    is_over: bool = False

    @property
    def step(self) -> Step | None:
        """The step that is due; None where the game asks something that no step is about, or the lesson is over."""
        if self.is_over or self.began is None or self.number >= len(self.lesson.step):
            return None
        steps = self.lesson.step[self.first : self.number + 1]
        return steps[-1] if _is_due(steps[0], self.began) and all(step.same for step in steps[1:]) else None

    @property
    def is_held(self) -> bool:
        """Whether the game waits until the learner tries again or goes on."""
        return self.outcome == "missed"

    @property
    def may_retry(self) -> bool:
        """Whether anything was played in this decision that can be taken back."""
        return self.items != self.retry


@lru_cache(KEPT)
def place(kind: str, items: tuple[str, ...]) -> Place:
    """The place in a game's lesson to which these moves lead.

    Raises BadToken for moves that cannot be, LookupError for a game without a lesson.
    """
    if not items:
        return _start(kind)
    where = place(kind, items[:-1])
    try:
        return _left(where) if items[-1] == ON else played(where, items[-1])
    except (RuleViolation, OrderNotUnderstood) as error:
        raise BadToken(WRONG) from error


def played(where: Place, item: str) -> Place:
    """Return the place after a move of the learner; held if the move put the goal out of reach.

    Raises RuleViolation, OrderNotUnderstood, BadToken.
    """
    here = _played(where, item)
    if here.outcome != "not-yet" or suggestion(here):
        return here
    return replace(here, outcome="missed", last=() if here.step is None else (here.step,))


def _played(where: Place, item: str) -> Place:
    """Return the place after a move, without asking whether its goal can still be reached."""
    if where.is_over or where.is_held or where.began is None:
        raise BadToken(WRONG)
    table, began = where.practice, where.began
    then = table.played(SEAT, table.actions(lines_of(item)))
    number, reached = where.number, []
    facts = own_facts(then.past[len(began.past) :], SEAT)
    attempt = Attempt(began.table.game, facts, then.table.game, SEAT)
    step = where.step
    while step is not None and _is_reached(step, table.rules, attempt):
        reached.append(step)
        number += 1
        step = replace(where, number=number).step
    here = replace(
        where, practice=then, items=(*where.items, item), number=number, before=table, last=tuple(reached),
        outcome="reached" if reached else "not-yet" if step is not None else "",
    )  # fmt: skip
    if SEAT in then.awaited and then.decision == table.decision and not _is_at_end(where.lesson, then):
        return here
    return _moved_on(here) if step is None else replace(here, outcome="missed", last=(step,))


def _left(where: Place) -> Place:
    """The place after going on without having reached the goal. Raises BadToken where nothing can be left."""
    if where.step is None:
        raise BadToken(WRONG)
    here = replace(where, items=(*where.items, ON), number=where.number + 1, outcome="", last=(), before=where.practice)
    return _moved_on(here) if where.is_held else here


def _start(kind: str) -> Place:
    lesson = lesson_of(kind)
    if lesson is None:
        raise LookupError(kind)
    return _moved_on(Place(lesson, opening(RULESETS[kind], lesson)))


def opening(rules: Rules, lesson: Lesson) -> Practice:
    """The table of a lesson before anybody has moved."""
    known = rules.lessons
    assert known is not None, f"{rules.kind} has a lesson and no words for positions"
    if lesson.position is None:
        game = rules.decider.initial(len(lesson.names), {})
    else:
        game = known.position(**lesson.position)
    return practice(rules, game, lesson.names, seed=lesson.seed)


def _moved_on(where: Place) -> Place:
    """The place where the learner is asked again: the others have played, and the step that is due is found."""
    lesson, table = where.lesson, where.practice
    for _ in range(MOST_PLAYS):
        if SEAT in table.awaited or _is_at_end(lesson, table):
            break
        table = _of_another(lesson, table, min(table.awaited))
    due = (
        number
        for number, step in enumerate(lesson.step)
        if number >= where.number and not step.same and _is_due(step, table)
    )
    number, over = next(due, where.number), _is_at_end(lesson, table)
    return replace(where, practice=table, began=table, retry=where.items, number=number, first=number, is_over=over)


def _of_another(lesson: Lesson, table: Practice, seat: Seat) -> Practice:
    """The table after another player's move: what the lesson has them play where that is legal, else a quick one."""
    view = table.view(seat)
    for script in lesson.script:
        if script.seat == seat and fits(view, script.when):
            try:
                return table.played(seat, table.actions(script.moves))
            except (RuleViolation, OrderNotUnderstood):
                continue
    return table.quickly_played(seat)


def _is_reached(step: Step, rules: Rules, attempt: Attempt[object]) -> bool:
    known = rules.lessons
    return step.goal == ANY or (known is not None and known.goals[step.goal](attempt))


def _is_due(step: Step, table: Practice) -> bool:
    view = table.view(SEAT)
    return SEAT in table.awaited and view["phase"] == step.at and fits(view, step.when)


def _is_at_end(lesson: Lesson, table: Practice) -> bool:
    return not table.awaited or fits(table.view(SEAT), lesson.ends)


def suggestion(where: Place) -> Sequence[str]:
    """Lines that reach the goal of the step from here: those of the hint where they do, else the first that are found;
    none where nothing is found soon."""
    step = where.step
    if step is None or where.is_held:
        return ()
    found = (lines for lines in _candidates(step, where) if _reaches(where, lines))
    return next(found, ())


MOST_LINES: Final = 4
MOST_TRIED: Final = 400
"""Moves that are looked at for a suggestion: a turn has some thousand legal ones, and the goals are common."""


def _candidates(step: Step, where: Place) -> list[Sequence[str]]:
    """The hint's own lines, then what is legal, then what the caretaker would play."""
    table, decider = where.practice, where.practice.rules.decider
    write = table.rules.notation.write
    blind = decider.blind(table.table.game, SEAT)
    legal = [[write(action)] for action in decider.legal_actions(blind, SEAT).actions]
    return [step.moves, *legal[:: len(legal) // MOST_TRIED + 1], _smallest(table)]


def _smallest(table: Practice) -> list[str]:
    """What the caretaker would play until it is another's turn, or another question."""
    decider, then = table.rules.decider, table
    lines: list[str] = []
    while len(lines) < MOST_LINES and SEAT in then.awaited and then.decision == table.decision:
        action = decider.caretaker(decider.blind(then.table.game, SEAT), SEAT)
        lines.append(table.rules.notation.write(action))
        then = then.played(SEAT, [action])
    return lines


def _reaches(where: Place, lines: Sequence[str]) -> bool:
    if not lines:
        return False
    try:
        then = _played(where, "_".join(line.replace(" ", "-") for line in lines))
    except (RuleViolation, OrderNotUnderstood, BadToken):
        return False
    return then.outcome == "reached"
