"""Signs of life: /healthz for the process, /readyz for all it needs, /metrics for a monitor."""

from typing import Final

from flask import Blueprint, Response, current_app, request

from service.api.http.answers import answer
from service.container import Services
from service.web.metrics.access import refused
from service.web.metrics.exposition import Exposition
from service.web.readiness import checks

bp = Blueprint("health", __name__)
TOLD_ONLY: Final = frozenset({"bots", "redis"})
"""Checks that are told and do not take a process out of service: others do that work, and people play on."""


def _services() -> Services:
    return current_app.extensions["wardroom"]  # type: ignore[no-any-return]


@bp.get("/healthz")
def healthz() -> Response:
    """This process answers."""
    return answer({"status": "ok"})


@bp.get("/readyz")
def readyz() -> Response:
    """Answer 200 if the database answers, there is room, the sweep runs and no mail is stuck, else 503.

    The checks of bots and Redis are told and do not count.
    """
    found = checks(_services())
    wrong = [check for check in found if not check["ok"] and check["what"] not in TOLD_ONLY]
    headers = {"Retry-After": "5"} if wrong else {}
    return answer({"status": "unready" if wrong else "ready", "checks": found}, 503 if wrong else 200, headers=headers)


@bp.get("/metrics")
def metrics() -> Response:
    """All metrics, for a monitor of whoever runs the service: they tell how many games there are, and how it fares."""
    if (refusal := refused(request, _services().settings)) is not None:
        return refusal
    return Response(_exposition().text(), content_type="text/plain; version=0.0.4; charset=utf-8")


def _exposition() -> Exposition:
    """The one of this application: what it has made is kept for some seconds."""
    services = _services()
    kept = current_app.extensions.get("wardroom-metrics")
    if kept is None or kept.services is not services:
        kept = current_app.extensions["wardroom-metrics"] = Exposition(services)
    assert isinstance(kept, Exposition)
    return kept
