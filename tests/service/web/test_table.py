"""The table before its game begins, at the game's own address."""

from tests.service.web.browser import Browser


def test_a_table_that_waits_shows_who_sits_there(tables):
    game = tables.sit(tables.open("ann"), "bob")
    page = Browser(tables.services, tables.player("cyd")).get(f"/g/{game}")
    assert page.status == 200
    assert {"ann", "bob"} <= set(page.words.split())


def test_s11_a_private_table_is_not_there_for_a_stranger(tables):
    game = tables.open("ann", public=False)
    assert Browser(tables.services, tables.player("eve")).get(f"/g/{game}").status == 404


def test_a_game_under_way_shows_its_board(tables):
    game = tables.begin()
    assert Browser(tables.services, tables.player("ann")).get(f"/g/{game}").status == 200
