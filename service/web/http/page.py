"""What makes an answer a page: its headers, the functions of templates, and errors that people can read."""

from typing import Any, Final

from flask import Flask, Request, Response, g, render_template, request

from service.accounts import passkeys
from service.api.http.problems import PROBLEM
from service.web.http.assets import asset, styles
from service.web.http.forms import csrf
from service.web.http.language import language, speak
from service.web.http.session import reader, services, viewer
from service.web.http.template_functions import prepare_lists
from service.web.http.unsent_forms import carry, written
from service.web.local_access import is_surely_own_page

HTML: Final = "text/html"
HEADERS: Final = {
    "Referrer-Policy": "same-origin",
    "Content-Security-Policy": "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
    "font-src 'self'; connect-src 'self'; manifest-src 'self'; worker-src 'self'; form-action 'self'; "
    "frame-ancestors 'none'; base-uri 'none'; require-trusted-types-for 'script'; trusted-types wardroom",
}
"""Everything from here, scripts that put no text into the page as markup but by our one policy."""


PASSING: Final = (429, 503)
"""Statuses of a form that may be sent again as it is."""


def prepare_pages(app: Flask) -> None:
    """Give an application what its pages need."""
    speak(app)
    prepare_lists(app)
    app.jinja_env.globals.update(passkeys_offered=lambda: passkeys.offered(services()))
    app.jinja_env.globals.update(asset=asset, styles=styles, csrf=csrf, carry=carry, reader=reader)
    app.context_processor(lambda: {"viewer": viewer()})


def wants_page() -> bool:
    """Whether a person asks: for an address that is a page's, and by a browser."""
    if request.path.startswith("/api/"):
        return False
    accepted = request.accept_mimetypes
    return accepted.best_match([HTML, PROBLEM, "application/json"]) == HTML and HTML in request.headers.get(
        "Accept", ""
    )


def as_page(_asked: Request, response: Response) -> Response:
    """An answer to a person as a page, with the headers of one; those of all answers leave alone what is there."""
    if response.content_type == PROBLEM and wants_page():
        response = _error_page(response)
    if response.mimetype == HTML:
        for name, value in HEADERS.items():
            response.headers.setdefault(name, value)
        _tell_reader(response)
    return response


def _tell_reader(response: Response) -> None:
    """Tell the worker in the browser who reads now, and in which language: it keeps nothing for anybody else. A page
    that is made for nobody, whoever asks, does not say that nobody is signed in."""
    if "viewer" in g and not g.get("is_nobodys") and response.status_code < 500:
        response.headers["Wardroom-Reader"] = reader()
        response.headers["Content-Language"] = language()


def _error_page(response: Response) -> Response:
    """A problem as a page: what is wrong, in a sentence, and where to go on."""
    document: dict[str, Any] = response.get_json()
    if response.status_code >= 500:  # nobody is looked up where nothing may be found
        g.setdefault("viewer", None)
        g.setdefault("session", None)
        g.setdefault("waiting", 0)
    passing = response.status_code in PASSING and request.method == "POST" and is_surely_own_page(request)
    shown = {"wait": response.headers.get("Retry-After", 0, int), "form": written() if passing else None}
    headers = {name: value for name, value in response.headers.items() if not name.startswith("Content-")}
    page = Response(render_template("error.html", problem=document, **shown), response.status_code, content_type=HTML)
    page.content_type = "text/html; charset=utf-8"
    page.headers.update(headers)
    return page
