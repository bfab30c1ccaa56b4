"""Invitations by mail to addresses that may be anybody's: how many go out, and who wants none (RATE-09, OUT-17)."""

from collections.abc import Sequence
from typing import Final, get_args

import sqlalchemy as sa
from sqlalchemy import Connection

from domain.engine.refusals import require
from domain.table.state import Status
from service.container import Services
from service.kernel.clock import SECOND
from service.mail.unsubscribes import mute, mutes
from service.store.outbox import outbox
from service.store.players import players
from service.store.rows import GameRow, InvitationRow

invitations: Final = InvitationRow.__table__  # type: ignore[attr-defined]
games: Final = GameRow.__table__  # type: ignore[attr-defined]
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
    tx.execute(sa.select(players.c.id).where(players.c.id == host).with_for_update())  # one table at a time
    since = services.database.clock.now(tx) - DAY
    opened = (games.c.status.in_(get_args(Status)), games.c.created_at > since, games.c.host == host)
    mine = sa.select(sa.func.count()).select_from(invitations.join(games, games.c.id == invitations.c.game_id))
    require(
        tx.execute(mine.where(*opened)).scalar_one() + len(keys) <= MOST_BY_A_HOST,
        "too-many-invitations", "RATE-09", "Invite at most {most} people a day, at all tables together.",
        most=MOST_BY_A_HOST,
    )  # fmt: skip
    enough = (
        sa.select(outbox.c.recipient)
        .where(outbox.c.recipient.in_(keys), outbox.c.kind == "invitation", outbox.c.created_at > since)
        .group_by(outbox.c.recipient)
        .having(sa.func.count() >= MOST_TO_AN_ADDRESS)
    )
    full = tx.execute(enough).scalars().first()
    require(
        full is None,
        "too-many-invitations", "RATE-09", "{address} has had {most} invitations within a day: try again tomorrow.",
        address=full, most=MOST_TO_AN_ADDRESS,
    )  # fmt: skip


def declined_by(connection: Connection, host: str, keys: Sequence[str]) -> set[str]:
    """Those of these addresses that want no invitations of this host."""
    told = sa.select(mutes.c.player_id).where(mutes.c.player_id.in_(keys), mutes.c.game_id.in_((host, ANYBODY)))
    return set(connection.execute(told).scalars())


def decline(services: Services, tx: Connection, game: str, key: str, host: str) -> None:
    """Take an invitation back at its guest's wish, and send this address no other one of this host, or of ANYBODY.

    Kept where players keep the games they want no mail about: a mute of an address, for a host instead of a game.
    """
    tx.execute(sa.delete(invitations).where(invitations.c.game_id == game, invitations.c.email_key == key))
    mute(services, tx, key, host)
