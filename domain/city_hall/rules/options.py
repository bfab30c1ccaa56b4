"""The variants of City Hall (CH-19.3): their names and values, the default first."""

from typing import Final

from domain.city_hall.rules.state import State

OPTIONS: Final[dict[str, tuple[str, ...]]] = {
    "zero-bid": ("allowed", "refused"),
    "health-ties": ("shared-rank", "next-only"),
    "health-bonus": ("optional", "mandatory"),
    "zero-stars": ("counted", "ignored"),
    "campaign": ("mandatory", "optional"),
    "zoning-build": ("exactly-two", "one-or-two"),
    "holdings": ("secret", "open"),
}


def option(state: State, name: str) -> str:
    """The value this game is played with; a game that says nothing plays the default (CH-1.7)."""
    return state.options.get(name, OPTIONS[name][0])
