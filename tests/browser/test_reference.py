"""The reference of the API in a browser: it can be read and walked by everybody, and its requests are answered."""

from typing import Final

import pytest
from playwright.sync_api import Page, expect

from service.accounts import people
from tests.browser.house import House, Window
from tests.browser.looks import SCHEMES, assert_accessible, assert_fits

OF_THE_RENDERER: Final = ("document validation errors", "[Object")
"""It asks for a `type` beside each `anyOf`, which JSON Schema does not; it says so and draws all the same."""
UNMENDED: Final = {"aria-required-children": "the button for more languages stands among the tabs of some"}
"""Rules of axe that the renderer's markup breaks where no attribute mends it, and why."""
GAMES: Final = "/docs/reference#tag/games/GET/api/v1/games"


def comes_still(page: Page) -> None:
    """Wait until nothing changes for a second: the renderer draws in several goes, and tells nobody when it is done."""
    before = ""
    for _ in range(60):
        if before == (before := page.content()):
            return
        page.wait_for_timeout(1000)
    raise AssertionError("the renderer goes on drawing")


def drawn(house: House, path: str = "/docs/reference", **context: object) -> Window:
    window = house.window(path=path, forgiven=OF_THE_RENDERER, **context)
    window.page.locator("#content[tabindex]").wait_for()
    window.page.wait_for_load_state("networkidle")
    comes_still(window.page)
    return window


@pytest.mark.parametrize(
    "scheme",
    [SCHEMES[0], *(pytest.param(scheme, marks=pytest.mark.long) for scheme in SCHEMES[1:])],
    ids=lambda scheme: " ".join(scheme.values()),
)
def test_the_reference_fits_and_is_accessible(house, scheme):
    """Drawn anew in each scheme, for the renderer chooses its colours itself."""
    window = drawn(house, **scheme)
    window.page.locator(f"body.{scheme['color_scheme']}-mode").wait_for()
    comes_still(window.page)
    assert_fits(window)
    assert_accessible(window, [scheme], UNMENDED)


def test_keys_alone_lead_to_the_reference_and_into_it(house):
    """From the skip link of the page for programs; then past the renderer's list of operations."""
    window = house.window(path="/docs", forgiven=OF_THE_RENDERER)
    keys, link = window.page.keyboard, window.page.locator("main a[href='/docs/reference']")
    for key in ("Tab", "Enter"):
        keys.press(key)
    for _ in range(9):
        keys.press("Tab")
        if link.evaluate("link => link === document.activeElement"):
            break
    expect(link).to_be_focused()
    keys.press("Enter")
    window.page.locator("#content[tabindex]").wait_for()
    keys.press("Tab")
    expect(window.page.locator(".skip")).to_be_in_viewport()
    keys.press("Enter")
    expect(window.page.locator("#content")).to_be_focused()


def test_a_request_can_be_tried_with_a_token_on_a_phone(house):
    """Under the policy of the page, at the server's own address; the token is asked for and sent, and kept nowhere."""
    services, ann, game = house.tables.services, house.tables.player("ann"), house.tables.begin("ann", "bob", "cyd")
    with services.database.write() as tx:
        token = people.make_token(services, tx, ann, "tried", services.database.clock.now(tx))
    window = drawn(house, GAMES, viewport={"width": 320, "height": 800}, is_mobile=True, has_touch=True)
    window.page.get_by_role("button", name="Test Request (get /api/v1/games)").first.click()
    client = window.page.get_by_role("dialog")
    client.get_by_placeholder("Token").fill(token)
    with window.page.expect_response("**/api/v1/games") as answer:
        client.get_by_role("button", name="Send get request").click()
    assert answer.value.request.headers["authorization"] == f"Bearer {token}"
    assert [found["id"] for found in answer.value.json()["items"]] == [game]
    expect(client.get_by_text(game).first).to_be_visible()
    assert window.page.evaluate("document.documentElement.scrollWidth") == 320
    kept = window.page.evaluate("JSON.stringify([{...localStorage}, {...sessionStorage}, document.cookie])")
    assert token not in kept
