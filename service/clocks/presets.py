"""Clocks to choose from, for those who do not want to set one themselves (DESIGN 7)."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from domain.engine.sentences import Sentence, say


@dataclass(frozen=True, slots=True)
class Preset:
    """A clock with a name; what `clock` leaves out is as everywhere."""

    name: Sentence
    clock: Mapping[str, Any]


PRESETS: Final[Mapping[str, Preset]] = {
    "relaxed": Preset(say("Relaxed"), {"per_move": "P7D", "leave_days": 21, "reminders": ["P2D", "PT12H"]}),
    "standard": Preset(say("Standard"), {"leave_days": 14}),
    "lively": Preset(
        say("Lively"),
        {"per_move": "P1D", "bank": "P3D", "increment": "PT6H", "quiet_hours": True, "reminders": ["PT8H"]},
    ),
}
STANDARD: Final = "standard"
RELAXED: Final = "relaxed"
