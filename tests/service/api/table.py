"""People, tables and requests in few words.

    ann, bob, cyd = api.players("ann bob cyd")
    table = api.begin(ann, bob, cyd)                       # opened, everybody seated, running
    table.move(table.awaited, "place 1 1", "end")          # 201, or the test fails
    table.post(bob, "moves", {"text": "end"}).refused(409, "not-your-turn", "TH-4.2")

`to_bids` plays on until the three of them bid for a ward, each with chips to bid.
"""

import contextlib
import hashlib
import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Self

import sqlalchemy as sa
from flask import Flask, Response
from flask.testing import EnvironBuilder
from sqlmodel import SQLModel
from werkzeug.test import run_wsgi_app

from config.settings import Settings
from service.accounts import people as players
from service.container import Services, assemble
from service.games.rule_links import rule_link
from service.kernel.entropy import Entropy
from tests.apps import app_of, give_back

V1 = "/api/v1"
PROBLEM = "application/problem+json"
CALLER = {"REMOTE_ADDR": "127.0.0.1"}
ROWS = " UNION ALL ".join(f"SELECT '{name}', count(*) FROM {name}" for name in SQLModel.metadata.tables)
"""How many rows every table has, by its name."""


@dataclass(frozen=True)
class Player:
    """Somebody with a token."""

    name: str
    id: str
    token: str

    @property
    def headers(self) -> dict[str, str]:
        return {"Authorization": f"Bearer {self.token}"}


class Answer:
    """A response, and what a test may claim of it."""

    def __init__(self, response: Response) -> None:
        self.status = response.status_code
        self.headers = response.headers
        self.data: bytes = response.data
        self.text = self.data.decode("utf-8", "surrogateescape")
        self.json: Any = response.get_json(silent=True) or ({} if response.mimetype == PROBLEM else None)

    def tag(self, version: int) -> str:
        """The ETag that tells a game at a version and these very bytes (RFC 9110, DESIGN-8)."""
        return f'"{version}.{hashlib.sha256(self.data).hexdigest()}"'

    def ok(self, status: int = 200) -> Self:
        """The status is the one expected; else the test fails with the answer in view."""
        assert self.status == status, f"{self.status}: {self.text[:600]}"
        return self

    def refused(self, status: int, code: str, rule: str | None = None) -> Self:
        """A problem of this status and code (and rule), whole and in a sentence for people (S-37)."""
        assert (self.status, self.json.get("code")) == (status, code), f"{self.status}: {self.text[:600]}"
        assert self.headers["Content-Type"] == PROBLEM
        problem = self.json
        assert problem["status"] == status
        assert problem["title"]
        assert problem["type"].endswith(code)
        assert len(problem["detail"]) > 10
        assert problem["detail"][-1] in ".?!"
        assert not any(word in problem["detail"] for word in ("Traceback", "Error(", "psycopg", "sqlite", "SELECT"))
        if rule:
            assert problem["rule"] == rule
            assert problem.get("rule_url", "").partition("/rules/")[2] == rule_link(rule).removeprefix("/rules/")
        return self


@dataclass
class Api:
    """The API of one service, spoken to in process."""

    services: Services
    people: dict[str, Player] = field(default_factory=dict)
    app: Flask = None  # type: ignore[assignment]
    domain: str = "example.org"
    """Where people have their mailboxes; those of Tables have theirs at people.example."""

    def __post_init__(self) -> None:
        self.app = self.app or app_of(self.services)

    def player(self, name: str) -> Player:
        """The player of this name, with a token."""
        if name not in self.people:
            with self.services.database.write() as tx:
                token = players.token_for(self.services, tx, f"{name}@{self.domain}", name)
                found = players.who(tx, token)
            assert found
            self.people[name] = Player(name, found.player, token)
        return self.people[name]

    def players(self, names: str) -> list[Player]:
        """The players of these names."""
        return [self.player(name) for name in names.split()]

    def send(
        self,
        method: str,
        path: str,
        who: Player | None = None,
        *,
        headers: Mapping[str, str] | None = None,
        **more: Any,
    ) -> Answer:
        """Any request: `path` below /api/v1, or from the root when it begins with "//"."""
        target = path[1:] if path.startswith("//") else V1 + path
        known = who.headers if who else {}
        given = {"method": method, "headers": {**known, **(headers or {})}, "environ_base": CALLER, **more}
        environ = EnvironBuilder(self.app, target, **given).get_environ()
        # no client of Flask's: its cookies and redirects, and a request read back, cost a fifth of an answer
        return Answer(Response(*run_wsgi_app(self.app, environ, buffered=True)))

    def get(self, path: str, who: Player | None = None, **more: Any) -> Answer:
        return self.send("GET", path, who, **more)

    def post(self, path: str, who: Player | None = None, json: Any = None, **more: Any) -> Answer:
        return self.send("POST", path, who, **({} if json is None else {"json": json}), **more)

    def patch(self, path: str, who: Player | None = None, json: Any = None, **more: Any) -> Answer:
        return self.send("PATCH", path, who, json=json, **more)

    def delete(self, path: str, who: Player | None = None, **more: Any) -> Answer:
        return self.send("DELETE", path, who, **more)

    def open(self, host: Player, seats: int = 3, **terms: Any) -> "ApiTable":
        """A table opened by `host`; a number of bots is so many that play at once."""
        if isinstance(bots := terms.get("bots"), int):
            terms["bots"] = [{"strength": 0}] * bots
        game = self.post("/games", host, {"ruleset": "tammany-hall", "seats": seats} | terms).ok(201)
        return ApiTable(self, game.json["id"], [host])

    def begin(self, *sitters: Player, **terms: Any) -> "ApiTable":
        """A table of just these players and bots, running."""
        bots = terms.get("bots", 0)
        bots = bots if isinstance(bots, int) else len(bots)
        table = self.open(sitters[0], terms.pop("seats", len(sitters) + bots), **terms)
        for one in sitters[1:]:
            table.sit(one)
        return table

    def rows(self) -> dict[str, int]:
        """How many rows every table has."""
        with self.services.database.read() as connection:
            return dict(connection.exec_driver_sql(ROWS).fetchall())

    def kept(self) -> tuple[dict[str, int], list[tuple[Any, ...]]]:
        """What must not change when a request is refused: row counts, and the heads of all games."""
        with self.services.database.read() as connection:
            heads = connection.execute(sa.text("SELECT id, version, hash, status FROM games ORDER BY id")).all()
        return self.rows(), [tuple(head) for head in heads]


@contextlib.contextmanager
def served(settings: Settings, entropy: Entropy | None = None) -> Iterator[Api]:
    """The API under these settings; its connections are closed afterwards."""
    services = assemble(settings, entropy=entropy, durable=False)
    app = app_of(services)
    try:
        yield Api(services, app=app)
    finally:
        services.database.close()
        give_back(app)


@dataclass
class ApiTable:
    """A game, and who sits at it, by seat."""

    api: Api
    id: str
    seated: list[Player]

    @property
    def path(self) -> str:
        return f"/games/{self.id}"

    def sit(self, player: Player, **nonce: str) -> Answer:
        """Take the next seat."""
        answer = self.api.post(f"{self.path}/seats", player, nonce).ok(201)
        self.seated.append(player)
        return answer

    def get(self, who: Player, what: str = "", **more: Any) -> Answer:
        """GET of the game, or of what is below it."""
        return self.api.get(f"{self.path}/{what}".rstrip("/"), who, **more)

    def post(self, who: Player, what: str, json: Any = None, **more: Any) -> Answer:
        """POST below the game."""
        return self.api.post(f"{self.path}/{what}", who, json, **more)

    def position(self, who: Player | None = None) -> dict[str, Any]:
        """The game as somebody sees it now; the host, if nobody is named."""
        document: dict[str, Any] = self.get(who or self.seated[0]).ok().json
        return document

    @property
    def version(self) -> int:
        return int(self.position()["version"])

    @property
    def awaited(self) -> Player:
        """Who must act; the first of them in a bidding round."""
        seat: int = self.position()["awaiting"][0]
        return self.seated[seat]

    def move(self, player: Player, *lines: str, **headers: str) -> Answer:
        """A move in the notation that must be accepted."""
        return self.post(player, "moves", {"text": "\n".join(lines)}, headers=headers).ok(201)

    def bid(self, player: Player, **chips: int) -> Answer:
        """A bid that must be accepted."""
        return self.post(player, "bids", {"chips": chips}).ok(201)

    def legal(self, player: Player) -> list[str]:
        """The player's legal actions in the notation."""
        return [one["text"] for one in self.get(player, "actions").ok().json["actions"]]

    def events(self, who: Player, **query: Any) -> list[dict[str, Any]]:
        """All events as somebody may see them."""
        events: list[dict[str, Any]] = self.get(who, "events", query_string={"limit": 500, **query}).ok().json["events"]
        return events

    def export(self, who: Player) -> list[bytes]:
        """The export as somebody may see it, line by line."""
        export: bytes = self.get(who, "events", headers={"Accept": "application/x-ndjson"}).ok().data
        return export.splitlines()

    def to_bids(self) -> list[Player]:
        """Play until three or more owe a bid, everyone with chips: who owes one."""
        while (position := self.position())["state"]["phase"] == "turn":
            player = self.seated[position["awaiting"][0]]
            legal = self.legal(player)
            settle = [one for one in legal if one.startswith("settle boss 1 ") and one.endswith(" 1")]
            self.move(player, (settle or ["place 1 1"])[0], "end")
        assert position["state"]["phase"] == "bid", position["state"]["phase"]
        return [self.seated[seat] for seat in position["awaiting"]]

    def purse(self, player: Player) -> dict[str, int]:
        """The chips a candidate may use in the bidding that is open."""
        state = self.position(player)["state"]
        seat = self.seated.index(player)
        usable = next(one["usable"] for one in state["bidding"]["candidates"] if one["seat"] == seat)
        return {colour: count for colour, count in usable.items() if count}

    def play_out(self, seed: int, most: int = 2000) -> Iterator[tuple[Player, str, Answer]]:
        """Random legal moves, one action at a time, to the end of the game: who, what, and the answer."""
        dice = random.Random(seed)
        awaiting: Sequence[int] = self.position()["awaiting"]
        for _ in range(most):
            if not awaiting:
                return
            player = self.seated[dice.choice(awaiting)]
            legal = self.legal(player)
            text = "end" if "end" in legal and dice.random() < 0.8 else dice.choice(legal)
            answer = self.move(player, text)
            yield player, text, answer
            awaiting = answer.json["game"]["awaiting"]
        raise AssertionError(f"the game is not over after {most} moves")
