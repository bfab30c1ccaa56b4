"""What each request asks of its database: every statement more costs each move of everybody from then on."""

from datetime import UTC, datetime, timedelta
from hashlib import sha256
from types import SimpleNamespace
from typing import Any

import pytest

from domain.history.envelope import EVENT_PREFIX, BrokenHistory
from service.store.event_store import stream_reader, stream_rows, streams
from tests.service.api.statements import statements
from tests.service.api.table import Answer, Api, ApiTable

TURN = {"actions": [{"type": "place", "wards": [1, 1]}, {"type": "end"}]}
TOKEN = "SELECT players.id, tokens.id"
HEAD = "SELECT games.ruleset, games.version,"
GLANCE = "SELECT games.version, games.hash,"
SITTING = "SELECT seats.seat, players.name,"
MOVED = ["INSERT INTO events", "UPDATE games SET", "UPDATE decisions SET"]
TOLD = {"sqlite": ["INSERT INTO notices", "INSERT INTO deliveries"], "postgresql": ["WITH made AS"]}
SIGNED = "INSERT INTO checkpoints"


@pytest.fixture
def table(api: Api) -> ApiTable:
    """A running game of three, whose tokens have been used and whose signing key is listed."""
    table = api.begin(*api.players("ann bob cyd"))
    for player in table.seated:
        table.get(player).ok()
    return table


def turn(table: ApiTable, **more: Any) -> Answer:
    """The turn of whoever is to move."""
    return table.post(table.awaited, "moves", TURN, **more)


def written(table: ApiTable) -> list[str]:
    """What is written with a move that ends one decision, begins another and tells of it."""
    return [*MOVED, *TOLD[table.api.services.database.engine.dialect.name], SIGNED]


def test_t65_a_move_asks_for_the_token_the_head_and_the_seats_and_writes_each_table_once(table, monkeypatch):
    player, database = table.awaited, table.api.services.database
    with statements(database, monkeypatch) as found:
        table.post(player, "moves", TURN).ok(201)
    assert found == [TOKEN, HEAD, *written(table), SITTING]


def test_t65_a_key_costs_a_move_two_statements(table, monkeypatch):
    player, database = table.awaited, table.api.services.database
    with statements(database, monkeypatch) as found:
        table.post(player, "moves", TURN, headers={"Idempotency-Key": "once"}).ok(201)
    claimed, answered = "INSERT INTO idempotency", "UPDATE idempotency SET"
    assert found == [TOKEN, claimed, HEAD, *written(table), SITTING, answered]


def test_s06_a_rehearsal_only_reads_and_reads_nothing_twice(table, monkeypatch):
    player, database = table.awaited, table.api.services.database
    with statements(database, monkeypatch) as found:
        table.post(player, "moves?dry_run=1", TURN).ok(200)
    assert found == [TOKEN, HEAD, SITTING]


@pytest.mark.parametrize("method", ["GET", "HEAD"])
def test_design_8_a_position_that_did_not_change_is_known_before_its_state_is_opened(table, monkeypatch, method):
    bob, database = table.seated[1], table.api.services.database
    with statements(database, monkeypatch) as found:
        tag = table.api.send(method, table.path, bob).ok().headers["ETag"]
    assert found == [TOKEN, GLANCE, HEAD]
    opened: list[object] = []
    monkeypatch.setattr(streams, "decode_state", lambda *given: opened.append(given))
    with statements(database, monkeypatch) as found:
        same = table.api.send(method, table.path, bob, headers={"If-None-Match": tag}).ok(304)
    assert (found, opened, same.headers["ETag"], same.data) == ([TOKEN, GLANCE], [], tag, b"")


def test_design_8_it_is_made_again_after_a_move_for_another_reader_and_in_another_form(table):
    ann, bob, _ = table.seated
    tag = table.get(bob).ok().headers["ETag"]
    known = {"If-None-Match": tag}
    assert table.get(ann, headers=known).ok(200).headers["ETag"] != tag
    table.get(bob, headers=known | {"Accept-Encoding": "gzip"}).ok(200)
    table.get(bob, headers=known).ok(304)
    turn(table).ok(201)
    assert table.get(bob, headers=known).ok(200).headers["ETag"] != tag


def test_design_8_what_is_not_known_to_this_process_has_the_same_headers_as_what_is(table):
    bob, app = table.seated[1], table.api.app
    tag = table.get(bob).ok().headers["ETag"]
    known = table.get(bob, headers={"If-None-Match": tag}).ok(304)
    del app.extensions["wardroom-known-answers"]
    made = table.get(bob, headers={"If-None-Match": tag}).ok(304)
    told, again = dict(known.headers), dict(made.headers)
    assert told.pop("X-Request-Id") != again.pop("X-Request-Id")
    assert told == again


def test_design_8_leave_that_moves_no_deadline_changes_a_position_all_the_same(sqlite_api):
    ann, bob, cyd = sqlite_api.players("ann bob cyd")
    table = sqlite_api.begin(ann, bob, cyd, clock={"per_move": "P3D", "leave_days": 14})
    known = {"If-None-Match": table.get(bob).ok().headers["ETag"]}
    table.get(bob, headers=known).ok(304)
    days = [str(datetime.now(UTC).date() + timedelta(days=number)) for number in (40, 41)]
    sqlite_api.send("PUT", "/me/leave", cyd, json=dict(zip(("from", "to"), days, strict=True)))
    assert table.get(bob, headers=known).ok(200).json["seats"][2]["away"] == {"from": days[0], "to": days[1]}


def test_out_17_who_gets_no_mail_changes_what_the_host_is_told(sqlite_api):
    ann, bob, cyd = sqlite_api.players("ann bob cyd")
    table = sqlite_api.begin(ann, bob, cyd)
    known = {"If-None-Match": table.get(ann).ok().headers["ETag"]}
    table.get(ann, headers=known).ok(304)
    sqlite_api.patch("/me", bob, {"mail": False}).ok()
    assert table.get(ann, headers=known).ok(200).json["seats"][1]["mail"] == "off"


def test_s11_a_private_game_is_not_glanced_at_by_strangers(api):
    ann, bob, cyd, dan = api.players("ann bob cyd dan")
    table = api.begin(ann, bob, cyd, public=False, invite=["bob@example.org", "cyd@example.org"])
    tag = table.get(bob).ok().headers["ETag"]
    table.get(dan, headers={"If-None-Match": tag}).refused(404, "no-such-game")
    table.get(dan, headers={"If-None-Match": "*"}).refused(404, "no-such-game")
    table.post(dan, "moves", TURN).refused(404, "no-such-game")


def test_t4a_an_event_that_follows_another_than_it_says_breaks_the_chain(sqlite_api, monkeypatch):
    table = sqlite_api.begin(*sqlite_api.players("ann bob cyd"))
    services = sqlite_api.services
    with services.database.read() as connection:
        head = services.streams.head(connection, table.id)
        rows = stream_rows.read_chain["sqlite"](connection, game=table.id, after=0, upto=head.version).fetchall()
        body = rows[2][1].replace(rows[1][2].encode(), b"0" * 64)
        rows[2] = (rows[2][0], body, stream_reader.event_hash(body))
        read = {"sqlite": lambda *_, **__: SimpleNamespace(fetchall=lambda: rows)}
        monkeypatch.setattr(stream_rows, "read_chain", read)
        with pytest.raises(BrokenHistory, match="event 3: it does not follow"):
            services.streams.require_chain(connection, table.id, head.version, head.hash)
        del rows[2]
        with pytest.raises(BrokenHistory, match="event 3: it is missing"):
            services.streams.table_proved(connection, table.id, head.rules, head.version, head.hash)


def test_design_8_a_game_that_begins_is_listed_as_one_that_runs(sqlite_api):
    table = sqlite_api.begin(*sqlite_api.players("ann bob cyd"))
    turn(table).ok(201)
    listed = {
        status: [game["id"] for game in sqlite_api.get(f"/games?status={status}", table.seated[0]).ok().json["items"]]
        for status in ("open", "running")
    }
    assert listed == {"open": [], "running": [table.id]}


def test_t4a_a_chain_is_walked_over_stored_bytes(table, monkeypatch):
    turn(table).ok(201)
    services, hashed = table.api.services, list[bytes]()
    monkeypatch.setattr(stream_reader, "sha256", lambda raw: hashed.append(raw) or sha256(raw))
    with services.database.read() as connection:
        head = services.streams.head(connection, table.id)
        services.streams.require_chain(connection, table.id, head.version, head.hash)
        stored = stream_rows.read_events(connection, game=table.id, after=0, upto=head.version).fetchall()
    assert hashed == [EVENT_PREFIX + body.encode() for _, body, _ in stored]
