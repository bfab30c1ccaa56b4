"""The variants of Tammany Hall (TH-17.3): their names and values, the default first."""

from typing import Final

from domain.tammany_hall.rules.state import State

OPTIONS: Final[dict[str, tuple[str, ...]]] = {
    "chip-supply": ("35", "25"),
    "lock-scope": ("sealed", "placement-only"),
    "leader-zero": ("none", "all"),
    "end-zero": ("none", "all"),
    "ward-bonus": ("optional", "mandatory"),
    "holdover-vp": ("3", "0"),
    "second-slander-presence": ("required", "not-required"),
    "sealed-bid": ("replaceable", "final"),
}


def option(state: State, name: str) -> str:
    """The value this game is played with; a game that says nothing plays the default (TH-1.7)."""
    return state.options.get(name, OPTIONS[name][0])
