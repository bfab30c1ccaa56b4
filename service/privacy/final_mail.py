"""One last mail to somebody who is erased, in case another asked for it: its address is sealed in its row."""

from typing import Final

import msgspec

from service.kernel.clock import SECOND
from service.kernel.encryption import Sealer
from service.mail import deliverability
from service.store.database import Connection
from service.store.outgoing import mailboxes, outbox
from service.store.outgoing.notice import Notice

KIND: Final = "erased"
"""The kind of the mail, and its key."""
LONGEST: Final = 86_400 * SECOND
"""How long its address is kept at most; mail servers that do not know us take a mail at the second or third attempt."""


def say(sealer: Sealer, tx: Connection, player: str, address: str, language: str, now: int) -> None:
    """Put the last mail to an erased person, at this address, into the outbox."""
    to = msgspec.json.encode({"email": address, "language": language})
    sealed = sealer.seal("codes", f"code|{KIND}", to)
    row = {"recipient": player, "kind": KIND, "decision": KIND, "created_at": now, "secret": sealed}
    outbox.put(tx, [row])


def is_unwanted(connection: Connection, address: str) -> bool:
    """Whether mail to this address, as it is compared, was called spam."""
    return mailboxes.has_reason(connection, address, deliverability.COMPLAINT)


def recipient(sealer: Sealer, notice: Notice) -> dict[str, str]:
    """The recipient of the last mail: {"email", "language"}."""
    assert notice.secret is not None, "it is wiped only once the mail is done"
    plain = sealer.open("codes", f"code|{KIND}", notice.secret)
    return msgspec.json.decode(plain, type=dict[str, str])


def forget(tx: Connection, player: str, *, late: bool) -> bool:
    """Delete it if it is settled or too `late`. Whether it still waits."""
    return outbox.delete_settled(tx, player, KIND, late=late)
