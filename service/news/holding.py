"""What the process of news and the web application tell each other about a stream of the API that the process holds.

The process passes a request on with a header that it alone can make. The application answers with what there is now
and how to go on, and never waits (the pattern is known as GRIP). Who may hear what, and how it is written, the process
need not know.
"""

import hashlib
import hmac
from typing import Final

import msgspec

ASK: Final = "Wardroom-News"
"""The header of a request: what is asked for, and the proof that the process asks."""
HOLD: Final = "Wardroom-Hold"
"""The header of an answer that a stream begins with, or goes on with."""
OPEN: Final = "open"
LOOK: Final = "look"
FULL: Final = "full"
MANY: Final = "many"
ASKS: Final = (OPEN, LOOK, FULL, MANY)
"""A new stream; what is new in one that is held; no more streams can be held; whoever asks holds too many."""


class Hold(msgspec.Struct, frozen=True):
    """How a stream goes on: for whom it counts, of whom or what it is to hear, the place behind what was told, whether
    there is more already, and after how many seconds something will be new without a hint."""

    whose: str
    hears: str
    place: str
    is_behind: bool = False
    due_in: float | None = None


def ask_key(secret: str) -> bytes:
    """The key of the proof, made of the master key: from it nobody finds the other."""
    return hmac.new(secret.encode(), b"wardroom news asks", hashlib.sha256).digest()


def ask_header(key: bytes, ask: str) -> str:
    """The header that asks for something."""
    return f"{ask} {hmac.new(key, ask.encode(), hashlib.sha256).hexdigest()}"


def read_ask(key: bytes, header: str) -> str | None:
    """What the process of news asks for; None where it is not the process that asks."""
    return next((ask for ask in ASKS if hmac.compare_digest(header.encode(), ask_header(key, ask).encode())), None)


def write_hold(hold: Hold) -> str:
    """How a stream goes on, as a header: JSON, all of it ASCII."""
    return msgspec.json.encode(hold).decode("ascii")


def read_hold(header: bytes) -> Hold:
    """The same read again. Raises msgspec.ValidationError."""
    return msgspec.json.decode(header, type=Hold)
