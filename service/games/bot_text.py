"""What bots are called and what they are like, for people: on pages and in letters."""

from collections.abc import Mapping
from typing import Final, NamedTuple

from domain.engine.bots import Bot, Strength, Temper
from domain.engine.sentences import Sentence, say
from service.games.seat_names import TEMPERED


class Described(NamedTuple):
    """A word for a strength or a temper, and a sentence about whoever has it."""

    name: Sentence
    about: Sentence


LEVELS: Final[Mapping[Strength, Described]] = {
    0: Described(say("Caretaker"), say("Makes the smallest legal move, at once.")),
    1: Described(
        say("Beginner"), say("Looks at few moves, a little ahead, and slips now and then: for your first games.")
    ),
    2: Described(say("Practised"), say("Looks at more moves, and plays the best it finds, or nearly.")),
    3: Described(say("Strong"), say("Looks longest, and plays the best it finds.")),
}
"""By strength. They say what is true whatever an effort is: horizons and simulations are tuned."""
CHARACTERS: Final[Mapping[Temper, Described]] = {
    "even": Described(TEMPERED["even"], say("Plays to win, and likes nothing else.")),
    "cautious": Described(TEMPERED["cautious"], say("Keeps something in hand, and avoids open fights.")),
    "patient": Described(TEMPERED["patient"], say("Builds for later, rather than for now.")),
    "vindictive": Described(TEMPERED["vindictive"], say("Goes for whoever is ahead, also where it costs something.")),
}
"""By temper."""


def level(strength: Strength) -> Sentence:
    """A strength in words: "2 · Practised"."""
    return say("{strength} · {name}", strength=strength, name=LEVELS[strength].name)


def character(bot: Bot) -> Sentence:
    """What a bot is like: "2 · Practised, patient"."""
    if not bot.thinks:
        return level(bot.strength)
    return say("{level}, {temper}", level=level(bot.strength), temper=CHARACTERS[bot.temper].name)
