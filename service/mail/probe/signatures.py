"""DKIM signatures (RFC 6376 3.5) of a mail that came in: by whom, and over what. Whether they hold others say."""

from dataclasses import dataclass
from email.message import Message

from service.mail.alignment import is_aligned
from service.mail.records.tags import tags


@dataclass(frozen=True, slots=True)
class Signature:
    """One of them: domain and selector, the headers it covers in lower case, and whether over the whole body."""

    domain: str
    selector: str
    headers: frozenset[str]
    whole_body: bool

    def missing(self, wanted: tuple[str, ...]) -> list[str]:
        """The headers that it should cover and does not."""
        return [name for name in wanted if name.lower() not in self.headers]


def signatures(headers: Message) -> list[Signature]:
    """Those that can be read."""
    found = []
    for value in headers.get_all("DKIM-Signature", []):
        known = tags(str(value))
        if known is not None and known.get("d"):
            covered = frozenset(name.lower() for name in known.get("h", "").split(":"))
            found.append(Signature(known["d"].lower(), known.get("s", ""), covered, "l" not in known))
    return found


def aligned(found: list[Signature], domain: str) -> list[Signature]:
    """Those of the organization of this domain, as DMARC wants them."""
    return [signature for signature in found if is_aligned(signature.domain, domain)]
