"""Forms: that one was written on a page of ours, by the session that sends it (OWASP: origin check and token)."""

import hashlib
import hmac
from collections.abc import Callable
from typing import Any

from flask import Blueprint, Response, abort, after_this_request, g, request
from flask_smorest import abort as problem_abort
from markupsafe import Markup

from service.kernel.ids import new_form_secret
from service.web.http.session import cookie_name, services, session_secret, set_cookie, viewer
from service.web.http.unsent_forms import FIELD, ask_to_confirm, ask_to_sign_in, written
from service.web.local_access import is_own_page, is_surely_own_page

STRANGER = "form"
"""The cookie that binds the forms of somebody who is not signed in to their browser (login CSRF)."""
NOT_OURS = (
    "This form was not sent from a page of ours, or you have signed in or out since it was made: go back, "
    "open the page anew, and send it again. Nothing was done."
)


def ask_again() -> Response:
    """The answer to a form of ours whose session is not the one it was made in: nothing that was typed is lost."""
    return ask_to_sign_in() if viewer() is None else ask_to_confirm(written())


class Pages(Blueprint):
    """Pages with forms, none of which is taken from elsewhere. `stale` answers those of an earlier session."""

    def __init__(self, *args: Any, stale: Callable[[], Response] = ask_again, **more: Any) -> None:
        super().__init__(*args, **more)
        self.before_request(lambda: require_own_form(stale))


def csrf() -> Markup:
    """The hidden field that says a form was written for this session, or for this browser where there is none."""
    if not session_secret() and not _strangers_secret():
        g.form_secret = new_form_secret(services().entropy)
        after_this_request(_bind)
    return Markup('<input type="hidden" name="{}" value="{}">').format(FIELD, _token())


def require_own_form(stale: Callable[[], Response]) -> Response | None:
    """Refuse a form from elsewhere, or of another session; run before every form's view."""
    if request.method in ("GET", "HEAD", "OPTIONS"):
        return None
    viewer()  # looked up before any transaction: their session's use is noted
    if request.mimetype not in ("application/x-www-form-urlencoded", "multipart/form-data"):
        abort(415)
    if is_own_page(request) and _is_of_this_session():
        return None
    if is_surely_own_page(request):
        return stale()
    problem_abort(403, message=NOT_OURS, code="not-our-form")
    raise AssertionError("abort returned")


def _is_of_this_session() -> bool:
    given = request.form.get(FIELD, "").encode()
    return hmac.compare_digest(given, _token().encode())


def browser_secret() -> str:
    """What only this browser holds: of its session, or of its forms where it is not signed in."""
    return session_secret() or "stranger|" + _strangers_secret()


def _token() -> str:
    key = hashlib.sha256(services().settings.secret_key.encode()).digest()
    return hmac.new(key, b"form|" + browser_secret().encode(), hashlib.sha256).hexdigest()[:32]


def _strangers_secret() -> str:
    made: str = g.get("form_secret", "")
    return made or request.cookies.get(cookie_name(STRANGER), "")[:200]


def _bind(response: Response) -> Response:
    set_cookie(response, g.form_secret, purpose=STRANGER)
    return response
