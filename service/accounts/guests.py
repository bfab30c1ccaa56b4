"""Guests: accounts without an address, for one game against bots (decision 0123).

A guest is a player whose `verified_at` is empty. The cookie of a session is all that leads to the account, until its
owner shows an address: then it is an account like any other, and the game stays.
"""

from collections.abc import Mapping
from typing import Any, Final

from domain.engine.refusals import require
from service.accounts.names import email_key
from service.container import Services
from service.kernel.clock import SECOND
from service.kernel.ids import new_player_id
from service.store.database import Connection
from service.store.event_store import house_log
from service.store.games import guest_games
from service.store.people import guests, tokens

HOUR: Final = 3600 * SECOND
IDLE: Final = 14 * 24 * HOUR
"""How long a guest and the game are kept without a visit."""
UNSEEN: Final = HOUR
"""How long a session is kept that no browser has come back with: its cookie was refused."""
GUEST: Final = "guest"
"""What names the guest in the profile of whoever asks for a code to keep a game."""


def add_guest(services: Services, tx: Connection, name: str, timezone: str, language: str) -> str:
    """Add a guest and return the id. Refused while there are as many as the host allows, also at the same time."""
    guests.lock(tx)
    most = services.settings.guests
    require(
        guests.count(tx) < most,
        "too-many-guests", "RATE-09",
        "All {most} places for guests are taken just now. Sign in with your mail address to play, or come back later.",
        most=most,
    )  # fmt: skip
    player = new_player_id(services.entropy)
    now = services.database.clock.now(tx)
    guests.add(tx, id=player, name=name, timezone=timezone, language=language, created_at=now)
    return player


def require_new_address(tx: Connection, guest: str) -> None:
    """Refuse a guest whose address belongs to an account already: a history names for good who sat down."""
    require(
        not guests.lock_guest(tx, guest),
        "address-has-account", "DESIGN-8",
        "This address has an account already, and a guest's game cannot be moved to it. Play on here, or give the "
        "game up by “Leave and delete this game”; then sign in.",
    )  # fmt: skip


def keep(services: Services, tx: Connection, guest: str, profile: Mapping[str, Any]) -> bool:
    """Make a guest a full account with this profile, whose address is verified. The games stay.

    All sessions of the guest end, because somebody else may have typed the address. Returns False if the guest is gone.
    """
    if not guests.lock_guest(tx, guest):
        return False
    now = services.database.clock.now(tx)
    guests.verify(tx, guest, {**profile, "email_key": email_key(profile["email"]), "verified_at": now, "mail": True})
    tokens.end(tx, guest)
    kept = guest_games.hosted_by(tx, guest)
    guest_games.keep(tx, kept)
    house_log.tell_again(services.database, tx, kept)
    return True
