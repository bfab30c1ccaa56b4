"""All that is kept about me: to take along, or to have erased."""

from typing import Any, Final

from flask import Response, g, make_response, render_template, request

from domain.engine.sentences import say
from service.accounts import sign_in
from service.accounts.names import email_key
from service.api.me_export import export_response
from service.privacy import erase
from service.web.http.forms import Pages
from service.web.http.session import forget_browser, member, members_only, services

bp = Pages("me_data", __name__)
WRONG_CODE: Final = say("Nothing is erased: this code is wrong or used up.")


@bp.get("/me/data")
@members_only
def page() -> Response:
    """What is kept, and what erasing it means."""
    return _page({}, {})


@bp.get("/me/data/export")
@members_only
def export() -> Response:
    """Everything that is kept about me, as one document."""
    return export_response(member().id)


@bp.post("/me/data/erase")
@members_only
def erase_me() -> Response:
    """Have a code mailed with my address alone; with the code, too, erase me, as `DELETE /api/v1/me` does."""
    mine, filled = member(), {name: request.form.get(name, "").strip() for name in ("email", "code")}
    if email_key(filled["email"]) != mine.email_key:
        return _page(filled, {"email": say("That is not your address: write {email}.", email=mine.email)}, 422)
    if "code" not in request.form:
        with services().database.write() as tx:
            sign_in.ask(services(), tx, mine.email, caller=mine.id)
        services().wakeup.wake()
        return _page(filled, {}, waits=True)
    with services().database.write() as tx:
        used = sign_in.spend(services(), tx, mine.email, filled["code"], caller=mine.id)
    if used is None:
        return _page(filled, {"code": WRONG_CODE}, 422, waits=True)
    done = erase.erase(services(), mine.id)
    return forget_browser(_erased(done.left if done is not None else 0))


def _erased(left: int) -> Response:
    g.viewer = None
    return make_response(render_template("me/erased.html", left=left))


def _page(filled: dict[str, str], faults: dict[str, Any], status: int = 200, *, waits: bool = False) -> Response:
    shown = {"filled": filled, "faults": faults, "waits": waits, "mine": member()}
    return make_response(render_template("me/data.html", **shown), status)
