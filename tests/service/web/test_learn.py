"""Learning without an account: `/learn`, step by step, by forms alone; nothing is written and no cookie is set."""

from dataclasses import replace
from urllib.parse import quote

import pytest
from sqlalchemy import text

from domain.rulesets import RULESETS
from service.lessons.material import examples_of, lesson_of
from tests.apps import app_of
from tests.service.lessons.test_course import HOSTILE
from tests.service.web.browser import Browser

KINDS = [kind for kind in RULESETS if lesson_of(kind) is not None]
REFUSED = {"tammany-hall": ("place 9 9", "TH-"), "city-hall": ("draft Q1", "CH-")}
MISSES = {"tammany-hall": "place 14 14\nend", "city-hall": ""}
LANGUAGES = ("en", "fr", "de")


def rows(tables):
    """How many rows there are in each table of the database."""
    with tables.services.database.read() as connection:
        names = connection.execute(text("SELECT name FROM sqlite_master WHERE type = 'table'")).scalars().all()
        return {name: connection.execute(text(f'SELECT count(*) FROM "{name}"')).scalar() for name in names}


def form_of(page, kind):
    return page.form(f"/learn/{kind}/draft")


def played(browser, page, kind):
    """The page after the draft that is shown was played."""
    form = form_of(page, kind)
    form.action = f"/learn/{kind}/moves"
    return browser.send(form)


@pytest.mark.parametrize("kind, language", [("tammany-hall", "de"), ("city-hall", "fr")])
def test_a_lesson_is_played_by_links_and_forms_alone(tables, kind, language):
    """Each step shows a move, which is played; nobody is asked who they are, and nothing remembers them."""
    browser, before, steps = Browser(tables.services, language=language), rows(tables), lesson_of(kind).step
    page = browser.get(f"/learn/{kind}")
    for _ in steps:
        shown = next(link for link in page.links if "show=move" in link)
        page = played(browser, browser.get(shown), kind)
        assert page.status == 200
        assert 'class="note good"' in page.html
    assert any(form.action == "/tables/new" for form in page.forms)
    assert not browser.client._cookies
    assert rows(tables) == before


@pytest.mark.parametrize("kind", KINDS)
def test_no_answer_sets_a_cookie(tables, kind):
    client = app_of(tables.services).test_client()
    for address in ("/learn", f"/learn/{kind}", f"/learn/{kind}/at/on", f"/learn/{kind}/at/nonsense"):
        assert "Set-Cookie" not in client.get(address).headers


def test_a_move_that_misses_can_be_made_again_or_left_so(tables):
    browser = Browser(tables.services)
    first = browser.get("/learn/tammany-hall")
    form = form_of(first, "tammany-hall")
    form.action = "/learn/tammany-hall/moves"
    missed = browser.send(form, text="place 14 14\nend")
    assert "Not quite." in missed.words
    assert lesson_of("tammany-hall").step[0].missed in missed.words
    assert not [form for form in missed.forms if form.action.endswith(("/draft", "/moves"))]
    again = browser.get(next(link for link in missed.links if link == "/learn/tammany-hall"))
    assert lesson_of("tammany-hall").step[0].text in again.words
    on = browser.get(next(link for link in missed.links if link.endswith(".on")))
    assert lesson_of("tammany-hall").step[2].title in on.words


@pytest.mark.parametrize("kind", KINDS)
def test_what_the_rules_forbid_says_which_rule(tables, kind):
    """The draft stays, and the page links to the rule, rehearsed or played."""
    browser = Browser(tables.services)
    line, prefix = REFUSED[kind]
    for action, status in (("draft", 200), ("moves", 422)):
        form = form_of(browser.get(f"/learn/{kind}"), kind)
        form.action = f"/learn/{kind}/{action}"
        page = browser.send(form, text=line)
        assert page.status == status
        assert any(link.startswith(f"/rules/{kind}#{prefix}") for link in page.links)
        assert f">{line}</textarea>" in page.html


@pytest.mark.parametrize("kind", KINDS)
def test_an_address_that_holds_no_moves_is_refused_in_a_sentence(tables, kind):
    browser = Browser(tables.services)
    form = form_of(browser.get(f"/learn/{kind}"), kind)
    for token in HOSTILE:
        page = browser.get(f"/learn/{kind}/at/{quote(token)}")
        assert page.status == 400, token
        assert "Begin anew" in page.words
        assert browser.send(form, moves=token, text="end").status == 400, token


@pytest.mark.parametrize(
    "field", ["text", "pick", "at", "drop", "compose", "amount-irish", "place-0", "version", "clear"]
)
def test_no_field_of_a_form_breaks_it(tables, field):
    browser = Browser(tables.services)
    first = form_of(browser.get("/learn/tammany-hall"), "tammany-hall")
    for value in ("x" * 5000, "\x00=9"):
        for action in ("draft", "moves"):
            form = replace(first, action=f"/learn/tammany-hall/{action}")
            assert browser.send(form, **{field: value}).status in (200, 422)


@pytest.mark.parametrize("path", ["/learn/chess", "/learn/chess/at/on", "/learn/tammany-hall/x", "/learn/../etc"])
def test_other_addresses_are_not_there(tables, path):
    assert Browser(tables.services).get(path).status == 404


def test_a_stranger_who_has_learned_is_led_to_a_table_of_bots(tables):
    """One click; who is not signed in signs in first, and what they asked for is carried on."""
    end = page_at_the_end(Browser(tables.services), "city-hall")
    browser = Browser(tables.services)
    asked = browser.send(next(form for form in end.forms if form.action == "/tables/new"))
    assert asked.status == 401
    assert "what you sent was not taken" in asked.words


def test_a_member_who_has_learned_sits_at_a_table_of_bots(tables):
    browser = Browser(tables.services, tables.player("ann"))
    end = page_at_the_end(browser, "city-hall")
    table = browser.send(next(form for form in end.forms if form.action == "/tables/new"))
    assert table.address.startswith("/g/")


def page_at_the_end(browser, kind):
    page = browser.get(f"/learn/{kind}")
    for _ in lesson_of(kind).step:
        page = played(browser, browser.get(next(link for link in page.links if "show=move" in link)), kind)
    return page


@pytest.mark.parametrize("language", LANGUAGES)
def test_how_to_play_leads_to_the_lessons(tables, language):
    page = Browser(tables.services, language=language).get("/learn")
    assert page.status == 200
    assert {f"/learn/{kind}" for kind in KINDS} <= set(page.links)


SCENES = [
    (kind, example.id, number)
    for kind in KINDS
    for example in examples_of(kind).values()
    for number in range(1, len(example.scene) + 1)
]


def test_every_example_opens_as_a_position_to_try(tables):
    """Each of its positions, with every line that it speaks of; nothing is written, and no cookie set."""
    browser, before = Browser(tables.services), rows(tables)
    for kind, example, number in SCENES:
        page = browser.get(f"/learn/{kind}/example/{example}/{number}")
        assert page.status == 200, example
        assert 'id="map"' in page.html
        for line in examples_of(kind)[example].scene[number - 1].tries:
            assert ("Refused." in page.words) or not line.refused
    assert not browser.client._cookies
    assert rows(tables) == before


@pytest.mark.parametrize("kind, example, number", [("tammany-hall", "TH-E33", 1), ("city-hall", "CH-E19", 1)])
def test_a_line_of_an_example_can_be_tried(tables, kind, example, number):
    """What is legal leads on; what is not is refused with its rule, and stays written."""
    browser = Browser(tables.services, language="de")
    first = browser.get(f"/learn/{kind}/example/{example}")
    for link, line in zip([link for link in first.links if "try=" in link], mine(kind, example, number), strict=True):
        page = browser.get(link)
        form = replace(page.form(f"/learn/{kind}/example/{example}/{number}/draft"))
        form.action = form.action.replace("/draft", "/moves")
        page = browser.send(form)
        assert page.status == (422 if line.refused else 200), line
        if line.refused:
            assert any(link.startswith(f"/rules/{kind}#") for link in page.links)


def mine(kind, example, number):
    """The lines of an example that whoever is asked tries."""
    return [line for line in examples_of(kind)[example].scene[number - 1].tries if line.seat is None]


@pytest.mark.parametrize("path", [
    "TH-EX", "TH-E1/9", "TH-E1/0", "TH-E1/1/at/on", "TH-E1/1/at/place-9-9", "CH-E1", "TH-E1?try=99", "TH-E1?try=-1",
    "TH-E31/1/at/end",
])  # fmt: skip
def test_what_is_no_example_is_not_there(tables, path):
    """A place there is not, or moves that cannot be; a try there is not leaves the draft empty."""
    status = Browser(tables.services).get(f"/learn/tammany-hall/example/{path}").status
    assert status == (200 if "?" in path else 400 if "/at/" in path else 404)


@pytest.mark.parametrize("kind", KINDS)
def test_the_rules_lead_to_every_example_and_to_the_lesson(tables, kind):
    links = Browser(tables.services).get(f"/rules/{kind}").links
    assert {f"/learn/{kind}/example/{example}" for example in examples_of(kind)} <= set(links)
    assert f"/learn/{kind}" in links


def test_how_to_play_is_linked_where_somebody_looks_for_it(tables):
    """From home, the sign-in, the open tables, and the keys of a game's page."""
    stranger, ann = Browser(tables.services), Browser(tables.services, tables.player("ann"))
    game = tables.begin("ann", "bob", kind="city-hall")
    for page in (stranger.get("/"), stranger.get("/sign-in"), ann.get("/tables"), ann.get(f"/g/{game}")):
        assert any(link.partition("#")[0] == "/learn" for link in page.links), page.address


def test_a_lesson_does_not_say_that_play_ends_the_turn(tables):
    """Its next step teaches how a turn is ended (IN-10c holds at tables)."""
    browser = Browser(tables.services)
    form = browser.get("/learn/tammany-hall").form("/learn/tammany-hall/draft")
    drafted = browser.send(form, text="settle boss 14 cube irish 14")
    assert "also ends your turn" not in drafted.words
    assert "Nothing more this turn" in drafted.words
