"""The three locks of a mail: a secret address, the right From, and a mail server of ours that vouches for it.

What each combination may do is a table (PLAY-BY-EMAIL, "Recommended default"). No lock ever answers whoever wrote:
answers go to the registered address alone.
"""

import unicodedata
from collections.abc import Mapping
from typing import Any, Final

from service.mail.alignment import FAIL, NONE, PASS, domain_of, judged

DO: Final = "do"
ASK: Final = "ask"
"""Hold it, and ask the registered address."""
NOTICE: Final = "notice"
"""Tell the registered address, once a day, and do nothing else."""
SHELVE: Final = "shelve"
REFUSE: Final = "refuse"

READ: Final = "read"
MOVE: Final = "move"
GRAVE: Final = "grave"
"""What cannot be taken back: to leave a seat."""

OPEN: Final[Mapping[tuple[bool, str], Mapping[str, str]]] = {
    (True, PASS): {READ: DO, MOVE: DO, GRAVE: ASK},
    (True, NONE): {READ: DO, MOVE: ASK, GRAVE: REFUSE},
    (True, FAIL): {READ: NOTICE, MOVE: ASK, GRAVE: REFUSE},
    (False, PASS): {READ: NOTICE, MOVE: ASK, GRAVE: REFUSE},
    (False, NONE): {READ: NOTICE, MOVE: ASK, GRAVE: REFUSE},
    (False, FAIL): {READ: NOTICE, MOVE: ASK, GRAVE: REFUSE},
}
"""(From is the registered address, the verdict) -> what happens to each sort of command, while the decision is open."""
STALE: Final[Mapping[tuple[bool, str], str]] = {
    (True, PASS): DO,
    (True, NONE): DO,
    (True, FAIL): SHELVE,
    (False, PASS): SHELVE,
    (False, NONE): SHELVE,
    (False, FAIL): SHELVE,
}
"""The same for an address whose decision is closed: DO is to answer with the present position."""


def is_from(reading: Any, email: str) -> bool:
    """Whether a mail says it is from this address and from nobody else (IN-28, IN-33, IN-34)."""
    if reading.from_headers != 1 or len(reading.from_addresses) != 1:
        return False
    (given,) = reading.from_addresses
    if folded(given) != folded(email):
        return False
    return not reading.sender or domain_of(reading.sender) == domain_of(given)


def verdict(reading: Any, trusted: str, authserv_id: str) -> str:
    """Whether From was authenticated: by whoever handed the mail over, or by our own mail server's header (RFC 8601).

    Only the topmost Authentication-Results of our server counts; others may be anybody's. What it authenticated must be
    the From that `is_from` compares: the locks are one.
    """
    if trusted == PASS:
        return PASS
    if not authserv_id or len(reading.from_addresses) != 1:
        return NONE
    ours = [header for header in reading.authentication if header.authserv_id.casefold() == authserv_id.casefold()]
    return judged(ours[0].results, domain_of(reading.from_addresses[0])) if ours else NONE


def folded(address: str) -> str:
    """An address as it is compared (IN-33, IN-34)."""
    local, _, domain = unicodedata.normalize("NFC", address.strip()).rpartition("@")
    return f"{local.casefold()}@{domain_of(domain)}"
