"""What holds for every request and every answer, of the API and of pages: hosts, limits, headers."""

from typing import Final

from flask import Flask, Response, current_app, request

from config.settings import Settings
from service.api.http.compression import compress
from service.api.http.cors import share_with_pages
from service.api.http.keeping import VARY
from service.api.http.limits import limit_requests
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


def prepare_answers(app: Flask, settings: Settings) -> None:
    """Ask every request who it is for and whether it is one too many; put the headers on every answer."""
    app.before_request(_require_host)
    app.before_request(_stay_with_metrics)
    share_with_pages(app)
    limit_requests(app, settings, _session)
    app.after_request(_headers)


def _session() -> str | None:
    """The session in which a page is asked for; None for all that is no page, and needs no look into the database."""
    return session_id() if isinstance(current_app.blueprints.get(request.blueprint or ""), Pages) else None


def _require_host() -> Response | None:
    """Refuse a request of HTTP/1.1 that does not say, or says twice, whom it is for (RFC 9112 3.2)."""
    host = request.environ.get("HTTP_HOST", "")
    if request.environ.get("SERVER_PROTOCOL") == "HTTP/1.0" or (host and "," not in host):
        return None
    return problem(400, "no-host", "Say whom the request is for, once: an HTTP/1.1 request has one Host header.")


def _stay_with_metrics() -> Response | None:
    return astray(request, current_app.extensions["wardroom"].settings)


def _headers(response: Response) -> Response:
    response = tagged(compress(response))
    if "Set-Cookie" in response.headers:
        response.headers["Cache-Control"] = HEADERS["Cache-Control"]  # a cookie is for one browser
    present = {name for name, _ in response.headers}
    response.headers.extend([header for header in HEADERS.items() if header[0] not in present])
    return response
