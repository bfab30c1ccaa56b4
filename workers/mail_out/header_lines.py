"""Headers as lines: folded as mail programs read them, words that are not ASCII encoded (RFC 5322, RFC 2047)."""

import base64
import email.policy
from collections.abc import Sequence
from email.header import Header as FoldedText
from email.headerregistry import Address
from functools import lru_cache
from textwrap import fill
from typing import Final

from domain.audit.checkpoints import HEADER
from domain.audit.house_log import HEADER as LOG_HEADER

Header = tuple[str, str | Address]
"""A name, and a text or an address."""
TOKEN_HEADERS: Final = frozenset(
    {"message-id", "in-reply-to", "references", "list-id", "list-unsubscribe", "list-unsubscribe-post", "list-help"}
)
EVIDENCE: Final = frozenset({HEADER, LOG_HEADER})
WORD_BYTES: Final = 42
"""Bytes in an encoded word: with the frame and a header's name before it, a line stays below 78."""
LINE: Final = 76
LONGEST: Final = 78
END: Final = "\r\n"


def write(name: str, value: str | Address) -> str:
    """A header as it is sent. Ids and URIs stand one a line, never encoded; what is short and plain as it is.

    Text that is not ASCII is one run of encoded words, blanks and all: both folders of the standard library add or lose
    blanks between them.
    """
    if isinstance(value, Address):
        return f"{name}: {_address(name, value)}{END}"
    if name.lower() in TOKEN_HEADERS:
        return f"{name}: " + f"{END} ".join(value.split()) + END
    if name.lower() == "subject":
        return f"{name}: {_words(name, value)}{END}"
    if value.isascii():
        return _fold(name, value)
    policy = email.policy.SMTP
    return str(policy.fold(*policy.header_store_parse(name, value)))


@lru_cache(maxsize=16)
def _fold(name: str, value: str) -> str:
    """Fold plain text at blanks, and evidence anywhere: its readers take out all blanks.

    The standard library puts words longer than a line into encoded words, which readers of evidence refuse.
    """
    if len(name) + len(value) + 2 <= LONGEST:
        return f"{name}: {value}{END}"
    divides = name in EVIDENCE
    lines = fill(f"{name}: {value}", LINE, subsequent_indent=" ", break_on_hyphens=False, break_long_words=divides)
    return lines.replace("\n", END) + END


def _address(name: str, address: Address) -> str:
    if address.display_name.isascii():
        return str(address)
    return f"{_words(name, address.display_name)}{END} <{address.addr_spec}>"


def _words(name: str, text: str) -> str:
    if text.isascii():
        return FoldedText(text, "us-ascii", header_name=name).encode(linesep=END)
    return f"{END} ".join(_encoded_words(text))


def _encoded_words(text: str) -> Sequence[str]:
    """Text as encoded words of whole characters, each at most 75 long."""
    words: list[str] = []
    chunk = b""
    for letter in text:
        if len(chunk) + len(letter.encode()) > WORD_BYTES:
            words.append(chunk.decode())
            chunk = b""
        chunk += letter.encode()
    return [f"=?utf-8?b?{base64.b64encode(word.encode()).decode()}?=" for word in [*words, chunk.decode()]]
