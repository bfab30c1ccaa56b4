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
        say("Beginner"),
        say("Looks no further than the term or round at hand, and slips now and then: for your first games."),
    ),
    2: Described(
        say("Practised"), say("Looks into the next term or round, too, weighs more, and slips seldom. Takes its time.")
    ),
    3: Described(say("Strong"), say("Weighs far more, and plays the best it finds. Takes some seconds for a move.")),
}
"""By strength."""
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
