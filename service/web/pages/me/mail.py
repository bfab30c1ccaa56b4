"""What mail I want, and what I am called for on which device."""

from typing import Final

from flask import Response, redirect, render_template, request

from service.kernel.clock import SECOND
from service.mail import deliverability
from service.notify import devices, notice_log
from service.notify.wishes import FIELDS
from service.web.http.forms import Pages
from service.web.http.session import member, members_only, services, session_id
from service.web.pages.me.profile import save

bp = Pages("me_mail", __name__)
DAY: Final = 24 * 3600 * SECOND
FLAGS: Final = ("mail", "secret_free", "receipts", "quiet_turns", "calendar", "new_subjects")


@bp.get("/me/mail")
@members_only
def page() -> str:
    """What mail is sent to me, and whether it arrives."""
    return show({})


@bp.post("/me/mail")
@members_only
def change() -> Response | tuple[str, int]:
    """Change it: what differs, for to want mail is to have an address tried again that was given up."""
    wanted = {name: name in request.form for name in FLAGS} | {"digest": request.form.get("digest", "")}
    wanted |= {name: request.form[name] for name in FIELDS.values() if name in request.form}
    faults = save({name: value for name, value in wanted.items() if value != getattr(member(), name)})
    return (show(faults), 422) if faults else redirect("/me/mail?saved=1", 303)  # type: ignore[return-value]


@bp.post("/me/mail/again")
@members_only
def again() -> Response:
    """Have my address tried again."""
    save({"mail": True})
    return redirect("/me/mail?saved=1", 303)  # type: ignore[return-value]


def show(faults: dict[str, object]) -> str:
    """The page, with what is wrong with what was sent."""
    mine = member()
    with services().database.read() as connection:
        now = services().database.clock.now(connection)
        state, reason = deliverability.state_of(connection, mine.id, now)
        held = notice_log.held(connection, mine.id, now - DAY, now)
        called = devices.list_devices(services(), connection, mine.id)
    on, key = services().settings.push, devices.key(services())
    calls = {"on": on, "devices": called, "session": session_id(), "key": key}
    shown = {"mine": mine, "state": state, "reason": reason, "held": held, "calls": calls}
    return render_template("me/mail.html", **shown, faults=faults, filled={})
