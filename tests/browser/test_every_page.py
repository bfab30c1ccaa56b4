"""Every page, as anybody gets it: accessible by axe, in every language, width and scheme; and it fits."""

from pathlib import Path

import pytest

from domain.teacher import draws
from service.accounts import avoidance
from service.people import choices
from tests.browser.looks import PAINTED, SCHEMES, assert_accessible, assert_fits
from workers.teacher.study_process import study_slice
from workers.teacher.teacher import Teacher

STYLES = Path(__file__).parents[2] / "service" / "web" / "static"
PAGES: tuple[str, ...] = (
    "/", "/docs", "/sign-in", "/rules", "/mailbox", "/components", "/check", "/nothing-here", "/learn", "/games",
)  # fmt: skip
OF_MEMBERS: tuple[str, ...] = (
    "/turns",
    "/tables",
    "/tables/new",
    "/tables/new?ruleset=tammany-hall",
    "/me",
    "/me/feeds",
    "/me/access",
)
OF_GAMES: tuple[str, ...] = ("/g/{game}", "/g/{game}?v=first", "/g/{game}/orders", "/g/{game}/check")
LANGUAGES = ("en", "fr", "de")


@pytest.mark.parametrize("path", PAGES)
def test_a_page_fits_and_is_accessible(house, path):
    """WCAG 2.2 AA as far as axe can tell, in every scheme; 1.4.10, reflow: nothing scrolls sideways at any width."""
    window = house.window(path=path, forgiven=("404",))
    assert_fits(window)
    assert_accessible(window, SCHEMES if path == "/components" else PAINTED)


def test_no_style_depends_on_the_orientation():
    """WCAG 1.3.4: a page that turns its content needs a media query for the orientation."""
    sheets = [path for path in STYLES.rglob("*.css") if "orientation" in path.read_text()]
    assert (sheets, any(STYLES.rglob("*.css"))) == ([], True)


@pytest.mark.parametrize("language", LANGUAGES[1:])
def test_a_page_fits_in_every_language(house, language):
    """The longest words of any of them."""
    window = house.window(locale=language, forgiven=("404",))
    for path in PAGES:
        window.page.goto(path)
        assert window.page.locator("html").get_attribute("lang") == language
        assert_fits(window)
        assert_accessible(window, ())


LEARNED: tuple[str, ...] = (
    "/learn/tammany-hall?show=move",
    "/learn/tammany-hall/at/place-14-14_end",
    "/learn/city-hall/at/draft-M5.draft-M4.build-factory-M5-return-tower.activate-tax",
    "/learn/tammany-hall/example/TH-E9?try=2",
    "/learn/city-hall/example/CH-E19",
)


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_is_learned_fits_and_is_accessible(house, language):
    """A first step, one that was missed, one amid a round, and examples."""
    window = house.window(locale=language, forgiven=("404",))
    for path in LEARNED:
        window.page.goto(path)
        assert window.page.locator("html").get_attribute("lang") == language
        assert_fits(window)
        assert_accessible(window, PAINTED if language == "en" else ())


@pytest.fixture(params=["tammany-hall", "city-hall"])
def seated(house, request):
    """The window of somebody who is asked, and the game."""
    game = house.tables.begin("ann", "bob", "cyd", kind=request.param)
    asked = house.tables.awaited(game)[0]
    name = ("ann", "bob", "cyd")[asked]
    return name, house.window(name), game


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_pages_of_a_game_fit_and_are_accessible(house, seated, language):
    name, window, game = seated
    house.tables.change_profile(name, language=language)
    for path in OF_GAMES:
        window.page.goto(path.format(game=game))
        assert window.page.locator("html").get_attribute("lang") == language
        assert_fits(window)
        assert_accessible(window, PAINTED if language == "en" else ())


def assert_fits_in_every_language(house, window, path, before=lambda: None):
    """Assert that a page of ann's fits in each language, and that its colours are readable in English."""
    for language in LANGUAGES:
        house.tables.change_profile("ann", language=language)
        window.page.goto(path)
        before()
        assert window.page.locator("html").get_attribute("lang") == language
        assert_fits(window)
        assert_accessible(window, PAINTED if language == "en" else ())


def test_what_else_could_have_been_done_fits_and_is_accessible(house, monkeypatch):
    """The form, the page that waits, and a seat with the position of a decision."""
    monkeypatch.setattr(draws, "FEWEST", 2)
    game = house.tables.begin("ann", "bob", kind="city-hall")
    house.tables.play_out(game, 2, late=0)
    path = f"/g/{game}/analysis"
    window = house.window("ann")
    assert_fits_in_every_language(house, window, path)
    window.page.locator("input[value='1']").check()
    window.page.locator("main button").click()
    progress = window.page.locator("#progress")
    progress.wait_for()
    assert_fits_in_every_language(house, window, path, progress.wait_for)
    Teacher(house.tables.services, study_slice).work()
    window.page.locator(".judged").wait_for()  # the page that waits has opened it
    judged = str(window.page.locator(".judged a").first.get_attribute("href")).partition("#")[0]
    assert_fits_in_every_language(house, window, judged)


def test_a_game_in_numbers_fits_and_is_accessible(house):
    """Of a game that runs, and of one that is over, with all its lists unfolded and a name as long as they come.

    So does the end of the game on its own page.
    """
    house.tables.rename("bob", "Anneliese von und zu Hohenstaufen-Sig")
    game = house.tables.begin("ann", "bob", kind="city-hall")
    path = f"/g/{game}/statistics"
    window = house.window("ann", path=path)
    assert_fits(window)
    assert_accessible(window, PAINTED[:1])
    house.tables.play_out(game, 2, late=0)
    lists = window.page.locator("details.bids")
    unfold = "all => all.forEach(one => { one.open = true })"
    assert_fits_in_every_language(house, window, path, lambda: lists.evaluate_all(unfold))
    assert_fits_in_every_language(house, window, f"/g/{game}")


def test_a_table_that_waits_fits_and_is_accessible(house):
    """To its host, to a guest, and in the lists of both; with names and options as long as they come."""
    house.tables.rename("ann", "Anneliese von und zu Hohenstaufen-Sig")
    game = house.tables.open("ann", kind="tammany-hall", options={"lock-scope": "placement-only"}, bots=1, seats=4,
                             invite=["bob@people.example"])  # fmt: skip
    for name, path in (("ann", f"/g/{game}"), ("bob", f"/g/{game}"), ("bob", "/turns"), ("cyd", "/tables")):
        window = house.window(name, path=path)
        assert_fits(window)
        assert_accessible(window)


def test_what_waits_fits_and_is_accessible(house):
    house.tables.begin("ann", "bob", "cyd", kind="tammany-hall")
    house.tables.begin("ann", "bob", kind="city-hall")
    window = house.window("ann", path="/turns")
    assert_fits(window)
    assert_accessible(window)


@pytest.mark.parametrize("kind", ["tammany-hall", "city-hall"])
def test_the_rules_fit(house, kind):
    """Their tables scroll by themselves."""
    assert_fits(house.window(path=f"/rules/{kind}"))


def test_the_pages_of_members_fit_and_are_accessible(house):
    window = house.window("ann", forgiven=("404",))
    for path in OF_MEMBERS:
        window.page.goto(path)
        assert_fits(window)
        assert_accessible(window)


def test_people_fit_and_are_accessible(house):
    """A profile to its owner, to somebody they play with, and to a stranger; what is chosen of it; one's games."""
    tables = house.tables
    tables.rename("ann", "Anneliese von und zu Hohenstaufen-Sig")
    short = {"clock": {"per_move": "P1D", "strikes": 3}, "options": {"rounds": "1"}}
    for names in (("ann", "bob"), ("ann", "bob", "cyd")):
        tables.play_out(tables.begin(*names, **short), 1, late=0)
    game = tables.begin("ann", "bob", "cyd", kind="tammany-hall", clock=short["clock"])
    with tables.services.database.write() as tx:
        audiences = {"opponents": "everybody", "games": "everybody"}
        choices.choose(tables.services, tx, tables.ids["ann"], audiences, ["de", "fr", "ja"])
        avoidance.avoid(tables.services, tx, tables.ids["bob"], tables.ids["ann"], "block")
    ann = f"/p/{tables.ids['ann']}"
    pages = {
        "ann": (ann, f"{ann}?as=companion", "/me/people", "/me/games", f"/g/{game}"),
        "bob": (ann, "/me/people", "/me/games?status=finished&result=lost"),
        None: (ann,),
    }
    for name, paths in pages.items():
        window = house.window(name, forgiven=("404",))
        for path in paths:
            window.page.goto(path)
            assert_fits(window)
            assert_accessible(window, PAINTED if name == "ann" else PAINTED[:1])


def test_the_pages_of_a_public_game_fit_and_are_accessible_to_whoever_is_not_signed_in(house):
    """The game, its board in a frame of another page, and the gallery with its small picture."""
    game = house.tables.begin("ann", "bob", "cyd", kind="tammany-hall")
    window = house.window(path=f"/g/{game}")
    for path in (f"/g/{game}", "/games"):
        window.page.goto(path)
        assert_fits(window)
        assert_accessible(window, PAINTED[:1])
