"""Waiting until the probe is in our inbox, or what else came in its place."""

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

from service.container import Services
from service.mail import addresses, inbox
from service.store.incoming.inbox import RawMail

EVERY: Final = 0.25
"""Seconds between two looks."""
SETTLED: Final = 1.5
"""Seconds in which a second copy would come by another way."""
TOLD: Final = 10.0
"""Seconds between two signs of progress."""


@dataclass(frozen=True, slots=True)
class Arrival:
    """A mail as it came in: its bytes, by which way, the sender of its envelope, and when it was first seen."""

    raw: bytes
    source: str
    sender: str
    seen: float  # by time.monotonic()


@dataclass(frozen=True, slots=True)
class Arrivals:
    """What came: the probe, as often as it came, and what came to the address for bounces."""

    probes: Sequence[Arrival]
    bounces: Sequence[Arrival]


def wait_for(services: Services, recipient: str, sender: str, end: float, tell: Callable[[str], None]) -> Arrivals:
    """What has come to these two addresses of ours by `end`, by time.monotonic(), or soon after the first of it."""
    began = told = time.monotonic()
    while True:
        found = _look(services, recipient, sender)
        now = time.monotonic()
        if found.probes or found.bounces:
            break
        if now > end:
            return found
        if now - told > TOLD:
            tell(f"It is not back yet: {now - began:.0f} s of {end - began:.0f}.")
            told = now
        time.sleep(EVERY)
    time.sleep(SETTLED)
    later = _look(services, recipient, sender)
    return Arrivals(
        [*found.probes, *later.probes[len(found.probes) :]], [*found.bounces, *later.bounces[len(found.bounces) :]]
    )


def _look(services: Services, recipient: str, sender: str) -> Arrivals:
    tokens = [token_of(services, address) for address in (recipient, sender)]
    with services.database.read() as connection:
        mails = inbox.probes(connection, tokens)
    seen = time.monotonic()
    found: dict[bytes, list[Arrival]] = {}
    for mail in mails:
        found.setdefault(mail.token, []).append(_arrival(services, mail, seen))
    probes, bounces = (found.get(token, []) for token in tokens)
    return Arrivals(probes, bounces)


def _arrival(services: Services, mail: RawMail, seen: float) -> Arrival:
    raw = inbox.raw_of(services, mail.digest, mail.raw) or b""
    return Arrival(raw, mail.source, mail.sender, seen)


def token_of(services: Services, address: str) -> bytes:
    """The digest under which mail to an address of ours is found."""
    read = addresses.read(services.settings, address)
    assert read is not None
    assert read.token is not None
    return read.token
