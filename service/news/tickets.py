"""Tickets: that a page may hear for a while that certain games have moved. Signed by the service, read by the process
of news, which so needs no database and knows no player.

A ticket says nothing but ids of games and when it ends: `m1k2j3.GAME~GAME.MAC`.
"""

import base64
import hashlib
import hmac
import random
import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

LIFE: Final = 600
"""Seconds that a stream may last; then its page asks for another ticket, and whether it may have one."""
SPREAD: Final = 120
"""Seconds by which lives differ, so that not all pages come back at one moment after a restart."""
MOST_GAMES: Final = 20
LONGEST: Final = 1000
MAC_BYTES: Final = 16


class BadTicket(ValueError):
    """A ticket that is none of ours, or too old."""


@dataclass(frozen=True, slots=True)
class Ticket:
    """Of which games its bearer may hear, until when in seconds since 1970 UTC."""

    games: frozenset[str]
    until: float


def ticket_key(secret: str) -> bytes:
    """The key that tickets are signed with, made of the master key: from it nobody finds the other."""
    return hmac.new(secret.encode(), b"wardroom news tickets", hashlib.sha256).digest()


def issue(key: bytes, games: Sequence[str], now: float | None = None) -> str:
    """A ticket for these games from now on."""
    until = int((time.time() if now is None else now) + LIFE + random.uniform(0, SPREAD))  # noqa: S311 - no secret
    told = f"{until:x}.{'~'.join(games)}"
    return f"{told}.{_mac(key, told)}"


def read(key: bytes, text: str, now: float | None = None) -> Ticket:
    """What a ticket allows. Raises BadTicket."""
    told, _, mac = text.rpartition(".")
    if len(text) > LONGEST or not text.isascii() or not hmac.compare_digest(mac, _mac(key, told)):
        raise BadTicket("This is no ticket of ours.")
    until, _, games = told.partition(".")
    if int(until, 16) <= (time.time() if now is None else now):
        raise BadTicket("This ticket is too old: ask the page for another one.")
    return Ticket(frozenset(games.split("~")), int(until, 16))


def _mac(key: bytes, told: str) -> str:
    mac = hmac.new(key, told.encode(), hashlib.sha256).digest()[:MAC_BYTES]
    return base64.urlsafe_b64encode(mac).rstrip(b"=").decode()
