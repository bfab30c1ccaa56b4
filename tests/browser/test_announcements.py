"""What a screen reader hears: each change once, in order, and where the focus goes."""

import re

from playwright.sync_api import expect

from tests.browser.house import comes_to, in_words
from tests.browser.player import PLAY

NAMES = ("ann", "bob", "cyd")
LISTEN = """() => new MutationObserver(() => window.heard(document.getElementById('live').textContent.trim()))
    .observe(document.getElementById('live'), {childList: true, characterData: true, subtree: true})"""


def listen(window):
    """All that the live region says from now on."""
    said: list[str] = []
    window.page.expose_function("heard", lambda text: said.append(text))
    window.page.evaluate(LISTEN)
    return said


def test_each_act_of_a_turn_is_heard_once_and_the_focus_ends_where_the_game_stands(house):
    """A question is heard as the focus goes into it; what a line would do, and what was played, is said."""
    game = house.tables.begin(*NAMES, kind="tammany-hall")
    mover = NAMES[house.tables.awaited(game)[0]]
    window = house.window(mover, path=f"/g/{game}")
    said = listen(window)
    move = window.page.get_by_role("region", name="Your move")
    question = move.locator("fieldset")
    question.get_by_role("button", name="Place two bosses").click()
    for asked in ("first", "second"):
        expect(question).to_contain_text(f"Into which ward goes the {asked} boss?")
        expect(question.locator(":focus")).to_be_visible()
        question.get_by_role("button", name=re.compile("^Ward 14")).click()
    question.get_by_role("button", name="Nothing more").click()
    expect(move.get_by_text("With this your move is whole.")).to_be_visible()
    step = house.tables.version(game) + 1
    move.get_by_role("button", name=PLAY).click()
    expect(window.page.locator("#done")).to_be_visible()
    placed, ended = f"{mover} campaigns: two bosses in ward 14.", f"{mover} ends the turn."
    assert said == [placed, ended, f"Played at step {step}. {placed} {ended}"]
    expect(window.page.locator("#status")).to_be_focused()


def test_what_a_place_holds_is_heard_when_keys_go_to_it(house):
    """PAGES 6.3: the board is one stop of Tab; arrows lead to neighbours, digits to a ward."""
    game = house.tables.begin(*NAMES, kind="tammany-hall")
    window = house.window(NAMES[house.tables.awaited(game)[0]], path=f"/g/{game}")
    page = window.page
    stops = page.locator("#map [tabindex='0']")
    expect(stops).to_have_count(1)
    stops.focus()
    page.keyboard.press("1")
    page.keyboard.press("4")
    expect(page.locator("#ward-14")).to_be_focused()
    name = page.locator("#ward-14").evaluate("place => place.getAttribute('aria-label') ?? place.textContent")
    assert "14" in name
    page.keyboard.press("ArrowDown")
    expect(page.locator("#map :focus")).not_to_have_id("ward-14")
    expect(stops).to_have_count(1)


def test_the_last_step_is_read_without_the_letter_of_its_token_and_the_keys_can_be_found(house):
    """The letter on a token is for the eye. A button shows the keys to whoever has never heard of them."""
    game = house.tables.begin(*NAMES, kind="tammany-hall")
    mover = house.tables.awaited(game)[0]
    house.tables.move(game, mover, "place 14 14\nend")
    window = house.window(NAMES[house.tables.awaited(game)[0]], path=f"/g/{game}")
    expect(window.page.locator("#recent .token").last).to_have_text(NAMES[mover][0].upper())
    window.page.locator("#map [tabindex='0']").focus()
    window.page.keyboard.press("l")
    heard = window.page.locator("#live").text_content()
    assert heard.startswith(f"{NAMES[mover]} campaigns"), heard
    window.page.get_by_role("button", name="Keys of the board").click()
    expect(window.page.get_by_role("dialog", name="Keys of the board")).to_be_visible()


def test_what_is_new_on_the_board_moves_where_motion_is_welcome_and_nowhere_else(house):
    """A ghost drops into a draft; a place that another has changed glows; with less motion both are just there."""
    game = house.tables.begin(*NAMES, kind="tammany-hall")
    mover = house.tables.awaited(game)[0]
    watch = "addEventListener('animationstart', event => (window.moves ??= new Set()).add(event.animationName))"
    windows = [
        house.window(NAMES[seat], path=f"/g/{game}", first=watch, reduced_motion=motion)
        for seat, motion in ((mover, "no-preference"), ((mover + 1) % 3, "no-preference"), ((mover + 2) % 3, "reduce"))
    ]
    own, other, still = windows
    in_words(own.page).fill("place 14 14")
    expect(own.page.locator("#ward-14.fresh")).to_have_count(1)
    comes_to(own.page, "window.moves?.has('drop')")  # who sat down last sees what began since then glow
    house.tables.move(game, mover, "place 14 14\nend")
    for window in (other, still):
        expect(window.page.locator("#ward-14.news .trace:visible, #ward-14.news")).not_to_have_count(0)
    comes_to(still.page, "!window.moves && !document.getAnimations().length")


def test_what_can_be_done_at_a_place_that_was_tapped_comes_into_view_on_a_phone(house):
    """The board fills the window there, and what is asked stands below it."""
    game = house.tables.begin(*NAMES, kind="tammany-hall")
    mover = NAMES[house.tables.awaited(game)[0]]
    window = house.window(mover, path=f"/g/{game}", viewport={"width": 360, "height": 740}, has_touch=True)
    window.page.locator("#ward-14").tap()
    choice = window.page.get_by_role("button", name="Place two bosses: Ward 14")
    expect(choice).to_be_in_viewport(ratio=1)


def test_the_grip_of_a_phone_pulls_the_sheet_down_from_the_board_and_up_to_the_news(house):
    game = house.tables.begin(*NAMES, kind="tammany-hall")
    mover = house.tables.awaited(game)[0]
    house.tables.move(game, mover, "place 14 14\nend")
    name = NAMES[house.tables.awaited(game)[0]]
    page = house.window(name, path=f"/g/{game}", viewport={"width": 360, "height": 740}).page
    news = re.compile(f"^News .[0-9]+.: {NAMES[mover]} campaigns: two bosses in ward 14")
    newest = page.get_by_role("link", name=news)
    expect(newest).to_be_in_viewport(ratio=1)
    grip = page.locator(".grip")
    before = grip.bounding_box()
    for far, seen in ((100, "#play"), (-400, "#recent .steps li")):
        box = grip.bounding_box()
        x, y = box["x"] + box["width"] / 2, box["y"] + 9
        page.mouse.move(x, y)
        page.mouse.down()
        page.mouse.move(x, y + far, steps=4)
        page.mouse.up()
        expect(page.locator(seen).last).to_be_in_viewport(ratio=1)
        if far > 0:
            assert grip.bounding_box()["y"] == before["y"] + far
    assert "#" not in page.url
    newest.click()
    assert page.url.endswith("#recent-heading")


def test_the_question_why_a_deadline_is_then_is_answered_where_it_leads(house):
    game = house.tables.begin(*NAMES, kind="tammany-hall")
    window = house.window(NAMES[house.tables.awaited(game)[0]], path=f"/g/{game}")
    window.page.get_by_role("link", name="Why then?").click()
    expect(window.page.locator("#clock").get_by_text("So the answer is due by").first).to_be_in_viewport()
