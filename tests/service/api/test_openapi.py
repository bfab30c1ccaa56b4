"""The API's own description is valid and true: a fuzzer that believes it finds nothing untrue (G-12)."""

import os
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import schemathesis
import sqlalchemy as sa
from hypothesis import HealthCheck
from hypothesis import settings as of_hypothesis
from openapi_spec_validator import OpenAPIV31SpecValidator, validate
from schemathesis.config import SchemathesisConfig

from config.settings import load
from service.accounts import people
from service.app import create_app
from service.container import assemble
from service.kernel.ids import digest
from service.store.people.tokens import tokens
from tests.service.api.table import V1, Api, Player

MANY = 20
"""Random requests for each operation, besides the examples and the edge cases of the description."""
MORE = 125
"""The same with `--long`: ten thousand over all operations."""
FITS = ["2xx", "304", "401", "403", "404", "409", "412", "422"]
"""Answers to a request that fits the description: the rules may still forbid it, and people may not be let in."""
CONFIG = SchemathesisConfig.from_dict(
    {
        "checks": {
            "positive_data_acceptance": {"expected-statuses": FITS},
            "max_response_time": 20.0,
        },
        "operations": [
            {
                # JSON Schema has no words for a time zone that exists, a name without control characters, a line of a
                # game's notation, a bid of some ruleset, or a cursor that is ours: there, 400 for what fits is no lie.
                # Nor is it for If-Match, whose quotes the fuzzer takes for those of a JSON text, and leaves out.
                "include-operation-id": [
                    "addPushDevice",
                    "signUp",
                    "updateMe",
                    "playMoves",
                    "previewMoves",
                    "placeBid",
                    "fileStandingOrders",
                    "withdrawStandingOrders",
                    "proposeRewind",
                    "withdrawRewind",
                    "voteOnRewind",
                    "proposeClockChange",
                    "voteOnClockChange",
                    "withdrawClockChange",
                    "openGame",
                    "listGames",
                    "listMessages",
                    "listWebhookDeliveries",
                    "listNotices",
                    "getClock",
                    "listMyEvents",
                    "authorizeDevice",
                    "collectDeviceToken",
                ],
                "checks": {"positive_data_acceptance": {"expected-statuses": [*FITS, "400"]}},
            }
        ],
    }
)
FOLDER = Path(tempfile.gettempdir()) / f"wardroom-fuzz-{os.getpid()}"
VARIABLES = {
    "DATA_DIR": str(FOLDER), "DATABASE_URL": f"sqlite:///{FOLDER}/fuzz.sqlite", "SECRET_KEY": "k" * 32,
    "RATE_LIMITS": "off",
}  # fmt: skip
ROOM = assemble(load({f"WARDROOM_{name}": value for name, value in VARIABLES.items()}), durable=False)
API = Api(ROOM, app=create_app(ROOM))  # of its own, longer than a test; the database comes with the fixture
TOKEN = "wr_the-token-of-the-fuzzer"
GAMES = {"open": "fvzzfvzz00", "turn": "fvzzfvzz01", "bids": "fvzzfvzz02"}
"""Known before there is a database: schemathesis makes its examples while pytest collects."""
schema = schemathesis.openapi.from_wsgi(f"{V1}/openapi.json", API.app, config=CONFIG)


@pytest.fixture(scope="module", autouse=True)
def fuzzed(sqlite_template: Path) -> Iterator[None]:
    """Tables with the fuzzer on seat 0: one open, one where it is to move, one where it is to bid."""
    FOLDER.mkdir(exist_ok=True)
    shutil.copy(sqlite_template, FOLDER / "fuzz.sqlite")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("service.accounts.people.new_token", lambda: TOKEN)
        ann = API.player("ann")
    for name in ("open", "turn", "bids"):
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr("service.games.play.new_game_id", lambda name=name: GAMES[name])
            table = API.open(ann) if name == "open" else API.begin(ann, *API.players("bob cyd"))
        if name == "turn":
            while table.awaited is not ann:
                table.move(table.awaited, "place 1 1", "end")
        if name == "bids":
            table.to_bids()
    yield
    ROOM.database.close()
    shutil.rmtree(FOLDER)


@schema.auth()
class Token:
    """The fuzzer's own token, by schemathesis' own means, so that it knows when to leave it out."""

    def get(self, case: Any, context: Any) -> str:
        return TOKEN

    def set(self, case: Any, token: str, context: Any) -> None:
        case.headers = {**(case.headers or {}), "Authorization": f"Bearer {token}"}


@schema.hook
def map_path_parameters(context: Any, path_parameters: dict[str, Any]) -> dict[str, Any]:
    """Mostly a game there is: nobody guesses the id of one."""
    wild = (path_parameters or {}).get("game")
    known = list(GAMES.values())
    return (
        {**path_parameters, "game": known[len(wild) % 3]}
        if isinstance(wild, str) and len(wild) < 6
        else path_parameters
    )


@schema.hook
def map_query(context: Any, query: dict[str, Any]) -> dict[str, Any]:
    """Nobody waits for long."""
    wait = (query or {}).get("wait")
    return {**query, "wait": 0} if isinstance(wait, int) and 0 < wait <= 60 else query


def let_in() -> None:
    """The fuzzer's token is there again, whatever tokens were ended before."""
    with ROOM.database.write() as tx:
        if people.who(tx, TOKEN) is None:
            owner = {"player_id": API.people["ann"].id, "label": "fuzz", "created_at": 0}
            tx.execute(sa.insert(tokens).values(digest=digest(TOKEN), id="t_fuzz", **owner))


@pytest.mark.slow
@schema.parametrize()
@of_hypothesis(max_examples=MANY, deadline=None, suppress_health_check=list(HealthCheck))
def test_g12_what_the_description_says_is_true(case):
    ask(case)


@pytest.mark.long
@schema.parametrize()
@of_hypothesis(max_examples=MORE, deadline=None, suppress_health_check=list(HealthCheck))
def test_g12_what_the_description_says_is_true_of_ten_thousand_requests(case):
    ask(case)


def ask(case: Any) -> None:
    """Send a request; the answer is one that the description has, and an error is a problem."""
    let_in()
    response = case.call_and_validate(headers={"Accept-Encoding": "identity"})  # in process it does not decompress
    assert response.status_code < 500
    if response.status_code >= 400:
        assert response.headers["content-type"] == ["application/problem+json"]


def test_g12_the_fuzzer_is_let_in_and_finds_the_games():
    """Calibration: a fuzzer that only ever meets 401 and 404 would find all descriptions true."""
    for _ in range(2):
        let_in()
        for game in GAMES.values():
            case = schema[f"{V1}/games/{{game}}"]["GET"].Case(path_parameters={"game": game})
            Token().set(case, Token().get(case, None), None)
            assert case.call().status_code == 200
        assert API.delete("/me/tokens", Player("ann", "", TOKEN)).status == 204
    assert {map_path_parameters(None, {"game": "x" * n})["game"] for n in range(1, 6)} == set(GAMES.values())


# The document


@pytest.fixture
def document(sqlite_api: Api) -> dict[str, Any]:
    answer = sqlite_api.get("/openapi.json").ok()
    assert answer.headers["Content-Type"] == "application/json"
    found: dict[str, Any] = answer.json
    return found


def operations(document: dict[str, Any]) -> list[tuple[str, str, dict[str, Any]]]:
    return [
        (path, method, operation)
        for path, methods in document["paths"].items()
        for method, operation in methods.items()
        if method != "parameters"
    ]


@pytest.mark.slow
def test_the_description_is_valid_openapi_3_1(document):
    assert document["openapi"].startswith("3.1.")
    validate(document, cls=OpenAPIV31SpecValidator)


def test_every_operation_has_a_name_and_a_sentence(document):
    found = [(operation["operationId"], operation["summary"]) for _, _, operation in operations(document)]
    assert len(found) >= 22
    assert len({name for name, _ in found}) == len(found)
    assert all(summary.endswith(".") for _, summary in found)


WATCHED = (
    "/games", "/games/{game}", "/board", "/board.svg", "/board.png", "/story", "/diff", "/events", "/audit",
    "/checkpoint", "/bundle", "/statistics", "/analysis", "/games/{game}/clock", "/players/{player}",
)  # fmt: skip
"""What spectators read, who need no token."""


def test_operations_for_people_with_a_token_say_so(document):
    assert document["components"]["securitySchemes"]["bearer"] == {"type": "http", "scheme": "bearer"}
    for path, method, operation in operations(document):
        anybody = path.split("/")[3] in ("tokens", "rulesets", "oauth") or path == "/api/v1/players"
        is_watched = method == "get" and path.endswith(WATCHED) and "/me/" not in path
        watched = ["bearer", ""] if is_watched else ["bearer"]
        asked = ["".join(requirement) for requirement in operation.get("security", ())]
        assert asked == ([] if anybody else watched), (path, method)
        assert anybody or "401" in operation["responses"], (path, method)


def test_every_problem_is_described_as_problem_json(document):
    for name, response in document["components"]["responses"].items():
        assert list(response["content"]) == ["application/problem+json"], name
    for path, method, operation in operations(document):
        assert "default" in operation["responses"], (path, method)
        for status, response in operation["responses"].items():
            if status != "default" and int(status) >= 400:
                assert response["$ref"].startswith("#/components/responses/"), (path, method)


def test_commands_describe_the_idempotency_key_and_moves_the_precondition(document):
    for path, method, operation in operations(document):
        shared = document["paths"][path].get("parameters", [])
        headers = {one["name"] for one in [*shared, *operation.get("parameters", [])] if one["in"] == "header"}
        writes = method in ("post", "put", "patch", "delete") and not path.endswith("/drafts")
        command = writes and "401" in operation["responses"] and operation["security"] != []
        assert ("Idempotency-Key" in headers) == command, (path, method)
        changing = method != "get" and path.endswith(("/orders", "/rewind", "/clock"))
        conditional = changing or path.endswith(
            ("/moves", "/bids", "/drafts", "/rewind/vote", "/clock/vote", "/clock/proposal")
        )
        assert ("If-Match" in headers) == conditional, (path, method)


def test_every_path_of_the_contract_is_described(document):
    below = {path.removeprefix(V1): set(methods) - {"parameters"} for path, methods in document["paths"].items()}
    contract = {
        "/players": {"post"}, "/tokens": {"post"}, "/me": {"get", "patch", "delete"},
        "/me/turns": {"get"}, "/me/export": {"get"},
        "/me/tokens": {"get", "post", "delete"}, "/me/leave": {"get", "put", "delete"},
        "/rulesets": {"get"}, "/rulesets/{slug}": {"get"}, "/games": {"get", "post"},
        "/games/{game}": {"get"}, "/games/{game}/seats": {"post"}, "/games/{game}/seats/me": {"delete"},
        "/games/{game}/start": {"post"}, "/games/{game}/actions": {"get"}, "/games/{game}/moves": {"post"},
        "/games/{game}/bids": {"post"}, "/games/{game}/drafts": {"post"},
        "/games/{game}/events": {"get"}, "/games/{game}/audit": {"get"},
        "/games/{game}/orders": {"get", "put", "delete"}, "/games/{game}/rewind": {"get", "post", "delete"},
        "/games/{game}/rewind/vote": {"post"}, "/games/{game}/clock": {"get", "post"},
        "/games/{game}/checkpoint": {"get"},
        "/games/{game}/clock/vote": {"post"}, "/games/{game}/clock/proposal": {"delete"},
    }  # fmt: skip
    assert contract.items() <= below.items()
