"""Pages under attack: every address of a page, as `url_map` has it, so that a new one is attacked, too.

Forms from elsewhere, reading that changes, games that are not there (S-11), odd forms, odd addresses, marked-up names.
"""

import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from functools import cached_property
from types import SimpleNamespace
from typing import Any

import pytest
import sqlalchemy as sa
from werkzeug.routing import Rule
from werkzeug.test import TestResponse

from config.logging import scrub
from service.games import long_poll
from service.mail import unsubscribes
from service.store.errors import OperationalError
from service.web.game import draft
from service.web.http.forms import Pages
from tests.manual_clock import ManualClock
from tests.service.store.service_tables import snapshot
from tests.service.web.browser import Browser
from tests.tables import Tables

OURS = {"Sec-Fetch-Site": "same-origin"}
ABSENT = "absentgame"
EXAMPLES = {
    "kind": "tammany-hall", "token": "t_absent", "key": "k_absent", "hook": "h_absent", "what": "test",
    "secret": "a" * 43, "hash_": "0", "name": "page.css", "seat": "1", "player": "p_absent", "device": "d_absent",
    "form": "atom", "whose": "mine", "epoch": "0", "example": "TH-E1", "number": "1", "chosen": "en",
}  # fmt: skip
"""What stands in the place of a part of an address."""
FORGED: tuple[Mapping[str, str], ...] = (
    {"Sec-Fetch-Site": "cross-site", "Origin": "http://evil.example"},
    {"Sec-Fetch-Site": "same-site", "Origin": "http://evil.localhost"},
    {"Sec-Fetch-Site": "none"},
    {"Origin": "http://localhost.evil.example"},
    {"Origin": "http://localhost:81"},
    {"Origin": "null"},
    {"Origin": ""},
)


class Attacker(Browser):
    """Somebody at a browser who sends what no page of ours would."""

    def rules(self, method: str) -> list[Rule]:
        """All addresses of pages that take this method."""
        pages = {name for name, blueprint in self.app.blueprints.items() if isinstance(blueprint, Pages)}
        found = [rule for rule in self.app.url_map.iter_rules() if rule.endpoint.partition(".")[0] in pages]
        return [rule for rule in found if rule.methods is not None and method in rule.methods]

    @cached_property
    def token(self) -> str:
        """The token in the forms of this session."""
        return self.get("/rules").forms[0].fields["csrf"]

    def open(self, method: str, path: str, headers: Mapping[str, str] = OURS, **more: Any) -> TestResponse:
        return self.client.open(path, method=method, headers={**self.headers, **headers}, buffered=True, **more)

    def post(self, path: str, token: str | None = None, /, **fields: str) -> TestResponse:
        return self.open("POST", path, data={"csrf": self.token if token is None else token, **fields})


def address(rule: Rule, game: str = ABSENT, **parts: str) -> str:
    """The address of a page of this game, with these parts."""
    return re.sub(r"<(?:[^<>]*:)?(\w+)>", lambda part: {**EXAMPLES, "game": game, **parts}[part[1]], rule.rule)


@pytest.fixture
def dan(tables: Tables, monkeypatch: pytest.MonkeyPatch) -> Attacker:
    """Somebody who is a member, and sits at no table; nobody waits for news."""
    monkeypatch.setattr(long_poll, "_watch", lambda *given: None)
    return Attacker(tables.services, tables.player("dan"))


@pytest.fixture
def ann(tables: Tables, dan: Attacker) -> Attacker:
    """Somebody who plays; that her session is in use has been noted."""
    found = Attacker(tables.services, tables.player("ann"))
    assert found.token
    return found


@pytest.fixture
def game(tables: Tables) -> str:
    return tables.begin("ann", "bob", "cyd", kind="tammany-hall")


# Forms from elsewhere


def test_every_address_that_takes_a_form_is_of_the_blueprint_that_checks_forms(dan):
    """But for those that are made for programs of mail and for this machine alone, which check by themselves, and for
    lessons, which know no session and keep nothing."""
    taking = {
        rule.endpoint.partition(".")[0] for rule in dan.app.url_map.iter_rules() if "POST" in (rule.methods or ())
    }
    pages = {name for name in taking if dan.app.blueprints[name].import_name.startswith("service.web.")}
    assert {name for name in pages if not isinstance(dan.app.blueprints[name], Pages)} == {
        "learn", "mailbox", "unsubscribe",
    }  # fmt: skip


@pytest.mark.parametrize("headers", FORGED, ids=str)
def test_csrf_no_address_takes_a_form_from_elsewhere(tables, ann, game, headers):
    token, before = ann.token, snapshot(tables.services)
    for rule in ann.rules("POST"):
        answer = ann.open("POST", address(rule, game), headers, data={"csrf": token, "text": "end"})
        assert answer.status_code == 403, (rule, answer.status_code)
    assert snapshot(tables.services) == before


@pytest.mark.parametrize(
    "more",
    [
        {"json": {"text": "end"}},
        {"data": "text=end", "content_type": "text/plain"},
        {"data": {"text": "end"}, "headers": {"X-HTTP-Method-Override": "POST"}},
        {"data": {"csrf": "0" * 32, "_method": "POST"}},
        {"query_string": {"csrf": "own"}},
    ],
    ids=["json", "plain", "override", "token", "query"],
)
def test_csrf_no_address_takes_what_is_no_form_of_this_session(tables, ann, game, more):
    token, before = ann.token, snapshot(tables.services)
    given = {**more, "query_string": {"csrf": token}} if "query_string" in more else more
    for rule in ann.rules("POST"):
        answer = ann.client.post(address(rule, game), **given)
        assert answer.status_code in (403, 415), (rule, answer.status_code)
    assert snapshot(tables.services) == before


def test_reading_changes_nothing_by_any_method(tables, ann, game):
    before = snapshot(tables.services)
    for method in ("GET", "HEAD", "OPTIONS"):
        for rule in ann.rules(method):
            answer = ann.open(method, address(rule, game), headers={"X-HTTP-Method-Override": "POST"})
            assert answer.status_code < 500
    assert snapshot(tables.services) == before


def test_other_methods_are_refused_as_pages_with_their_policy(ann, game):
    for rule in {address(rule, game): rule for rule in ann.rules("GET")}.values():
        for method in ("PUT", "PATCH", "DELETE"):
            answer = ann.open(method, address(rule, game))
            assert answer.status_code == 405, (method, rule)
            guarded(answer)


# Headers


NOBODYS = {"text/javascript", "application/manifest+json", "application/atom+xml", "image/svg+xml", "image/png"}
"""What is the same for everybody, and says nothing of who asks."""


DRAWN_BY_SCALAR = "style-src 'self' 'unsafe-inline'"
"""Of the reference of the API alone (decision 0108); its scripts are held as tightly as anybody's."""


def guarded(answer: TestResponse, *, is_for_all: bool = False) -> None:
    """An answer that nobody frames, keeps, guesses the type of, or runs a script in that is not ours; one that
    `is_for_all` may be kept, as it binds no browser."""
    assert answer.status_code < 500 or "Retry-After" in answer.headers
    policy, headers = answer.headers.get("Content-Security-Policy", ""), answer.headers
    assert "default-src 'none'" in policy
    assert "frame-ancestors 'none'" in policy
    assert "unsafe" not in policy.replace(DRAWN_BY_SCALAR, "")
    assert headers["X-Content-Type-Options"] == "nosniff"
    assert headers["Cross-Origin-Resource-Policy"] == "same-origin"
    assert "Cookie" in headers["Vary"]
    is_nobodys = answer.mimetype in NOBODYS
    if is_for_all and answer.status_code == 200 and "Set-Cookie" not in headers:
        assert headers["Cache-Control"] in ("public, max-age=5", "public, max-age=60")
    elif not (is_nobodys and answer.status_code == 200):
        assert headers["Cache-Control"] == "private, no-store"
        assert "ETag" not in headers or "attachment" in headers["Content-Disposition"]
    assert "Access-Control-Allow-Origin" not in headers
    if answer.mimetype == "text/html" and "attachment" not in headers.get("Content-Disposition", ""):
        assert "require-trusted-types-for 'script'" in policy or DRAWN_BY_SCALAR in policy
        assert not re.search(r"<script(?![^>]*\bsrc=)|\son\w+=|\sstyle=|javascript:", answer.text)


def test_every_answer_is_guarded(tables, ann, game):
    stranger, waiting = Attacker(tables.services), tables.open("ann", kind="city-hall")
    for who in (stranger, ann):
        token = who.get("/sign-in").form("/sign-in").fields["csrf"] if who is stranger else who.token
        for rule in who.rules("GET"):
            is_for_all = who is stranger and rule.rule.startswith(("/g/", "/games", "/p/"))
            guarded(who.open("GET", address(rule, game)), is_for_all=is_for_all)
            guarded(who.open("GET", address(rule, waiting)), is_for_all=is_for_all)
        for rule in who.rules("POST"):
            guarded(who.open("POST", address(rule, game), headers={"Origin": "null"}, data={}))
            if rule.rule not in ("/sign-out", "/me/access/others/end"):
                guarded(who.post(address(rule, game), token))
        for path in ("/nothing", "/g/%00", f"/g/{ABSENT}", "/assets/0/nothing"):
            guarded(who.open("GET", path))


def test_s31_a_log_shows_no_link_that_stops_mail(tables):
    """It can be read for whose mail it stops, an address for one, and stops it for whoever has it."""
    for player in ("guest@people.example", tables.player("ann")):
        link = unsubscribes.token(tables.services, player, "")
        assert link not in scrub(f'127.0.0.1 "GET /u/{link}" 200')


@pytest.mark.parametrize("path", ["../app.py", "%2e%2e/app.py", "..%2fapp.py", "%5c..%5capp.py", "%00", "game", "."])
def test_styles_are_given_from_their_folder_alone(dan, path):
    assert dan.client.get(f"/assets/0/{path}").status_code == 404


# Games that are not there


@pytest.mark.parametrize("state", ["open", "running"])
def test_s11_no_address_tells_who_is_no_member_of_a_private_game(tables, dan, state):
    bots = 2 if state == "running" else 0
    game = tables.open("ann", kind="tammany-hall", public=False, seats=3, bots=bots)
    stranger = Attacker(tables.services)
    for who in (dan, stranger):
        token = who.get("/sign-in").form("/sign-in").fields["csrf"] if who is stranger else who.token
        for method in ("GET", "HEAD", "POST"):
            for rule in [rule for rule in who.rules(method) if "game" in rule.arguments]:
                fields = {"text": "end", "version": "1", "key": "k", "line": "1", "invite": "a@b.example"}
                data = {"data": {"csrf": token, **fields}} if method == "POST" else {}
                seen, absent = (_told(who.open(method, address(rule, id_), **data), id_) for id_ in (game, ABSENT))
                assert seen == absent, (method, rule)


def test_s11_a_private_game_costs_a_stranger_to_it_no_more_statements_than_none(tables, dan):
    """So that the time of an answer says nothing, either, and nobody has a game read or locked that is not theirs."""
    game, token = tables.open("ann", kind="tammany-hall", public=False, seats=3, bots=2), dan.token
    fields = {"csrf": token, "text": "end", "version": "1", "key": "k", "line": "1", "invite": "a@b.example"}
    for method in ("GET", "POST"):
        for rule in [rule for rule in dan.rules(method) if "game" in rule.arguments]:
            data = {"data": fields} if method == "POST" else {}
            ran = []
            for id_ in (game, ABSENT):
                with statements(tables) as found:
                    dan.open(method, address(rule, id_), **data)
                ran.append(found)
            assert ran[0] == ran[1], (method, rule)


@contextmanager
def statements(tables: Tables) -> Iterator[list[str]]:
    """The statements that run meanwhile."""
    found: list[str] = []

    def note(connection: object, cursor: object, statement: str, *more: object) -> None:
        found.append(statement)

    engine = tables.services.database.engine
    sa.event.listen(engine, "before_cursor_execute", note)
    try:
        yield found
    finally:
        sa.event.remove(engine, "before_cursor_execute", note)


def _told(answer: TestResponse, game: str) -> tuple[object, ...]:
    headers = sorted(
        (name, text.replace(game, "…"))
        for name, text in answer.headers
        if name not in ("Content-Length", "X-Request-Id")
    )
    return answer.status_code, headers, answer.text.replace(game, "…")


# Odd forms


@pytest.mark.parametrize("version", ["", "abc", "-1", "1.0", "٣", "0", "9" * 5000])
def test_orders_for_no_version_of_the_game_are_kept_and_not_filed(ann, game, version):
    answer = ann.post(f"/g/{game}/orders", **{"do": "file", "version": version, "1.how": "none"})
    assert answer.status_code == 422
    assert "The game has moved on" in answer.text


@pytest.mark.parametrize("act", ["look", "try", "file", "withdraw"])
def test_orders_for_a_game_that_has_not_begun_lead_to_its_table(tables, ann, act):
    game = tables.open("ann", kind="tammany-hall")
    path = f"/g/{game}/orders"
    answer = ann.open("GET", path) if act == "look" else ann.post(path, do=act, version="1", rest="others bid none")
    assert (answer.status_code, answer.headers["Location"]) == (303, f"/g/{game}")


@pytest.mark.parametrize("seat", ["abc", "-1", "1234567890", "٣", " "])
def test_s02_what_is_said_to_a_seat_that_is_none_is_said_to_nobody(tables, ann, game, seat):
    answer = ann.post(f"/g/{game}/talk", text="for Bob alone", to=seat)
    assert answer.status_code == 400
    assert "for Bob alone" not in ann.get(f"/g/{game}").words


def test_a_form_that_was_changed_on_the_way_back_is_another_form(ann, game):
    """A browser that goes back may keep the key of a form that was sent; the same twice is once all the same."""
    for text in ("for the table", "for the table", "and one thing more"):
        assert ann.post(f"/g/{game}/talk", text=text, to="", key="k").status_code == 303
    words = ann.get(f"/g/{game}").words
    assert (words.count("for the table"), words.count("and one thing more")) == (1, 1)


def test_a_draft_of_a_thousand_lines_is_split_once(ann, game, monkeypatch):
    """Else whoever sends one keeps a process busy for most of a second."""
    split: list[str] = []
    monkeypatch.setattr(draft, "LINE_ENDS", SimpleNamespace(split=lambda text: split.append(text) or text.split("\n")))
    answer = ann.post(f"/g/{game}/draft", text="end\n" * 999, version="1", check="1")
    assert answer.status_code == 200
    assert len(split) < 10


@pytest.mark.parametrize("after", [0, 1, 2])
def test_without_its_database_a_page_says_so_and_is_guarded(tables, ann, monkeypatch, after):
    """Also where it goes away when it has said who looks: what else the frame of a page tells is not asked for."""
    left, read = iter(range(after)), type(tables.services.database).read

    def away(database: Any) -> Any:
        if next(left, None) is None:
            raise OperationalError("", {}, Exception("unable to open database file"))
        return read(database)

    monkeypatch.setattr(type(tables.services.database), "read", away)
    answer = ann.open("GET", "/turns")
    assert (answer.status_code, answer.mimetype) == (503, "text/html")
    assert int(answer.headers["Retry-After"]) > 0
    guarded(answer)


@pytest.mark.postgres
def test_nul_reaches_no_statement(migrated_postgres, open_services):
    """PostgreSQL takes it in no text, and raises where SQLite does not."""
    tables = Tables(open_services(migrated_postgres, clock=(clock := ManualClock())), clock)
    ann = Attacker(tables.services, tables.player("ann"))
    stranger = Attacker(tables.services)
    asked = stranger.get("/sign-in").form("/sign-in").fields["csrf"]
    for field in ("email", "name", "code", "request", "next", "timezone", "carried", "credential"):
        for path in ("/sign-in", "/sign-in/code", "/sign-in/passkey"):
            filled = {"email": "ann@people.example", "code": "0" * 8, field: "a\0b"}
            assert stranger.post(path, asked, **filled).status_code < 500, (path, field)
    for method in ("GET", "POST"):
        for rule in [rule for rule in ann.rules(method) if rule.arguments - {"what"}]:
            path = address(rule, **dict.fromkeys(rule.arguments - {"what"}, "%00"))
            assert ann.open(method, path, data={"csrf": ann.token}).status_code < 500, (method, rule)


# What people write


MARKUP = "\"><b x='a'>{0}%s%(x)s{{7}}&lt;"


def test_what_people_write_is_text_on_every_page(tables, ann, dan, game):
    """Names, talk, labels: in texts, in attributes, in sentences that are filled in and in those of other languages."""
    bob = Attacker(tables.services, tables.player("bob"))
    tables.change_profile("ann", name=MARKUP)  # such names are refused today, and may be older than that
    tables.change_profile("bob", name="Bob<b x>%(name)s", language="de")
    assert ann.post(f"/g/{game}/talk", text=MARKUP).status_code == 303
    assert ann.post("/me/access/tokens", label=MARKUP, read="1").status_code == 200
    version = str(tables.head(game).version)
    assert ann.post(f"/g/{game}/clock", propose="pause", number="2", unit="D", version=version).status_code == 303
    tables.advance(hours=1)
    waiting, shown = tables.open("ann", kind="city-hall"), 0
    for who in (ann, bob, dan):
        for rule in who.rules("GET"):
            for place in (game, waiting) if "game" in rule.arguments else (game,):
                answer = who.open("GET", address(rule, place))
                text = answer.data.decode(errors="replace")
                assert "<b x" not in text or answer.mimetype != "text/html", rule
                shown += "{0}%s%(x)s{{7}}&amp;lt;" in text
    assert shown > 10


@pytest.mark.parametrize("fields", ["text label invite", "pick url email", "at name", "compose", "version", "key"])
def test_what_a_form_brings_back_is_text(dan, ann, game, fields):
    """No form has two fields of one line, so none hides what another brings back."""
    sent = {"1.how": "exactly", **dict.fromkeys(fields.split(), MARKUP)}
    for rule in ann.rules("POST"):
        if rule.endpoint not in ("sign_in.sign_out", "me_access.end_others"):
            answer = ann.post(address(rule, game), do="try", rest=MARKUP, **sent)
            assert "<b x" not in answer.text, rule
