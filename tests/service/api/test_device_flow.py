"""A program without a browser is let in by a code that its person types at one (RFC 8628)."""

import re
from typing import Any

import pytest
import sqlalchemy as sa

from service.accounts import device_flow
from service.kernel.clock import SECOND
from tests.service.api.table import Answer, Api, Player
from tests.service.web.browser import Browser

GRANT = "urn:ietf:params:oauth:grant-type:device_code"


@pytest.fixture
def ann(api: Api) -> Player:
    return api.player("ann")


@pytest.fixture
def browser(api: Api, ann: Player) -> Browser:
    return Browser(api.services, ann.id, app=api.app)


def begin(api: Api, **wish: str) -> dict[str, Any]:
    """A program called wr begins to wait, by a form as RFC 8628 says."""
    asked: dict[str, Any] = api.send("POST", "/oauth/device", data={"client_id": "wr", **wish}).ok().json
    return asked


def collect(api: Api, asked: dict[str, Any]) -> Answer:
    """The program asks for its token, after the pause it has to leave."""
    later(api, 60)
    return api.post("/oauth/token", None, {"grant_type": GRANT, "device_code": asked["device_code"]})


def later(api: Api, seconds: int) -> None:
    """So long ago did all programs ask that wait."""
    with api.services.database.write() as tx:
        for column in ("created_at", "expires_at", "polled_at") if seconds > 60 else ("polled_at",):
            tx.execute(sa.text(f"UPDATE device_grants SET {column} = {column} - {seconds * SECOND}"))


def test_a_person_lets_a_program_in_which_gets_a_token_of_these_scopes_once(api, ann, browser):
    asked = begin(api, scope="read play")
    assert re.fullmatch(f"[{device_flow.LETTERS}]{{4}}-[{device_flow.LETTERS}]{{4}}", asked["user_code"])
    assert not set(device_flow.LETTERS) & set("AEIOUY")
    assert (asked["expires_in"], asked["interval"]) == (600, 5)
    collect(api, asked).refused(400, "authorization-pending")
    page = browser.get(asked["verification_uri_complete"].removeprefix(api.services.settings.base_url))
    assert "“wr” wants to act in your name" in page.words
    assert "speak at tables" not in page.words
    page = browser.send(page.form("/device"), allow="1")
    assert "The program goes on by itself" in page.words
    made = collect(api, asked).ok().json
    assert (made["token_type"], made["scope"], made["expires_in"]) == ("Bearer", "read play", 365 * 24 * 3600)
    program = Player("ann", ann.id, made["access_token"])
    assert api.get("/me", program).ok().json["id"] == ann.id
    api.delete("/me/feeds", program).refused(403, "insufficient-scope")
    assert collect(api, asked).refused(400, "invalid-grant").json["error"] == "invalid_grant"
    listed = api.get("/me/tokens", ann).ok().json["items"]
    assert [token["scopes"] for token in listed if token["label"] == "wr"] == [["read", "play"]]


def test_who_says_yes_and_no_says_no(api, browser):
    asked = begin(api)
    form = browser.get(f"/device?code={asked['user_code']}").form("/device")
    assert "was not let in" in browser.send(form, allow="1", deny="1").words


def test_who_says_no_is_obeyed_and_a_code_is_used_once(api, browser):
    asked = begin(api)
    typed = asked["user_code"].replace("-", " ").lower()
    page = browser.get(f"/device?code={typed}")
    assert asked["user_code"] in page.words
    form = page.form("/device")
    assert "was not let in" in browser.send(form, deny="1").words
    assert collect(api, asked).refused(400, "access-denied").json["error"] == "access_denied"
    assert "No program waits" in browser.send(form, allow="1").words
    collect(api, asked).refused(400, "access-denied")


def test_a_program_that_asks_too_often_is_told_to_slow_down_and_one_that_is_late_that_it_is(api, browser):
    asked = begin(api)
    collect(api, asked).refused(400, "authorization-pending")
    again = {"grant_type": GRANT, "device_code": asked["device_code"]}
    for _ in range(2):
        api.post("/oauth/token", None, again).refused(400, "slow-down")
    later(api, 14)
    api.post("/oauth/token", None, again).refused(400, "slow-down")
    later(api, 600)
    assert "No program waits" in browser.get(f"/device?code={asked['user_code']}").words
    api.post("/oauth/token", None, again).refused(400, "expired-token")
    with api.services.database.write() as tx:
        device_flow.forget_expired(tx, api.services.database.clock.now(tx) + device_flow.KEPT)
    api.post("/oauth/token", None, again).refused(400, "invalid-grant")


def test_what_is_no_request_of_a_program_is_refused(api):
    refused = api.send("POST", "/oauth/device", data={"client_id": "wr", "scope": "all"})
    assert refused.refused(400, "invalid-scope").json["error"] == "invalid_scope"
    for body in ({}, {"client_id": "x" * 41}, {"client_id": "a\x07"}, {"client_id": ["wr", "wr"]}):
        assert api.send("POST", "/oauth/device", data=body).status == 400
    api.post("/oauth/token", None, {"grant_type": "password", "device_code": "x"}).refused(400, "bad-request")
    api.post("/oauth/token", None, {"grant_type": GRANT, "device_code": "x"}).refused(400, "invalid-grant")


@pytest.mark.slow
def test_nobody_guesses_codes(limited_api):
    browser = Browser(limited_api.services, limited_api.player("ann").id, app=limited_api.app)
    guesses = [browser.client.get("/device?code=BCDF-GHJK").status_code for _ in range(21)]
    assert guesses == [422] * 20 + [429]
