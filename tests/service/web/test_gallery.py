"""The gallery of public games: for anybody, by game, players, state, and who plays; a page at a time."""

import pytest

from domain.engine.bots import Bot
from service.store.people import profiles
from service.store.people.profiles import Audience, Shown
from service.web.pages import gallery
from tests.service.web.browser import Browser, Page


@pytest.fixture
def nobody(tables):
    return Browser(tables.services)


def listed(page: Page) -> list[str]:
    return [link.removeprefix("/g/") for link in dict.fromkeys(page.links) if link.startswith("/g/")]


def show(tables, name: str, audience: Audience) -> None:
    """Let somebody show these which games they play."""
    player = tables.player(name)
    with tables.services.database.write() as tx:
        profiles.put(tables.services.database, tx, player, Shown(games=audience))


@pytest.fixture
def games(tables) -> dict[str, str]:
    """Public games by a name for each, opened one after the other, of people who show which games they play."""
    for name in ("ann", "bob", "cyd", "dora", "eve"):
        show(tables, name, "everybody")
    found = {"hall": tables.begin("ann", "bob", kind="city-hall")}
    tables.advance(minutes=1)
    found["tammany"] = tables.begin("ann", "bob", "cyd", kind="tammany-hall")
    tables.advance(minutes=1)
    found["bots"] = tables.begin("dora", bots=[Bot(1), Bot(1)], kind="tammany-hall")
    tables.advance(minutes=1)
    found["over"] = tables.begin("ann", "eve")
    tables.play_out(found["over"], 1)
    tables.advance(minutes=1)
    found["open"] = tables.open("ann", kind="city-hall")
    found["private"] = tables.open("bob", kind="city-hall", seats=2, bots=1, public=False)
    return found


def test_anybody_finds_public_games_that_have_begun_the_newest_first(games, nobody):
    page = nobody.get("/games")
    assert listed(page) == [games[name] for name in ("over", "bots", "tammany", "hall")]
    assert page.words.count("won") >= 1
    assert page.html.count('loading="lazy"') == 3


FILTERS = (
    ("game=city-hall", "hall"),
    ("players=3", "bots tammany"),
    ("players=2", "over hall"),
    ("state=finished", "over"),
    ("state=running", "bots tammany hall"),
    ("bots=with", "bots"),
    ("bots=without", "over tammany hall"),
    ("search=dora", "bots"),
    ("search=DORA", "bots"),
    ("search=tammany+ann", "tammany"),
    ("search=city", "hall"),
    ("search=hall+bob", "tammany hall"),
    ("search=d", "over bots tammany hall"),
    ("search=nobody+there", ""),
    ("search=%25", "over bots tammany hall"),
    ("search=__", ""),
    ("search=%27%3B--", ""),
    ("game=nonsense&players=99&state=open&bots=maybe&sort=upwards&cursor=x", "over bots tammany hall"),
    ("game=tammany-hall&players=3&bots=without&search=cyd&state=running", "tammany"),
)


def test_filters_leave_what_was_asked_for(games, nobody):
    for query, found in FILTERS:
        assert listed(nobody.get(f"/games?{query}")) == [games[name] for name in found.split()], query


def test_who_does_not_show_their_games_is_not_found_by_their_name(games, tables, nobody):
    show(tables, "dora", "members")
    dan = Browser(tables.services, tables.player("dan"))
    assert [listed(browser.get("/games?search=dora")) for browser in (nobody, dan)] == [[], [games["bots"]]]


def test_what_no_database_takes_is_no_part_of_a_word(games, nobody):
    assert listed(nobody.get("/games?search=dora%00")) == [games["bots"]]


def test_the_liveliest_are_those_played_last(tables, games, nobody):
    tables.advance(minutes=1)
    tables.move(games["tammany"], tables.awaited(games["tammany"])[0], "place 1 14\nend")
    assert listed(nobody.get("/games?sort=liveliest")) == [games[name] for name in ("tammany", "bots", "hall")]


def test_pages_go_on_where_the_last_one_ended(games, nobody, monkeypatch):
    sort = "newest"
    whole = listed(nobody.get(f"/games?sort={sort}"))
    monkeypatch.setattr(gallery, "PAGE", 1)
    page, found = nobody.get(f"/games?sort={sort}"), []
    while True:
        found += listed(page)
        following = [link for link in page.links if "cursor=" in link]
        if not following:
            break
        assert f"sort={sort}" in following[0]
        page = nobody.get(following[0])
    assert found == whole


def test_s11_a_private_game_is_in_no_gallery_nor_found_by_its_players_names(games, tables, nobody):
    ann = Browser(tables.services, tables.player("ann"))
    hidden = {games["open"], games["private"]}
    for browser in (nobody, ann):
        for query in ("", "?search=ann", "?search=bob", "?players=2&game=city-hall", "?sort=liveliest"):
            assert hidden.isdisjoint(listed(browser.get(f"/games{query}")))


def test_a_small_board_is_drawn_of_what_anybody_sees(games, nobody, tables):
    page = nobody.get("/games?game=tammany-hall")
    sources = [given["src"] for tag, given in page.tags if tag == "img"]
    assert sources
    answer = nobody.client.get(sources[0])
    assert (answer.status_code, answer.mimetype) == (200, "image/svg+xml")
    assert answer.headers["Cache-Control"] == "public, max-age=600"
    assert "style-src 'unsafe-inline'" in answer.headers["Content-Security-Policy"]
    assert nobody.client.get(f"/g/{games['over']}/map.svg").status_code == 404  # pennies are not drawn
    assert nobody.client.get(f"/g/{games['open']}/map.svg").status_code == 404


def test_without_games_it_says_so(nobody):
    assert "No public game has begun yet." in nobody.get("/games").words


def test_the_api_lists_the_same(games, nobody):
    def ids(query: str) -> list[str]:
        return [item["id"] for item in nobody.client.get(f"/api/v1/games?{query}").json["items"]]

    for theirs, ours in (
        ("status=running&ruleset=city-hall", "state=running&game=city-hall"),
        ("status=running&seats=3&bots=without", "state=running&players=3&bots=without"),
        ("status=finished&search=eve", "state=finished&search=eve"),
        ("status=running&order=moved", "sort=liveliest"),
    ):
        assert ids(theirs) == listed(nobody.get(f"/games?{ours}"))
