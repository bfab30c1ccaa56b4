"""The errors of the client: a server that cannot be reached, and each problem (RFC 9457) that it answers with."""

import re
from collections.abc import Mapping
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import Any, Final

import httpx
import msgspec


class WardroomError(Exception):
    """Any error of this client."""


class Unreachable(WardroomError):
    """No whole answer came, however often it was tried: a write may or may not have been done."""


class Problem(WardroomError):
    """The server refused: `code` is for programs and never changes, the text is a sentence for people."""

    def __init__(self, status: int, document: Mapping[str, Any], headers: Mapping[str, str]) -> None:
        super().__init__(str(document.get("detail") or f"HTTP {status}"))
        self.status = status
        self.code: str = document.get("code") or f"http-{status}"
        self.rule: str | None = document.get("rule")
        """The rule that forbids it, such as "TH-8.3"."""
        self.rule_url: str | None = document.get("rule_url")
        self.line: str | None = document.get("line")
        """The line of notation that cannot be read."""
        self.errors: list[dict[str, str]] = document.get("errors") or []
        """Where in the request something is wrong: `pointer` and `detail`."""
        self.document = document
        self.retry_after = seconds(headers)


class Unreadable(Problem):
    """400: the request, or a line of notation, cannot be read."""


class SignedOut(Problem):
    """401: no token, or one that is not good any more."""


class Forbidden(Problem):
    """403: not your seat, or not within the scopes of your token."""


class NotFound(Problem):
    """404: there is no such thing, or you may not see it."""


class Conflict(Problem):
    """409: not now, such as `not-your-turn` or `game-over`."""


class Stale(Problem):
    """412: somebody moved first; `events` says what happened since the version you had seen."""

    def __init__(self, status: int, document: Mapping[str, Any], headers: Mapping[str, str]) -> None:
        super().__init__(status, document, headers)
        self.version: int = document.get("version", 0)
        self.hash: str = document.get("hash", "")
        self.events: list[dict[str, Any]] = document.get("events", [])


class Refused(Problem):
    """422: the rules forbid it; `rule` says which."""


class TooMany(Problem):
    """429: too many requests; `retry_after` says for how many seconds to wait."""


class Unavailable(Problem):
    """502, 503, 504: the server is not there, or has no room."""


BY_CODE: Final[dict[str, type[Problem]]] = {"stale": Stale}
"""Codes with an exception of their own, whatever their status."""
BY_STATUS: Final[dict[int, type[Problem]]] = {
    400: Unreadable, 401: SignedOut, 403: Forbidden, 404: NotFound, 409: Conflict, 412: Stale, 422: Refused,
    429: TooMany, 502: Unavailable, 503: Unavailable, 504: Unavailable,
}  # fmt: skip


def problem_of(response: httpx.Response) -> Problem:
    """The exception for an answer of 400 or more, also where something between us and the server wrote it."""
    try:
        document = msgspec.json.decode(response.content)
    except msgspec.DecodeError:
        document = {}
    if not isinstance(document, dict):
        document = {}
    kind = BY_CODE.get(document.get("code", "")) or BY_STATUS.get(response.status_code, Problem)
    return kind(response.status_code, document, response.headers)


def seconds(headers: Mapping[str, str]) -> float | None:
    """Return the seconds of Retry-After (RFC 9110 10.2.3), a number or a date; None if it cannot be read.

    A date is compared with the answer's own, if it has one: the clocks of two machines differ.
    """
    retry_after = headers.get("Retry-After", "")
    if re.fullmatch("[0-9]{1,9}", retry_after):
        return float(retry_after)
    until, now = _moment(retry_after), _moment(headers.get("Date", "")) or datetime.now(UTC)
    return None if until is None else max(0.0, (until - now).total_seconds())


def _moment(date: str) -> datetime | None:
    """Return a moment as headers write it, in UTC if it has no zone; None if it cannot be read."""
    try:
        moment = parsedate_to_datetime(date)
    except (ValueError, TypeError, OverflowError, IndexError):
        return None
    return moment if moment.tzinfo else moment.replace(tzinfo=UTC)
