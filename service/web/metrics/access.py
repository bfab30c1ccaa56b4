"""Who may read /metrics: who shows the token, who asks at the listener for it, or on this machine past no proxy.

How many games and mails there are, and how the service fares, is no stranger's business (decision 0102).
"""

import hmac
from typing import Final

from flask import Request, Response

from config.settings import Settings
from service.api.http.problems import problem
from service.web.local_access import is_local

PATHS: Final = frozenset({"/metrics", "/healthz", "/readyz"})
"""What the listener for metrics answers."""
SENTENCE: Final = (
    "The metrics are for whoever runs this service: show the token of WARDROOM_METRICS_TOKEN as Authorization: Bearer, "
    "ask at the address of WARDROOM_METRICS_LISTEN, or on the machine itself, by 127.0.0.1 and past no proxy."
)
ELSEWHERE: Final = "This address is for /metrics, /healthz and /readyz alone: ask for games at the service's own."


def refused(request: Request, settings: Settings) -> Response | None:
    """The answer to somebody who may not read the metrics; None for who may."""
    if settings.metrics_token:
        allowed = _shows(request, settings.metrics_token)
    else:
        allowed = came_by_listener(request, settings) or is_local(request)
    return None if allowed else problem(401, "unauthorized", SENTENCE, headers={"WWW-Authenticate": "Bearer"})


def astray(request: Request, settings: Settings) -> Response | None:
    """The answer to a request for anything else at the listener for metrics."""
    if request.path in PATHS or not came_by_listener(request, settings):
        return None
    return problem(404, "not-found", ELSEWHERE)


def came_by_listener(request: Request, settings: Settings) -> bool:
    """Whether a request came in where only metrics are told, by the socket and not by what its headers say."""
    if settings.metrics_listen is None:
        return False
    connection = request.environ.get("gunicorn.socket")
    return connection is not None and connection.getsockname()[1] == settings.metrics_listen[1]


def _shows(request: Request, token: str) -> bool:
    """Whether a request shows the token; how much of it is right takes no other time."""
    scheme, _, shown = request.headers.get("Authorization", "").partition(" ")
    return scheme.lower() == "bearer" and hmac.compare_digest(shown.strip().encode(), token.encode())
