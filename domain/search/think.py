"""One thought of a bot: from what its seat may see to a move, the same one every time for the same seed."""

import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any, Final

from domain.engine.bots import Bot
from domain.engine.game import Action, Seat
from domain.engine.guidance import Move
from domain.engine.ruleset import Ruleset
from domain.search.evaluation import shares
from domain.search.simulation import Simulation, Task
from domain.search.strengths import EFFORTS, MOST_SIMULATIONS, Effort
from domain.search.tree import Node, key

RARE: Final = 0.1
"""A sealed answer that the strategy calls for more seldom is not given."""
AGAIN: Final = 4
"""Up to one in so many simulations comes on top for each move that must be looked at."""
TRIED: Final = 0.5
"""A move that was tried less than so often as the most tried one is not played instead of it."""


@dataclass(frozen=True, slots=True)
class Line:
    """A move that was looked at: what share of winning it seems to bring, and how often it was tried."""

    actions: tuple[Action, ...]
    value: float
    visits: int
    weight: float = 1.0
    """Its share of the trials; of a sealed answer, the probability to give it."""
    mixed: bool = False
    """Whether it is a sealed answer, best given by chance."""


@dataclass(frozen=True, slots=True)
class Thought:
    """What came of thinking: the move to make, the moves looked at (the best first), and the share of winning."""

    actions: list[Action]
    value: float
    lines: list[Line]
    simulations: int
    """None where there was one move alone."""


def think(rules: Ruleset[Any, Any, Any], blind: Any, seat: Seat, bot: Bot, seed: bytes) -> Thought:
    """The move of a bot in `seat`, which is awaited in `blind`, its own blind state.

    Raises LookupError for a ruleset without guidance, ValueError for a bot that does not think, or a seat that nobody
    asks anything.
    """
    if not bot.thinks:
        raise ValueError("strength 0 is the caretaker, which does not think")
    return ponder(rules, blind, seat, bot.temper, EFFORTS[bot.strength], seed)


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
    task = _task(rules, blind, seat, temper, effort, include)
    rng = Random(int.from_bytes(hashlib.sha256(seed).digest()))  # noqa: S311
    deal = task.guidance.sample_hidden(blind, seat, rng)
    moves = task.guidance.candidates(deal, seat, rng, effort.width)
    if len(moves) == 1 and not include:
        value = shares(rules.decider, task.guidance, deal)[seat]
        return Thought(list(moves[0]), value, [Line(tuple(moves[0]), value, 0)], 0)
    root = Node()

    def simulate(first: Move[Any] | None = None) -> None:
        Simulation(task, task.guidance.sample_hidden(blind, seat, rng), rng, first).run(root)

    for _ in range(effort.simulations):
        simulate()
    more = [move for move in include for _ in range(min(effort.simulations // AGAIN, _behind(root, seat, move)))]
    for move in more:
        simulate(move)
    lines = sorted(_lines(root, seat), key=lambda line: (-line.weight, -line.value))
    chosen = _choose(lines, effort, rng)
    return Thought(list(chosen.actions), chosen.value, lines, effort.simulations + len(more))


def _task(
    rules: Ruleset[Any, Any, Any], blind: Any, seat: Seat, temper: str, effort: Effort, include: Sequence[Move[Any]]
) -> Task:
    """What is to be thought about. Raises LookupError and ValueError with a sentence where that cannot be."""
    if rules.guidance is None:
        raise LookupError(f"{rules.kind} has no guidance: no bot can think about it")
    if not 1 <= effort.simulations <= MOST_SIMULATIONS:
        raise ValueError(f"a thought takes 1 to {MOST_SIMULATIONS} simulations, not {effort.simulations}")
    if seat not in rules.decider.awaiting(blind):
        raise ValueError(f"seat {seat} is asked nothing, and has nothing to think about")
    return Task(rules, rules.guidance, blind, seat, temper, effort, include)


def _behind(root: Node, seat: Seat, move: Move[Any]) -> int:
    """How much less often a move was tried than the one that was tried most often."""
    visits = {key(line.actions): line.visits for line in _lines(root, seat)}
    return max(visits.values()) - visits.get(key(move), 0)


def _lines(root: Node, seat: Seat) -> Iterator[Line]:
    """What the root has learnt of the seat's moves; of sealed answers, with the weights of its strategy."""
    tried = [edge for edge in root.edges.values() if edge.visits and edge.seat == seat]
    visits = sum(edge.visits for edge in tried)
    for edge in tried:
        yield Line(tuple(edge.move), edge.mean, edge.visits, edge.visits / visits)
    for matrix in root.matrices.values():
        weights = matrix.strategy(seat)
        for name, answer in matrix.answers[seat].items():
            yield Line(tuple(answer.move), answer.mean, answer.visits, weights[name], mixed=True)


def _choose(lines: Sequence[Line], effort: Effort, rng: Random) -> Line:
    """The move with the most weight; now and then one that is nearly as good; of sealed answers, by their weights."""
    most = lines[0]
    if most.mixed:
        likely = [line for line in lines if line.weight >= RARE] or [most]
        return rng.choices(likely, [line.weight for line in likely])[0]
    if effort.slip:
        tried = [line for line in lines if line.visits >= TRIED * most.visits]
        best = max(line.value for line in tried)
        return rng.choice([line for line in tried if line.value >= best - effort.slip])
    return most
