"""A lesson in a browser: by keyboard alone, and without script; what is kept lies in the browser alone."""

from service.lessons.material import lesson_of
from tests.browser.house import in_words


def test_a_lesson_is_learned_by_keyboard_alone(house):
    """The board is reached and picked by keys, the turn is ended and played, and the next visit goes on there."""
    window = house.window(path="/learn/tammany-hall")
    page, steps = window.page, lesson_of("tammany-hall").step
    page.locator("button[value=settle]").press("Enter")
    page.locator("#again").wait_for()
    for key in ("settle boss 14", "settle boss 14 cube irish"):
        page.locator(f"button[name=pick][value='{key}']").press("Enter")
    page.locator("[value='settle boss 14 cube irish 14']").wait_for(state="attached")  # the map is new
    page.locator("#map #ward-14").press("Enter")
    page.locator(".draft-lines li").wait_for()
    in_words(page).press("Control+Enter")
    page.locator("h1", has_text=steps[1].title).wait_for()
    in_words(page).fill("end")
    in_words(page).press("Control+Enter")
    page.locator("h1", has_text=steps[2].title).wait_for()
    assert page.url.endswith("/at/settle-boss-14-cube-irish-14.end")
    assert not window.context.cookies()
    page.goto("/learn")
    page.locator("a[data-resume=tammany-hall]").press("Enter")
    page.locator("h1", has_text=steps[2].title).wait_for()


def test_a_lesson_is_learned_without_script(house):
    page = house.window(path="/learn/city-hall", java_script_enabled=False).page
    steps = lesson_of("city-hall").step
    for step in steps:
        assert page.locator("h1").inner_text() == step.title
        page.locator("a[href*='show=move']").click()
        page.locator("#play").click()
    assert page.locator("form[action='/tables/new'] button").is_visible()
