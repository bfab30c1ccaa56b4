"""One thought of a bot: from what its seat may see to a move, the same one every time for the same seed."""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from random import Random
from typing import Any, Final

from domain.engine.bots import Bot
from domain.engine.game import Action, Seat
from domain.engine.guidance import Guidance, Move
from domain.engine.ruleset import Ruleset
from domain.search.evaluation import shares
from domain.search.root import Line, Root, root_moves
from domain.search.simulation import MOST_ANSWERS, Task, is_mixed
from domain.search.strengths import MOST_SIMULATIONS, Effort, effort_of
from domain.search.tree import key

__all__ = ["Line", "Thought", "ponder", "think"]

RARE: Final = 0.1
"""A sealed answer that the strategy calls for more seldom is not given."""
AGAIN: Final = 4
"""Up to one in so many simulations comes on top for each move that must be looked at."""
TRIED: Final = 0.5
"""A move that was tried less than half as often as the best one is not played instead of it."""


@dataclass(frozen=True, slots=True)
class Thought:
    """What came of thinking: the move to make, the moves looked at (the best first), and the share of winning."""

    actions: list[Action]
    value: float
    lines: list[Line]
    simulations: int
    """How many there were; 0 where there was one move alone."""


def think(rules: Ruleset[Any, Any, Any], blind: Any, seat: Seat, bot: Bot, seed: bytes) -> Thought:
    """The move of a bot in `seat`, which is awaited in `blind`, its own blind state.

    Raises LookupError for a ruleset without guidance, ValueError for a bot that does not think, or a seat that nobody
    asks anything.
    """
    if not bot.thinks:
        raise ValueError("strength 0 is the caretaker, which does not think")
    return ponder(rules, blind, seat, bot.temper, effort_of(rules.guidance, bot.strength), seed)


def ponder(
    rules: Ruleset[Any, Any, Any],
    blind: Any,
    seat: Seat,
    temper: str,
    effort: Effort,
    seed: bytes,
    include: Sequence[Move[Any]] = (),
) -> Thought:
    """The same with an effort of one's own. Raises ValueError for one beyond `MOST_SIMULATIONS`, too.

    The moves of `include`, legal in `blind`, are looked at, too: where the search has turned away from one of them, so
    often again that it can be compared with the others.
    """
    guidance = _guidance(rules, blind, seat, effort)
    base = int.from_bytes(hashlib.sha256(seed).digest())
    rng = Random(seed)  # noqa: S311
    # Not by `base`, which deals the first simulation: a move would be judged on the deal that it was chosen for.
    sealed = is_mixed(guidance, blind, rules.decider.awaiting(blind), effort)
    most = min(effort.width, MOST_ANSWERS) if sealed else effort.width
    moves = root_moves(guidance, blind, seat, most, rng)
    if len(moves) == 1 and guidance.choices_public and not include:
        return _forced(rules, guidance, blind, seat, moves[0], rng)
    known = {key(move) for move in moves}
    moves += [move for move in include if key(move) not in known]
    root = Root(Task(rules, guidance, blind, seat, temper, effort, moves), base)
    for _ in range(effort.simulations):
        root.simulate()
    for move in include:
        for _ in range(min(effort.simulations // AGAIN, root.behind(move))):
            root.simulate(move)
    lines = root.lines()
    chosen = _choose(lines, effort, root.node.tally(seat).spread, rng)
    return Thought(list(chosen.actions), chosen.value, lines, root.count)


def _guidance(rules: Ruleset[Any, Any, Any], blind: Any, seat: Seat, effort: Effort) -> Guidance[Any, Any]:
    """What is known of playing these rules. Raises LookupError and ValueError where nobody can think about it."""
    if rules.guidance is None:
        raise LookupError(f"{rules.kind} has no guidance: no bot can think about it")
    if not 1 <= effort.simulations <= MOST_SIMULATIONS:
        raise ValueError(f"a thought takes 1 to {MOST_SIMULATIONS} simulations, not {effort.simulations}")
    if seat not in rules.decider.awaiting(blind):
        raise ValueError(f"seat {seat} is asked nothing, and has nothing to think about")
    return rules.guidance


def _forced(
    rules: Ruleset[Any, Any, Any], guidance: Guidance[Any, Any], blind: Any, seat: Seat, move: Move[Any], rng: Random
) -> Thought:
    """The only move, and what the position is worth as it stands."""
    value = shares(rules.decider, guidance, guidance.sample_hidden(blind, seat, rng))[seat]
    return Thought(list(move), value, [Line(tuple(move), value, 0)], 0)


def _choose(lines: Sequence[Line], effort: Effort, spread: float, rng: Random) -> Line:
    """The best move, of sealed answers one by their weights; who is not careful now and then takes another.

    `spread` is a standard deviation of what simulations brought.
    """
    best, slip = lines[0], effort.slip * spread
    if best.mixed:
        likely = [line for line in lines if effort.lax or line.weight >= RARE] or [best]
        return rng.choices(likely, [line.weight + effort.lax for line in likely])[0]
    return rng.choice([line for line in lines if line is best or _nearly(line, best, slip)]) if slip else best


def _nearly(line: Line, best: Line, slip: float) -> bool:
    """Whether a move is as good as the best but for so much, and was tried often enough to say so."""
    return line.visits >= TRIED * best.visits and line.value >= best.value - slip
