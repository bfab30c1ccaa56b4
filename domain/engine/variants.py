"""Variants: the options a game can be played with."""

from collections.abc import Mapping
from typing import Protocol


class Played(Protocol):
    """A state that knows the options of its game."""

    @property
    def options(self) -> Mapping[str, str]: ...


class Variants(dict[str, tuple[str, ...]]):
    """The values of each option by its name, the default first."""

    def option(self, state: Played, name: str) -> str:
        """The value this game is played with; a game that says nothing plays the default (TH-1.7, CH-1.7)."""
        return state.options.get(name, self[name][0])
