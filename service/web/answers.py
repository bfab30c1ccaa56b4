"""What holds for every request and every answer, of the API and of pages: hosts, limits, headers."""

from typing import Final

from flask import Request, Response, current_app

from service.api.http.compression import compress
from service.api.http.keeping import VARY
from service.api.http.preconditions import tagged
from service.api.http.problems import problem
from service.web.http.forms import Pages
from service.web.http.session import session_id
from service.web.metrics.access import astray

HEADERS: Final = {
    "Cache-Control": "private, no-store",
    "Vary": VARY,
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Content-Security-Policy": "default-src 'none'; frame-ancestors 'none'; base-uri 'none'",
}


def session(asked: Request) -> str | None:
    """The session in which a page is asked for; None for all that is no page, and needs no look into the database."""
    return session_id() if isinstance(current_app.blueprints.get(asked.blueprint or ""), Pages) else None


def require_host(asked: Request) -> Response | None:
    """Refuse a request of HTTP/1.1 that does not say, or says twice, whom it is for (RFC 9112 3.2)."""
    host = asked.environ.get("HTTP_HOST", "")
    if asked.environ.get("SERVER_PROTOCOL") == "HTTP/1.0" or (host and "," not in host):
        return None
    return problem(400, "no-host", "Say whom the request is for, once: an HTTP/1.1 request has one Host header.")


def stay_with_metrics(asked: Request) -> Response | None:
    """Refuse what is no measure at the listener for measures."""
    return astray(asked, current_app.extensions["wardroom"].settings)


def finish(asked: Request, response: Response) -> Response:
    """An answer as it is sent: compressed, with its tag. What sets a cookie is for one browser."""
    response = tagged(asked, compress(asked, response))
    if "Set-Cookie" in response.headers:
        response.headers["Cache-Control"] = HEADERS["Cache-Control"]
    return response
