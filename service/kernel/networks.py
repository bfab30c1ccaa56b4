"""Networks, for counting callers: the one that one person has."""

from ipaddress import IPv6Address, ip_address, ip_network
from typing import Final

ONE_HOME: Final = 64
"""Bits of an IPv6 address that name the network of a home or machine; the others it chooses as it likes (RFC 6177)."""


def network_of(address: str) -> str:
    """The network of an address: an IPv4 address itself, the /64 of an IPv6 address; text that is neither, as it is."""
    try:
        known = ip_address(address.partition("%")[0])
    except ValueError:
        return address
    if isinstance(known, IPv6Address) and known.ipv4_mapped is None:
        return str(ip_network((known, ONE_HOME), strict=False))
    return str(getattr(known, "ipv4_mapped", None) or known)
