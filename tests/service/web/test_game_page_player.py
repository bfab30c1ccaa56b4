"""Whole games played by the forms of their page alone: the same history as the same actions by the API's use case."""

import random
from typing import Any

import msgspec
import pytest

from service.games import play
from service.games.play import Orders
from service.kernel.entropy import Entropy
from tests.service.web.browser import Browser
from tests.service.web.page_player import PagePlayer
from tests.tables import Tables


@pytest.fixture(autouse=True)
def same_seed(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every table has the same seed and nonces, so that the same draws are made at each."""
    monkeypatch.setattr(Entropy, "seed", lambda _, size: bytes(range(size)))


def played_by_forms(tables: Tables, kind: str, seed: int, most: int) -> str:
    """A game in which everybody plays by forms, to its end or for so many turns."""
    game = tables.begin("ann", "bob", "cyd", kind=kind)
    chance = random.Random(f"{kind} {seed}")
    players = [PagePlayer(Browser(tables.services, tables.ids[name]), game, chance) for name in ("ann", "bob", "cyd")]
    for _ in range(most):
        if not (asked := tables.awaited(game)):
            break
        players[chance.choice(asked)].turn()
    return game


def requests(tables: Tables, game: str) -> list[tuple[int, list[str]]]:
    """What each request played: the seat, and its lines, from the exports of all seats."""
    found: dict[str, tuple[int, list[str]]] = {}
    exports = [[msgspec.json.decode(line) for line in tables.export(game, seat)][:-1] for seat in range(3)]
    for events in zip(*exports, strict=True):
        seat = events[0]["actor"].get("seat")
        own = events[seat or 0]
        text = own["data"].get("text") or next(
            (leaf["data"].get("text") for leaf in own["sealed"] if "data" in leaf), None
        )
        if seat is not None and text:
            found.setdefault(own["cause"], (seat, []))[1].append(text)
    return list(found.values())


def facts(tables: Tables, game: str) -> list[tuple[Any, ...]]:
    """The history without what differs from table to table: ids, times, salts, hashes."""
    found = []
    for seat in range(3):
        for line in tables.export(game, seat)[:-1]:
            event = msgspec.json.decode(line)
            found.append((event["type"], event["actor"], event["data"], [leaf.get("data") for leaf in event["sealed"]]))
    return found


def assert_same_by_api(tables: Tables, game: str) -> None:
    kind = tables.head(game).rules.kind
    twin = tables.begin("ann", "bob", "cyd", kind=kind)
    for seat, lines in requests(tables, game):
        player = tables.head(twin).table.chairs[seat].player
        with tables.services.database.write() as tx:
            play.move(tables.services, tx, twin, player, Orders(text="\n".join(lines)))
    assert facts(tables, twin) == facts(tables, game)


@pytest.mark.parametrize("kind", ["tammany-hall", "city-hall"])
def test_the_beginning_of_a_game_by_forms_is_the_same_by_the_api(tables, kind):
    game = played_by_forms(tables, kind, seed=1, most=25)
    assert tables.head(game).version > 25
    assert_same_by_api(tables, game)


@pytest.mark.long
@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("kind", ["tammany-hall", "city-hall"])
def test_a_whole_game_by_forms_is_the_same_by_the_api(tables, kind, seed):
    game = played_by_forms(tables, kind, seed, most=5000)
    assert tables.head(game).table.status == "finished"
    assert_same_by_api(tables, game)
