"""A browser without script: it follows links, fills in forms, keeps cookies, and sends what browsers send."""

from dataclasses import dataclass, field
from html.parser import HTMLParser
from urllib.parse import urlsplit

from flask import Flask
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from service.container import Services
from service.web.http.session import begin_session
from tests.apps import app_of


@dataclass
class Form:
    """A form of a page: where it goes, and what it would send: fields by name, buttons as (name, value)."""

    action: str
    method: str
    fields: dict[str, str] = field(default_factory=dict)
    buttons: list[tuple[str, str]] = field(default_factory=list)


class Page(HTMLParser):
    """What a page says, and its links, headings, forms."""

    def __init__(self, answer: TestResponse) -> None:
        super().__init__()
        self.status = answer.status_code
        self.html = answer.text
        self.address = answer.request.path
        self.words = ""
        self.links: list[str] = []
        self.forms: list[Form] = []
        self.tags: list[tuple[str, dict[str, str]]] = []
        self._select = ""
        self._area = ""
        self.feed(self.html)
        self.close()
        self.words = " ".join(self.words.split())

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = {name: value or "" for name, value in attrs}
        self.tags.append((tag, given))
        name = given.get("name", "")
        if tag == "a":
            self.links.append(given.get("href", ""))
        elif tag == "form":
            self.forms.append(Form(given.get("action", self.address), given.get("method", "get")))
        elif not self.forms:
            return
        elif tag == "input" and given.get("type") in ("checkbox", "radio"):
            if "checked" in given:
                self.forms[-1].fields[name] = given.get("value", "on")
        elif tag == "input":
            self.forms[-1].fields[name] = given.get("value", "")
        elif tag == "button" and name:
            self.forms[-1].buttons.append((name, given.get("value", "")))
        elif tag == "select":
            self._select = name
        elif tag == "option" and ("selected" in given or self._select not in self.forms[-1].fields):
            self.forms[-1].fields[self._select] = given.get("value", "")
        elif tag == "textarea":
            self._area = name
            self.forms[-1].fields[name] = ""

    def handle_endtag(self, tag: str) -> None:
        if tag == "textarea":
            self._area = ""

    def handle_data(self, data: str) -> None:
        if self._area:
            self.forms[-1].fields[self._area] += data
        self.words += f" {data}"

    def form(self, action: str) -> Form:
        """The form that goes to this address."""
        return next(form for form in self.forms if urlsplit(form.action).path == action)


class Browser:
    """Somebody at a browser; signed in where a player is named."""

    def __init__(
        self, services: Services, player: str | None = None, *, language: str = "en", app: Flask | None = None
    ) -> None:
        self.app = app or app_of(services)
        self.client: FlaskClient = self.app.test_client()
        self.headers = {"Accept": "text/html,application/xhtml+xml,*/*;q=0.8", "Accept-Language": language}
        if player is not None:
            self._sign_in(services, player)

    def get(self, address: str) -> Page:
        """Open an address, and wherever it leads."""
        return Page(self.client.get(address, headers=self.headers, follow_redirects=True))

    def send(self, form: Form, button: tuple[str, str] | None = None, /, **filled: str) -> Page:
        """Send a form with these fields filled in, by one of its buttons."""
        fields = {**form.fields, **filled, **(dict([button]) if button else {})}
        if form.method.lower() == "get":
            return Page(self.client.get(form.action, query_string=fields, headers=self.headers, follow_redirects=True))
        ours = {"Sec-Fetch-Site": "same-origin", "Origin": "http://localhost"}
        return Page(self.client.post(form.action, data=fields, headers={**self.headers, **ours}, follow_redirects=True))

    def _sign_in(self, services: Services, player: str) -> None:
        with self.app.test_request_context(), services.database.write() as tx:
            answer = begin_session(self.app.response_class(), tx, player)
        name, _, value = answer.headers["Set-Cookie"].partition(";")[0].partition("=")
        self.client.set_cookie(name, value)
