"""Programs in pages of other sites (Fetch, CORS): they may use the API with a token, never with a cookie.

The API knows no cookies, so that `*` and no credentials is all it needs to say. Signing in by mail is left out: a page
could have the browsers of its visitors ask for codes, each from another network.
"""

from typing import Final

from flask import Request, Response

from service.api.http.application import add_headers
from service.api.http.scopes import NEEDS, PREFIX, SIGN_IN

PREFLIGHT: Final = {
    "Access-Control-Allow-Origin": "*",
    "Access-Control-Allow-Methods": "GET, HEAD, POST, PUT, PATCH, DELETE",
    "Access-Control-Allow-Headers": "Accept, Authorization, Content-Type, Idempotency-Key, If-Match, If-None-Match, "
    "Last-Event-ID",
    "Access-Control-Max-Age": "7200",
}
ANSWER: Final = {
    "Access-Control-Allow-Origin": "*",
    "Access-Control-Expose-Headers": "ETag, Idempotency-Replayed, Link, Location, RateLimit, RateLimit-Policy, "
    "Retry-After, WWW-Authenticate, X-Request-Id",
}
CLOSED: Final = frozenset(PREFIX + path for path, needs in NEEDS.items() if SIGN_IN in needs.values())


def preflight(asked: Request) -> Response | None:
    """The answer to a browser that asks whether a page may ask; counted as no request of anybody's."""
    asks = asked.method == "OPTIONS" and "Access-Control-Request-Method" in asked.headers
    return Response(status=204, headers=PREFLIGHT) if asks and _is_shared(asked) else None


def share(asked: Request, response: Response) -> Response:
    """Let pages of other sites read what the API answers."""
    if asked.method != "OPTIONS" and _is_shared(asked):
        add_headers(asked, ANSWER)
    return response


def _is_shared(asked: Request) -> bool:
    return asked.path.startswith(f"{PREFIX}/") and asked.path not in CLOSED
