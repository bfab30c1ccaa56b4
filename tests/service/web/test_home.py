"""The first page, for strangers: what this is, a board, the games."""

import pytest

from service.web.sample import sample_board, sample_view
from tests.service.web.browser import Browser

DRAWN = ["tammany-hall", "city-hall"]


def test_a_stranger_sees_a_board_the_games_and_where_to_sign_in(tables):
    page = Browser(tables.services).get("/")
    assert page.html.count('<svg xmlns="http://www.w3.org/2000/svg" class="board"') == 1
    assert {"/sign-in", "/rules/tammany-hall", "/rules/city-hall"} <= set(page.links)
    assert "there is no password" in page.words


@pytest.mark.parametrize(
    "language, said", [("fr", "Des jeux qui prennent leur temps"), ("de", "Spiele, die sich Zeit lassen")]
)
def test_it_is_said_in_the_browser_s_language_the_board_included(tables, language, said):
    page, english = (Browser(tables.services, language=spoken).get("/") for spoken in (language, "en"))
    assert said in page.words
    assert sample_board("tammany-hall", str) not in page.html
    assert "Castle Garden" in english.html


def test_looking_at_it_keeps_no_cookie(tables):
    assert "Set-Cookie" not in Browser(tables.services).client.get("/").headers


@pytest.mark.parametrize("kind", DRAWN)
def test_a_sample_is_a_spectator_s_view_in_which_nothing_is_secret(kind):
    view = sample_view(kind)
    assert view["phase"] != "over"
    assert all(not seat.get("hand") or all(card is None for card in seat["hand"]) for seat in view["seats"])


def test_a_game_without_a_sample_has_no_board():
    assert sample_board("pennies", str) == ""
