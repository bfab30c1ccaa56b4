"""Bots in a real browser: the page says that one thinks, shows its move when it is there, and tells it once."""

from playwright.sync_api import expect

from domain.engine.bots import Bot
from tests.browser.looks import SCHEMES, assert_accessible, assert_fits
from tests.thinking import think_all


def test_a_bot_that_thinks_is_shown_and_heard_without_a_touch(house):
    game = house.tables.open("ann", kind="tammany-hall", seats=3, bots=[Bot(1, "vindictive"), Bot(3)])
    for seed in range(9):
        if 0 not in house.tables.awaited(game):
            break
        house.tables.play_on(game, seed)
    window = house.window("ann", path=f"/g/{game}")
    heading = window.page.get_by_role("heading", level=1)
    expect(heading).to_contain_text("is thinking …")
    assert_fits(window)
    window.page.get_by_text("Free the seat of").first.click()
    assert_accessible(window, SCHEMES[:1])
    window.page.get_by_role("link", name="Orders ahead").first.focus()
    think_all(house.tables.services)
    expect(heading).to_contain_text("Take your turn")
    expect(window.page.get_by_role("status")).to_contain_text("Take your turn")
    expect(window.page.locator("#draft-heading")).to_be_focused()  # the link is gone
