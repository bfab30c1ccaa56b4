"""Games played in Chromium, by roles and names alone: the same history as by the API."""

import random
from typing import Any

import pytest

from tests.browser.player import WindowPlayer, click, press_key
from tests.service.web.test_game_page_player import assert_same_by_api, same_seed

__all__ = ["same_seed"]

NAMES = ("ann", "bob", "cyd")
WAYS: dict[str, tuple[Any, dict[str, Any]]] = {
    "pointer": (click, {}),
    "phone": (click, {"viewport": {"width": 360, "height": 740}, "has_touch": True}),
    "keys": (press_key, {}),
    "no script": (click, {"java_script_enabled": False}),
}


def play_in_windows(house, kind, ways, most):
    """A game in which each plays in a window and in a way of their own, to its end or for so many turns; and whose
    turns there were."""
    game = house.tables.begin(*NAMES, kind=kind)
    chance = random.Random(f"{kind} {' '.join(ways)}")
    players, turns = [], []
    for name, way in zip(NAMES, ways, strict=True):
        press, context = WAYS[way]
        players.append(WindowPlayer(house.window(name, **context), game, chance, press))
    while len(turns) < most and (asked := house.tables.awaited(game)):
        turns.append(chance.choice(asked))
        players[turns[-1]].turn()
    return game, turns


@pytest.mark.parametrize("kind", ["tammany-hall", "city-hall"])
def test_the_beginning_of_a_game_in_a_browser_is_the_same_by_the_api(house, kind):
    """S-08 and play: what is clicked, typed or read out is what is played."""
    game, turns = play_in_windows(house, kind, ("pointer", "keys", "no script"), most=6)
    assert set(turns) == {0, 1, 2}
    assert_same_by_api(house.tables, game)


@pytest.mark.long
@pytest.mark.timeout(3000)
@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("kind", ["tammany-hall", "city-hall"])
def test_a_whole_game_in_a_browser_is_the_same_by_the_api(house, kind, way):
    game, _ = play_in_windows(house, kind, (way, way, way), most=5000)
    assert house.tables.head(game).table.status == "finished"
    assert_same_by_api(house.tables, game)
