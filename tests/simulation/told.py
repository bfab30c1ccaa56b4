"""What the conductor knows because it made it so: the checker's own knowledge of the world."""

from collections import Counter
from dataclasses import dataclass, field
from typing import NamedTuple


class Leave(NamedTuple):
    """Leave of a person, by number, and when it was announced; days in ISO form."""

    at: int
    who: int
    first: str
    last: str


class Mail(NamedTuple):
    """An answer that came by mail, and when it was read; never, before it was."""

    game: str
    seat: int
    came: int
    read: int


@dataclass(slots=True)
class Told:
    """What was done to the service and its players. Times in microseconds."""

    openings: dict[str, tuple[str, str]] = field(default_factory=dict)  # by game: policy, ruleset
    leaves: list[Leave] = field(default_factory=list)
    mails: dict[int, Mail] = field(default_factory=dict)
    outages: list[tuple[int, int]] = field(default_factory=list)  # the last sweep before, the first after
    jumps: list[tuple[int, int]] = field(default_factory=list)  # while the clock was wrong, by the clock
    silences: list[tuple[int, int]] = field(default_factory=list)  # while no beat was heard
    deeds: Counter[str] = field(default_factory=Counter)
    faults: Counter[str] = field(default_factory=Counter)
    habits: Counter[str] = field(default_factory=Counter)
    moments: int = 0
    tasks: Counter[str] = field(default_factory=Counter)
    over: int = 0
