"""What a draw was worth: how each seat stood with what was drawn, against the mean of what could have been drawn.

With everything open, hidden cards included: it is about luck, and not about what anybody could know.
"""

import math
from random import Random
from typing import Any, Final

from domain.engine.guidance import Guidance
from domain.engine.sentences import pack
from domain.search.advance import RandomDice, make, settle
from domain.search.evaluation import shares
from domain.search.strengths import Effort
from domain.teacher.course import DueDraw, Rules
from domain.teacher.findings import JudgedDraw

FEWEST: Final = 8
"""Playouts from either side of a draw."""
SURE: Final = 3.0
"""Standard errors by which luck must differ from none to be told."""


def judge_draw(
    rules: Rules, guidance: Guidance[Any, Any], draw: DueDraw, effort: Effort, rng: Random
) -> list[JudgedDraw]:
    """What a draw did for every seat; nothing where it cannot be told from no luck at all."""
    times = max(FEWEST, effort.simulations // 2)
    decider = rules.decider
    drawn = decider.fold(draw.before, [draw.event])
    before, after = [], []
    for _ in range(times):
        before.append(_play_on(rules, guidance, decider.copy(draw.before), rng))
        after.append(_play_on(rules, guidance, decider.copy(drawn), rng))
    seats = range(len(before[0]))
    if not any(_differ([line[seat] for line in before], [line[seat] for line in after]) for seat in seats):
        return []
    told = rules.presentation.tell(draw.event, [pawn.capitalize() for pawn in rules.notation.pawns])
    means = ([round(sum(line[seat] for line in lines) / times, 4) for seat in seats] for lines in (before, after))
    return [JudgedDraw(draw.version, pack(draw.part), pack(told), *means)]


def _play_on(rules: Rules, guidance: Guidance[Any, Any], state: Any, rng: Random) -> list[float]:
    """How the seats stand where the game's own horizon has changed once, played on by the quick policy."""
    dice, decider, horizon = RandomDice(rng), rules.decider, guidance.horizon
    waits, here = settle(decider, state, dice), horizon(state)
    while waits and horizon(state) == here:
        seat = min(waits)
        waits = make(decider, state, seat, guidance.quick_move(state, seat, rng), dice)
    return shares(decider, guidance, state)


def _differ(before: list[float], after: list[float]) -> bool:
    """Whether two samples of the same size have means that differ by more than chance would have it."""
    count = len(before)
    means = sum(before) / count, sum(after) / count
    spread = sum((value - means[0]) ** 2 for value in before) + sum((value - means[1]) ** 2 for value in after)
    return abs(means[1] - means[0]) > SURE * math.sqrt(spread / (count * (count - 1)))
