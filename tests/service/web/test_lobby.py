"""The lobby: what is listed, filters, pages, sitting down."""

import pytest

from service.web.pages import lobby
from tests.service.web.browser import Browser


def ids(page):
    return [link.removeprefix("/g/") for link in dict.fromkeys(page.links) if link.startswith("/g/")]


@pytest.fixture
def dan(tables):
    return Browser(tables.services, tables.player("dan"))


def test_open_tables_are_listed_the_newest_first(tables, dan):
    first = tables.open("ann")
    tables.advance(minutes=1)
    second = tables.open("bob", kind="tammany-hall", options={"chip-supply": "25"})
    page = dan.get("/tables")
    assert ids(page) == [second, first]
    assert "Favor chips of each colour : 25: favors run short" in page.words


def test_s11_a_private_table_is_listed_for_those_who_sit_there(tables, dan):
    game = tables.open("ann", public=False)
    assert game not in ids(dan.get("/tables"))
    assert game in ids(Browser(tables.services, tables.player("ann")).get("/tables"))


@pytest.mark.parametrize(
    "asked, found",
    [
        ("?status=running", "running"),
        ("?status=finished", ""),
        ("?status=any&game=tammany-hall", "tammany"),
        ("?status=any&mine=yes", "mine"),
        ("?game=nonsense&status=nonsense&mine=maybe", "tammany mine"),
    ],
)
def test_the_list_is_filtered_and_nonsense_filters_nothing(tables, dan, asked, found):
    games = {
        "running": tables.begin("ann", "bob"),
        "tammany": tables.open("ann", kind="tammany-hall"),
        "mine": tables.open("dan"),
    }
    assert sorted(ids(dan.get(f"/tables{asked}"))) == sorted(games[name] for name in found.split())


def test_the_filter_form_keeps_what_was_chosen(tables, dan):
    page = dan.get("/tables?status=running&game=tammany-hall&mine=yes")
    assert page.form("/tables").fields == {"game": "tammany-hall", "status": "running", "mine": "yes"}


def test_older_tables_are_on_the_next_page_with_the_same_filter(tables, dan, monkeypatch):
    monkeypatch.setattr(lobby, "PAGE", 2)
    games = []
    for host in ("ann", "bob", "cyd"):
        games.append(tables.open(host))
        tables.advance(minutes=1)
    first = dan.get("/tables?game=pennies")
    following = next(link for link in first.links if "cursor" in link)
    assert ids(first) == games[:0:-1]
    assert ids(dan.get(following)) == games[:1]


@pytest.mark.parametrize("cursor", ["x", "bnVsbA", "WzEsICJcdTAwMDAiXQ"])
def test_a_cursor_that_is_none_begins_at_the_beginning(tables, dan, cursor):
    game = tables.open("ann")
    assert ids(dan.get(f"/tables?cursor={cursor}")) == [game]


def test_one_sits_down_from_the_list(tables, dan):
    game = tables.open("ann")
    page = dan.send(dan.get("/tables").form(f"/g/{game}/seats"))
    assert page.address == f"/g/{game}"
    assert "You sit at this table." in page.words


def test_a_seat_that_fell_vacant_is_taken_over_from_the_list(tables, dan):
    game = tables.begin("ann", "bob", clock={"per_move": "P1D", "strikes": 1})
    assert f"/g/{game}/seats" not in [form.action for form in dan.get("/tables?status=running").forms]
    assert tables.expire(game, 1)
    page = dan.send(dan.get("/tables?status=running").form(f"/g/{game}/seats"))
    assert page.address == f"/g/{game}"
    assert tables.head(game).table.seat_of(tables.player("dan")) is not None


def test_an_empty_lobby_says_how_to_fill_it(tables, dan):
    page = dan.get("/tables")
    assert "No table waits for players just now." in page.words
    assert "/tables/new" in page.links
