"""`GET /me/mails`: mails we got from a player and what we did, for that player's eyes alone."""

from typing import Any

import pytest

from service.accounts import people
from tests.apps import app_of
from tests.tables import Tables


def me(mail_tables: Tables, name: str, path: str = "/me/mails", **more: Any) -> Any:
    """What the API answers somebody."""
    with mail_tables.services.database.write() as tx:
        token = people.token_for(mail_tables.services, tx, f"{name}@people.example", name)
    client = app_of(mail_tables.services).test_client()
    return client.open("/api/v1" + path, headers={"Authorization": f"Bearer {token}"}, **more)


@pytest.fixture
def game(mail_tables: Tables) -> str:
    found = mail_tables.begin("ann", "bob", kind="city-hall")
    mail_tables.exchange()
    return found


def asked(mail_tables: Tables, game: str) -> str:
    return ("ann", "bob")[mail_tables.awaited(game)[0]]


def test_in_31_every_mail_is_listed_newest_first_with_what_was_done(mail_tables, game):
    name = asked(mail_tables, game)
    other = {"ann": "bob", "bob": "ann"}[name]
    mail_tables.reply(name, "bdi 3")
    mail_tables.exchange()
    order = mail_tables.legal(game, mail_tables.awaited(game)[0])[0]
    mail_tables.reply(name, order)
    mail_tables.exchange()
    answer = me(mail_tables, name)
    assert answer.status_code == 200
    done, refused = answer.json["items"]
    assert (refused["state"], refused["version"], refused["commands"]) == ("rejected", 0, [])
    assert (done["state"], done["commands"], done["game"]) == ("applied", [order], game)
    assert done["version"] == mail_tables.version(game)
    assert done["received_at"] == "2031-03-04T12:00:00.000000Z"
    assert answer.json["next"] is None
    assert me(mail_tables, other).json["items"] == []


def test_a_mail_that_failed_a_lock_shows_no_content(mail_tables, game):
    name = asked(mail_tables, game)
    order = mail_tables.legal(game, mail_tables.awaited(game)[0])[0]
    mail_tables.reply(name, order, address="eve@elsewhere.example")
    mail_tables.exchange()
    (held,) = me(mail_tables, name).json["items"]
    assert (held["state"], held["commands"], held["version"]) == ("held", [], 0)
    assert order not in me(mail_tables, name).text


def test_the_list_comes_in_pages(mail_tables, game):
    name = asked(mail_tables, game)
    for number in range(5):
        mail_tables.reply(name, f"status\n\n{number}")
        mail_tables.read_inbox()
    first = me(mail_tables, name, "/me/mails?limit=2").json
    second = me(mail_tables, name, f"/me/mails?limit=2&before={first['next']}").json
    last = me(mail_tables, name, f"/me/mails?limit=2&before={second['next']}").json
    ids = [item["id"] for page in (first, second, last) for item in page["items"]]
    assert ids == [5, 4, 3, 2, 1]
    assert last["next"] is None


def test_the_list_is_for_who_signs_in(mail_tables):
    assert app_of(mail_tables.services).test_client().get("/api/v1/me/mails").status_code == 401


def test_wishes_about_mail_are_kept(mail_tables, game):
    assert (
        me(mail_tables, "ann", "/me", method="PATCH", json={"secret_free": True, "calendar": True}).status_code == 200
    )
    profile = me(mail_tables, "ann", "/me").json
    assert (profile["secret_free"], profile["calendar"], profile["new_subjects"]) == (True, True, False)
