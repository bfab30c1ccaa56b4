"""Browsers that ask an address of the API for a page are led to the page that shows the same to people."""

import re
from typing import Final
from urllib.parse import quote

from flask import Request, Response, redirect

API: Final = "/api/v1/"
PAGES: Final = (
    (re.compile(r"games/([0-9A-Za-z_-]{1,64})(?:/.*)?"), "/g/{}"),
    (re.compile(r"games"), "/tables"),
    (re.compile(r"rulesets/([0-9A-Za-z_-]{1,64})"), "/rules/{}"),
    (re.compile(r"rulesets"), "/rules"),
    (re.compile(r"me/turns"), "/turns"),
    (re.compile(r"me(?:/.*)?"), "/me"),
)
"""Addresses of the API, without what all begin with, and their pages."""
ELSE: Final = "/docs"
FOR_ANYBODY: Final = frozenset({"openapi.json"})
"""What browsers are shown as it is: the pages link to it."""


def lead_to_page(asked: Request) -> Response | None:
    """Lead a person on; no program is touched, for none asks for HTML first, nor one with a token."""
    if asked.method not in ("GET", "HEAD") or not asked.path.startswith(API) or not _is_person(asked):
        return None
    address = asked.path.removeprefix(API)
    if address in FOR_ANYBODY:
        return None
    return redirect(_page_of(address), 303)  # type: ignore[return-value]


def _is_person(asked: Request) -> bool:
    first = asked.headers.get("Accept", "").partition(",")[0].partition(";")[0]
    return first.strip().lower() == "text/html" and "Authorization" not in asked.headers


def _page_of(asked: str) -> str:
    for pattern, page in PAGES:
        if found := pattern.fullmatch(asked):
            return page.format(*map(quote, found.groups()))
    return ELSE
