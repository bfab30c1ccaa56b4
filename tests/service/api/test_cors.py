"""Programs in pages of other sites use the API by a token, and nothing by a cookie."""

import pytest

from service.api.http import limits
from tests.service.api.table import Answer, Api

ELSEWHERE = {"Origin": "https://bots.example"}
ASKED = ELSEWHERE | {"Access-Control-Request-Method": "POST", "Access-Control-Request-Headers": "authorization"}


def preflight(api: Api, path: str) -> Answer:
    return api.send("OPTIONS", path, headers=ASKED)


def test_a_page_of_another_site_may_ask_with_a_token_and_read_every_answer(sqlite_api):
    ann = sqlite_api.player("ann")
    table = sqlite_api.open(ann)
    asked = preflight(sqlite_api, f"{table.path}/moves").ok(204)
    assert "Authorization" in asked.headers["Access-Control-Allow-Headers"]
    assert "POST" in asked.headers["Access-Control-Allow-Methods"]
    for answer in (
        asked, sqlite_api.get("/me", ann, headers=ELSEWHERE).ok(), sqlite_api.get("/me", headers=ELSEWHERE),
        sqlite_api.get("/rulesets", headers=ELSEWHERE).ok(), sqlite_api.get("/nothing", headers=ELSEWHERE),
        sqlite_api.post(f"{table.path}/moves", ann, {}, headers=ELSEWHERE),
    ):  # fmt: skip
        assert answer.headers.getlist("Access-Control-Allow-Origin") == ["*"]
        assert "Access-Control-Allow-Credentials" not in answer.headers
    assert "RateLimit" in answer.headers["Access-Control-Expose-Headers"]


@pytest.mark.parametrize("path", ["/players", "/tokens", "//me", "//sign-in", "//me/access/tokens", "//turns"])
def test_no_page_of_another_site_has_codes_mailed_or_sees_pages_of_ours(sqlite_api, path):
    for answer in (preflight(sqlite_api, path), sqlite_api.send("POST", path, json={}, headers=ELSEWHERE)):
        assert not [name for name, _ in answer.headers if name.startswith("Access-Control-")]


@pytest.mark.slow
def test_every_answer_says_how_many_requests_are_left(limited_api, monkeypatch):
    monkeypatch.setattr(limits, "READ", 3)
    ann = limited_api.player("ann")
    told = [limited_api.get("/me", ann) for _ in range(4)]
    assert [answer.status for answer in told] == [200, 200, 200, 429]
    assert {answer.headers["RateLimit-Policy"] for answer in told} == {'"token";q=3;w=60'}
    left = [answer.headers["RateLimit"].split(";") for answer in told]
    assert [(name, rest) for name, rest, _ in left] == [('"token"', f"r={rest}") for rest in (2, 1, 0, 0)]
    assert all(0 < int(seconds.removeprefix("t=")) <= 60 for _, _, seconds in left)
    assert "RateLimit" not in limited_api.get("//docs").headers
