"""The first page, for strangers: what this is, a board, the games."""

import pytest

from service.web.sample import sample_board, sample_view
from service.web.share import featured
from tests.service.web.browser import Browser

DRAWN = ["tammany-hall", "city-hall"]


def test_a_stranger_sees_a_board_the_games_and_where_to_sign_in(tables):
    page = Browser(tables.services).get("/")
    assert page.html.count('<svg xmlns="http://www.w3.org/2000/svg" class="board ') == 1
    assert {"/sign-in", "/rules/tammany-hall", "/rules/city-hall"} <= set(page.links)
    assert "there is no password" in page.words


@pytest.mark.parametrize("language, said", [("fr", "Sur l’étagère"), ("de", "Im Regal")])
def test_it_is_said_in_the_browser_s_language_the_board_included(tables, language, said):
    page, english = (Browser(tables.services, language=spoken).get("/") for spoken in (language, "en"))
    assert said in page.words
    assert sample_board("tammany-hall", str) not in page.html
    assert "Castle Garden" in english.html


def test_looking_at_it_keeps_no_cookie_but_the_one_that_binds_its_form(tables):
    found = Browser(tables.services).client.get("/").headers.getlist("Set-Cookie")
    assert [cookie.partition("=")[0] for cookie in found] == ["wardroom-form"]
    assert "Max-Age" not in found[0]


@pytest.mark.parametrize("kind", DRAWN)
def test_a_sample_is_a_spectator_s_view_in_which_nothing_is_secret(kind):
    view = sample_view(kind)
    assert view["phase"] != "over"
    assert all(not seat.get("hand") or all(card is None for card in seat["hand"]) for seat in view["seats"])


def test_a_game_without_a_sample_has_no_board():
    assert sample_board("pennies", str) == ""


def begun(tables):
    game = tables.begin("ann", "bob", "cyd", kind="tammany-hall")
    for text in ("place 1 14\nend", "place 1 2\nend", "place 2 2\nend"):
        tables.move(game, tables.awaited(game)[0], text)
    return game


def test_a_public_game_that_goes_on_is_shown_with_a_way_to_watch_it(tables, monkeypatch):
    monkeypatch.setattr(featured, "FEWEST", 5)
    tables.open("ann", kind="tammany-hall", public=False, seats=3, bots=2)
    assert "who will be mayor?" in Browser(tables.services).get("/").words
    tables.advance(minutes=2)
    game = begun(tables)
    tables.advance(minutes=2)
    page = Browser(tables.services).get("/")
    assert "Tammany Hall: ann, bob, cyd" in page.words
    assert {f"/g/{game}", "/games"} <= set(page.links)
    assert page.html.count('<svg xmlns="http://www.w3.org/2000/svg" class="board ') == 1


def test_its_last_steps_can_be_played_by_anybody(tables, monkeypatch):
    monkeypatch.setattr(featured, "FEWEST", 5)
    begun(tables)
    tables.advance(minutes=2)
    browser = Browser(tables.services)
    trailer = next(given for _, given in browser.get("/").tags if given.get("id") == "trailer")
    stops = trailer["data-stops"].split()
    assert 2 <= len(stops) <= 24
    step = browser.client.get(f"{trailer['data-steps']}?v={stops[-1]}&from={stops[0]}&after={stops[-2]}")
    assert (step.status_code, step.headers["Cache-Control"]) == (200, "public, max-age=86400, immutable")
    assert "Set-Cookie" not in step.headers


def test_a_game_that_cannot_be_opened_costs_the_first_page_its_board_alone(tables, monkeypatch):
    monkeypatch.setattr(featured, "FEWEST", 5)
    game = begun(tables)
    tables.execute("UPDATE games SET state = :bad WHERE id = :game", bad=b"bad", game=game)
    tables.advance(minutes=2)
    page = Browser(tables.services).get("/")
    assert (page.status, "Win the ward." in page.words) == (200, True)
