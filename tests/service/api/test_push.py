"""`/me/push`: a browser is called; its address and keys are taken with care, and are its owner's alone (T-67)."""

import pytest

from service.accounts import people
from service.kernel.vapid import from_text
from service.notify.devices import MOST
from tests.service.api.table import Player
from tests.workers.push.browser_keys import BrowserKeys, b64

once = pytest.mark.parametrize("api", ["sqlite"], indirect=True)
URL = "https://push.example/p/c4nary"


def subscription(url=URL, **more):
    return {**BrowserKeys().document(url), **more}


def enter(api, who, url=URL, **more):
    return api.post("/me/push", who, subscription(url, **more)).ok(201).json


def listed(api, who):
    return api.get("/me/push", who).ok().json["items"]


def test_a_browser_is_entered_shown_and_ended(api):
    ann = api.player("ann")
    made = enter(api, ann, label="Firefox on Android")
    assert made == {
        "id": made["id"], "label": "Firefox on Android", "host": "push.example", "created_at": made["created_at"],
        "called_at": None, "reason": "",
    }  # fmt: skip
    answer = api.get("/me/push", ann).ok()
    assert answer.json["items"] == [made]
    assert len(from_text(answer.json["key"])) == 65, "a browser subscribes with it"
    assert "c4nary" not in answer.text, "its address is a capability"
    api.delete(f"/me/push/{made['id']}", ann).ok(204)
    assert listed(api, ann) == []
    api.delete(f"/me/push/{made['id']}", ann).refused(404, "no-such-device")


@once
def test_the_same_browser_entered_again_is_one_device(api):
    ann = api.player("ann")
    first, second = enter(api, ann), enter(api, ann, label="renamed")
    assert (first["id"], second["label"]) == (second["id"], "renamed")
    assert len(listed(api, ann)) == 1


@once
def test_whoever_uses_a_browser_now_is_called_there_and_nobody_else(api):
    ann, bob = api.players("ann bob")
    enter(api, ann)
    enter(api, bob)
    assert (listed(api, ann), len(listed(api, bob))) == ([], 1)


@once
def test_nobody_sees_tests_or_ends_the_devices_of_others(api):
    ann, bob = api.players("ann bob")
    device = enter(api, ann)["id"]
    api.post(f"/me/push/{device}/test", bob).refused(404, "no-such-device")
    api.delete(f"/me/push/{device}", bob).refused(404, "no-such-device")
    api.delete("/me/push", bob).ok(204)
    assert len(listed(api, ann)) == 1
    api.post(f"/me/push/{device}/test", ann).ok(204)
    api.delete("/me/push", ann).ok(204)
    assert listed(api, ann) == []


def test_a_device_lasts_as_long_as_the_token_it_was_entered_with(api):
    ann = api.player("ann")
    enter(api, ann)
    with api.services.database.write() as tx:
        other = people.token_for(api.services, tx, f"ann@{api.domain}", None)
        ended = people.who(tx, ann.token)
        people.end_tokens(tx, ann.id, ended.token)
    assert listed(api, Player("ann", ann.id, other)) == []


@once
def test_only_so_many_devices_are_called(api):
    ann = api.player("ann")
    for number in range(MOST):
        enter(api, ann, f"https://push.example/{number}")
    api.post("/me/push", ann, subscription("https://push.example/more")).refused(422, "too-many-devices")
    enter(api, ann, "https://push.example/0")


@once
@pytest.mark.parametrize(
    "url",
    [
        "http://push.example/p", "https://127.0.0.1/p", "https://10.1.2.3/p", "https://[::1]/p", "https://localhost/p",
        "https://169.254.169.254/latest", "https://push.example:22/p", "https://u:p@push.example/p", "ftp://push.example",
        "https://push.example/#x", "https://2130706433/p", "", "https://push.example/" + "p" * 1000,
    ],
)  # fmt: skip
def test_t67_an_address_inside_is_no_push_service(api, url):
    api.post("/me/push", api.player("ann"), subscription(url)).refused(422, "bad-push-address")
    assert listed(api, api.player("ann")) == []


GOOD = BrowserKeys()


@once
@pytest.mark.parametrize(
    "keys",
    [
        {"p256dh": b64(GOOD.public[:-1] + bytes([GOOD.public[-1] ^ 1]))}, {"p256dh": b64(GOOD.public[:33])},
        {"p256dh": b64(b"\x02" + GOOD.public[1:33])}, {"p256dh": ""}, {"p256dh": "é!"}, {"p256dh": b64(bytes(65))},
        {"p256dh": b64(b"\x00")}, {"auth": b64(bytes(15))}, {"auth": b64(bytes(17))}, {"auth": "?"}, {"auth": ""},
    ],
)  # fmt: skip
def test_keys_are_a_point_on_p256_and_16_bytes(api, keys):
    wanted = GOOD.document(URL)
    wanted["keys"] |= keys
    api.post("/me/push", api.player("ann"), wanted).refused(422, "bad-push-keys")


@once
def test_what_is_no_subscription_is_refused(api):
    ann = api.player("ann")
    for wrong in ({}, {"endpoint": URL}, {**subscription(), "more": 1}, {**subscription(), "keys": {"auth": "x"}}):
        api.post("/me/push", ann, wrong).refused(400, "bad-request")
    api.get("/me/push").refused(401, "unauthorized")


@once
def test_each_person_says_how_they_are_told(api):
    ann = api.player("ann")
    assert [api.get("/me", ann).ok().json[f"tell_{name}"] for name in ("urgent", "normal", "news")] == [
        "both", "both", "mail",
    ]  # fmt: skip
    api.patch("/me", ann, {"tell_urgent": "push", "tell_news": "both"}).ok()
    assert api.get("/me", ann).ok().json["tell_urgent"] == "push"
    api.patch("/me", ann, {"tell_urgent": "sms"}).refused(400, "bad-request")


@once
def test_s50_access_and_erasure_know_of_devices(api):
    ann = api.player("ann")
    enter(api, ann, label="Firefox on Android")
    document = api.get("/me/export", ann).ok().json
    (device,) = document["devices"]
    assert (device["label"], device["host"]) == ("Firefox on Android", "push.example")
    assert document["calls"] == []
