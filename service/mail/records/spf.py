"""SPF records (RFC 7208): whether one may be used at all, and whether an address may send by it."""

import ipaddress
import re
from dataclasses import dataclass, field
from typing import Final

from service.mail.records.resolver import Answer, Resolver

MOST_LOOKUPS: Final = 10
"""Terms of a record, those of what it includes among them, that may ask the DNS (RFC 7208 4.6.4)."""
MOST_FOLLOWED: Final = 50
"""Terms after which we stop to count."""
RESULTS: Final = {"+": "pass", "-": "fail", "~": "softfail", "?": "neutral"}
MECHANISMS: Final = frozenset("all include a mx ptr ip4 ip6 exists".split())
_TERM: Final = re.compile(r"([+?~-]?)([a-z0-9]+)(?::([^/\s]*))?((?:/[0-9]+)?)(?:/(/[0-9]+))?", re.IGNORECASE)
"""Qualifier, mechanism, value, the prefix of IPv4 (or of `ip6:`), and the one of IPv6 behind two slashes."""
_MODIFIER: Final = re.compile(r"([a-z][a-z0-9_.-]*)=(\S*)", re.I)


class BadRecord(Exception):
    """A record that says nothing (permerror); the message is a sentence."""


@dataclass(slots=True)
class Spf:
    """One evaluation. `address` None matches nothing but `all`, so that every term is counted."""

    resolver: Resolver
    address: str | None
    lookups: int = 0
    unsure: list[str] = field(default_factory=list)  # terms with macros, which only a real mail decides
    within: list[str] = field(default_factory=list)

    def check(self, domain: str) -> str:
        """pass, fail, softfail, neutral, or none for a domain without a record. Raises BadRecord, NoAnswer."""
        record = only_record(self.resolver.txt(domain))
        if record is None:
            return "none"
        if domain in self.within:
            raise BadRecord(f"{domain} includes itself.")
        self.within.append(domain)
        found = self._result(domain, record.split()[1:])
        self.within.pop()
        return found

    def _result(self, domain: str, terms: list[str]) -> str:
        redirect = ""
        for term in terms:
            if modifier := _MODIFIER.fullmatch(term):
                redirect = modifier[2] if modifier[1].lower() == "redirect" else redirect
                continue
            found = _TERM.fullmatch(term)
            if found is None or found[2].lower() not in MECHANISMS:
                raise BadRecord(f"`{term}` in the record of {domain} is no term of SPF.")
            if self._matches(domain, found):
                return RESULTS[found[1] or "+"]
        if redirect and not any(term.lower().lstrip("+?~-") == "all" for term in terms):
            self.lookups += 1
            onward = self.check(redirect)
            if onward == "none":
                raise BadRecord(f"`redirect={redirect}` leads to a domain without a record.")
            return onward
        return "neutral"

    def _matches(self, domain: str, term: re.Match[str]) -> bool:
        mechanism, value = term[2].lower(), term[3] or ""
        if mechanism == "all":
            return True
        if mechanism in ("ip4", "ip6"):
            return self._is_in(f"{value}{term[4]}")
        self.lookups += 1
        if self.lookups > MOST_FOLLOWED:
            raise BadRecord(f"With what it includes it asks the DNS more than {MOST_FOLLOWED} times.")
        if "%" in value or mechanism in ("ptr", "exists"):
            self.unsure.append(term[0])
            return False
        target = value or domain
        if mechanism == "include":
            return self._include(target)
        hosts = [target] if mechanism == "a" else [host for host in self.resolver.mx(target).values if host != "."]
        return any(self._is_one_of(host, term[4], term[5] or "") for host in hosts)

    def _include(self, target: str) -> bool:
        found = self.check(target)
        if found == "none":
            raise BadRecord(f"`include:{target}` leads to a domain without a record.")
        return found == "pass"

    def _is_one_of(self, host: str, four: str, six: str) -> bool:
        found = self.resolver.addresses(host)
        return any(self._is_in(f"{address}{six if ':' in address else four}") for address in found)

    def _is_in(self, network: str) -> bool:
        try:
            found = ipaddress.ip_network(network, strict=False)
        except ValueError:
            raise BadRecord(f"`{network}` is no network.") from None
        return self.address is not None and ipaddress.ip_address(self.address) in found


def only_record(answer: Answer) -> str | None:
    """The SPF record among the texts of a domain; None for none. Raises BadRecord for several (RFC 7208 4.5)."""
    found = [text for text in answer.values if re.match(r"v=spf1(?:\s|$)", text, re.IGNORECASE)]
    if len(found) > 1:
        raise BadRecord(f"There are {len(found)} SPF records, and then none counts.")
    return found[0] if found else None
