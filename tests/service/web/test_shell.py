"""What all pages share: who looks, in which language, from where a form came, errors, styles."""

import pytest
from flask import redirect, render_template_string

from service.accounts import people
from service.app import create_app
from service.web.http.assets import asset
from service.web.http.forms import Pages
from service.web.http.session import begin_session, end_session, member, members_only, services
from tests.service.web.browser import Browser, Form, Page


@pytest.fixture
def app(tables):
    """An application with pages for members, with a form, and to sign out."""
    bp = Pages("probe", __name__)

    @bp.get("/probe")
    @members_only
    def page():
        return render_template_string(
            "<p>Hello {{ name }}</p><form method=post>{{ csrf() }}</form>", name=member().name
        )

    @bp.post("/probe")
    @members_only
    def send():
        return "<p>done</p>"

    @bp.post("/probe/out")
    def leave():
        with services().database.write() as tx:
            return end_session(redirect("/", 303), tx)

    made = create_app(tables.services)
    made.register_blueprint(bp)
    return made


@pytest.fixture
def ann(tables, app):
    return Browser(tables.services, tables.player("ann"), app=app)


@pytest.mark.slow
def test_s21_a_session_opens_pages_and_no_api(ann):
    assert "Hello ann" in ann.get("/probe").words
    assert ann.client.get("/api/v1/me").status_code == 401


@pytest.mark.slow
def test_a_stranger_is_led_to_the_sign_in_and_told_where_from(tables, app):
    answer = Browser(tables.services, app=app).client.get("/probe?x=1")
    assert (answer.status_code, answer.headers["Location"]) == (303, "/sign-in?next=/probe?x%3D1")


@pytest.mark.slow
def test_a_session_that_has_ended_opens_nothing(ann):
    form = ann.get("/probe").form("/probe")
    ann.send(Form("/probe/out", "post", dict(form.fields)))
    assert ann.client.get("/probe").status_code == 303


FORGED = [
    {"Sec-Fetch-Site": "cross-site", "Origin": "http://evil.example"},
    {"Sec-Fetch-Site": "same-site", "Origin": "http://evil.localhost"},
    {"Origin": "http://evil.example"},
    {"Origin": "null"},
]


@pytest.mark.slow
@pytest.mark.parametrize("headers", FORGED)
def test_a_form_from_elsewhere_does_nothing_even_with_the_right_token(ann, headers):
    fields = ann.get("/probe").form("/probe").fields
    answer = ann.client.post("/probe", data=fields, headers={**ann.headers, **headers})
    assert answer.status_code == 403
    assert "Nothing was done." in Page(answer).words


@pytest.mark.slow
@pytest.mark.parametrize("spoil", [lambda field: {"x": "y"}, lambda field: {"csrf": field["csrf"][::-1]}])
def test_a_form_without_its_sessions_token_does_nothing(ann, spoil):
    field = ann.get("/probe").form("/probe").fields
    assert ann.client.post("/probe", data=spoil(field)).status_code == 403
    assert ann.client.post("/probe", data=field).text == "<p>done</p>"


@pytest.mark.slow
def test_the_token_of_one_session_is_none_of_another(tables, app, ann):
    bob = Browser(tables.services, tables.player("bob"), app=app)
    assert bob.client.post("/probe", data=ann.get("/probe").form("/probe").fields).status_code == 403


@pytest.mark.slow
def test_a_cookie_is_for_this_host_and_for_https_where_that_is_spoken(open_services, migrated_sqlite):
    for base, name in (("https://play.example", "__Host-wardroom"), ("http://127.0.0.1:8000", "wardroom")):
        services_ = open_services(migrated_sqlite, BASE_URL=base, SMTP_URL="smtp://127.0.0.1:1")
        app = create_app(services_)
        with app.test_request_context(), services_.database.write() as tx:
            player = people.welcome(services_, tx, f"{name}@example.org", "Ann")
            cookie = begin_session(app.response_class(), tx, player).headers["Set-Cookie"]
        assert cookie.startswith(f"{name}=wr_")
        assert {"HttpOnly", "SameSite=Lax", "Path=/"} <= set(cookie.split("; "))
        assert ("Secure" in cookie) == base.startswith("https")
        assert "Domain" not in cookie


def test_a_style_is_kept_for_ever_under_its_hash_and_asked_for_again_under_another(tables):
    client = Browser(tables.services).client
    now = client.get(asset("page.css"), buffered=True)
    assert (now.status_code, now.headers["Cache-Control"]) == (200, "public, max-age=31536000, immutable")
    then = client.get("/assets/000000000000/page.css", buffered=True)
    assert (then.status_code, then.headers["Cache-Control"]) == (200, "no-cache")


def test_style_sheets_come_joined_and_nothing_else_does(tables):
    client = Browser(tables.services).client
    both = client.get(asset("tokens+page.css"))
    assert (both.status_code, both.mimetype) == (200, "text/css")
    assert both.text.count(":root") >= 2
    for name in ("tokens+nothing.css", "tokens+../http/forms.css", "game+icon.svg", "+.css", "tokens+game.js"):
        assert client.get(asset(name)).status_code == 404, name


@pytest.mark.slow
@pytest.mark.parametrize("language, said", [("fr-CH, fr;q=0.9", "Il n’y a rien ici"), ("de", "Hier ist nichts")])
def test_an_error_is_a_page_for_a_browser_in_its_language(tables, language, said):
    page = Browser(tables.services, language=language).get("/nothing")
    assert page.status == 404
    assert said in page.words
    assert ("html", {"lang": language[:2]}) in page.tags


def test_an_error_is_a_problem_for_a_program(tables):
    answer = Browser(tables.services).client.get("/nothing")
    assert answer.content_type == "application/problem+json"
