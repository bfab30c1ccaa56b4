"""The same request twice is one act (A-17, T-65), and a key is its player's own."""

import re
from typing import Any

import pytest
import sqlalchemy as sa

from service.store.running.idempotency import idempotency
from tests.service.api.table import Answer, Api, ApiTable, Player

PLACE = {"text": "place 1 1\nend"}
OPENING = {"ruleset": "tammany-hall", "seats": 3}


def key(name: str) -> dict[str, str]:
    return {"Idempotency-Key": name}


def three(api: Api) -> ApiTable:
    return api.begin(*api.players("ann bob cyd"))


def is_replay_of(second: Answer, first: Answer) -> None:
    """The same bytes and headers, marked, and with an id of its own."""
    assert (second.status, second.data) == (first.status, first.data)
    assert "Idempotency-Replayed" not in first.headers
    assert second.headers["Idempotency-Replayed"] == "true"
    told, again = dict(first.headers), dict(second.headers)
    assert told.pop("X-Request-Id") != again.pop("X-Request-Id")
    assert again == told | {"Idempotency-Replayed": "true"}


def test_a17_a_move_sent_twice_under_one_key_is_played_once(api):
    table = three(api)
    player = table.awaited
    first = table.post(player, "moves", PLACE, headers=key("move-1")).ok(201)
    after = api.kept()
    second = table.post(player, "moves", PLACE, headers=key("move-1")).ok(201)
    is_replay_of(second, first)
    table.move(table.awaited, "place 1 1", "end")
    third = table.post(player, "moves", PLACE, headers=key("move-1")).ok(201)
    is_replay_of(third, first)
    assert after[1][0][1] == first.json["version"]


@pytest.mark.slow
def test_a17_every_command_can_be_sent_twice(api):
    ann, bob, cyd = api.players("ann bob cyd")
    opening: dict[str, Any] = {"json": {"ruleset": "tammany-hall", "seats": 5}, "headers": key("open")}
    first = api.send("POST", "/games", ann, **opening).ok(201)
    is_replay_of(api.send("POST", "/games", ann, **opening), first)
    assert api.rows()["games"] == 1
    table = ApiTable(api, first.json["id"], [ann])

    def twice(method: str, below: str, who: Player, name: str, body: Any = None) -> Answer:
        sent: dict[str, Any] = {"headers": key(name)} | ({} if body is None else {"json": body})
        one = api.send(method, table.path + below, who, **sent)
        is_replay_of(api.send(method, table.path + below, who, **sent), one)
        return one

    twice("POST", "/seats", bob, "sit", {}).ok(201)
    twice("DELETE", "/seats/me", bob, "leave").ok(200)
    table.sit(bob)
    table.sit(cyd)
    assert twice("POST", "/start", ann, "start").ok().json["status"] == "running"
    bidder, *_ = table.to_bids()
    bids = table.version
    assert twice("POST", "/bids", bidder, "bid", {"chips": {}}).ok(201).json["version"] == bids + 1
    changed = api.patch("/me", ann, {"name": "Anna"}, headers=key("me")).ok()
    is_replay_of(api.patch("/me", ann, {"name": "Anna"}, headers=key("me")), changed)


def test_a_key_with_another_body_is_422(api):
    table = three(api)
    player = table.awaited
    table.post(player, "moves", PLACE, headers=key("k")).ok(201)
    before = api.kept()
    for path, body in [("moves", {"text": "place 2 2\nend"}), ("moves", {"text": "place 1 1\nend "})]:
        answer = table.post(player, path, body, headers=key("k"))
        answer.refused(422, "idempotency-key-reused")
    assert api.kept() == before


def test_t65_a_key_belongs_to_one_player_and_one_path(api):
    ann, bob = api.players("ann bob")
    first = api.post("/games", ann, OPENING, headers=key("k")).ok(201)
    second = api.post("/games", bob, OPENING, headers=key("k")).ok(201)
    assert first.json["id"] != second.json["id"]
    assert "Idempotency-Replayed" not in second.headers
    third = api.post(f"/games/{first.json['id']}/seats", bob, {}, headers=key("k")).ok(201)
    fourth = api.post(f"/games/{second.json['id']}/seats", ann, {}, headers=key("k")).ok(201)
    assert third.json["id"] == first.json["id"]
    assert fourth.json["id"] == second.json["id"]


def test_a_refused_request_leaves_its_key_free(api):
    table = three(api)
    player = next(one for one in table.seated if one is not table.awaited)
    table.post(player, "moves", PLACE, headers=key("k")).refused(409, "not-your-turn")
    assert api.rows()["idempotency"] == 0
    while table.awaited is not player:
        table.move(table.awaited, "place 1 1", "end")
    answer = table.post(player, "moves", PLACE, headers=key("k")).ok(201)
    assert "Idempotency-Replayed" not in answer.headers


def test_f51_a_replay_answers_also_when_the_version_is_long_past(api):
    table = three(api)
    player, seen = table.awaited, {"If-Match": f'"{table.version}"'}
    first = table.post(player, "moves", PLACE, headers=key("k") | seen).ok(201)
    is_replay_of(table.post(player, "moves", PLACE, headers=key("k") | seen), first)


def test_a_dry_run_takes_no_key(api):
    table = three(api)
    player = table.awaited
    table.post(player, "moves?dry_run=1", PLACE, headers=key("k")).ok(200)
    assert api.rows()["idempotency"] == 0
    table.post(player, "moves", PLACE, headers=key("k")).ok(201)


@pytest.mark.slow
def test_s30_answers_and_keys_are_kept_sealed(api):
    table = three(api)
    bidder, *_ = table.to_bids()
    colour = next(iter(table.purse(bidder)))
    answer = table.post(bidder, "bids", {"chips": {colour: 1}}, headers=key("my-secret-key")).ok(201)
    assert f"{colour} 1" in answer.text
    with api.services.database.read() as connection:
        (row,) = connection.execute(sa.select(idempotency)).mappings()
    assert row["status"] == 201
    assert table.id.encode() not in row["answer"]
    assert colour.encode() not in row["answer"]
    assert re.fullmatch(r"[0-9a-f]{64}", row["key"])
    assert "my-secret-key" not in str(dict(row))


def test_q6_a_key_never_enters_the_history(api):
    table = three(api)
    table.post(table.awaited, "moves", PLACE, headers=key("my-own-key-0001")).ok(201)
    assert b"my-own-key-0001" not in b"".join(table.export(table.seated[0]))
    causes = {event["cause"] for event in table.events(table.seated[0])}
    assert all(re.fullmatch(r"[0-9a-z]{16}", cause) for cause in causes)
