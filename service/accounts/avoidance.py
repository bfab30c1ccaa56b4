"""Muting and blocking people: what it keeps from happening. Nobody is told that they are muted or blocked, or by whom.

Who is muted is not heard. Who is blocked is not heard either, and the two are never seated at one table by anything
that they, or others, do. Where the one who was blocked is refused for it, the sentence says nothing of why.
"""

from collections.abc import Collection
from typing import Final

from domain.engine.refusals import require
from service.container import Services
from service.store.database import Connection
from service.store.people import avoided, readers
from service.store.people.avoided import How

MOST: Final = 500
"""People whom one player may mute or block."""


def avoid(services: Services, tx: Connection, player: str, other: str, how: How) -> None:
    """Mute or block somebody. Raises RuleViolation."""
    require(player != other, "avoids-oneself", "DESIGN-8", "You cannot mute or block yourself.")
    few = avoided.how(tx, player, other) is not None or avoided.count(tx, player) < MOST
    require(
        few, "too-many-avoided", "DESIGN-8", "You mute or block {most} people: take some of that back.", most=MOST
    )  # fmt: skip
    avoided.put(services.database, tx, player, other, how)


def require_apart(connection: Connection, player: str, others: Collection[str]) -> None:
    """Refuse with RuleViolation to seat a player beside somebody whom they have blocked, or who has blocked them.

    What the player did themselves is told with the name; all else by a sentence that names no reason.
    """
    mine = avoided.blocked_by(connection, player, others)
    named = readers.names_of(connection, mine)
    require(
        not mine,
        "blocked-by-you", "DESIGN-8",
        "{name} is at this table, and you have blocked them: choose another table, or unblock them first.",
        name=next(iter(sorted(named.values())), ""),
    )  # fmt: skip
    theirs = avoided.blocking(connection, player, others)
    require(not theirs, "not-open-to-you", "DESIGN-8", "This table is not open to you.")
