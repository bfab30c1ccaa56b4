"""The API's own description is valid and true: a fuzzer that believes it finds nothing untrue (G-12)."""

import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import schemathesis
import sqlalchemy as sa
from hypothesis import HealthCheck
from hypothesis import settings as of_hypothesis
from openapi_spec_validator import OpenAPIV31SpecValidator, validate
from schemathesis.checks import load_all_checks
from schemathesis.config import SchemathesisConfig
from schemathesis.generation.feedback import FeedbackSources
from schemathesis.pytest._test_builder import build_operation_test
from schemathesis.python._constants.orchestrator import make_constants_value_source

from config.settings import load
from service.accounts import people
from service.api.description.operations import NAMES
from service.app import create_app
from service.container import assemble
from service.kernel.ids import digest
from service.store.people.tokens import tokens
from tests.service.api.table import V1, Api, Player

MANY = 8
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
                # JSON Schema has no words for a time zone that exists, a letter that nobody can see, a line of a
                # game's notation, a bid of some ruleset, or a cursor that is ours: there, 400 for what fits is no lie.
                # Nor is it for If-Match, whose quotes the fuzzer takes for those of a JSON text, and leaves out.
                "include-operation-id": [
                    "signUp",
                    "renameTable",
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
                ],
                "checks": {"positive_data_acceptance": {"expected-statuses": [*FITS, "400"]}},
            }
        ],
    }
)
TOKEN = "wr_the-token-of-the-fuzzer"
GAMES = {"open": "fvzzfvzz00", "turn": "fvzzfvzz01", "bids": "fvzzfvzz02"}


class Token:
    """The fuzzer's own token, by schemathesis' own means, so that it knows when to leave it out."""

    def get(self, case: Any, context: Any) -> str:
        return TOKEN

    def set(self, case: Any, token: str, context: Any) -> None:
        case.headers = {**(case.headers or {}), "Authorization": f"Bearer {token}"}


def map_path_parameters(context: Any, path_parameters: dict[str, Any]) -> dict[str, Any]:
    """Mostly a game there is: nobody guesses the id of one."""
    wild = (path_parameters or {}).get("game")
    known = list(GAMES.values())
    return (
        {**path_parameters, "game": known[len(wild) % 3]}
        if isinstance(wild, str) and len(wild) < 6
        else path_parameters
    )


def map_query(context: Any, query: dict[str, Any]) -> dict[str, Any]:
    """Nobody waits for long."""
    wait = (query or {}).get("wait")
    return {**query, "wait": 0} if isinstance(wait, int) and 0 < wait <= 60 else query


@pytest.fixture(scope="module")
def fuzzed(sqlite_template: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Api]:
    """Tables with the fuzzer on seat 0: one open, one where it is to move, one where it is to bid."""
    folder = tmp_path_factory.mktemp("fuzz")
    shutil.copy(sqlite_template, folder / "fuzz.sqlite")
    given = {"DATA_DIR": str(folder), "DATABASE_URL": f"sqlite:///{folder}/fuzz.sqlite", "SECRET_KEY": "k" * 32}
    variables = {f"WARDROOM_{name}": value for name, value in {**given, "RATE_LIMITS": "off"}.items()}
    services = assemble(load(variables), durable=False)
    api = Api(services, app=create_app(services))  # of its own, longer than a test
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("service.accounts.people.new_token", lambda _: TOKEN)
        ann = api.player("ann")
    for name in ("open", "turn", "bids"):
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr("service.games.play.new_game_id", lambda _, name=name: GAMES[name])
            table = api.open(ann) if name == "open" else api.begin(ann, *api.players("bob cyd"))
        if name == "turn":
            while table.awaited is not ann:
                table.move(table.awaited, "place 1 1", "end")
        if name == "bids":
            table.to_bids()
    yield api
    services.database.close()


@pytest.fixture(scope="module")
def described(fuzzed: Api) -> Any:
    """The description as schemathesis reads it."""
    schema = schemathesis.openapi.from_wsgi(f"{V1}/openapi.json", fuzzed.app, config=CONFIG)
    schema.auth()(Token)
    schema.hook(map_path_parameters)
    schema.hook(map_query)
    return schema


@pytest.fixture(params=sorted(NAMES.values()))
def operation(described: Any, request: pytest.FixtureRequest) -> Any:
    return described.find_operation_by_id(request.param)


@pytest.mark.slow
def test_g12_what_the_description_says_is_true(fuzzed, operation):
    fuzz(fuzzed, operation, MANY)


@pytest.mark.long
def test_g12_what_the_description_says_is_true_of_ten_thousand_requests(fuzzed, operation):
    fuzz(fuzzed, operation, MORE)


def fuzz(api: Api, operation: Any, most: int) -> None:
    """Ask for one operation. Only now are its edge cases made: with `schema.parametrize` every process of pytest makes
    those of all operations while it collects, which takes longer than to send them."""

    @of_hypothesis(max_examples=most, deadline=None, suppress_health_check=list(HealthCheck))
    def asked(case: Any) -> None:
        ask(api, case)

    load_all_checks()
    constants = FeedbackSources(constants_value_source=make_constants_value_source(operation.schema))
    parts = {"config": operation.schema.config, "given_kwargs": {}, "feedback": constants}
    build_operation_test(operation=operation, test_func=asked, **parts)()


def ask(api: Api, case: Any) -> None:
    """Send a request; the answer is one that the description has, and an error is a problem."""
    let_in(api)
    response = case.call_and_validate(headers={"Accept-Encoding": "identity"})  # in process it does not decompress
    assert response.status_code < 500
    if response.status_code >= 400:
        assert response.headers["content-type"] == ["application/problem+json"]


def let_in(api: Api) -> None:
    """The fuzzer's token is there again, whatever tokens were ended before."""
    with api.services.database.write() as tx:
        if people.who(tx, TOKEN) is None:
            owner = {"player_id": api.people["ann"].id, "label": "fuzz", "created_at": 0}
            tx.execute(sa.insert(tokens).values(digest=digest(TOKEN), id="t_fuzz", **owner))


@pytest.mark.slow
def test_g12_the_fuzzer_is_let_in_and_finds_the_games(fuzzed, described):
    """Calibration: a fuzzer that only ever meets 401 and 404 would find all descriptions true."""
    for _ in range(2):
        let_in(fuzzed)
        for game in GAMES.values():
            case = described[f"{V1}/games/{{game}}"]["GET"].Case(path_parameters={"game": game})
            Token().set(case, Token().get(case, None), None)
            assert case.call().status_code == 200
        assert fuzzed.delete("/me/tokens", Player("ann", "", TOKEN)).status == 204
    assert {map_path_parameters(None, {"game": "x" * n})["game"] for n in range(1, 6)} == set(GAMES.values())


@pytest.mark.slow
def test_g12_the_fuzzer_asks_for_every_operation(document):
    assert {operation["operationId"] for _, _, operation in operations(document)} == set(NAMES.values())


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


@pytest.mark.slow
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
        anybody = path.split("/")[3] in ("tokens", "rulesets") or path == "/api/v1/players"
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
        assert ("408" in operation["responses"]) == ("requestBody" in operation), (path, method)


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
        "/games/{game}/resignation": {"post"},
        "/games/{game}/start": {"post"}, "/games/{game}/actions": {"get"}, "/games/{game}/moves": {"post"},
        "/games/{game}/bids": {"post"}, "/games/{game}/drafts": {"post"},
        "/games/{game}/events": {"get"}, "/games/{game}/audit": {"get"},
        "/games/{game}/orders": {"get", "put", "delete"}, "/games/{game}/rewind": {"get", "post", "delete"},
        "/games/{game}/rewind/vote": {"post"}, "/games/{game}/clock": {"get", "post"},
        "/games/{game}/checkpoint": {"get"},
        "/games/{game}/clock/vote": {"post"}, "/games/{game}/clock/proposal": {"delete"},
    }  # fmt: skip
    assert contract.items() <= below.items()
