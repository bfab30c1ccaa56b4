"""Whether others can reach the service: the development mailbox shows everybody's codes to whoever can."""

import os
import sys
from collections.abc import Mapping
from importlib.util import find_spec
from ipaddress import ip_address
from typing import Final, NoReturn
from urllib.parse import urlsplit

from config.settings import BadSetting, Settings, load

EXPOSED: Final = (
    "WARDROOM_{name} is {value}, which others can reach, and no mail server is set, so they could read everybody's "
    "codes in the development mailbox: set WARDROOM_SMTP_URL to smtp://HOST:PORT or smtps://HOST:PORT, or "
    "WARDROOM_{name} to an address of this machine alone, such as {local}."
)
NO_TRACES: Final = (
    "WARDROOM_TRACES is on, but OpenTelemetry is not installed: install Wardroom with its extra `otel`, as in "
    "wardroom[otel], or set the variable to off."
)


def load_to_serve(environ: Mapping[str, str] = os.environ) -> Settings:
    """Read the settings of a process that serves or sends. Raises BadSetting where that would open the mailbox."""
    settings = load(environ)
    if settings.traces and find_spec("opentelemetry") is None:
        raise BadSetting(NO_TRACES)
    if (sentence := exposure(settings)) is not None:
        raise BadSetting(sentence)
    return settings


def load_or_exit() -> Settings:
    """Read the settings of a process that serves or sends; end it with one sentence where they cannot be used."""
    try:
        return load_to_serve()
    except BadSetting as bad:
        end_misconfigured(str(bad))


def end_misconfigured(sentence: str) -> NoReturn:
    """End a process with a sentence about its settings and EX_CONFIG: whoever keeps it running need not try again."""
    sys.stderr.write(f"{sentence}\n")
    raise SystemExit(os.EX_CONFIG)


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
