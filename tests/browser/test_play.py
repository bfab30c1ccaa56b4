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


def play_in_windows(house, kind, way, most):
    """A game in which everybody plays in a window of their own, to its end or for so many turns."""
    game = house.tables.begin(*NAMES, kind=kind)
    chance = random.Random(f"{kind} {way}")
    press, context = WAYS[way]
    players = [WindowPlayer(house.window(name, **context), game, chance, press) for name in NAMES]
    for _ in range(most):
        if not (asked := house.tables.awaited(game)):
            break
        players[chance.choice(asked)].turn()
    return game


@pytest.mark.parametrize("way", ["pointer", "keys", "no script"])
@pytest.mark.parametrize("kind", ["tammany-hall", "city-hall"])
def test_the_beginning_of_a_game_in_a_browser_is_the_same_by_the_api(house, kind, way):
    """S-08 and play: what is clicked, typed or read out is what is played."""
    game = play_in_windows(house, kind, way, most=4)
    assert house.tables.head(game).version > 4
    assert_same_by_api(house.tables, game)


@pytest.mark.long
@pytest.mark.timeout(3000)
@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("kind", ["tammany-hall", "city-hall"])
def test_a_whole_game_in_a_browser_is_the_same_by_the_api(house, kind, way):
    game = play_in_windows(house, kind, way, most=5000)
    assert house.tables.head(game).table.status == "finished"
    assert_same_by_api(house.tables, game)
