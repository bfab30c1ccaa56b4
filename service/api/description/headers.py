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

COUNTED: Final[dict[str, dict[str, Any]]] = {
    "RateLimit": {
        "description": "what is left to this caller: `r` requests within the next `t` seconds, by the policy named "
        "(draft-ietf-httpapi-ratelimit-headers-10; a list of Structured Fields, RFC 9651)",
        "schema": {"type": "string"},
        "example": '"token";r=1199;t=42',
    },
    "RateLimit-Policy": {
        "description": "the policy this request counts for, by name: `q` requests in `w` seconds; programs with a "
        "token are counted by `token`, whatever network they come from",
        "schema": {"type": "string"},
        "example": '"token";q=1200;w=60',
    },
}
"""Headers of every answer, where the server counts requests at all; named once, below `components`."""

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
    """Put the headers of the tables on the answers of an operation."""
    for status, response in operation["responses"].items():
        if "$ref" in response:
            continue
        for name, header in HEADERS.items():
            if header.on(operation, status):
                said = {"description": header.description, "schema": header.schema, "example": header.example}
                response.setdefault("headers", {})[name] = said
        response["headers"] = response.get("headers", {}) | _counted()


def add_problem_headers(responses: dict[str, Any]) -> None:
    """Put their headers on the problems."""
    for name, response in responses.items():
        response["headers"] = {header: OF_PROBLEMS[header] for header in PROBLEM_HEADERS.get(name, ())} | _counted()


def _counted() -> dict[str, Any]:
    return {name: {"$ref": f"#/components/headers/{name}"} for name in COUNTED}
