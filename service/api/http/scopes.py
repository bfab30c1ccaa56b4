"""Which scope of a token each operation of the API needs: one table, which a test walks over all operations."""

import re
from collections.abc import Mapping
from functools import cache
from typing import Any, Final

from flask import Request

from service.accounts.scopes import ACCOUNT, PLAY, READ, TALK

PREFIX: Final = "/api/v1"
OPEN: Final = "open"
"""No scope: asked for without a token."""
SIGN_IN: Final = "sign-in"
"""The same, and for no page of another site, whose visitors' browsers would have codes mailed (`cors`)."""
GAME: Final = "/games/{game}"
NEEDS: Final[Mapping[str, Mapping[str, str]]] = {
    "/players": {"POST": SIGN_IN},
    "/tokens": {"POST": SIGN_IN},
    "/rulesets": {"GET": OPEN},
    "/rulesets/{slug}": {"GET": OPEN},
    "/players/{player}": {"GET": READ},
    "/me": {"GET": READ, "PATCH": ACCOUNT, "DELETE": ACCOUNT},
    "/me/turns": {"GET": READ},
    "/me/events": {"GET": READ},
    "/me/leave": {"GET": READ, "PUT": ACCOUNT, "DELETE": ACCOUNT},
    "/me/profile": {"GET": READ, "PATCH": ACCOUNT},
    "/me/tokens": {"GET": ACCOUNT, "POST": ACCOUNT, "DELETE": ACCOUNT},
    "/me/tokens/{token}": {"DELETE": ACCOUNT},
    "/me/avoided": {"GET": ACCOUNT},
    "/me/avoided/{player}": {"PUT": ACCOUNT, "DELETE": ACCOUNT},
    "/me/export": {"GET": ACCOUNT},
    "/me/feeds": {"GET": ACCOUNT, "POST": ACCOUNT, "DELETE": ACCOUNT},
    "/me/mails": {"GET": ACCOUNT},
    "/me/mutes/{game}": {"DELETE": ACCOUNT},
    "/me/push": {"GET": ACCOUNT, "POST": ACCOUNT, "DELETE": ACCOUNT},
    "/me/push/{device}": {"DELETE": ACCOUNT},
    "/me/push/{device}/test": {"POST": ACCOUNT},
    "/me/webhooks": {"GET": ACCOUNT, "POST": ACCOUNT},
    "/me/webhooks/{hook}": {"PATCH": ACCOUNT, "DELETE": ACCOUNT},
    "/me/webhooks/{hook}/secret": {"POST": ACCOUNT},
    "/me/webhooks/{hook}/test": {"POST": ACCOUNT},
    "/me/webhooks/{hook}/deliveries": {"GET": ACCOUNT},
    "/me/webhooks/{hook}/deliveries/{delivery}/replay": {"POST": ACCOUNT},
    "/games": {"GET": READ, "POST": PLAY},
    GAME: {"GET": READ},
    f"{GAME}/actions": {"GET": READ},
    f"{GAME}/analysis": {"GET": READ, "POST": PLAY, "DELETE": PLAY},
    f"{GAME}/audit": {"GET": READ},
    f"{GAME}/bids": {"POST": PLAY},
    f"{GAME}/board": {"GET": READ},
    f"{GAME}/board.png": {"GET": READ},
    f"{GAME}/board.svg": {"GET": READ},
    f"{GAME}/bundle": {"GET": READ},
    f"{GAME}/checkpoint": {"GET": READ},
    f"{GAME}/clock": {"GET": READ, "POST": PLAY},
    f"{GAME}/clock/proposal": {"DELETE": PLAY},
    f"{GAME}/clock/vote": {"POST": PLAY},
    f"{GAME}/diff": {"GET": READ},
    f"{GAME}/drafts": {"POST": READ},
    f"{GAME}/events": {"GET": READ},
    f"{GAME}/messages": {"GET": READ, "POST": TALK},
    f"{GAME}/messages/{{message}}": {"DELETE": TALK},
    f"{GAME}/moves": {"POST": PLAY},
    f"{GAME}/name": {"PUT": PLAY},
    f"{GAME}/note": {"GET": READ, "PUT": PLAY, "DELETE": PLAY},
    f"{GAME}/notices": {"GET": READ},
    f"{GAME}/orders": {"GET": READ, "PUT": PLAY, "DELETE": PLAY},
    f"{GAME}/resignation": {"POST": PLAY},
    f"{GAME}/rewind": {"GET": READ, "POST": PLAY, "DELETE": PLAY},
    f"{GAME}/rewind/vote": {"POST": PLAY},
    f"{GAME}/seats": {"POST": PLAY},
    f"{GAME}/seats/me": {"DELETE": PLAY},
    f"{GAME}/seats/{{seat}}/bot": {"PUT": PLAY, "DELETE": PLAY},
    f"{GAME}/start": {"POST": PLAY},
    f"{GAME}/statistics": {"GET": READ},
    f"{GAME}/story": {"GET": READ},
}
"""The scope by path and method. What only rehearses, a draft, is reading; `?dry_run=1` of a move is playing."""


@cache
def path_of(rule: str) -> str:
    """The path of a route of Flask as the description of the API writes it, without /api/v1."""
    return re.sub(r"<(?:[^:<>]+:)?([^<>]+)>", r"{\1}", rule).removeprefix(PREFIX)


def needed(asked: Request) -> str:
    """The scope that the operation asked for needs."""
    assert asked.url_rule is not None, "asked only where an operation answers"
    method = "GET" if asked.method == "HEAD" else asked.method
    return NEEDS[path_of(asked.url_rule.rule)][method]


class TooFewScopes(Exception):
    """A token is not for what is asked."""

    def __init__(self, scope: str, held: str) -> None:
        super().__init__(scope, held)
        self.scope, self.held = scope, held


def require_scope(asked: Request, held: str) -> None:
    """Let in a token with the scope that is needed. Raises TooFewScopes, whatever the game: it tells of none."""
    scope = needed(asked)
    if scope not in held.split():
        raise TooFewScopes(scope, held)


def describe_scopes(paths: Mapping[str, Any]) -> None:
    """Name in a description, at each operation that a token is shown to, the scope it needs."""
    for path, operations in paths.items():
        for method, operation in operations.items():
            scope = NEEDS.get(path.removeprefix(PREFIX), {}).get(method.upper())
            if scope is not None and "security" in operation:
                operation["security"] = [{"bearer": [scope]} if shown else {} for shown in operation["security"]]
