"""Passkeys: made by members, answered once, for this place, this browser and this purpose alone (WebAuthn 7.1, 7.2)."""

import json
from collections.abc import Callable
from dataclasses import replace

import pytest

from service.accounts import passkeys
from service.app import create_app
from service.container import Services
from service.store.people import passkeys as store
from service.web.http.session import begin_session
from tests.manual_clock import ManualClock
from tests.service.web.authenticator import PRESENT, Authenticator
from tests.service.web.browser import Browser
from tests.tables import Tables

HOST, ORIGIN = "play.example", "https://play.example"
OURS = {"Sec-Fetch-Site": "same-origin"}


@pytest.fixture(scope="module")
def made():
    return []


@pytest.fixture
def tables(migrated_sqlite: str, open_services: Callable[..., Services]) -> Tables:
    """A service that is reached by https and a name."""
    clock = ManualClock()
    return Tables(open_services(migrated_sqlite, clock=clock, BASE_URL=ORIGIN, SMTP_URL="smtp://127.0.0.1:1"), clock)


@pytest.fixture
def app(tables, made):
    if not made:
        made.append(create_app(tables.services))
    made[0].extensions["wardroom"] = tables.services
    return made[0]


class Visitor(Browser):
    """A browser on the https site."""

    def __init__(self, services, player=None, *, app):
        super().__init__(services, None, app=app)
        self.headers |= OURS
        self.client.environ_base = {"wsgi.url_scheme": "https", "HTTP_HOST": HOST}
        if player:
            self._sign_in(services, player)

    def _sign_in(self, services, player):
        with self.app.test_request_context(), services.database.write() as tx:
            answer = begin_session(self.app.response_class(), tx, player)
        name, _, value = answer.headers["Set-Cookie"].partition(";")[0].partition("=")
        self.client.set_cookie(name, value, domain=HOST, secure=True)

    def post(self, address, **fields):
        return self.client.post(address, data=fields, headers=self.headers, base_url=ORIGIN)

    def csrf(self, address):
        answer = self.client.get(address, headers=self.headers, base_url=ORIGIN)
        assert answer.status_code == 200, address
        return answer.text.partition('name="csrf" value="')[2].partition('"')[0]

    def options(self, page, address):
        self.token = self.csrf(page)
        answer = self.post(f"{address}/options", csrf=self.token)
        assert (answer.status_code, answer.mimetype) == (200, "application/json")
        return answer.json

    def adds(self, device):
        options = self.options("/me/access", "/me/access/passkeys")
        return self.post("/me/access/passkeys", csrf=self.token, credential=device.create(options))

    def enters(self, device, options=None, **more):
        options = options or self.options("/sign-in", "/sign-in/passkey")
        return self.post("/sign-in/passkey", csrf=self.token, credential=device.get(options), **more)


@pytest.fixture
def ann(tables, app):
    return Visitor(tables.services, tables.player("ann"), app=app)


@pytest.fixture
def stranger(tables, app):
    return Visitor(tables.services, app=app)


@pytest.fixture
def device():
    return Authenticator(ORIGIN, HOST)


def kept(tables, who="ann"):
    with tables.services.database.read() as connection:
        return passkeys.of_player(connection, tables.ids[who])


def refused(answer):
    return (answer.status_code, "__Host-wardroom=" in str(answer.headers.getlist("Set-Cookie"))) == (422, False)


def test_a_passkey_is_made_and_signs_in_and_leads_back(tables, ann, stranger, device):
    assert ann.adds(device).headers["Location"] == "/me/access?saved=1"
    answer = stranger.enters(device, next="/me/mail")
    assert (answer.status_code, answer.headers["Location"]) == (303, "/me/mail")
    cookie = next(line for line in answer.headers.getlist("Set-Cookie") if line.startswith("__Host-wardroom="))
    assert {"Secure", "HttpOnly", "SameSite=Lax", "Path=/"} <= set(cookie.split("; "))
    assert b">ann</a>" in stranger.client.get("/me", base_url=ORIGIN).data
    (mine,) = kept(tables)
    assert (mine.uses, mine.last_used_at) == (1, tables.clock.at)


def test_next_after_a_passkey_is_a_page_of_ours(ann, stranger, device):
    ann.adds(device)
    assert stranger.enters(device, next="//evil.example").headers["Location"] == "/"


def test_what_was_written_is_carried_on_by_a_passkey_too(ann, stranger, device):
    ann.adds(device)
    answer = stranger.enters(device, carried='{"address":"/me","fields":[["name","Dora"]]}')
    assert (answer.status_code, "You are signed in as ann" in answer.text) == (200, True)
    assert 'name="name" value="Dora"' in answer.text


def test_options_say_nothing_of_anybody(ann, stranger, device):
    ann.adds(device)
    options = stranger.options("/sign-in", "/sign-in/passkey")
    assert {name: value for name, value in options.items() if name not in ("challenge", "timeout")} == {
        "rpId": HOST, "allowCredentials": [], "userVerification": "required",
    }  # fmt: skip


def test_a_challenge_is_answered_once(ann, stranger, device):
    ann.adds(device)
    options = stranger.options("/sign-in", "/sign-in/passkey")
    answer = device.get(options)
    assert stranger.post("/sign-in/passkey", csrf=stranger.token, credential=answer).status_code == 303
    stranger.client.delete_cookie("__Host-wardroom", domain=HOST)
    assert refused(stranger.post("/sign-in/passkey", csrf=stranger.token, credential=answer))
    assert refused(stranger.enters(device, options)), "nor by a new signature"
    assert stranger.enters(device).status_code == 303


def test_a_challenge_is_of_one_browser_for_one_purpose_and_five_minutes(tables, ann, stranger, device):
    ann.adds(device)
    options = stranger.options("/sign-in", "/sign-in/passkey")
    other = Visitor(tables.services, app=stranger.app)
    other.token = other.csrf("/sign-in")
    assert refused(other.enters(device, options)), "another browser"
    making = ann.options("/me/access", "/me/access/passkeys")
    assert refused(ann.enters(device, making)), "made to register"
    entering = ann.post("/sign-in/passkey/options", csrf=ann.token).json
    made = Authenticator(ORIGIN, HOST).create({**making, "challenge": entering["challenge"]})
    assert refused(ann.post("/me/access/passkeys", csrf=ann.token, credential=made)), "made to sign in"
    assert ann.enters(device, entering).status_code == 303
    tables.advance(minutes=5)
    assert refused(stranger.enters(device, options))
    assert len(kept(tables)) == 1


@pytest.mark.parametrize(
    "where", [("https://evil.example", HOST), (ORIGIN, "evil.example"), ("http://play.example", HOST)]
)
def test_passkey_origin_an_answer_made_elsewhere_is_none(tables, ann, stranger, device, where):
    ann.adds(device)
    device.origin, device.host = where
    assert refused(stranger.enters(device))
    assert refused(ann.adds(Authenticator(*where)))


def test_whoever_is_not_verified_by_their_device_is_nobody(ann, stranger, device):
    ann.adds(device)
    device.flags = PRESENT
    assert refused(stranger.enters(device))
    assert refused(ann.adds(Authenticator(ORIGIN, HOST, flags=PRESENT)))


def test_a_strange_key_a_strange_signature_a_copy_that_counts_less_and_another_user_are_refused(ann, stranger, device):
    ann.adds(device)
    assert refused(stranger.enters(Authenticator(ORIGIN, HOST)))
    assert refused(stranger.enters(Authenticator(ORIGIN, HOST, credential=device.credential, user=device.user)))
    assert stranger.enters(device).status_code == 303
    stranger.client.delete_cookie("__Host-wardroom", domain=HOST)
    copy = replace(device, uses=0)
    assert refused(stranger.enters(copy))
    assert stranger.enters(copy).status_code == 303, "when it has counted further"
    device.uses = copy.uses
    stranger.client.delete_cookie("__Host-wardroom", domain=HOST)
    device.user = "cF9ib2I"
    assert refused(stranger.enters(device))


JUNK = ["", "{}", "[]", "é", "\x00", "[" * 9_000, "x" * 30_000, '{"response":{"clientDataJSON":"e30"}}']


def test_junk_is_refused(ann, stranger, device):
    ann.adds(device)
    good = json.loads(device.get(stranger.options("/sign-in", "/sign-in/passkey")))
    spoiled = [
        json.dumps({**good, "response": {**good["response"], part: junk}})
        for part in ("clientDataJSON", "authenticatorData", "signature")
        for junk in ("", "é", 7, None, "AAAA")
    ]
    csrf = ann.csrf("/me/access")
    for junk in (*JUNK, *spoiled):
        assert refused(stranger.post("/sign-in/passkey", csrf=stranger.token, credential=junk)), junk[:80]
        assert refused(ann.post("/me/access/passkeys", csrf=csrf, credential=junk)), junk[:80]
    assert stranger.post("/sign-in/passkey", csrf=stranger.token, credential=json.dumps(good)).status_code == 303


def test_a_passkey_belongs_to_one_and_is_ended_by_its_owner_alone(tables, app, ann, stranger, device):
    ann.adds(device)
    bob = Visitor(tables.services, tables.player("bob"), app=app)
    assert refused(bob.adds(device))
    (key,) = kept(tables)
    bob.post(f"/me/access/passkeys/{key.id}/end", csrf=bob.csrf("/me/access"))
    assert kept(tables) == [key]
    ann.post(f"/me/access/passkeys/{key.id}/end", csrf=ann.csrf("/me/access"))
    assert kept(tables) == []
    assert refused(stranger.enters(device))


def test_a_browser_is_asked_not_to_make_a_second_on_one_device_and_nobody_has_more_than_twenty(tables, ann, device):
    for _ in range(passkeys.MOST - 1):
        ann.adds(Authenticator(ORIGIN, HOST))
    ready = ann.options("/me/access", "/me/access/passkeys")
    ann.adds(device)
    late = ann.post("/me/access/passkeys", csrf=ann.token, credential=Authenticator(ORIGIN, HOST).create(ready))
    assert (refused(late), len(kept(tables))) == (True, passkeys.MOST)
    assert ann.post("/me/access/passkeys/options", csrf=ann.csrf("/me/access")).status_code == 422
    (gone, *_) = kept(tables)
    ann.post(f"/me/access/passkeys/{gone.id}/end", csrf=ann.csrf("/me/access"))
    excluded = ann.options("/me/access", "/me/access/passkeys")["excludeCredentials"]
    assert len(excluded) == passkeys.MOST - 1


def test_forms_from_elsewhere_make_no_passkey_and_sign_nobody_in(ann, stranger, device):
    ann.adds(device)
    options = stranger.options("/sign-in", "/sign-in/passkey")
    evil = {"Sec-Fetch-Site": "cross-site", "Origin": "https://evil.example"}
    for address in (
        "/sign-in/passkey",
        "/sign-in/passkey/options",
        "/me/access/passkeys",
        "/me/access/passkeys/options",
    ):
        data = {"csrf": stranger.token, "credential": device.get(options)}
        assert stranger.client.post(address, data=data, headers=evil, base_url=ORIGIN).status_code == 403
    assert stranger.post("/me/access/passkeys/options", csrf=stranger.token).status_code == 401


def test_an_address_that_browsers_take_no_passkeys_for_offers_none(open_services, migrated_sqlite):
    cases = {"http://127.0.0.1:8000": False, "http://[::1]:8000": False, "http://localhost:8000": True,
             "https://192.0.2.1": False, "https://play.example/x": True}  # fmt: skip
    for base, offered in cases.items():
        assert passkeys.offered(open_services(migrated_sqlite, BASE_URL=base, SMTP_URL="smtp://127.0.0.1:1")) == offered


def test_challenges_that_were_answered_are_forgotten_when_they_are_too_old(tables, ann, stranger, device):
    ann.adds(device)
    stranger.enters(device)
    count = "SELECT count(*) FROM spent_challenges"
    for minutes, left in ((4, 2), (2, 0)):
        tables.advance(minutes=minutes)
        with tables.services.database.write() as tx:
            store.drop_spent(tx, tables.clock.at)
            assert tx.exec_driver_sql(count).scalar() == left
