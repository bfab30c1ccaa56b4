"""Writing the house log, and proving what is in it."""

from typing import Any, Final

from domain.audit import merkle
from service.container import Services
from service.kernel.log import log
from service.store import checkpoints, house_log
from service.store.checkpoints import StrangeKey
from service.store.database import Connection

AT_ONCE: Final = 1000
"""Entries that one head covers; games that were there before the log come into it in several steps."""


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


def document(connection: Connection, first: int | None, game: str | None) -> dict[str, Any]:
    """What is told of the log: its head; with `first`, the proof that it has grown since it had so many entries; with
    `game`, its entries and the proofs that they are in it. Raises LookupError where it never had so many."""
    head = house_log.latest(connection)
    told: dict[str, Any] = {"head": None if head is None else head.document()}
    if first is not None and (head is None or not 1 <= first <= head.size):
        raise LookupError(first)
    found = [] if head is None or game is None else house_log.places(connection, game, head.size)
    leaves = house_log.leaves(connection, head.size) if head is not None and (first is not None or found) else []
    if first is not None:
        told |= {"from": first, "consistency": _hex(merkle.consistency(leaves, first))}
    if game is not None:
        told["entries"] = [
            {"place": place, "entry": entry.document(), "inclusion": _hex(merkle.inclusion(leaves, place))}
            for place, entry in found
        ]
    return told


def _hex(proof: list[bytes]) -> list[str]:
    return [step.hex() for step in proof]
