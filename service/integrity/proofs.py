"""Audits and bundles as they are handed out: known by the rows they are made of, and kept once a game is over.

They cost up to a second. So a reader who has one is told that nothing has changed, at the price of reading the rows; of
a game that is over each is made once; and nobody has two made at the same time.
"""

import hashlib
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final, Literal

from domain.engine.game import Seat
from service.container import Services
from service.kernel.log import log
from service.store.database import Connection
from service.store.errors import DatabaseError
from service.store.event_store import proofs
from service.store.event_store.streams import Head
from service.store.running.turns import one_at_a_time

What = Literal["audit", "bundle"]
FORM: Final = "1"
"""Raised when an audit or a bundle of the same rows comes out otherwise, so that nobody is shown the old one."""


@dataclass(frozen=True, slots=True)
class Proof:
    """An audit or a bundle of a game as one seat may have it; `digest` stands for all it is made of."""

    services: Services
    head: Head
    what: What
    seat: Seat | None
    digest: str

    @property
    def tag(self) -> str:
        """Its entity tag, without the quotes: the version, and the digest of all it is made of."""
        return f"{self.head.version}.{self.digest}"

    def content(self, connection: Connection, caller: str, make: Callable[[], bytes]) -> bytes:
        """What was kept, else what `make` gives, kept if the game is over. Raises TooManyAtOnce."""
        is_over = _is_over(self.head)
        found = proofs.kept(connection, self.head.game, self.what, self.digest) if is_over else None
        if found is not None:
            return found
        with one_at_a_time(self.services.database, connection, caller):
            made = make()
        if is_over and proof_of(self.services, connection, self.head, self.seat, self.what) == self:
            self._keep(made)
        return made

    def _keep(self, made: bytes) -> None:
        try:
            with self.services.database.write() as tx:
                proofs.keep(self.services.database, tx, self.head.game, self.what, self.digest, made)
        except DatabaseError as error:  # a disk that is full, say: it is made again another time
            log("wardroom.integrity", "warning", "a proof is not kept", game=self.head.game, error=type(error).__name__)


def proof_of(services: Services, connection: Connection, head: Head, seat: Seat | None, what: What) -> Proof:
    """The proof of a game as it stands; of a game that is over everybody's is the same."""
    reader = None if _is_over(head) else seat
    about = (FORM, what, f"{reader}", head.rules.edition, services.signer.key_id, head.hash)
    rows = proofs.evidence(connection, head.game)
    return Proof(services, head, what, reader, hashlib.sha256("\n".join((*about, rows)).encode()).hexdigest())


def _is_over(head: Head) -> bool:
    return head.table.status not in ("open", "running")
