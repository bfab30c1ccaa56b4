"""The players of matches: anything that finds the move of a seat from its blind state, and how it is called."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from random import Random
from typing import Any, Final, NamedTuple

import msgspec

from domain.engine.bots import STRENGTHS, TEMPERS, Bot
from domain.engine.game import Seat
from domain.engine.ruleset import Ruleset
from domain.search.strengths import Effort, effort_of
from domain.search.think import ponder


class Choice(NamedTuple):
    """A move that a player found."""

    move: Sequence[Any]
    free: bool = True
    """Whether there was another one."""


Player = Callable[[Ruleset[Any, Any, Any], Any, Seat, bytes], Choice]
"""The choice of an awaited seat, found from its blind state and a seed; the same one every time."""


def bot_player(bot: Bot, lacks: str = "") -> Player:
    """A bot that thinks as a player, with all it knows or without one part of it."""

    def choose(rules: Ruleset[Any, Any, Any], blind: Any, seat: Seat, seed: bytes) -> Choice:
        effort = effort_of(rules.guidance, bot.strength)
        if lacks == "weights":
            rules = unweighted(rules)
        thought = ponder(rules, blind, seat, bot.temper, PARTS[lacks](effort), seed)
        return Choice(thought.actions, free=thought.simulations > 0)

    return choose


PARTS: Final[Mapping[str, Callable[[Effort], Effort]]] = {
    "": lambda effort: effort,
    "tree": lambda effort: msgspec.structs.replace(effort, depth=1),
    "playouts": lambda effort: msgspec.structs.replace(effort, horizons=0),
    "matrix": lambda effort: msgspec.structs.replace(effort, mixes=False),
    "weights": lambda effort: effort,
}
"""The parts of a bot that it can be asked to do without, to see what they are worth."""


def unweighted(rules: Ruleset[Any, Any, Any]) -> Ruleset[Any, Any, Any]:
    """Rules whose guidance thinks every feature as important as any other."""
    known = rules.guidance
    if known is None:
        return rules
    return replace(rules, guidance=replace(known, weights={stage: [1.0] * len(known.names) for stage in known.weights}))


def random_player(rules: Ruleset[Any, Any, Any], blind: Any, seat: Seat, seed: bytes) -> Choice:
    """Any of the actions listed as legal, each equally likely."""
    actions = rules.decider.legal_actions(blind, seat).actions
    return Choice([Random(seed).choice(actions)], free=len(actions) > 1)  # noqa: S311


def caretaker(rules: Ruleset[Any, Any, Any], blind: Any, seat: Seat, seed: bytes) -> Choice:
    """The smallest legal move."""
    return Choice([rules.decider.caretaker(blind, seat)])


UNTHINKING: Final[dict[str, Player]] = {"random": random_player, "caretaker": caretaker}


def named(name: str) -> Player:
    """The player of that name: random, caretaker, a strength such as 2, with a temper or without a part if wanted.

    A temper comes after a colon, 2:patient; the part after a hyphen, 2-tree.
    Raises ValueError with a sentence where there is none.
    """
    if name in UNTHINKING:
        return UNTHINKING[name]
    bare, colon, temper = name.partition(":")
    strength, hyphen, part = bare.partition("-")
    strengths = [str(each) for each in STRENGTHS if Bot(each).thinks]
    if strength not in strengths:
        raise ValueError(
            f"There is no player {name!r}: {', '.join(UNTHINKING)}, or a strength ({', '.join(strengths)}), "
            f"with a temper after a colon if wanted, such as 2:{TEMPERS[-1]}."
        )
    if hyphen and part not in PARTS.keys() - {""}:
        raise ValueError(f"No bot can do without {part!r}: {', '.join(filter(None, PARTS))}.")
    if colon and temper not in TEMPERS:
        raise ValueError(f"There is no temper {temper!r}: {', '.join(TEMPERS)}.")
    return bot_player(msgspec.convert({"strength": int(strength), "temper": temper or TEMPERS[0]}, Bot), part)
