"""A match: one game between players of any kind, without a table. The arena and the fitting are made of matches."""

import hashlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any, Final

from domain.engine.game import Seat
from domain.engine.ruleset import Ruleset
from domain.search.advance import RandomDice, make, settle
from domain.search.players import Player

LONGEST: Final = 4_000
"""Moves; a game that gets there has no end (CH-15.6) and is nobody's."""


@dataclass(frozen=True, slots=True)
class Played:
    """How a match ended: winners and points by seat, and how many moves were made."""

    winners: list[Seat]
    """Nobody where the game had no end."""
    scores: list[int]
    moves: int


def play(
    rules: Ruleset[Any, Any, Any],
    players: Sequence[Player],
    seed: str,
    options: Mapping[str, str] | None = None,
    watch: Callable[[Any], None] = lambda state: None,
) -> Played:
    """Play a whole game; the same seed gives the same one. `watch` sees every state in which somebody is asked.

    Variants that `options` says nothing of are the usual ones.

    Raises RuleViolation for a player whose move is not legal.
    """
    decider = rules.decider
    dice = RandomDice(Random(seed))  # noqa: S311
    usual = {name: values[0] for name, values in rules.options.items()}
    state = decider.initial(len(players), usual | dict(options or {}))
    waits = settle(decider, state, dice)
    moves = 0
    while waits and moves < LONGEST:
        watch(state)
        seat = min(waits)
        mind = hashlib.sha256(f"{seed}:{moves}:{seat}".encode()).digest()
        choice = players[seat](rules, decider.blind(state, seat), seat, mind)
        waits = make(decider, state, seat, tuple(choice.move), dice)
        moves += 1
    result = decider.result(state) or {"winners": [], "scores": [0] * len(players)}
    return Played(result["winners"], result["scores"], moves)
