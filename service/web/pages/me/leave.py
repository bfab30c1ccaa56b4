"""My leave: days ahead that do not count in games that allow it."""

from datetime import date, timedelta
from typing import Any

from flask import Response, make_response, redirect, render_template, request
from marshmallow import ValidationError

from domain.engine.refusals import RuleViolation
from service.api.leave import LeaveDaysSchema
from service.clocks import leave
from service.deadlines import after_leave
from service.kernel.clock import moment
from service.kernel.zones import zone
from service.web.http.faults import faults_of
from service.web.http.forms import Pages
from service.web.http.language import now, reader_locale
from service.web.http.session import member, members_only, services

bp = Pages("me_leave", __name__)


@bp.get("/me/leave")
@members_only
def page() -> Response:
    """My leave that is not over, and what it is in each game of mine."""
    return _page({}, {})


@bp.post("/me/leave")
@members_only
def announce() -> Response:
    """Announce one more leave."""
    filled = {name: request.form.get(name, "") for name in ("from", "to")}
    try:
        days = LeaveDaysSchema().load(filled)
        with services().database.write() as tx:
            leave.announce(services(), tx, member().id, days["from_"], days["to"])
    except ValidationError as error:
        return _page(filled, faults_of(error), 422)
    except RuleViolation as error:
        return _page(filled, {"to": error.message}, 422)
    return _followed()


@bp.post("/me/leave/back")
@members_only
def take_back() -> Response:
    """Take back all leave that is to come."""
    with services().database.write() as tx:
        leave.take_back(services(), tx, member().id)
    return _followed()


def _followed() -> Response:
    services().wakeup.wake()
    after_leave.follow_all(services(), member().id)
    return redirect("/me/leave?saved=1", 303)  # type: ignore[return-value]


def _page(filled: dict[str, str], faults: dict[str, Any], status: int = 200) -> Response:
    locale, today = reader_locale(), moment(now()).astimezone(zone(member().timezone)).date()
    with services().database.read() as connection:
        kept = leave.document(services(), connection, member().id, locale)
    spans = [[locale.day(date.fromisoformat(span[end])) for end in ("from", "to")] for span in kept["leave"]]
    shown = {"filled": filled, "faults": faults, "spans": spans, "games": kept["games"]}
    first = (today + timedelta(days=1)).isoformat()
    return make_response(render_template("me/leave.html", first=first, **shown), status)
