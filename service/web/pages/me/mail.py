"""What mail I want."""

from typing import Final

from flask import Response, redirect, render_template, request

from service.kernel.clock import SECOND
from service.mail import deliverability
from service.notify import notice_log
from service.web.http.forms import Pages
from service.web.http.session import member, members_only, services
from service.web.pages.me.profile import save

bp = Pages("me_mail", __name__)
DAY: Final = 24 * 3600 * SECOND
FLAGS: Final = ("mail", "secret_free", "receipts", "quiet_turns", "calendar", "new_subjects")


@bp.get("/me/mail")
@members_only
def page() -> str:
    """What mail is sent to me, and whether it arrives."""
    return _page({})


@bp.post("/me/mail")
@members_only
def change() -> Response | tuple[str, int]:
    """Change it: what differs, for to want mail is to have an address tried again that was given up."""
    wanted = {name: name in request.form for name in FLAGS} | {"digest": request.form.get("digest", "")}
    faults = save({name: value for name, value in wanted.items() if value != getattr(member(), name)})
    return (_page(faults), 422) if faults else redirect("/me/mail?saved=1", 303)  # type: ignore[return-value]


@bp.post("/me/mail/again")
@members_only
def again() -> Response:
    """Have my address tried again."""
    save({"mail": True})
    return redirect("/me/mail?saved=1", 303)  # type: ignore[return-value]


def _page(faults: dict[str, object]) -> str:
    mine = member()
    with services().database.read() as connection:
        now = services().database.clock.now(connection)
        state, reason = deliverability.state_of(connection, mine.id, now)
        held = notice_log.held(connection, mine.id, now - DAY, now)
    return render_template("me/mail.html", mine=mine, state=state, reason=reason, held=held, faults=faults, filled={})
