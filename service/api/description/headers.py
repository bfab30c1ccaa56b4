"""The headers of answers, in one table: what each says, and which answers have it."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final

from service.api.description.operations import Operation, parameters


@dataclass(frozen=True, slots=True)
class Header:
    """A header of answers. `on` says of an operation and a status whether the answer may have it."""

    description: str
    schema: dict[str, Any]
    example: Any
    on: Callable[[Operation, str], bool]


HEADERS: Final = {
    "Link": Header(
        'the next page, `rel="next"`; missing on the last',
        {"type": "string"},
        '</api/v1/games?limit=50&cursor=WzE3LCJrN3gyIl0>; rel="next"',
        lambda operation, status: status == "200" and "cursor" in parameters(operation),
    ),
    "Idempotency-Replayed": Header(
        "`true` where this is the answer kept for the Idempotency-Key: nothing was done again",
        {"type": "string", "enum": ["true"]},
        "true",
        lambda operation, status: status.startswith("2") and "Idempotency-Key" in parameters(operation),
    ),
}
"""Headers of answers to single operations; those of problems stand in PROBLEM_HEADERS."""

PROBLEM_HEADERS: Final = {
    "DEFAULT_ERROR": ("Retry-After",),
    "TOO_MANY_REQUESTS": ("Retry-After",),
    "UNAUTHORIZED": ("WWW-Authenticate",),
}
"""Which headers a problem may have, by its component."""

OF_PROBLEMS: Final[dict[str, dict[str, Any]]] = {
    "Retry-After": {"description": "seconds after which to try again", "schema": {"type": "integer"}, "example": 2},
    "WWW-Authenticate": {
        "description": "how to authenticate",
        "schema": {"type": "string"},
        "example": 'Bearer realm="wardroom"',
    },
}


def add_headers(operation: Operation) -> None:
    """Put the headers of the table on the answers of an operation."""
    for status, response in operation["responses"].items():
        if "$ref" in response:
            continue
        for name, header in HEADERS.items():
            if header.on(operation, status):
                said = {"description": header.description, "schema": header.schema, "example": header.example}
                response.setdefault("headers", {})[name] = said
        if response.get("headers") == {}:
            del response["headers"]


def add_problem_headers(responses: dict[str, Any]) -> None:
    """Put their headers on the problems that have any."""
    for name, headers in PROBLEM_HEADERS.items():
        if name in responses:
            responses[name]["headers"] = {header: OF_PROBLEMS[header] for header in headers}
