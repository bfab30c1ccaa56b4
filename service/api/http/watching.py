"""What each request is called, counted as and logged: the id that all of its lines have, and how long it took."""

import re
import time
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import Any, Final

from flask import Request, Response, current_app, g

from service.api.http.application import add_headers
from service.container import Services
from service.kernel import request_ids
from service.kernel.log import note
from service.telemetry import tracing

METHODS: Final = frozenset({"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"})
NO_OPERATION: Final = "none"
"""Where no operation has the address that was asked for."""
HEADER: Final = "X-Request-Id"
WELL_FORMED: Final = re.compile(r"[0-9A-Za-z][0-9A-Za-z_.-]{7,63}")
"""An id of a proxy that is believed; it is shown in logs and headers, and so holds nothing else."""


@dataclass(frozen=True, slots=True)
class Watched:
    """A request that is being answered."""

    id: str
    operation: str
    began: float
    traced: AbstractContextManager[Any]
    span: Any  # None where nothing is traced


def begin(asked: Request) -> None:
    """Give a request its id; the first of all hooks."""
    services = _services()
    believes = services.settings.trusted_proxies > 0
    given = asked.headers.get(HEADER, "") if believes else ""
    id = request_ids.begin(services.entropy, given if WELL_FORMED.fullmatch(given) else None)
    operation, began = _operation(asked), time.perf_counter()
    parent = asked.headers.get("traceparent", "") if believes else ""
    traced = tracing.request(operation, id, parent, method=_method(asked))
    g.watched = Watched(id, operation, began, traced, traced.__enter__())


def end(asked: Request, response: Response) -> Response:
    """Count and log a request; the last of all hooks."""
    watched: Watched = g.watched
    took = time.perf_counter() - watched.began
    measures, method, status = _services().measures, _method(asked), response.status_code
    measures.count("wardroom_requests", watched.operation, method, f"{status // 100}xx")
    measures.observe("wardroom_request_seconds", took, watched.operation, method)
    add_headers(asked, {HEADER: watched.id})
    if watched.span is not None:
        watched.span.set_attribute("http.response.status_code", status)
    watched.traced.__exit__(None, None, None)
    about = {"method": method, "path": asked.path, "operation": watched.operation, "status": status}
    note("wardroom.requests", "request", **about, milliseconds=round(took * 1000, 1))
    return response


def let_go(_: BaseException | None) -> None:
    """What this thread does next is another request's."""
    request_ids.end()
    _services().database.let_go()


def _method(asked: Request) -> str:
    return asked.method if asked.method in METHODS else "other"


def _operation(asked: Request) -> str:
    """What was asked for, as the application calls it: as many as there are operations, whatever strangers ask for.

    One that waits for news by the wish of who asks is another one: how long it takes says nothing.
    """
    if asked.endpoint is None or asked.routing_exception is not None:
        return NO_OPERATION
    waits = asked.query_string and asked.args.get("wait", "0") not in ("", "0")
    return f"{asked.endpoint}?wait" if waits else asked.endpoint


def _services() -> Services:
    found: Services = current_app.extensions["wardroom"]
    return found
