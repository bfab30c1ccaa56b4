"""Play now in a real browser: a visitor is in the middle of a game within ten seconds of opening the first page."""

import threading
import time

from playwright.sync_api import expect

from tests.browser.house import House
from tests.browser.looks import SCHEMES, assert_accessible, assert_fits
from tests.thinking import think_all

SECONDS = 10
TRIES = 3
"""The best of so many counts: the machine has other work, too."""


def seconds_to_a_first_move(house: House) -> float:
    """How long it takes from the first page to a decision of one's own, by one click."""
    began = time.monotonic()
    window = house.window()
    window.page.get_by_role("button", name="Play now").click()
    bots = threading.Thread(target=think_all, args=(house.tables.services,))
    bots.start()
    try:
        expect(window.page.get_by_role("heading", level=1)).to_contain_text("Take your turn")
        expect(window.page.locator("#first-move")).to_be_visible()
        took = time.monotonic() - began
    finally:
        bots.join()
    expect(window.page.get_by_role("link", name="Keep this game").first).to_be_visible()
    assert_fits(window)
    assert_accessible(window, SCHEMES[:1])
    return took


def test_a_visitor_is_in_the_middle_of_a_game_ten_seconds_after_opening_the_first_page(house):
    """Given a visitor, when they press one button, then they are asked, told what is asked, and offered to keep it."""
    for _ in range(TRIES):
        if (took := seconds_to_a_first_move(house)) < SECONDS:
            break
    assert took < SECONDS
