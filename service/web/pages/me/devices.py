"""Devices I am called on: entered, tested, ended; they are shown where I say what mail I want."""

from flask import Response, abort, redirect, request

from domain.engine.refusals import RuleViolation
from service.api.http.reading import is_id
from service.notify import devices
from service.web.http.browsers import browser_name
from service.web.http.forms import Pages
from service.web.http.session import member, members_only, services, session_id
from service.web.pages.me.mail import show

bp = Pages("me_devices", __name__)
FIELDS = ("endpoint", "p256dh", "auth")


@bp.post("/me/push")
@members_only
def enter() -> Response | tuple[str, int]:
    """Call me on this device, with what its browser was given by its push service."""
    url, p256dh, auth = (request.form.get(name, "") for name in FIELDS)
    label = browser_name(request.user_agent.string)
    try:
        with services().database.write() as tx:
            devices.register(services(), tx, member().id, session_id() or "", url, p256dh, auth, label)
    except RuleViolation as error:
        return show({"devices": error.message}), 422
    return _back()


@bp.post("/me/push/<string:device>/<any(test, end):what>")
@members_only
def change(device: str, what: str) -> Response | tuple[str, int]:
    """Call me there at once, as a test; or never again."""
    if not is_id(device):
        abort(404)
    try:
        with services().database.write() as tx:
            if what == "test":
                devices.send_test(services(), tx, member().id, device)
            else:
                devices.end(tx, member().id, device)
    except RuleViolation as error:
        return show({"devices": error.message}), 422
    services().wakeup.wake()
    return _back()


def _back() -> Response:
    return redirect("/me/mail?saved=1#devices", 303)  # type: ignore[return-value]
