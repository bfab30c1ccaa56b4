"""What a page of a game costs the server, and how much of it travels. Run it with `python3 dev.py bench pages`.

The application answers in this process, on SQLite, without a network; the game is in the midst of its course. What a
browser makes of it is measured by hand (bench/README.md).
"""

import gzip
import random
import time
from collections.abc import Callable
from html.parser import HTMLParser
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

from flask import Flask
from flask.testing import FlaskClient

from config.settings import load
from service.accounts import people
from service.app import create_app
from service.container import Services, assemble
from service.games import play
from service.games.play import Orders
from service.store.structure import migrate
from service.web.http.session import begin_session

MOVES: Final = 60
"""Turns before the page is looked at."""


class Fields(HTMLParser):
    """The fields of the form of the draft."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.found: dict[str, str] = {}
        self.pick = ""
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = {name: value or "" for name, value in attrs}
        if tag == "input" and given.get("name") in ("csrf", "version", "key"):
            self.found.setdefault(given["name"], given.get("value", ""))
        if tag == "button" and given.get("name") == "pick":
            self.pick = self.pick or given["value"]


def main(rounds: int = 200) -> None:
    """Measure and print."""
    print(f"{'page':<30}{'p50 ms':>8}{'p95 ms':>8}{'KB':>8}{'KB gzip':>9}")
    for kind in ("tammany-hall", "city-hall"):
        with TemporaryDirectory() as folder:
            _measure(kind, rounds, *_at_a_game(Path(folder), kind))


def _measure(kind: str, rounds: int, client: FlaskClient, address: str) -> None:
    fields = Fields(client.get(address).text)
    draft, own = {**fields.found, "text": "", "pick": fields.pick}, {"Sec-Fetch-Site": "same-origin"}
    _print(f"{kind}: game", rounds, lambda: client.get(address))
    _print(f"{kind}: draft", rounds, lambda: client.post(f"{address}/draft", data=draft, headers=own))
    _print(f"{kind}: orders", rounds, lambda: client.get(f"{address}/orders"))
    _print(f"{kind}: turns", rounds, lambda: client.get("/turns"))


def _print(name: str, rounds: int, ask: Callable[[], Any]) -> None:
    taken = []
    for _ in range(rounds):
        start = time.perf_counter()
        answer = ask()
        taken.append(1000 * (time.perf_counter() - start))
        assert answer.status_code == 200, answer.text
    taken.sort()
    body = answer.get_data()
    small = len(gzip.compress(body, 5))
    p50, p95 = taken[len(taken) // 2], taken[int(0.95 * (len(taken) - 1))]
    print(f"{name:<30}{p50:>8.1f}{p95:>8.1f}{len(body) / 1024:>8.1f}{small / 1024:>9.1f}")


def _at_a_game(folder: Path, kind: str) -> tuple[FlaskClient, str]:
    """A browser of whoever is asked, and the address of a game for three after some turns at random."""
    settings = load({"WARDROOM_DATA_DIR": str(folder), "WARDROOM_RATE_LIMITS": "off"})
    services = assemble(settings, durable=False)
    migrate.upgrade(services.database)
    with services.database.write() as tx:
        ids = [people.welcome(services, tx, f"{name}@people.example", name) for name in ("Ann", "Bob", "Cyd")]
    game = _begin(services, kind, ids)
    asked = _play(services, game, random.Random(kind))
    app = create_app(services)
    client = app.test_client()
    sign_in(app, client, services, ids[asked])
    return client, f"/g/{game}"


def _begin(services: Services, kind: str, ids: list[str]) -> str:
    terms: dict[str, Any] = {"kind": kind, "seats": 3, "options": {}, "clock": {}, "public": True, "bots": 0}
    with services.database.write() as tx:
        game = play.open_game(services, tx, ids[0], invite=[], nonce=None, **terms).head.game
    for player in ids[1:]:
        with services.database.write() as tx:
            play.take_seat(services, tx, game, player, None)
    return game


def _play(services: Services, game: str, chance: random.Random) -> int:
    """Some turns at random; whose turn it is then."""
    for _ in range(MOVES):
        with services.database.write() as tx:
            head = services.streams.locked(tx, game)
            decider, table = head.rules.decider, head.table
            seat = min(decider.awaiting(table.game))
            legal = decider.legal_actions(decider.blind(table.game, seat), seat).actions
            text = head.rules.notation.write(chance.choice(legal))
            play.move(services, tx, head, table.chairs[seat].player or "", Orders(text=text))
    with services.database.read() as connection:
        head = services.streams.head(connection, game)
    return int(min(head.rules.decider.awaiting(head.table.game)))


def sign_in(app: Flask, client: FlaskClient, services: Services, player: str) -> None:
    """Have a browser be signed in as a player."""
    with app.test_request_context(), services.database.write() as tx:
        cookie = begin_session(app.response_class(), tx, player).headers["Set-Cookie"]
    name, _, value = cookie.partition(";")[0].partition("=")
    client.set_cookie(name, value)
