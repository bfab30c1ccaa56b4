"""Who plays what under which clock: eight zones whose clocks change, and every sort of policy."""

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

import sqlalchemy as sa

from service.container import Services
from service.kernel.clock import SECOND
from service.store.people.players import players

ZONES: Final = (
    "Europe/Paris", "America/New_York", "America/Santiago", "Australia/Lord_Howe",
    "Pacific/Auckland", "Africa/Casablanca", "Asia/Kolkata", "UTC",
)  # fmt: skip
WAKES: Final = (480, 360, 720)
GRACE: Final = {"grace": "PT10M"}
POLICIES: Final[Mapping[str, tuple[int, dict[str, Any]]]] = {
    "plain": (6, {"per_move": "P1D", **GRACE, "reminders": ["PT6H", "PT1H"], "strikes": 10}),
    "at once": (3, {"per_move": "PT20M", "grace": "PT1M", "reminders": [], "strikes": 10}),
    "quick": (4, {"per_move": "PT3H", "grace": "PT1M", "reminders": ["PT1H"], "strikes": 10}),
    "no grace": (2, {"per_move": "PT8H", "grace": "PT0S", "reminders": ["PT2H"], "strikes": 10}),
    "strict": (2, {"per_move": "PT12H", **GRACE, "reminders": ["PT3H"], "strikes": 2}),
    "quiet hours": (4, {"per_move": "P1D", **GRACE, "reminders": ["PT3H"], "quiet_hours": True, "strikes": 10}),
    "weekends": (2, {"per_move": "P1D", **GRACE, "reminders": ["PT6H"], "weekends": "skip", "strikes": 10}),
    "leave": (
        2,
        {"per_move": "P1D", **GRACE, "reminders": ["PT6H"], "quiet_hours": True, "weekends": "skip", "leave_days": 4,
         "strikes": 10},
    ),
    "bank": (
        3,
        {"per_move": "PT4H", **GRACE, "reminders": ["PT2H"], "bank": "PT12H", "increment": "PT1H", "strikes": 10},
    ),
    "quiet bank": (
        2,
        {"per_move": "PT8H", **GRACE, "reminders": ["PT2H"], "bank": "P1D", "increment": "PT2H", "quiet_hours": True,
         "strikes": 10},
    ),
    "pause": (2, {"per_move": "PT12H", **GRACE, "reminders": ["PT3H"], "on_timeout": "pause", "strikes": 3}),
}  # fmt: skip
"""By name, how common it is and what a host asks for."""
LARGE: Final = 0.012
"""Share of the games that are Tammany Hall, and as many City Hall: each asks a hundred times and more."""


@dataclass(frozen=True, slots=True)
class Person:
    """Who plays: their address tells their number."""

    number: int

    @property
    def id(self) -> str:
        return f"p_{self.number:08d}"

    @property
    def email(self) -> str:
        return f"n{self.number}@people.example"

    @property
    def zone(self) -> str:
        return ZONES[self.number % len(ZONES)]

    @property
    def wakes_at(self) -> int:
        return WAKES[self.number // len(ZONES) % len(WAKES)]

    @property
    def wants_mail(self) -> bool:
        return self.number % 50 != 7


@dataclass(frozen=True, slots=True)
class Opening:
    """A game to be opened: its rules, its policy, who sits there."""

    ruleset: str
    policy: str
    people: Sequence[Person]


def opening(chance: random.Random, people: int) -> Opening:
    """Some game among some people."""
    lot = chance.random()
    ruleset, seats = "pennies", range(2, 6)
    if lot < LARGE:
        ruleset, seats = "tammany-hall", range(3, 6)
    elif lot < 2 * LARGE:
        ruleset, seats = "city-hall", range(2, 5)
    names = [*POLICIES]
    (policy,) = chance.choices(names, [POLICIES[name][0] for name in names])
    seated = chance.sample(range(people), chance.choice(seats))
    return Opening(ruleset, policy, [Person(number) for number in seated])


def settle_down(services: Services, people: int) -> None:
    """Everybody who will play."""
    rows = [
        {
            "id": one.id, "name": f"N{one.number}", "email": one.email, "email_key": one.email, "timezone": one.zone,
            "language": "en", "mail": one.wants_mail, "wakes_at": one.wakes_at, "secret_free": True,
            "digest": "off", "created_at": SECOND, "verified_at": SECOND,
        }
        for one in map(Person, range(people))
    ]  # fmt: skip
    for first in range(0, people, 200):
        with services.database.write() as tx:
            tx.execute(sa.insert(players), rows[first : first + 200])
