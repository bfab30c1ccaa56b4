"""The recipes of recorded games: each follows from the seed and the number of its game."""

from collections.abc import Mapping
from dataclasses import dataclass
from random import Random
from typing import Any, Final

from domain.city_hall import CITY_HALL
from domain.engine.bots import TEMPERS
from domain.table.evolve import Rules
from domain.tammany_hall import TAMMANY_HALL
from tests.archive.players import citizen, crowding, quiet, saver
from tests.archive.tables import Chooser, anything

NAMES: Final = ("ann", "bob", "cyd", "dan", "eva")
CHANNELS: Final = ("http", "mail", "page")
CLOCKS: Final[tuple[Mapping[str, Any], ...]] = (
    {"per_move": "P3D"},
    {"per_move": "P2D", "strikes": 1},
    {"per_move": "P3D", "on_timeout": "pause"},
    {"per_move": "P1D", "bank": "P5D", "increment": "PT6H", "reminders": ["PT12H"]},
    {"per_move": "P3D", "quiet_hours": True, "weekends": "skip", "leave_days": 10},
)
ZONES: Final = ("UTC", "Europe/Paris", "America/New_York", "Pacific/Auckland")
CHOOSERS: Final[Mapping[str, tuple[Chooser, ...]]] = {
    TAMMANY_HALL.kind: (anything, quiet(0.3), quiet(0.9), crowding(0.9)),
    CITY_HALL.kind: (citizen, citizen, saver),
}
MOST_MOVES: Final = 700
SHORT: Final = 40
WHOLE: Final = 0.2
"""Games that are played to the end, as a share of all; the others are left after `SHORT` steps."""


@dataclass(frozen=True)
class Person:
    """Somebody who plays: the channel they like, their language and zone, and whether they want mails."""

    name: str
    channel: str
    language: str
    zone: str
    reads_mail: bool = True


@dataclass(frozen=True)
class Recipe:
    """The players, terms and habits of one game."""

    rules: Rules
    people: list[Person]
    terms: Mapping[str, Any]
    choose: Chooser
    trouble: float
    """The share of steps at which something else happens than a move."""
    most: int
    starts_early: bool
    """Whether the host starts the game with one seat free."""


def make_recipe(chance: Random, number: int, most: int | None = None) -> Recipe:
    """Return the recipe of a game; `most` limits its steps further."""
    rules: Rules = (TAMMANY_HALL, CITY_HALL)[number % 2]
    seats = rules.seats[number // 2 % len(rules.seats)]
    bots = chance.randrange(seats - 1) if chance.random() < 0.4 else 0
    people = [_person(chance, name) for name in NAMES[: seats - bots]]
    options = {name: chance.choice(values) for name, values in rules.options.items()} if chance.random() < 0.5 else {}
    public = chance.random() < 0.8
    terms = {
        "seats": seats,
        "options": options,
        "clock": chance.choice(CLOCKS),
        "public": public,
        "invite": [] if public else [f"{person.name}@people.example" for person in people[1:]],
        "bots": [
            {"strength": chance.choice((0, 0, 1, 3)), "temper": chance.choice(sorted(TEMPERS))} for _ in range(bots)
        ],
    }
    limit = MOST_MOVES if chance.random() < WHOLE else SHORT
    return Recipe(
        rules, people, terms, chance.choice(CHOOSERS[rules.kind]), chance.choice((0.0, 0.05, 0.15)),
        min(limit, most or limit), starts_early=seats - bots > rules.seats[0] and chance.random() < 0.15,
    )  # fmt: skip


def _person(chance: Random, name: str) -> Person:
    channel, reads_mail = chance.choice(CHANNELS), chance.random() < 0.1
    language, zone = chance.choice(("en", "en", "de", "fr")), chance.choice(ZONES)
    return Person(name, channel, language, zone, reads_mail or channel == "mail")
