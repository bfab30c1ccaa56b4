"""What a token may be used for: a scope for every operation, and no way to more than one has (RFC 6750, S-21)."""

import re

import pytest

from service.accounts import people
from service.accounts.scopes import SCOPES
from service.api.http.scopes import NEEDS, OPEN, SIGN_IN, path_of
from tests.service.api.table import V1, Api, Player

DAY = 24 * 3600 * 1_000_000


@pytest.fixture
def ann(sqlite_api: Api) -> Player:
    return sqlite_api.player("ann")


def token_of(api: Api, ann: Player, scopes: str, expires_at: int | None = None) -> Player:
    """Ann by another token of hers."""
    with api.services.database.write() as tx:
        made = people.make_token(
            api.services, tx, ann.id, "test", api.services.database.clock.now(tx), scopes=scopes, expires_at=expires_at
        )
    return Player(ann.name, ann.id, made)


def operations(api: Api) -> set[tuple[str, str]]:
    """Every path and method of the API, as it answers."""
    return {
        (path_of(rule.rule), method)
        for rule in api.app.url_map.iter_rules()
        if rule.rule.startswith(f"{V1}/") and not rule.endpoint.startswith("api-docs")
        for method in (rule.methods or set()) - {"HEAD", "OPTIONS"}
    }


def test_every_operation_has_a_scope_and_no_other_has(sqlite_api):
    assert {(path, method) for path, needs in NEEDS.items() for method in needs} == operations(sqlite_api)
    assert {scope for needs in NEEDS.values() for scope in needs.values()} == {*SCOPES, OPEN, SIGN_IN}


def test_a_token_without_the_scope_is_refused_every_operation_that_needs_it(sqlite_api, ann):
    holders = {
        scope: token_of(sqlite_api, ann, " ".join(other for other in SCOPES if other != scope)) for scope in SCOPES
    }
    for path, method in operations(sqlite_api):
        scope = NEEDS[path][method]
        if scope in SCOPES:
            target = re.sub("{[^}]+}", "1", path)
            refused = sqlite_api.send(method, target, holders[scope], json={}).refused(403, "insufficient-scope")
            assert refused.json["scope"] == scope
            assert f'error="insufficient_scope", scope="{scope}"' in refused.headers["WWW-Authenticate"]


def test_the_description_names_the_scope_of_each_operation(sqlite_api):
    paths = sqlite_api.get("/openapi.json").ok().json["paths"]
    for path, method in operations(sqlite_api):
        security = paths[V1 + path][method.lower()].get("security", [])
        scopes = [scope for requirement in security for scope in requirement.get("bearer", [])]
        assert scopes == ([] if NEEDS[path][method] in (OPEN, SIGN_IN) else [NEEDS[path][method]])


def test_a_bot_that_may_read_and_play_plays_and_says_nothing(sqlite_api, ann):
    table = sqlite_api.begin(ann, *sqlite_api.players("bob cyd"))
    while table.awaited is not ann:
        table.move(table.awaited, "place 1 1", "end")
    bot = token_of(sqlite_api, ann, "read play")
    table.post(bot, "moves", {"text": "place 1 1\nend"}).ok(201)
    table.post(bot, "messages", {"text": "Hello"}).refused(403, "insufficient-scope")
    reader = token_of(sqlite_api, ann, "read")
    table.get(reader).ok()
    table.post(reader, "moves?dry_run=1", {"text": "end"}).refused(403, "insufficient-scope")


def test_a_token_is_made_by_another_told_once_and_can_do_what_it_says(api):
    ann = api.player("ann")
    made = api.post("/me/tokens", ann, {"label": "my bot", "scopes": ["play", "read"], "days": 2}).ok(201).json
    bot = Player("ann", ann.id, made["token"])
    assert (made["label"], made["scopes"], made["last_used_at"], made["current"]) == (
        "my bot", ["read", "play"], None, False,
    )  # fmt: skip
    api.get("/me", bot).ok()
    listed = next(token for token in api.get("/me/tokens", ann).ok().json["items"] if token["id"] == made["id"])
    assert listed.pop("last_used_at") is not None
    assert listed == {name: made[name] for name in listed}
    api.delete(f"/me/tokens/{made['id']}", ann).ok(204)
    refused = api.get("/me", bot).refused(401, "unauthorized")
    assert refused.headers["WWW-Authenticate"] == 'Bearer realm="wardroom", error="invalid_token"'


def test_no_token_makes_one_that_may_more_or_lives_longer(sqlite_api, ann):
    now = sqlite_api.services.database.clock.now()
    keeper = token_of(sqlite_api, ann, "read account", expires_at=now + DAY)
    sqlite_api.post("/me/tokens", keeper, {"label": "x", "scopes": ["play"]}).refused(422, "more-scopes")
    for wish in ({}, {"days": 30}):
        made = sqlite_api.post("/me/tokens", keeper, {"label": "x", **wish}).ok(201).json
        mine = next(t for t in sqlite_api.get("/me/tokens", keeper).json["items"] if t["current"])
        assert (made["scopes"], made["expires_at"]) == (["read", "account"], mine["expires_at"])
    for wrong in ({"days": 0}, {"scopes": []}, {"scopes": ["all"]}, {"label": ""}, {"label": "x" * 41}):
        sqlite_api.post("/me/tokens", ann, {"label": "x", **wrong}).refused(400, "bad-request")


def test_a_token_whose_time_is_over_is_none_and_is_forgotten(sqlite_api, ann):
    now = sqlite_api.services.database.clock.now()
    over, lasting = (token_of(sqlite_api, ann, "read", expires_at=at) for at in (now, now + DAY))
    sqlite_api.get("/me", over).refused(401, "unauthorized")
    sqlite_api.get("/me", lasting).ok()
    with sqlite_api.services.database.write() as tx:
        people.end_old_sessions(tx, now)
        assert people.who(tx, over.token, now - 1) is None, "it is gone"
        assert people.who(tx, lasting.token, now) is not None
