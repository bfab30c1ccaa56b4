"""Players whom the operator keeps out: everything they ask for is refused with the reason, however they ask."""

from service.container import Services
from service.store.database import Connection
from service.store.people import suspensions


class Suspended(Exception):
    """The operator keeps this player out. Until when, in microseconds, None for no end; why, None where erased."""

    def __init__(self, until: int | None, why: str | None) -> None:
        super().__init__("the operator keeps this player out")
        self.until = until
        self.why = why


def require_admitted(services: Services, connection: Connection, player: str) -> None:
    """Raise Suspended for a player who is kept out now."""
    found = suspensions.of(connection, player, services.database.clock.now(connection))
    if found is not None:
        raise Suspended(found.until, found.why)
