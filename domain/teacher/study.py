"""One question of a course answered: what else could have been done, and what came by luck. The same every time."""

import hmac
from collections.abc import Sequence
from random import Random
from typing import Any, Final

from domain.engine.game import Seat
from domain.engine.guidance import Guidance, Move
from domain.engine.sentences import pack
from domain.search.strengths import Effort
from domain.search.think import RARE, ponder
from domain.search.think import Line as Looked
from domain.search.tree import key
from domain.teacher.bids import judge_bids
from domain.teacher.course import AskedDecision, Course, DueDraw, OpenedBids, Question, Rules
from domain.teacher.draws import judge_draw
from domain.teacher.findings import Finding, JudgedDecision, Line, verdict

SHOWN: Final = 3
"""Lines of a decision, besides what was played."""


def study(course: Course, question: Question, effort: Effort) -> Sequence[Finding]:
    """What is found of one question: nothing to say of some, of an opening something on each bid.

    Raises LookupError for a ruleset without guidance.
    """
    guidance = course.rules.guidance
    if guidance is None:
        raise LookupError(f"{course.rules.kind} has no guidance: nobody can say what would have been better")
    seed = hmac.digest(course.key, f"analysis:{question.version}".encode(), "sha256")
    match question:
        case AskedDecision():
            return [judge_decision(course.rules, guidance, question, effort, seed)]
        case DueDraw():
            return judge_draw(course.rules, guidance, question, effort, Random(seed))  # noqa: S311
        case OpenedBids():
            return list(judge_bids(course.rules, guidance, question))


def judge_decision(
    rules: Rules, guidance: Guidance[Any, Any], asked: AskedDecision, effort: Effort, seed: bytes
) -> JudgedDecision:
    """What was played, among the best of what could have been: from what the seat knew, and nothing else."""
    played = _as_candidate(rules, guidance, asked, effort, seed)
    thought = ponder(rules, asked.known, asked.seat, "even", effort, seed, include=[played])
    own = next(line for line in thought.lines if key(line.actions) == key(played))
    good = [line for line in thought.lines if not line.mixed or line.weight >= RARE]
    best = max(_trusted(good or thought.lines), key=lambda line: line.value)
    loss = max(0.0, best.value - own.value)
    others = [line for line in good if line is best or line.value <= best.value]  # above it, too little is known
    others.sort(key=lambda line: -line.value)
    named = verdict(loss, is_best=own is best)

    def shown(line: Looked, move: Move[Any]) -> Line:
        text = [rules.notation.write(action) for action in move]
        why = None if line is own and loss else pack(guidance.reason(asked.known, asked.seat, line.actions))
        return Line(text, _rounded(line.value), _rounded(line.weight), why)

    return JudgedDecision(
        version=asked.version,
        seat=asked.seat,
        by=asked.by,
        part=pack(asked.part),
        played=shown(own, asked.played),
        best=_rounded(max(best.value, own.value)),
        loss=_rounded(loss),
        verdict=named,
        lines=[shown(line, line.actions) for line in others if line is not own][:SHOWN],
        sealed=own.mixed,
    )


def _trusted(lines: list[Looked]) -> list[Looked]:
    """Lines that were looked at often enough for their value to mean something."""
    most = max(line.visits for line in lines)
    return [line for line in lines if 2 * line.visits >= most]


def _as_candidate(
    rules: Rules, guidance: Guidance[Any, Any], asked: AskedDecision, effort: Effort, seed: bytes
) -> Move[Any]:
    """What was played, as the search says it where its order is the only difference."""
    deal = guidance.sample_hidden(asked.known, asked.seat, Random(seed))  # noqa: S311
    candidates = guidance.candidates(deal, asked.seat, Random(seed), effort.width)  # noqa: S311
    if any(key(move) == key(asked.played) for move in candidates):
        return asked.played
    after = _after(rules, deal, asked.seat, asked.played)
    return next((move for move in candidates if _after(rules, deal, asked.seat, move) == after), asked.played)


def _after(rules: Rules, state: Any, seat: Seat, move: Move[Any]) -> Any:
    """The state after a move of a seat, before anything is drawn or opened."""
    state = rules.decider.copy(state)
    for action in move:
        state = rules.decider.fold(state, rules.decider.decide(state, seat, action))
        while (facts := rules.decider.proceed(state)) and not facts[0].OPENS:
            state = rules.decider.fold(state, facts)
    return state


def _rounded(value: float) -> float:
    return round(value, 4)
