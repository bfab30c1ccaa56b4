"""What a draw was worth: how each seat stood with what was drawn, against the mean of what could have been drawn.

With everything open, hidden cards included: it is about luck, and not about what anybody could know.
"""

import math
from collections.abc import Sequence
from random import Random
from typing import Any, Final

from domain.engine.guidance import Guidance
from domain.engine.sentences import pack
from domain.search.advance import RandomDice, make, settle
from domain.search.evaluation import shares
from domain.search.strengths import Effort
from domain.teacher.course import DueDraw, Rules
from domain.teacher.findings import JudgedDraw

FEWEST: Final = 48
"""Pairs of playouts, from either side of a draw."""
SURE: Final = 2.5
"""Standard errors by which luck must differ from none to be told."""


def judge_draw(
    rules: Rules, guidance: Guidance[Any, Any], draw: DueDraw, effort: Effort, rng: Random
) -> list[JudgedDraw]:
    """What a draw did for every seat; nothing where it cannot be told from no luck at all."""
    decider = rules.decider
    drawn = decider.fold(draw.before, [draw.event])
    before, after = [], []
    for _ in range(max(FEWEST, effort.simulations // 2)):
        another = decider.copy(draw.before)
        settle(decider, another, RandomDice(rng))
        seed = rng.getrandbits(64)  # what can go alike after both, does
        before.append(_play_on(rules, guidance, another, Random(seed)))  # noqa: S311
        after.append(_play_on(rules, guidance, decider.copy(drawn), Random(seed)))  # noqa: S311
    if not any(map(_is_luck, _by_seat(before), _by_seat(after))):
        return []
    told = rules.presentation.tell(draw.event, [pawn.capitalize() for pawn in rules.notation.pawns])
    means = ([round(sum(values) / len(values), 4) for values in _by_seat(lines)] for lines in (before, after))
    return [JudgedDraw(draw.version, pack(draw.part), pack(told), *means)]


def _play_on(rules: Rules, guidance: Guidance[Any, Any], state: Any, rng: Random) -> list[float]:
    """How the seats stand where the game's own horizon has changed once, played on by the quick policy."""
    dice, decider, horizon = RandomDice(rng), rules.decider, guidance.horizon
    waits, here = settle(decider, state, dice), horizon(state)
    while waits and horizon(state) == here:
        seat = min(waits)
        waits = make(decider, state, seat, guidance.quick_move(state, seat, rng), dice)
    return shares(decider, guidance, state)


def _by_seat(lines: Sequence[Sequence[float]]) -> list[tuple[float, ...]]:
    return list(zip(*lines, strict=True))


def _is_luck(before: Sequence[float], after: Sequence[float]) -> bool:
    """Whether the differences of pairs have a mean that chance would not have given them."""
    gained = [late - early for early, late in zip(before, after, strict=True)]
    mean = sum(gained) / len(gained)
    spread = sum((gain - mean) ** 2 for gain in gained)
    return abs(mean) > SURE * math.sqrt(spread / (len(gained) * (len(gained) - 1)))
