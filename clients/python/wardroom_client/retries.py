"""What is tried again and when: pauses with full jitter, Retry-After honoured, an end to patience."""

import random
import re
import secrets
from dataclasses import dataclass, field
from typing import Final

import httpx
import msgspec

WORTH_A_RETRY: Final = frozenset({429, 502, 503, 504})
"""Statuses that say nothing about the request itself."""


@dataclass(frozen=True, slots=True)
class Retries:
    """How often and how long a request is tried: seconds throughout."""

    attempts: int = 6
    first: float = 0.25
    longest: float = 8.0
    patience: float = 60.0
    """A Retry-After beyond this is not waited for: the problem is raised, with `retry_after`."""
    rng: random.Random = field(default_factory=random.SystemRandom, repr=False)

    def pause(self, tried: int, retry_after: float | None = None) -> float | None:
        """How long to wait after so many attempts; None to give up."""
        if tried >= self.attempts or (retry_after or 0) > self.patience:
            return None
        jitter = self.rng.uniform(0, min(self.longest, self.first * 2 ** min(tried, 30)))
        return (retry_after or 0) + jitter


def new_key() -> str:
    """An Idempotency-Key for one logical act."""
    return secrets.token_urlsafe(18)


def is_whole(response: httpx.Response) -> bool:
    """Whether an answer came to its end: of its length, and JSON where it says so."""
    length = response.headers.get("Content-Length")
    is_counted = "Content-Encoding" not in response.headers and response.request.method != "HEAD"
    if is_counted and re.fullmatch("[0-9]{1,18}", length or "") and int(length) > len(response.content):
        return False
    if "json" not in response.headers.get("Content-Type", "") or "ndjson" in response.headers["Content-Type"]:
        return True
    try:
        msgspec.json.decode(response.content)
    except msgspec.DecodeError:
        return False
    return True
