"""The development mailbox is for this machine's own eyes: it holds everybody's codes."""

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from config.exposure import exposure
from config.settings import Settings
from service.container import Services
from service.mail import inbox
from service.mail.development_mailbox import Folder
from tests.acceptance.processes import ROOT, environment
from tests.apps import app_of

LETTER = "/mailbox/{name}"
MAIL = (
    b"From: game@localhost\r\nTo: ann@x.example\r\nReply-To: r@localhost\r\n"
    b"Subject: Your code\r\n\r\nCode: abcdefgh\r\n"
)
PROXIED = {
    "Forwarded": "for=192.0.2.1",
    "X-Forwarded-For": "192.0.2.1",
    "X-Forwarded-Host": "evil.example",
    "X-Forwarded-Proto": "https",
    "X-Forwarded": "for=192.0.2.1",
    "X-Real-IP": "192.0.2.1",
    "X-Client-IP": "192.0.2.1",
    "Client-IP": "192.0.2.1",
    "X-Cluster-Client-IP": "192.0.2.1",
    "True-Client-IP": "192.0.2.1",
    "CF-Connecting-IP": "192.0.2.1",
    "Fly-Client-IP": "192.0.2.1",
    "X-Original-Host": "evil.example",
    "Via": "1.1 proxy",
}


@pytest.fixture
def services(migrated_sqlite: str, open_services: Callable[..., Services]) -> Services:
    """A service with one letter in its mailbox."""
    made = open_services(migrated_sqlite)
    Folder(made.settings.data_dir / "mailbox").deliver(MAIL)
    return made


@pytest.fixture
def browser(services: Services) -> FlaskClient:
    return app_of(services).test_client()


@pytest.fixture
def answers(services: Services, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The answers that were written to letters."""
    found: list[str] = []
    monkeypatch.setattr(inbox, "accept", lambda _services, mail: found.append(mail.recipient))
    return found


def letter_path(services: Services) -> str:
    (name, _), *_ = Folder(services.settings.data_dir / "mailbox").files()
    return LETTER.format(name=name)


def paths(services: Services) -> list[str]:
    return ["/mailbox", letter_path(services)]


def turned_away(response: TestResponse) -> bool:
    """Not there, with a sentence for the developer who stands before it, and nothing of any mail."""
    told = response.get_json(force=True)
    assert response.status_code == 404, response.text
    assert told["code"] == "mailbox-is-local"
    assert "127.0.0.1" in told["detail"]
    assert "abcdefgh" not in response.text
    return True


# Who may look


@pytest.mark.parametrize(
    "host",
    [
        "localhost",
        "localhost:8000",
        "LOCALHOST:1",
        "127.0.0.1",
        "127.0.0.1:8000",
        "127.9.9.9:80",
        "[::1]",
        "[::1]:8000",
    ],
)
def test_this_machine_by_any_of_its_own_names_sees_the_mail(services, browser, host):
    for path in paths(services):
        assert browser.get(path, headers={"Host": host}).status_code == 200


@pytest.mark.parametrize(
    "host",
    [
        "evil.example",
        "evil.example:8000",
        "localhost.evil.example",
        "127.0.0.1.evil.example",
        "127.0.0.1@evil.example",
        "192.0.2.1:8000",
        "0.0.0.0:8000",
        "[::]:8000",
        "[2001:db8::1]",
        "[127.0.0.1",
        "::1",
        "127.1",
    ],
)
def test_a_name_of_another_host_that_leads_here_sees_nothing(services, browser, host):
    for path in paths(services):
        assert turned_away(browser.get(path, headers={"Host": host}))


@pytest.mark.parametrize("host", ["127.0.0.1:8000, evil.example", ""])
def test_a_request_for_two_hosts_or_none_is_no_request(services, browser, host):
    for path in paths(services):
        answer = browser.get(path, headers={"Host": host})
        assert (answer.status_code, answer.get_json(force=True)["code"]) == (400, "no-host")


@pytest.mark.parametrize("header", list(PROXIED))
def test_nothing_that_came_through_a_proxy_is_shown(services, browser, header):
    for path in paths(services):
        assert turned_away(browser.get(path, headers={header: PROXIED[header]}))


def test_a_proxy_that_says_nothing_of_its_client_speaks_the_old_protocol_and_sees_nothing(services, browser):
    for path in paths(services):
        assert turned_away(browser.get(path, environ_overrides={"SERVER_PROTOCOL": "HTTP/1.0"}))


@pytest.mark.parametrize("address", ["192.0.2.1", "::ffff:192.0.2.1", "2001:db8::1", ""])
def test_no_other_machine_sees_the_mail(services, browser, address):
    for path in paths(services):
        assert turned_away(browser.get(path, environ_overrides={"REMOTE_ADDR": address}))


@pytest.mark.parametrize("address", ["127.0.0.1", "127.0.0.9", "::1", "::ffff:127.0.0.1"])
def test_this_machine_sees_the_mail_by_either_protocol(services, browser, address):
    assert browser.get("/mailbox", environ_overrides={"REMOTE_ADDR": address}).status_code == 200


def test_a_trusted_proxy_makes_nobody_local(open_services, migrated_sqlite):
    browser = app_of(open_services(migrated_sqlite, TRUSTED_PROXIES="1")).test_client()
    assert turned_away(
        browser.get("/mailbox", headers={"X-Forwarded-For": "127.0.0.1", "X-Forwarded-Host": "localhost"})
    )


# Who may write


@pytest.mark.parametrize(
    "origin", ["http://evil.example", "null", "http://localhost:9", "http://localhost.evil.example"]
)
def test_a_page_of_another_origin_writes_no_answer(services, browser, answers, origin):
    response = browser.post(letter_path(services), data={"text": "end"}, headers={"Origin": origin})
    assert turned_away(response)
    assert answers == []


@pytest.mark.parametrize(
    "headers",
    [
        {},
        {"Origin": "http://localhost"},
        {"Sec-Fetch-Site": "same-origin"},
        {"Origin": "http://localhost", "Sec-Fetch-Site": "same-origin"},
        {"Origin": "null", "Sec-Fetch-Site": "same-origin"},  # what a browser says under Referrer-Policy: no-referrer
    ],
)
def test_the_page_itself_and_programs_without_origin_write_answers(services, browser, answers, headers):
    response = browser.post(letter_path(services), data={"text": "end"}, headers={"Host": "localhost", **headers})
    assert response.status_code == 303
    assert answers == ["r@localhost"]


@pytest.mark.parametrize("site", ["cross-site", "same-site", "none"])
def test_t67_what_the_browser_says_of_another_site_counts_whatever_the_origin(services, browser, answers, site):
    for origin in ("null", "http://localhost"):
        headers = {"Origin": origin, "Sec-Fetch-Site": site}
        assert turned_away(browser.post(letter_path(services), data={"text": "end"}, headers=headers))
    assert answers == []


# A service that others can reach


@pytest.mark.parametrize(
    "variables, name",
    [
        ({"HOST": "0.0.0.0"}, "WARDROOM_HOST"),
        ({"HOST": "::"}, "WARDROOM_HOST"),
        ({"HOST": "games.example"}, "WARDROOM_HOST"),
        ({"BASE_URL": "https://games.example"}, "WARDROOM_BASE_URL"),
        ({"BASE_URL": "http://192.0.2.1:8000"}, "WARDROOM_BASE_URL"),
    ],
)
def test_where_others_can_reach_it_a_mail_server_is_needed(settings_with, variables, name):
    sentence = exposure(settings_with(**variables)) or ""
    assert sentence.startswith(f"{name} is {next(iter(variables.values()))}, ")
    assert "WARDROOM_SMTP_URL" in sentence
    assert exposure(settings_with(**variables, SMTP_URL="smtp://mail.example")) is None


@pytest.mark.parametrize(
    "variables", [{}, {"HOST": "localhost"}, {"HOST": "::1"}, {"HOST": "127.0.0.2", "BASE_URL": "http://[::1]:8000"}]
)
def test_on_this_machine_alone_the_mailbox_will_do(settings_with: Callable[..., Settings], variables):
    assert exposure(settings_with(**variables)) is None


@pytest.mark.parametrize(
    "command",
    [
        ["-m", "service.cli", "serve"],
        ["-c", "import workers.app"],
        ["-m", "gunicorn", "-c", "python:config.gunicorn", "service.wsgi:app"],
    ],
    ids=["serve", "worker", "gunicorn"],
)
def test_no_process_starts_that_would_show_the_mail_to_others(command: list[str], tmp_path: Path):
    environ = environment(BASE_URL="https://games.example", DATA_DIR=str(tmp_path))
    done = subprocess.run(
        [sys.executable, *command], env=environ, cwd=ROOT, capture_output=True, text=True, timeout=120
    )
    assert done.returncode == os.EX_CONFIG
    lines = (done.stdout + done.stderr).strip().splitlines()
    assert len(lines) == 1, lines
    assert "WARDROOM_BASE_URL is https://games.example" in lines[0]
    assert "WARDROOM_SMTP_URL" in lines[0]
