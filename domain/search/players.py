"""The players of matches: anything that finds the move of a seat from its blind state, and how it is called."""

from collections.abc import Callable, Sequence
from random import Random
from typing import Any, Final, NamedTuple

import msgspec

from domain.engine.bots import STRENGTHS, TEMPERS, Bot
from domain.engine.game import Seat
from domain.engine.ruleset import Ruleset
from domain.search.think import think


class Choice(NamedTuple):
    """A move that a player found."""

    move: Sequence[Any]
    free: bool = True
    """Whether there was another one."""


Player = Callable[[Ruleset[Any, Any, Any], Any, Seat, bytes], Choice]
"""The choice of an awaited seat, found from its blind state and a seed; the same one every time."""


def bot_player(bot: Bot) -> Player:
    """A bot that thinks as a player."""

    def choose(rules: Ruleset[Any, Any, Any], blind: Any, seat: Seat, seed: bytes) -> Choice:
        thought = think(rules, blind, seat, bot, seed)
        return Choice(thought.actions, free=thought.simulations > 0)

    return choose


def random_player(rules: Ruleset[Any, Any, Any], blind: Any, seat: Seat, seed: bytes) -> Choice:
    """Any of the actions listed as legal, each equally likely."""
    actions = rules.decider.legal_actions(blind, seat).actions
    return Choice([Random(seed).choice(actions)], free=len(actions) > 1)  # noqa: S311


def caretaker(rules: Ruleset[Any, Any, Any], blind: Any, seat: Seat, seed: bytes) -> Choice:
    """The smallest legal move."""
    return Choice([rules.decider.caretaker(blind, seat)])


UNTHINKING: Final[dict[str, Player]] = {"random": random_player, "caretaker": caretaker}


def named(name: str) -> Player:
    """The player of that name: random, caretaker, a strength such as 2, or a strength and a temper: 2:patient.

    Raises ValueError with a sentence where there is none.
    """
    if name in UNTHINKING:
        return UNTHINKING[name]
    strength, colon, temper = name.partition(":")
    strengths = [str(each) for each in STRENGTHS if Bot(each).thinks]
    if strength not in strengths:
        raise ValueError(
            f"There is no player {name!r}: {', '.join(UNTHINKING)}, or a strength ({', '.join(strengths)}), "
            f"with a temper after a colon if wanted, such as 2:{TEMPERS[-1]}."
        )
    if colon and temper not in TEMPERS:
        raise ValueError(f"There is no temper {temper!r}: {', '.join(TEMPERS)}.")
    return bot_player(msgspec.convert({"strength": int(strength), "temper": temper or TEMPERS[0]}, Bot))
