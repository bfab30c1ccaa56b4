"""Forms: that one was written on a page of ours, by the session that sends it (OWASP: origin check and token)."""

import hashlib
import hmac
from typing import Any

from flask import Blueprint, abort, request
from flask_smorest import abort as problem_abort
from markupsafe import Markup

from service.web.http.session import services, session_secret
from service.web.local_access import is_own_page

FIELD = "csrf"
NOT_OURS = (
    "This form was not sent from a page of ours, or you have signed in or out since it was made: go back, "
    "open the page anew, and send it again. Nothing was done."
)


class Pages(Blueprint):
    """Pages with forms, none of which is taken from elsewhere."""

    def __init__(self, *args: Any, **more: Any) -> None:
        super().__init__(*args, **more)
        self.before_request(require_own_form)


def csrf() -> Markup:
    """The hidden field that says a form was written for this session."""
    return Markup('<input type="hidden" name="{}" value="{}">').format(FIELD, _token())


def require_own_form() -> None:
    """Refuse a form from elsewhere, or of another session; run before every form's view."""
    if request.method in ("GET", "HEAD", "OPTIONS"):
        return
    if request.mimetype not in ("application/x-www-form-urlencoded", "multipart/form-data"):
        abort(415)
    if not is_own_page(request) or not hmac.compare_digest(request.form.get(FIELD, "").encode(), _token().encode()):
        problem_abort(403, message=NOT_OURS, code="not-our-form")


def _token() -> str:
    key = hashlib.sha256(services().settings.secret_key.encode()).digest()
    return hmac.new(key, b"form|" + session_secret().encode(), hashlib.sha256).hexdigest()[:32]
