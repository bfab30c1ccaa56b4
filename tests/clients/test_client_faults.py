"""A bot over a network that drops, doubles, delays, cuts off and lies: no move is doubled, no turn is lost."""

import json
import logging
import random
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime

import httpx
import pytest
from wardroom_client import Bot, Retries, TooMany, Unreachable, Wardroom, webhooks
from wardroom_client.cursors import Cursor
from wardroom_client.problems import seconds
from wardroom_client.retries import is_whole

from tests.unreadable_dates import UNREADABLE_DATES

GAMES = ("a", "b")
TURNS = 3
RUNS = 150
FAULTS = "fine fine fine lost unanswered twice late 502 502-done half eof 429".split()


class Server:
    """As much of the API as a bot uses: keys, If-Match, decisions; a move ends one and asks the next."""

    def __init__(self) -> None:
        self.version = dict.fromkeys(GAMES, 1)
        self.moves: list[tuple[str, str]] = []
        self.kept: dict[str, tuple[bytes, httpx.Response]] = {}

    def turns(self) -> list[dict[str, object]]:
        return [
            {"game": game, "ruleset": "x", "seat": 0, "decision": f"{at}.0", "since": at, "due": None}
            for game, at in self.version.items()
            if at <= TURNS
        ]

    def answer(self, request: httpx.Request) -> httpx.Response:
        path = request.url.path.removeprefix("/api/v1")
        if path == "/me/turns":
            return httpx.Response(200, json={"items": self.turns(), "next": None})
        if path == "/me/events":
            if request.headers["Accept"] != "application/x-ndjson":
                return httpx.Response(404)
            lines = "\n".join(["", *(json.dumps(turn) for turn in self.turns()), ""])
            return httpx.Response(200, text=lines, headers={"Content-Type": "application/x-ndjson"})
        game = path.split("/")[2]
        at = self.version[game]
        if request.method == "GET":
            you = {"seat": 0, "awaited": at <= TURNS, "decision": f"{at}.0", "due": None}
            return httpx.Response(200, json={"version": at, "you": you, "state": {}})
        return self.move(request, game)

    def move(self, request: httpx.Request, game: str) -> httpx.Response:
        key, at = request.headers["Idempotency-Key"], self.version[game]
        if key in self.kept:
            body, answer = self.kept[key]
            assert body == request.content
            return answer
        if request.headers["If-Match"] != f'"{at}"':
            return httpx.Response(412, json={"code": "stale", "detail": "Stale.", "version": at, "events": []})
        self.moves.append((game, f"{at}.0"))
        self.version[game] = at + 1
        answer = httpx.Response(
            201, json={"version": at + 1, "game": {"status": "running" if at < TURNS else "finished"}}
        )
        self.kept[key] = (request.content, answer)
        return answer


class Network(httpx.BaseTransport):
    """What lies between."""

    def __init__(self, server: Server, rng: random.Random) -> None:
        self.server, self.rng = server, rng
        self.late: list[httpx.Request] = []

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        if self.late and self.rng.random() < 0.3:
            self.server.answer(self.late.pop(0))
        fault = self.rng.choice(FAULTS)
        if fault == "late":
            self.late.append(request)
        early: dict[str, Callable[[], httpx.Response]] = {
            "502": lambda: httpx.Response(502, text="<html>"),
            "429": lambda: httpx.Response(429, json={"code": "too-many-requests"}, headers={"Retry-After": "0"}),
        }
        if fault in early:
            return early[fault]()
        if fault in ("lost", "late"):
            raise httpx.ConnectError("lost")
        answer = self.server.answer(request)
        if fault == "twice":
            answer = self.server.answer(request)
        if fault == "unanswered":
            raise httpx.ReadTimeout("no answer")
        if fault == "eof":
            raise httpx.RemoteProtocolError("closed")
        if fault == "502-done":
            return httpx.Response(502)
        headers = {"Content-Type": answer.headers.get("Content-Type", ""), "Content-Length": f"{len(answer.content)}"}
        content = answer.content[: len(answer.content) // 2] if fault == "half" else answer.content
        return httpx.Response(answer.status_code, headers=headers, content=content)


class Killed(Exception):
    """The process of the bot dies."""


def run(seed: int) -> Server:
    """One bot until nothing waits any more; now and then it is killed, and started again with its cursor."""
    rng = random.Random(seed)
    server, cursor = Server(), Cursor()
    bot = Bot()
    bot.turn("x")(lambda question: f"go {question.seat}")
    retries = Retries(attempts=4, first=0, longest=0, rng=rng)
    while server.turns():
        with Wardroom("http://far.test", "wr_1", retries=retries, transport=Network(server, rng)) as client:
            try:
                for turn in client.follow(cursor):
                    bot.answer(client, turn)
                    if not server.turns():
                        break
                    if rng.random() < 0.2:
                        raise Killed
            except Killed:
                continue
    return server


def wanted() -> list[tuple[str, str]]:
    return [(game, f"{at}.0") for game in GAMES for at in range(1, TURNS + 1)]


def test_a_bot_says_what_it_plays_and_when_a_game_is_over(caplog):
    caplog.set_level(logging.INFO, "wardroom")
    server, bot = Server(), Bot()
    bot.turn("x")(lambda question: ["go", f"{question.seat}"])
    with Wardroom("http://far.test", "wr_1", transport=httpx.MockTransport(server.answer)) as client:
        while (turn := server.turns()[0])["game"] == "a":
            bot.answer(client, turn)  # type: ignore[arg-type]
    assert caplog.messages == [*(f"game a, version {at}: go; 0" for at in (1, 2, 3)), "game a is over"]


@pytest.mark.timeout(1800)
@pytest.mark.parametrize("runs", [RUNS, pytest.param(10_000, marks=pytest.mark.long)])
def test_no_move_is_doubled_and_no_turn_lost(runs):
    for seed in range(runs):
        assert sorted(run(seed).moves) == wanted(), seed


@pytest.mark.parametrize("token, tried", [("wr_1", 3), (None, 1)])
def test_writes_are_tried_again_only_where_a_key_holds(token, tried):
    """Without a token no key is looked at: a second attempt could do it twice."""
    keys: list[str | None] = []

    def lose(request: httpx.Request) -> httpx.Response:
        keys.append(request.headers.get("Idempotency-Key"))
        raise httpx.ReadError("gone")

    client = Wardroom(
        "http://far.test", token, retries=Retries(attempts=3, first=0), transport=httpx.MockTransport(lose)
    )
    with pytest.raises(Unreachable, match="POST /tokens"):
        client.request("POST", "/tokens", {"email": "a@b.c"})
    assert len(keys) == tried
    assert len(set(keys)) == 1
    assert (keys[0] is None) == (token is None)


def test_retry_after_is_honoured_and_has_an_end():
    retries = Retries(first=1, longest=1)
    assert 7 <= (retries.pause(1, 7) or 0) <= 8
    assert retries.pause(1, 61) is None
    assert retries.pause(retries.attempts) is None

    def busy(request: httpx.Request) -> httpx.Response:
        return httpx.Response(429, json={"code": "too-many-requests", "detail": "Wait."}, headers={"Retry-After": "99"})

    client = Wardroom("http://far.test", "wr_1", transport=httpx.MockTransport(busy))
    with client, pytest.raises(TooMany) as found:
        client.me()
    assert found.value.retry_after == 99


DATE = "Mon, 23 Nov 2026 16:00:00 GMT"


@pytest.mark.parametrize(
    "headers, wait",
    [
        ({"Retry-After": "7", "Date": DATE}, 7),
        ({"Retry-After": "Mon, 23 Nov 2026 16:01:30 GMT", "Date": DATE}, 90),
        ({"Retry-After": "Mon, 23 Nov 2026 16:01:30 -0000", "Date": DATE}, 90),
        ({"Retry-After": "Mon, 23 Nov 2026 15:59:00 GMT", "Date": DATE}, 0),
        ({"Retry-After": "Mon, 23 Nov 2020 16:00:00 GMT"}, 0),
        ({"Retry-After": "soon", "Date": DATE}, None),
        ({"Date": DATE}, None),
    ],
)
def test_retry_after_is_a_number_or_a_date(headers, wait):
    assert seconds(httpx.Headers(headers)) == wait


def test_rfc9110_10_2_3_what_cannot_be_read_counts_as_absent():
    for given in UNREADABLE_DATES:
        assert seconds({"Retry-After": given}) is None, given
        assert seconds({"Retry-After": DATE, "Date": given}) == 0, given
        with pytest.raises(webhooks.NotGenuine):
            webhooks.verify({"webhook-id": "1", "webhook-timestamp": given}, b"{}", "whsec_AAAA")
    request = httpx.Request("GET", "http://x")
    assert is_whole(httpx.Response(200, headers={"Content-Length": "9" * 5000}, request=request))


def test_a_date_without_another_is_compared_with_this_clock():
    soon = format_datetime(datetime.now(UTC) + timedelta(seconds=100), usegmt=True)
    assert 90 < (seconds({"Retry-After": soon}) or 0) <= 100
