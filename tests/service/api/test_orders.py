"""Standing orders over the API (DESIGN 8): filed, tried, shown, withdrawn; and nobody else learns what they say."""

from collections.abc import Callable, Iterator
from typing import Any

import jsonschema
import pytest

from domain.audit.verify_history import audit
from tests.service.api.table import Answer, Api, ApiTable, Player
from tests.service.api.test_secrecy import Heard, alike, all_ears, seated
from tests.service.api.twins import Worlds, worlds

__all__ = ["worlds"]
pytestmark = pytest.mark.slow

BALLOT = "ward 1 up to 3 irish english\nothers bid none\nbonus others pass"


def put(table: ApiTable, who: Player, text: str, **more: Any) -> Answer:
    return table.api.send("PUT", f"{table.path}/orders", who, json={"text": text}, **more)


def stands(table: ApiTable, who: Player) -> str:
    return str(table.get(who, "orders").ok().json["text"])


def three(api: Api, **terms: Any) -> ApiTable:
    return api.begin(*api.players("ann bob cyd"), **terms)


def test_orders_are_filed_shown_and_withdrawn(api):
    table = three(api)
    ann = table.seated[0]
    none = table.get(ann, "orders").ok()
    assert none.json["filed"] is none.json["orders"] is None
    assert (none.json["text"], none.json["holds"], none.json["version"]) == ("", False, table.version)
    filed = put(table, ann, "Others bid NONE\nward 1 up to 3 irish english\nBonus others pass").ok()
    assert set(filed.json) == {"version", "hash", "events", "game", "orders"}
    assert filed.headers["ETag"] == f'"{table.version}"'
    assert [event["type"] for event in filed.json["events"]] == ["table.orders-filed"]
    orders = filed.json["orders"]
    assert orders["text"] == f"term 1\n{BALLOT}"
    assert (orders["filed"], orders["holds"], orders["live"]) == (table.version, True, orders["text"])
    assert filed.json["events"][0]["sealed"][0]["data"]["orders"] == orders["orders"], "the seat reads its own leaf"
    assert table.get(ann, "orders").ok().json == orders | {"version": table.version, "hash": filed.json["hash"]}
    gone = api.delete(f"{table.path}/orders", ann).ok()
    assert gone.json["orders"]["filed"] is None
    assert [event["type"] for event in gone.json["events"]] == ["table.orders-dropped"]
    api.delete(f"{table.path}/orders", ann).refused(422, "no-orders")


def test_orders_as_json_are_the_same_as_their_text(sqlite_api):
    table = three(sqlite_api)
    ann, bob, _ = table.seated
    filed = put(table, ann, BALLOT).ok().json["orders"]["orders"]
    schema = sqlite_api.get("/rulesets/tammany-hall").ok().json["orders"]["schema"]
    jsonschema.validate(filed, schema)
    path = f"{table.path}/orders"
    given = {name: value for name, value in filed.items() if name != "term"}
    assert sqlite_api.send("PUT", path, bob, json={"orders": given}).ok().json["orders"]["orders"] == filed
    refused = sqlite_api.send("PUT", path, bob, json={"orders": {"bids": [{"ward": 12, "type": "exactly"}]}})
    assert "/api/v1/rulesets/tammany-hall" in refused.refused(400, "bad-orders").json["detail"]


def test_filing_the_same_orders_again_records_nothing(sqlite_api):
    table = three(sqlite_api)
    ann = table.seated[0]
    put(table, ann, BALLOT).ok()
    before = sqlite_api.kept()
    again = put(table, ann, "bonus others pass\nothers bid none\n\nward 1 up to 3 irish english").ok()
    assert (again.json["events"], again.json["orders"]["text"]) == ([], stands(table, ann))
    assert sqlite_api.kept() == before
    put(table, ann, "others bid none").ok()
    assert stands(table, ann) == "term 1\nothers bid none", "other orders take their place"


@pytest.mark.parametrize(
    "body, code, line",
    [
        ({}, "bad-request", None),
        ({"text": "others bid none", "orders": {}}, "bad-request", None),
        ({"text": ""}, "bad-request", None),
        ({"orders": []}, "bad-request", None),
        ({"text": "others bid none", "seat": 1}, "bad-request", None),
        ({"text": "bid irish 1"}, "bad-syntax", "bid irish 1"),
        ({"text": "Orders  none"}, "bad-syntax", "Orders  none"),
        ({"text": "others bid none\nward 12 bid none"}, "unknown-ward", "ward 12 bid none"),
    ],
)
def test_what_cannot_be_read_changes_nothing(sqlite_api, body, code, line):
    table = three(sqlite_api)
    before = sqlite_api.kept()
    refused = sqlite_api.send("PUT", f"{table.path}/orders", table.seated[0], json=body).refused(400, code)
    assert refused.json.get("line") == line
    assert sqlite_api.kept() == before


def test_who_writes_orders_none_over_the_api_is_told_of_delete(sqlite_api):
    table = three(sqlite_api)
    assert "DELETE" in put(table, table.seated[0], "orders none").refused(400, "bad-syntax").json["detail"]


def test_orders_have_their_place_and_their_time(sqlite_api):
    """403, 404, 409, 412, 422 as on moves."""
    ann, bob, cyd = sqlite_api.players("ann bob cyd")
    dan = sqlite_api.player("dan")
    table = sqlite_api.open(ann)
    put(table, ann, BALLOT).refused(409, "not-started")
    sqlite_api.delete(f"{table.path}/orders", ann).refused(409, "not-started")
    table.sit(bob)
    table.sit(cyd)
    put(table, dan, BALLOT).refused(403, "not-seated")
    table.get(dan, "orders").refused(403, "not-seated")
    sqlite_api.delete(f"{table.path}/orders", dan).refused(403, "not-seated")
    hidden = three(sqlite_api, public=False, invite=["bob@example.org", "cyd@example.org"])
    for method in ("GET", "PUT", "DELETE"):
        more = {"json": {"text": BALLOT}} if method == "PUT" else {}
        sqlite_api.send(method, f"{hidden.path}/orders", dan, **more).refused(404, "no-such-game")
        sqlite_api.send(method, f"{hidden.path}/orders", **more).refused(401, "unauthorized")
    stale = {"If-Match": f'"{table.version - 1}"'}
    assert put(table, ann, BALLOT, headers=stale).refused(412, "stale").json["version"] == table.version
    put(table, ann, "ward 1 bid irish 99").refused(422, "not-enough-chips", "TH-2.1")
    put(table, ann, "term 2\nothers bid none").refused(422, "wrong-term")
    put(table, ann, BALLOT, headers={"If-Match": f'"{table.version}"'}).ok()
    sqlite_api.delete(f"{table.path}/orders", ann, headers=stale).refused(412, "stale")
    assert stands(table, ann)


def test_an_idempotency_key_files_once(sqlite_api):
    table = three(sqlite_api)
    ann = table.seated[0]
    first, second = (put(table, ann, BALLOT, headers={"Idempotency-Key": "k1"}).ok() for _ in range(2))
    assert (second.data, second.headers["Idempotency-Replayed"]) == (first.data, "true")
    put(table, ann, "others bid none", headers={"Idempotency-Key": "k1"}).refused(422, "idempotency-key-reused")
    headers = {"Idempotency-Key": "k2"}
    gone = [sqlite_api.delete(f"{table.path}/orders", ann, headers=headers).ok() for _ in range(2)]
    assert gone[0].data == gone[1].data


def test_s06_a_dry_run_checks_and_shows_and_records_nothing(sqlite_api):
    table = seated(sqlite_api)
    bidder, *_ = table.to_bids()
    before = sqlite_api.kept()
    dry = put(table, bidder, "WARD 1 up 2 irish english german italian", query_string={"dry_run": "1"}).ok()
    assert dry.json["dry_run"] is True
    assert dry.json["orders"]["text"] == "term 1\nward 1 up to 2 irish english german italian"
    assert [event["type"] for event in dry.json["events"]] == [
        "table.orders-filed", "table.orders-followed", "tammany-hall.bid-sealed",
    ]  # fmt: skip
    put(table, bidder, "ward 1 bid irish 99", query_string={"dry_run": "1"}).refused(422, "not-enough-chips")
    put(table, bidder, "nonsense", query_string={"dry_run": "1"}).refused(400, "bad-syntax")
    put(table, sqlite_api.player("dan"), BALLOT, query_string={"dry_run": "1"}).refused(403, "not-seated")
    assert sqlite_api.kept() == before
    assert table.get(bidder, "orders").ok().json["filed"] is None


def test_orders_about_what_is_asked_now_act_at_once(sqlite_api):
    table = seated(sqlite_api)
    bidder, *others = table.to_bids()
    filed = put(table, bidder, BALLOT).ok().json
    assert [event["type"] for event in filed["events"]] == [
        "table.orders-filed", "table.orders-followed", "tammany-hall.bid-sealed",
    ]  # fmt: skip
    assert filed["events"][1]["data"]["filed"] == filed["orders"]["filed"] == filed["events"][0]["version"]
    assert table.seated.index(bidder) not in filed["game"]["awaiting"]
    for one in others:
        put(table, one, BALLOT).ok()
    assert "tammany-hall.bids-revealed" in [event["type"] for event in table.events(bidder)]
    assert audit(iter(table.export(bidder))).ok


def test_orders_that_would_be_dropped_at_once_are_refused(sqlite_api):
    table = seated(sqlite_api)
    bidder, *_ = table.to_bids()
    before = sqlite_api.kept()
    refused = put(table, bidder, "ward 1 bid irish 9")
    assert refused.status == 422
    assert refused.json["code"] in ("not-enough-chips", "colour-not-in-ward"), "whoever was drawn into the ward"
    assert "Your ballot bids" in refused.json["detail"]
    assert sqlite_api.kept() == before


def test_s08_why_orders_were_dropped_is_told_to_their_seat_alone(sqlite_api):
    table = seated(sqlite_api)
    ann, bob, _ = table.seated
    put(table, ann, "ward 1 bid irish 15").ok()
    table.to_bids()
    dropped = {who.name: next(e for e in table.events(who) if e["type"].endswith("dropped")) for who in (ann, bob)}
    assert dropped["bob"]["data"].items() >= {"seat": 0, "reason": "unfit"}.items()
    assert dropped["ann"]["sealed"][0]["data"]["code"] == "not-enough-chips"
    assert "data" not in dropped["bob"]["sealed"][0]
    assert table.get(ann, "orders").ok().json["filed"] is None


def test_nobody_reads_the_orders_of_another(sqlite_api):
    table = three(sqlite_api)
    ann, bob, _ = table.seated
    put(table, ann, BALLOT).ok()
    assert table.get(bob, "orders").ok().json["filed"] is None
    for who in (bob, sqlite_api.player("dan")):
        filed = next(event for event in table.events(who) if event["type"] == "table.orders-filed")
        assert set(filed["sealed"][0]) == {"for", "commitment"}
        assert filed["data"] == {"seat": 0}


@pytest.mark.parametrize("slug", ["tammany-hall", "city-hall"])
def test_a_ruleset_says_what_can_be_ordered_ahead(sqlite_api, slug):
    orders = sqlite_api.get(f"/rulesets/{slug}").ok().json["orders"]
    jsonschema.Draft202012Validator.check_schema(orders["schema"])
    jsonschema.validate({}, orders["schema"])
    for text in orders["verbs"]:
        assert text in orders["help"]


# The twin law (S-02, S-08, T-62)


def told_twice(worlds: Worlds, story: Callable[[ApiTable, int], Iterator[Heard]], secretive: int = 0) -> None:
    """Tell a story in two worlds in which one player orders ahead differently; all others must hear the same."""
    stories = []
    for world in (0, 1):
        with worlds.one() as api:
            table = seated(api)
            knowing = table.seated[secretive]
            stories.append(list(story(table, world)))
    assert len(stories[0]) == len(stories[1])
    for one, other in zip(*stories, strict=True):
        alike(one, other, knowing)


@pytest.mark.slow
def test_s02_nobody_hears_what_orders_say_that_wait(worlds):
    def story(table: ApiTable, world: int) -> Iterator[Heard]:
        put(
            table, table.seated[0], ("others bid none", "ward 5 up to 3 irish german\nkeep 1 irish for ward 7")[world]
        ).ok()
        yield all_ears(table, but=table.seated[0], whole=worlds.whole)
        put(table, table.seated[0], "bonus others pass").ok()
        yield all_ears(table, table.seated[1], table.seated[2], whole=worlds.whole)

    told_twice(worlds, story)


@pytest.mark.slow
def test_s02_nobody_hears_what_orders_bid(worlds):
    def story(table: ApiTable, world: int) -> Iterator[Heard]:
        bidder, *others = table.to_bids()
        assert bidder is table.seated[0]
        colour, count = next(iter(table.purse(bidder).items()))
        put(table, bidder, ("ward 1 bid none", f"ward 1 bid {colour} {count}")[world]).ok()
        yield all_ears(table, others[0], table.api.player("dan"), whole=worlds.whole)
        table.bid(others[0])
        yield all_ears(table, but=bidder, whole=worlds.whole)

    told_twice(worlds, story)


@pytest.mark.slow
def test_s08_nobody_else_hears_what_the_orders_said_that_were_dropped(worlds):
    def story(table: ApiTable, world: int) -> Iterator[Heard]:
        ann = table.seated[0]
        put(table, ann, ("ward 1 bid irish 15", "ward 1 bid irish 15\nward 2 bid none\npass slander")[world]).ok()
        table.to_bids()
        assert table.get(ann, "orders").ok().json["filed"] is None
        yield all_ears(table, but=table.seated[0], whole=worlds.whole)

    told_twice(worlds, story)
