"""A browser that follows an address of the API is led to its page; programs are answered as ever."""

import pytest

from tests.service.web.browser import Browser

FIREFOX = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8"


@pytest.fixture
def client(tables):
    return Browser(tables.services).client


@pytest.mark.parametrize(
    "asked, page",
    [
        ("games/abc123", "/g/abc123"),
        ("games/abc123/audit", "/g/abc123"),
        ("games/abc123/board.svg?version=3", "/g/abc123"),
        ("games?mine=1", "/tables"),
        ("rulesets/tammany-hall", "/rules/tammany-hall"),
        ("rulesets", "/rules"),
        ("me", "/me"),
        ("me/tokens", "/me"),
        ("me/turns", "/turns"),
        ("nothing/at/all", "/docs"),
        ("games/%0d%0aSet-Cookie:x", "/docs"),
        ("games//evil.example", "/docs"),
    ],
)
def test_a_browser_is_led_to_the_page(client, asked, page):
    answer = client.get(f"/api/v1/{asked}", headers={"Accept": FIREFOX})
    assert (answer.status_code, answer.headers["Location"]) == (303, page)


@pytest.mark.parametrize("accept", ["*/*", "application/json", "application/json, text/html;q=0.5", "", "text/plain"])
def test_a_program_is_not_touched(client, accept):
    answer = client.get("/api/v1/rulesets", headers={"Accept": accept})
    assert (answer.status_code, answer.mimetype) == (200, "application/json")
    refused = client.get("/api/v1/me", headers={"Accept": accept})
    assert (refused.status_code, refused.mimetype) == (401, "application/problem+json")


def test_whoever_shows_a_token_is_a_program_whatever_it_accepts(client):
    answer = client.get("/api/v1/rulesets", headers={"Accept": FIREFOX, "Authorization": "Bearer x"})
    assert answer.mimetype == "application/json"


def test_a_post_is_never_led_anywhere(client):
    answer = client.post("/api/v1/games", headers={"Accept": FIREFOX}, json={})
    assert answer.status_code == 401


def test_the_description_of_the_api_is_for_anybody(client):
    assert client.get("/api/v1/openapi.json", headers={"Accept": FIREFOX}).status_code == 200
