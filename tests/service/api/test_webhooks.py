"""`/me/webhooks`: a program is told; its address and its secret are its owner's alone (S-35, T-6A)."""

import base64
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import jsonschema
import pytest
import sqlalchemy as sa

from service.notify import subscriptions
from service.store.outgoing.deliveries import deliveries
from service.store.outgoing.webhooks import count_pings
from service.store.outgoing.webhooks import webhooks as rows
from tests.service.api.table import Answer, Api, Player, served

once = pytest.mark.parametrize("api", ["sqlite"], indirect=True)
"""No statement of it has a dialect, a lock or a constraint of its own: PostgreSQL need not repeat it."""

pytestmark = pytest.mark.slow

URL = "https://bot.example/turns?key=c4nary"
EVENTS = ["turn", "reminder", "deadline-passed", "game-over", "operator-act"]
FIELDS = {"id", "url", "events", "state", "reason", "failing_since", "old_secret_until", "created_at"}


def register(api: Api, who: Player, url: str = URL, **more: Any) -> dict[str, Any]:
    found: dict[str, Any] = api.post("/me/webhooks", who, {"url": url}, **more).ok(201).json
    return found


def listed(api: Api, who: Player) -> list[dict[str, Any]]:
    answer = api.get("/me/webhooks", who).ok().json
    assert answer["next"] is None
    items: list[dict[str, Any]] = answer["items"]
    return items


def told(api: Api, who: Player, hook: str, **query: Any) -> Answer:
    return api.get(f"/me/webhooks/{hook}/deliveries", who, query_string=query)


# Registering


def test_s35_a_webhook_is_registered_and_its_secret_shown_this_once(api):
    ann = api.player("ann")
    made = register(api, ann)
    assert set(made) == FIELDS | {"secret"}
    assert made["secret"].startswith("whsec_")
    assert len(base64.b64decode(made["secret"][6:], validate=True)) == 32
    secret = made.pop("secret")
    assert made == made | {
        "url": URL,
        "events": EVENTS,
        "state": "on",
        "reason": "",
        "failing_since": None,
        "old_secret_until": None,
    }
    assert listed(api, ann) == [made]
    for path in ("/me/webhooks", f"/me/webhooks/{made['id']}/deliveries", "/me"):
        assert secret not in api.get(path, ann).ok().text


@once
def test_registering_sends_nothing(api):
    made = register(api, api.player("ann"))
    assert told(api, api.player("ann"), made["id"]).ok().json == {"items": [], "next": None}


@once
def test_the_same_request_twice_makes_one_webhook_and_shows_one_secret(api):
    ann = api.player("ann")
    one, two = (register(api, ann, headers={"Idempotency-Key": "k1"}) for _ in range(2))
    assert one == two
    assert len(listed(api, ann)) == 1


def test_an_address_that_is_registered_already_is_refused(api):
    ann, bob = api.players("ann bob")
    register(api, ann)
    before = api.kept()
    api.post("/me/webhooks", ann, {"url": URL}).refused(422, "webhook-exists")
    assert api.kept() == before
    register(api, bob)


@once
def test_s29_five_webhooks_are_enough(api):
    ann = api.player("ann")
    made = [register(api, ann, f"https://bot{n}.example/") for n in range(5)]
    before = api.kept()
    api.post("/me/webhooks", ann, {"url": URL}).refused(422, "too-many-webhooks")
    assert api.kept() == before
    api.delete(f"/me/webhooks/{made[0]['id']}", ann).ok(204)
    register(api, ann)
    assert [one["url"] for one in listed(api, ann)] == [*(f"https://bot{n}.example/" for n in range(1, 5)), URL]


def test_requests_that_meet_do_not_make_six(api):
    ann = api.player("ann")
    urls = [f"https://bot{n}.example/" for n in range(12)]
    with ThreadPoolExecutor(6) as threads:
        answers = list(threads.map(lambda url: api.post("/me/webhooks", ann, {"url": url}).status, urls))
    assert sorted(answers) == [201] * 5 + [422] * 7
    assert len(listed(api, ann)) == 5


@pytest.mark.parametrize(
    "url",
    [
        "http://bot.example/", "https://localhost./", "https://2130706433/", "https://0x7f.1/", "https://127.0.0.1/",
        "https://[::ffff:10.0.0.1]/", "https://u:p@bot.example/", "https://bot.example/#x", "https://bot.example:25/",
        "https://bot.example/" + "x" * 500, "", "bot.example", "https://169.254.169.254/latest/meta-data/",
    ],
)  # fmt: skip
def test_t67_an_address_that_cannot_be_told_is_refused_and_not_repeated(sqlite_api, url):
    before = sqlite_api.kept()
    answer = sqlite_api.post("/me/webhooks", sqlite_api.player("ann"), {"url": url})
    answer.refused(422, "bad-webhook-url")
    assert len(url) < 12 or url not in answer.text
    assert sqlite_api.kept()[0] == before[0] | {"players": 1, "tokens": 1}


@pytest.mark.parametrize(
    "body",
    [
        {},
        {"url": None},
        {"url": 7},
        {"url": [URL]},
        {"url": URL, "state": "off"},
        {"url": URL, "player_id": "p_1"},
        {"url": URL, "events": []},
        {"url": URL, "events": ["ping"]},
        {"url": URL, "events": "turn"},
        {"url": URL, "events": None},
    ],
)
def test_t6a_what_is_no_webhook_is_400(sqlite_api, body):
    ann = sqlite_api.player("ann")
    before = sqlite_api.kept()
    assert sqlite_api.post("/me/webhooks", ann, body).status == 400
    assert sqlite_api.kept() == before


def test_where_webhooks_are_off_none_is_made_or_tested_and_old_ones_can_be_deleted(sqlite_copy, settings_with):
    with served(settings_with(DATABASE_URL=sqlite_copy)) as api:
        ann = api.player("ann")
        hook = register(api, ann)["id"]
    with served(settings_with(DATABASE_URL=sqlite_copy, WEBHOOKS="off")) as api:
        api.post("/me/webhooks", ann, {"url": "https://other.example/"}).refused(422, "webhooks-off")
        api.post(f"/me/webhooks/{hook}/test", ann).refused(422, "webhooks-off")
        assert [one["id"] for one in listed(api, ann)] == [hook]
        api.delete(f"/me/webhooks/{hook}", ann).ok(204)
        assert listed(api, ann) == []


def test_a_program_on_this_machine_is_told_where_the_host_allows_it(sqlite_copy, settings_with):
    with served(settings_with(DATABASE_URL=sqlite_copy, WEBHOOK_HOSTS="127.0.0.1:9000")) as api:
        ann = api.player("ann")
        register(api, ann, "http://127.0.0.1:9000/turns")
        api.post("/me/webhooks", ann, {"url": "http://127.0.0.1:9001/"}).refused(422, "bad-webhook-url")


# Whose it is


@once
@pytest.mark.parametrize("hook", ["theirs", "w_nobody", "%00", "x" * 1000, "%F0%9F%92%A9"])
def test_t6a_another_ones_webhook_and_none_are_answered_alike(api, hook):
    ann, bob = api.players("ann bob")
    hook = register(api, bob)["id"] if hook == "theirs" else hook
    before = api.kept()
    path = f"/me/webhooks/{hook}"
    answers = [
        api.delete(path, ann),
        api.patch(path, ann, {"events": ["turn"]}),
        api.post(f"{path}/deliveries/msg_1/replay", ann),
        api.post(f"{path}/secret", ann),
        api.post(f"{path}/test", ann),
        api.get(f"{path}/deliveries", ann),
    ]
    for answer in answers:
        answer.refused(404, "no-such-webhook")
    assert len({answer.data for answer in answers}) == 1
    assert api.kept() == before
    assert listed(api, ann) == []


def test_s30_the_address_and_the_secret_are_sealed(sqlite_api):
    made = register(sqlite_api, sqlite_api.player("ann"))
    with sqlite_api.services.database.read() as connection:
        (row,) = connection.execute(sa.select(rows)).all()
    plain = base64.b64decode(made["secret"][6:])
    for value in row:
        stored = value if isinstance(value, bytes) else str(value).encode()
        assert not any(secret in stored for secret in (b"c4nary", b"bot.example", plain, made["secret"].encode()))


# What it is told


def turn_of(api: Api, who: Player, *others: Player) -> str:
    """A new game in which it is somebody's turn."""
    table = api.begin(who, *others)
    while table.awaited is not who:
        table.move(table.awaited, "place 1 1", "end")
    return table.id


def test_s35_a_webhook_is_told_the_events_it_chose_and_no_others(api):
    ann, bob, cyd = api.players("ann bob cyd")
    everything = register(api, ann)["id"]
    made = api.post("/me/webhooks", ann, {"url": "https://end.example/", "events": ["game-over", "reminder"]}).ok(201)
    few = made.json["id"]
    assert made.json["events"] == ["reminder", "game-over"]
    assert [hook["events"] for hook in listed(api, ann)] == [EVENTS, ["reminder", "game-over"]]
    first = turn_of(api, ann, bob, cyd)
    changed = api.patch(f"/me/webhooks/{few}", ann, {"events": ["turn"]}).ok().json
    assert changed == listed(api, ann)[1]
    assert changed["events"] == ["turn"]
    second = turn_of(api, ann, bob, cyd)
    assert [item["game"] for item in told(api, ann, everything).json["items"]] == [second, first]
    assert [item["game"] for item in told(api, ann, few).json["items"]] == [second]
    api.post(f"/me/webhooks/{few}/test", ann).ok(202)
    assert told(api, ann, few).json["items"][0]["type"] == "ping", "a ping was asked for"
    assert api.patch(f"/me/webhooks/{few}", ann, {"events": EVENTS[::-1]}).ok().json["events"] == EVENTS
    for wrong in ({}, {"events": []}, {"events": ["talk"]}, {"events": ["turn"], "url": URL}):
        assert api.patch(f"/me/webhooks/{few}", ann, wrong).status == 400


# A new secret


def test_s35_a_new_secret_is_shown_once_and_the_old_one_signs_for_a_day(api):
    ann = api.player("ann")
    made = register(api, ann)
    answer = api.post(f"/me/webhooks/{made['id']}/secret", ann).ok().json
    assert set(answer) == {"secret", "old_secret_until"}
    assert answer["secret"].startswith("whsec_")
    assert answer["secret"] != made["secret"]
    (hook,) = listed(api, ann)
    assert hook["old_secret_until"] == answer["old_secret_until"] > made["created_at"]
    with api.services.database.read() as connection:
        row = dict(connection.execute(sa.select(rows)).mappings().one())
    kept = subscriptions.open_kept(api.services, row["id"], row["sealed"])
    assert (kept.url, subscriptions.secret_text(kept.secret), subscriptions.secret_text(kept.old or b"")) == (
        URL, answer["secret"], made["secret"],
    )  # fmt: skip
    assert row["old_until"] - row["created_at"] >= subscriptions.DAY


# Tests and deliveries


@once
def test_a_test_is_a_message_on_its_way(api):
    ann = api.player("ann")
    hook = register(api, ann)["id"]
    ping = api.post(f"/me/webhooks/{hook}/test", ann).ok(202).json["id"]
    (item,) = told(api, ann, hook).ok().json["items"]
    assert item == {
        "id": ping,
        "type": "ping",
        "game": None,
        "state": "queued",
        "reason": "",
        "created_at": item["created_at"],
        "next_attempt_at": item["created_at"],
        "attempts": [],
    }


def test_s29_ten_tests_an_hour_are_enough_however_often_the_webhook_is_made_anew(limited_api):
    api = limited_api
    ann, bob = api.players("ann bob")
    for _ in range(10):
        hook = register(api, ann)["id"]
        api.post(f"/me/webhooks/{hook}/test", ann).ok(202)
        with api.services.database.write() as tx:
            tx.execute(sa.update(deliveries).values(state="sent"))
        api.delete(f"/me/webhooks/{hook}", ann).ok(204)
    hook = register(api, ann)["id"]
    api.post(f"/me/webhooks/{hook}/test", ann).refused(422, "too-many-tests")
    api.post(f"/me/webhooks/{register(api, bob)['id']}/test", bob).ok(202)
    with api.services.database.write() as tx:
        tx.execute(sa.update(deliveries).values(created_at=deliveries.c.created_at - subscriptions.HOUR))
    api.post(f"/me/webhooks/{hook}/test", ann).ok(202)


def test_what_was_told_is_listed_newest_first_with_every_attempt(api):
    ann, bob, cyd = api.players("ann bob cyd")
    hook = register(api, ann)["id"]
    table = api.begin(ann, bob, cyd)
    while table.awaited is not ann:
        table.move(table.awaited, "place 1 1", "end")
    api.post(f"/me/webhooks/{hook}/test", ann).ok(202)
    log = b'[{"at":1800000000000000,"status":null,"error":"no answer within 5 seconds","milliseconds":5003}]'.decode()
    with api.services.database.write() as tx:
        turns = sa.update(deliveries).where(deliveries.c.kind == "your-turn")
        tx.execute(turns.values(state="failed", reason="it answered 500", log=log))
    ping, turn = told(api, ann, hook).ok().json["items"]
    assert (ping["type"], turn["type"], turn["game"]) == ("ping", "turn", table.id)
    assert (turn["state"], turn["reason"], turn["next_attempt_at"]) == ("failed", "it answered 500", None)
    assert turn["attempts"] == [
        {
            "at": "2027-01-15T08:00:00.000000Z",
            "status": None,
            "error": "no answer within 5 seconds",
            "milliseconds": 5003,
        }
    ]


def test_deliveries_come_in_pages(api):
    ann = api.player("ann")
    hook = register(api, ann)["id"]
    pings = [api.post(f"/me/webhooks/{hook}/test", ann).ok(202).json["id"] for _ in range(5)]
    seen, query = [], {"limit": 2}
    while True:
        answer = told(api, ann, hook, **query).ok()
        seen += [item["id"] for item in answer.json["items"]]
        if answer.json["next"] is None:
            assert "Link" not in answer.headers
            break
        assert answer.headers["Link"].endswith('; rel="next"')
        query["cursor"] = answer.json["next"]
    assert seen == pings[::-1]
    assert len(told(api, ann, hook, limit=5).ok().json["items"]) == 5
    assert told(api, ann, hook, limit=5).json["next"] is None


@pytest.mark.parametrize("query", "limit=0 limit=101 limit=x cursor=x cursor= cursor=LTE cursor=WzFd before=1".split())
def test_a_page_that_is_none_is_400(sqlite_api, query):
    ann = sqlite_api.player("ann")
    hook = register(sqlite_api, ann)["id"]
    assert sqlite_api.get(f"/me/webhooks/{hook}/deliveries?cursor=MQ", ann).status == 200
    assert sqlite_api.get(f"/me/webhooks/{hook}/deliveries?{query}", ann).status == 400


def test_deleting_a_webhook_drops_what_waits(api):
    ann = api.player("ann")
    hook, other = register(api, ann)["id"], register(api, ann, "https://other.example/")["id"]
    for one in (hook, other):
        api.post(f"/me/webhooks/{one}/test", ann).ok(202)
    assert api.delete(f"/me/webhooks/{hook}", ann).ok(204).data == b""
    api.delete(f"/me/webhooks/{hook}", ann).refused(404, "no-such-webhook")
    told(api, ann, hook).refused(404, "no-such-webhook")
    with api.services.database.read() as connection:
        left = connection.execute(sa.select(deliveries.c.target)).scalars().all()
    assert left == [other]


def test_the_description_of_webhooks_is_true(sqlite_api):
    ann, bob, cyd = sqlite_api.players("ann bob cyd")
    made = register(sqlite_api, ann)
    path = f"/me/webhooks/{made['id']}"
    sqlite_api.begin(ann, bob, cyd)
    sent = {
        "NewWebhook": made,
        "Ping": sqlite_api.post(f"{path}/test", ann).ok(202).json,
        "NewSecret": sqlite_api.post(f"{path}/secret", ann).ok().json,
        "Webhooks": sqlite_api.get("/me/webhooks", ann).ok().json,
        "Deliveries": told(sqlite_api, ann, made["id"]).ok().json,
    }
    described = sqlite_api.get("/openapi.json").ok().json
    for name, document in sent.items():
        jsonschema.Draft202012Validator({**described, "$ref": f"#/components/schemas/{name}"}).validate(document)


# Sent again


def settle(api: Api, **values: Any) -> None:
    """All messages are settled, sent unless said otherwise."""
    with api.services.database.write() as tx:
        tx.execute(
            sa.update(deliveries).values(**{"state": "sent", "attempts": 1, "done_at": 1, "body": "{}", **values})
        )


def test_s35_a_past_message_is_sent_again_under_its_id(api):
    ann = api.player("ann")
    hook = register(api, ann)["id"]
    ping = api.post(f"/me/webhooks/{hook}/test", ann).ok(202).json["id"]
    path = f"/me/webhooks/{hook}/deliveries/{ping}/replay"
    api.post(path, ann).refused(409, "delivery-waits")
    settle(api)
    with api.services.database.read() as connection:
        assert [count_pings(connection, player, 0) for player in (ann.id, "")] == [1, 0]
    assert api.post(path, ann).ok(202).json == {"id": ping}
    (item,) = told(api, ann, hook).ok().json["items"]
    assert (item["id"], item["state"]) == (ping, "queued")
    api.post(path, ann).refused(409, "delivery-waits")
    api.post(path.replace(ping, "msg_0"), ann).refused(404, "no-such-delivery")
    settle(api, body=None, state="superseded")
    api.post(path, ann).refused(410, "delivery-not-kept")
    with api.services.database.write() as tx:
        tx.execute(sa.update(rows).values(state="off"))
    api.post(path, ann).refused(409, "webhook-is-off")


def test_s29_sixty_messages_an_hour_are_sent_again_and_each_once_in_ten_minutes(limited_api, monkeypatch):
    monkeypatch.setattr(subscriptions, "MOST_REPLAYS", 2)
    api, ann = limited_api, limited_api.player("ann")
    hook = register(api, ann)["id"]
    pings = [api.post(f"/me/webhooks/{hook}/test", ann).ok(202).json["id"] for _ in range(3)]
    paths = [f"/me/webhooks/{hook}/deliveries/{ping}/replay" for ping in pings]
    settle(api)
    api.post(paths[0], ann).ok(202)
    settle(api)
    api.post(paths[0], ann).refused(422, "too-many-replays")
    api.post(paths[1], ann).ok(202)
    api.post(paths[2], ann).refused(422, "too-many-replays")
    settle(api, replayed_at=deliveries.c.replayed_at - subscriptions.HOUR)
    api.post(paths[0], ann).ok(202)
