"""Public games are for anybody to watch; private ones are not there for whoever is not signed in."""

import re

import pytest

from tests.service.web.browser import Browser
from tests.tables import Tables

DOCUMENTS = ("text", "news?after=0")


@pytest.fixture
def game(tables: Tables) -> str:
    """A public game of Tammany Hall that has just begun."""
    return tables.begin("ann", "bob", "cyd", kind="tammany-hall")


def private(tables: Tables) -> str:
    return tables.open("ann", kind="tammany-hall", public=False, seats=3, bots=2)


def test_anybody_watches_a_public_game_and_may_sign_in_to_play(tables, game):
    page = Browser(tables.services).get(f"/g/{game}")
    assert (page.status, page.address) == (200, f"/g/{game}")
    assert "You are watching: you see what everybody may see. Sign in to play" in page.words
    assert f"/sign-in?next=/g/{game}" in page.links
    assert not [form for form in page.forms if form.method == "post"]


@pytest.mark.parametrize("language", ["en", "fr", "de"])
def test_anybody_reads_what_a_member_reads_who_watches(tables, game, language):
    """But for what is said of the reader: the navigation and the way to the sign-in, or out."""
    dan = Browser(tables.services, tables.player("dan"))
    tables.change_profile("dan", language=language)
    nobody = Browser(tables.services, language=language).get(f"/g/{game}").html
    assert _of_the_game(nobody).splitlines() == _of_the_game(dan.get(f"/g/{game}").html).splitlines()


@pytest.mark.parametrize("document", DOCUMENTS)
def test_documents_of_a_public_game_are_the_same_for_anybody(tables, game, document):
    dan, nobody = Browser(tables.services, tables.player("dan")), Browser(tables.services)
    answers = [browser.client.get(f"/g/{game}/{document}", headers=browser.headers) for browser in (dan, nobody)]
    assert answers[0].data == answers[1].data
    assert {answer.status_code for answer in answers} == {200}
    assert "Set-Cookie" not in answers[1].headers


@pytest.mark.parametrize("document", ["", *(f"/{name}" for name in DOCUMENTS)])
def test_s11_a_private_game_is_to_a_stranger_as_one_that_is_not_there(tables, document):
    answers = []
    for game in (private(tables), "0000000000"):
        answer = Browser(tables.services).client.get(f"/g/{game}{document}")
        headers = [(name, text.replace(game, "ID")) for name, text in answer.headers.items() if name != "X-Request-Id"]
        answers.append((answer.status_code, headers, answer.text.replace(game, "ID")))
    assert answers[0][0] == 303
    assert answers[0] == answers[1]
    assert Browser(tables.services).client.get(f"/g/no game{document}").status_code == 303


def test_a_seat_that_is_free_is_no_strangers_nor_is_a_game_whose_host_is_gone(tables):
    """What has no player must not be taken for what belongs to nobody in particular."""
    game = tables.open("ann", public=False)
    assert Browser(tables.services).client.get(f"/g/{game}").status_code == 303
    assert tables.head(game).table.seat_of(None) is None


def test_an_open_table_is_shown_to_anybody_who_signs_in_to_sit_down(tables):
    game = tables.sit(tables.open("ann"), "bob")
    page = Browser(tables.services).get(f"/g/{game}")
    assert {"ann", "bob"} <= set(page.words.split())
    assert "Sign in to sit down" in page.words
    assert not [form for form in page.forms if form.method == "post"]


def test_a_game_that_is_over_is_watched_too(tables):
    game = tables.begin("ann", "bob")
    tables.play_out(game, 1)
    assert Browser(tables.services).get(f"/g/{game}").status == 200


def test_what_is_done_to_a_game_needs_an_account(tables, game):
    version = tables.head(game).version
    for action in ("moves", "draft", "talk", "back", "clock", "vote", "seat", "seats", "begin", "leave"):
        browser = Browser(tables.services)
        ours = {"Sec-Fetch-Site": "same-origin", "Origin": "http://localhost"}
        answer = browser.client.post(f"/g/{game}/{action}", data={"text": "end"}, headers=browser.headers | ours)
        assert answer.status_code == 401
    assert tables.head(game).version == version


def _of_the_game(html: str) -> str:
    """What a page says of its game: without the line that is for strangers, the reader's own note, and keys made anew
    for each page."""
    main = html[html.index("<title>") : html.index("</title>")] + html[html.index("<main") : html.index("</main>")]
    main = re.sub(r'<section class="note-to-self".*?</section>', "", main, flags=re.DOTALL)
    main = re.sub(r'<details class="menu">.*?</details>', "", main, flags=re.DOTALL)
    return re.sub(r'<p class="why">[^<]*<a href="/sign-in\?next=/g/[^<]*</a></p>\n?', "", main)
