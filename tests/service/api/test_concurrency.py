"""Many requests at the same instant, in real threads: one order explains all answers (F-48, F-49, I-15)."""

import threading
import time
from collections import Counter
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any, TypeVar

import pytest

from domain.audit.verify_history import audit
from service.accounts import sign_in
from service.games import long_poll
from tests.service.api.table import Answer, Api, ApiTable

pytestmark = pytest.mark.slow  # seconds together

T = TypeVar("T")
MANY = 50
PLACE = {"text": "place 1 1\nend"}


def at_once(jobs: Sequence[Callable[[], T]]) -> list[T]:
    """Run all jobs in threads of their own that begin together; their results in order."""
    gate = threading.Barrier(len(jobs))

    def run(job: Callable[[], T]) -> T:
        gate.wait(60)
        return job()

    with ThreadPoolExecutor(len(jobs)) as threads:
        return [one.result(60) for one in [threads.submit(run, job) for job in jobs]]


def three(api: Api) -> ApiTable:
    return api.begin(*api.players("ann bob cyd"))


def sound(table: ApiTable) -> None:
    """The history is whole: versions without gaps, the chain closed, the rules replayed (I-02, I-03)."""
    report = audit(table.export(table.seated[0]))
    assert report.ok, report.checks
    assert report.events == table.version


def test_f48_fifty_identical_moves_under_one_key_are_one_move(api):
    table = three(api)
    player, before = table.awaited, table.version
    headers = {"Idempotency-Key": "the-same", "If-Match": f'"{before}"'}
    answers = at_once([lambda: table.post(player, "moves", PLACE, headers=headers)] * MANY)
    assert {answer.status for answer in answers} == {201}
    assert len({answer.data for answer in answers}) == 1
    assert Counter(answer.headers.get("Idempotency-Replayed") for answer in answers) == {None: 1, "true": MANY - 1}
    assert table.version == answers[0].json["version"] < before + 10
    sound(table)


def test_f49_fifty_keys_at_one_version_make_one_move_and_49_times_412(api):
    table = three(api)
    player, before = table.awaited, table.version

    def job(number: int) -> Callable[[], Answer]:
        headers = {"Idempotency-Key": f"key-{number}", "If-Match": f'"{before}"'}
        return lambda: table.post(player, "moves", PLACE, headers=headers)

    answers = at_once([job(number) for number in range(MANY)])
    assert Counter(answer.status for answer in answers) == {201: 1, 412: MANY - 1}
    won = next(answer for answer in answers if answer.status == 201)
    missed = {answer.data for answer in answers if answer.status == 412}
    assert len(missed) == 1
    stale = next(answer for answer in answers if answer.status == 412).refused(412, "stale")
    assert stale.json["events"] == won.json["events"]
    assert (stale.json["version"], stale.json["hash"]) == (won.json["version"], won.json["hash"])
    assert api.rows()["idempotency"] == 1
    sound(table)


def test_a_move_without_a_key_sent_at_once_is_played_once(api):
    table = three(api)
    player = table.awaited
    answers = at_once([lambda: table.post(player, "moves", PLACE)] * 20)
    assert Counter(answer.status for answer in answers) == {201: 1, 409: 19}
    sound(table)


def test_f50_bids_of_all_seats_at_one_moment_open_once(api):
    table = three(api)
    bidders = table.to_bids()
    jobs = [lambda who=who: table.post(who, "bids", {"chips": {}}) for who in bidders for _ in range(5)]
    answers = at_once(jobs)
    assert {answer.status for answer in answers} <= {201, 409, 422}
    revealed = [event for event in table.events(bidders[0]) if event["type"] == "tammany-hall.bids-revealed"]
    assert revealed[0]["data"]["ward"] == 1
    assert len(revealed) == len({event["data"]["ward"] for event in revealed})
    assert sum(len(answer.json["events"]) for answer in answers if answer.status == 201) >= len(bidders)
    sound(table)


def test_twins_of_opening_a_table_make_one_game(api):
    ann = api.player("ann")
    body = {"ruleset": "tammany-hall", "seats": 3, "invite": ["bob@example.org"]}
    answers = at_once([lambda: api.post("/games", ann, body, headers={"Idempotency-Key": "open"})] * 20)
    assert {answer.status for answer in answers} == {201}
    assert len({answer.data for answer in answers}) == 1
    rows = api.rows()
    assert (rows["games"], rows["invitations"], rows["idempotency"]) == (1, 1, 1)


def test_one_free_seat_goes_to_one_of_many(api):
    people = api.players("ann bob cyd dan eve fay gus")
    table = api.open(people[0])
    answers = at_once([lambda who=who: table.post(who, "seats", {}) for who in people[1:]])
    assert Counter(answer.status for answer in answers) == {201: 2, 409: 4}
    assert {answer.json["code"] for answer in answers if answer.status == 409} == {"table-full"}
    game = table.position()
    assert game["status"] == "running"
    assert len({seat["player"] for seat in game["seats"]}) == 3


def test_many_games_move_at_once_without_one_another(api):
    tables = [api.begin(*api.players(f"a{n} b{n} c{n}")) for n in range(8)]

    def job(table: ApiTable) -> Callable[[], None]:
        return lambda: [table.move(table.awaited, "place 1 1", "end") for _ in range(4)] and None

    at_once([job(table) for table in tables])
    for table in tables:
        sound(table)


def test_a_code_is_redeemed_once_also_at_once(api):
    api.post("/players", None, {"name": "Ann", "email": "ann@example.org"}).ok(202)
    sign_in.post_codes(api.services)
    with api.services.database.read() as connection:
        decision, secret = connection.exec_driver_sql("SELECT decision, secret FROM notices").one()
    code = api.services.sealer.open("codes", f"code|{decision}", bytes(secret)).decode().split()[0]
    body = {"email": "ann@example.org", "code": code}
    answers = at_once([lambda: api.post("/tokens", None, body)] * 10)
    assert Counter(answer.status for answer in answers) == {201: 1, 401: 9}


def test_one_address_signing_up_at_once_is_one_player(api):
    body = {"name": "Ann", "email": "ann@example.org"}
    at_once([lambda: api.post("/players", None, body).ok(202)] * 10)
    sign_in.post_codes(api.services)
    with api.services.database.read() as connection:
        sealed = connection.exec_driver_sql("SELECT decision, secret FROM notices").all()
    codes = [
        api.services.sealer.open("codes", f"code|{key}", bytes(secret)).decode().split()[0] for key, secret in sealed
    ]
    assert len(set(codes)) == 10
    answers = at_once(
        [lambda code=code: api.post("/tokens", None, {"email": "ann@example.org", "code": code}) for code in codes]
    )
    assert Counter(answer.status for answer in answers) == {201: 1, 401: 9}, "a code ends the others"
    assert api.rows()["players"] == 1


# Long polls


def test_a_long_poll_wakes_on_a_move(api):
    table = three(api)
    seen, other = table.version, table.seated[0]
    query = {"after": seen, "wait": 20}

    def move() -> float:
        time.sleep(0.3)
        table.move(table.awaited, "place 1 1", "end")
        return time.monotonic()

    def wait() -> tuple[Answer, float]:
        return table.get(other, "events", query_string=query), time.monotonic()

    (answer, woke), moved = at_once([wait, move])
    assert woke - moved < long_poll.PAUSE + 10, "long before its time is over"
    assert answer.ok().json["events"][0]["version"] == seen + 1
    assert answer.json["head"]["version"] == table.version


def test_a_long_poll_without_news_ends_when_its_time_is_over(api):
    table = three(api)
    started = time.monotonic()
    answer = table.get(table.seated[0], "events", query_string={"after": table.version, "wait": 1}).ok()
    assert 0.9 < time.monotonic() - started < 15
    assert answer.json["events"] == []
    assert answer.json["head"]["version"] == table.version
    started = time.monotonic()
    table.get(table.seated[0], "events", query_string={"after": table.version - 1, "wait": 20}).ok()
    table.get(api.player("dan"), "events", query_string={"after": 10**9, "wait": 0}).ok()
    assert time.monotonic() - started < 15


def test_q13_long_polls_are_capped_for_a_player_and_hold_no_connection(api):
    table = three(api)
    ann, bob, _ = table.seated
    query = {"after": table.version, "wait": 20}
    answers: list[Any] = []
    with ThreadPoolExecutor(8) as threads:
        waits = [threads.submit(table.get, ann, "events", query_string=query) for _ in range(2)]
        until(lambda: len(long_poll._waiting.get(ann.id, [])) == 2)
        third = table.get(ann, "events", query_string=query).refused(429, "too-many-waiting")
        assert int(third.headers["Retry-After"]) > 0
        table.get(ann, "events").ok()
        waits.append(threads.submit(table.get, bob, "events", query_string=query))
        until(lambda: len(long_poll._waiting.get(bob.id, [])) == 1)
        held = [checked_out(api) for _ in range(200)]
        assert held.count(0) > 50, "each holds one while it looks, and on a busy machine for longer"
        table.move(table.awaited, "place 1 1", "end")
        answers = [one.result(60) for one in waits]
    assert [answer.status for answer in answers] == [200] * 3
    assert not long_poll._waiting


def checked_out(api: Api) -> int:
    time.sleep(0.002)
    pool: Any = api.services.database.engine.pool
    return int(pool.checkedout())


def until(claim: Callable[[], bool]) -> None:
    end = time.monotonic() + 60
    while not claim():
        assert time.monotonic() < end, "it never came true"
        time.sleep(0.01)


def test_q13_a_process_with_no_room_to_wait_answers_at_once(api, monkeypatch):
    table = three(api)
    monkeypatch.setitem(long_poll._waiting, "others", [long_poll.Wait()] * api.services.settings.threads)
    ann, query = table.seated[0], {"after": table.version, "wait": 20}
    started = time.monotonic()
    early = table.get(ann, "events", query_string=query).ok()
    assert time.monotonic() - started < 15
    assert early.json["events"] == []
    assert 1 <= int(early.headers["Retry-After"]) <= 20, "it tells when to ask again (Q-13)"
    for headers in ({"If-None-Match": early.headers["ETag"]}, {"Accept": "text/plain"}):
        assert table.get(ann, "events", query_string=query, headers=headers).headers["Retry-After"]
    table.move(table.awaited, "place 1 1", "end")
    for news in (query, {"after": table.version, "wait": 0}, {"after": 0}):
        assert "Retry-After" not in table.get(ann, "events", query_string=news).ok().headers


def test_q13_a_long_poll_whose_time_is_over_may_be_asked_again_at_once(api):
    table = three(api)
    answer = table.get(table.seated[0], "events", query_string={"after": table.version, "wait": 1}).ok()
    assert "Retry-After" not in answer.headers


@pytest.mark.postgres
def test_t33_a_pool_that_is_used_up_is_503_with_retry_after(postgres_copy, settings_with):
    from tests.service.api.table import served

    with served(settings_with(DATABASE_URL=postgres_copy, POOL_SIZE="1")) as api:
        ann = api.player("ann")
        with api.services.database.read():
            started = time.monotonic()
            answer = api.get("/me", ann).refused(503, "unavailable")
            assert time.monotonic() - started < 20
            assert int(answer.headers["Retry-After"]) > 0
            assert api.get("//healthz").ok()
        api.get("/me", ann).ok()


def test_i15_what_others_seal_or_ask_of_the_clock_leaves_a_bots_version_good(api):
    """A bot reads the position once, then bids or moves with its version in If-Match (RFC 9110, 13.1.1)."""
    table = three(api)
    bidders = table.to_bids()
    seen = {bidder.name: table.get(bidder).ok().headers["ETag"] for bidder in bidders}
    sealed = {
        bidder.name: table.post(bidder, "bids", {"chips": {}}, headers={"If-Match": seen[bidder.name]}).status
        for bidder in bidders
    }
    asked = three(api)
    mover = asked.awaited
    tag = asked.get(mover).ok().headers["ETag"]
    other = next(player for player in asked.seated if player is not mover)
    asked.post(other, "clock", {"propose": "extend", "for": "P1D"}).ok(202)
    moved = asked.post(mover, "moves", PLACE, headers={"If-Match": tag}).status
    assert (sealed, moved) == ({bidder.name: 201 for bidder in bidders}, 201)
