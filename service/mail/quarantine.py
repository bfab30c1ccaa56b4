"""The operators' list of mail that came in, and another try for a mail that was put aside."""

from collections.abc import Sequence

from service.container import Services
from service.kernel import clock
from service.mail import addresses
from service.store.database import Connection
from service.store.incoming import inbox
from service.store.incoming.inbox import StoredMail


class NoRetry(Exception):
    """This mail cannot be tried again. The message is a sentence."""


class NoSuchMail(NoRetry):
    """No mail has this number."""


def latest(connection: Connection, *, state: str | None = None, limit: int = 20) -> Sequence[StoredMail]:
    """The facts of the last mails that came in, newest first, or those in one state."""
    return inbox.latest(connection, state, limit)


def line(row: StoredMail) -> str:
    """One mail for a list: its addresses masked, since whoever reads the one it came to could move."""
    sender = addresses.mask(row.sender) if row.sender else "<>"
    why = f" ({row.reason})" if row.reason else ""
    at = clock.text(row.received_at)[:19]
    return f"{row.id:>6}  {at}Z  {row.source:7}  {row.state:11}  {sender} to {row.recipient}{why}"


def fact(row: StoredMail) -> dict[str, object]:
    """The same for programs."""
    return {
        "number": row.id,
        "received": f"{clock.text(row.received_at)[:19]}Z",
        "source": row.source,
        "state": row.state,
        "sender": addresses.mask(row.sender) if row.sender else None,
        "recipient": row.recipient,
        "reason": row.reason or None,
    }


def retry(services: Services, tx: Connection, number: int) -> None:
    """Let a mail that was put aside be read again. Raises NoRetry for any other."""
    found = inbox.state_of(tx, number)
    if found is None:
        raise NoSuchMail(f"There is no mail {number}.")
    state, is_whole = found
    if state != "quarantined":
        raise NoRetry(f"Mail {number} is not quarantined, it is {state}.")
    if not is_whole:
        raise NoRetry(f"What mail {number} said is not kept any more: its sender must send it again.")
    inbox.receive_again(tx, number, services.database.clock.now(tx))
