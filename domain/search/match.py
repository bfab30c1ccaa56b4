"""One game between players of any kind, without a table: what the arena and the fitting are made of."""

import hashlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Any, Final

from domain.engine.bots import Bot
from domain.engine.game import Seat
from domain.engine.ruleset import Ruleset
from domain.search.advance import RandomDice, make, settle
from domain.search.think import think

Player = Callable[[Ruleset[Any, Any, Any], Any, Seat, bytes], Sequence[Any]]
"""The move of an awaited seat, found from its blind state and a seed."""
LONGEST: Final = 4_000
"""Moves; a game that gets there has no end (CH-15.6) and is nobody's."""


def bot_player(bot: Bot) -> Player:
    """A bot as a player of matches."""
    return lambda rules, blind, seat, seed: think(rules, blind, seat, bot, seed).actions


def random_player(rules: Ruleset[Any, Any, Any], blind: Any, seat: Seat, seed: bytes) -> Sequence[Any]:
    """Any of the actions listed as legal, each as likely."""
    return [Random(seed).choice(rules.decider.legal_actions(blind, seat).actions)]  # noqa: S311


def caretaker(rules: Ruleset[Any, Any, Any], blind: Any, seat: Seat, seed: bytes) -> Sequence[Any]:
    """The smallest legal move."""
    return [rules.decider.caretaker(blind, seat)]


@dataclass(slots=True)
class Played:
    """How a match ended: the winners, the points by seat, and how often each seat was asked."""

    winners: list[Seat]
    scores: list[int]
    asked: list[int] = field(default_factory=list)


def play(
    rules: Ruleset[Any, Any, Any],
    players: Sequence[Player],
    seed: str,
    options: Mapping[str, str] | None = None,
    watch: Callable[[Any], None] = lambda state: None,
) -> Played:
    """A whole game; the same seed gives the same one. `watch` sees every state in which somebody is asked."""
    decider = rules.decider
    dice = RandomDice(Random(seed))  # noqa: S311
    state = decider.initial(len(players), options or {})
    waits, asked = settle(decider, state, dice), [0] * len(players)
    for number in range(LONGEST):
        if not waits:
            break
        watch(state)
        seat = min(waits)
        asked[seat] += 1
        mind = hashlib.sha256(f"{seed}:{number}:{seat}".encode()).digest()
        move = players[seat](rules, decider.blind(state, seat), seat, mind)
        waits = make(decider, state, seat, tuple(move), dice)
    result = decider.result(state) or {"winners": [], "scores": [0] * len(players)}
    return Played(result["winners"], result["scores"], asked)
