"""Writing the house log, and proving what is in it."""

from collections.abc import Sequence
from typing import Any, Final

from domain.audit import merkle
from service.container import Services
from service.kernel.log import log
from service.store.database import Connection
from service.store.event_store import checkpoints, house_log
from service.store.event_store.checkpoints import StrangeKey

AT_ONCE: Final = 1000
"""The most entries that one head covers."""


def write(services: Services) -> int:
    """Append what is not in the log yet, and sign its head. How many."""
    with services.database.read() as connection:
        if not house_log.waiting(connection, 1):
            return 0
    with services.database.write() as tx:
        if not house_log.lock(tx):
            return 0
        rows, now = house_log.waiting(tx, AT_ONCE), services.database.clock.now(tx)
        try:
            checkpoints.list_key(services.database, tx, services.signer, now)
        except StrangeKey as error:  # the other checks say so, too
            log("wardroom.security", "error", "the house log is not signed", reason=str(error))
            return 0
        if rows:
            house_log.append(tx, rows, now, lambda message: (services.signer.key_id, services.signer.sign(message)))
        return len(rows)


def document(
    connection: Connection, first: int | None, game: str | None = None, hashes: Sequence[str] = ()
) -> dict[str, Any]:
    """What is told of the log: its head; with `first`, the proof that it has grown since it had so many entries; with
    `game`, the entries of those events of it that have one of these hashes, and the proofs that they are in it.

    Raises LookupError where it never had so many.
    """
    head = house_log.latest(connection)
    told: dict[str, Any] = {"head": None if head is None else head.document()}
    if first is not None and (head is None or not 1 <= first <= head.size):
        raise LookupError(first)
    if head is not None and first is not None:
        told |= {"from": first, "consistency": _proof(connection, merkle.consistency(head.size, first))}
    if game is not None:
        found = [] if head is None else house_log.places(connection, game, hashes, head.size)
        told["entries"] = [
            {
                "place": place,
                "entry": entry.document(),
                "inclusion": _proof(connection, merkle.inclusion(head.size, place)),
            }
            for place, entry in found
            if head is not None
        ]
    return told


def _proof(connection: Connection, subtrees: Sequence[merkle.Subtree]) -> list[str]:
    return [step.hex() for step in house_log.proof(connection, subtrees)]
