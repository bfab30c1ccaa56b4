"""The pages: what people see in a browser, and that looking at anything changes nothing."""

import re
from collections.abc import Callable
from html.parser import HTMLParser
from urllib.parse import urlsplit

import pytest
from flask.testing import FlaskClient

from service.container import Services
from service.mail import deliverability, unsubscribes
from tests.apps import app_of
from tests.letters import html_of, parsed, text_of
from tests.manual_clock import ManualClock
from tests.notices import mail_in
from tests.service.store.service_tables import snapshot
from tests.tables import Tables
from tests.workers.letters.correspondence import no_pictures
from workers.mail_in.inbox_worker import Postroom
from workers.mail_out.transport import transport
from workers.parsing.read_mail import read

HOSTILE = "<script>alert(1)</script>\"'&"


class Page(HTMLParser):
    """Tags and words of a page."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.words = ""
        self.feed(html)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))

    def handle_data(self, data: str) -> None:
        self.words += data

    def all(self, tag: str, attribute: str) -> list[str]:
        return [str(attributes[attribute]) for name, attributes in self.tags if name == tag and attribute in attributes]


@pytest.fixture
def make(migrated_sqlite: str, open_services: Callable[..., Services]) -> Callable[..., tuple[Tables, FlaskClient]]:
    """A service under these settings, and a browser."""

    def make(**settings: str) -> tuple[Tables, FlaskClient]:
        manual_clock = ManualClock()
        tables = Tables(open_services(migrated_sqlite, clock=manual_clock, **settings), manual_clock)
        return tables, app_of(tables.services).test_client()

    return make


@pytest.fixture
def tables(make: Callable[..., tuple[Tables, FlaskClient]]) -> Tables:
    """With mail in the development mailbox: a code, and letters about two games."""
    found, _ = make(BASE_URL="http://play.example")
    found.rename("bob", HOSTILE)
    found.request_code("ann")
    found.begin("ann", "bob", "cyd", kind="tammany-hall")
    found.begin("ann", "bob")
    with no_pictures():
        found.deliver(transport(found.services.settings))
        found.deliver()
    return found


@pytest.fixture
def browser(tables: Tables) -> FlaskClient:
    return app_of(tables.services).test_client()


def letters(browser: FlaskClient) -> list[str]:
    return [link for link in Page(browser.get("/mailbox").text).all("a", "href") if link.startswith("/mailbox/")]


def every_page(tables: Tables, browser: FlaskClient) -> list[str]:
    letter = letters(browser)[0]
    token = unsubscribes.token(tables.services, tables.ids["bob"], "abcdefghij")
    return ["/", "/docs", "/mailbox", letter, f"/u/{token}"]


# Home


def test_the_home_page_says_what_this_is(tables, browser):
    page = Page(browser.get("/").text)
    assert "Two board games of New York politics" in page.words
    for link in page.all("a", "href"):
        assert link == "#main" or browser.get(link).status_code in (200, 503), link


def test_the_page_for_programs_says_what_to_do_with_the_address_people_use(tables, browser):
    page = Page(browser.get("/docs").text)
    assert page.words.count("curl -s http://play.example/api/v1/") >= 5
    assert "/mailbox" in page.all("a", "href")
    for link in page.all("a", "href"):
        assert not link.startswith("/") or browser.get(link).status_code in (200, 303, 503), link
    assert "/api/v1/rulesets/tammany-hall" in page.all("a", "href")


def test_where_mail_is_really_sent_there_is_no_mailbox(make):
    _, browser = make(SMTP_URL="smtp://127.0.0.1:1")
    assert "/mailbox" not in browser.get("/").text
    for path in ("/mailbox", "/mailbox/1234567890123-12345678.eml", "/mailbox/1234567890123-12345678.eml/html"):
        assert browser.get(path).status_code == 404


# The development mailbox


def test_an_empty_mailbox_says_so(make):
    _, browser = make()
    answer = browser.get("/mailbox")
    assert answer.status_code == 200
    assert "No mail yet." in answer.text


def test_the_mailbox_lists_every_letter_and_shows_each_as_text(tables, browser):
    found = letters(browser)
    assert len(found) == len(set(found)) == 4
    shown = [Page(browser.get(link).text).words for link in found]
    sent = [text_of(letter) for letter in tables.carrier.letters]
    assert not sent, "they went into the mailbox and nowhere else"
    assert sum("where do your bosses go?" in words for words in shown) == 1
    assert sum("Your code for Wardroom: " in words for words in shown) == 1
    assert all("Message-ID" in words for words in shown)


def test_names_are_text_on_every_page(tables, browser):
    pages = [browser.get(path).text for path in ("/mailbox", *letters(browser))]
    assert sum(HOSTILE in Page(text).words for text in pages) >= 3
    assert not any("<script" in text for text in pages)


@pytest.mark.parametrize(
    "name",
    [
        "x",
        "..%2f..%2fsecret-key",
        "../secret-key",
        "%2e%2e/secret-key",
        "1234567890123-1234567.eml",
        "1234567890123-12345678.eml",
        "1234567890123-12345678.eml.part",
        "1234567890123-12345678.eml%00",
        "1234567890123-12345678.eml%0a",
        "١234567890123-12345678.eml",
    ],
)
def test_there_is_no_other_file_in_the_mailbox(tables, browser, name):
    assert browser.get(f"/mailbox/{name}").status_code == 404
    assert browser.get(f"/mailbox/{name}/html").status_code == 404


def test_the_html_of_a_letter_cannot_run_scripts_or_fetch_or_send_anything(tables, browser):
    for link in letters(browser):
        answer = browser.get(f"{link}/html")
        assert answer.status_code == 200
        assert answer.content_type == "text/html; charset=utf-8"
        policy = dict(part.strip().partition(" ")[::2] for part in answer.headers["Content-Security-Policy"].split(";"))
        assert policy == {
            "default-src": "'none'",
            "style-src": "'unsafe-inline'",
            "img-src": "data:",
            "sandbox": "",
            "form-action": "'none'",
            "base-uri": "'none'",
            "frame-ancestors": "'none'",
        }
        assert answer.headers["X-Content-Type-Options"] == "nosniff"


def test_a_letter_that_is_no_mail_at_all_is_shown_as_well_as_can_be(tables, browser):
    folder = tables.services.settings.data_dir / "mailbox" / "new"
    for number, junk in enumerate(
        [b"", b"\xff\xfe\x00", b"Subject: =?utf-8?b?!!!?=\n\nx", b"Content-Type: text/html; charset=nonsense\n\n<p>"]
    ):
        (folder / f"999999999999{number}-00000000.eml").write_bytes(junk)
    assert len(letters(browser)) == 8
    for link in letters(browser)[:4]:
        assert browser.get(link).status_code == 200
        assert browser.get(f"{link}/html").status_code in (200, 404)


def test_a_letter_is_answered_on_its_page_as_a_mail_program_would(tables, browser):
    postroom = Postroom(tables.services, read)
    link = next(one for one in letters(browser) if "where do your bosses go?" in Page(browser.get(one).text).words)
    game = tables.notices(kind="your-turn")[0]["game_id"]
    before = tables.head(game).version
    assert browser.post(link, data={"text": "place 14 14\nend"}).headers["Location"] == "/mailbox"
    assert postroom.work() == 1
    assert tables.head(game).version > before
    tables.deliver(transport(tables.services.settings))
    assert any("Done: place 14 14; end." in Page(browser.get(one).text).words for one in letters(browser))


def test_t67_another_page_of_the_browser_cannot_write_answers(tables, browser):
    for link in letters(browser):
        answer = browser.post(link, data={"text": "end"}, headers={"Sec-Fetch-Site": "cross-site"})
        assert answer.status_code == 404
    assert Postroom(tables.services, read).work() == 0


def test_a_letter_that_takes_no_answer_says_so(tables, browser):
    link = next(one for one in letters(browser) if "Your code for Wardroom" in Page(browser.get(one).text).words)
    assert "<form" not in browser.get(link).text


def test_a_mail_program_may_have_moved_the_letters(tables, browser):
    folder = tables.services.settings.data_dir / "mailbox"
    before = letters(browser)
    for path in (folder / "new").iterdir():
        path.rename(folder / "cur" / f"{path.name}:2,S")
    assert letters(browser) == before
    assert all(browser.get(link).status_code == 200 for link in before)


# Unsubscribing


@pytest.fixture
def link(tables: Tables) -> str:
    """The way out that stands in bob's mail about Pennies."""
    game = next(row["game_id"] for row in tables.notices(kind="your-turn", recipient=tables.ids["bob"]))
    return f"/u/{unsubscribes.token(tables.services, tables.ids['bob'], game)}"


def muted(tables: Tables) -> list[tuple[str, str]]:
    return [(row[0], row[1]) for row in snapshot(tables.services)["mutes"]]


def test_out16_looking_at_the_page_changes_nothing(tables, browser, link):
    before = snapshot(tables.services)
    for method in ("GET", "HEAD", "OPTIONS"):
        assert browser.open(link, method=method).status_code in (200, 204)
    assert snapshot(tables.services) == before
    page = Page(browser.get(link).text)
    assert page.all("form", "action") == [link]
    assert page.all("form", "method") == ["post"]
    assert page.all("button", "type") == ["submit"]
    assert "your clock runs on" in " ".join(page.words.split())


@pytest.mark.parametrize("body", [{}, {"List-Unsubscribe": "One-Click"}])
def test_out15_out17_one_post_without_login_stops_the_mail_of_this_game_alone(tables, browser, link, body):
    answer = browser.post(link, data=body)
    assert answer.status_code == 200
    assert "You will get no more mail about this game." in answer.text
    assert "Set-Cookie" not in answer.headers
    player, game = unsubscribes.read_token(tables.services, link.removeprefix("/u/")) or ("", "")
    assert muted(tables) == [(game, player)]
    before = snapshot(tables.services)
    tables.advance(minutes=1)
    assert browser.post(link, data=body).status_code == 200
    assert snapshot(tables.services) == before, "twice is once"
    assert tables.head(game).table.seat_of(player) is not None, "and nobody resigned"


def test_out17_the_same_page_switches_mail_on_again(tables, browser, link):
    player, game = unsubscribes.read_token(tables.services, link.removeprefix("/u/")) or ("", "")
    browser.post(link, data={"List-Unsubscribe": "One-Click"})
    page = Page(browser.get(link).text)
    assert "“mail off” at your seat" in " ".join(page.words.split())
    assert page.all("form", "action") == [link]
    assert page.all("button", "name") == ["action"]
    assert page.all("button", "value") == ["resume"]
    assert muted(tables) == [(game, player)], "looking changes nothing"
    answer = browser.post(link, data={"action": "resume"})
    assert "You will get mail about this game again" in answer.text
    assert muted(tables) == []
    assert browser.post(link, data={"action": "resume"}).status_code == 200, "twice is once"
    assert Page(browser.get(link).text).all("button", "value") == []
    browser.post(link, data={"action": "anything else"})
    assert muted(tables) == [(game, player)]


def test_rate11_the_page_says_when_no_mail_at_all_reaches_its_reader(tables, browser, link):
    player, _ = unsubscribes.read_token(tables.services, link.removeprefix("/u/")) or ("", "")
    assert "No mail is sent" not in browser.get(link).text
    tables.execute("UPDATE deliveries SET state = 'sent', done_at = :now", now=tables.clock.at)
    with tables.services.database.write() as tx:
        assert deliverability.record_complaint(tables.services, tx, mail_in(tx, tables.notices(recipient=player)[0]))
    assert "No mail is sent to your address at all" in browser.get(link).text


@pytest.mark.parametrize("spoil", ["", "x", "ZZ", "W10.abc", "%00", "a" * 5000, "é"])
def test_a_link_that_is_not_ours_is_not_there(tables, browser, link, spoil):
    before = snapshot(tables.services)
    for path in (f"/u/{spoil}", f"{link}{spoil}x", link[:-1], f"/u/{link[5:]}"):
        assert browser.get(path).status_code == 404
        assert browser.post(path).status_code == 404
    assert snapshot(tables.services) == before


def test_out24_the_link_opens_no_other_door(tables, browser, link):
    token = link.removeprefix("/u/")
    answer = browser.get("/api/v1/me", headers={"Authorization": f"Bearer {token}"})
    assert answer.status_code == 401


def test_s30_a_link_made_under_an_older_key_still_works(tables, make, link):
    _, browser = make(SECRET_KEY="n" * 32, SECRET_KEYS_OLD="k" * 32)
    assert browser.get(link).status_code == 200
    _, stranger = make(SECRET_KEY="n" * 32)
    assert stranger.get(link).status_code == 404


def test_f61_a_scanner_that_follows_every_link_of_every_mail_changes_nothing(tables, browser, monkeypatch):
    tables.execute("UPDATE deliveries SET state = 'queued', lease_until = 0 WHERE kind = 'your-turn'")
    tables.deliver()
    assert len(tables.carrier.letters) == 3
    before = snapshot(tables.services)
    visited = set()
    for letter in tables.carrier.letters:
        words = (
            f"{text_of(letter)} {html_of(letter)} {parsed(letter)['List-Unsubscribe']} {parsed(letter)['List-Help']}"
        )
        for address in re.findall(r"http://play\.example[^\s<>\"]*", words):
            path = urlsplit(address).path
            for method in ("GET", "HEAD"):
                assert browser.open(path, method=method).status_code < 500
            visited.add(path)
    assert len(visited) > 5
    assert any(path.startswith("/u/") for path in visited)
    assert snapshot(tables.services) == before


# Headers


def test_s26_every_page_has_the_headers_that_protect_it(tables, browser):
    for path in [*every_page(tables, browser), "/nothing", "/u/nothing", "/mailbox/nothing"]:
        headers = browser.get(path, buffered=True).headers
        policy = headers["Content-Security-Policy"]
        assert "default-src 'none'" in policy
        assert "frame-ancestors 'none'" in policy
        assert "base-uri 'none'" in policy
        assert "unsafe" not in policy
        if "script-src" in policy:
            assert "script-src 'self';" in policy
            assert "require-trusted-types-for 'script'" in policy
        assert headers["X-Content-Type-Options"] == "nosniff"
        assert headers["Referrer-Policy"] in ("no-referrer", "same-origin")
        assert headers["Cross-Origin-Opener-Policy"] == "same-origin"
        assert headers["Cache-Control"] == "private, no-store"
        assert all(cookie.startswith("wardroom-form=") for cookie in headers.getlist("Set-Cookie"))  # of Play now


def test_s26_the_pages_keep_to_their_own_policy(tables, browser):
    """No script, no inline style, nothing from elsewhere: the policy takes nothing from what is seen."""
    for path in every_page(tables, browser):
        page = Page(browser.get(path).text)
        for tag, attributes in page.tags:
            assert tag not in ("script", "style", "iframe", "img", "object", "embed")
            assert not any(name == "style" or name.startswith("on") for name in attributes)
        for source in page.all("link", "href") + page.all("form", "action"):
            assert source.startswith("/")
            assert not source.startswith("//")
            assert browser.get(source, buffered=True).status_code in (200, 405), source  # a form is posted


@pytest.mark.parametrize("method", ["PUT", "PATCH", "DELETE"])
def test_pages_know_no_other_methods(tables, browser, link, method):
    before = snapshot(tables.services)
    for path in ("/", "/mailbox", link):
        assert browser.open(path, method=method).status_code == 405
    assert snapshot(tables.services) == before
