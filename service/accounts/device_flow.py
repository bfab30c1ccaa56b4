"""Programs without a browser are let in by a short code that their person types at one (RFC 8628)."""

from dataclasses import dataclass
from typing import Final

from service.accounts import people
from service.accounts.people import HOUR
from service.container import Services
from service.kernel.clock import SECOND
from service.kernel.ids import digest, new_link, new_user_code
from service.store.database import Connection
from service.store.people import device_grants
from service.store.people.device_grants import DeviceGrant

LETTERS: Final = "BCDFGHJKLMNPQRSTVWXZ"
"""Of codes that people type: without vowels, that no code is a word (RFC 8628 6.1)."""
LENGTH: Final = 8
LIFE: Final = 600 * SECOND
KEPT: Final = 3600 * SECOND
"""How long it is told of a code that it is too old."""
PAUSE: Final = 5
"""Seconds between questions, and how many more after each that came too early (RFC 8628 3.5)."""
TOKEN_DAYS: Final = 365
PENDING: Final = "authorization_pending"
SLOW_DOWN: Final = "slow_down"
DENIED: Final = "access_denied"
EXPIRED: Final = "expired_token"
UNKNOWN: Final = "invalid_grant"


@dataclass(frozen=True, slots=True)
class Waiting:
    """What a program is handed that begins to wait."""

    device_code: str
    user_code: str


class NotGranted(Exception):
    """There is no token, for a reason of RFC 8628 3.5."""


def begin(services: Services, tx: Connection, label: str, scopes: str) -> Waiting:
    """A program begins to wait for a token of these scopes."""
    now, device_code = services.database.clock.now(tx), new_link(services.entropy)
    typed = new_user_code(services.entropy, LETTERS, LENGTH)
    grant = DeviceGrant(
        digest(device_code), digest(typed), label, scopes, now, now + LIFE,
        pause=PAUSE, polled_at=None, player_id=None, denied=False,
    )  # fmt: skip
    device_grants.add(tx, grant)
    return Waiting(device_code, as_shown(typed))


def find(services: Services, connection: Connection, typed: str) -> DeviceGrant | None:
    """The program that shows this code, however somebody types it."""
    return device_grants.undecided(connection, digest(_letters(typed)), services.database.clock.now(connection))


def as_shown(typed: str) -> str:
    """A code as the program shows it, however somebody types it."""
    letters = _letters(typed)
    return f"{letters[:4]}-{letters[4:]}"


def _letters(typed: str) -> str:
    return "".join(letter for letter in typed.upper() if letter in LETTERS)


def decide(services: Services, tx: Connection, typed: str, player: str, *, allow: bool) -> bool:
    """Let a program in as this player, or not. False where nothing waits with this code any more."""
    grant = find(services, tx, typed)
    if grant is None:
        return False
    return device_grants.change(tx, grant.digest, **({"player_id": player} if allow else {"denied": True}))


def collect(services: Services, tx: Connection, device_code: str) -> tuple[str | None, str]:
    """The token of a program that was let in, once, and its scopes; else None and why, an error of RFC 8628 3.5."""
    now = services.database.clock.now(tx)
    grant = device_grants.lock(tx, digest(device_code))
    if grant is None:
        return None, UNKNOWN
    if grant.denied or grant.expires_at <= now:
        return None, DENIED if grant.denied else EXPIRED
    if grant.player_id is None:
        early = grant.polled_at is not None and now - grant.polled_at < grant.pause * SECOND
        device_grants.change(tx, grant.digest, polled_at=now, pause=grant.pause + PAUSE * early)
        return None, SLOW_DOWN if early else PENDING
    device_grants.drop(tx, grant.digest)
    until = now + TOKEN_DAYS * 24 * HOUR
    player, scopes = grant.player_id, grant.scopes
    return people.make_token(services, tx, player, grant.label, now, scopes=scopes, expires_at=until), scopes


def forget_expired(tx: Connection, now: int) -> None:
    """Forget the programs that were not let in."""
    device_grants.drop_expired(tx, now - KEPT)
