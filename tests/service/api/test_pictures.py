"""Pictures of a game over the API: the caller's view, now and then, and nothing a browser could run."""

import re
from xml.etree import ElementTree

import pytest

from service import pictures
from tests.service.pictures.positions import texts

PNG = b"\x89PNG\r\n\x1a\n"


def three(api):
    return api.begin(*api.players("ann bob cyd"))


def test_s_27_the_board_is_a_picture_that_loads_and_runs_nothing(sqlite_api):
    """T-51: as an image, private, under a policy of its own."""
    table = three(sqlite_api)
    for name, kind in (("board.svg", "image/svg+xml; charset=utf-8"), ("board.png", "image/png")):
        answer = table.get(table.seated[0], name).ok()
        assert answer.headers["Content-Type"] == kind
        assert answer.headers["ETag"] == answer.tag(table.version)
        assert answer.headers["Cache-Control"] == "private, no-store"
        assert answer.headers["X-Content-Type-Options"] == "nosniff"
        policy = answer.headers.get_all("Content-Security-Policy")
        assert policy == ["default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'"]


def test_the_picture_shows_the_board_and_says_how_the_game_stands(sqlite_api):
    table = three(sqlite_api)
    picture = ElementTree.fromstring(table.get(table.seated[0], "board.svg").ok().text)
    assert {"14", "Castle Garden"} <= set(texts(picture))
    assert re.match(r"Tammany Hall\. (ann|bob|cyd) is to move\. Year 1 of 16 ", picture.get("aria-label"))


@pytest.mark.slow
def test_both_pictures_are_the_same(sqlite_api):
    table = three(sqlite_api)
    source = table.get(table.seated[0], "board.svg").ok().text
    image = table.get(table.seated[0], "board.png").ok().data
    assert image == pictures.png(source)
    assert image.startswith(PNG)


def test_the_picture_can_be_of_any_version(sqlite_api):
    table = three(sqlite_api)
    before, then = table.version, table.get(table.seated[0], "board.svg").ok().text
    table.move(table.awaited, "place 1 1", "end")
    assert table.get(table.seated[0], "board.svg").ok().text != then
    again = table.get(table.seated[0], "board.svg", query_string={"version": before}).ok()
    assert again.text == then
    assert again.headers["ETag"] == again.tag(before)
    first = table.get(table.seated[0], "board.svg", query_string={"version": 1}).ok()
    assert "The game has not started" in first.text
    assert table.get(table.seated[0], "board.png", query_string={"version": 1}).ok().data.startswith(PNG)


@pytest.mark.parametrize("name", ["board.svg", "board.png"])
def test_a_picture_is_refused_where_the_board_is(sqlite_api, name):
    ann, bob, dan = sqlite_api.players("ann bob dan")
    table = sqlite_api.begin(
        ann,
        bob,
        sqlite_api.player("cyd"),
        public=False,
        invite=[
            "bob@example.org",
            "cyd@example.org",
        ],
    )
    table.get(ann, name).ok()
    table.get(dan, name).refused(404, "no-such-game")
    table.get(ann, name, query_string={"version": table.version + 1}).refused(404, "no-such-version")
    sqlite_api.get(f"{table.path}/{name}").refused(401, "unauthorized")


@pytest.mark.slow
def test_th_14_1_a_sealed_bid_is_in_no_picture(sqlite_api):
    """OUT-30: the picture shows the map, and that a bid was made."""
    table = three(sqlite_api)
    bidder, *_ = table.to_bids()
    purse = table.purse(bidder)
    table.bid(bidder, **purse)
    most = {who.name: table.get(who, "board.svg").ok().text for who in table.seated}
    table.bid(bidder)
    none = {who.name: table.get(who, "board.svg").ok().text for who in table.seated}
    assert most == none


def test_city_hall_is_drawn_too(sqlite_api):
    ann, bob = sqlite_api.players("ann bob")
    table = sqlite_api.begin(ann, bob, ruleset="city-hall")
    shown, other = (table.get(who, "board.svg").ok().text for who in (ann, bob))
    assert {"Queens", "M1", "B9"} <= set(texts(ElementTree.fromstring(shown)))
    assert shown == other


@pytest.mark.parametrize("kind, place", [("tammany-hall", "ward-14"), ("city-hall", "land-Q3")])
def test_a_page_gets_the_map_as_places(sqlite_api, kind, place):
    """The map alone, with ids and names, and a style of its own under the policy of every picture."""
    ann, bob, cyd = sqlite_api.players("Ann Bob Cyd")
    table = sqlite_api.begin(ann, bob, cyd, ruleset=kind)
    answer = table.get(ann, "board.svg", query_string={"for": "page"}).ok()
    picture = ElementTree.fromstring(answer.text)
    assert place in {element.get("id") for element in picture.iter()}
    assert picture.get("role") == "group"
    assert answer.headers["ETag"] == answer.tag(table.version)
    assert answer.headers.get_all("Content-Security-Policy") == [
        "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'"
    ]
    mail = table.get(ann, "board.svg", query_string={"for": "mail"}).ok()
    assert mail.text == table.get(ann, "board.svg").ok().text
    table.get(ann, "board.svg", query_string={"for": "page", "version": 1}).ok()
    refused = table.get(ann, "board.svg", query_string={"for": "poster"})
    assert refused.status == 400
    assert "mail, page" in refused.text


@pytest.mark.slow
def test_the_description_names_the_pictures(sqlite_api):
    paths = sqlite_api.get("/openapi.json").ok().json["paths"]
    for name, kind in (("board.svg", "image/svg+xml"), ("board.png", "image/png")):
        assert list(paths[f"/api/v1/games/{{game}}/{name}"]["get"]["responses"]["200"]["content"]) == [kind]
