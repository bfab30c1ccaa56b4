"""DESIGN 8 as clients rely on it: paths, methods, status codes, headers and shapes, and whole games through them."""

import hashlib
import hmac
import json
import math
import re
from typing import Any

import jsonschema
import pytest
import rfc8785
import sqlalchemy as sa

from domain.audit.verify_history import audit
from service.accounts import sign_in as accounts
from service.store.outgoing.outbox import outbox
from tests.service.api.table import V1, Answer, Api, ApiTable, Player, served

once = pytest.mark.parametrize("api", ["sqlite"], indirect=True)
"""No statement of it has a dialect, a lock or a constraint of its own: PostgreSQL need not repeat it."""

pytestmark = pytest.mark.slow  # seconds together

HEX = re.compile(r"[0-9a-f]{64}")
TIME = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z")
GAME = {
    "id", "ruleset", "options", "public", "host", "status", "version", "hash", "seats", "awaiting", "clock", "state",
    "you", "paused", "proposal", "name",
}  # fmt: skip
EVENT = {"game", "version", "type", "schema", "actor", "cause", "at", "data", "sealed", "previous", "hash"}


def three(api: Api, **terms: Any) -> ApiTable:
    return api.begin(*api.players("ann bob cyd"), **terms)


def mailed_code(api: Api) -> str:
    """The newest code, as the worker that mails it reads it."""
    accounts.post_codes(api.services)
    with api.services.database.read() as connection:
        newest = sa.select(outbox).where(outbox.c.kind == "code").order_by(outbox.c.id.desc())
        row = connection.execute(newest).mappings().first()
    assert row
    return api.services.sealer.open("codes", f"code|{row['decision']}", row["secret"]).decode().split()[0]


# Signing in


def sign_in(api: Api, email: str) -> Player:
    api.post("/tokens", None, {"email": email}).ok(202)
    answer = api.post("/tokens", None, {"email": email, "code": mailed_code(api)}).ok(201)
    assert set(answer.json) == {"token", "player"}
    return Player(email, answer.json["player"], answer.json["token"])


def test_signing_up_mails_a_code_that_makes_one_token(api):
    profile = {"name": "Ann", "email": "Ann@Example.org", "timezone": "Europe/Paris", "language": "en"}
    assert set(api.post("/players", None, profile).ok(202).json) == {"detail", "request"}
    code = mailed_code(api)
    answer = api.post("/tokens", None, {"email": "ann@example.org", "code": f" {code.upper()} "}).ok(201)
    ann = Player("Ann", answer.json["player"], answer.json["token"])
    me = api.get("/me", ann).ok().json
    wishes = {"mail": True, "secret_free": False, "new_subjects": False, "calendar": False}
    nights = {"receipts": True, "wakes_at": "08:00", "quiet_turns": False, "digest": "off"}
    wishes |= {"tell_urgent": "both", "tell_normal": "both", "tell_news": "mail"}
    mail = wishes | nights | {"mail_state": "ok", "mail_reason": "", "mail_note": ""}
    assert me == profile | {"id": ann.id, "created_at": me["created_at"]} | mail
    assert TIME.fullmatch(me["created_at"])
    again = api.post("/tokens", None, {"email": "ann@example.org", "code": code})
    again.refused(401, "bad-code")
    assert again.headers["WWW-Authenticate"].startswith("Bearer")


def test_s20_a_code_dies_after_five_wrong_tries(api):
    api.post("/players", None, {"name": "Ann", "email": "ann@example.org"}).ok(202)
    code = mailed_code(api)
    for _ in range(5):
        api.post("/tokens", None, {"email": "ann@example.org", "code": "wrong"}).refused(401, "bad-code")
    api.post("/tokens", None, {"email": "ann@example.org", "code": code}).refused(401, "bad-code")


@once
def test_s22_known_and_unknown_addresses_get_the_same_bytes(api):
    api.post("/players", None, {"name": "Ann", "email": "ann@example.org"}).ok(202)
    asked = [api.post("/tokens", None, {"email": f"{name}@example.org"}).ok(202) for name in ("ann", "nobody")]
    tried = [
        api.post("/tokens", None, {"email": f"{name}@example.org", "code": "00000000"}).refused(401, "bad-code")
        for name in ("ann", "nobody")
    ]
    signed = [
        api.post("/players", None, {"name": "Ann", "email": f"{name}@example.org"}).ok(202) for name in ("ann", "new")
    ]
    for one, other in (asked, tried, signed):
        ids = {answer.headers.pop("X-Request-Id") for answer in (one, other)}
        assert len(ids) == 2, "random, and of nobody"
        assert (without_secret(one), dict(one.headers)) == (without_secret(other), dict(other.headers))


def without_secret(answer: Answer) -> bytes:
    """The bytes of an answer but for the secret that each asker gets."""
    secret = answer.json.get("request", "")
    return answer.data.replace(secret.encode(), b"-" * len(secret))


FIELDS = {"id", "kind", "label", "created_at", "last_used_at", "scopes", "expires_at", "current"}


def test_tokens_are_listed_without_their_secret_and_can_be_ended(api):
    api.post("/players", None, {"name": "Ann", "email": "ann@example.org"}).ok(202)
    first, second = sign_in(api, "ann@example.org"), sign_in(api, "ann@example.org")
    listed = api.get("/me/tokens", second).ok()
    assert first.token not in listed.text
    assert listed.json["next"] is None
    assert [one["current"] for one in listed.json["items"]] == [True, False]
    assert all(set(item) == FIELDS for item in listed.json["items"])
    assert [item["last_used_at"] is None for item in listed.json["items"]] == [False, True], "the first was never used"
    other = next(one["id"] for one in listed.json["items"] if not one["current"])
    api.delete(f"/me/tokens/{other}", second).ok(204)
    api.delete(f"/me/tokens/{other}", second).refused(404, "no-such-token")
    api.get("/me", first).refused(401, "unauthorized")
    assert api.delete("/me/tokens", second).ok(204).data == b""
    api.get("/me", second).refused(401, "unauthorized")


@once
def test_nobody_ends_the_token_of_another(api):
    ann, bob = api.players("ann bob")
    token = api.get("/me/tokens", bob).ok().json["items"][0]["id"]
    api.delete(f"/me/tokens/{token}", ann).refused(404, "no-such-token")
    api.get("/me", bob).ok()


@once
def test_a_profile_changes_field_by_field(api):
    ann = api.player("ann")
    before = api.get("/me", ann).ok().json
    after = api.patch("/me", ann, {"name": "Anna", "timezone": "Asia/Tokyo", "mail": False}).ok().json
    assert after == before | {"name": "Anna", "timezone": "Asia/Tokyo", "mail": False}
    assert api.patch("/me", ann, {}).ok().json == after
    assert api.get("/me", ann).ok().json == after


# Rulesets


def test_rulesets_say_seats_options_actions_and_notation(sqlite_api):
    listed = sqlite_api.get("/rulesets").ok().json
    assert listed["next"] is None
    short = next(one for one in listed["items"] if one["slug"] == "tammany-hall")
    assert short["seats"] == [3, 4, 5]
    assert short["options"]["sealed-bid"] == ["replaceable", "final"]
    detail = sqlite_api.get("/rulesets/tammany-hall").ok().json
    assert short.items() <= detail.items()
    assert "settle boss" in detail["notation"]
    assert detail["pawns"] == ["red", "yellow", "black", "purple", "brown"]
    sqlite_api.get("/rulesets/chess").refused(404, "no-such-ruleset")


def test_every_legal_action_fits_the_schema_its_ruleset_publishes(sqlite_api):
    schemas = sqlite_api.get("/rulesets/tammany-hall").ok().json["actions"]
    for schema in schemas.values():
        jsonschema.Draft202012Validator.check_schema(schema)
    table = three(sqlite_api)
    seen = set()
    for player, _, _ in table.play_out(7):
        if len(seen) == len(schemas):
            break
        for one in table.get(player, "actions").json["actions"]:
            kind = one["action"]["type"]
            if kind not in seen:
                jsonschema.validate(one["action"], schemas[kind])
                seen.add(kind)
    assert seen >= {"place", "settle", "slander", "end", "bid"}


# Tables


@once
def test_opening_a_table_answers_201_with_location_and_etag(api):
    ann = api.player("ann")
    terms = {
        "ruleset": "tammany-hall", "seats": 4, "bots": 1, "public": False, "options": {"sealed-bid": "final"},
        "clock": {"per_move": "P2D", "strikes": 3}, "invite": ["bob@example.org"], "nonce": "abcdefghijklmnop",
    }  # fmt: skip
    answer = api.post("/games", ann, terms).ok(201)
    game = answer.json
    assert set(game) == GAME
    assert re.fullmatch(r"[0-9a-hjkmnp-tv-z]{10}", game["id"])
    assert answer.headers["Location"] == f"{V1}/games/{game['id']}"
    assert answer.headers["ETag"] == f'"{game["version"]}"'
    assert HEX.fullmatch(game["hash"])
    assert (game["status"], game["public"], game["host"], game["state"]) == ("open", False, ann.id, None)
    assert [seat["status"] for seat in game["seats"]] == ["taken", "empty", "empty", "bot"]
    assert game["seats"][0] == {
        "seat": 0,
        "status": "taken",
        "player": ann.id,
        "name": "ann",
        "bot": None,
        "strikes": 0,
    }
    assert game["options"]["sealed-bid"] == "final"
    assert game["options"]["ward-bonus"] == "optional"
    assert game["clock"]["per_move"] == "P2D"
    assert game["clock"]["reminders"] == ["P1D", "PT6H"]
    assert game["you"] == {"seat": 0, "awaited": False, "decision": None, "due": None}
    opened, taken = api.get(f"/games/{game['id']}/events", ann).ok().json["events"][:2]
    assert HEX.fullmatch(opened["data"]["seed_commitment"])
    assert opened["data"].keys() >= {"ruleset", "seats", "options", "clock", "public", "host"}
    assert (taken["data"]["nonce"], taken["data"]["nonce_by"]) == ("abcdefghijklmnop", "player")


def test_a_table_starts_by_itself_when_full_and_by_its_host_before(api):
    ann, bob, cyd = api.players("ann bob cyd")
    full = api.open(ann)
    full.sit(bob)
    assert full.position()["status"] == "open"
    answer = full.sit(cyd)
    assert answer.json["status"] == "running"
    assert answer.headers["Location"] == V1 + full.path
    waiting = api.open(ann, 5)
    waiting.sit(bob)
    waiting.post(ann, "start").refused(422, "too-few-players")
    waiting.sit(cyd)
    waiting.post(bob, "start").refused(403, "not-host")
    started = waiting.post(ann, "start").ok()
    assert started.headers["ETag"] == f'"{started.json["version"]}"'
    assert (started.json["status"], len(started.json["seats"])) == ("running", 3)
    waiting.post(ann, "start").refused(409, "already-started")


def test_a_seat_is_taken_once_and_left_only_before_the_start(api):
    ann, bob, cyd, dan = api.players("ann bob cyd dan")
    table = api.open(ann)
    table.post(ann, "seats", {}).refused(409, "already-seated")
    api.delete(f"{table.path}/seats/me", bob).refused(403, "not-seated")
    table.sit(bob)
    left = api.delete(f"{table.path}/seats/me", bob).ok().json
    assert [seat["status"] for seat in left["seats"]] == ["taken", "empty", "empty"]
    assert left["you"] is None
    table.sit(bob)
    table.sit(cyd)
    table.post(dan, "seats", {}).refused(409, "table-full")
    api.delete(f"{table.path}/seats/me", bob).refused(409, "already-started")


@once
def test_the_last_to_stand_up_closes_the_table(api):
    ann = api.player("ann")
    table = api.open(ann, bots=1)
    assert api.delete(f"{table.path}/seats/me", ann).ok().json["status"] == "abandoned"
    table.post(ann, "seats", {}).refused(409, "game-over")
    assert table.events(ann)[-1]["type"] == "table.seed-revealed"


@once
def test_one_person_and_bots_play_a_game(api):
    table = api.begin(api.player("ann"), bots=2)
    assert [seat["status"] for seat in table.position()["seats"]] == ["taken", "bot", "bot"]
    assert table.position()["awaiting"] == [0]
    after = table.move(table.seated[0], "place 1 1", "end").json["game"]
    assert after["awaiting"] == [0]
    assert after["state"]["year"] >= 1


# The lobby


def test_the_lobby_shows_public_games_and_mine_in_pages_newest_first(api):
    ann, bob = api.players("ann bob")
    opened = [api.open(ann, public=number % 2 == 0).id for number in range(6)]
    mine = {"mine": "1"}
    assert [one["id"] for one in api.get("/games", ann).ok().json["items"]] == opened[::-1]
    assert [one["id"] for one in api.get("/games", bob).ok().json["items"]] == opened[4::-2]
    assert api.get("/games", bob, query_string=mine).ok().json == {"items": [], "next": None}
    shown, pages, path = [], 0, "/games?limit=4&mine=true&status=open"
    while True:
        answer, pages = api.get(path, ann).ok(), pages + 1
        shown += [one["id"] for one in answer.json["items"]]
        if answer.json["next"] is None:
            assert "Link" not in answer.headers
            break
        link = re.fullmatch(r'<(/api/v1)(/games\?[^>]+)>; rel="next"', answer.headers["Link"])
        assert link
        path = link[2]
        assert f"cursor={answer.json['next']}" in path
        assert "mine=true" in path
        assert "status=open" in path
    assert (pages, shown) == (2, opened[::-1])
    item = answer.json["items"][0]
    assert set(item) == {"id", "ruleset", "status", "version", "hash", "public", "created_at", "seats", "name"}


def test_the_lobby_finds_games_by_status_and_by_whom_they_await(api):
    ann, bob, cyd = api.players("ann bob cyd")
    table = api.begin(ann, bob, cyd)
    open_one = api.open(ann)

    def found(who: Player, **query: str) -> list[str]:
        return [one["id"] for one in api.get("/games", who, query_string=query).ok().json["items"]]

    assert found(ann, status="running") == [table.id]
    assert found(ann, status="open") == [open_one.id]
    assert found(ann, status="finished") == []
    assert found(table.awaited, awaiting="me") == [table.id]
    assert [found(one, awaiting="me") for one in table.seated].count([]) == 2


def test_me_turns_lists_what_waits_for_me(api):
    table = three(api)
    awaited = table.awaited
    answer = api.get("/me/turns", awaited).ok().json
    you = table.position(awaited)["you"]
    assert answer == {
        "items": [
            {
                "game": table.id,
                "name": table.position()["name"],
                "ruleset": "tammany-hall",
                "seat": you["seat"],
                "decision": you["decision"],
                "since": table.version,
                "due": you["due"],
            }
        ],
        "next": None,
    }
    assert TIME.fullmatch(you["due"])
    assert you["awaited"]
    others = [one for one in table.seated if one is not awaited]
    assert all(api.get("/me/turns", one).ok().json["items"] == [] for one in others)
    table.move(awaited, "place 1 1", "end")
    assert api.get("/me/turns", awaited).ok().json["items"] == []


# A position


@once
def test_a_position_carries_its_version_as_etag(api):
    table = three(api)
    answer = table.get(table.seated[1]).ok()
    game = answer.json
    assert set(game) == GAME
    assert answer.headers["ETag"] == answer.tag(game["version"])
    assert game["clock"].keys() >= {"per_move", "grace", "reminders", "on_timeout", "strikes", "bank", "deadlines"}
    (deadline,) = game["clock"]["deadlines"]
    assert deadline.keys() == {"seat", "decision", "since", "due"}
    assert [deadline["seat"]] == game["awaiting"]
    assert game["you"]["seat"] == 1
    assert table.get(api.player("dan")).ok().json["you"] is None
    same = table.get(table.seated[1], headers={"If-None-Match": answer.headers["ETag"]})
    assert (same.status, same.data, same.headers["ETag"]) == (304, b"", answer.headers["ETag"])
    table.get(table.seated[1], headers={"If-None-Match": '"1"'}).ok(200)


@once
def test_every_past_version_is_shown_as_it_was(api):
    table = three(api)
    seen = [table.position()]
    for _ in range(4):
        seen.append(table.move(table.awaited, "place 1 1", "end").json["game"])
    for then in seen:
        answer = table.get(table.seated[0], query_string={"version": then["version"]}).ok()
        assert answer.headers["ETag"] == answer.tag(then["version"])
        for name in ("version", "hash", "status", "state", "awaiting", "seats"):
            assert answer.json[name] == then[name]
    first = table.get(table.seated[0], query_string={"version": 1}).ok().json
    assert (first["status"], first["state"]) == ("open", None)
    table.get(table.seated[0], query_string={"version": table.version + 1}).refused(404, "no-such-version")


@once
def test_the_board_is_plain_text_now_and_then(api):
    table = three(api)
    before = table.version
    table.move(table.awaited, "place 1 1", "end")
    now = table.get(table.seated[0], "board").ok()
    assert now.headers["Content-Type"] == "text/plain; charset=utf-8"
    assert now.headers["ETag"] == now.tag(table.version)
    then = table.get(table.seated[0], "board", query_string={"version": before}).ok()
    assert then.headers["ETag"] == then.tag(before)
    assert then.text != now.text
    assert all(len(line) <= 78 for line in now.text.splitlines())
    assert "not started" in table.get(table.seated[0], "board", query_string={"version": 1}).ok().text


@once
def test_legal_actions_are_for_the_seat_that_asks(api):
    table = three(api)
    awaited = table.awaited
    answer = table.get(awaited, "actions").ok()
    assert set(answer.json) == {"version", "actions", "complete"}
    assert answer.json["complete"] is True
    assert answer.headers["ETag"] == answer.tag(answer.json["version"])
    assert all(set(one) == {"text", "action"} for one in answer.json["actions"])
    other = next(one for one in table.seated if one is not awaited)
    assert table.get(other, "actions").ok().json["actions"] == []
    table.get(api.player("dan"), "actions").refused(403, "not-seated")


# Moves


@once
@pytest.mark.parametrize("form", ["text", "actions"])
def test_a_move_is_played_as_json_or_as_text(api, form):
    table = three(api)
    before, player = table.position(), table.awaited
    texts = ["place 1 1", "end"]
    actions = [{"type": "place", "wards": [1, 1]}, {"type": "end"}]
    body = {"text": "\n".join(texts)} if form == "text" else {"actions": actions}
    answer = table.post(player, "moves", body, headers={"If-Match": f'"{before["version"]}"'}).ok(201)
    moved = answer.json
    assert set(moved) == {"version", "hash", "events", "game"}
    assert answer.headers["ETag"] == f'"{moved["version"]}"'
    assert [event["version"] for event in moved["events"]] == [*range(before["version"] + 1, moved["version"] + 1)]
    assert moved["events"][0]["previous"] == before["hash"]
    assert moved["events"][-1]["hash"] == moved["hash"] == moved["game"]["hash"]
    assert [event["data"]["text"] for event in moved["events"] if "text" in event["data"]] == texts
    assert moved["game"] == table.position(player)
    assert moved["events"] == table.events(player, after=before["version"])


@once
def test_a_list_of_orders_is_all_or_nothing(api):
    table = three(api)
    before = api.kept()
    table.post(table.awaited, "moves", {"text": "place 1 1\nplace 1 1\nend"}).refused(422, "already-placed")
    assert api.kept() == before


@once
def test_i17_a_dry_run_says_what_would_happen_and_records_nothing(api):
    table = three(api)
    player, before, position = table.awaited, api.kept(), table.position(table.awaited)
    answer = table.post(player, "moves?dry_run=1", {"text": "place 1 1\nend"}).ok()
    assert answer.json["dry_run"] is True
    assert (answer.json["version"], answer.json["hash"]) == (position["version"], position["hash"])
    assert answer.headers["ETag"] == f'"{position["version"]}"'
    assert all(set(event) == {"type", "actor", "data"} for event in answer.json["events"])
    assert answer.json["game"]["state"]["wards"]["1"]["bosses"] != position["state"]["wards"]["1"]["bosses"]
    assert api.kept() == before
    assert table.position(player) == position
    real = table.move(player, "place 1 1", "end").json
    played = [{name: event[name] for name in ("type", "actor", "data")} for event in real["events"]]
    assert list(played[-1]["data"].pop("due")) == [str(table.seated.index(table.awaited))], "when, nobody foresees"
    assert answer.json["events"] == played[: len(answer.json["events"])]


@once
def test_a_stale_version_is_412_with_what_was_missed(api):
    table = three(api)
    seen, player = table.version, table.awaited
    table.move(player, "place 1 1", "end")
    for who in table.seated:
        answer = table.post(who, "moves", {"text": "end"}, headers={"If-Match": f'"{seen}"'}).refused(412, "stale")
        assert (answer.json["version"], answer.json["hash"]) == (table.version, table.position()["hash"])
        assert answer.headers["ETag"] == f'"{table.version}"'
        assert answer.json["events"] == table.events(who, after=seen)
        dry = table.post(who, "moves?dry_run=1", {"text": "end"}, headers={"If-Match": f'"{seen}"'})
        assert (dry.refused(412, "stale").json, dry.headers["ETag"]) == (answer.json, answer.headers["ETag"])
    ahead = {"If-Match": f'"{table.version + 5}"'}
    answer = table.post(table.awaited, "moves", {"text": "place 1 1\nend"}, headers=ahead).refused(412, "stale")
    assert answer.json["events"] == []
    assert "moved on" not in answer.json["detail"]
    table.post(table.awaited, "moves", {"text": "place 1 1\nend"}, headers={"If-Match": "*"}).ok(201)


# Bids


@once
def test_th14_a_sealed_bid_is_shown_to_its_own_seat_alone_until_it_is_opened(api):
    table = three(api)
    first, *others = table.to_bids()
    ward = table.position()["state"]["ward"]
    colour, count = next(iter(table.purse(first).items()))
    answer = table.post(first, "bids", {"ward": ward, "chips": {colour: count}}).ok(201)
    sealed = next(event for event in answer.json["events"] if event["type"] == "tammany-hall.bid-sealed")
    seat = table.seated.index(first)
    (leaf,) = sealed["sealed"]
    assert set(leaf) == {"for", "commitment", "data", "salt"}
    assert leaf["for"] == seat
    assert leaf["data"] == {"chips": {colour: count}, "text": f"bid ward {ward} {colour} {count}"}
    assert sealed["data"] == {"seat": seat, "ward": ward}
    assert answer.json["game"]["state"]["bidding"]["own"][colour] == count
    for who in [*others, api.player("dan")]:
        event = table.events(who)[sealed["version"] - 1]
        assert event["sealed"] == [{"for": seat, "commitment": leaf["commitment"]}]
        assert event["hash"] == sealed["hash"]
        bidding = table.position(who)["state"]["bidding"]
        assert (bidding["own"], bidding["handed_in"]) == (None, [seat])
        table.get(who, "audit").ok()
    for who in others:
        table.bid(who)
    for who in [*table.seated, api.player("dan")]:
        assert table.events(who)[sealed["version"] - 1]["sealed"] == [leaf]
    revealed = next(event for event in table.events(first) if event["type"] == "tammany-hall.bids-revealed")
    assert revealed["data"]["bids"][str(seat)] == dict.fromkeys(("irish", "english", "german", "italian"), 0) | {
        colour: count
    }


@once
def test_s01_a_past_version_shows_the_bids_that_one_knew_then(api):
    table = three(api)
    made: dict[str, tuple[int, dict[str, int]]] = {}
    for one in table.to_bids():
        colour = next(iter(table.purse(one)))
        made[one.name] = (table.version + 1, {colour: 1})
        table.bid(one, **{colour: 1})
    for who in [*table.seated, api.player("dan")]:
        for bidder, (version, chips) in made.items():
            bidding = table.get(who, query_string={"version": version}).ok().json["state"]["bidding"]
            sealed = table.events(who, after=version - 1, limit=1)[0]["sealed"][0]
            own = {colour: count for colour, count in (bidding["own"] or {}).items() if count}
            known = who.name in made and made[who.name][0] <= version
            assert own == (made[who.name][1] if known else {}), (who.name, bidder)
            assert ("salt" in sealed) == (who.name == bidder), "as it was seen at the version read up to"
            assert not chips or bidding["handed_in"]


@once
def test_a_bid_can_be_replaced_unless_the_table_plays_final_bids(api):
    for option, status in (("replaceable", 201), ("final", 422)):
        table = three(api, options={"sealed-bid": option})
        first, *_ = table.to_bids()
        colour = next(iter(table.purse(first)))
        table.bid(first, **{colour: 1})
        again = table.post(first, "bids", {"chips": {}})
        again.ok(201) if status == 201 else again.refused(422, "already-bid", "TH-17.3")
        own = table.position(first)["state"]["bidding"]["own"]
        assert own[colour] == (0 if status == 201 else 1)


@once
def test_a_bid_is_refused_where_it_does_not_fit(api):
    table = three(api)
    player = table.awaited
    table.post(player, "bids", {"chips": {}}).refused(409, "wrong-phase", "TH-16.1")
    first, *_ = table.to_bids()
    usable = next(iter(table.purse(first)))
    table.post(first, "bids", {"chips": {usable: 99}}).refused(422, "not-enough-chips", "TH-9.8")
    table.post(first, "bids", {"ward": 4, "chips": {}}).refused(422, "wrong-ward", "TH-9.2")
    table.post(api.player("dan"), "bids", {"chips": {}}).refused(403, "not-seated")


# History


def test_events_come_in_pages_with_the_head(api):
    table = three(api)
    table.move(table.awaited, "place 1 1", "end")
    player, version = table.seated[0], table.version
    everything = table.get(player, "events").ok().json
    assert everything["head"] == {"version": version, "hash": table.position()["hash"]}
    assert all(set(event) == EVENT for event in everything["events"])
    assert all(TIME.fullmatch(event["at"]) for event in everything["events"])
    paged: list[Any] = []
    while len(paged) < version:
        answer = table.get(player, "events", query_string={"after": len(paged), "limit": 2}).ok().json
        assert answer["head"] == everything["head"]
        assert 1 <= len(answer["events"]) <= 2
        paged += answer["events"]
    assert paged == everything["events"]
    assert table.get(player, "events", query_string={"after": version}).ok().json["events"] == []
    assert table.get(player, "events", query_string={"after": 10**9, "wait": 0}).ok().json["events"] == []


@once
def test_the_export_is_ndjson_with_an_end_line(api):
    table = three(api)
    answer = table.get(table.seated[0], "events", headers={"Accept": "application/x-ndjson"}).ok()
    assert answer.headers["Content-Type"] == "application/x-ndjson"
    *lines, end = answer.data.splitlines()
    assert [json.loads(line) for line in lines] == table.events(table.seated[0])
    assert json.loads(end) == {"end": {"version": table.version, "hash": table.position()["hash"]}}
    for accept in ("*/*", "application/json", "application/json, application/x-ndjson;q=0.5"):
        as_json = table.get(table.seated[0], "events", headers={"Accept": accept}).ok()
        assert as_json.headers["Content-Type"] == "application/json"


@once
def test_an_audit_says_what_is_verified_and_what_is_still_open(api):
    table = three(api)
    report = table.get(table.seated[0], "audit").ok().json
    assert set(report) == {"game", "version", "hash", "ok", "checks"}
    assert report["ok"] is True
    assert {one["what"]: one["verdict"] for one in report["checks"]} == {
        "chain": "verified",
        "leaves": "open",
        "rules": "verified",
        "draws": "open",
        "clock": "verified",
        "checkpoints": "verified",
    }
    assert all(one["detail"].endswith(".") for one in report["checks"])


def checked_by_the_book(lines: list[bytes]) -> list[dict[str, Any]]:
    """A second opinion on an export: hashlib, hmac and the reference RFC 8785, nothing of ours (T-4C)."""
    *events, end = [json.loads(line) for line in lines]
    previous = "0" * 64
    for version, event in enumerate(events, 1):
        assert rfc8785.dumps(event) == lines[version - 1]
        bare = {name: value for name, value in event.items() if name != "hash"}
        bare["sealed"] = [{"for": leaf["for"], "commitment": leaf["commitment"]} for leaf in event["sealed"]]
        assert event["version"] == version
        assert event["previous"] == previous
        previous = hashlib.sha256(b"wardroom-event-v1\n" + rfc8785.dumps(bare)).hexdigest()
        assert event["hash"] == previous
        for leaf in event["sealed"]:
            if "salt" in leaf:
                plain = b"wardroom-leaf-v1\n" + bytes.fromhex(leaf["salt"]) + rfc8785.dumps(leaf["data"])
                assert leaf["commitment"] == hashlib.sha256(plain).hexdigest()
    assert end == {"end": {"version": len(events), "hash": previous}}
    return events


def first_player_by_the_book(events: list[dict[str, Any]]) -> None:
    """The seed is the one committed to, and gives the first draw (DESIGN 4)."""
    seed = bytes.fromhex(events[-1]["data"]["seed"])
    assert events[0]["data"]["seed_commitment"] == hashlib.sha256(seed).hexdigest()
    nonces = [event["data"]["nonce"] for event in events if event["type"] == "table.seat-taken"]
    key = hmac.digest(seed, rfc8785.dumps(nonces), "sha256")
    drawn = next(event for event in events if event["type"] == "tammany-hall.first-player-drawn")["data"]
    block = hmac.digest(key, f"first-player:{drawn['draw']['index']}:0".encode(), "sha256")
    words = [int.from_bytes(block[at : at + 8], "big") for at in range(0, 32, 8)]
    n = len(nonces)
    assert drawn["result"] == next(word for word in words if word < 2**64 - 2**64 % n) % n


def test_a_whole_game_is_played_by_random_legal_actions_and_verifies(api):
    table = three(api, options={"ward-bonus": "mandatory"})
    watcher, secrets = api.player("dan"), 0
    for player, text, answer in table.play_out(seed=20261120):
        seat = table.seated.index(player)
        assert answer.json["game"]["hash"] == answer.json["hash"]
        mine = [event for event in answer.json["events"] if event["actor"] == {"seat": seat}]
        told = [event["data"].get("text") or event["sealed"][0]["data"]["text"] for event in mine if said(event)]
        assert text in told
        if text.startswith("bid"):
            secrets += 1
            assert all("text" not in event["data"] for event in mine if event["type"].endswith("bid-sealed"))
        if secrets % 9 == 1:
            report = table.get(watcher, "audit").ok().json
            assert report["ok"], report
    assert secrets > 20
    game = table.position()
    assert game["status"] == "finished"
    assert game["awaiting"] == []
    assert math.isclose(sum(seat["vp"] for seat in game["state"]["seats"]), sum(final_scores(table)))
    exports = [table.export(who) for who in [*table.seated, watcher]]
    assert all(lines == exports[0] for lines in exports)
    events = checked_by_the_book(exports[0])
    first_player_by_the_book(events)
    assert all("salt" in leaf for event in events for leaf in event["sealed"])
    report = audit(exports[0])
    assert report.ok, report.checks
    assert {what: verdict for what, verdict, _ in report.checks}.items() >= {
        "chain": "verified", "leaves": "verified", "rules": "verified", "draws": "verified",
    }.items()  # fmt: skip
    served = table.get(watcher, "audit").ok().json
    *checks, signed = [(one["what"], one["verdict"], one["detail"]) for one in served["checks"]]
    assert checks == report.checks
    assert signed[:2] == ("checkpoints", "verified"), "which no export tells of"
    table.post(table.seated[0], "moves", {"text": "end"}).refused(409, "game-over")
    table.post(table.seated[0], "bids", {"chips": {}}).refused(409, "game-over")
    assert table.legal(table.seated[0]) == []


def said(event: dict[str, Any]) -> bool:
    return "text" in event["data"] or any("text" in leaf.get("data", {}) for leaf in event["sealed"])


def final_scores(table: ApiTable) -> list[int]:
    finished = next(event for event in table.events(table.seated[0]) if event["type"] == "table.game-finished")
    scores: list[int] = finished["data"]["scores"]
    return scores


@once
def test_an_export_in_the_middle_of_a_game_verifies_redacted(api):
    table = three(api)
    first, *_ = table.to_bids()
    table.bid(first)
    for who in [first, table.seated[-1], api.player("dan")]:
        lines = table.export(who)
        checked_by_the_book(lines)
        report = audit(lines)
        assert report.ok
        assert report.events == table.version


# Headers, on every answer

READS = ["/me", "/me/turns", "/me/tokens", "/games"]
"""`openapi.json` and `rulesets` are public: `test_conditional.py`."""
OF_A_GAME = [
    "", "/checkpoint", "/actions", "/events", "/audit", "/board", "/board.svg", "/board.png", "/diff?from=1", "/story",
    "/statistics", "/analysis",
]  # fmt: skip


def private(answer: Answer) -> None:
    """Q-7, S-26: nothing is kept by caches, sniffed or framed; no cookie is set."""
    assert answer.headers["Cache-Control"] == "private, no-store"
    assert answer.headers["Vary"] == "Authorization, Accept, Cookie, Accept-Encoding"
    assert answer.headers["X-Content-Type-Options"] == "nosniff"
    assert answer.headers["Referrer-Policy"] == "no-referrer"
    assert "frame-ancestors 'none'" in answer.headers["Content-Security-Policy"]
    assert "Set-Cookie" not in answer.headers
    assert "Content-Encoding" not in answer.headers  # T-63


def test_q7_every_answer_is_private_and_never_cached(sqlite_api):
    table = three(sqlite_api)
    paths = [*READS, *(table.path + below for below in OF_A_GAME)]
    for path in [*paths, "//healthz", "//readyz", "//metrics", "/nothing", "/games/none"]:
        private(sqlite_api.get(path, table.seated[0]))
    private(table.post(table.seated[0], "moves", {}))
    private(table.move(table.awaited, "place 1 1", "end"))
    private(sqlite_api.delete("/games", table.seated[0]))


@pytest.mark.parametrize("public", [True, False])
def test_every_path_but_signing_up_and_rulesets_and_what_spectators_read_needs_a_token(sqlite_api, public):
    table = three(sqlite_api, public=True) if public else sqlite_api.open(sqlite_api.player("ann"), public=False)
    document = sqlite_api.get("/openapi.json").ok().json
    tried = 0
    for path, operations in document["paths"].items():
        for method in set(operations) - {"parameters"}:
            target = path.removeprefix(V1).format(
                game=table.id,
                token="t_1",
                slug="tammany-hall",
                message="1",
                hook="w_1",
                delivery="msg_1",
                seat=1,
                player="p_1",
                device="d_1",
            )
            answer = sqlite_api.send(method.upper(), target)
            is_watched = {} in operations[method].get("security", ()) and (public or target == "/games")
            if is_watched or target.split("/")[1] in ("players", "tokens", "rulesets"):
                assert answer.status in (200, 400, 404, 409)
                continue
            answer.refused(401, "unauthorized")
            assert answer.headers["WWW-Authenticate"] == 'Bearer realm="wardroom"'
            tried += 1
    assert tried >= 17 if public else tried >= 30


def test_a_wrong_method_is_405_with_allow(sqlite_api):
    table = three(sqlite_api)
    allowed = {
        "/players": {"POST"}, "/tokens": {"POST"}, "/me": {"GET", "PATCH", "DELETE"},
        "/me/export": {"GET"}, "/me/turns": {"GET"}, "/me/events": {"GET"},
        "/me/tokens": {"GET", "POST", "DELETE"}, "/me/tokens/t_1": {"DELETE"}, "/rulesets": {"GET"},
        "/rulesets/tammany-hall": {"GET"}, "/games": {"GET", "POST"}, table.path: {"GET"},
        f"{table.path}/seats": {"POST"}, f"{table.path}/seats/me": {"DELETE"}, f"{table.path}/start": {"POST"},
        f"{table.path}/actions": {"GET"}, f"{table.path}/moves": {"POST"}, f"{table.path}/bids": {"POST"},
        f"{table.path}/checkpoint": {"GET"}, "//.well-known/wardroom-keys": {"GET"},
        f"{table.path}/events": {"GET"}, f"{table.path}/audit": {"GET"}, f"{table.path}/board": {"GET"},
        f"{table.path}/board.svg": {"GET"}, f"{table.path}/board.png": {"GET"},
        f"{table.path}/diff": {"GET"}, f"{table.path}/story": {"GET"}, f"{table.path}/statistics": {"GET"},
        f"{table.path}/analysis": {"GET", "POST", "DELETE"},
        "//healthz": {"GET"}, "//readyz": {"GET"}, "//metrics": {"GET"},
    }  # fmt: skip
    before = sqlite_api.kept()
    for path, methods in allowed.items():
        for method in {"GET", "POST", "PUT", "PATCH", "DELETE"} - methods:
            answer = sqlite_api.send(method, path, table.seated[0], json={}).refused(405, "method-not-allowed")
            assert set(answer.headers["Allow"].split(", ")) - {"HEAD", "OPTIONS"} == methods
    assert sqlite_api.kept() == before


def test_head_and_options_change_nothing_and_need_what_get_needs(sqlite_api):
    table = three(sqlite_api)
    private = sqlite_api.open(table.seated[0], public=False)
    before = sqlite_api.kept()
    head = sqlite_api.send("HEAD", table.path, table.seated[0]).ok()
    assert head.data == b""
    assert head.headers["ETag"] == table.get(table.seated[0]).headers["ETag"]
    assert sqlite_api.send("HEAD", f"{table.path}/actions").status == 401
    assert sqlite_api.send("HEAD", private.path).status == 401
    options = sqlite_api.send("OPTIONS", f"{table.path}/moves").ok()
    assert set(options.headers["Allow"].split(", ")) == {"POST", "OPTIONS"}
    assert "Access-Control-Allow-Origin" not in options.headers
    assert sqlite_api.kept() == before


def test_s37_no_host_is_refused_before_anything_is_done(sqlite_api):
    before = sqlite_api.kept()
    for path in ("//nothing", "/games", "//"):
        answer = sqlite_api.send("GET", path, environ_overrides={"HTTP_HOST": ""})
        assert "Host" in answer.refused(400, "no-host").json["detail"]
    assert sqlite_api.kept() == before


# Limits


def test_s29_too_many_requests_are_429_with_retry_after(limited_api):
    api = limited_api
    answers = [api.post("/tokens", None, {"email": "nobody@example.org"}) for _ in range(21)]
    assert {answer.status for answer in answers[:20]} == {202}
    assert 1 <= int(answers[20].refused(429, "too-many-requests").headers["Retry-After"]) <= 61
    assert "Retry-After" not in answers[19].headers
    private(answers[20])


def test_s29_a_mailbox_gets_at_most_five_codes_an_hour(limited_api):
    api = limited_api
    answers = [api.post("/players", None, {"name": "Ann", "email": "ann@example.org"}).ok(202) for _ in range(8)]
    assert len({without_secret(answer) for answer in answers}) == 1
    mailed_code(api)
    assert api.rows()["sign_ins"] == api.rows()["notices"] == 5


# Signs of life


def test_healthz_answers_without_a_database(settings_with, tmp_path):
    with served(settings_with(DATABASE_URL=f"sqlite:///{tmp_path}/none.sqlite")) as api:
        assert api.get("//healthz").ok().json == {"status": "ok"}
        ready = api.get("//readyz").ok(503)
        assert ready.json["status"] == "unready"
        missing = api.get("/games", Player("nobody", "", "wr_x")).refused(503, "unavailable")
        assert int(ready.headers["Retry-After"]) > 0
        assert int(missing.headers["Retry-After"]) > 0
        assert missing.json["detail"] == "The database does not answer. Ask again.", "a read needs no key"
        written = api.post("/tokens", None, {"email": "ann@example.org", "code": "x"}).refused(503, "unavailable")
        assert written.json["detail"].endswith("repeat it with the same Idempotency-Key.")


@once
def test_readyz_wants_a_sweep_and_metrics_count_games(api):
    three(api)
    unready = api.get("//readyz").ok(503).json
    assert {check["what"]: check["ok"] for check in unready["checks"]} == {
        "database": True,
        "disk": True,
        "sweep": False,
        "mail": True,
        "answers": True,
        "bots": True,
    }
    with api.services.database.write() as tx:
        now = api.services.database.clock.now(tx)
        tx.execute(sa.text("INSERT INTO heartbeats (name, at) VALUES ('sweep', :now)"), {"now": now})
    assert api.get("//readyz").ok().json["status"] == "ready"
    metrics = api.get("//metrics").ok()
    assert metrics.headers["Content-Type"].startswith("text/plain")
    assert 'wardroom_games{status="running"} 1.0' in metrics.text
    assert 'wardroom_outbox{state="queued"} 1.0' in metrics.text
    assert "wardroom_inbound_oldest_seconds 0.0" in metrics.text
    assert "wardroom_addresses_stopped 0.0" in metrics.text
