"""The replay of a game in a window: its slider, keys and links, what is said, and how light its steps are."""

import gzip
import re

import pytest
from playwright.sync_api import Page, expect

from service.web.share import featured
from tests.browser.house import PATIENCE, House, Window, comes_to

STEP_BYTES = 4 * 1024
"""Of a step, compressed."""
NODES = 2500
HEAP = 2 * 1024 * 1024
NAMES = ("ann", "bob", "cyd")


BOTH = pytest.mark.parametrize("game", ["tammany-hall", "city-hall"], indirect=True)


@pytest.fixture
def game(house: House, request: pytest.FixtureRequest) -> str:
    """A game that is under way."""
    game = house.tables.begin(*NAMES, kind=getattr(request, "param", "tammany-hall"))
    house.tables.play_out(game, 3, late=0, most=25)
    return str(game)


COUNT = """globalThis.asked = []; globalThis.unanswered = 0;
    const real = globalThis.fetch;
    globalThis.fetch = (...given) => {
        asked.push(String(given[0])); unanswered += 1;
        return real(...given).finally(() => { unanswered -= 1; }); };"""
"""Counts what the page fetches: what the browser reports of its network comes too late to be waited for."""


@pytest.fixture
def window(house: House, game: str) -> Window:
    found = house.window("ann", path=f"/g/{game}?v=first", first=COUNT)
    prefetched(found.page)
    return found


def prefetched(page: Page) -> None:
    """Wait until the steps beside the one that is shown have come."""
    comes_to(page, "asked.length > 0 && unanswered === 0")


def stops(page: Page) -> list[int]:
    return [int(stop) for stop in str(page.locator("#replay").get_attribute("data-stops")).split()]


def shown(page: Page) -> int:
    """The version that the heading tells, which is the address's, too."""
    version = re.findall("[0-9]+", page.locator("h1").inner_text())[0]
    assert page.url.endswith(f"?v={version}") or page.url.endswith("?v=first")
    return int(version)


def at(page: Page, version: int) -> None:
    expect(page.locator("h1")).to_have_text(re.compile(f"Version {version} of"), timeout=PATIENCE)


def listen(page: Page) -> None:
    """Keep what the live region says."""
    page.evaluate("""() => {
        globalThis.said = [];
        new MutationObserver(() => said.push(document.getElementById("live").textContent.trim()))
            .observe(document.getElementById("live"), {childList: true, characterData: true, subtree: true});
    }""")


def parts(page: Page) -> list[str]:
    """What the page shows of the game, as it would be read."""
    return [
        str(page.locator(f"#{id_}").evaluate("part => part.outerHTML")) for id_ in ("map", "near", "beside", "step")
    ]


def test_keys_walk_through_the_game_and_each_step_is_said_once(window: Window) -> None:
    page = window.page
    ways = stops(page)
    listen(page)
    told = []
    for key, place in (("ArrowRight", 1), ("ArrowRight", 2), ("ArrowLeft", 1), ("End", len(ways) - 1), ("Home", 0)):
        page.keyboard.press(key)
        at(page, ways[place])
        assert shown(page) == ways[place]
        told.append(page.locator("#step").get_attribute("data-said"))
    assert page.evaluate("said") == told
    page.keyboard.press("PageDown")
    second = page.locator("#chapters a").nth(1)
    at(page, int(str(second.get_attribute("data-version"))))
    expect(second).to_have_attribute("aria-current", "true")
    page.keyboard.press("PageUp")
    at(page, ways[0])


def test_the_slider_tells_the_step_and_leaves_the_saying_to_itself(window: Window) -> None:
    page = window.page
    ways, slider = stops(page), page.get_by_role("slider")
    listen(page)
    slider.focus()
    page.keyboard.press("ArrowRight")
    at(page, ways[1])
    step = page.locator("#step").get_attribute("data-said")
    expect(slider).to_have_attribute("aria-valuetext", f"Version {ways[1]} of {ways[-1]}: {step}")
    slider.fill(str(len(ways) - 2))
    at(page, ways[-2])
    page.keyboard.press("Home")
    at(page, ways[0])
    assert page.evaluate("said") == []


@BOTH
def test_what_is_walked_to_is_what_the_page_of_that_version_shows(window: Window, game: str) -> None:
    """The pieces of a step, put into the page that is there, make the page that the server would have sent."""
    page = window.page
    ways = stops(page)
    places = [1, 2, len(ways) // 2, len(ways) // 2 - 1, len(ways) - 1, 3, 0]
    walked = []
    for place in places:
        page.get_by_role("slider").fill(str(place))
        at(page, ways[place])
        walked.append(parts(page))
    for place, was in zip(places, walked, strict=True):
        page.goto(f"/g/{game}?v={ways[place]}")
        assert parts(page) == was


def test_space_plays_and_pauses_where_no_control_uses_it(house: House, game: str) -> None:
    page = house.window("ann", path=f"/g/{game}?v=10-20").page
    button = page.locator("#play")
    speed = page.locator("#speed")
    speed.evaluate("speed => { speed.options[0].value = '60000'; speed.options[2].value = '1'; }")
    speed.select_option(index=0)
    page.locator("h1").click()
    page.keyboard.press("Space")
    expect(button).to_have_accessible_name("Pause")
    page.keyboard.press("Space")
    expect(button).to_have_accessible_name("Play")
    speed.select_option(index=2)
    button.focus()
    page.keyboard.press("Space")  # the button's own
    at(page, 20)
    expect(button).to_have_accessible_name("Play")


def test_links_are_followed_in_place_and_back_leads_out_of_the_replay(window: Window, game: str) -> None:
    page = window.page
    ways = stops(page)
    page.evaluate("globalThis.same = true")
    page.get_by_role("link", name="Next step").click()
    at(page, ways[1])
    page.get_by_role("link", name="Last step").click()
    at(page, ways[-1])
    assert page.evaluate("globalThis.same")
    assert page.get_by_role("link", name="Next step", disabled=True).count() == 1
    page.reload()
    assert shown(page) == ways[-1]
    page.go_back()
    assert page.url == "about:blank"


def test_of_a_part_of_the_game_play_stops_at_its_end(house: House, game: str) -> None:
    page = house.window("ann", path=f"/g/{game}?v=12-20").page
    ways = stops(page)
    assert (ways[0], ways[-1]) == (12, 20)
    page.keyboard.press("ArrowRight")
    at(page, ways[1])
    assert page.url.endswith(f"?v=12-20&at={ways[1]}")
    page.keyboard.press("End")
    at(page, 20)
    page.reload()
    at(page, 20)


def test_a_page_of_another_time_opens_itself_anew(house: House, window: Window, game: str) -> None:
    """A name was changed meanwhile: nothing that is out of date is mixed with what is not."""
    page = window.page
    house.tables.change_profile("bob", name="Robert")
    window.forgiven = ("409",)
    page.keyboard.press("End")
    at(page, stops(page)[-1])
    assert "Robert" in page.locator("main").inner_text()


@BOTH
def test_a_step_is_light_and_quick_and_the_page_does_not_grow(window: Window) -> None:
    """PAGES 7: bytes and nodes, two steps asked for ahead, the heap after 200 steps. Paints are measured by hand."""
    page = window.page
    page.goto(re.sub("v=.*", f"v={stops(page)[5]}", page.url))
    prefetched(page)
    for key in ("ArrowRight", "ArrowRight", "ArrowLeft", "ArrowLeft"):
        before = shown(page)
        at_once = """key => { document.dispatchEvent(new KeyboardEvent("keydown", {key, bubbles: true}));
            return Number(document.getElementById("step").querySelector("li:last-child").value); }"""
        assert (page.evaluate(at_once, key) > before) == (key == "ArrowRight"), "it was there before it was asked for"
        prefetched(page)
    asked = set(page.evaluate("asked"))
    assert len(asked) >= len(("two before", "two after", "two further on"))
    sizes = [len(gzip.compress(window.context.request.get(url).body(), 5)) for url in asked]
    assert max(sizes) <= STEP_BYTES
    heap = window.context.new_cdp_session(page)
    walk = """async count => { for (let step = 0; step < count; step += 1) {
        const key = Math.floor(step / 8) % 2 ? "ArrowLeft" : "ArrowRight";
        document.dispatchEvent(new KeyboardEvent("keydown", {key, bubbles: true}));
        await new Promise(resolve => setTimeout(resolve, 8)); } }"""
    page.evaluate(walk, 32)
    prefetched(page)
    heap.send("HeapProfiler.collectGarbage")
    used = heap.send("Runtime.getHeapUsage")["usedSize"]
    page.evaluate(walk, 200)
    prefetched(page)
    heap.send("HeapProfiler.collectGarbage")
    assert heap.send("Runtime.getHeapUsage")["usedSize"] - used <= HEAP
    assert page.evaluate("document.querySelectorAll('*').length") <= NODES


def test_the_first_page_plays_the_last_steps_of_a_game_once_and_can_be_stopped(
    house: House, game: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """WCAG 2.2.2; nothing moves by itself where motion is not wanted."""
    monkeypatch.setattr(featured, "_chosen", {house.tables.services.database.url: (house.tables.clock.at, game)})
    page = house.window().page
    button = page.get_by_role("button", name="Play the last steps")
    before = page.locator("#map").inner_html()
    button.click()
    pause = page.get_by_role("button", name="Pause")
    expect(page.locator("#trailer-told")).not_to_be_empty(timeout=PATIENCE)
    assert page.locator("#map").inner_html() != before
    pause.click()
    expect(button).to_be_visible()
