"""Called back in a real browser: the worker is kept, calls are shown and taken back, positions are read offline.

No push service can be reached from here: what one would hand over is delivered to the worker through the browser's own
tools, in the very bytes that a device was sent.
"""

import json

import pytest
from playwright.sync_api import expect

from service.accounts.people import reader_name
from service.web.http.assets import edition
from tests.browser.house import Window, comes_to

READY = "navigator.serviceWorker.ready.then(() => true)"
SHOWN = """async () => (await (await navigator.serviceWorker.ready).getNotifications()).map(
    (shown) => ({title: shown.title, body: shown.body, tag: shown.tag, silent: shown.silent, path: shown.data.path}))"""
CACHES = "caches.keys()"


class Worker:
    """The worker of a window, through the tools of its browser."""

    def __init__(self, window: Window) -> None:
        self.window, self.page = window, window.page
        window.context.grant_permissions(["notifications"])
        assert self.page.evaluate(READY)
        comes_to(self.page, "navigator.serviceWorker.controller?.state === 'activated'")
        self.tools = window.context.new_cdp_session(self.page)
        self.found: list[str] = []
        self.tools.on("ServiceWorker.workerRegistrationUpdated", self._note)
        self.tools.send("ServiceWorker.enable")
        for _ in range(100):
            if self.found:
                return
            self.page.wait_for_timeout(50)
        raise AssertionError("the browser does not tell of its worker")

    def _note(self, told):
        ours = [one for one in told["registrations"] if one["scopeURL"] == f"{self.window.base}/"]
        self.found += [one["registrationId"] for one in ours if not one["isDeleted"]]

    def push(self, message: dict) -> None:
        """A push service hands a message over."""
        said = {"origin": self.window.base + "/", "registrationId": self.found[-1], "data": json.dumps(message)}
        self.tools.send("ServiceWorker.deliverPushMessage", said)

    def shown(self, count: int = 1) -> list[dict]:
        """The notifications, once there are so many."""
        comes_to(
            self.page,
            "async (count) => (await (await navigator.serviceWorker.ready).getNotifications()).length === count",
            count,
        )
        return self.page.evaluate(SHOWN)


def call(house, name, game, **changes):
    """A message to somebody as their device decrypts it."""
    return {
        "title": "City Hall: ann, bob", "body": "Your turn in City Hall “Lunch break”.", "path": f"/g/{game}",
        "tag": f"{game}.turn",
        "lang": "en", "asks": True, "game": game, "version": 3, "waiting": 1, "at": 1_930_000_000_000,
        "reader": reader_name(house.tables.services, house.tables.player(name)), **changes,
    }  # fmt: skip


NEUTRAL = "Wardroom", "Sign in to see what is asked of you.", "/turns"


def told(shown):
    return shown["title"], shown["body"], shown["path"]


def make_silent(window):
    """Have the server not answer what the worker asks before it shows a call."""
    window.context.route("**/turns/asked", lambda route: route.abort())


@pytest.fixture
def game(house):
    return house.tables.begin("ann", "bob", kind="city-hall")


@pytest.fixture
def asked(house, game):
    """The name of whoever is asked first, and of the other."""
    first = house.tables.awaited(game)[0]
    return ("ann", "bob")[first], ("bob", "ann")[first]


# Calls


def test_a_call_is_shown_and_taken_back_when_it_was_answered(house, game, asked):
    window = house.window(asked[0], path="/turns")
    worker = Worker(window)
    worker.push(call(house, asked[0], game))
    (shown,) = worker.shown()
    assert shown == {
        "title": "City Hall: ann, bob", "body": "Your turn in City Hall “Lunch break”.", "tag": f"{game}.turn",
        "silent": False, "path": f"/g/{game}",
    }  # fmt: skip
    worker.push(call(house, asked[0], game, body="Reminder: your answer is due."))
    comes_to(
        window.page,
        "async () => (await (await navigator.serviceWorker.ready).getNotifications())[0].body.startsWith('Reminder')",
    )
    assert len(worker.shown()) == 1, "the later one replaces the other"
    window.page.reload()
    assert len(worker.shown()) == 1, "it is still true"
    house.tables.play_on(game)
    window.page.reload()
    assert worker.shown(0) == []


def test_rate04_a_call_that_comes_too_late_says_so_without_a_sound(house, game, asked):
    window = house.window(asked[1], path="/turns")
    worker = Worker(window)
    worker.push(call(house, asked[1], game))
    (shown,) = worker.shown()
    assert shown["body"] == "Answered meanwhile: nothing is asked of you there any more."
    assert shown["silent"]


def test_a_browser_that_was_signed_out_shows_nothing_of_anybody(house, game, asked):
    window = house.window(asked[0], path="/turns")
    worker = Worker(window)
    window.context.clear_cookies()
    worker.push(call(house, asked[0], game))
    (shown,) = worker.shown()
    assert told(shown) == NEUTRAL


@pytest.mark.parametrize("offline", [False, True])
def test_a_call_for_one_player_tells_another_in_the_same_browser_nothing(house, game, asked, offline):
    """A call that was sent before the other signed in there, whether or not the server can be asked about it."""
    window = house.window(asked[0], path="/turns")
    worker = Worker(window)
    window.context.clear_cookies()
    window.context.add_cookies([house._session(asked[1])])
    window.page.goto("/turns")
    if offline:
        make_silent(window)
    worker.push(call(house, asked[0], game))
    (shown,) = worker.shown()
    assert told(shown) == NEUTRAL
    assert not shown["silent"]


def test_a_call_for_whoever_read_last_is_shown_though_the_server_is_silent(house, game, asked):
    window = house.window(asked[0], path="/turns")
    worker = Worker(window)
    window.page.reload()
    make_silent(window)
    worker.push(call(house, asked[0], game))
    (shown,) = worker.shown()
    assert told(shown) == ("City Hall: ann, bob", "Your turn in City Hall “Lunch break”.", f"/g/{game}")


def test_how_many_decisions_wait_is_in_title_and_icon_and_goes_with_the_news(house, game, asked):
    window = house.window(asked[0], path=f"/g/{game}")
    page = window.page
    assert page.title().startswith("(1) ")
    icon = page.locator("link[rel=icon]")
    expect(icon).to_have_attribute("href", "/icons/tab-1.svg")
    seat = ("ann", "bob").index(asked[0])
    for seed in range(50):
        if seat not in house.tables.awaited(game):
            break
        house.tables.play_on(game, seed)
    expect(icon).to_have_attribute("href", "/icons/tab-0.svg")
    assert not page.title().startswith("(")
    expect(page.locator("header nav .count")).to_have_count(0)


# Offline


def offline_window(house, name, path):
    """A window whose page was seen by its worker, and kept."""
    window = house.window(name, path=path, forgiven=("ERR_INTERNET_DISCONNECTED", "Failed to load resource"))
    worker = Worker(window)
    window.page.reload()
    return window, worker


def test_the_last_position_is_read_offline_with_its_age_and_nothing_can_be_sent(house, game, asked):
    window, _ = offline_window(house, asked[0], f"/g/{game}")
    page = window.page
    comes_to(page, f"async () => (await caches.match('/g/{game}')) !== undefined")
    heading = page.locator("h1").inner_text()
    window.context.set_offline(True)
    page.goto(f"/g/{game}")
    expect(page.locator("#kept")).to_contain_text("You are offline")
    assert "this minute" in page.locator("#kept").inner_text()
    assert page.locator("h1").inner_text() == heading
    assert page.locator("svg").count(), "the board"
    assert page.locator("form, button, script, input, textarea").count() == 0
    page.goto("/tables")
    expect(page.get_by_role("heading", level=1)).to_have_text("You are offline")
    expect(page.get_by_role("link", name="City Hall")).to_have_attribute("href", f"/g/{game}")
    window.context.set_offline(False)
    page.goto(f"/g/{game}")
    assert page.locator("form").count()


def test_what_was_kept_goes_when_its_owner_signs_out_and_when_somebody_else_signs_in(house, game, asked):
    window, _ = offline_window(house, asked[0], f"/g/{game}")
    page = window.page
    comes_to(page, f"async () => (await caches.match('/g/{game}')) !== undefined")
    window.context.clear_cookies()
    page.goto("/rules")
    comes_to(page, "async () => !(await caches.keys()).some((name) => name.startsWith('kept '))")
    window.context.add_cookies([house._session(asked[1])])
    page.goto(f"/g/{game}")
    comes_to(page, f"async () => (await caches.match('/g/{game}')) !== undefined")
    page.get_by_role("button", name="Sign out").click()
    comes_to(page, "async () => (await caches.keys()).length === 0")
    assert page.evaluate("navigator.serviceWorker.getRegistration().then((found) => found === undefined)")


def test_what_was_kept_stays_when_its_owner_sees_a_page_that_is_nobodys(house, asked):
    public = house.tables.begin("ann", "bob", "cyd", kind="tammany-hall")
    window, _ = offline_window(house, asked[0], f"/g/{public}")
    page = window.page
    comes_to(page, f"async () => (await caches.match('/g/{public}')) !== undefined")
    for path in (f"/g/{public}/embed", "/offline/en"):
        page.goto(path)
        assert page.evaluate(f"caches.match('/g/{public}').then((kept) => kept !== undefined)"), path


def test_pages_that_are_no_position_of_ones_own_are_not_kept(house, game, asked):
    window, _ = offline_window(house, "cyd", f"/g/{game}")
    for path in ("/me", "/turns", f"/g/{game}"):
        window.page.goto(path)
    window.page.evaluate("new Promise((quiet) => requestIdleCallback(() => setTimeout(quiet, 100)))")
    names = window.page.evaluate(CACHES)
    assert names == [f"shell {edition()}"]
    addresses = (
        "caches.open(NAME).then((shell) => shell.keys()).then((kept) => kept.map((one) => new URL(one.url).pathname))"
    )
    kept = window.page.evaluate(addresses.replace("NAME", repr(names[0])))
    assert all(path.startswith(("/assets/", "/offline/", "/language")) for path in kept)


# The device


def test_a_browser_that_may_not_be_called_says_so(house):
    window = house.window("ann", path="/me/mail")
    button = window.page.get_by_role("button", name="Call me on this device")
    expect(button).to_be_visible()
    window.context.clear_permissions()
    button.click()
    expect(window.page.get_by_text("Your browser does not allow it")).to_be_visible()
