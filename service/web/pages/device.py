"""Letting a program in that has no browser: its person types the code it shows, and says yes or no (RFC 8628 3.3)."""

from typing import Final

from flask import Response, make_response, redirect, render_template, request, url_for

from domain.engine.sentences import say
from service.accounts import device_flow
from service.web.http.forms import Pages
from service.web.http.scope_meanings import MEANINGS
from service.web.http.session import member, members_only, services

bp = Pages("device", __name__)
UNKNOWN: Final = say("No program waits with this code: look at it again, or begin anew in the program.")
LONGEST: Final = 20


@bp.get("/device")
@members_only
def page() -> Response:
    """The form for a code; with one, the program that shows it."""
    code = request.args.get("code", "")[:LONGEST]
    if not code:
        return _page(code)
    with services().database.read() as connection:
        grant = device_flow.find(services(), connection, code)
    if grant is None:
        return _page(code)
    shown = {"grant": grant, "code": device_flow.as_shown(code), "meanings": MEANINGS}
    return make_response(render_template("device.html", **shown, faults={}, filled={}))


@bp.post("/device")
@members_only
def decide() -> Response:
    """Let the program in, or not."""
    code, allow = request.form.get("code", "")[:LONGEST], "allow" in request.form and "deny" not in request.form
    with services().database.write() as tx:
        found = device_flow.decide(services(), tx, code, member().id, allow=allow)
    if not found:
        return _page(code)
    return redirect(url_for("device.page", done="allowed" if allow else "denied"), 303)  # type: ignore[return-value]


def _page(code: str) -> Response:
    faults = {"code": UNKNOWN} if code else {}
    shown = {"grant": None, "faults": faults, "filled": {"code": code}, "done": request.args.get("done")}
    return make_response(render_template("device.html", **shown), 422 if code else 200)
