"""Who may see a private table, and how many tables may wait for their start (S-11, RATE-09)."""

from collections.abc import Callable, Iterator

import pytest

from config.settings import Settings
from tests.service.api.table import Api, ApiTable, Player, served

READS = ["", "actions", "board", "board.svg", "clock", "events", "audit", "story", "bundle", "checkpoint", "?version=1"]


def private(api: Api, *guests: Player, seats: int = 3) -> ApiTable:
    invite = [f"{guest.name}@example.org" for guest in guests]
    return api.open(api.player("ann"), seats=seats, public=False, invite=invite)


def sees(table: ApiTable, who: Player) -> set[int]:
    paths = [f"{table.path}{read}" if read.startswith("?") else f"{table.path}/{read}".rstrip("/") for read in READS]
    return {table.api.get(path, who).status for path in paths}


# Private tables


@pytest.mark.slow
def test_s11_who_left_a_private_table_before_its_start_sees_it_no_more(api):
    bob, cyd, dan, stranger = api.players("bob cyd dan eve")
    table = private(api, bob, cyd, dan)
    table.sit(bob)
    left = api.delete(f"{table.path}/seats/me", bob).ok()
    assert left.json["seats"][1]["status"] == "empty", "the answer tells what was done"
    assert sees(table, bob) == {404}
    table.sit(cyd)
    table.sit(dan)
    assert table.position()["status"] == "running"
    assert sees(table, bob) == {404}
    for method, below in (("GET", ""), ("POST", "/seats"), ("POST", "/moves"), ("DELETE", "/seats/me")):
        body = {"text": "end"} if below == "/moves" else {}
        theirs, strangers = (api.send(method, table.path + below, who, json=body) for who in (bob, stranger))
        theirs.refused(404, "no-such-game")
        assert theirs.data == strangers.data
    assert table.id not in [game["id"] for game in api.get("/games", bob).ok().json["items"]]


def test_s11_others_who_are_invited_still_see_it(sqlite_api):
    api = sqlite_api
    bob, cyd = api.players("bob cyd")
    table = private(api, bob, cyd)
    table.sit(bob)
    api.delete(f"{table.path}/seats/me", bob).ok()
    table.get(cyd).ok()
    table.sit(cyd)


def test_s11_a_host_who_leaves_a_private_table_to_others_sees_it_no_more(sqlite_api):
    api = sqlite_api
    ann, bob = api.players("ann bob")
    table = private(api, bob)
    table.sit(bob)
    api.delete(f"{table.path}/seats/me", ann).ok()
    assert sees(table, ann) == {404}
    assert table.get(bob).ok().json["host"] == bob.id


def test_who_left_a_public_table_may_watch_it_and_come_back(sqlite_api):
    api = sqlite_api
    ann, bob = api.players("ann bob")
    table = api.open(ann)
    table.sit(bob)
    api.delete(f"{table.path}/seats/me", bob).ok()
    table.get(bob).ok()
    table.sit(bob)


# Tables that wait


@pytest.fixture
def narrow(migrated_sqlite: str, settings_with: Callable[..., Settings]) -> Iterator[Api]:
    """A service where two tables of each player may wait."""
    with served(settings_with(DATABASE_URL=migrated_sqlite, RATE_LIMITS="on", OPEN_TABLES="2")) as api:
        yield api


def test_rate_09_nobody_opens_more_tables_than_may_wait_for_their_start(narrow: Api) -> None:
    ann, bob = narrow.players("ann bob")
    waiting = [narrow.open(ann), narrow.open(ann, public=False)]
    before = narrow.kept()
    refused = narrow.post("/games", ann, {"ruleset": "tammany-hall", "seats": 3})
    detail = refused.refused(409, "too-many-open-tables", "RATE-09").json["detail"]
    assert "2 have not begun" in detail
    assert "leave it" in detail
    assert narrow.kept() == before
    narrow.open(bob)
    narrow.delete(f"{waiting[0].path}/seats/me", ann).ok()
    narrow.open(ann)


def test_rate_09_tables_that_have_begun_and_those_of_others_do_not_count(narrow: Api) -> None:
    ann, bob, cyd = narrow.players("ann bob cyd")
    for _ in range(3):
        narrow.open(ann, bots=2)
    table = narrow.open(ann)
    table.sit(bob)
    table.sit(cyd)
    narrow.open(ann)
    narrow.open(ann)
    narrow.post("/games", ann, {"ruleset": "tammany-hall", "seats": 3}).refused(409, "too-many-open-tables")
    assert narrow.open(ann, bots=2).position()["status"] == "running", "one that begins at once does not wait"


def test_rate_09_twenty_may_wait_unless_the_host_of_the_service_says_otherwise(settings_with) -> None:
    assert settings_with().open_tables == 20


# Names at one table


@pytest.fixture
def bills(sqlite_api: Api) -> ApiTable:
    """A table of Bill, with room for others."""
    bill, second = sqlite_api.players("bill second")
    sqlite_api.patch("/me", bill, {"name": "Bill"}).ok()
    table = sqlite_api.open(bill)
    table.sit(second)
    return table


def test_t5a_nobody_sits_down_beside_a_name_that_looks_like_theirs(bills: ApiTable) -> None:
    table = bills
    other = table.api.player("other")
    table.api.patch("/me", other, {"name": "BiII"}).ok()
    before = table.api.kept()
    answer = table.post(other, "seats", {}).refused(422, "name-looks-alike", "T-5A")
    assert "“Bill” looks like your name" in answer.json["detail"]
    assert "PATCH /api/v1/me" in answer.json["detail"]
    assert table.api.kept() == before
    table.api.patch("/me", other, {"name": "William"}).ok()
    table.sit(other)


@pytest.mark.slow
def test_t5a_nobody_takes_a_name_at_the_table_that_looks_like_another_one_there(bills: ApiTable) -> None:
    table = bills
    second = table.seated[1]
    table.api.patch("/me", second, {"name": "bill"}).refused(422, "name-looks-alike", "T-5A")
    assert table.api.get("/me", second).ok().json["name"] == "second"
    table.api.patch("/me", table.seated[0], {"name": "BILL"}).ok()  # one's own name may change its shape
    elsewhere = table.api.player("elsewhere")
    table.api.patch("/me", elsewhere, {"name": "Bill"}).ok()  # who plays with others may be called alike


def test_a_seat_that_fell_vacant_is_taken_back_under_the_name_it_had(bills: ApiTable) -> None:
    table = bills
    table.sit(table.api.player("third"))
    table.post(table.seated[0], "seats", {}).refused(409, "already-seated")


# Resigning


def test_a_player_resigns_once_that_is_confirmed_and_cannot_come_back(api: Api) -> None:
    ann, bob, cyd, dan = api.players("ann bob cyd dan")
    table = api.begin(ann, bob, cyd)
    for body in ({}, {"confirm": False}, {"confirm": "yes"}):
        table.post(bob, "resignation", body).refused(400, "bad-request")
    table.post(dan, "resignation", {"confirm": True}).refused(403, "not-seated")
    before = table.version
    assert table.post(bob, "resignation", {"confirm": True}).ok().json["seats"][1]["status"] == "vacant"
    (vacated,) = [event for event in table.events(ann) if event["type"] == "table.seat-vacated"]
    assert vacated["data"] == {"seat": 1, "reason": "resigned"}
    table.post(bob, "resignation", {"confirm": True}).refused(409, "player-resigned")
    table.post(bob, "moves?dry_run=1", {"text": "end"}).refused(409, "player-resigned")
    assert table.get(bob).ok().json == table.get(dan).ok().json, "the vacant seat's secrets are its next player's"
    assert table.get(bob, query_string={"version": before}).ok().json["you"]["seat"] == 1, "what was seen then stays"
    api.post(f"{table.path}/seats", bob, {}).refused(409, "player-resigned")
    assert 1 not in {owed["seat"] for owed in table.get(ann, "clock").ok().json["deadlines"]}
    api.post(f"{table.path}/seats", dan, {}).ok(201)


def test_the_last_of_two_wins_and_the_statistics_say_so(sqlite_api: Api) -> None:
    api = sqlite_api
    ann, bob = api.players("ann bob")
    table = api.begin(ann, bob, ruleset="city-hall")
    table.post(ann, "resignation", {"confirm": True}).ok()
    end = next(event for event in table.events(bob) if event["type"] == "table.game-finished")
    assert (end["data"]["winners"], end["data"]["reason"]) == ([1], "resigned")
    assert "all others have resigned or left, and bob wins" in table.get(bob, "story").ok().text
    standings = table.get(bob, "statistics").ok().json["standings"]
    assert [(standing["seat"], standing["won"]) for standing in standings] == [(1, True), (0, False)]
    games = [
        api.get("/games?status=finished&result=" + result, who).ok().json["items"]
        for who, result in ((bob, "won"), (ann, "lost"))
    ]
    assert [[game["id"] for game in items] for items in games] == [[table.id], [table.id]]


# Names of tables


def test_the_name_of_a_table_is_in_every_answer_about_it_and_changes_their_tags(sqlite_api: Api) -> None:
    ann, bob, cyd = sqlite_api.players("ann bob cyd")
    table = sqlite_api.begin(ann, bob, cyd, name="Lunch break")
    before = table.get(bob).ok()
    assert (before.json["name"], sqlite_api.get(f"{table.path}?version=2", bob).ok().json["name"]) == (
        "Lunch break",
    ) * 2
    answer = sqlite_api.send("PUT", f"{table.path}/name", ann, json={"name": "Five Points"}).ok()
    now = table.get(bob).ok()
    assert answer.json["name"] == now.json["name"] == "Five Points"
    assert (now.json["version"], now.headers["ETag"] == before.headers["ETag"]) == (before.json["version"], False)
    mover = table.seated[now.json["awaiting"][0]]
    for path in ("/games", "/me/turns"):
        assert [game["name"] for game in sqlite_api.get(path, mover).ok().json["items"]] == ["Five Points"]
    sqlite_api.send("PUT", f"{table.path}/name", ann, json={"name": None}).ok()
    assert table.get(bob).ok().json["name"] not in ("", "Five Points")


def test_a_table_is_named_by_its_host_alone_and_like_a_person(sqlite_api: Api) -> None:
    ann, bob, eve = sqlite_api.players("ann bob eve")
    table = private(sqlite_api, bob)
    for name in ("", "x" * 41, "Wardroom", "a\u202eb", "bob@x.example", "Anna <b>"):
        sqlite_api.send("PUT", f"{table.path}/name", ann, json={"name": name}).refused(400, "bad-request")
        sqlite_api.post("/games", ann, {"ruleset": "tammany-hall", "seats": 3, "name": name}).refused(
            400, "bad-request"
        )
    sqlite_api.send("PUT", f"{table.path}/name", bob, json={"name": "Mine"}).refused(403, "not-host")
    sqlite_api.send("PUT", f"{table.path}/name", eve, json={"name": "Mine"}).refused(404, "no-such-game")
