"""`GET /me/mails`: mails we got from a player and what we did, for that player's eyes alone."""

from typing import Any

import pytest

from service.accounts import people
from tests.apps import app_of
from tests.workers.post import Post


def me(post: Post, name: str, path: str = "/me/mails", **more: Any) -> Any:
    """What the API answers somebody."""
    with post.services.database.write() as tx:
        token = people.token_for(post.services, tx, f"{name}@people.example", name)
    client = app_of(post.services).test_client()
    return client.open("/api/v1" + path, headers={"Authorization": f"Bearer {token}"}, **more)


@pytest.fixture
def game(post: Post) -> str:
    found = post.begins("ann", "bob", kind="city-hall")
    post.round()
    return found


def asked(post: Post, game: str) -> str:
    return ("ann", "bob")[post.awaited(game)[0]]


def test_in_31_every_mail_is_listed_newest_first_with_what_was_done(post, game):
    name = asked(post, game)
    other = {"ann": "bob", "bob": "ann"}[name]
    post.answers(name, "bdi 3")
    post.round()
    order = post.legal(game, post.awaited(game)[0])[0]
    post.answers(name, order)
    post.round()
    answer = me(post, name)
    assert answer.status_code == 200
    done, refused = answer.json["items"]
    assert (refused["state"], refused["version"], refused["commands"]) == ("rejected", 0, [])
    assert (done["state"], done["commands"], done["game"]) == ("applied", [order], game)
    assert done["version"] == post.version(game)
    assert done["received_at"] == "2031-03-04T12:00:00.000000Z"
    assert answer.json["next"] is None
    assert me(post, other).json["items"] == []


def test_a_mail_that_failed_a_lock_shows_no_content(post, game):
    name = asked(post, game)
    order = post.legal(game, post.awaited(game)[0])[0]
    post.answers(name, order, address="eve@elsewhere.example")
    post.round()
    (held,) = me(post, name).json["items"]
    assert (held["state"], held["commands"], held["version"]) == ("held", [], 0)
    assert order not in me(post, name).text


def test_the_list_comes_in_pages(post, game):
    name = asked(post, game)
    for number in range(5):
        post.answers(name, f"status\n\n{number}")
        post.works()
    first = me(post, name, "/me/mails?limit=2").json
    second = me(post, name, f"/me/mails?limit=2&before={first['next']}").json
    last = me(post, name, f"/me/mails?limit=2&before={second['next']}").json
    ids = [item["id"] for page in (first, second, last) for item in page["items"]]
    assert ids == [5, 4, 3, 2, 1]
    assert last["next"] is None


def test_the_list_is_for_who_signs_in(post):
    assert app_of(post.services).test_client().get("/api/v1/me/mails").status_code == 401


def test_wishes_about_mail_are_kept(post, game):
    assert me(post, "ann", "/me", method="PATCH", json={"secret_free": True, "calendar": True}).status_code == 200
    profile = me(post, "ann", "/me").json
    assert (profile["secret_free"], profile["calendar"], profile["new_subjects"]) == (True, True, False)
