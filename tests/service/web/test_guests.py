"""Play now: from the first page into a game, as a guest; what a guest may not do; keeping the game by an address."""

import re

import pytest

from service.api.http import limits
from service.web.http.forms import Pages
from service.web.http.session import GUEST_VIEWS
from tests.apps import app_of
from tests.service.web.browser import Browser
from tests.service.web.test_sign_in import mailed
from tests.tables import Tables
from tests.thinking import think_all

NAVIGATION = re.compile(b"<nav.*?</nav>", re.DOTALL)
OURS = {"Sec-Fetch-Site": "same-origin", "Origin": "http://localhost"}


def guest_at(tables: Tables, number: int = 0) -> tuple[Browser, str]:
    """Somebody who has pressed one of the buttons on the first page, and the game they came to."""
    browser = Browser(tables.services)
    form = [form for form in browser.get("/").forms if form.action == "/play"][number]
    page = browser.send(form)
    assert page.status == 200, page.words
    return browser, page.address.removeprefix("/g/")


@pytest.mark.parametrize(
    "number, kind, told", [(0, "tammany-hall", "Castle Garden are immigrants"), (1, "city-hall", "two spaces of land")]
)
def test_one_button_leads_a_visitor_into_a_game_and_its_first_decision_is_explained(tables, number, kind, told):
    browser, game = guest_at(tables, number)
    ways = browser.get(f"/rules/{kind}").links
    assert ("/turns" in ways, "Sign in" in browser.get("/rules").words) == (True, False), "a guest finds the way back"
    head = tables.head(game)
    assert (head.rules.kind, head.table.public, len(head.table.chairs)) == (kind, False, 3)
    think_all(tables.services)
    page = browser.get(f"/g/{game}")
    assert told in page.words
    assert f"/learn/{kind}" in page.links
    tables.move(game, 0, tables.legal(game, 0)[0])
    assert told not in browser.get(f"/g/{game}").words
    assert "Before the game" in browser.get(f"/g/{game}/story").words


def test_a_guest_who_presses_it_again_comes_back_to_the_same_game(tables):
    browser, game = guest_at(tables)
    with tables.services.database.write() as tx:
        tx.exec_driver_sql(f"UPDATE games SET status = 'running' WHERE id = '{game}'")
    again = browser.client.get("/turns", headers=browser.headers)
    csrf = re.search(r'name="csrf" value="(\w+)"', again.text)[1]
    sent = browser.client.post("/play", data={"csrf": csrf, "ruleset": "city-hall"}, headers=browser.headers | OURS)
    assert sent.headers["Location"] == f"/g/{game}"
    assert browser.get("/").address == "/turns"


def test_a_new_member_lands_on_the_same_button_and_the_game_is_a_member_s(tables):
    browser = Browser(tables.services, tables.player("ann"))
    page = browser.get("/")
    assert page.address == "/turns"
    game = browser.send(page.form("/play")).address.removeprefix("/g/")
    assert browser.send(page.form("/play")).address == f"/g/{game}", "pressed twice, it is one game"
    assert tables.head(game).table.host == tables.ids["ann"]
    with tables.services.database.read() as connection:
        assert connection.exec_driver_sql("SELECT guest FROM games").scalar_one() in (False, 0)


def test_off_means_neither_button_nor_route(migrated_sqlite, open_services):
    tables = Tables(open_services(migrated_sqlite, GUESTS="off"))
    stranger, ann = Browser(tables.services), Browser(tables.services, tables.player("ann"))
    for browser in (stranger, ann):
        page = browser.get("/")
        assert "/play" not in [form.action for form in page.forms]
        assert "Play now" not in page.words
    csrf = re.search(r'name="csrf" value="(\w+)"', stranger.get("/sign-in").html)[1]
    sent = stranger.client.post("/play", data={"csrf": csrf}, headers=stranger.headers | OURS)
    assert sent.status_code == 404


def test_rate_09_who_finds_no_room_is_told_what_to_do(migrated_sqlite, open_services):
    tables = Tables(open_services(migrated_sqlite, GUESTS="1"))
    guest_at(tables)
    page = (browser := Browser(tables.services)).send(browser.get("/").form("/play"))
    assert page.status == 409
    assert "All 1 places for guests are taken just now." in page.words
    assert "/sign-in" in page.links


def test_s29_a_network_makes_so_many_guests_a_day(migrated_sqlite, open_services, monkeypatch):
    monkeypatch.setattr(limits, "GUESTS", 2)
    tables = Tables(open_services(migrated_sqlite, RATE_LIMITS="on"))
    app = app_of(tables.services)
    found = []
    for _ in range(3):
        browser = Browser(tables.services, app=app)
        found.append(browser.send(browser.get("/").form("/play")).status)
    assert found == [200, 200, 429]


def test_a_form_from_elsewhere_makes_no_guest(tables):
    browser = Browser(tables.services)
    form = browser.get("/").form("/play")
    elsewhere = {"Sec-Fetch-Site": "cross-site", "Origin": "https://evil.example"}
    assert browser.client.post("/play", data=form.fields, headers=browser.headers | elsewhere).status_code == 403
    stale = browser.client.post("/play", data={**form.fields, "csrf": "x"}, headers=browser.headers | OURS)
    assert (stale.status_code, stale.headers["Location"]) == (303, "/")
    with tables.services.database.read() as connection:
        assert connection.exec_driver_sql("SELECT count(*) FROM players").scalar_one() == 0


# What a guest may do


def routes(app, *, pages):
    """Every path and method of the pages, or of the API, with its endpoint."""
    for rule in app.url_map.iter_rules():
        if isinstance(app.blueprints.get(rule.endpoint.rpartition(".")[0]), Pages) == pages:
            for method in sorted((rule.methods or set()) - {"HEAD", "OPTIONS"}):
                yield re.sub("<[^>]+>", "1", rule.rule), method, rule.endpoint


def test_s11_every_page_that_is_not_a_guest_s_treats_a_guest_as_a_stranger(tables):
    """Given a public game and a guest, when each page is asked for, then it answers as it answers a stranger, or, to
    a form that a stranger has to sign in for, that it takes an account."""
    public = tables.begin("ann", "bob", "cyd")
    guest, _ = guest_at(tables)
    stranger = Browser(tables.services, app=guest.app)
    csrf = {who: re.search(r'name="csrf" value="(\w+)"', who.get("/sign-in").html)[1] for who in (guest, stranger)}
    seen = set()
    for path, method, endpoint in routes(guest.app, pages=True):
        seen.add(endpoint)
        for target in {path.replace("/g/1", f"/g/{public}"), path.replace("/p/1", f"/p/{tables.ids['ann']}")}:
            if endpoint in GUEST_VIEWS:
                continue
            answers = []
            for who in (guest, stranger):
                data = {"csrf": csrf[who]} if method == "POST" else None
                answer = who.client.open(target, method=method, data=data, headers=who.headers | OURS)
                text = NAVIGATION.sub(b"", answer.data)
                answers.append((answer.status_code, answer.headers.get("Location"), len(text) // 500))
            is_refused = (answers[0][0], answers[1][0]) == (403, 401)
            assert is_refused or answers[0] == answers[1], (method, target)
            assert answers[0][0] < 500, (method, target)
    assert seen >= GUEST_VIEWS, "every page in the list is there"


def test_s11_no_page_of_the_list_lets_a_guest_into_the_game_of_another(tables):
    public = tables.open("ann", seats=3)
    running = tables.begin("ann", "bob", "cyd")
    guest, _ = guest_at(tables)
    csrf = re.search(r'name="csrf" value="(\w+)"', guest.get("/sign-in").html)[1]
    before = [tables.head(game).version for game in (public, running)]
    for path, method, endpoint in routes(guest.app, pages=True):
        if endpoint in GUEST_VIEWS and method == "POST" and path.startswith("/g/"):
            for game in (public, running):
                data = {"csrf": csrf, "text": "hide 1", "version": "4", "sure": "yes", "note": "x"}
                guest.client.post(path.replace("/g/1", f"/g/{game}"), data=data, headers=guest.headers | OURS)
    assert [tables.head(game).version for game in (public, running)] == before


def test_s21_the_cookie_of_a_guest_opens_nothing_of_the_api(tables):
    guest, _ = guest_at(tables)
    stranger = Browser(tables.services, app=guest.app)
    for path, method, endpoint in routes(guest.app, pages=False):
        if path.startswith("/api/"):
            found = [who.client.open(path, method=method, json={}).status_code for who in (guest, stranger)]
            assert found[0] == found[1], (method, endpoint)


# Keeping it, leaving it


def test_s20_a_guest_keeps_the_game_by_a_code_and_is_signed_in_anew(tables):
    guest, game = guest_at(tables)
    before = guest.client.get_cookie("wardroom").value
    waiting = guest.send(guest.get(f"/sign-in?next=/g/{game}").form("/sign-in"), email="gill@people.example")
    page = guest.send(waiting.form("/sign-in/code"), code=mailed(tables)[0])
    assert (page.status, page.address) == (200, f"/g/{game}")
    assert "You play as a guest" not in page.words
    assert guest.client.get_cookie("wardroom").value != before
    assert guest.get("/me").status == 200


def test_s22_a_link_that_is_opened_elsewhere_keeps_it_there_and_ends_the_guest_s_own_session(tables):
    """Given an address that somebody else typed, when its owner follows the link, then nobody else stays signed in."""
    guest, game = guest_at(tables)
    guest.send(guest.get("/sign-in").form("/sign-in"), email="gill@people.example")
    other = Browser(tables.services, app=guest.app)
    asked = other.get(mailed(tables)[1])
    other.send(asked.form("/sign-in/link"))
    assert other.get(f"/g/{game}").status == 200
    assert guest.get(f"/g/{game}").address == "/sign-in"


def test_an_address_with_an_account_is_told_what_to_do_and_nothing_is_lost(tables):
    tables.player("ann")
    guest, game = guest_at(tables)
    waiting = guest.send(guest.get("/sign-in").form("/sign-in"), email="ann@people.example")
    code, link = mailed(tables)
    page = guest.send(waiting.form("/sign-in/code"), code=code)
    assert (page.status, "This address has an account already" in page.words) == (409, True)
    page = guest.send(guest.get(link).form("/sign-in/link"))
    assert (page.status, "This address has an account already" in page.words) == (409, True)
    assert guest.get(f"/g/{game}").status == 200
    asked = guest.send(guest.get("/turns").form("/sign-out"))
    assert guest.get(f"/g/{game}").status == 200
    assert guest.send(asked.form("/sign-out")).address == "/"
    with tables.services.database.read() as connection:
        assert connection.exec_driver_sql("SELECT count(*) FROM games").scalar_one() == 0
    waiting = guest.send(guest.get("/sign-in").form("/sign-in"), email="ann@people.example")
    guest.send(waiting.form("/sign-in/code"), code=mailed(tables)[0])
    assert "ann" in guest.get("/turns").words
