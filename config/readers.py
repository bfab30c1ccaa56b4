"""How the text of a setting becomes its value. A reader raises ValueError with what it expects, never with the text."""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import timedelta
from ipaddress import IPv6Address
from pathlib import Path
from typing import Any, Final
from urllib.parse import SplitResult, parse_qsl, unquote, urlsplit

from config.durations import parse_duration
from config.keyfile import MIN_KEY_LENGTH

MEMORY: Final = "memory://"
TLS_FILES: Final = frozenset({"ssl_ca_certs", "ssl_certfile", "ssl_keyfile"})
"""Parameters that the address of a Redis with TLS may have. None of them turns off the check of its certificate."""
DOMAIN: Final = r"(?:[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?\.)*[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?"
ADDRESS: Final = r"[A-Za-z0-9.!#$%&'*+/=?^_`{|}~-]{1,64}@" + DOMAIN


@dataclass(frozen=True, slots=True)
class SmtpServer:
    """Where mail goes out. `tls` speaks TLS from the first byte; without it STARTTLS is the mailer's choice."""

    host: str
    port: int
    user: str | None = None
    password: str | None = field(default=None, repr=False)
    tls: bool = False


@dataclass(frozen=True, slots=True)
class Listener:
    """Where mail comes in: a port of ours, and whether it speaks LMTP (RFC 2033)."""

    host: str
    port: int
    lmtp: bool


@dataclass(frozen=True, slots=True)
class ImapServer:
    """A mailbox to look into."""

    host: str
    port: int
    user: str
    password: str = field(repr=False)
    folder: str
    tls: bool


def whole(least: int, most: int) -> Callable[[str], int]:
    """Read a whole number from `least` to `most`."""

    def parse(text: str) -> int:
        if not re.fullmatch(r"[0-9]{1,12}", text) or not least <= int(text) <= most:
            raise ValueError(f"a whole number from {least} to {most}")
        return int(text)

    return parse


def whole_or_off(least: int, most: int) -> Callable[[str], int]:
    """Read a whole number from `least` to `most`, or "off" for 0."""
    number = whole(least, most)

    def parse(text: str) -> int:
        try:
            return 0 if text.lower() == "off" else number(text)
        except ValueError as wrong:
            raise ValueError(f"{wrong}, or off") from None

    return parse


def one_of(choices: Mapping[str, Any]) -> Callable[[str], Any]:
    """Read one of a few words, in any case."""

    def parse(text: str) -> Any:
        if text.lower() not in choices:
            raise ValueError("one of " + ", ".join(choices))
        return choices[text.lower()]

    return parse


def words(*choices: str) -> Callable[[str], str]:
    """Read one of a few words, given in lower case."""
    return one_of({choice: choice for choice in choices})


def matching(pattern: str, expected: str) -> Callable[[str], str]:
    """Read text of one shape."""

    def parse(text: str) -> str:
        if not re.fullmatch(pattern, text, re.ASCII):
            raise ValueError(expected)
        return text

    return parse


def directory(text: str) -> Path:
    try:
        path = Path(text).expanduser().absolute()
    except RuntimeError:
        raise ValueError("set to a directory, as this user has no home") from None
    if path.exists() and not path.is_dir():
        raise ValueError("a directory, existing or to be made")
    return path


def duration(text: str) -> timedelta:
    try:
        return parse_duration(text)
    except ValueError:
        raise ValueError("a duration such as PT10M or P3D (ISO 8601, without years and months)") from None


def split(text: str, expected: str, *schemes: str) -> SplitResult:
    """Take a URL apart; `expected` is the complaint about any other text, which it never quotes."""
    try:
        url = urlsplit(text)
        url.port  # noqa: B018  reading it checks it
    except ValueError:
        raise ValueError(expected) from None
    if url.scheme not in schemes or not re.fullmatch(r"[!-~]+", text):
        raise ValueError(expected)
    return url


def database_url(text: str) -> str:
    expected = "sqlite:///FILE or postgresql://USER:PASSWORD@HOST/DATABASE"
    if text.startswith("sqlite:") and re.fullmatch(r"sqlite:///(?!:memory:).+", text):
        return text
    url = split(text, expected, "postgresql", "postgres", "postgresql+psycopg")
    if not text.startswith(f"{url.scheme}://") or not url.path.strip("/"):
        raise ValueError(expected)
    return "postgresql+psycopg" + text.removeprefix(url.scheme)


def owner_url(text: str) -> str:
    """Read the address of the database for another role, which only PostgreSQL has; nothing for none."""
    if text.startswith("sqlite:"):
        raise ValueError("postgresql://OWNER:PASSWORD@HOST/DATABASE")
    return database_url(text) if text else ""


def redis_url(text: str) -> str:
    if text in ("memory:", MEMORY):
        return MEMORY
    expected = (
        "memory: (no Redis), redis://USER:PASSWORD@HOST:PORT/0 or rediss://USER:PASSWORD@HOST:PORT/0, which checks the "
        "certificate, by ?ssl_ca_certs=FILE against that file"
    )
    url = split(text, expected, "redis", "rediss")
    asked = parse_qsl(url.query, keep_blank_values=True)
    if not url.hostname or {name for name, _ in asked} - (TLS_FILES if url.scheme == "rediss" else set()):
        raise ValueError(expected)
    if not all(Path(file).is_file() for _, file in asked):
        raise ValueError(f"{expected}; a file that it names is missing")
    return text


def smtp_server(text: str) -> SmtpServer | None:
    if text == "mailbox:":
        return None
    expected = "mailbox: (the development mailbox), smtp://USER:PASSWORD@HOST:PORT or smtps://USER:PASSWORD@HOST:PORT"
    url = split(text, expected, "smtp", "smtps")
    if not url.hostname or url.path.strip("/") or url.query or url.fragment or bool(url.username) != bool(url.password):
        raise ValueError(expected)
    tls = url.scheme == "smtps"
    user, password = (unquote(part) if part else None for part in (url.username, url.password))
    return SmtpServer(url.hostname, url.port or (465 if tls else 587), user, password, tls)


def base_url(text: str) -> str:
    expected = "the address players use, such as https://wardroom.example, without a query"
    url = split(text, expected, "http", "https")
    if not url.hostname or url.query or url.fragment or url.username:
        raise ValueError(expected)
    return text.rstrip("/")


def token(text: str) -> str:
    if text and not re.fullmatch(r"[!-~]{16,200}", text):
        raise ValueError("16 to 200 letters, digits or signs, without blanks")
    return text


def key(text: str) -> str:
    if text and len(text) < MIN_KEY_LENGTH:
        raise ValueError(f"at least {MIN_KEY_LENGTH} characters")
    return text


def keys(text: str) -> tuple[str, ...]:
    found = tuple(part.strip() for part in text.split(",") if part.strip())
    if any(len(part) < MIN_KEY_LENGTH for part in found):
        raise ValueError(f"keys of at least {MIN_KEY_LENGTH} characters, separated by commas")
    return found


def hosts(text: str) -> frozenset[tuple[str, int]]:
    """Read hosts and ports: 127.0.0.1:9000, [::1]:9000, bots.local:443."""
    expected = "HOST:PORT, several of them separated by commas, an IPv6 address in brackets"
    return frozenset(_host(part, expected) for part in map(str.strip, text.split(",")) if part)


def _host(text: str, expected: str) -> tuple[str, int]:
    found = re.fullmatch(r"(?:([0-9A-Za-z.-]+)|\[([0-9A-Fa-f:.]+)\]):([0-9]{1,5})", text)
    try:
        if found is None or not 0 < int(found[3]) < 65536:
            raise ValueError
        return str(IPv6Address(found[2])) if found[2] else found[1].lower(), int(found[3])
    except ValueError:
        raise ValueError(expected) from None


def address(text: str) -> tuple[str, int] | None:
    """Read a host and a port to listen on: 127.0.0.1:8001; `off` for nowhere."""
    return None if text == "off" else _host(text, "off, or HOST:PORT, an IPv6 address in brackets")


def address_elsewhere(text: str) -> tuple[str, int] | None:
    """Read a host and a port to ask: web:8000; nothing where it is this machine."""
    return _host(text, "HOST:PORT, an IPv6 address in brackets") if text else None


def listener(text: str) -> Listener | None:
    """Read where to listen for mail; `off` for nowhere."""
    if text == "off":
        return None
    expected = "off, smtp://HOST:PORT or lmtp://HOST:PORT"
    url = split(text, expected, "smtp", "lmtp")
    if not url.hostname or not url.port or url.path.strip("/") or url.username:
        raise ValueError(expected)
    return Listener(url.hostname, url.port, url.scheme == "lmtp")


def imap_server(text: str) -> ImapServer | None:
    """Read which IMAP mailbox to poll; `off` for none."""
    if text == "off":
        return None
    expected = "off, imaps://USER:PASSWORD@HOST/FOLDER or imap://USER:PASSWORD@HOST/FOLDER"
    url = split(text, expected, "imap", "imaps")
    if not url.hostname or not url.username or url.password is None:
        raise ValueError(expected)
    tls = url.scheme == "imaps"
    folder = unquote(url.path.strip("/")) or "INBOX"
    return ImapServer(
        url.hostname, url.port or (993 if tls else 143), unquote(url.username), unquote(url.password), folder, tls
    )
