"""Signing in on the pages: by the code or the link of one mail, the same for every address (S-20, S-22, S-29)."""

import json
import re

import pytest
import sqlalchemy as sa
from flask import Flask, jsonify, request

from service.accounts import people, sign_in
from service.api.http import limits
from service.app import create_app
from service.container import Services
from service.web.http.forms import Pages
from service.web.http.session import member, members_only
from tests.letters import text_of
from tests.manual_clock import ManualClock
from tests.service.web.browser import Browser, Form, Page
from tests.tables import Tables

ANN = "ann@people.example"


def probed(services: Services) -> Flask:
    """An application with a page for members and its form."""
    bp = Pages("probe", __name__)

    @bp.get("/probe")
    @members_only
    def page():
        return f"<p>Hello {member().name}</p>"

    @bp.post("/probe")
    @members_only
    def send():
        return jsonify({"by": member().name, "sent": sorted(request.form.items(multi=True))})

    made = create_app(services)
    made.register_blueprint(bp)
    return made


@pytest.fixture(scope="module")
def made():
    """The application, once it is made: that takes longer than most tests."""
    return []


@pytest.fixture
def app(tables, made):
    if not made:
        made.append(probed(tables.services))
    made[0].extensions["wardroom"] = tables.services
    return made[0]


@pytest.fixture
def stranger(tables, app):
    return Browser(tables.services, app=app)


def asks(browser: Browser, email=ANN, address="/sign-in", **more) -> Page:
    """The page that waits for the code."""
    return browser.send(browser.get(address).form("/sign-in"), email=email, **more)


def mailed(tables):
    """The code and the link of the newest mail."""
    while sign_in.post_codes(tables.services):
        pass
    tables.deliver()
    letter = text_of(tables.carrier.letters[-1])
    return tables.code_of(tables.carrier.letters[-1]), re.search(r"https?://\S+(/sign-in/[\w-]{43})\n", letter)[1]


def signed_in(browser: Browser) -> str:
    return browser.get("/probe").words


# By the code


def test_s20_the_code_signs_in_and_leads_back_to_where_one_came_from(tables, stranger):
    tables.player("ann")
    waiting = asks(stranger, address="/probe?x=1")
    code, _ = mailed(tables)
    page = stranger.send(waiting.form("/sign-in/code"), code=f" {code.upper()} ")
    assert (page.words, page.address) == ("Hello ann", "/probe")


def test_s22_every_address_gets_the_same_page(tables, stranger):
    tables.player("ann")
    pages = [asks(stranger, email) for email in (ANN, "nobody@people.example")]
    secret = re.compile(r'(?<=name="(?:request)" value=")[^"]+|(?:ann|nobody)@people\.example')
    assert len({secret.sub("", page.html) for page in pages}) == 1
    assert [page.status for page in pages] == [200, 200]


def test_s22_whoever_is_new_signs_up_under_their_name_and_a_known_address_keeps_its_own(tables, stranger):
    waiting = asks(stranger, "Dora@people.example", name=" Dora ", timezone="Europe/Paris")
    page = stranger.send(waiting.form("/sign-in/code"), code=mailed(tables)[0])
    assert page.status == 200
    assert "Hello Dora" in signed_in(stranger)
    other = Browser(tables.services, app=stranger.app)
    waiting = asks(other, "dora@people.example", name="Mallory")
    other.send(waiting.form("/sign-in/code"), code=mailed(tables)[0])
    assert "Hello Dora" in signed_in(other)
    with tables.services.database.read() as connection:
        kept = connection.exec_driver_sql("SELECT timezone, language FROM players WHERE name = 'Dora'").one()
    assert tuple(kept) == ("Europe/Paris", "en")


@pytest.mark.parametrize(
    "email, called",
    [("dora@people.example", "dora"), ("wardroom@people.example", "Player "), ("1-2@people.example", "")],
)
def test_whoever_is_new_and_gives_no_name_gets_the_mail_too_and_is_called_by_the_address(
    tables, stranger, email, called
):
    """Invited people come here by a link: a name must not stand between them and the table."""
    waiting = asks(stranger, email)
    stranger.send(waiting.form("/sign-in/code"), code=mailed(tables)[0])
    assert f"Hello {called}" in signed_in(stranger)


def test_a_zone_that_is_none_is_utc_until_one_is_chosen(tables, stranger):
    for number, zone in enumerate(["Mars/Olympus", "", "../../etc/passwd", "x" * 3_000]):
        waiting = asks(
            Browser(tables.services, app=stranger.app), f"{number}@people.example", name="Dora", timezone=zone
        )
        with tables.services.database.read() as connection:
            assert (
                '"timezone":"UTC"'
                in connection.exec_driver_sql("SELECT profile FROM sign_ins ORDER BY id DESC LIMIT 1").scalar()
            )
        assert waiting.status == 200


BAD = [
    ({"email": "ann@"}, "That is no mail address"),
    ({"email": ""}, "Please fill this in."),
    ({"email": "<b>@x"}, "That is no mail address"),
    ({"email": ANN, "name": "x" * 41}, "A name has 1 to 40 characters"),
    ({"email": ANN, "name": "Wardroom"}, "is the service's own"),
    ({"email": "\x00", "name": "\x00"}, "That is no mail address"),
]


def test_what_cannot_be_taken_comes_back_with_its_sentence_and_all_that_was_typed(stranger):
    form = stranger.get("/sign-in?next=/probe").form("/sign-in")
    for typed, sentence in BAD:
        page = stranger.send(form, **{"name": "Ann", **typed})
        assert (page.status, sentence in page.words) == (422, True), sentence
        back = page.form("/sign-in").fields
        assert (back["email"], back["name"], back["next"]) == (typed["email"], typed.get("name", "Ann"), "/probe")


def test_s20_a_wrong_code_comes_back_without_it_and_five_are_the_end(tables, stranger):
    tables.player("ann")
    waiting = asks(stranger, address="/probe")
    code, _ = mailed(tables)
    for _ in range(sign_in.CODE_TRIES):
        page = stranger.send(waiting.form("/sign-in/code"), code="wrongone")
        assert (page.status, "This code does not fit" in page.words) == (422, True)
        fields = page.form("/sign-in/code").fields
        assert (fields["email"], fields["next"], fields["code"]) == (ANN, "/probe", "")
        assert "wrongone" not in page.html
    assert stranger.send(waiting.form("/sign-in/code"), code=code).status == 422


def test_s20_a_code_is_of_its_own_request_and_for_ten_minutes(tables, stranger):
    tables.player("ann")
    first = asks(stranger)
    mine, _ = mailed(tables)
    second = asks(Browser(tables.services, app=stranger.app))
    assert (
        stranger.send(
            first.form("/sign-in/code"), request=second.form("/sign-in/code").fields["request"], code=mine
        ).status
        == 422
    )
    tables.advance(minutes=10)
    assert stranger.send(first.form("/sign-in/code"), code=mine).status == 422


JUNK = ["", "\x00", "é", "x" * 5_000, "[]", '{"address":"//evil","fields":[]}', "%00"]


@pytest.mark.parametrize("field", ["email", "code", "request", "next", "name", "carried"])
def test_forms_with_anything_in_them_are_answered(tables, stranger, field):
    tables.player("ann")
    form = asks(stranger).form("/sign-in/code")
    for junk in JUNK:
        page = stranger.send(form, **{"code": "wrongone", field: junk})
        assert page.status == 422, junk
        assert page.form("/sign-in/code").fields["next"] == "/"
        assert "evil" not in page.form("/sign-in/code").fields.get("carried", "")


# By the link


def test_the_link_changes_nothing_when_looked_at_and_signs_in_by_its_button(tables, stranger):
    tables.player("ann")
    asks(stranger, address="/probe?x=1")
    _, link = mailed(tables)
    secret = link.rpartition("/")[2]
    before = tables.valid_codes()
    first = stranger.client.get(link, headers=stranger.headers)
    assert (first.status_code, first.headers["Location"], first.headers["Referrer-Policy"]) == (
        303, "/sign-in/link", "no-referrer",
    )  # fmt: skip
    for _ in range(3):
        page = stranger.get(link)
        assert secret not in page.html
        assert "Sign in as ann" in page.words
    assert tables.valid_codes() == before
    assert stranger.client.get("/probe").status_code == 303
    page = stranger.send(page.form("/sign-in/link"))
    assert (page.words, page.address) == ("Hello ann", "/probe")


def test_the_link_signs_in_the_device_on_which_it_is_opened_and_no_other(tables, stranger):
    tables.player("ann")
    asks(stranger, address="/probe")
    _, link = mailed(tables)
    phone = Browser(tables.services, app=stranger.app)
    page = phone.get(link)
    assert "signs this browser in as ann (ann@people.example), and no other one" in page.words
    phone.send(page.form("/sign-in/link"))
    assert "Hello ann" in signed_in(phone)
    assert stranger.client.get("/probe").status_code == 303


def test_s20_a_link_serves_once_for_ten_minutes_and_ends_with_its_code(tables, stranger):
    tables.player("ann")
    waiting = asks(stranger)
    code, link = mailed(tables)
    page = stranger.get(link)
    stranger.send(page.form("/sign-in/link"))
    other = Browser(tables.services, app=stranger.app)
    assert (other.get(link).status, other.send(other.get("/sign-in").form("/sign-in"), email="").status) == (410, 422)
    assert (
        other.send(
            asks(other).form("/sign-in/code"), request=waiting.form("/sign-in/code").fields["request"], code=code
        ).status
        == 422
    )
    _, link = mailed(tables)
    assert other.get(link).status == 200
    tables.advance(minutes=10)
    page = other.get(link)
    assert (page.status, "This link does not work any more" in page.words) == (410, True)


def test_a_link_used_meanwhile_says_so_at_its_button(tables, stranger):
    tables.player("ann")
    asks(stranger)
    _, link = mailed(tables)
    phone = Browser(tables.services, app=stranger.app)
    mine, theirs = stranger.get(link), phone.get(link)
    phone.send(theirs.form("/sign-in/link"))
    assert stranger.send(mine.form("/sign-in/link")).status == 410


def test_a_link_signs_up_and_a_link_of_another_person_says_who_goes(tables, stranger):
    asks(stranger, "dora@people.example", name="Dora")
    _, link = mailed(tables)
    bob = Browser(tables.services, tables.player("bob"), app=stranger.app)
    page = bob.get(link)
    assert "You are signed in here as bob." in page.words
    old = bob.client.get_cookie("wardroom").value
    bob.send(page.form("/sign-in/link"))
    assert "Hello Dora" in signed_in(bob)
    bob.client.set_cookie("wardroom", old)
    assert bob.client.get("/probe").status_code == 303, "the session before has ended"


@pytest.mark.parametrize(
    "after, leads",
    [("/probe", "/probe"), ("//evil.example", "/turns"), ("/sign-out", "/turns"), ("x" * 9999, "/turns")],
)
def test_a_link_of_the_host_s_command_line_leads_where_it_says_on_our_own_pages(tables, stranger, after, leads):
    tables.player("ann")
    with tables.services.database.write() as tx:
        link = sign_in.link_for(tables.services, tx, ANN)
    page = stranger.get(f"/sign-in/{link}?next={after}")
    assert stranger.send(page.form("/sign-in/link")).address == leads
    assert stranger.get(f"/sign-in/{link}").status == 410, "it serves once"


@pytest.mark.parametrize("secret", ["x", "A" * 43, "A" * 42, "A" * 44, "%00" * 43, "é" * 43])
def test_a_link_that_is_none_signs_nobody_in(stranger, secret):
    page = stranger.get(f"/sign-in/{secret}")
    assert page.status in (404, 410)
    assert not [form for form in page.forms if form.action == "/sign-in/link"]


def test_no_secret_of_a_link_stands_in_a_log():
    from config.logging import scrub

    assert "A" * 43 not in scrub(f'127.0.0.1 "GET /sign-in/{"A" * 43}" 303')


# What was written survives


WRITTEN = {"text": "bid 3\r\n<b>&\"' é", "version": "17", "key": "k"}


def test_what_was_written_when_the_session_was_over_is_sent_on_after_signing_in(tables, stranger):
    ann = Browser(tables.services, tables.player("ann"), app=stranger.app)
    ann.get("/probe")
    form = Form("/probe?q=1", "post", {"csrf": "of the session", **WRITTEN})
    ann.client.delete_cookie("wardroom")
    page = ann.send(form)
    assert (page.status, "what you sent was not taken" in page.words) == (401, True)
    page = ann.send(page.form("/sign-in"), email="oops")
    waiting = ann.send(page.form("/sign-in"), email=ANN)
    code, _ = mailed(tables)
    again = ann.send(waiting.form("/sign-in/code"), code="wrong")
    page = ann.send(again.form("/sign-in/code"), code=code)
    assert "You are signed in as ann" in page.words
    assert "bid 3" not in page.words, "nothing sealed is shown"
    on = page.form("/probe")
    assert on.action == "/probe?q=1"
    sent = json.loads(ann.send(on).html)
    assert (sent["by"], {name: text for name, text in sent["sent"] if name != "csrf"}) == ("ann", WRITTEN)


def test_what_was_written_stands_in_no_address_and_no_cookie_and_no_row(tables, stranger):
    tables.player("ann")
    answer = stranger.client.post("/probe", data={"text": "bid 3 english"}, headers={"Sec-Fetch-Site": "same-origin"})
    page = Page(answer)
    waiting = stranger.send(page.form("/sign-in"), email=ANN)
    mailed(tables)
    assert "english" in page.form("/sign-in").fields["carried"] == waiting.form("/sign-in/code").fields["carried"]
    assert "english" not in str(answer.headers) + str(stranger.client._cookies)
    with tables.services.database.read() as connection:
        assert "english" not in repr(connection.exec_driver_sql("SELECT * FROM sign_ins").all())


def test_a_session_ended_elsewhere_is_over_and_the_form_is_kept(tables, stranger):
    ann = Browser(tables.services, tables.player("ann"), app=stranger.app)
    form = Form("/probe", "post", {**ann.get("/").form("/sign-out").fields, **WRITTEN})
    tables.execute("DELETE FROM tokens")
    page = ann.send(form)
    assert (page.status, "bid 3" in page.form("/sign-in").fields["carried"]) == (401, True)


def test_who_signed_in_by_the_link_in_another_tab_goes_on_in_the_first(tables, stranger):
    tables.player("ann")
    page = stranger.send(Form("/probe", "post", dict(WRITTEN)))
    waiting = stranger.send(page.form("/sign-in"), email=ANN)
    code, link = mailed(tables)
    stranger.send(stranger.get(link).form("/sign-in/link"))
    page = stranger.send(waiting.form("/sign-in/code"), code=code)
    assert json.loads(stranger.send(page.form("/probe")).html)["by"] == "ann"


def test_a_form_of_an_earlier_session_is_sent_by_a_button_as_who_is_signed_in_now(tables, stranger):
    bob = Browser(tables.services, tables.player("bob"), app=stranger.app)
    page = bob.send(Form("/probe", "post", {"csrf": "of ann's session", **WRITTEN}))
    assert (page.status, "You are signed in as bob" in page.words) == (409, True)
    assert json.loads(bob.send(page.form("/probe")).html)["by"] == "bob"


ELSEWHERE = [{}, {"Sec-Fetch-Site": "cross-site"}, {"Sec-Fetch-Site": "none"}, {"Origin": "http://evil.example"},
             {"Origin": "null"}]  # fmt: skip


@pytest.mark.parametrize("who", [None, "bob"])
def test_a_form_from_elsewhere_is_neither_taken_nor_carried_on(tables, stranger, who):
    browser = Browser(tables.services, tables.player(who) if who else None, app=stranger.app)
    for headers in ELSEWHERE:
        answer = browser.client.post("/probe", data=WRITTEN, headers={**browser.headers, **headers})
        assert (answer.status_code, "bid 3" in answer.text) == (403, False)


def test_what_is_carried_on_leads_to_our_own_pages_alone(tables, stranger):
    tables.player("ann")
    waiting = asks(stranger)
    page = stranger.send(
        waiting.form("/sign-in/code"), code=mailed(tables)[0], carried='{"address":"//evil.example/","fields":[]}'
    )
    assert "evil" not in page.html


# What strangers could do


def test_login_csrf_a_form_without_this_browsers_own_token_signs_nobody_in(tables, stranger):
    tables.player("ann")
    other = Browser(tables.services, app=stranger.app)
    form = asks(other).form("/sign-in/code")
    code, _ = mailed(tables)
    answer = stranger.client.post(form.action, data={**form.fields, "code": code}, headers=stranger.headers)
    assert answer.status_code == 403
    for site in ("cross-site", "same-site", "none"):
        sent = other.client.post(form.action, data={**form.fields, "code": code}, headers={"Sec-Fetch-Site": site})
        assert sent.status_code == 403
    assert other.send(form, code=code).status == 200


def test_session_fixation_every_sign_in_has_a_secret_of_its_own(tables, stranger):
    tables.player("ann")
    planted = "wr_" + "A" * 43
    stranger.client.set_cookie("wardroom", planted)
    waiting = asks(stranger)
    stranger.send(waiting.form("/sign-in/code"), code=mailed(tables)[0])
    assert stranger.client.get_cookie("wardroom").value != planted
    stranger.client.set_cookie("wardroom", planted)
    assert stranger.client.get("/probe").status_code == 303


def test_s21_the_cookie_is_renewed_as_the_session_is_once_an_hour(tables, stranger):
    ann = Browser(tables.services, tables.player("ann"), app=stranger.app)
    held = ann.client.get_cookie("wardroom").value
    for minutes, renewed in ((0, True), (1, False), (59, True)):
        tables.advance(minutes=minutes)
        cookies = ann.client.get("/probe").headers.getlist("Set-Cookie")
        assert [cookie.split(";")[0] for cookie in cookies] == [f"wardroom={held}"] * renewed
        assert all(f"Max-Age={400 * 86400}" in cookie and "HttpOnly" in cookie for cookie in cookies)


def test_what_the_sign_in_keeps_in_cookies_is_gone_when_it_is_done(tables, stranger):
    tables.player("ann")
    asks(stranger, address="/probe")
    _, link = mailed(tables)
    page = stranger.get(link)
    kept = {name: stranger.client.get_cookie(f"wardroom-{name}") for name in ("link", "next")}
    assert all(cookie.max_age == 600 and cookie.http_only for cookie in kept.values())
    stranger.send(page.form("/sign-in/link"))
    assert [stranger.client.get_cookie(f"wardroom-{name}") for name in kept] == [None, None]


@pytest.mark.parametrize("after", ["//evil.example", "/\\evil.example", "/%5cevil.example", "https://evil.example"])
def test_open_redirect_after_signing_in_one_is_on_a_page_of_ours(tables, stranger, after):
    tables.player("ann")
    waiting = asks(stranger, address=f"/sign-in?next={after}")
    assert "evil" not in waiting.html
    form = waiting.form("/sign-in/code")
    code, _ = mailed(tables)
    data = {**form.fields, "next": after, "code": code}
    answer = stranger.client.post(form.action, data=data, headers={"Sec-Fetch-Site": "same-origin"})
    assert (answer.status_code, answer.headers["Location"]) == (303, "/")
    assert stranger.client.get(f"/sign-in?next={after}").headers["Location"] == "/"


def test_signing_out_ends_the_session_and_has_the_browser_forget(tables, stranger):
    ann = Browser(tables.services, tables.player("ann"), app=stranger.app)
    secret = ann.client.get_cookie("wardroom").value
    form = ann.get("/").form("/sign-out")
    answer = ann.client.post("/sign-out", data=form.fields, headers=ann.headers)
    assert (answer.status_code, answer.headers["Location"]) == (303, "/")
    assert answer.headers["Clear-Site-Data"] == '"cache", "storage"'
    assert ann.client.get_cookie("wardroom") is None
    ann.client.set_cookie("wardroom", secret)
    assert ann.client.get("/probe").status_code == 303


def test_signing_out_twice_is_once(tables, stranger):
    ann = Browser(tables.services, tables.player("ann"), app=stranger.app)
    form = ann.get("/").form("/sign-out")
    assert [ann.send(form).status for _ in range(2)] == [200, 409]


def test_no_page_of_the_sign_in_is_framed_kept_or_told_of(tables, stranger):
    for address in ("/sign-in", "/sign-in/link", "/sign-in/" + "A" * 43):
        headers = stranger.client.get(address, headers=stranger.headers).headers
        assert "no-store" in headers["Cache-Control"]
        assert "frame-ancestors 'none'" in headers["Content-Security-Policy"]
        assert headers["Referrer-Policy"] in ("same-origin", "no-referrer")


def test_s21_a_session_is_no_bearer_and_a_bearer_no_session(tables, stranger):
    ann = Browser(tables.services, tables.player("ann"), app=stranger.app)
    secret = ann.client.get_cookie("wardroom").value
    bearer = {"Authorization": f"Bearer {secret}"}
    assert ann.client.get("/api/v1/me", headers=bearer).status_code == 401
    with tables.services.database.write() as tx:
        token = people.token_for(tables.services, tx, ANN, "ann")
    stranger.client.set_cookie("wardroom", token)
    assert stranger.client.get("/probe").status_code == 303


# Limits (S-29)


@pytest.fixture
def few(migrated_sqlite, open_services, monkeypatch):
    """A service with three requests a minute for each reader, and four to sign in."""
    monkeypatch.setattr(limits, "READ", 3)
    monkeypatch.setattr(limits, "SIGN_IN", 4)
    clock = ManualClock()
    return Tables(open_services(migrated_sqlite, clock=clock, RATE_LIMITS="on"), clock)


def test_s29_the_pages_to_sign_in_count_with_the_paths_of_the_api(few):
    browser = Browser(few.services)
    form = browser.get("/sign-in").form("/sign-in")
    api = {"json": {"email": ANN}, "headers": {"Content-Type": "application/json"}}
    assert [browser.client.post("/api/v1/tokens", **api).status_code for _ in range(2)] == [202, 202]
    assert [browser.send(form, email=ANN).status for _ in range(3)] == [200, 200, 429]
    assert browser.client.post("/api/v1/tokens", **api).status_code == 429
    page = browser.send(Form("/sign-in/code", "post", {**form.fields, "carried": "bid 3", "email": ANN}))
    assert (page.status, "wait" in page.words) == (429, True)
    again = page.form("/sign-in/code").fields
    assert (again["carried"], again["email"], again["csrf"]) == ("bid 3", ANN, form.fields["csrf"])


def test_s29_pages_count_by_session_and_strangers_by_network(few):
    app = create_app(few.services)  # it counts, so all look at the same one
    ann, bob = (Browser(few.services, few.player(name), app=app) for name in ("ann", "bob"))
    assert [ann.get("/docs").status for _ in range(4)] == [200, 200, 200, 429]
    assert [bob.get("/docs").status for _ in range(3)] == [200] * 3, "of the same network"
    assert [Browser(few.services, app=app).get("/docs").status for _ in range(4)] == [200, 200, 200, 429]
    made_up = Browser(few.services, app=app)
    made_up.client.set_cookie("wardroom", "wr_bogus")
    assert made_up.get("/docs").status == 429


def test_s29_who_takes_all_that_is_kept_counts_by_person(few, monkeypatch):
    monkeypatch.setattr(limits, "ACCOUNT", 1)
    ann = Browser(few.services, few.player("ann"))
    assert [ann.client.get("/me/data/export").status_code for _ in range(2)] == [200, 429]


def test_an_error_page_stands_also_where_the_database_does_not(tables, stranger, monkeypatch):
    ann = Browser(tables.services, tables.player("ann"), app=stranger.app)
    monkeypatch.setattr(tables.services.database, "engine", sa.create_engine("sqlite:////nowhere/at/all"))
    page = ann.send(Form("/probe", "post", {**WRITTEN}))
    assert (page.status, "The database does not answer" in page.words) == (503, True)
    assert page.form("/probe").fields["text"] == WRITTEN["text"]
