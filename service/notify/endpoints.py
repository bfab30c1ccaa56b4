"""Where a webhook or a push service may be: a public address outside, or what the host of this server allows (T-67)."""

import re
import unicodedata
from dataclasses import dataclass
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address
from typing import Final
from urllib.parse import urlsplit

from domain.engine.refusals import require

BAD: Final = "bad-webhook-url"
RULE: Final = "DESIGN-8"
LONGEST: Final = 500
NOT_PUBLIC: Final = tuple(
    map(
        IPv4Network,
        "0.0.0.0/8 10.0.0.0/8 100.64.0.0/10 127.0.0.0/8 168.63.129.16/32 169.254.0.0/16 172.16.0.0/12 192.0.0.0/24 "
        "192.0.2.0/24 192.88.99.0/24 192.168.0.0/16 198.18.0.0/15 198.51.100.0/24 203.0.113.0/24 224.0.0.0/3".split(),
    )
)
"""IANA's special-purpose IPv4 addresses, multicast, reserved ones, and a cloud's metadata that looks public.

`ipaddress.is_global` says otherwise about some of them, and not the same in every release of Python.
"""
PUBLIC_6: Final = IPv6Network("2000::/3")
"""All that is handed out of IPv6. What only stands for an IPv4 address (mapped, compatible) lies outside …"""
NOT_PUBLIC_6: Final = tuple(map(IPv6Network, "2001::/23 2001:db8::/32 2002::/16 3fff::/20".split()))
"""… and Teredo and 6to4 lie in here."""
NAT64: Final = IPv6Network("64:ff9b::/96")
"""How a machine without IPv4 reaches IPv4 addresses (RFC 6052): as good as the address in it."""

_SIGNS: Final = re.compile(r"[^\x00-\x20\x7f\\\"<>^`{|}]*")
_LABEL: Final = r"[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?"
_NAME: Final = re.compile(rf"(?=.{{1,253}}$)(?:{_LABEL}\.)+(?=[a-z]){_LABEL}")
"""At least two labels, of which the last is no number: those are addresses in disguise (0x7f.1, 2130706433)."""


@dataclass(frozen=True, slots=True)
class Endpoint:
    """An address taken apart."""

    tls: bool
    host: str  # in ASCII, as DNS and certificates know it, or an IP address
    port: int
    target: str  # path and query
    trusted: bool  # the host of this server allows it, public or not

    @property
    def authority(self) -> str:
        """The Host header."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        return host if self.port == (443 if self.tls else 80) else f"{host}:{self.port}"


def read(url: str, allowed: frozenset[tuple[str, int]], longest: int = LONGEST) -> Endpoint:
    """Take apart the address of a webhook; `allowed` are the hosts and ports that need not be public.

    Raises RuleViolation "bad-webhook-url". Nothing is looked up or sent.
    """
    require(len(url) <= longest, BAD, RULE, "An address has at most {most} characters.", most=longest)
    require(_SIGNS.fullmatch(url), BAD, RULE, "Write blanks and special signs in the address percent-encoded.")
    try:
        parts = urlsplit(url)
        given = parts.port
    except ValueError:
        parts, given = urlsplit(""), None
    tls = parts.scheme == "https"
    port = given if given is not None else 443 if tls else 80
    host = _host(parts.hostname or "")
    trusted = parts.scheme in ("https", "http") and (host, port) in allowed
    require(tls or trusted, BAD, RULE, "Give an address that begins with https://, such as https://bot.example/turns.")
    require("@" not in parts.netloc, BAD, RULE, "Leave name and password out of the address: messages are signed.")
    require("#" not in url, BAD, RULE, "Leave out the # sign and what follows it: it would never be sent.")
    target = (parts.path or "/") + ("?" + parts.query if parts.query else "")
    require(target.isascii(), BAD, RULE, "Write blanks and special signs in the address percent-encoded.")
    require(trusted or _is_outside(host), BAD, RULE, "Give the host by its public name, such as bot.example.")
    require(trusted or port == 443 or port >= 1024, BAD, RULE, "Use port 443, or one from 1024 up.")
    return Endpoint(tls, host, port, target, trusted)


def is_public(address: str) -> bool:
    """Whether an IP address is one that anybody on the internet may be reached at."""
    found = ip(address)
    if found is None or isinstance(found, IPv4Address):
        return found is not None and not any(found in network for network in NOT_PUBLIC)
    if found in NAT64:
        return is_public(str(IPv4Address(int(found) & 0xFFFF_FFFF)))
    return found in PUBLIC_6 and not any(found in network for network in NOT_PUBLIC_6)


def ip(host: str) -> IPv4Address | IPv6Address | None:
    """A host that is an IP address; None for a name, for any other spelling of an address, and for one of a link."""
    try:
        found = ip_address(host)
    except ValueError:
        return None
    return None if "%" in host else found


def _host(given: str) -> str:
    """A host as it is looked up, "" for none. What IDNA would make another name of (ß, full width) is none."""
    given = unicodedata.normalize("NFC", given)
    if given.isascii():
        return str(ip(given) or given)
    try:
        host = given.encode("idna").decode()
        return host if host.encode().decode("idna") == given else ""
    except UnicodeError:
        return ""


def _is_outside(host: str) -> bool:
    return is_public(host) or _NAME.fullmatch(host) is not None
