"""Invitations by mail to addresses that may be anybody's: how many go out, and who wants none (RATE-09, OUT-17)."""

from collections.abc import Sequence
from typing import Final, get_args

from domain.engine.refusals import require
from domain.table.state import Status
from service.container import Services
from service.kernel.clock import SECOND
from service.mail.unsubscribes import mute
from service.store.database import Connection, Database
from service.store.games import invitations
from service.store.people import mutes

DAY: Final = 86_400 * SECOND
MOST_BY_A_HOST: Final = 20
"""Invitations of one player in a day, to all of their tables."""
MOST_TO_AN_ADDRESS: Final = 3
"""Invitations that one address gets in a day, whoever sends them."""
ANYBODY: Final = ""


def require_few(services: Services, tx: Connection, host: str, keys: Sequence[str]) -> None:
    """Refuse with RuleViolation what would be too much mail to people who did not ask for any (RATE-09)."""
    if not keys or not services.settings.rate_limits:
        return
    since = services.database.clock.now(tx) - DAY
    require(
        invitations.of_host(tx, host, since, get_args(Status)) + len(keys) <= MOST_BY_A_HOST,
        "too-many-invitations", "RATE-09", "Invite at most {most} people a day, at all tables together.",
        most=MOST_BY_A_HOST,
    )  # fmt: skip
    full = invitations.invited_often(tx, host, keys, since, MOST_TO_AN_ADDRESS)
    require(
        full is None,
        "too-many-invitations", "RATE-09", "{address} has had {most} invitations within a day: try again tomorrow.",
        address=full, most=MOST_TO_AN_ADDRESS,
    )  # fmt: skip


def declined_by(connection: Connection, host: str, keys: Sequence[str]) -> set[str]:
    """The addresses among these that want no invitations of this host."""
    return mutes.muting(connection, keys, (host, ANYBODY))


def decline(database: Database, tx: Connection, game: str, key: str, host: str) -> None:
    """Take an invitation back at its guest's wish, and send this address no other one of this host, or of ANYBODY.

    Kept where players keep the games they want no mail about: a mute of an address, for a host instead of a game.
    """
    invitations.take_back(tx, game, key)
    mute(database, tx, key, host)
