"""Exchanges with the API, one for each operation, for the examples in its description.

    python -m tests.service.api.description.exchanges             # writes the examples again
    python -m tests.service.api.description.exchanges describe    # prints the description

Two people play a table of each game in a process of its own, where time stands and chance is a seeded generator: the
same exchanges to the byte in every run.
"""

import json
import os
import random
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

FILE = Path(__file__).parents[4] / "service" / "api" / "description" / "examples.json"
LONGEST = 6000
"""Characters of an example: what is longer is cut at its lists."""
NOW = "2026-11-20T18:00:00Z"


def generate() -> str:
    """The examples as the file holds them, made by a process of its own."""
    return _run("print")


def describe() -> str:
    """The whole description as a service at https://wardroom.example gives it, of the delivered rulesets alone."""
    return _run("describe")


def _run(what: str) -> str:
    variables = os.environ | {"PYTHONHASHSEED": "0", "TZ": "UTC"}
    command = [sys.executable, "-m", "tests.service.api.description.exchanges", what]
    made = subprocess.run(command, env=variables, cwd=FILE.parents[3], check=True, capture_output=True, text=True)
    return made.stdout


class Recorder:
    """Requests in process, and the last answer of each operation that succeeded."""

    def __init__(self, api: Any) -> None:
        self.api = api
        self.kept: dict[str, dict[str, Any]] = {}
        self.routes = api.app.url_map
        document = api.get("/openapi.json").ok().json
        self.names = {
            (method.upper(), path): operation["operationId"]
            for path, methods in document["paths"].items()
            for method, operation in methods.items()
            if method != "parameters"
        }

    def send(
        self, method: str, path: str, who: Any = None, json: Any = None, *, label: str | None = None, **more: Any
    ) -> Any:
        """Send a request; keep what was sent and answered. With a `label`, the body is kept beside those of others."""
        body = {} if json is None else {"json": json}
        answer = self.api.send(method, path, who, **body, **more)
        assert answer.status < 400, (method, path, answer.text[:600])
        route, _ = self.routes.bind("localhost").match(f"/api/v1{path}".partition("?")[0], method, return_rule=True)
        name = self.names[method, re.sub("<(?:[a-z]+:)?([a-z]+)>", r"{\1}", route.rule)]
        kind = answer.headers.get("Content-Type", "").partition(";")[0]
        shown: dict[str, Any] = {} if json is None else {"body": json}
        if kind == "application/json":
            shown["answer"] = answer.json
        elif kind.startswith("text/"):
            shown["answer"] = answer.text
        if label is not None:
            shown["bodies"] = {**self.kept.get(name, {}).get("bodies", {}), label: shown.pop("body")}
        self.kept[name] = {**shown, "status": answer.status, "type": kind}
        return answer.json


class StandingClock:
    """Time that goes on by a second whenever it is asked for."""

    def __init__(self, at: int) -> None:
        self.at = at

    def now(self, *_: Any) -> int:
        self.at += 1_000_000
        return self.at


def _settle_time() -> None:
    """Put a clock of ours in the place of time."""
    from service.kernel.clock import Clock, from_text

    clock = StandingClock(from_text(NOW))
    Clock.now = lambda self, connection=None: clock.now()  # type: ignore[method-assign]


@contextmanager
def _api() -> Iterator[Any]:
    """A service of its own, on SQLite, that stands at https://wardroom.example."""
    from config.settings import load
    from lab.seeded import SeededEntropy
    from service.app import create_app
    from service.container import assemble
    from service.store.database import Database
    from service.store.structure import migrate
    from tests.service.api.table import Api

    with tempfile.TemporaryDirectory() as folder:
        values = {
            "DATA_DIR": folder, "DATABASE_URL": f"sqlite:///{folder}/play.sqlite", "SECRET_KEY": "k" * 32,
            "RATE_LIMITS": "off", "BASE_URL": "https://wardroom.example",
        }  # fmt: skip
        settings = load({f"WARDROOM_{name}": value for name, value in values.items()})
        database = Database(settings.database_url, durable=False)
        migrate.upgrade(database)
        database.close()
        services = assemble(settings, entropy=SeededEntropy(1901), durable=False)
        yield Api(services, app=create_app(services))
        services.database.close()


def play() -> dict[str, Any]:
    """Play the games, and ask for everything: the examples, by operation."""
    _settle_time()
    with _api() as api:
        recorder = Recorder(api)
        ann, bob, cyd = api.players("ann bob cyd")
        _account(recorder, ann)
        _programs(recorder, ann)
        _devices(recorder, ann)
        _city_hall(recorder, ann, bob)
        _tammany_hall(recorder, ann, bob, cyd)
    return {name: _short(_without_references(shown)) for name, shown in sorted(recorder.kept.items())}


def _account(recorder: Recorder, ann: Any) -> None:
    send = recorder.send
    send("POST", "/players", None, {"name": "Dee", "email": "dee@example.org", "timezone": "Europe/Paris"})
    send("POST", "/tokens", None, {"email": "dee@example.org"})
    send("PATCH", "/me", ann, {"timezone": "Europe/Paris"})
    send("PATCH", "/me/profile", ann, {"games": "members"})
    send("PUT", "/me/leave", ann, {"from": "2026-12-24", "to": "2026-12-27"})
    hook = send("POST", "/me/webhooks", ann, {"url": "https://bot.example/turns"})["id"]
    for path in ("", "/tokens", "/profile", "/leave", "/mails", "/webhooks", "/feeds"):
        send("GET", f"/me{path}", ann)
    send("POST", f"/me/webhooks/{hook}/test", ann)
    send("GET", f"/me/webhooks/{hook}/deliveries", ann)
    send("POST", f"/me/webhooks/{hook}/secret", ann)
    send("PATCH", f"/me/webhooks/{hook}", ann, {"events": ["turn", "game-over"]})
    send("DELETE", f"/me/webhooks/{hook}", ann)
    send("POST", "/me/feeds", ann)
    send("DELETE", "/me/leave", ann)
    send("GET", "/rulesets")
    send("GET", "/rulesets/city-hall")


def _programs(recorder: Recorder, ann: Any) -> None:
    """A token for one thing."""
    wish = {"label": "watcher", "scopes": ["read"], "days": 30}
    recorder.send("POST", "/me/tokens", ann, wish)


def _devices(recorder: Recorder, ann: Any) -> None:
    """A browser that is called; its keys are those of RFC 8291, appendix A."""
    keys = {
        "p256dh": "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4",
        "auth": "BTBZMqHH6r4Tts7J_aSIgg",
    }
    subscription = {"endpoint": "https://push.example/ann", "keys": keys, "label": "Firefox on Android"}
    recorder.send("POST", "/me/push", ann, subscription)
    recorder.send("GET", "/me/push", ann)


def _city_hall(recorder: Recorder, ann: Any, bob: Any) -> None:
    """A game to its end, from which statistics and an audit are told."""
    opened = recorder.send("POST", "/games", ann, {"ruleset": "city-hall", "seats": 2})
    path = f"/games/{opened['id']}"
    position = recorder.send("POST", f"{path}/seats", bob, {"nonce": "a-nonce-of-sixteen"})
    dice, seated, api = random.Random(7), (ann, bob), recorder.api
    while position["awaiting"]:
        who = seated[position["awaiting"][0]]
        legal = api.get(f"{path}/actions", who).ok().json["actions"]
        action = dice.choice(legal)["action"]
        if action["type"] == "bid":
            position = recorder.send("POST", f"{path}/bids", who, action, label="an open auction")["game"]
        else:
            position = api.post(f"{path}/moves", who, {"actions": [action]}).ok(201).json["game"]
    for below in ("/statistics", "/audit", "/story", "/analysis", "/bundle"):
        recorder.send("GET", path + below, ann)
    recorder.send("POST", f"{path}/analysis", ann, {"strength": 1})
    recorder.send("DELETE", f"{path}/analysis", ann)


def _tammany_hall(recorder: Recorder, *seated: Any) -> None:
    """The first turns of a game with talk, orders, a note and a proposal."""
    send, (ann, bob, cyd) = recorder.send, seated
    opened = send("POST", "/games", ann, {"ruleset": "tammany-hall", "seats": 3, "clock": {"per_move": "P3D"}})
    path = f"/games/{opened['id']}"
    send("POST", f"{path}/seats", bob)
    position = send("POST", f"{path}/seats", cyd, {"nonce": "a-nonce-of-sixteen"})
    first = seated[position["awaiting"][0]]
    send("GET", "/me/turns", first)
    send("GET", f"{path}/actions", first)
    move = {"text": "place 14 14\nend"}
    send("POST", f"{path}/drafts", first, move)
    send("POST", f"{path}/moves?dry_run=1", first, move)
    position = send("POST", f"{path}/moves", first, move)["game"]
    send("PUT", f"{path}/orders", first, {"text": "ward 14 bid none"})
    send("GET", f"{path}/orders", first)
    send("DELETE", f"{path}/orders", first)
    send("POST", f"{path}/messages", ann, {"text": "Good luck to all."})
    send("PUT", f"{path}/note", ann, {"text": "Watch ward 14."})
    for below in ("/messages", "/note", "/notices", "/clock", "/rewind", "/board", "/checkpoint"):
        send("GET", path + below, ann)
    send("GET", f"{path}/diff?from=4&to=6", ann)
    send("POST", f"{path}/rewind", first, {"reason": "slip"})
    send("GET", path, ann)
    send("GET", "/games", ann)
    send("GET", f"{path}/events?after=4&limit=4", ann)
    send("GET", "/me/events?limit=4", ann)
    _proposals(recorder, path, seated)
    _with_a_bot(recorder, ann, bob)
    _sealed_bid(recorder, seated)
    send("GET", "/me/export", ann)
    send("DELETE", f"{path}/note", ann)
    send("GET", f"/players/{ann.id}", bob)
    send("PUT", f"/me/avoided/{bob.id}", ann, {"how": "mute"})
    send("GET", "/me/avoided", ann)
    send("DELETE", f"/me/avoided/{bob.id}", ann)


def _proposals(recorder: Recorder, path: str, seated: tuple[Any, ...]) -> None:
    """What players agree on: going back past the move of another, and a pause."""
    movers = []
    for _ in range(2):
        waited_for = recorder.api.get(path, seated[0]).ok().json["awaiting"][0]
        movers.append(seated[waited_for])
        recorder.api.post(f"{path}/moves", seated[waited_for], {"text": "place 14 14\nend"}).ok(201)
    first, second = movers
    slip, pause = {"reason": "slip"}, {"propose": "pause", "for": "P7D"}
    recorder.send("POST", f"{path}/rewind", first, slip)
    recorder.send("DELETE", f"{path}/rewind", first)
    recorder.api.post(f"{path}/rewind", first, slip).ok(202)
    recorder.send("POST", f"{path}/rewind/vote", second, {"agree": False})
    recorder.send("POST", f"{path}/clock", first, pause)
    recorder.send("DELETE", f"{path}/clock/proposal", first)
    recorder.api.post(f"{path}/clock", first, pause).ok(202)
    recorder.send("POST", f"{path}/clock/vote", second, {"agree": True})


def _sealed_bid(recorder: Recorder, seated: tuple[Any, ...]) -> None:
    """The first bid of a game of Tammany Hall."""
    api, dice = recorder.api, random.Random(7)
    opened = api.post("/games", seated[0], {"ruleset": "tammany-hall", "seats": len(seated)}).ok(201).json
    path = f"/games/{opened['id']}"
    for guest in seated[1:]:
        position = api.post(f"{path}/seats", guest).ok(201).json
    while True:
        who = seated[position["awaiting"][0]]
        legal = [listed["action"] for listed in api.get(f"{path}/actions", who).ok().json["actions"]]
        if legal[-1]["type"] == "bid":
            break
        position = api.post(f"{path}/moves", who, {"actions": [dice.choice(legal)]}).ok(201).json["game"]
    recorder.send("POST", f"{path}/bids", who, legal[-1], label="a sealed bid, as GET actions lists it")


def _with_a_bot(recorder: Recorder, host: Any, guest: Any) -> None:
    """A table that begins before it is full, with a bot."""
    opened = recorder.send("POST", "/games", host, {"ruleset": "tammany-hall", "seats": 5})
    path = f"/games/{opened['id']}"
    recorder.send("POST", f"{path}/seats", guest)
    recorder.send("DELETE", f"{path}/seats/me", guest)
    bot = {"strength": 2, "temper": "patient"}
    recorder.send("PUT", f"{path}/seats/1/bot", host, bot)
    recorder.send("DELETE", f"{path}/seats/1/bot", host)
    for seat in (1, 2):
        recorder.api.send("PUT", f"{path}/seats/{seat}/bot", host, json=bot).ok()
    recorder.send("PUT", f"{path}/name", host, {"name": "Five Points"})
    recorder.send("POST", f"{path}/start", host)
    recorder.send("POST", f"{path}/resignation", host, {"confirm": True})
    (leaver,) = recorder.api.players("eve")
    recorder.send("DELETE", "/me", leaver, {"email": recorder.api.get("/me", leaver).ok().json["email"]})


def _without_references(shown: Any) -> Any:
    """The example with `{}`, any schema, for each reference of a schema it holds: readers would look for its end."""
    if isinstance(shown, dict):
        kept = shown.keys() - {"$ref", "$defs", "mapping"}
        return {name: _without_references(value) for name, value in shown.items() if name in kept}
    return [_without_references(value) for value in shown] if isinstance(shown, list) else shown


def _short(shown: Any) -> Any:
    """The example with its longest lists cut to three, where it is long. What is left is what was sent."""
    if len(json.dumps(shown)) <= LONGEST:
        return shown
    if isinstance(shown, dict):
        return {name: _short(value) for name, value in shown.items()}
    return [_short(value) for value in shown[:3]] if isinstance(shown, list) else shown


if __name__ == "__main__":
    match sys.argv[1:]:
        case ["print"]:
            print(json.dumps(play(), indent=1, ensure_ascii=False, sort_keys=True))
        case ["describe"]:
            with _api() as described:
                print(described.get("/openapi.json").ok().text)
        case _:
            FILE.write_text(generate())
