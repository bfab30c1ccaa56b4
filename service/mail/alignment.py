"""What a mail server's results prove about the domain of From (RFC 8601), as DMARC reads them (RFC 7489, 3.1)."""

import unicodedata
from collections.abc import Sequence
from functools import cache
from typing import Final

from publicsuffixlist import PublicSuffixList

PASS: Final = "pass"  # noqa: S105 - the word of RFC 8601
NONE: Final = "none"
FAIL: Final = "fail"

Result = tuple[str, str, dict[str, str]]
"""Method, result, properties."""
SIGNED_FOR: Final = ("header.d", "header.i")
SENT_FOR: Final = ("smtp.mailfrom", "smtp.mail", "smtp.from")
GREETED_AS: Final = "smtp.helo"


def judged(results: Sequence[Result], domain: str) -> str:
    """DMARC's verdict about this domain where there is one, else whether DKIM or SPF passed for its organization.

    A verdict that names no From, or another than we read, proves nothing, and neither does all beside it.
    """
    verdicts = [
        (result, properties.get("header.from", "")) for method, result, properties in results if method == "dmarc"
    ]
    if any(result == FAIL for result, _ in verdicts):
        return FAIL
    passed = [name for result, name in verdicts if result == PASS]
    if passed:
        return PASS if all(domain_of(name) == domain for name in passed) else NONE
    return PASS if any(_vouches(result, domain) for result in results) else NONE


def _vouches(result: Result, domain: str) -> bool:
    """Whether DKIM or SPF passed, for nothing but the organization of this domain."""
    method, found, properties = result
    signers = {"dkim": _signers, "spf": _senders}.get(method)
    if signers is None or found != PASS:
        return False
    names = signers(properties)
    return bool(names) and all(is_aligned(domain_of(name), domain) for name in names)


def _signers(properties: dict[str, str]) -> list[str]:
    return [properties[name] for name in SIGNED_FOR if properties.get(name)]


def _senders(properties: dict[str, str]) -> list[str]:
    """The envelope's sender, or the name in the greeting where it is empty (RFC 7489, 3.1.2)."""
    named = [properties[name] for name in SENT_FOR if properties.get(name, "").strip("<>")]
    return named or [name for name in [properties.get(GREETED_AS, "")] if name]


def is_aligned(signer: str, domain: str) -> bool:
    """Whether two domains are of one organization (relaxed alignment). A public suffix, `co.uk`, is of none."""
    organization = organizational_domain(domain)
    return bool(organization) and organizational_domain(signer) == organization


def organizational_domain(domain: str) -> str:
    """The name that somebody registered: a domain's public suffix with one label more; "" for none (RFC 7489, 3.2)."""
    top = domain.rpartition(".")[2]
    return (_suffixes().privatesuffix(domain) or "") if top[:1].isalpha() else ""  # an address literal is nobody's


def domain_of(address: str) -> str:
    """The domain of an address, or a domain by itself, as its A-labels."""
    domain = unicodedata.normalize("NFC", address.strip().rpartition("@")[2]).rstrip(".")
    try:
        return domain.encode("idna").decode().casefold()
    except UnicodeError:
        return domain.casefold()


@cache
def _suffixes() -> PublicSuffixList:
    """The list as it came with the package: nothing is ever fetched."""
    return PublicSuffixList()
