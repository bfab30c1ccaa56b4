"""A page hears of moves by a stream, and goes on by asking, silently, when there is none."""

import re
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from service.container import Services
from tests.acceptance.processes import Program, environment, until
from tests.browser.house import House, Window
from tests.manual_clock import ManualClock
from tests.ports import free_port
from tests.proxy import Proxy
from tests.tables import Tables

SECRET = "a master key of enough characters for all"
NAMES = ("ann", "bob", "cyd")
GONE = ("ERR_", "503")


@pytest.fixture
def house(
    chromium: Browser, migrated_sqlite: str, open_services: Callable[..., Services], redis_url: str, tmp_path: Path
) -> Iterator[House]:
    """A service behind a proxy that leads /news/ to a process of its own, which is in `house.process`."""
    port, web, news = free_port(), free_port(), free_port()
    base = f"http://127.0.0.1:{port}"
    variables = {"REDIS_URL": redis_url, "NEWS": f"127.0.0.1:{news}", "SECRET_KEY": SECRET, "BASE_URL": base}
    services = open_services(migrated_sqlite, clock=ManualClock(), **variables)
    tables = Tables(services, services.database.clock)
    words = environment(DATA_DIR=str(tmp_path), **variables)
    with (
        Program(["service.news.__main__"], words, tmp_path / "news.log") as process,
        Proxy(port, {b"/": web, b"/news/": news}),
        House(chromium, tables, base, port=web).open() as found,
    ):
        found.process = process  # type: ignore[attr-defined]
        until(lambda: "moves are heard of" in process.output, "the source of news")
        yield found


def act(house: House, game: str) -> None:
    """Whoever is asked moves elsewhere."""
    seat = house.tables.awaited(game)[0]
    house.tables.move(game, seat, house.tables.legal(game, seat)[0])


def shows(window: Window, house: House, game: str) -> None:
    version = str(house.tables.head(game).version)
    expect(window.page.locator("#table")).to_have_attribute("data-version", version)


def test_a_page_is_told_of_moves_and_asks_when_the_process_is_killed(house):
    game = house.tables.begin(*NAMES, kind="tammany-hall")
    window = house.window("ann", forgiven=GONE)
    window.page.route(re.compile(r"/news\?after="), lambda route: route.abort())
    with window.page.expect_response(re.compile(r"/news/\?ticket=")) as opened:
        window.page.goto(f"/g/{game}")
    assert opened.value.status == 200
    for _ in range(2):
        act(house, game)
        shows(window, house, game)
    window.page.unroute(re.compile(r"/news\?after="))
    with window.page.expect_request(re.compile(r"/news\?after=")):
        house.process.end()
    act(house, game)
    shows(window, house, game)
    expect(window.page.locator("#offline")).to_be_hidden()


def test_somebody_who_only_watches_is_told_too(house):
    game = house.tables.begin(*NAMES, kind="city-hall")
    window = house.window(forgiven=GONE)
    with window.page.expect_response(re.compile(r"/news/\?ticket=")):
        window.page.goto(f"/g/{game}")
    act(house, game)
    shows(window, house, game)


def test_a_page_behind_another_holds_no_stream(house):
    """One for each window: what nobody looks at costs nothing, and catches up when it is looked at again."""
    game = house.tables.begin(*NAMES, kind="city-hall")
    window = house.window("ann", forgiven=GONE)
    with window.page.expect_response(re.compile(r"/news/\?ticket=")):
        window.page.goto(f"/g/{game}")
    hide = "hidden => { Object.defineProperty(document, 'visibilityState', {value: hidden, configurable: true});"
    hide += " document.dispatchEvent(new Event('visibilitychange')) }"
    with window.page.expect_event("requestfailed", lambda request: "ticket=" in request.url):
        window.page.evaluate(hide, "hidden")
    act(house, game)
    with window.page.expect_response(re.compile(r"/news/\?ticket=")):
        window.page.evaluate(hide, "visible")
    shows(window, house, game)
