"""How heavy a page is: bytes as they travel, requests, nodes. Times are measured by hand: bench/README.md has them."""

import gzip
from collections import Counter

import pytest
from playwright.sync_api import Request

KB = 1024
MOST = {"document": 25 * KB, "stylesheet": 10_400, "script": 10_850}
"""Bytes of a first view of a game, compressed, by kind of resource."""
REQUESTS = 12
NODES = 2500


@pytest.mark.parametrize("kind, moves", [("tammany-hall", 90), ("city-hall", 60)])
def test_the_page_of_a_game_is_light(house, kind, moves):
    names = ("ann", "bob", "cyd")
    game = house.tables.begin(*names, kind=kind)
    for seed in range(moves):
        house.tables.play_on(game, seed)
    window = house.window(
        names[house.tables.awaited(game)[0]], path="/docs", service_workers="block", forgiven=("Service Worker",)
    )  # the worker reads its own pages beside the first view, whenever it likes
    asked: list[Request] = []
    window.page.on("request", lambda request: asked.append(request))
    window.page.goto(f"/g/{game}", wait_until="load")
    weights: Counter[str] = Counter()
    for request in asked:
        if request.resource_type in MOST:
            weights[request.resource_type] += len(gzip.compress(window.context.request.get(request.url).body(), 5))
    assert {name: weights[name] for name, most in MOST.items() if weights[name] > most} == {}
    told = [request.url for request in asked if request.resource_type != "font"]  # which no page waits for
    assert len(told) <= REQUESTS, told
    assert window.page.evaluate("document.querySelectorAll('*').length") <= NODES
