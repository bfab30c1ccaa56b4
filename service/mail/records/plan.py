"""The names and addresses that a host's mail goes by, from the settings, what the host says, and the DNS."""

import ipaddress
import re
import socket
from dataclasses import dataclass
from typing import Final

from config.readers import DOMAIN
from config.settings import Settings
from service.mail.alignment import organizational_domain
from service.mail.records.dkim_key import PublicKey
from service.mail.records.resolver import NoAnswer, Resolver

SELECTOR: Final = "wardroom"
"""The selector of the DKIM key, unless the host says another."""
SAMPLE: Final = "203.0.113.5"
"""An address for documentation (RFC 5737), where we do not know the host's."""


@dataclass(frozen=True, slots=True)
class Plan:
    """What the records must say. `addresses` are those of the mail server `host`; none where nobody knows them yet."""

    mail_domain: str
    from_domain: str
    host: str
    addresses: tuple[str, ...]
    selector: str
    key: PublicKey | None
    by_provider: str  # the server of somebody else that sends our mail; "" where this installation has its own
    from_mailbox: bool = False  # answers are fetched from a mailbox of somebody else, whose MX is his

    @property
    def organization(self) -> str:
        """The domain that somebody registered, above that of From."""
        return organizational_domain(self.from_domain) or self.from_domain


def make_plan(
    settings: Settings,
    resolver: Resolver | None,
    *,
    host: str = "",
    addresses: tuple[str, ...] = (),
    selector: str = SELECTOR,
    key: PublicKey | None = None,
) -> Plan:
    """The plan; what the host does not say is found, or left open without a resolver. Raises ResolverAway."""
    mail_domain = settings.mail_domain.lower()
    from_domain = settings.mail_from.rpartition("@")[2].lower()
    server = settings.smtp_url
    host = host.lower() or _host(settings, resolver, mail_domain, from_domain)
    provider = "" if server is None or server.host == host or is_own(server.host) else server.host
    found = addresses or _addresses(resolver, host)
    fetched = settings.imap_url is not None and settings.mail_in is None
    return Plan(mail_domain, from_domain, host, found, selector, key, provider, fetched)


def is_own(host: str) -> bool:
    """Whether a server is on this machine or beside it: by its name alone, or where that leads here."""
    if "." not in host and ":" not in host:
        return True  # localhost, or the name of a container
    try:
        found = {ipaddress.ip_address(entry[4][0]) for entry in socket.getaddrinfo(host, None)}
    except (OSError, ValueError):
        return False
    return all(address.is_loopback or address.is_private for address in found)


def _host(settings: Settings, resolver: Resolver | None, mail_domain: str, from_domain: str) -> str:
    """The name of the mail server: by its own headers, as the DNS has it, or one that is usual."""
    authserv = settings.authserv_id.lower()
    if "." in authserv and re.fullmatch(DOMAIN, authserv):
        return authserv
    try:
        servers = () if resolver is None else resolver.mx(mail_domain).values
    except NoAnswer:
        servers = ()
    return servers[0] if servers and servers[0] != "." else f"mx.{from_domain}"


def _addresses(resolver: Resolver | None, host: str) -> tuple[str, ...]:
    try:
        return () if resolver is None else resolver.addresses(host)
    except NoAnswer:
        return ()
