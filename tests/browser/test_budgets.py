"""How heavy a page is, and how soon it is painted: bytes as they travel, requests, nodes, and times on a slow phone."""

import gzip
from collections import Counter
from typing import Any

import pytest
from playwright.sync_api import CDPSession, Page, Request

from tests.browser.house import OBSERVE, SHIFT, SHIFTED, House

KB = 1024
MOST = {"document": 25 * KB, "stylesheet": 10_400, "script": 10_850}
"""Bytes of a first view of a game, compressed, by kind of resource."""
REQUESTS = 12
NODES = 2500
NAMES = ("ann", "bob", "cyd")
MOVES = {"tammany-hall": 90, "city-hall": 60}

SIZES = {
    "phone": {"viewport": {"width": 390, "height": 844}, "is_mobile": True},
    "desk": {"viewport": {"width": 1366, "height": 768}},
}
LATENCY = 0.150
"""Seconds of a round trip of the slow network."""
THROUGHPUT = 200_000
"""Bytes a second: 1.6 Mbit/s."""
SLOWNESS = 4
"""How many times slower the processor is made."""
LARGEST_PAINT = 1.0
"""Seconds until the largest text or picture is painted, at most."""
LOADS = 3
"""Loads, of which the median counts."""
MEASURE = """
async () => {
  await document.fonts.ready;
  const [page] = performance.getEntriesByType("navigation"), parts = performance.getEntriesByType("resource");
  const asked = parts.filter((part) => /\\.(css|js)(\\?|$)/.test(part.name));
  const largest = paints.at(-1);
  return {
    bytes: [page, ...asked].reduce((sum, part) => sum + part.transferSize, 0),
    blocking: parts.filter((part) => part.renderBlockingStatus === "blocking").map((part) => part.initiatorType),
    paint: largest.startTime / 1000,
    picture: largest.url,
    moved: shifts.flatMap((shift) => shift.sources.map((source) => source.node?.id || source.node?.className)),
  };
}
"""


def started(house: House, kind: str) -> tuple[str, str]:
    """Begin a game, play some moves, and return its id and the name of somebody who is asked."""
    game = house.tables.begin(*NAMES, kind=kind)
    for seed in range(MOVES[kind]):
        house.tables.play_on(game, seed)
    return game, NAMES[house.tables.awaited(game)[0]]


@pytest.mark.parametrize("kind", MOVES)
def test_the_page_of_a_game_is_light(house, kind):
    game, name = started(house, kind)
    window = house.window(
        name, path="/docs", service_workers="block", forgiven=("Service Worker",)
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


def slow_view(page: Page, devtools: CDPSession, address: str) -> dict[str, Any]:
    """Load a page with an empty cache on a slow network and processor. Returns what was measured."""
    network = {"offline": False, "latency": LATENCY * 1000, "downloadThroughput": THROUGHPUT, "uploadThroughput": -1}
    devtools.send("Network.enable")
    devtools.send("Network.clearBrowserCache")
    devtools.send("Network.emulateNetworkConditions", network)
    devtools.send("Emulation.setCPUThrottlingRate", {"rate": SLOWNESS})
    page.goto(address, wait_until="load")
    shift = page.evaluate(SHIFTED)
    measured: dict[str, Any] = {**page.evaluate(MEASURE), "shift": shift}
    devtools.send("Emulation.setCPUThrottlingRate", {"rate": 1})
    return measured


def busy(page: Page, devtools: CDPSession, address: str) -> float:
    """Load a page. Returns how many seconds its main thread ran, which other work of the machine hardly changes."""
    devtools.send("Performance.enable", {"timeDomain": "threadTicks"})
    page.goto(address, wait_until="load")
    metrics = devtools.send("Performance.getMetrics")["metrics"]  # since this page was begun
    return float(next(metric["value"] for metric in metrics if metric["name"] == "TaskDuration"))


def test_the_page_of_a_game_is_painted_soon_and_stays_where_it_is(house):
    """On a machine with other work the paint comes late: then its time is added up of what it is made of."""
    wrong = {}
    for kind in MOVES:
        game, name = started(house, kind)
        for size, context in SIZES.items():
            window = house.window(
                name, path="/docs", first=OBSERVE, service_workers="block", forgiven=("Service Worker",), **context
            )
            devtools = window.context.new_cdp_session(window.page)
            view = slow_view(window.page, devtools, f"/g/{game}")
            if (paint := view["paint"]) > LARGEST_PAINT:
                view["busy"] = sorted(busy(window.page, devtools, f"/g/{game}") for _ in range(LOADS))
                paint = 2 * LATENCY + view["bytes"] / THROUGHPUT + SLOWNESS * view["busy"][LOADS // 2]
            if paint > LARGEST_PAINT or view["shift"] > SHIFT or view["picture"] or set(view["blocking"]) != {"link"}:
                wrong[kind, size] = {**view, "made of": paint}
    assert wrong == {}
