"""What clients must not send: each gets a problem with a code and a sentence, and nothing changes."""

import base64
import gc
import gzip
import io
import json
import time
import zlib
from typing import Any

import pytest

from tests.service.api.table import Api, ApiTable, Player

pytestmark = pytest.mark.slow  # hundreds of requests, each to a service of its own
OPENING = {"ruleset": "tammany-hall", "seats": 3}
PROFILE = {"name": "Eve", "email": "eve@example.org"}
JSON = {"Content-Type": "application/json"}
BIDI, NUL, SURROGATE = "\u202e", "\x00", "\ud800"


def running(api: Api) -> ApiTable:
    """A public table of three that is running; dan is known, and sits nowhere."""
    table = api.begin(*api.players("ann bob cyd"))
    api.player("dan")
    return table


@pytest.fixture
def table(sqlite_api: Api) -> ApiTable:
    return running(sqlite_api)


@pytest.fixture
def private(table: ApiTable) -> ApiTable:
    """A private table that bob has opened, and that has not started."""
    return table.api.open(table.api.player("bob"), public=False)


def refused(table: ApiTable, answer: Any, before: Any, status: int, code: str, rule: str | None = None) -> None:
    answer.refused(status, code, rule)
    assert len(answer.data) < 20_000
    assert table.api.kept() == before


# Bodies


def deep(levels: int) -> str:
    return "[" * levels + "]" * levels


BODIES: dict[str, tuple[str | bytes, str]] = {
    "nothing at all": ("", "bad-request"),
    "no JSON": ("place 1 1", "bad-json"),
    "half of it": ('{"text": "end"', "bad-json"),
    "brackets that never close": ("[" * 100, "too-deep"),
    "two documents": ("{}{}", "bad-json"),
    "a byte order mark": (b'\xef\xbb\xbf{"text": "end"}', "bad-json"),
    "Latin-1": ('{"text": "é"}'.encode("latin-1"), "bad-json"),
    "UTF-16": ('{"text": "end"}'.encode("utf-16"), "bad-json"),
    "a surrogate in bytes": (b'{"text": "\xed\xa0\x80"}', "bad-json"),
    "a surrogate escaped": (r'{"text": "\ud800"}', "bad-json"),
    "a surrogate as key": (r'{"\udfff": "end"}', "bad-json"),
    "NUL escaped": (r'{"text": "end\u0000"}', "bad-json"),
    "NUL in bytes": ('{"text": "end\x00"}', "bad-json"),
    "a key twice": ('{"text": "end", "text": "place 1 1"}', "bad-json"),
    "a key twice, deep": ('{"actions": [{"type": "end", "type": "place"}]}', "bad-json"),
    "NaN": ('{"text": NaN}', "bad-json"),
    "Infinity": ('{"actions": [{"type": "place", "wards": [-Infinity]}]}', "bad-json"),
    "a float beyond all": ('{"actions": [{"type": "place", "wards": [1e999]}]}', "bad-action"),
    "an integer of 5 000 digits": ('{"actions": [{"type": "place", "wards": [%s]}]}' % ("9" * 5000), "bad-json"),
    "an integer of 4 000 digits": ('{"actions": [{"type": "place", "wards": [%s]}]}' % ("9" * 4000), "unknown-ward"),
    "depth 21": (deep(21), "too-deep"),
    "depth 100 000": (deep(100_000), "too-deep"),
    "depth 20 000 of objects": ('{"a":' * 20_000, "too-deep"),
    "a list": ("[]", "bad-request"),
    "a text": ('"end"', "bad-request"),
    "a number": ("17", "bad-request"),
    "null": ("null", "bad-request"),
    "no field": ("{}", "bad-request"),
    "both fields": ('{"text": "end", "actions": [{"type": "end"}]}', "bad-request"),
    "an unknown field": ('{"text": "end", "seat": 1}', "bad-request"),
    "a number for a text": ('{"text": 17}', "bad-request"),
    "null for a text": ('{"text": null}', "bad-request"),
    "an empty text": ('{"text": ""}', "bad-request"),
    "a text of blanks": ('{"text": " \\n \\t "}', "bad-syntax"),
    "a text of 4 001 letters": (json.dumps({"text": "x" * 4001}), "bad-request"),
    "65 orders in a text": (json.dumps({"text": "end\n" * 65}), "bad-syntax"),
    "words that are none": ('{"text": "plaec 1 1"}', "bad-syntax"),
    "words turned around": (json.dumps({"text": f"place {BIDI}1 1"}), "unknown-ward"),
    "a colour of 3 900 letters": (json.dumps({"text": "office favor " + "x" * 3900}), "unknown-colour"),
    "actions of no type": ('{"actions": [{}]}', "bad-action"),
    "actions of a type that is none": ('{"actions": [{"type": "resign"}]}', "bad-action"),
    "actions of chance": ('{"actions": [{"type": "fill-garden", "result": {}}]}', "bad-action"),
    "an action with a seat": ('{"actions": [{"type": "end", "seat": 1}]}', "bad-action"),
    "a ward that is none": ('{"actions": [{"type": "place", "wards": [12, 1]}]}', "unknown-ward"),
    "a colour that is none": ('{"actions": [{"type": "office-favor", "favor": "green"}]}', "unknown-colour"),
    "a colour that is none, as a key": ('{"actions": [{"type": "bid", "chips": {"green": 1}}]}', "unknown-colour"),
    "an office that is none": ('{"actions": [{"type": "assign", "offices": {"mayor": 1}}]}', "unknown-office"),
    "a ward that is a text": ('{"actions": [{"type": "place", "wards": ["1"]}]}', "bad-action"),
    "three wards": ('{"actions": [{"type": "place", "wards": [1, 1, 1]}]}', "bad-action"),
    "no action": ('{"actions": []}', "bad-request"),
    "an action that is a list": ('{"actions": [["end"]]}', "bad-request"),
    "actions that are one": ('{"actions": {"type": "end"}}', "bad-request"),
    "65 actions": (json.dumps({"actions": [{"type": "end"}] * 65}), "bad-request"),
}


def test_f47_bodies_that_cannot_be_read_are_400(table):
    player, before = table.awaited, table.api.kept()
    for name, (body, code) in BODIES.items():
        for dry in ("", "?dry_run=1"):
            started = time.thread_time()
            answer = table.post(player, "moves" + dry, data=body, headers=JSON)
            assert time.thread_time() - started < 0.5, name
            assert answer.status == 400, (name, answer.text)
            refused(table, answer, before, 400, code)


BOMBS: dict[str, bytes] = {
    "quotes that never close": b'"' + b'\\"' * 100_000,
    "backslashes": b'"' + b"\\" * 200_000,
    "quotes": b'"' * 200_000,
    "keys": b"{" + b",".join(b'"%d":1' % number for number in range(20_000)) + b"}",
    "escaped NULs": b'{"text":"' + rb"\u0000" * 30_000 + b'"}',
    "escaped backslashes": b'{"text":"' + b"\\\\" * 100_000 + rb"\u0041" + b'"}',
    "digits": b'{"text":' + b"1" * 200_000 + b"}",
    "brackets": b"[" * 200_000,
}


@pytest.mark.parametrize("name", BOMBS)
def test_f47_a_bomb_of_a_body_is_refused_within_a_moment(sqlite_api, name):
    table = sqlite_api.open(sqlite_api.player("ann"))
    gc.collect()  # else a collection of all that other tests left behind may fall into the moment
    started = time.thread_time()
    answer = table.post(table.seated[0], "moves", data=BOMBS[name], headers=JSON)
    assert time.thread_time() - started < 0.5
    answer.refused(400, answer.json["code"])


class Gone(io.RawIOBase):
    """A body whose end does not come."""

    def readable(self):
        return True

    def readinto(self, _):
        raise OSError("gone")


def test_s37_a_body_that_stops_coming_is_408(table):
    before, half = table.api.kept(), {"wsgi.input": Gone(), "wsgi.input_terminated": True, "CONTENT_LENGTH": "100"}
    answer = table.api.post("/players", None, headers=JSON, environ_overrides=half)
    refused(table, answer, before, 408, "request-timeout")


def test_f47_a_body_over_the_limit_is_413(table):
    before, limit = table.api.kept(), table.api.services.settings.max_body
    body = json.dumps({"text": "x" * limit})
    for path in ("/games/{game}/moves", "/games/{game}/bids", "/games", "/games/{game}/seats"):
        refused(
            table,
            table.api.post(path.format(game=table.id), table.seated[0], data=body, headers=JSON),
            before,
            413,
            "request-entity-too-large",
        )
    for path in ("/players", "/tokens"):
        refused(table, table.api.post(path, None, data=body, headers=JSON), before, 413, "request-entity-too-large")
    keyed = {"Idempotency-Key": "k", **JSON}
    answer = table.api.post(f"/games/{table.id}/start", table.seated[0], data=body, headers=keyed)
    refused(table, answer, before, 413, "request-entity-too-large")


def test_rfc9110_15_5_16_a_body_in_a_content_coding_is_415_and_says_what_is_read(table):
    before, plain = table.api.kept(), json.dumps({"text": "place 1 1"}).encode()
    bodies = {"gzip": gzip.compress(plain), "GZIP": plain, "deflate": zlib.compress(plain), "br": b"x", "x": plain}
    for coding, body in bodies.items():
        headers = {"Content-Type": "application/json", "Content-Encoding": coding}
        answer = table.post(table.awaited, "moves", data=body, headers=headers)
        refused(table, answer, before, 415, "unsupported-media-type")
        assert answer.headers["Accept-Encoding"] == "identity", coding
    table.post(table.awaited, "moves", {"text": "place 1 1"}, headers={"Content-Encoding": "identity"}).ok(201)


def test_a_body_that_is_no_json_by_its_type_is_415(table):
    before, body = table.api.kept(), json.dumps({"text": "place 1 1"})
    for kind in (
        "text/plain",
        "application/x-www-form-urlencoded",
        "multipart/form-data; boundary=x",
        "application/xml",
        "x",
    ):
        answer = table.post(table.awaited, "moves", data=body, headers={"Content-Type": kind})
        refused(table, answer, before, 415, "unsupported-media-type")
    refused(table, table.post(table.awaited, "moves", data=body), before, 415, "unsupported-media-type")


# Fields of the other bodies

OPENINGS: dict[str, tuple[dict[str, Any], int, str]] = {
    "no ruleset": ({"ruleset": None}, 400, "bad-request"),
    "an unknown ruleset": ({"ruleset": "chess"}, 400, "bad-request"),
    "seats as text": ({"seats": "3"}, 400, "bad-request"),
    "seats as true": ({"seats": True}, 400, "bad-request"),
    "half a seat": ({"seats": 3.5}, 400, "bad-request"),
    "two seats": ({"seats": 2}, 422, "bad-seats"),
    "six seats": ({"seats": 6}, 422, "bad-seats"),
    "no seats": ({"seats": 0}, 422, "bad-bots"),
    "less than none": ({"seats": -3}, 422, "bad-bots"),
    "10**300 seats": ({"seats": 10**300}, 422, "bad-seats"),
    "bots for all seats": ({"bots": 3}, 422, "bad-bots"),
    "negative bots": ({"bots": -1}, 422, "bad-bots"),
    "10**300 bots": ({"bots": 10**300}, 422, "bad-bots"),
    "bots as null": ({"bots": None}, 400, "bad-request"),
    "an unknown option": ({"options": {"cheats": "all"}}, 422, "unknown-option"),
    "an unknown value": ({"options": {"sealed-bid": "open"}}, 422, "bad-option"),
    "an option that is another number": ({"options": {"chip-supply": 36}}, 422, "bad-option"),
    "an option that is half a number": ({"options": {"chip-supply": 2.5}}, 400, "bad-request"),
    "an option that is a truth": ({"options": {"chip-supply": True}}, 400, "bad-request"),
    "options as a list": ({"options": ["final"]}, 400, "bad-request"),
    "public as text": ({"public": "false"}, 400, "bad-request"),
    "public as number": ({"public": 1}, 400, "bad-request"),
    "a short nonce": ({"nonce": "abc"}, 422, "bad-nonce"),
    "a long nonce": ({"nonce": "a" * 65}, 422, "bad-nonce"),
    "a nonce with a newline": ({"nonce": "a" * 16 + "\n"}, 422, "bad-nonce"),
    "a nonce in Greek": ({"nonce": "α" * 16}, 422, "bad-nonce"),
    "a nonce that is a number": ({"nonce": 10**20}, 400, "bad-request"),
    "an invitation without address": ({"invite": ["bob"]}, 400, "bad-request"),
    "an invitation with a header": ({"invite": ["bob@example.org\r\nBcc: eve@example.org"]}, 400, "bad-request"),
    "an invitation of an encoded word": ({"invite": ["=?utf-8?q?=0ABcc=3Aeve?=@example.org"]}, 400, "bad-request"),
    "21 invitations": ({"invite": [f"p{n}@example.org" for n in range(21)]}, 422, "too-many-invitations"),
    "an unknown field": ({"host": "p_0"}, 400, "bad-request"),
    "an unknown field of the clock": ({"clock": {"per_turn": "P1D"}}, 400, "bad-request"),
    "a clock that is a text": ({"clock": "P1D"}, 400, "bad-request"),
    "a move of no time": ({"clock": {"per_move": "PT0S"}}, 422, "bad-clock"),
    "a move of one second": ({"clock": {"per_move": "PT1S"}}, 422, "bad-clock"),
    "a move of a month": ({"clock": {"per_move": "P1M"}}, 422, "bad-clock"),
    "a move of minus a day": ({"clock": {"per_move": "-P1D"}}, 422, "bad-clock"),
    "a move of 999 999 999 weeks": ({"clock": {"per_move": "P999999999W"}}, 422, "bad-clock"),
    "a move of 366 days": ({"clock": {"per_move": "P366D"}}, 422, "bad-clock"),
    "a move of 40 digits": ({"clock": {"per_move": "P" + "9" * 38 + "D"}}, 422, "bad-clock"),
    "a move in words": ({"clock": {"per_move": "three days"}}, 422, "bad-clock"),
    "a move in Arabic digits": ({"clock": {"per_move": "P٣D"}}, 422, "bad-clock"),
    "a move of 10 000 letters": ({"clock": {"per_move": "P" * 10_000}}, 400, "bad-request"),
    "a move as a number": ({"clock": {"per_move": 86400}}, 400, "bad-request"),
    "grace longer than a move": ({"clock": {"per_move": "P1D", "grace": "P2D"}}, 422, "bad-clock"),
    "a reminder before the move": ({"clock": {"per_move": "P1D", "reminders": ["P2D"]}}, 422, "bad-clock"),
    "a reminder twice": ({"clock": {"reminders": ["P1D", "PT24H"]}}, 422, "bad-clock"),
    "six reminders": ({"clock": {"reminders": [f"PT{n}H" for n in range(1, 7)]}}, 422, "bad-clock"),
    "50 000 reminders": ({"clock": {"reminders": ["P1D"] * 25_000}}, 422, "bad-clock"),
    "no strike": ({"clock": {"strikes": 0}}, 422, "bad-clock"),
    "10**18 strikes": ({"clock": {"strikes": 10**18}}, 422, "bad-clock"),
    "strikes as text": ({"clock": {"strikes": "2"}}, 400, "bad-request"),
    "a shrug on timeout": ({"clock": {"on_timeout": "shrug"}}, 400, "bad-request"),
    "a bank of years": ({"clock": {"bank": "P61D"}}, 422, "bad-clock"),
    "weekends twice": ({"clock": {"weekends": "twice"}}, 400, "bad-request"),
    "quiet hours as text": ({"clock": {"quiet_hours": "yes"}}, 400, "bad-request"),
    "a year of leave": ({"clock": {"leave_days": 365}}, 422, "bad-clock"),
}


def test_tables_with_absurd_terms_are_not_opened(table):
    before = table.api.kept()
    for name, (terms, status, code) in OPENINGS.items():
        answer = table.api.post("/games", table.seated[0], OPENING | terms)
        assert answer.status == status, (name, answer.text[:300])
        refused(table, answer, before, status, code)


def test_an_option_may_be_a_number_and_a_fault_is_told_where_it_stands(table):
    opened = table.api.post("/games", table.seated[0], OPENING | {"options": {"chip-supply": 25}}).ok(201)
    assert opened.json["options"]["chip-supply"] == "25"
    answer = table.api.post("/games", table.seated[0], OPENING | {"options": {"chip-supply": ["25"]}})
    assert [fault["pointer"] for fault in answer.json["errors"]] == ["/options/chip-supply"]


NAMES: dict[str, Any] = {
    "empty": "", "blank": "   ", "no letter": "!?", "a newline": "Ann\nBcc: eve@example.org", "CR LF": "Ann\r\nX: y",
    "a tab": "Ann\tBob", "an escape": "Ann\x1b[2J", "bidi": f"Ann{BIDI}bob", "zero width": "A\u200bnn",
    "C1": "Ann\x85", "a line separator": "Ann\u2028Bob", "an encoded word": "=?UTF-8?Q?=0A?=Bcc: evil@example.com",
    "long": "A" * 10_000, "41 letters": "A" * 41, "private use": "A\ue000", "unassigned": "A\U000e0fff",
    "a number": 17, "null": None, "a list": ["Ann"],
}  # fmt: skip
EMAILS: dict[str, Any] = {
    "empty": "", "no at": "ann", "two at": "a@b@c.org", "no domain": "ann@", "no local part": "@example.org",
    "a blank": "ann @example.org", "a newline": "ann@example.org\n", "a header": "ann@example.org\r\nBcc: x@y.org",
    "a name": "Ann <ann@example.org>", "two": "ann@example.org,bob@example.org", "Cyrillic": "аnn@example.org",
    "an encoded word": "=?utf-8?q?=0ABcc=3Ax?=@example.org", "long": "a" * 10_000 + "@example.org",
    "255 letters": "ann@" + "a" * 60 + ".aaaaaaaaa" * 19 + ".a", "bidi": f"ann{BIDI}@example.org", "a number": 17,
    "null": None, "quotes": '"a b"@example.org', "an address": "ann@[127.0.0.1]",
}  # fmt: skip
ZONES: dict[str, Any] = {
    "empty": "", "a path": "../../etc/passwd", "absolute": "/etc/localtime", "unknown": "Europe/Atlantis",
    "long": "A" * 10_000, "a folder": "Europe", "an offset": "+02:00", "null": None, "a number": 2,
}  # fmt: skip


def test_f60_people_with_bad_names_addresses_and_zones_are_not_made(table):
    before = table.api.kept()
    profiles = {"name": NAMES, "email": EMAILS, "timezone": ZONES, "language": {"unknown": "xx", "null": None}}
    for name, values in profiles.items():
        for what, value in values.items():
            answer = table.api.post("/players", None, PROFILE | {name: value})
            assert answer.status == 400, (name, what, answer.text[:300])
            refused(table, answer, before, 400, "bad-request")
            assert [one["pointer"] for one in answer.json["errors"]] == [f"/{name}"], (name, what)
            if name != "email":
                refused(table, table.api.patch("/me", table.seated[0], {name: value}), before, 400, "bad-request")
    for extra in ({"id": "p_1"}, {"mail": False}, {"verified_at": 1}, {"name": "Eve", "Name": "Eve"}):
        refused(table, table.api.post("/players", None, PROFILE | extra), before, 400, "bad-request")
    for changes in ({"email": "new@example.org"}, {"id": "p_1"}, {"mail": "no"}, {"mail": 0}, {"mail": None}):
        refused(table, table.api.patch("/me", table.seated[0], changes), before, 400, "bad-request")


def test_names_people_really_have_are_taken(sqlite_api):
    for number, name in enumerate(["Zoë", "Łukasz", "李雷", "O’Brien", "Jean-Luc", "Анна", "عمر", "Ann =)", "4ever"]):
        sqlite_api.post("/players", None, {"name": name, "email": f"p{number}@example.org"}).ok(202)


def test_codes_that_are_none_are_refused(table):
    before = table.api.kept()
    for code in ("", "x" * 41, "\n", 12345678, ["0"], {"$ne": ""}):
        refused(
            table,
            table.api.post("/tokens", None, {"email": "ann@example.org", "code": code}),
            before,
            400,
            "bad-request",
        )
    for code in ("00000000", "' OR 1=1 --", "é", "\u202e"):
        refused(
            table, table.api.post("/tokens", None, {"email": "ann@example.org", "code": code}), before, 401, "bad-code"
        )


def test_bids_that_cannot_be_read_are_400(api):
    table = running(api)
    first, *_ = table.to_bids()
    before = api.kept()
    bodies: list[tuple[Any, str]] = [
        ({}, "bad-syntax"), ([], "bad-request"), (None, "bad-request"), ({"chips": []}, "bad-syntax"),
        ({"chips": {"irish": "2"}}, "bad-count"), ({"chips": {"irish": -1}}, "bad-count"),
        ({"chips": {"irish": 1.0}}, "bad-count"), ({"chips": {"irish": True}}, "bad-count"),
        ({"chips": {"irish": 10**100}}, "bad-count"), ({"chips": {"blue": 1}}, "unknown-colour"),
        ({"chips": {}, "ward": "1"}, "unknown-ward"), ({"chips": {}, "ward": 12}, "unknown-ward"),
        ({"chips": {}, "seat": 1}, "bad-syntax"), ({"influence": 3}, "bad-syntax"),
    ]  # fmt: skip
    for body, code in bodies:
        answer = table.post(first, "bids", data=json.dumps(body), headers=JSON)
        assert answer.status == 400, (body, answer.text)
        refused(table, answer, before, 400, code)


# Who may do what


def test_s11_a_game_that_is_private_answers_like_one_that_is_not(table, private):
    before, dan = table.api.kept(), table.api.player("dan")
    for method, below in [
        ("GET", ""), ("GET", "?version=1"), ("GET", "/actions"), ("GET", "/board"), ("GET", "/board.svg"),
        ("GET", "/board.png"), ("GET", "/events"), ("GET", "/diff?from=1"), ("GET", "/story"), ("GET", "/statistics"),
        ("GET", "/analysis"), ("POST", "/analysis"), ("DELETE", "/analysis"),
        ("GET", "/audit"), ("POST", "/seats"), ("DELETE", "/seats/me"), ("POST", "/start"), ("POST", "/moves"),
        ("POST", "/bids"), ("POST", "/moves?dry_run=1"), ("POST", "/bids?dry_run=1"),
    ]:  # fmt: skip
        body = {"text": "end"} if "moves" in below else {"chips": {}} if "bids" in below else {}
        for headers in ({}, {"If-Match": '"1"'}):
            answers = [
                table.api.send(method, f"/games/{game}{below}", dan, json=body, headers=headers)
                for game in (private.id, "0123456789", "x", "%00", "%ed%a0%80", "a" * 1000, "%E2%80%AE")
            ]
            assert len({answer.headers.pop("X-Request-Id") for answer in answers}) == len(answers)
            for answer in answers:
                refused(table, answer, before, 404, "no-such-game")
                assert (answer.data, dict(answer.headers)) == (answers[0].data, dict(answers[0].headers))
    assert all(one["id"] != private.id for one in table.api.get("/games", dan).ok().json["items"])


def test_an_invitation_opens_a_private_table_to_its_address_alone(api):
    ann, bob, dan = api.players("ann bob dan")
    table = api.open(ann, public=False, invite=["Bob@Example.org"])
    table.get(bob).ok()
    table.get(dan).refused(404, "no-such-game")
    table.sit(bob)
    table.post(dan, "seats", {}).refused(404, "no-such-game")


def test_other_peoples_seats_are_403_where_one_may_watch(table):
    before, dan = table.api.kept(), table.api.player("dan")
    refused(table, table.get(dan, "actions"), before, 403, "not-seated")
    for dry in ("", "?dry_run=1"):
        refused(table, table.post(dan, f"moves{dry}", {"text": "end"}), before, 403, "not-seated")
        refused(table, table.post(dan, f"bids{dry}", {"chips": {}}), before, 403, "not-seated")
    refused(table, table.post(dan, "start"), before, 403, "not-seated")
    refused(table, table.api.delete(f"{table.path}/seats/me", dan), before, 403, "not-seated")


def test_tokens_that_are_none_are_401(table):
    before, good = table.api.kept(), table.seated[0].token
    for header in (
        "", "Bearer", "Bearer ", good, f"Basic {good}", f"Token {good}", f"Bearer {good}x", f"Bearer {good[:-1]}",
        f"Bearer {good.upper()}", f"Bearer {'x' * 100_000}", "Bearer \x7f", "Bearer wr_é", f"Bearer {good} {good}",
        f"Bearer {good}\x00", "Bearer ' OR 1=1 --", f"Bearer, {good}", "Bearer null",
    ):  # fmt: skip
        answer = table.api.get("/me", headers={"Authorization": header})
        refused(table, answer, before, 401, "unauthorized")
        assert answer.headers["WWW-Authenticate"].startswith("Bearer")
        assert good[3:] not in answer.text
    assert table.api.get("/me", headers={"Authorization": f"bearer {good}"}).ok()
    assert table.api.get(f"/me?access_token={good}").status in (400, 401)


# The rules


def test_illegal_moves_name_the_rule_and_the_time(api):
    table = running(api)
    player = table.awaited
    other = next(one for one in table.seated if one is not player)
    before = api.kept()
    moves: list[tuple[Player, str, int, str, str]] = [
        (player, "end", 422, "must-place-first", "TH-6.6"),
        (player, "place 1 1\nplace 2 2", 422, "already-placed", "TH-6.1"),
        (player, "bid none", 409, "wrong-phase", "TH-16.1"),
        (player, "bonus pass", 409, "wrong-phase", "TH-16.1"),
        (other, "place 1 1", 409, "not-your-turn", "TH-4.2"),
        (player, "slander purple 1 irish", 400, "unknown-player", "TH-1.5"),
        (player, "place 1 1\nend\nplace 1 1", 409, "not-your-turn", "TH-4.2"),
    ]
    for who, text, status, code, rule in moves:
        for dry in ("", "?dry_run=1"):
            answer = table.post(who, f"moves{dry}", {"text": text})
            assert (answer.status, answer.json["code"], answer.json.get("rule")) == (status, code, rule), answer.text
            refused(table, answer, before, status, code, rule)


def test_a_refusal_calls_people_by_their_names(table):
    player = table.awaited
    other = next(each for each in table.seated if each is not player)
    late = table.post(other, "moves", {"text": "place 1 1"}).refused(409, "not-your-turn")
    assert f"{player.name} is taking a turn" in late.json["detail"]
    typed = table.post(player, "moves", {"text": "slander purple 1 irish"}).refused(400, "unknown-player")
    assert "red" in typed.json["detail"], "which pawns there are to type"


def test_th_1_5_a_seat_that_nobody_sits_on_is_the_same_fault_in_json_and_in_words(table):
    before, slander = table.api.kept(), {"type": "slander", "target": 4, "ward": 1, "favor": "irish"}
    answer = table.post(table.awaited, "moves", {"actions": [slander]})
    refused(table, answer, before, 400, "unknown-player", "TH-1.5")


def test_a_table_that_has_not_started_is_409(table, private):
    bob, before = table.api.player("bob"), table.api.kept()
    for dry in ("", "?dry_run=1"):
        refused(table, private.post(bob, f"moves{dry}", {"text": "end"}), before, 409, "not-started")
        refused(table, private.post(bob, f"bids{dry}", {"chips": {}}), before, 409, "not-started")


# Headers and queries


def test_bad_preconditions_are_400(table):
    before, player = table.api.kept(), table.awaited
    for header in (
        "17",
        '"x"',
        '"-1"',
        '"1.0"',
        'W/"17"',
        '""',
        '"x", "y"',
        '"1" "2"',
        '"1",, W"2"',
        '"17.abc"',
        '"9999999999"',
        '"' + "1" * 5000 + '"',
        "\x80",
    ):
        for path in ("moves", "bids", "moves?dry_run=1"):
            body = {"chips": {}} if path == "bids" else {"text": "place 1 1\nend"}
            answer = table.post(player, path, body, headers={"If-Match": header})
            assert answer.status == 400, (header, answer.text)
            refused(table, answer, before, 400, "bad-if-match")


def test_bad_idempotency_keys_are_400(table):
    before, player = table.api.kept(), table.awaited
    for key in ("", " ", "a b", "é", "a" * 129, "\x7f", "\t"):
        headers = {"Idempotency-Key": key}
        answer = table.post(player, "moves", {"text": "place 1 1\nend"}, headers=headers)
        assert answer.status == 400, (key, answer.text)
        refused(table, answer, before, 400, "bad-idempotency-key")
        refused(table, table.api.post("/games", player, OPENING, headers=headers), before, 400, "bad-idempotency-key")


def encoded(value: Any) -> str:
    return base64.urlsafe_b64encode(json.dumps(value).encode()).decode().rstrip("=")


CURSORS = [
    "", "x", "é", "%00", "=" * 8, "!!!!", "a" * 401, encoded(None), encoded(17), encoded([1]), encoded([1, 2, 3]),
    encoded({"a": 1}), encoded(["1", "x"]), encoded([1, 2]), encoded([1.5, "x"]), encoded([10**30, "x"]),
    encoded([-1, "x"]), encoded([True, "x"]), encoded([float("inf"), "x"]), encoded([float("nan"), "x"]),
    encoded([1, "\x00"]), encoded([1, "\ud800"]), encoded([1, "x' OR 1=1 --"]), encoded([[[[]]]]),
    base64.b64encode(b"[" * 250).decode(),
]  # fmt: skip


def test_cursors_that_are_not_ours_are_400(table):
    before = table.api.kept()
    for cursor in CURSORS:
        answer = table.api.get("/games", table.seated[0], query_string={"cursor": cursor})
        assert answer.status == 400, (cursor, answer.text)
        refused(table, answer, before, 400, answer.json["code"])
        assert answer.json["code"] in ("bad-cursor", "bad-request")


QUERIES = {
    "/games": "limit=0 limit=101 limit=-1 limit=x limit= limit=1_0 limit=1.0 limit=%201 limit=٣ limit=1%00 "
    "limit=99999999999999999999 status=none status= mine=maybe mine=2 awaiting=you awaiting= order=id cursor=%00",
    "/games/{game}": "version=0 version=-1 version=x version= version=1e3 version=1000000001 version=null at=1 "
    "version=99999999999999999999999 version=1&at= version=1&at=x version=1&at=1 "
    "version=1&at=2031-03-04 version=1&at=2031-03-04T12:00:00 version=1&at=2031-03-04T12:00:00%2B01:00 "
    "version=1&at=2031-03-32T12:00:00Z version=1&at=2031-03-04T12:00:60Z version=1&at=2031-03-04t12:00:00z "
    "version=1&at=2031-03-04T12:00:00.0000000Z version=1&at=20310304T120000Z",
    "/games/{game}/board": "version=0 version=x seat=1 version=1&at=2031-03-04T12:00:00Z",
    "/games/{game}/board.svg": "version=0 version=x seat=1 width=600",
    "/games/{game}/board.png": "version=0 version=x seat=1 width=600",
    "/games/{game}/events": "after=-1 after=x after= after=9999999999 limit=0 limit=501 wait=61 wait=-1 wait=x since=1",
    "/games/{game}/checkpoint": "version=0 version=x version= seat=1",
    "/games/{game}/actions": "seat=1",
    "/games/{game}/audit": "full=1",
    "/games/{game}/diff": "from= from=0 from=-1 from=x from=1e3 to=2 from=1&to=0 from=1&to=x from=1&since=2",
    "/games/{game}/story": "part=1",
    "/games/{game}/statistics": "format=xls format= table=seats table= seat=1",
    "/games/{game}/analysis": "strength= strength=x strength=-1 strength=1.0 seat=1",
    "/me": "fields=id",
    "/me/turns": "limit=1",
    "/me/tokens": "cursor=x",
    "/rulesets": "q=x",
    "/rulesets/tammany-hall": "lang=de",
}


def test_queries_that_are_unknown_or_bad_are_400(table):
    before = table.api.kept()
    for path, queries in QUERIES.items():
        for query in queries.split():
            answer = table.api.get(f"{path.format(game=table.id)}?{query}", table.seated[0])
            assert answer.status == 400, (path, query, answer.text)
            refused(table, answer, before, 400, answer.json["code"])
    for path in (
        "moves?dry=1",
        "moves?dry_run=maybe",
        "moves?dry_run=",
        "bids?dry_run=2",
        "seats?seat=1",
        "start?force=1",
    ):
        body = {"chips": {}} if path.startswith("bids") else {"text": "end"} if path.startswith("moves") else {}
        refused(
            table,
            table.post(table.seated[0], path, body),
            before,
            400,
            table.post(table.seated[0], path, body).json["code"],
        )


@pytest.mark.parametrize("number", ["-1", "x", "", "1.0", "99999999999999999999", "0"])
def test_a_number_in_a_query_that_is_none_or_out_of_bounds_is_asked_for_in_its_bounds(table, number):
    for query, bounds in (("events?limit", "1 to 500"), ("checkpoint?version", "1 to 1000000000")):
        answer = table.api.get(f"{table.path}/{query}={number}", table.seated[0])
        assert (answer.status, answer.json["errors"][0]["detail"]) == (400, f"Send a whole number from {bounds}.")


def test_a_version_that_never_was_is_404(table):
    before = table.api.kept()
    for version in (table.version + 1, 10**9):
        for path in ("", "checkpoint", "board", "board.svg", "board.png"):
            answer = table.get(table.seated[0], path, query_string={"version": version})
            refused(table, answer, before, 404, "no-such-version")


def test_paths_that_are_none_are_problems_too(table):
    before = table.api.kept()
    for path in (
        "/nothing", "/games/{game}/", "/games/{game}/nothing", "/games/{game}/moves/1", "//nothing", "//api/v2/games",
        "//api/v1", "/me/tokens/", "//%00", "//assets/x/..%2f..%2fapp.py", "//assets/x/../app.py",
    ):  # fmt: skip
        refused(table, table.api.get(path.format(game=table.id), table.seated[0]), before, 404, "not-found")
    for token in ("%00", "x" * 1000, "%F0%9F%92%A9", "t_%00"):
        refused(table, table.api.delete(f"/me/tokens/{token}", table.seated[0]), before, 404, "no-such-token")
    for slug in ("%00", "x" * 1000, "TAMMANY-HALL"):
        refused(table, table.api.get(f"/rulesets/{slug}"), before, 404, "no-such-ruleset")


def test_s37_an_unforeseen_error_is_a_problem_that_tells_nothing(sqlite_api, monkeypatch, caplog):
    table = sqlite_api.begin(*sqlite_api.players("ann bob cyd"))

    def explode(*_: Any, **__: Any) -> None:
        raise RuntimeError("a secret: s3cret")

    monkeypatch.setattr("service.api.games.position", explode)
    answer = table.get(table.seated[0]).refused(500, "unforeseen")
    assert "s3cret" not in answer.text
    assert "s3cret" not in caplog.text
