"""All that happens in somebody's games, in one stream: nothing lost, nothing twice, and no secret (GET /me/events)."""

import itertools
import json
import random
import socket
import time
from typing import Any

import pytest

from service.accounts import people
from service.api.http import streaming
from service.games import long_poll, my_news
from service.kernel.clock import text
from tests.service.api.table import V1, Api, ApiTable, Player
from tests.service.clock_tables import sqlite_clock_tables
from tests.tables import Tables
from tests.workers.worker_tables import manual_clock

__all__ = ["manual_clock", "sqlite_clock_tables"]

NDJSON, SSE = "application/x-ndjson", "text/event-stream"


@pytest.fixture
def table(api: Api) -> ApiTable:
    return api.begin(*api.players("ann bob cyd"))


def ask(api: Api, who: Player, after: str | None = None, **query: Any) -> dict[str, Any]:
    place = {} if after is None else {"after": after}
    found: dict[str, Any] = api.get("/me/events", who, query_string={**place, **query}).ok().json
    return found


def turn(table: ApiTable) -> None:
    table.move(table.awaited, "place 1 1", "end")


def parts(api: Api, path: str, who: Player | None, kind: str, most: int, **headers: str) -> list[bytes]:
    """The first parts of a stream, whose reader goes then."""
    sent = {"Accept": kind, **headers} | (who.headers if who else {})
    response = api.app.test_client().get(f"{V1}{path}", headers=sent, buffered=False)
    assert (response.status_code, response.mimetype) == (200, kind), response.get_data(as_text=True)
    found = list(itertools.islice(response.iter_encoded(), most))
    response.close()
    return found


def test_a_reader_begins_with_what_waits_and_hears_what_comes(api, table):
    asked = table.awaited
    begun = ask(api, asked)
    assert [(item["type"], item["game"]) for item in begun["items"]] == [("turn", table.id)]
    others = [player for player in table.seated if player is not asked]
    places = {player: ask(api, player)["after"] for player in others}
    turn(table)
    table.post(asked, "messages", {"text": "Your turn"}).ok(201)
    heard = {player: ask(api, player, places[player])["items"] for player in others}
    for player in others:
        moves = [item["event"]["version"] for item in heard[player] if item["type"] == "move"]
        assert moves == list(range(moves[0], table.version + 1))
    turns = {player.name: [i["decision"] for i in heard[player] if i["type"] == "turn"] for player in others}
    assert [name for name, decisions in turns.items() if decisions] == [table.awaited.name]
    assert [ask(api, player, heard[player][-1]["id"])["items"] for player in others] == [[], []]


@pytest.mark.slow
def test_whoever_comes_back_at_any_place_loses_nothing_and_hears_nothing_twice(api, table):
    reader, dice = table.seated[0], random.Random(19)
    second = api.begin(*[api.people[name] for name in ("bob", "ann", "cyd")])
    start = place = ask(api, reader)["after"]
    heard: list[dict[str, Any]] = []
    for _ in range(12):
        turn(dice.choice((table, second)))
        if dice.random() < 0.7:
            found = ask(api, reader, place, limit=dice.randint(1, 9))["items"]
            known = found[: dice.randint(0, len(found))]  # the rest was on its way when the reader went
            heard += known
            place = known[-1]["id"] if known else place
    while found := ask(api, reader, place, limit=3)["items"]:
        heard += found
        place = found[-1]["id"]
    for game in (table, second):
        versions = [item["event"]["version"] for item in heard if item["game"] == game.id and "event" in item]
        known = [event["version"] for event in game.events(reader)]
        assert versions == known[known.index(versions[0]) :]
    told = [(item["game"], item["since"]) for item in heard if item["type"] == "turn"]
    assert len(told) == len(set(told))
    assert {(turn["game"], turn["since"]) for turn in api.get("/me/turns", reader).json["items"]} - set(told) <= {
        (turn["game"], turn["since"]) for turn in api.get("/me/turns", reader).json["items"] if turn["since"] <= 6
    }
    assert {item["id"] for item in ask(api, reader, start, limit=200)["items"] if "event" in item}


@pytest.mark.slow
def test_however_long_games_rest_and_readers_stay_away_nothing_is_lost_and_nothing_told_twice(sqlite_clock_tables):
    tables, dice = sqlite_clock_tables, random.Random(7)
    api = Api(tables.services)
    people = api.players("ann bob cyd")
    games = [api.begin(*order, clock={"per_move": "P90D"}) for order in itertools.permutations(people)]
    reader, began, longest = people[0], [game.version for game in games], 0
    begun = ask(api, reader)
    heard, place = begun["items"], begun["after"]
    for _ in range(80):
        tables.advance(minutes=dice.choice((0, 1, 50, 70, 300)))
        game = dice.choice(games)
        if dice.random() < 0.5:
            turn(game)
        elif dice.random() < 0.6:
            game.post(people[1], "messages", {"text": "Well?", "to": dice.choice((0, 1, 2, None))})
        found = ask(api, reader, place, limit=dice.choice((1, 5, 200)))
        known = found["items"][: dice.randint(0, len(found["items"]))]  # the rest was on its way when the reader went
        heard += known
        if known == found["items"]:
            place = found["after"]
        elif known:
            place = known[-1]["id"]
        longest = max(longest, place.count("~"))
    tables.advance(hours=5)
    while found := ask(api, reader, place, limit=3)["items"]:
        heard += found
        place = found[-1]["id"]
    for game, version in zip(games, began, strict=True):
        versions = [item["event"]["version"] for item in heard if item["game"] == game.id and "event" in item]
        assert versions == [event["version"] for event in game.events(reader) if event["version"] > version]
    turns = [(item["game"], item["since"]) for item in heard if item["type"] == "turn"]
    waiting = {(turn["game"], turn["since"]) for turn in api.get("/me/turns", reader).json["items"]}
    assert len(turns) == len(set(turns))
    assert waiting <= set(turns)
    lines = [item["message"]["id"] for item in heard if item["type"] == "talk"]
    said = [line["id"] for game in games for line in api.get(f"/games/{game.id}/messages", reader).json["items"]]
    assert sorted(lines) == sorted(said)
    resting = {game.id for game in games} - {game for game, _ in waiting}
    assert resting
    assert {part.partition(".")[0] for part in ask(api, reader, place)["after"].split("~")[1:]} == {
        game for game, _ in waiting
    }
    assert longest == len(games)


@pytest.mark.slow
def test_what_was_recorded_before_a_place_and_committed_after_it_is_told(sqlite_clock_tables):
    """A move that waited long for its commit, in a game that had come to rest."""
    api = Api(sqlite_clock_tables.services)
    game = api.begin(*api.players("ann bob cyd"), clock={"per_move": "P90D"})
    asked = game.awaited
    reader = next(player for player in game.seated if player is not asked)
    sqlite_clock_tables.advance(hours=2)
    place = ask(api, reader)["after"]
    assert game.id not in place
    sqlite_clock_tables.clock.at -= my_news.LATELY - 1
    turn(game)
    told = [item["event"]["version"] for item in ask(api, reader, place)["items"] if "event" in item]
    assert told[-1:] == [game.version]


@pytest.mark.slow
def test_a_game_that_began_and_ended_meanwhile_is_told_whole(sqlite_api):
    api, (ann, bob) = sqlite_api, sqlite_api.players("ann bob")
    place = ask(api, ann)["after"]
    table = api.begin(ann, bob, ruleset="city-hall")
    for _ in table.play_out(3):
        pass
    heard = []
    while found := ask(api, ann, place, limit=200)["items"]:
        heard, place = heard + found, found[-1]["id"]
    assert [item["event"]["version"] for item in heard if "event" in item] == list(range(1, table.version + 1))
    assert heard[-1]["type"] == "end"


def test_a_line_of_talk_is_told_once_to_those_it_was_said_to(api, table, monkeypatch):
    ann, bob, cyd = table.seated
    places = {who: ask(api, who)["after"] for who in table.seated}
    table.post(ann, "messages", {"text": "to bob alone", "to": 1}).ok(201)
    with api.services.database.write() as tx:
        waits = {
            who: my_news.seconds_to_next_line(api.services, tx, who.id, my_news.read_place(places[who]))
            for who in table.seated
        }
        assert waits[bob] is not None
        assert 0 < waits[bob] <= api.services.settings.talk_delay.total_seconds()
        assert waits[cyd] is None
        tx.exec_driver_sql("UPDATE messages SET shown_at = created_at")
    told = {who: [i for i in ask(api, who, places[who])["items"] if i["type"] == "talk"] for who in table.seated}
    assert [item["message"]["text"] for item in told[bob]] == ["to bob alone"]
    assert told[cyd] == []
    assert not [i for i in ask(api, bob, told[bob][0]["id"])["items"] if i["type"] == "talk"]


def test_a_stream_goes_on_from_the_last_id_as_lines_or_as_events(api, table):
    reader = table.seated[0]
    place = ask(api, reader)["after"]
    turn(table)
    first = json.loads(parts(api, f"/me/events?after={place}&limit=1", reader, NDJSON, 1)[0].split(b"\n")[1])
    assert first["type"] == "move"
    (sent,) = parts(api, "/me/events", reader, SSE, 1, **{"Last-Event-ID": first["id"]})
    retry, event, *_ = sent.decode().split("\n\n")
    assert retry == "retry: 2000"
    id, name, data = event.split("\n")
    assert name in ("event: move", "event: turn")
    assert json.loads(data.removeprefix("data: "))["id"] == id.removeprefix("id: ") != first["id"]


def test_one_game_is_followed_by_version_and_a_public_one_by_anybody(api, table):
    upto = table.version
    turn(table)
    for who in (table.seated[0], None):
        (sent,) = parts(api, f"{table.path}/events", who, SSE, 1, **{"Last-Event-ID": str(upto)})
        ids = [line.removeprefix("id: ") for line in sent.decode().splitlines() if line.startswith("id: ")]
        assert ids == [str(version) for version in range(upto + 1, table.version + 1)]
    private = api.open(table.seated[0], public=False)
    api.get(f"{private.path}/events", table.seated[1], headers={"Accept": SSE}).refused(404, "no-such-game")
    api.get(f"{private.path}/events", headers={"Accept": SSE}).refused(401, "unauthorized")


def test_silence_is_broken_by_heartbeats_until_the_token_ends(sqlite_api, monkeypatch):
    ann = sqlite_api.player("ann")
    monkeypatch.setattr(streaming, "HEARTBEAT", 0.0)
    monkeypatch.setattr(streaming, "PAUSE", 0.0)
    response = sqlite_api.app.test_client().get(f"{V1}/me/events", headers={**ann.headers, "Accept": SSE})
    lines = response.iter_encoded()
    assert [next(lines) for _ in range(3)] == [streaming.RETRY, b":\n\n", b":\n\n"]
    sqlite_api.delete("/me/tokens", ann).ok(204)
    assert len(list(lines)) <= 1
    response.close()
    assert streaming.HEARTBEAT < 60


def test_rfc6750_3_1_a_stream_tells_nothing_more_once_its_token_has_ended(api, table, monkeypatch):
    monkeypatch.setattr(streaming, "PAUSE", 0.0)
    one, other = [who for who in table.seated if who.id != table.awaited.id]
    opened = []
    for who, path, kind in (
        (one, "/me/events", SSE),
        (one, f"{table.path}/events?after={table.version}", SSE),
        (other, "/me/events", NDJSON),
        (other, f"{table.path}/events?after={table.version}&wait=60", NDJSON),
    ):
        response = api.app.test_client().get(f"{V1}{path}", headers={**who.headers, "Accept": kind})
        told = response.iter_encoded()
        next(told)
        opened.append((path, response, told))
    mover = table.awaited
    for who in (one, other):
        api.delete("/me/tokens", who).ok(204)
    table.post(mover, "messages", {"text": "psst"}).ok(201)
    table.move(mover, "place 1 1", "end")
    for path, response, told in opened:
        assert list(told) == [], path
        response.close()


def test_a_stream_whose_reader_is_gone_gives_its_place_to_another(sqlite_api, monkeypatch):
    """Nothing is written meanwhile: 15 s would pass until the next heartbeat."""
    monkeypatch.setattr(streaming, "PAUSE", 0.0)
    ann, client = sqlite_api.player("ann"), sqlite_api.app.test_client()
    table = sqlite_api.begin(*sqlite_api.players("bob cyd dan"))
    public = f"{table.path}/events"
    for path, kind in (
        ("/me/events", SSE),
        ("/me/events", NDJSON),
        (public, SSE),
        (f"{public}?after=9999&wait=60", ""),
    ):
        server, reader = socket.socketpair()
        with server, reader:
            reader.close()
            given = {"headers": {**ann.headers, "Accept": kind or "application/json"}}
            response = client.get(f"{V1}{path}", environ_overrides={"gunicorn.socket": server}, **given)
            began = time.monotonic()
            assert len(list(response.iter_encoded())) <= 1, path
            response.close()
        assert not long_poll._waiting, path
        assert time.monotonic() - began < streaming.HEARTBEAT, path


def test_a_person_holds_two_streams_and_those_who_wait_leave_threads_for_the_rest(sqlite_api, monkeypatch):
    ann, bob = sqlite_api.players("ann bob")
    client = sqlite_api.app.test_client()
    held = [client.get(f"{V1}/me/events", headers={**ann.headers, "Accept": SSE}) for _ in range(2)]
    refused = sqlite_api.get("/me/events", ann, headers={"Accept": SSE}).refused(429, "too-many-waiting")
    assert int(refused.headers["Retry-After"]) > 0
    object.__setattr__(sqlite_api.services.settings, "threads", 4)
    refused = sqlite_api.get("/me/events", bob, headers={"Accept": SSE}).refused(429, "no-room")
    assert int(refused.headers["Retry-After"]) > 0
    sqlite_api.get("/me/events", bob).ok()
    for response in held:
        response.close()
    assert not long_poll._waiting


@pytest.mark.parametrize(
    "place",
    ["x", "1~", "1~g.1", "1~g.1.1~", "1~g.1.1.", "1~g.1.1.1.1", "é", "1" * 17, "1~" + "g" * 65 + ".1.1", "1~'.1.1"],
)
def test_a_place_that_is_none_is_refused(sqlite_api, place):
    ann = sqlite_api.player("ann")
    sqlite_api.get("/me/events", ann, query_string={"after": place}).refused(400, "bad-place")


@pytest.mark.slow
def test_a_place_that_names_games_of_others_tells_nothing_of_them(sqlite_api):
    ann, bob, cyd = sqlite_api.players("ann bob cyd")
    private = sqlite_api.open(bob, public=False)
    assert ask(sqlite_api, ann, f"1~{private.id}.0.0.0")["items"] == []
    assert ask(sqlite_api, cyd, f"1~{private.id}.0.0.0")["after"].count("~") == 0


def deadlines(api: Api, who: Player, after: str) -> list[tuple[str, str | None]]:
    """What a reader is told of moved deadlines after a place, besides events."""
    items = ask(api, who, after)["items"]
    return [(item["id"], item["due"]) for item in items if item["type"] == "clock" and "event" not in item]


@pytest.mark.slow
def test_a_deadline_that_moves_without_an_event_is_told_once_and_to_who_owes_the_answer(sqlite_clock_tables):
    tables, api = sqlite_clock_tables, Api(sqlite_clock_tables.services)
    ann, bob = token_for(tables, "ann"), token_for(tables, "bob")
    game = tables.begin_timed(leave_days=3, per_move="P3D")
    begun, of_bob = ask(api, ann)["after"], ask(api, bob)["after"]
    tables.take_leave("ann", "2031-03-05", "2031-03-06")
    ((place, due),) = deadlines(api, ann, begun)
    assert due == text(tables.due(game, "ann"))
    assert deadlines(api, ann, place) == deadlines(api, bob, of_bob) == []
    tables.agree(game, "pause", days=1)
    assert [due for _, due in deadlines(api, ann, place)] == [None], "it stands"


def token_for(tables: Tables, name: str) -> Player:
    identity = tables.player(name)
    with tables.services.database.write() as tx:
        return Player(name, identity, people.make_token(tables.services, tx, identity, "test", tables.clock.at))
