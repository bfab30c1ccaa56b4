"""What a person had written when their session was over: it travels through the sign-in as hidden fields of its pages.

It is never kept on the server and never stands in an address: there may be a sealed bid among it.
"""

from typing import Final

import msgspec
from flask import Response, make_response, render_template, request
from markupsafe import Markup

from service.web.http.own_paths import HOME, own_path

FIELD: Final = "csrf"
CARRIED: Final = "carried"


class Written(msgspec.Struct, frozen=True):
    """A form that was not taken: where it goes, and its fields in their order, but for its token."""

    address: str
    fields: tuple[tuple[str, str], ...]


def written() -> Written:
    """The form that was sent with this request."""
    sent = tuple((name, value) for name, value in request.form.items(multi=True) if name != FIELD)
    return Written(request.full_path.rstrip("?"), sent)


def carried() -> Written | None:
    """The form that this request carries on; None for one without, or one of which nothing can be made."""
    try:
        found = msgspec.json.decode(request.form.get(CARRIED, ""), type=Written)
    except (msgspec.DecodeError, UnicodeEncodeError):
        return None
    return found if own_path(found.address) == found.address else None


def carry(form: Written | None) -> Markup:
    """The hidden field that carries a form on; nothing for None."""
    if form is None:
        return Markup()
    return Markup('<input type="hidden" name="{}" value="{}">').format(CARRIED, msgspec.json.encode(form).decode())


def ask_to_confirm(form: Written, status: int = 409) -> Response:
    """A page that sends a form once more, at the press of a button, as whoever is signed in now."""
    return make_response(render_template("sign_in/go_on.html", form=form), status)


def ask_to_sign_in() -> Response:
    """The sign-in, in answer to a form that was sent without a session: it holds the form, which nobody has taken."""
    page = render_template("sign_in/ask.html", next=HOME, carried=written(), filled={}, faults={})
    return make_response(page, 401, {"WWW-Authenticate": "Session"})  # RFC 9110 wants one; no browser acts on it
