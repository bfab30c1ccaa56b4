"""From a link to one's own game, on a phone: watched, stepped through, checked, learnt, played, and called back."""

import json
import re

import pytest
from playwright.sync_api import expect

from tests.browser.house import House
from tests.browser.player import PLAY
from tests.browser.test_called_back import Worker
from tests.browser.test_check_page import verdict
from tests.browser.test_first_visit import PHONE
from tests.manual_clock import ManualClock
from tests.ports import free_port
from tests.workers.push.push_tables import PushService, PushTables

OTHERS = ("bob", "cyd")


@pytest.fixture
def house(chromium, migrated_sqlite, open_services):
    """A service, and a push service that hands on what it is given."""
    clock = ManualClock()
    base = f"http://127.0.0.1:{free_port()}"
    with House(
        chromium, PushTables(open_services(migrated_sqlite, clock=clock, BASE_URL=base), clock), base
    ).open() as found:
        yield found


@pytest.fixture
def played(house):
    """A finished game of others, which anybody may watch."""
    game = house.tables.begin("ben", *OTHERS, kind="tammany-hall")
    house.tables.play_out(game, 1, late=0)
    return game


def test_a_link_leads_from_watching_to_being_called_to_ones_own_turn(house, played):
    stranger = house.window(path=f"/g/{played}", **PHONE)
    watch(stranger.page, played)
    step_through(stranger.page, played)
    check(stranger, played)
    learn(stranger.page)
    be_called_back(house)


def watch(page, game):
    """Nobody asks who looks; what a member would do here is not offered."""
    expect(page.get_by_role("region", name="Board")).to_be_visible()
    expect(page.get_by_role("region", name="Your move")).to_have_count(0)
    assert page.locator("meta[property='og:image']").get_attribute("content")
    page.get_by_role("link", name="Replay").first.tap()
    expect(page).to_have_url(re.compile(f"/g/{game}\\?v="))


def step_through(page, game):
    """From the first move on, by taps; the address is that of the step."""
    expect(page.get_by_role("link", name="First step")).to_be_disabled()
    seen = [page.get_by_role("heading", level=1).inner_text()]
    for _ in range(3):
        page.get_by_role("link", name="Next step").tap()
        expect(page.get_by_role("heading", level=1)).not_to_have_text(seen[-1])
        seen.append(page.get_by_role("heading", level=1).inner_text())
    assert len({*seen}) == 4
    last = re.search(r"\d+", seen[-1])[0]
    expect(page).to_have_url(re.compile(rf"\?v={last}$"))


def check(window, game):
    """The page asks the server for the history, and for no verdict."""
    asked = []
    window.page.on("request", lambda request: asked.append(request.url))
    window.page.goto(f"/g/{game}/check")
    assert verdict(window).startswith("✓ It holds")
    told = [url for url in asked if f"/{game}" in url]
    assert told == [f"{window.base}/g/{game}/{part}" for part in ("check", "bundle")]


def learn(page):
    """The lesson to its end, by the move it shows where it asks for one."""
    page.goto("/learn")
    page.get_by_role("link", name=re.compile("Begin the lesson Tammany Hall")).tap()
    done = page.get_by_role("heading", level=1, name=re.compile("^You have finished"))
    for _ in range(40):
        if done.count():
            return
        page.get_by_role("link", name="Show me a move").tap()
        expect(page).to_have_url(re.compile("show=move"))
        before = page.url
        page.get_by_role("button", name=PLAY).tap()
        expect(page).not_to_have_url(before)
    raise AssertionError("the lesson has no end")


def be_called_back(house):
    """Her turn comes while no page of hers is open on the game: the device says so, and leads there."""
    tables, service = house.tables, PushService(house.tables)
    tables.add_device("ann")
    game = tables.begin("ann", *OTHERS, kind="tammany-hall")
    window = house.window("ann", path="/turns", **PHONE)
    worker = Worker(window)
    for seed in range(200):
        if 0 in tables.awaited(game):
            break
        tables.play_on(game, seed)
    tables.push(service)
    message = service.shown()[-1]
    worker.push(message)
    (shown,) = worker.shown()
    assert (shown["path"], shown["body"]) == (f"/g/{game}", message["body"])
    assert json.dumps(message).count("turn")
    window.page.goto(shown["path"])
    expect(window.page.get_by_role("region", name="Your move")).to_be_visible()
