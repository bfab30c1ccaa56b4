"""The contract of the client: every operation of the description is asked for through it, in one evening of play.

What is asked comes from `exchanges`, which plays a game of each kind and asks for everything; here the client asks.
Where it has a method of its own for an operation, METHODS says which.
"""

import re
from collections.abc import Callable
from typing import Any
from urllib.parse import parse_qsl

import pytest
from jsonschema import Draft202012Validator
from wardroom_client import Conflict, Game, Wardroom

from service.api.description.document import operations
from tests.clients.in_process import client_of
from tests.service.api.description import exchanges
from tests.service.api.table import Api, Player

Call = Callable[[Wardroom, Game, dict[str, str], Any], Any]
METHODS: dict[str, Call] = {
    "getMe": lambda client, game, query, body: client.me(),
    "listTurns": lambda client, game, query, body: {"items": client.turns(), "next": None},
    "listGames": lambda client, game, query, body: {"items": list(client.games(**query)), "next": None},
    "openGame": lambda client, game, query, body: client.open(**body).position(),
    "getGame": lambda client, game, query, body: game.position(),
    "takeSeat": lambda client, game, query, body: game.sit(**(body or {})),
    "leaveSeat": lambda client, game, query, body: game.leave(),
    "startGame": lambda client, game, query, body: game.start(),
    "getBoardText": lambda client, game, query, body: game.board(),
    "listActions": lambda client, game, query, body: {**_listed(client, game), "actions": game.legal()},
    "playMoves": lambda client, game, query, body: game.draft(body["text"]).play(),
    "previewMoves": lambda client, game, query, body: game.draft(body["text"]).preview(),
    "placeBid": lambda client, game, query, body: game.bid(**body),
    "listEvents": lambda client, game, query, body: game.events(**{name: int(value) for name, value in query.items()}),
    "compareVersions": lambda client, game, query, body: game.diff(int(query["from"]), int(query["to"])),
}
"""The methods of the client that stand for an operation, with a game, a query and a body as they would be sent."""


def _listed(client: Wardroom, game: Game) -> dict[str, Any]:
    listed: dict[str, Any] = client.request("GET", f"/games/{game.id}/actions")
    return listed


class Asked(exchanges.Recorder):
    """Exchanges through the client; each answer fits what the description says of the operation."""

    def __init__(self, api: Api) -> None:
        super().__init__(api)
        self.document = api.get("/openapi.json").ok().json
        self.answers = {
            operation["operationId"]: list(_answers(operation)) for _, _, operation in operations(self.document)
        }
        self.asked: set[str] = set()

    def send(self, method: str, path: str, who: Any = None, json: Any = None, **_: Any) -> Any:
        where, _, query = path.partition("?")
        route, _ = self.routes.bind("localhost").match(f"/api/v1{where}", method, return_rule=True)
        name = self.names[method, re.sub("<(?:[a-z]+:)?([a-z]+)>", r"{\1}", route.rule)]
        self.asked.add(name)
        with client_of(self.api, who) as client:
            own = None if "dry_run" in query else METHODS.get(name)
            game = client.game(where.split("/")[2] if where.startswith("/games/") else "")
            answer = own(client, game, dict(parse_qsl(query)), json) if own else client.request(method, path, json)
        self.fits(name, answer)
        return answer

    def fits(self, name: str, answer: Any) -> None:
        """The answer is one that the description has: None for no body, text and bytes where they are no JSON."""
        kinds = {kind for kind, _ in self.answers[name]}
        if answer is None or not isinstance(answer, dict):
            kind = {type(None): "", str: "text/plain"}.get(type(answer))
            assert kind in kinds if kind is not None else kinds & {"image/svg+xml", "image/png", "application/zip"}, (
                name
            )
            return
        schemas = [schema for kind, schema in self.answers[name] if kind == "application/json"]
        whole = {"anyOf": schemas, "components": self.document["components"]}
        errors = [error.message[:300] for error in Draft202012Validator(whole).iter_errors(answer)]
        assert not errors, (name, errors)


def _answers(operation: dict[str, Any]) -> Any:
    """Kind and schema of all answers to an operation that succeeded."""
    for status, response in operation["responses"].items():
        if status.startswith("2"):
            yield from (
                (kind, content["schema"]) for kind, content in response.get("content", {"": {"schema": {}}}).items()
            )


@pytest.mark.slow
def test_the_client_can_ask_for_every_operation(sqlite_api):
    asked = Asked(sqlite_api)
    ann, bob, cyd = sqlite_api.players("ann bob cyd")
    exchanges._account(asked, ann)
    exchanges._programs(asked, ann)
    exchanges._devices(asked, ann)
    exchanges._city_hall(asked, ann, bob)
    exchanges._tammany_hall(asked, ann, bob, cyd)
    _what_gives_no_example(asked, ann, bob)
    assert asked.asked == set(asked.answers)


def _what_gives_no_example(asked: Asked, ann: Player, bob: Player) -> None:
    """Pictures, and what is answered with nothing."""
    game = asked.send("POST", "/games", ann, {"ruleset": "city-hall", "seats": 2, "bots": 1})["id"]
    for path in ("board", "board.svg", "board.png"):
        assert asked.send("GET", f"/games/{game}/{path}", ann)
    message = asked.send("POST", f"/games/{game}/messages", ann, {"text": "Hello"})["id"]
    asked.send("DELETE", f"/games/{game}/messages/{message}", ann)
    asked.send("DELETE", f"/me/mutes/{game}", ann)
    hook = asked.send("POST", "/me/webhooks", ann, {"url": "https://bot.example/turns"})["id"]
    asked.send("POST", f"/me/webhooks/{hook}/test", ann)
    (delivery,) = asked.send("GET", f"/me/webhooks/{hook}/deliveries", ann)["items"]
    with pytest.raises(Conflict, match="on its way"):
        asked.send("POST", f"/me/webhooks/{hook}/deliveries/{delivery['id']}/replay", ann)
    asked.send("DELETE", "/me/feeds", ann)
    (device,) = asked.send("GET", "/me/push", ann)["items"]
    asked.send("POST", f"/me/push/{device['id']}/test", ann)
    asked.send("DELETE", f"/me/push/{device['id']}", ann)
    asked.send("DELETE", "/me/push", ann)
    token = asked.send("POST", "/me/tokens", bob, {"label": "short", "scopes": ["read"], "days": 1})["id"]
    asked.send("DELETE", f"/me/tokens/{token}", bob)
    asked.send("DELETE", "/me/tokens", bob)


def test_a_query_in_the_path_is_sent(sqlite_api):
    """Also beside other parameters: what is meant as a dry run must never be done."""
    table = sqlite_api.begin(*sqlite_api.players("ann bob cyd"))
    with client_of(sqlite_api, table.awaited) as client:
        before = client.game(table.id).position()["version"]
        move = {"text": "place 14 14"}
        assert client.request("POST", f"{table.path}/moves?dry_run=1", move)["dry_run"]
        assert client.request("POST", f"{table.path}/moves", move, dry_run=1)["dry_run"]
        assert client.game(table.id).position()["version"] == before
        (event,) = client.request("GET", f"{table.path}/events?after=1", limit=1)["events"]
        assert event["version"] == 2


def test_an_answer_is_a_document_a_text_or_bytes(sqlite_api):
    table = sqlite_api.begin(*sqlite_api.players("ann bob cyd"))
    with client_of(sqlite_api, table.awaited) as client:
        assert client.request("GET", f"{table.path}/board").startswith("TAMMANY HALL")
        assert client.request("GET", f"{table.path}/board.png").startswith(b"\x89PNG")
        assert client.request("GET", "/me") == client.me()
        assert client.request("DELETE", f"/me/mutes/{table.id}") is None
