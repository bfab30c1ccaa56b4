"""A service that answers over HTTP in this process, and the windows of those who look at it."""

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urlsplit

from playwright.sync_api import Browser, BrowserContext, ConsoleMessage, Locator, Page, Request
from werkzeug.serving import make_server

from service.web.http.session import begin_session, cookie_name
from tests.apps import app_of
from tests.tables import Tables

PATIENCE = 15_000
"""Milliseconds that a page has, on a machine with other work."""

SHIFT = 0.02
"""Cumulative layout shift of a page, at most."""
OBSERVE = """
window.paints = [], window.shifts = [];
for (const [type, list] of [["largest-contentful-paint", paints], ["layout-shift", shifts]])
  new PerformanceObserver((found) => list.push(...found.getEntries())).observe({ type, buffered: true });
"""
"""A script that notes what is painted and what moves without a press."""
SHIFTED = """
async () => {
  for (let frame = 0; frame < 3 || !paints.length; frame += 1) await new Promise(requestAnimationFrame);
  return shifts.reduce((sum, shift) => sum + (shift.hadRecentInput ? 0 : shift.value), 0);
}
"""
"""How much has moved so far in a page that is painted."""


def in_words(page: Page) -> Locator:
    """Unfold the field for a move in words, and return it."""
    page.evaluate("document.querySelector('details.in-words').open = true")
    return page.locator("#draft-text")


def comes_to(page: Page, condition: str, *arg: object) -> None:
    """Wait until an expression is true in a page, or the promise it gives.

    `wait_for_function` takes a promise for true, and a page's own policy forbids it to look a second time.
    """
    end = time.monotonic() + 60
    while not page.evaluate(condition, *arg):
        assert time.monotonic() < end, condition
        page.wait_for_timeout(50)


@dataclass
class House:
    """The server, and all windows at it."""

    browser: Browser
    tables: Tables
    base: str
    windows: list["Window"] = field(default_factory=list)
    port: int = 0  # where it answers, if a proxy stands at its address

    @contextmanager
    def open(self) -> Iterator["House"]:
        """Answer until the end of the test; then nothing may have gone wrong in any window."""
        self.app = app_of(self.tables.services)
        port = self.port or urlsplit(self.base).port
        assert port is not None
        server = make_server("127.0.0.1", port, self.app, threaded=True)
        thread = threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True)
        thread.start()
        try:
            yield self
            faults = [fault for window in self.windows for fault in window.faults]
            assert not faults, faults
        finally:
            for window in self.windows:
                window.context.close()
            server.shutdown()
            thread.join()
            server.server_close()

    def window(
        self,
        player: str | None = None,
        *,
        path: str = "/",
        first: str = "",
        forgiven: tuple[str, ...] = (),
        **context: Any,
    ) -> "Window":
        """A window at this service, signed in where a player is named; `context` as Playwright has it.

        The script `first` runs in each page before its own.
        """
        given = {"viewport": {"width": 1280, "height": 900}, "locale": "en", "reduced_motion": "reduce", **context}
        made = self.browser.new_context(base_url=self.base, **given)
        made.set_default_timeout(PATIENCE)
        if first:
            made.add_init_script(first)
        if player is not None:
            made.add_cookies([self._session(player)])
        window = Window(made, self.base, forgiven)
        self.windows.append(window)
        window.page.goto(path)
        return window

    def _session(self, player: str) -> Any:
        services, known = self.tables.services, self.tables.player(player)
        with self.app.test_request_context(), services.database.write() as tx:
            answer = begin_session(self.app.response_class(), tx, known)
            name = cookie_name()
        value = answer.headers["Set-Cookie"].partition("=")[2].partition(";")[0]
        return {"name": name, "value": value, "url": self.base, "httpOnly": True, "sameSite": "Lax"}


class Window:
    """One window, and what went wrong in it; `forgiven` are texts of console messages that are no fault."""

    def __init__(self, context: BrowserContext, base: str, forgiven: tuple[str, ...] = ()) -> None:
        self.context = context
        self.base = base
        self.faults: list[str] = []
        self.forgiven = forgiven
        context.on("page", self._watch)
        self.page: Page = context.new_page()

    def _watch(self, page: Page) -> None:
        page.on("console", self._console)
        page.on("pageerror", lambda error: self.faults.append(f"error: {error}"))
        page.on("request", self._request)

    def _console(self, message: ConsoleMessage) -> None:
        if message.type in ("error", "warning") and not any(text in message.text for text in self.forgiven):
            self.faults.append(f"console: {message.text}")

    def _request(self, request: Request) -> None:
        if not request.url.startswith((self.base, "data:", "blob:")):
            self.faults.append(f"another host was asked: {request.url}")

    def settle(self) -> None:
        """Wait until the page that was asked for is there, and its script has done what it does at once."""
        self.page.wait_for_load_state()
        self.page.locator("[aria-busy=true]").first.wait_for(state="detached")
