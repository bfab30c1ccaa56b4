"""Checkpoints and keys by HTTP (docs/audit/format.md, sections 8 and 9)."""

import re
from datetime import UTC, datetime, timedelta

import jsonschema
import pytest

from domain.audit.checkpoints import Checkpoint
from domain.audit.signing_keys import key_id
from service.kernel.signing import genuine
from tests.apps import app_of
from tests.service.api.table import Api, ApiTable

KEYS = "//.well-known/wardroom-keys"
HEX = "^[0-9a-f]{%d}$"
TIME = r"^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$"
SHAPE = {
    "type": "object",
    "additionalProperties": False,
    "required": ["keys"],
    "properties": {
        "keys": {
            "type": "array",
            "minItems": 1,
            "items": {
                "type": "object",
                "additionalProperties": False,
                "required": ["endorsement", "id", "public", "since"],
                "properties": {
                    "endorsement": {
                        "type": ["object", "null"],
                        "additionalProperties": False,
                        "required": ["key", "signature"],
                        "properties": {"key": {"pattern": HEX % 16}, "signature": {"pattern": HEX % 128}},
                    },
                    "id": {"pattern": HEX % 16},
                    "public": {"pattern": HEX % 64},
                    "since": {"pattern": TIME},
                },
            },
        }
    },
}


@pytest.fixture
def table(sqlite_api: Api) -> ApiTable:
    return sqlite_api.begin(*sqlite_api.players("ann bob cyd"))


def test_a_checkpoint_is_that_of_the_head_signed_by_a_published_key(api):
    table = api.begin(*api.players("ann bob cyd"))
    table.move(table.awaited, "place 1 1", "end")
    game = table.position()
    one = table.get(table.seated[1], "checkpoint").ok().json
    assert set(one) == {"game", "hash", "key", "receipt", "signature", "time", "version"}
    assert (one["game"], one["version"], one["hash"]) == (game["id"], game["version"], game["hash"])
    checkpoint = Checkpoint(one["game"], one["version"], one["hash"], one["time"])
    assert one["time"] == table.events(table.seated[0])[-1]["at"]
    assert one["receipt"] == checkpoint.receipt()
    (key,) = api.get(KEYS).ok().json["keys"]
    assert one["key"] == key["id"] == key_id(key["public"])
    assert genuine(key["public"], checkpoint.message(), one["signature"])


def test_every_event_has_a_checkpoint_the_same_whenever_it_is_asked_for(table):
    ann = table.seated[0]
    (key,) = table.api.get(KEYS).ok().json["keys"]
    before = [table.get(ann, f"checkpoint?version={n}").ok().json for n in range(1, table.version + 1)]
    table.move(table.awaited, "place 1 1", "end")
    for one, event in zip(before, table.events(ann), strict=False):
        assert (one["version"], one["hash"], one["time"]) == (event["version"], event["hash"], event["at"])
        checkpoint = Checkpoint(one["game"], one["version"], one["hash"], one["time"])
        assert genuine(key["public"], checkpoint.message(), one["signature"])
        assert table.get(ann, f"checkpoint?version={one['version']}").ok().json == one
    assert len({one["receipt"] for one in before}) == len(before)


def test_who_may_not_see_a_game_gets_no_checkpoint_of_it(sqlite_api):
    ann, bob = sqlite_api.players("ann bob")
    private, public = sqlite_api.open(ann, public=False), sqlite_api.open(ann)
    assert private.get(ann, "checkpoint").ok()
    assert public.get(bob, "checkpoint").ok()
    for query in ("", "?version=1", "?version=99"):
        private.get(bob, f"checkpoint{query}").refused(404, "no-such-game")
        sqlite_api.get(f"/games/none/checkpoint{query}", bob).refused(404, "no-such-game")
        sqlite_api.get(f"{private.path}/checkpoint{query}").refused(401, "unauthorized")


def test_a_version_there_is_not_is_told_from_those_there_are(table):
    ann = table.seated[0]
    answer = table.get(ann, f"checkpoint?version={table.version + 1}").refused(404, "no-such-version")
    assert answer.json["detail"] == f"The game has versions 1 to {table.version}."
    for query in ("version=0", "version=x", "version=", "at=1", "version=-1"):
        assert table.get(ann, f"checkpoint?{query}").status == 400


def test_the_keys_are_for_everybody_and_kept_for_minutes(api):
    answer = api.get(KEYS).ok()
    jsonschema.validate(answer.json, SHAPE)
    assert answer.headers["Cache-Control"] == "public, max-age=300"
    assert answer.headers["Content-Type"] == "application/json"
    assert re.fullmatch(r'\{"keys":\[\{"endorsement":null,"id":"\w+","public":"\w+","since":"[^"]+"\}\]\}', answer.text)
    before = api.kept()
    assert api.get(KEYS).data == answer.data, "it was listed when it was asked for first"
    for method in ("POST", "PUT", "DELETE"):
        api.send(method, KEYS, json={}).refused(405, "method-not-allowed")
    assert api.kept() == before
    api.open(api.player("ann"))
    assert api.get(KEYS).data == answer.data, "and signs under that entry"


def test_security_txt_names_the_host_to_whom_a_fault_is_reported(migrated_sqlite, open_services):
    """RFC 9116 2.5: a contact as a URI with https or mailto, and a date of expiry within a year."""
    for contact, line in (
        ("host@games.example", "Contact: mailto:host@games.example"),
        ("https://games.example/contact", "Contact: https://games.example/contact"),
        ("http://games.example/contact", None),
        ("", None),
    ):
        services = open_services(migrated_sqlite, CONTACT=contact, BASE_URL="https://games.example")
        answer = app_of(services).test_client().get("/.well-known/security.txt")
        if line is None:
            assert (answer.status_code, answer.content_type) == (404, "application/problem+json"), contact
            continue
        first, expires, languages, canonical = answer.text.splitlines()
        assert (answer.content_type, first) == ("text/plain; charset=utf-8", line)
        left = datetime.fromisoformat(expires.removeprefix("Expires: ")) - datetime.now(UTC)
        assert timedelta(days=30) < left < timedelta(days=365)
        assert canonical == "Canonical: https://games.example/.well-known/security.txt"
        assert languages == "Preferred-Languages: en, fr, de"
