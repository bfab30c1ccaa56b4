"""Perft: how many legal actions there are, and after each of them, and again; as chess programs prove their rules.

Counted are lists of actions: at depth 1 those the awaited seat may take, at depth 3 those of three actions, one after
the other. Of several awaited seats the lowest acts; between two actions the game goes on by rule and by chance until
somebody must act, with draws that depend on nothing but their number. Where `legal_actions` lists a sample, the
sample counts. A count tells that something changed; `decisions` tells it of outcomes as well.
"""

import random
from collections.abc import Iterator, Sequence
from typing import Any

from domain.engine.game import CHANCE, Action, Event
from domain.engine.ruleset import Ruleset

Rules = Ruleset[Any, Any, Any]


class Draws:
    """Dice that come out by the number of a draw and its label alone."""

    def __init__(self) -> None:
        self.index = 0

    def below(self, label: str, n: int) -> int:
        return random.Random(f"{label} {self.index}").randrange(n)

    def sample(self, label: str, items: Sequence[Any], k: int) -> list[Any]:
        return random.Random(f"{label} {self.index}").sample(list(items), k)


def perft(rules: Rules, state: Any, depth: int) -> int:
    """The number of lists of so many legal actions; where the game is over there is none."""
    if depth == 1:
        return len(legal(rules, state)[1])
    return sum(perft(rules, after, depth - 1) for _, _, after in moves(rules, state))


def counts(rules: Rules, state: Any) -> tuple[int, int, int]:
    """perft at depth 1, 2 and 3."""
    state, _ = settle(rules, state)
    return perft(rules, state, 1), perft(rules, state, 2), perft(rules, state, 3)


def decisions(rules: Rules, state: Any, depth: int = 2) -> list[Any]:
    """Every list of so many legal actions with the facts of the last one, as texts, in alphabetical order."""
    state, _ = settle(rules, state)
    found = []
    for action, facts, after in moves(rules, state):
        line = rules.notation.write(action)
        found.append([line, list(map(repr, facts))])
        if depth > 1:
            found += [[f"{line}, {further}", then] for further, then in decisions(rules, after, depth - 1)]
    return sorted(found)


def moves(rules: Rules, state: Any) -> Iterator[tuple[Action, list[Event], Any]]:
    """Each legal action, the facts it leads to, and the position then."""
    seat, actions = legal(rules, state)
    for action in actions:
        facts = rules.decider.decide(state, seat, action)
        after, more = settle(rules, rules.decider.fold(state, facts))
        yield action, [*facts, *more], after


def legal(rules: Rules, state: Any) -> tuple[int, list[Action]]:
    """The lowest awaited seat and what it may do, found from what it knows."""
    seat = min(rules.decider.awaiting(state), default=CHANCE)
    if seat == CHANCE:
        return seat, []
    return seat, rules.decider.legal_actions(rules.decider.blind(state, seat), seat).actions


def settle(rules: Rules, state: Any) -> tuple[Any, list[Event]]:
    """The position in which somebody must act, or the game is over, and the facts that lead there."""
    past: list[Event] = []
    draws = Draws()
    while facts := rules.decider.proceed(state) or _draw(rules, state, draws):
        state = rules.decider.fold(state, facts)
        past += facts
    return state, past


def _draw(rules: Rules, state: Any, draws: Draws) -> list[Event]:
    """The facts of the draw that is due, if one is."""
    if CHANCE not in rules.decider.awaiting(state):
        return []
    facts = rules.decider.decide(state, CHANCE, rules.decider.chance(state, draws))
    draws.index += 1
    return facts
