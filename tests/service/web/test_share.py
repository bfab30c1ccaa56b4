"""What links to public games show elsewhere: tags and pictures; and nothing of private games."""

import io
import re

import pytest
from PIL import Image

from service.web.http import session
from tests.service.web.browser import Browser
from tests.tables import Tables


@pytest.fixture
def game(tables: Tables) -> str:
    return tables.begin("ann", "bob", "cyd", kind="tammany-hall")


@pytest.fixture
def crawler(tables: Tables):
    """A program with neither cookies nor a language."""
    return Browser(tables.services).app.test_client()


def base(tables) -> str:
    return tables.services.settings.base_url


def tags(page) -> dict[str, str]:
    found = {
        given.get("property") or given.get("name"): given.get("content") for tag, given in page.tags if tag == "meta"
    }
    links = {given["rel"]: given["href"] for tag, given in page.tags if tag == "link" and "type" not in given}
    return found | links


# Tags


def test_a_link_to_a_public_game_says_who_plays_and_how_it_stands(tables, game):
    found = tags(Browser(tables.services).get(f"/g/{game}"))
    assert found["og:title"] == "Tammany Hall: ann, bob, cyd"
    assert "is to move. Year 1 of 16" in found["og:description"] == found["description"]
    assert found["og:url"] == found["canonical"] == f"{base(tables)}/g/{game}"
    assert found["og:image"] == f"{base(tables)}/g/{game}/preview.png?v={tables.head(game).version}"
    assert (found["og:image:width"], found["og:image:height"], found["twitter:card"]) == (
        "1200", "630", "summary_large_image",
    )  # fmt: skip


def test_a_link_in_another_language_has_a_picture_in_it(tables, game, crawler):
    found = tags(Browser(tables.services, language="de").get(f"/g/{game}"))
    assert "ist am Zug" in found["og:description"]
    assert found["og:image"].endswith("&language=de")
    path = found["og:image"].removeprefix(base(tables))
    assert crawler.get(path).data != crawler.get(path.replace("&language=de", "")).data


def test_a_table_that_waits_says_how_many_seats_are_free(tables):
    found = tags(Browser(tables.services).get(f"/g/{tables.open('ann', kind='city-hall', seats=3)}"))
    assert (found["og:title"], found["og:description"]) == ("City Hall: ann", "2 seats are free.")


def test_who_is_signed_in_and_whoever_looks_at_a_private_game_gets_no_tags(tables, game):
    private = tables.open("ann", kind="tammany-hall", public=False, seats=3, bots=2)
    ann = Browser(tables.services, tables.player("ann"))
    for address in (f"/g/{game}", f"/g/{private}"):
        assert not [name for name in tags(ann.get(address)) if str(name).startswith(("og:", "canonical"))]


def test_names_that_people_chose_are_text_in_tags(tables, game):
    tables.change_profile("ann", name='"><script>x</script>')
    page = Browser(tables.services).get(f"/g/{game}")
    assert tags(page)["og:title"].startswith('Tammany Hall: "><script>x</script>')
    assert "<script>x" not in page.html


# The picture


def test_the_picture_is_a_png_that_any_site_may_show_and_keep(tables, game, crawler):
    version = tables.head(game).version
    answer = crawler.get(f"/g/{game}/preview.png?v={version}")
    with Image.open(io.BytesIO(answer.data)) as image:
        assert (image.format, image.size) == ("PNG", (1200, 630))
    assert answer.headers["Cache-Control"] == "public, max-age=600"
    assert answer.headers["Cross-Origin-Resource-Policy"] == "cross-origin"
    assert crawler.get(f"/g/{game}/preview.png").headers["Cache-Control"] == "public, max-age=5"
    known = {"If-None-Match": answer.headers["ETag"]}
    assert crawler.get(f"/g/{game}/preview.png?v={version}", headers=known).status_code == 304


def test_a_picture_of_a_version_stays_what_it_was(tables, game, crawler):
    version = tables.head(game).version
    before = crawler.get(f"/g/{game}/preview.png?v={version}").data
    tables.move(game, tables.awaited(game)[0], "place 1 14\nend")
    assert crawler.get(f"/g/{game}/preview.png?v={version}").data == before
    assert crawler.get(f"/g/{game}/preview.png").data != before


@pytest.mark.parametrize("what", ["preview.png", "map.svg"])
@pytest.mark.parametrize("query", ["?v=0", "?v=999", "?v=x", "?v=%F0%9D%9F%8F", "?v=99999999999999999999", "?v=-1"])
def test_a_version_there_is_not_has_no_picture(tables, game, crawler, what, query):
    assert crawler.get(f"/g/{game}/{what}{query}").status_code == 404


@pytest.mark.parametrize("what", ["preview.png", "map.svg"])
def test_s11_a_private_game_has_no_picture_for_its_players_either(tables, what):
    private = tables.open("ann", kind="tammany-hall", public=False, seats=3, bots=2)
    ann, nobody = Browser(tables.services, tables.player("ann")), Browser(tables.services)
    answers = [
        browser.client.get(f"/g/{id_}/{what}", headers=browser.headers)
        for browser in (ann, nobody)
        for id_ in (private, "0" * len(private))
    ]
    assert {answer.status_code for answer in answers} == {404}
    assert len({re.sub(private, "0" * len(private), answer.text) for answer in answers}) == 1
    assert {answer.headers["Cache-Control"] for answer in answers} == {"private, no-store"}


# Nobody's answers


def test_a_picture_reads_no_cookie_and_is_for_any_site(tables, game, monkeypatch):
    ann, nobody = Browser(tables.services, tables.player("ann")), Browser(tables.services)
    monkeypatch.setattr(session, "_look_up", lambda secret: pytest.fail("a cookie was read"))
    for path in (f"/g/{game}/map.svg", f"/g/{game}/preview.png"):
        answers = [browser.client.get(path, headers=browser.headers) for browser in (ann, nobody)]
        assert answers[0].data == answers[1].data
        for answer in answers:
            assert answer.status_code == 200
            assert "Cookie" not in answer.headers["Vary"]
            assert "Set-Cookie" not in answer.headers
            assert answer.headers["Cache-Control"] == "public, max-age=5"


def test_a_page_that_is_nobodys_does_not_say_that_nobody_is_signed_in(tables, game):
    """A browser forgets the positions of whoever does not read any more: not for a picture, nor where there is none."""
    private = tables.open("ann", kind="tammany-hall", public=False, seats=3, bots=2)
    ann = Browser(tables.services, tables.player("ann"))
    told = {
        path: ann.client.get(path, headers=ann.headers).headers.get("Wardroom-Reader")
        for path in (f"/g/{game}", f"/g/{game}/map.svg", f"/g/{private}/map.svg", "/offline/en")
    }
    assert told.pop(f"/g/{game}")
    assert {*told.values()} == {None}
    assert Browser(tables.services).client.get("/rules", headers=ann.headers).headers["Wardroom-Reader"] == ""
