"""People by REST: profiles as they are shown, what one shows, whom one mutes and blocks."""

from typing import Any

import pytest

from service.store.people.profiles import PARTS
from tests.service.api.table import Api, Player

HIDDEN: dict[str, Any] = dict.fromkeys(("joined", "languages", "games", "reliability", "together", "opponents"))


def avoids(api: Api, who: Player, other: str, how: str = "block") -> Any:
    return api.send("PUT", f"/me/avoided/{other}", who, json={"how": how})


@pytest.mark.slow
def test_a_profile_is_what_its_owner_shows_to_whoever_asks(api):
    ann, bob, dora = api.players("ann bob dora")
    api.begin(ann, bob, bots=1)
    assert api.get(f"/players/{ann.id}", dora).ok().json == {"player": ann.id, "name": "ann", **HIDDEN}
    assert api.get(f"/players/{ann.id}").ok().json == {"player": ann.id, "name": "ann", **HIDDEN}
    seen = api.get(f"/players/{ann.id}", bob).ok().json
    assert seen["games"] == {
        "open": 0, "running": 1, "abandoned": 0, "rulesets": {},
        "with_people": {"finished": 0, "won": 0}, "against_bots": {"finished": 0, "won": 0},
    }  # fmt: skip
    assert seen["reliability"] == {"asked": 0, "missed": 0, "by_caretaker": 0}
    assert (seen["together"], seen["opponents"]) == (None, None)
    chosen = {"games": "nobody", "languages": "everybody", "speaks": ["fr", "de"]}
    assert api.patch("/me/profile", ann, chosen).ok().json == {
        **dict.fromkeys(PARTS, "companions"), "opponents": "nobody",
        "games": "nobody", "languages": "everybody", "speaks": ["fr", "de"],
    }  # fmt: skip
    assert api.get(f"/players/{ann.id}").ok().json["languages"] == ["fr", "de"]
    assert api.get(f"/players/{ann.id}", bob).ok().json["games"] is None
    assert api.get(f"/players/{ann.id}", ann).ok().json["games"] is not None


def test_s11_nobody_and_somebody_unknown_are_answered_alike(sqlite_api):
    ann, dora = sqlite_api.players("ann dora")
    answers = [
        sqlite_api.get(f"/players/{who}", dora).refused(404, "no-such-player") for who in (ann.id, "p_none", "é")
    ]
    answers += [avoids(sqlite_api, dora, who).refused(404, "no-such-player") for who in (ann.id, "p_none", "%F0%9F")]
    assert len({answer.data for answer in answers}) == 1
    for who in (ann.id, "p_none"):
        sqlite_api.get(f"/players/{who}").refused(404, "no-such-player")


def test_what_one_shows_is_chosen_of_what_there_is(sqlite_api):
    ann = sqlite_api.player("ann")
    for body in (
        {"games": "friends"},
        {"secrets": "nobody"},
        {"speaks": ["xx"]},
        {"speaks": ["en"] * 9},
        {"games": None},
    ):
        assert sqlite_api.patch("/me/profile", ann, body).status == 400
    sqlite_api.patch("/me/profile", ann, {}).ok()
    sqlite_api.get("/me/profile").refused(401, "unauthorized")


@pytest.mark.slow
def test_one_mutes_blocks_and_takes_it_back_and_the_other_sees_nothing_of_it(api):
    ann, bob, cyd = api.players("ann bob cyd")
    table = api.begin(ann, bob, cyd)
    before = [api.get(path, bob).ok().data for path in (f"/players/{ann.id}", "/me/avoided", f"/games/{table.id}")]
    assert avoids(api, ann, bob.id, "mute").ok(204).data == b""
    (listed,) = api.get("/me/avoided", ann).ok().json["items"]
    assert (listed["player"], listed["name"], listed["how"]) == (bob.id, "bob", "mute")
    avoids(api, ann, bob.id).ok(204)
    assert [other["how"] for other in api.get("/me/avoided", ann).ok().json["items"]] == ["block"]
    after = [api.get(path, bob).ok().data for path in (f"/players/{ann.id}", "/me/avoided", f"/games/{table.id}")]
    assert after == before
    open_table = api.open(ann)
    api.post(f"{open_table.path}/seats", bob).refused(403, "not-open-to-you")
    api.post(f"{api.open(bob).path}/seats", ann).refused(409, "blocked-by-you")
    api.delete(f"/me/avoided/{bob.id}", ann).ok(204)
    api.delete("/me/avoided/p_none", ann).ok(204)
    open_table.sit(bob)
    avoids(api, ann, ann.id).refused(422, "avoids-oneself")
    assert avoids(api, ann, bob.id, "hate").status == 400


def test_lines_of_the_muted_say_so_to_whom_they_are_muted_by_alone(sqlite_api):
    ann, bob, cyd = sqlite_api.players("ann bob cyd")
    table = sqlite_api.begin(ann, bob, cyd)
    table.post(bob, "messages", {"text": "hello"}).ok(201)
    avoids(sqlite_api, ann, bob.id, "mute").ok(204)
    with sqlite_api.services.database.write() as tx:
        tx.exec_driver_sql("UPDATE messages SET shown_at = created_at")
    lines = {who.name: table.get(who, "messages").ok().json["items"] for who in (ann, bob, cyd)}
    assert lines["bob"] == lines["cyd"]
    assert lines["ann"] == [line | {"muted": True} for line in lines["bob"]]


def listed(api: Api, who: Player | None, **query: Any) -> list[str]:
    return [game["id"] for game in api.get("/games", who, query_string=query).ok().json["items"]]


@pytest.mark.slow
def test_games_are_found_by_ruleset_by_who_sits_there_and_by_what_moved_last(api):
    ann, bob, dora = api.players("ann bob dora")
    old, new = api.begin(ann, bob, bots=1), api.open(bob)
    ended = api.begin(ann, dora, ruleset="city-hall", options={}, seats=2)
    old.move(old.awaited, "place 1 1", "end")
    assert listed(api, ann, mine="1", order="opened") == [ended.id, old.id]
    assert listed(api, ann, mine="1", order="moved") == [old.id, ended.id]
    assert listed(api, ann, mine="1", player=bob.id) == listed(api, ann, ruleset="tammany-hall", mine="1") == [old.id]
    assert listed(api, bob, ruleset="city-hall") == [ended.id]
    assert listed(api, ann, result="won") == listed(api, ann, result="lost") == []
    first = api.get("/games", ann, query_string={"mine": "1", "order": "moved", "limit": 1}).ok()
    assert (
        api.send("GET", "/" + first.headers["Link"].partition("<")[2].partition(">")[0], ann)
        .ok()
        .json["items"][0]["id"]
        == ended.id
    )
    assert listed(api, ann, player=bob.id) == [new.id, old.id], "who shares a game sees the others, too"


def test_games_of_somebody_are_listed_to_whom_they_show_them_alone(sqlite_api):
    ann, bob, dora = sqlite_api.players("ann bob dora")
    sqlite_api.begin(ann, bob, bots=1)
    for who in (dora, None):
        sqlite_api.get(f"/games?player={ann.id}", who).refused(403, "not-shown")
    sqlite_api.get("/games?player=p_nobody", dora).refused(404, "no-such-player")
    sqlite_api.get("/games?player=%00", dora).refused(404, "no-such-player")
    sqlite_api.get("/games?result=won").refused(401, "unauthorized")
    sqlite_api.patch("/me/profile", ann, {"games": "everybody"}).ok()
    assert len(listed(sqlite_api, dora, player=ann.id)) == len(listed(sqlite_api, None, player=ann.id)) == 1
