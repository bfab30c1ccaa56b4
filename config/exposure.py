"""Whether others can reach the service: the development mailbox shows everybody's codes to whoever can."""

import os
from collections.abc import Mapping
from ipaddress import ip_address
from typing import Final
from urllib.parse import urlsplit

from config.settings import BadSetting, Settings, load

EXPOSED: Final = (
    "WARDROOM_{name} is {value}, which others can reach, and no mail server is set, so they could read everybody's "
    "codes in the development mailbox: set WARDROOM_SMTP_URL to smtp://HOST:PORT or smtps://HOST:PORT, or "
    "WARDROOM_{name} to an address of this machine alone, such as {local}."
)


def load_to_serve(environ: Mapping[str, str] = os.environ) -> Settings:
    """Read the settings of a process that serves or sends. Raises BadSetting where that would open the mailbox."""
    settings = load(environ)
    if (sentence := exposure(settings)) is not None:
        raise BadSetting(sentence)
    return settings


def load_or_exit() -> Settings:
    """Read the settings of a process that serves or sends; end it with one sentence where they cannot be used."""
    try:
        return load_to_serve()
    except BadSetting as bad:
        raise SystemExit(str(bad)) from None


def exposure(settings: Settings) -> str | None:
    """The sentence about a service that others can reach while its mail stays in the development mailbox."""
    if settings.smtp_url is not None:
        return None
    if not is_loopback(settings.host):
        return EXPOSED.format(name="HOST", value=settings.host, local="127.0.0.1")
    if not is_loopback(urlsplit(settings.base_url).hostname or ""):
        return EXPOSED.format(name="BASE_URL", value=settings.base_url, local=f"http://127.0.0.1:{settings.port}")
    return None


def is_loopback(host: str) -> bool:
    """Whether a host, a name or an address without port or brackets, is this machine to itself alone."""
    try:
        address = ip_address(host)
    except ValueError:
        return host.lower() == "localhost"
    return (getattr(address, "ipv4_mapped", None) or address).is_loopback
