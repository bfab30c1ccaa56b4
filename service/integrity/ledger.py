"""Writing the ledgers of games: evidence that mails, missed deadlines and checkpoints were not changed later."""

from typing import Final

from service.container import Services
from service.integrity.export_bundle import TOLD
from service.kernel.log import log
from service.store.errors import IntegrityError
from service.store.event_store import checkpoints, ledger
from service.store.event_store.checkpoints import StrangeKey

AT_ONCE: Final = 200
"""Games that one round writes a line about."""


def write(services: Services) -> int:
    """Write a line about each game of which there is something new to tell. How many.

    Each in a transaction of its own: a game whose rows cannot be read must not keep the others from being told of.
    """
    with services.database.read() as connection:
        games = ledger.waiting(connection, TOLD, AT_ONCE)
    return sum(_write(services, game) for game in games)


def _write(services: Services, game: str) -> bool:
    def sign(message: bytes) -> tuple[str, str]:
        return services.signer.key_id, services.signer.sign(message)

    try:
        with services.database.write() as tx:
            now = services.database.clock.now(tx)
            checkpoints.list_key(services.database, tx, services.signer, now)
            return ledger.write(tx, game, TOLD, now, sign) is not None
    except (StrangeKey, IntegrityError):  # said where it was met first, and by doctor; or another process was quicker
        return False
    except Exception as error:  # rows that were changed may hold anything: the audit of the game says what
        log("wardroom.security", "error", "no ledger can be written", game=game, error=type(error).__name__)
        return False
