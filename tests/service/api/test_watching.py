"""Public games are read without a token, as spectators see them; private ones are not there (S-11, S-29, DESIGN-8)."""

import pytest

from service.api.http import limits
from tests.service.api.table import Answer, Api, ApiTable

READS = (
    "", "?version=3", "board", "board?version=3", "board.svg", "board.svg?for=page", "board.png", "story",
    "diff?from=1", "events", "events?after=3&limit=2", "audit", "bundle", "checkpoint", "checkpoint?version=2",
)  # fmt: skip
OF_SEATS = ("actions", "actions?as=choices", "messages", "orders", "notices", "rewind")
"""What is a seat's business, or a member's."""


@pytest.fixture
def table(sqlite_api: Api) -> ApiTable:
    sqlite_api.player("dan")
    return sqlite_api.begin(*sqlite_api.players("ann bob cyd"))


def read(table: ApiTable, what: str, token: str = "", **headers: str) -> Answer:
    path = f"{table.path}{what}" if what.startswith("?") else f"{table.path}/{what}".rstrip("/")
    return table.api.get(path, table.api.player(token) if token else None, headers=headers)


@pytest.mark.slow
@pytest.mark.parametrize("what", READS)
def test_whoever_bears_no_token_reads_what_a_member_reads_who_watches(table, what):
    member, anybody = read(table, what, "dan").ok(), read(table, what).ok()
    assert anybody.data == member.data
    different = {"Cache-Control", "X-Request-Id"}
    assert [pair for pair in anybody.headers if pair[0] not in different] == [
        pair for pair in member.headers if pair[0] not in different
    ]
    assert anybody.headers["Cache-Control"].startswith("public, max-age=")
    assert member.headers["Cache-Control"].startswith("private, ")


def test_whoever_bears_no_token_reads_why_deadlines_are_what_they_are(table):
    member, anybody = read(table, "clock", "dan").ok().json, read(table, "clock").ok().json
    assert anybody["deadlines"] == member["deadlines"]


@pytest.mark.parametrize("what", ["?version=3", "board.svg?version=3", "board.png?version=3"])
def test_what_was_is_kept_by_any_cache_for_as_long_as_by_a_seat(table, what):
    assert read(table, what).headers["Cache-Control"] == "public, max-age=600"
    assert read(table, what, "dan").headers["Cache-Control"] == "private, max-age=600"


def test_what_is_now_is_kept_for_seconds_and_known_again(table):
    now = read(table, "").ok()
    assert now.headers["Cache-Control"] == "public, max-age=5"
    again = read(table, "", **{"If-None-Match": now.headers["ETag"]}).ok(304)
    assert again.headers["Cache-Control"] == "public, max-age=5"


def test_a_bundle_that_is_known_already_is_kept_like_the_first(table):
    now = read(table, "bundle").ok()
    again = read(table, "bundle", **{"If-None-Match": now.headers["ETag"]}).ok(304)
    assert [answer.headers["Cache-Control"] for answer in (now, again)] == ["public, max-age=5"] * 2


@pytest.mark.parametrize("what", OF_SEATS)
def test_what_is_of_seats_wants_a_token(table, what):
    read(table, what).refused(401, "unauthorized")


@pytest.mark.slow
@pytest.mark.parametrize("what", [*READS, "clock", "statistics", "analysis"])
def test_s11_a_private_game_is_for_whoever_bears_no_token_as_one_that_is_not_there(sqlite_api, what):
    table = sqlite_api.open(sqlite_api.player("ann"), public=False)  # with free seats, which are nobody's in particular
    private = read(table, what).refused(401, "unauthorized")
    absent = read(ApiTable(sqlite_api, "0" * len(table.id), []), what)
    assert private.headers.pop("X-Request-Id") != absent.headers.pop("X-Request-Id")
    assert (private.status, list(private.headers), private.data) == (absent.status, list(absent.headers), absent.data)
    assert "public" not in private.headers["Cache-Control"]


def test_a_token_that_is_none_opens_nothing(table):
    read(table, "", Authorization="Bearer wr_bogus").refused(401, "unauthorized")


def test_s11_the_lobby_lists_public_games_to_anybody_and_no_others(sqlite_api):
    ann = sqlite_api.player("ann")
    public, private = sqlite_api.open(ann), sqlite_api.open(ann, public=False)
    assert [game["id"] for game in sqlite_api.get("/games").ok().json["items"]] == [public.id]
    assert {game["id"] for game in sqlite_api.get("/games", ann).ok().json["items"]} == {public.id, private.id}
    for mine in ("mine=true", "awaiting=me"):
        sqlite_api.get(f"/games?{mine}").refused(401, "unauthorized")


@pytest.mark.slow
def test_s11_games_with_who_could_be_nobody_are_not_looked_up(sqlite_api):
    for query in ("mine=true&player=%00", "player=%00"):
        assert sqlite_api.get(f"/games?{query}", sqlite_api.player("ann")).status == 404


@pytest.mark.slow
def test_a_game_that_is_over_is_read_and_proved_by_anybody(sqlite_api):
    table = sqlite_api.begin(sqlite_api.player("ann"), ruleset="city-hall", bots=1)
    for _ in table.play_out(3):
        pass
    for what in ("statistics", "analysis", "bundle", "audit"):
        assert read(table, what).ok().data == read(table, what, "ann").ok().data
    assert read(table, "?version=3").headers["Cache-Control"] == "public, max-age=86400, immutable"


@pytest.mark.parametrize(("what", "limit"), [("", "WATCH"), ("board.png", "DEAR"), ("bundle", "DEAR")])
def test_s29_whoever_reads_without_a_token_counts_by_their_network(limited_api, monkeypatch, what, limit):
    monkeypatch.setattr(limits, limit, 2)
    table = limited_api.begin(*limited_api.players("ann bob"), seats=3, bots=1)
    path = f"{table.path}/{what}".rstrip("/")

    def ask(address: str, token: str = "") -> Answer:
        who = limited_api.player(token) if token else None
        return limited_api.get(path, who, environ_overrides={"REMOTE_ADDR": address})

    assert [ask("192.0.2.1").status for _ in range(3)] == [200, 200, 429]
    held = ask("192.0.2.1").refused(429, "too-many-requests")
    assert 1 <= int(held.headers["Retry-After"]) <= 61
    assert "public" not in held.headers["Cache-Control"]
    assert (ask("192.0.2.2").status, ask("192.0.2.1", "ann").status) == (200, 200)


@pytest.mark.slow
def test_s29_a_header_that_pages_do_not_know_lifts_no_limit(limited_api, monkeypatch):
    monkeypatch.setattr(limits, "DEAR", 1)
    table = limited_api.begin(*limited_api.players("ann bob"), seats=3, bots=1)
    asked = [
        limited_api.get(f"/{table.path.replace('games', 'g', 1)}/preview.png", headers={"Authorization": "x"}).status
        for _ in "ab"
    ]
    assert asked == [200, 429]


def test_s29_whom_a_proxy_names_counts_only_where_a_proxy_is_trusted(limited_api, monkeypatch):
    monkeypatch.setattr(limits, "WATCH", 1)
    statuses = [
        limited_api.get("/games", headers={"X-Forwarded-For": f"192.0.2.{number}"}).status for number in range(2)
    ]
    assert statuses == [200, 429]
