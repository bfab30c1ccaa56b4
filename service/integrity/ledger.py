"""Writing the ledgers of games: evidence that mails, missed deadlines and checkpoints were not changed later."""

from typing import Final

from service.container import Services
from service.integrity.export_bundle import TOLD
from service.store import checkpoints, ledger
from service.store.checkpoints import StrangeKey

AT_ONCE: Final = 200
"""Games that one round writes a line about."""


def write(services: Services) -> int:
    """Write a line about each game of which there is something new to tell. How many."""
    with services.database.read() as connection:
        if not ledger.waiting(connection, TOLD, 1):
            return 0
    with services.database.write() as tx:
        now = services.database.clock.now(tx)
        try:
            checkpoints.list_key(services.database, tx, services.signer, now)
        except StrangeKey:  # said where it was met first, and by doctor
            return 0
        games = ledger.waiting(tx, TOLD, AT_ONCE)
        for game in games:
            ledger.write(tx, game, TOLD, now, lambda message: (services.signer.key_id, services.signer.sign(message)))
    return len(games)
