"""The board in Chromium: places under the pointer and under keys, and what is said of it (PAGES 6.2, 6.3)."""

import pytest
from playwright.sync_api import expect

from tests.browser.house import Window, in_words

PLACES = "document.querySelectorAll('#map .place[tabindex=\"0\"]').length"
LISTEN = """() => {
    window.heard = [];
    new MutationObserver(() => heard.push(document.getElementById("live").textContent))
        .observe(document.getElementById("live"), {childList: true, characterData: true, subtree: true});
}"""


@pytest.fixture
def game(house):
    return house.tables.begin("ann", "bob", "cyd", kind="tammany-hall")


@pytest.fixture
def window(house, game):
    name = ("ann", "bob", "cyd")[house.tables.awaited(game)[0]]
    return house.window(name, path=f"/g/{game}")


def draft(window: Window) -> str:
    return window.page.locator("#draft-text").input_value()


def answered(window: Window, act) -> None:
    """Do what sends the draft, and wait for what comes of it."""
    with window.page.expect_response(lambda answer: answer.request.method == "POST"):
        act()
    window.settle()


def press(window: Window, *keys: str) -> None:
    for key in keys:
        window.page.keyboard.press(key)


def here(window: Window) -> str:
    """The id of what has the focus."""
    return str(window.page.evaluate("document.activeElement.id"))


def test_a_place_of_several_verbs_shows_them_and_one_of_an_option_picks_it(window):
    answered(window, lambda: window.page.locator("#ward-6").click())
    labels = window.page.locator("#question .choice").all_inner_texts()
    assert labels == ["Place two bosses: Ward 6", "Settle a boss and an immigrant: Ward 6"]
    answered(window, lambda: window.page.get_by_role("button", name=labels[0]).click())
    answered(window, lambda: window.page.locator("#ward-14").click())
    assert draft(window) == "place 6 14"
    assert "drafted" in (window.page.locator("#ward-14").get_attribute("class") or "")


def test_a_place_that_does_not_answer_leaves_the_line_and_says_what_is_asked(window):
    answered(window, lambda: window.page.get_by_role("button", name="Settle a boss").click())
    answered(window, lambda: window.page.locator("#ward-6").click())
    asked = "Which immigrant of the Castle Garden do you settle?"
    window.page.locator("#ward-14").click()
    for part in ("#hint", "#live"):
        assert window.page.locator(part).text_content() == f"Ward 14 does not answer the question: {asked}"
    assert window.page.locator(".so-far code").inner_text() == "settle boss 6 …"
    assert window.page.locator("#question legend").inner_text() == asked


def test_a_move_is_made_by_the_keys_of_the_board_alone_and_each_change_is_said_once(window):
    window.page.evaluate(LISTEN)
    answered(window, lambda: window.page.get_by_role("button", name="Place two bosses").click())
    assert window.page.evaluate(PLACES) == 1, "the board is one stop"
    window.page.locator('#map .place[tabindex="0"]').focus()
    press(window, "1", "4")
    assert here(window) == "ward-14"
    press(window, "ArrowLeft")
    assert here(window) == "ward-8"
    press(window, "ArrowRight")
    answered(window, lambda: press(window, "Enter"))
    assert here(window) == "ward-14", "the focus stays where one plays"
    press(window, "6")
    answered(window, lambda: press(window, " "))
    assert draft(window) == "place 14 6"
    answered(window, lambda: press(window, "Backspace"))
    assert draft(window) == ""
    heard = [text.replace("\u00a0", "") for text in window.page.evaluate("heard")]
    assert sum("Into which ward goes the second boss?" in text for text in heard) == 1
    assert sum("campaigns: a boss in ward 14 and a boss in ward 6." in text for text in heard) == 1


def test_the_keys_go_to_what_can_be_named_read_it_and_begin_again(window):
    answered(window, lambda: window.page.get_by_role("button", name="Place two bosses").click())
    window.page.locator('#map .place[tabindex="0"]').focus()
    press(window, "n", "n")
    lit = here(window)
    assert "lit" in (window.page.locator(f"#{lit}").get_attribute("class") or "")
    press(window, "p", "n", "r")
    assert (window.page.locator("#live").text_content() or "").startswith(f"Ward {lit.removeprefix('ward-')};")
    answered(window, lambda: press(window, "Enter"))
    assert window.page.locator(".so-far").count() == 1
    answered(window, lambda: press(window, "Escape"))
    assert window.page.locator(".so-far").count() == 0
    window.page.locator('#map .place[tabindex="0"]').focus()
    press(window, "?")
    assert window.page.get_by_role("dialog", name="Keys of the board").is_visible()


def test_ctrl_enter_plays_from_anywhere_and_the_status_is_read_then(house, window, game):
    before = house.tables.head(game).version
    area = in_words(window.page)
    answered(window, lambda: area.fill("place 1 14\nend"))
    answered(window, lambda: area.press("Control+Enter"))
    window.page.locator("#done").wait_for()
    assert house.tables.head(game).version > before
    assert here(window) == "status"
    assert "draft" not in window.page.title()


def test_ctrl_enter_in_the_field_of_an_open_bid_adds_it_and_plays(house):
    names = ("ann", "bob", "cyd")
    game = house.tables.begin(*names, kind="city-hall")
    for seed in range(40):
        if house.tables.phase(game) == "bid":
            break
        house.tables.play_on(game, seed)
    window = house.window(names[house.tables.awaited(game)[0]], path=f"/g/{game}")
    answered(window, lambda: window.page.get_by_role("button", name="Bid Influence").click())
    field = window.page.locator("#question input").first
    field.fill("1")
    answered(window, lambda: field.press("Control+Enter"))
    expect(window.page.locator("#done")).to_contain_text("bids 1.")
