"""What goes wrong while somebody plays: answers that are lost, no network, another tab, a mail that was quicker."""

import json
import re

import pytest
from playwright.sync_api import Route, expect

from service.accounts import people
from service.accounts.sign_in import post_codes
from tests.browser.house import in_words
from tests.browser.player import PLAY

NAMES = ("ann", "bob", "cyd")
MOVE = "place 14 14\nend"


@pytest.fixture
def game(house):
    return house.tables.begin(*NAMES, kind="tammany-hall")


@pytest.fixture
def mover(house, game):
    """Whoever is asked."""
    return NAMES[house.tables.awaited(game)[0]]


def write(window, text):
    """Type a move, and wait until it was rehearsed."""
    in_words(window.page).fill(text)
    expect(move(window).get_by_text("With this your move is whole.")).to_be_visible()


def move(window):
    return window.page.get_by_role("region", name="Your move")


def placed(house, game):
    """How often somebody has placed bosses by now."""
    return sum(b'"tammany.placed"' in line or b'"place 14 14"' in line for line in house.tables.export(game))


SILENT = """const real = globalThis.fetch;
    const heard = new Promise((resolve) => { globalThis.hearNews = resolve; });
    globalThis.fetch = async (address, ...more) => {
        if (String(address).includes("/news")) await heard;
        return real(address, ...more);
    };"""
"""No news come to the page, and none is under way, until `hearNews` is called."""


def test_f_an_answer_that_is_lost_on_its_way_is_asked_for_again_and_the_move_made_once(house, game, mover):
    """The server has played, and nobody heard: the same key plays once (I-01)."""
    window = house.window(mover, path=f"/g/{game}", first=SILENT, forgiven=("ERR_FAILED",))
    write(window, MOVE)

    def lose(route: Route) -> None:
        route.fetch()
        route.abort()

    window.page.route("**/moves", lose, times=1)
    move(window).get_by_role("button", name=PLAY).click()
    expect(window.page.locator("#offline")).to_be_visible()
    version = house.tables.head(game).version
    move(window).get_by_role("button", name=PLAY).click()
    expect(window.page.locator("#done")).to_be_visible()
    assert house.tables.head(game).version == version


def test_f_without_a_network_the_draft_stays_and_is_played_when_it_is_back(house, game, mover):
    window = house.window(mover, path=f"/g/{game}", forgiven=("ERR_INTERNET_DISCONNECTED",))
    write(window, MOVE)
    window.context.set_offline(True)
    move(window).get_by_role("button", name=PLAY).click()
    expect(window.page.locator("#offline")).to_be_visible()
    assert window.page.locator("#draft-text").input_value() == MOVE
    window.context.set_offline(False)
    move(window).get_by_role("button", name=PLAY).click()
    expect(window.page.locator("#done")).to_be_visible()


def test_u8_a_draft_is_kept_and_nothing_sent_where_another_tab_was_quicker(house, game, mover):
    """Whoever plays `place 14 14` by mail meanwhile: the draft is rehearsed again, and refused in the open."""
    window = house.window(mover, path=f"/g/{game}", forgiven=("409", "412", "422"))
    window.page.route("**/news?*", lambda route: route.abort())
    window.forgiven += ("ERR_FAILED",)
    write(window, MOVE)
    house.tables.move(game, mover, "place 1 1")
    version = house.tables.head(game).version
    move(window).get_by_role("button", name=PLAY).click()
    expect(window.page.locator("#stale")).to_contain_text("nothing was played")
    assert window.page.locator("#draft-text").input_value() == MOVE
    assert house.tables.head(game).version == version


def test_u8_news_come_by_themselves_and_keep_a_draft(house, game, mover):
    """A move by mail while the page is open: its page says so within the long poll, and the draft is still there."""
    window = house.window(mover, path=f"/g/{game}")
    in_words(window.page).fill("place 14 14")
    expect(move(window).get_by_role("button", name=PLAY)).to_be_visible()
    house.tables.move(game, mover, "place 1 1")
    expect(move(window).locator(".fault").first).to_be_visible(timeout=15_000)
    assert window.page.locator("#draft-text").input_value() == "place 14 14"


def test_u3_a_draft_is_loud_and_there_again_after_going_away(house, game, mover):
    window = house.window(mover, path=f"/g/{game}")
    write(window, MOVE)
    expect(window.page).to_have_title(re.compile(r"^\(draft\)"))
    window.page.goto("/tables")
    window.page.go_back()
    assert window.page.locator("#draft-text").input_value() == MOVE
    window.page.reload()
    expect(move(window).get_by_role("button", name=PLAY)).to_be_visible()
    assert window.page.locator("#draft-text").input_value() == MOVE


@pytest.mark.parametrize(
    "language, line", [("en", "Bid irish 2"), ("fr", "Enchérir irlandais 2"), ("de", "biete irisch 2")]
)
def test_s06_a_bid_that_nobody_asks_for_yet_is_not_kept_on_the_device(house, game, mover, language, line):
    house.tables.change_profile(mover, language=language)
    window = house.window(mover, path=f"/g/{game}")
    area = in_words(window.page)
    area.fill("place 14 14")
    assert "place 14 14" in window.page.evaluate("Object.values(localStorage).join()")
    area.fill(f"place 14 14\n{line}")
    assert window.page.evaluate("Object.values(localStorage).join()") == ""


def test_back_and_forward_after_playing_play_nothing(house, game, mover):
    window = house.window(mover, path=f"/g/{game}")
    write(window, MOVE)
    move(window).get_by_role("button", name=PLAY).click()
    expect(window.page.locator("#done")).to_be_visible()
    version = house.tables.head(game).version
    window.page.goto("/turns")
    window.page.go_back()
    window.page.go_forward()
    window.page.go_back()
    expect(window.page.get_by_role("heading", level=1)).not_to_contain_text("Take your turn")
    assert house.tables.head(game).version == version


def test_s21_what_was_written_survives_a_session_that_ran_out(house, game, mover):
    """The draft goes through the sign-in in the page alone, and is played by whoever signed in."""
    window = house.window(mover, path=f"/g/{game}", forgiven=("401",))
    page = window.page
    write(window, MOVE)
    with house.tables.services.database.write() as tx:
        people.end_tokens(tx, house.tables.ids[mover])
    move(window).get_by_role("button", name=PLAY).click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Sign in")
    page.get_by_label("Your mail address").fill(f"{mover}@people.example")
    page.get_by_role("button", name="Send me the mail").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Look into your mail")
    post_codes(house.tables.services)
    house.tables.deliver()
    page.get_by_label("The code from the mail").fill(house.tables.code_of(house.tables.carrier.letters_to(mover)[-1]))
    page.get_by_role("button", name="Sign in", exact=True).click()
    page.get_by_role("button", name="Go on with what you had written").click()
    expect(page).to_have_url(re.compile(f"/g/{game}"))
    expect(page.locator("#done")).to_be_visible()


def bidding(house, game, **more):
    """Open the window of somebody who has to bid, at a game played until then."""
    for seed in range(400):
        asked = house.tables.awaited(game)
        if house.tables.phase(game) == "bid":
            return house.window(NAMES[asked[0]], path=f"/g/{game}", **more)
        house.tables.play_on(game, seed)
    raise AssertionError("nobody ever bids")


def test_s_a_sealed_amount_is_neither_kept_nor_announced_nor_in_an_address(house, game):
    """U7, S-06: what is sealed is in no storage, title, address or live region, and hidden until it is asked for."""
    window = bidding(house, game)
    page = window.page
    said: list[str] = []
    page.expose_function("heard", lambda text: said.append(text))
    page.evaluate(
        """() => new MutationObserver(() => window.heard(document.getElementById('live').textContent))
        .observe(document.getElementById('live'), {childList: true, characterData: true, subtree: true})"""
    )
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    number = move(window).get_by_role("spinbutton").filter(visible=True)
    numbers = [field for field in number.all() if int(field.get_attribute("max") or 0)]
    numbers[0].fill("1")
    move(window).get_by_role("button", name="Seal it").click()
    expect(page.locator("#done")).to_be_visible()
    assert page.evaluate("Object.values(localStorage).concat(Object.values(sessionStorage)).join()") == ""
    colours = re.compile("irish|english|german|italian", re.IGNORECASE)
    assert said, "something was said"
    assert not any(colours.search(text) for text in [*said, page.title(), *asked])


@pytest.mark.parametrize("lose", ["lose_before", "lose_after"])
def test_s06_i01_a_bid_whose_answer_was_lost_is_sent_again_from_memory_alone(house, game, lose):
    """It is sealed once, and this device never keeps it."""
    window = bidding(house, game, first=SILENT, forgiven=("ERR_FAILED",))
    page = window.page
    numbers = move(window).get_by_role("spinbutton").filter(visible=True)
    next(field for field in numbers.all() if int(field.get_attribute("max") or 0)).fill("1")
    page.route("**/moves", globals()[lose], times=1)
    move(window).get_by_role("button", name="Seal it").click()
    expect(page.locator("#offline")).to_be_visible()
    assert page.evaluate("Object.values(localStorage).concat(Object.values(sessionStorage)).join()") == ""
    before = house.tables.head(game).version
    move(window).get_by_role("button", name="Seal it").click()
    expect(page.locator("#done")).to_be_visible()
    assert (house.tables.head(game).version > before) is (lose == "lose_before")
    assert page.evaluate("Object.values(localStorage).concat(Object.values(sessionStorage)).join()") == ""


TURN = "place 14 6\nend"
BUTTON = "Play 2 actions: place 14 6, end"


def lose_before(route: Route) -> None:
    """The server never hears of it."""
    route.abort()


def lose_after(route: Route) -> None:
    """The server has played, and its answer is lost."""
    route.fetch(max_redirects=0)
    route.abort()


def turns_of(house, game, name):
    """How often somebody has placed these bosses."""
    seat = {"seat": house.tables.seat(game, name)}
    return sum(b'"place 14 6"' in line and json.loads(line)["actor"] == seat for line in house.tables.export(game))


@pytest.mark.parametrize("others", ["bots", "people"])
def test_i01_a_play_whose_answer_was_lost_is_settled_before_anything_is_rehearsed(house, others):
    """Bots have moved at once, and the same lines are legal again: they are not offered again (issue 36, 1)."""
    lost = {
        "before, then Play": (lose_before, "press"),
        "after, then Play": (lose_after, "press"),
        "after, then news": (lose_after, "news"),
        "before, then a reload": (lose_before, "reload"),
        "after, then a reload": (lose_after, "reload"),
        "after, by keys in the text": (lose_after, "keys"),
        "after, then the key is forgotten": (lose_after, "no key"),
        "before, then the same on another device": (lose_before, "device"),
        "after, then another draft": (lose_after, "edit"),
        "after, then another draft and news": (lose_after, "edit and news"),
        "before, then another draft": (lose_before, "edit"),
    }
    windows = {}
    for what, (lose, then) in lost.items():
        if others == "people" and lose is lose_before and then != "device":
            continue  # the others have not moved
        if others == "bots":
            game = house.tables.begin("ann", bots=2, kind="tammany-hall")
        else:
            game = house.tables.begin(*NAMES, kind="tammany-hall")
        name = NAMES[house.tables.awaited(game)[0]]
        first = SILENT if then != "news" else ""
        if page := windows.get((name, first)):
            page.goto(f"/g/{game}")
        else:
            window = house.window(name, path=f"/g/{game}", first=first, forgiven=("ERR_", "409", "412", "422"))
            page = windows[name, first] = window.page
        in_words(page).fill(TURN)
        button = page.get_by_role("button", name=BUTTON)
        expect(button, what).to_be_visible()
        page.route("**/moves", lose, times=1)
        if then == "keys":
            page.keyboard.press("Control+Enter")
        else:
            button.click()
        if then != "news":
            expect(page.locator("#offline"), what).to_be_visible()
        if then in ("press", "keys"):
            page.get_by_role("button", name=BUTTON).click()
        if then == "no key":
            page.evaluate("for (const name in localStorage) if (name.endsWith('sent')) localStorage.removeItem(name)")
        if then == "device":
            house.tables.move(game, name, TURN)
        if then in ("reload", "no key", "device"):
            page.reload()
        if "edit" in then:
            in_words(page).fill("place 14 4\nend")
            if lose is lose_before:
                expect(page.get_by_role("button", name="Play 2 actions: place 14 4, end"), what).to_be_visible()
                assert turns_of(house, game, name) == 0, what
                continue
        if then != "no key":  # else the server dropped the draft with the move, and this device forgot that it sent it
            expect(page.locator("#done"), what).to_contain_text("Played at step", timeout=15_000)
        assert turns_of(house, game, name) == 1, what
        if "edit" in then:
            while house.tables.awaited(game) != [house.tables.seat(game, name)]:  # people: nobody asks for a move yet
                house.tables.play_on(game)
            page.reload() if then == "edit" else page.evaluate("hearNews()")
            expect(page.locator("#draft-text"), what).to_have_value("place 14 4\nend", timeout=15_000)
            continue
        assert page.evaluate("Object.values(localStorage).join()") == "", what
        page.reload()
        expect(page.get_by_role("heading", level=1), what).to_be_visible()
        expect(page.get_by_text("Draft: not played yet"), what).to_have_count(0)
