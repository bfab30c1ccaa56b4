"""DKIM signatures (RFC 6376 3.5) of a received mail: the signer and the signed headers, without verification."""

import re
from dataclasses import dataclass
from email.message import Message

from service.mail.alignment import is_aligned


@dataclass(frozen=True, slots=True)
class Signature:
    """One signature: domain, selector, signed headers in lower case, and whether the whole body is signed."""

    domain: str
    selector: str
    headers: frozenset[str]
    whole_body: bool

    def missing(self, wanted: tuple[str, ...]) -> list[str]:
        """Return the headers that it should cover and does not."""
        return [name for name in wanted if name.lower() not in self.headers]


def signatures(headers: Message) -> list[Signature]:
    """Return the signatures that can be read."""
    found = []
    for value in headers.get_all("DKIM-Signature", []):
        known = read_tags(str(value))
        if known is not None and known.get("d"):
            covered = frozenset(name.lower() for name in known.get("h", "").split(":"))
            found.append(Signature(known["d"].lower(), known.get("s", ""), covered, "l" not in known))
    return found


def aligned(found: list[Signature], domain: str) -> list[Signature]:
    """Return the signatures of this domain's organization, as DMARC requires."""
    return [signature for signature in found if is_aligned(signature.domain, domain)]


def read_tags(text: str) -> dict[str, str] | None:
    """Parse a tag list such as `v=1; d=games.example` (RFC 6376 3.2), names in lower case, blanks removed.

    Returns None if it is not a tag list or repeats a tag.
    """
    found: dict[str, str] = {}
    for part in text.split(";"):
        name, equals, value = part.partition("=")
        name = name.strip().lower()
        if not part.strip():
            continue
        if not equals or not re.fullmatch("[a-z][a-z0-9_]*", name) or name in found:
            return None
        found[name] = re.sub(r"\s+", "", value)
    return found
