"""The DNS as a host's mail is seen by others: dnspython's resolver, with its failures as sentences."""

import ipaddress
from dataclasses import dataclass
from typing import Final

import dns.exception
import dns.resolver
import dns.reversename
from dns.rdatatype import RdataType

LIFETIME: Final = 5.0
"""Seconds for one question, its repetitions included."""
PAYLOAD: Final = 1232
"""Bytes of the largest answer by UDP; a larger one is asked for by TCP."""


class NoAnswer(Exception):
    """A question that nobody answered; the message is a sentence."""


class ResolverAway(Exception):
    """The resolver answers nothing at all; the message is a sentence."""


@dataclass(frozen=True, slots=True)
class Answer:
    """The records of one name and type: none where it has none, and whether there is such a name."""

    values: tuple[str, ...]
    exists: bool
    name: str  # where the aliases lead


class Resolver:
    """Asks the resolver of this machine, or the one at `server`, a (HOST, PORT)."""

    def __init__(self, server: tuple[str, int] | None = None, lifetime: float | None = None) -> None:
        try:
            self._resolver = dns.resolver.Resolver(configure=server is None)
        except dns.resolver.NoResolverConfiguration as error:
            raise ResolverAway("This machine names no resolver in /etc/resolv.conf.") from error
        if server is not None:
            self._resolver.nameservers = [server[0]]
            self._resolver.port = server[1]
        self._resolver.use_edns(0, 0, PAYLOAD)
        self._resolver.cache = dns.resolver.Cache()
        self._resolver.lifetime = lifetime or LIFETIME
        self._heard = False

    def txt(self, name: str) -> Answer:
        """The texts of a name, each put together of its parts."""
        return self._ask(name, RdataType.TXT)

    def mx(self, name: str) -> Answer:
        """The mail servers of a domain, the most preferred first; `.` for one that takes no mail (RFC 7505)."""
        return self._ask(name, RdataType.MX)

    def addresses(self, name: str) -> tuple[str, ...]:
        """The IPv4 and IPv6 addresses of a host."""
        return (*self._ask(name, RdataType.A).values, *self._ask(name, RdataType.AAAA).values)

    def is_alias(self, name: str) -> bool:
        """Whether a name is a CNAME."""
        return bool(self._ask(name, RdataType.CNAME).values)

    def names_of(self, address: str) -> tuple[str, ...]:
        """What an address is called (PTR)."""
        reverse = dns.reversename.from_address(address)
        return self._ask(reverse.to_text(omit_final_dot=True), RdataType.PTR).values

    def _ask(self, name: str, kind: RdataType) -> Answer:
        try:
            found = self._resolver.resolve(f"{name}.", kind, raise_on_no_answer=False)
        except dns.resolver.NXDOMAIN:
            self._heard = True
            return Answer((), False, name)
        except dns.resolver.LifetimeTimeout as error:
            raise self._silent(name, kind) from error
        except dns.resolver.NoNameservers as error:
            said = " ".join(sorted({str(response) for *_, response, _ in error.kwargs.get("errors", ())}))
            raise NoAnswer(
                f"{kind.name} of {name} could not be found ({said or 'no server answers'}): the zone's servers do not "
                "answer, or its DNSSEC signatures do not hold."
            ) from error
        except (dns.exception.DNSException, OSError, UnicodeError) as error:
            raise NoAnswer(f"{kind.name} of {name} cannot be asked for ({type(error).__name__}).") from error
        self._heard = True
        records = sorted(found.rrset, key=_preference) if found.rrset is not None else ()
        return Answer(tuple(map(_value, records)), True, found.canonical_name.to_text(omit_final_dot=True))

    def _silent(self, name: str, kind: RdataType) -> Exception:
        servers = ", ".join(f"{server}" for server in self._resolver.nameservers)
        if self._heard:
            return NoAnswer(f"{kind.name} of {name} was not answered within {self._resolver.lifetime:g} s.")
        return ResolverAway(f"The resolver {servers} does not answer within {self._resolver.lifetime:g} s.")


def is_public(address: str) -> bool:
    """Whether others can reach an address."""
    return ipaddress.ip_address(address).is_global


def _preference(record: object) -> int:
    return int(getattr(record, "preference", 0))


def _value(record: object) -> str:
    """A record's own part as text, names in lower case and without their last dot."""
    if (strings := getattr(record, "strings", None)) is not None:
        return b"".join(strings).decode("utf-8", "replace")
    for field in ("exchange", "target"):
        if (name := getattr(record, field, None)) is not None:
            return str(name).lower().rstrip(".") or "."
    return str(getattr(record, "address", record))
