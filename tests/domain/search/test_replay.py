"""A position played by the orders and the draws of a game of the archive comes to what that game came to.

Whoever searches in positions searches in the game that is played at tables: nothing is decided another way.
"""

import json
import lzma
from collections.abc import Iterator
from pathlib import Path

import pytest

from domain.audit.verify_history import read_game
from domain.engine.game import Seat
from domain.rulesets import RULESETS
from domain.table import events as e
from domain.table.evolve import fold
from domain.table.state import Table
from tests.domain.search.table_positions import beginning

GAMES = Path(__file__).parents[2] / "archive" / "games"


def lines(file: str) -> list[bytes]:
    return lzma.decompress((GAMES / file).read_bytes()).splitlines()


def orders(file: str) -> Iterator[tuple[Seat, str]]:
    """Every action of a game, sealed or not, and the seat it was played for."""
    for entry in map(json.loads, lines(file)):
        if entry.get("type", "table.").startswith("table."):
            continue  # what was ordered ahead is no action yet
        for data in (entry.get("data", {}), *(leaf["data"] for leaf in entry.get("sealed", []))):
            if "text" in data:
                yield entry["data"]["seat"], data["text"]


STRAIGHT = [
    kept["file"]
    for kept in json.loads((GAMES / "index.json").read_text())
    if "ended: finished" in kept["shows"] and not any(shown.startswith("went back") for shown in kept["shows"])
]
"""Those that came to their end, and in which nobody ever went back."""


@pytest.mark.parametrize("kind", RULESETS)
def test_many_games_of_the_archive_are_played_as_positions(kind):
    assert sum(file.startswith(kind) for file in STRAIGHT) >= 10


@pytest.mark.parametrize("file", STRAIGHT)
@pytest.mark.slow
def test_a_position_comes_to_the_state_of_the_archived_game(file):
    _, events, _ = read_game(lines(file))
    table = fold(Table(), RULESETS[events[0].ruleset], events)
    position = beginning(table)
    for seat, text in orders(file):
        position.push(text, seat)
    assert position.state == table.game
    assert position.dice.index == table.draws
    finished = next(event for event in events if isinstance(event, e.GameFinished))
    assert position.result() == {"winners": list(finished.winners), "scores": list(finished.scores)}
