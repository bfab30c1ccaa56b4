"""The second way of the probe: it is brought to our own mail server at port 25, as a stranger would bring it.

A mail server does not judge mail that its own machine sends. So the signed probe that came back is brought again to
where other domains bring their mail, and gets the verdicts that their mail gets.
"""

import ipaddress
import re
import smtplib
import socket
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass

from config.readers import DOMAIN, SmtpServer
from config.settings import Settings
from service.mail.finding import Finding, note, well
from service.mail.probe.intake import ELSEWHERE
from service.mail.probe.message import RESULTS, Probe, forged
from service.mail.smtp_session import set_timeout

LEFT_OUT = re.compile(rb"(?:Return-Path|Delivered-To|X-Original-To|Envelope-To|Received):", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Door:
    """The place to which strangers bring mail: a host and a port."""

    host: str
    port: int

    def __str__(self) -> str:
        return f"{self.host}:{self.port}"


def mail_server_name(settings: Settings) -> str:
    """Return the name of the mail server: WARDROOM_AUTHSERV_ID if that is a host name, else WARDROOM_MAIL_DOMAIN."""
    authserv_id = settings.authserv_id.lower()
    is_host = "." in authserv_id and re.fullmatch(DOMAIN, authserv_id)
    return authserv_id if is_host else settings.mail_domain.lower()


def default_door(settings: Settings, server: SmtpServer) -> Door | None:
    """Return port 25 of the mail server, or None if `server`, which sends our mail, is another machine.

    The mail has left this machine then, and was judged when it came back.
    """
    name = mail_server_name(settings)
    return Door(name, smtplib.SMTP_PORT) if server.host == name or _is_local(server.host) else None


def _is_local(host: str) -> bool:
    """Return whether a server is on this machine or next to it: a short name, or only private addresses."""
    if "." not in host and ":" not in host:
        return True  # localhost, or the name of a container
    try:
        found = {ipaddress.ip_address(entry[4][0]) for entry in socket.getaddrinfo(host, None)}
    except (OSError, ValueError):
        return False
    return all(address.is_loopback or address.is_private for address in found)


def again(probe: Probe, raw: bytes, sender: str, recipient: str, authserv_id: str) -> Probe:
    """Return the signed mail that came back, to bring it again.

    Headers that servers added on its way are removed, and our forged verdict is put on top.
    """
    fields = re.split(rb"\r?\n(?![ \t])", re.split(rb"\r?\n\r?\n", raw, maxsplit=1)[0])
    verdicts = f"{RESULTS}:".lower().encode()
    kept = [field for field in fields if not LEFT_OUT.match(field) and not field.lower().startswith(verdicts)]
    head = forged(authserv_id, probe.mark) + b"\r\n".join(kept) + b"\r\n\r\n"
    body = re.split(rb"\r?\n\r?\n", raw, maxsplit=1)[-1]
    return Probe(sender, recipient, head + body, probe.mark)


def connect(door: Door, settings: Settings) -> smtplib.SMTP:
    """Connect as other mail servers do. Raises what smtplib raises."""
    connection = smtplib.SMTP(door.host, door.port, mail_server_name(settings), timeout=settings.smtp_connect_timeout)
    try:
        connection.ehlo()
        if connection.has_extn("starttls"):
            connection.starttls()
            connection.ehlo()
        set_timeout(connection, settings.smtp_data_timeout)
    except BaseException:
        connection.close()
        raise
    return connection


def is_this_machine(connection: smtplib.SMTP) -> bool:
    """Return whether both ends of a connection have one address."""
    ends = connection.sock
    return ends is not None and ends.getsockname()[0] == ends.getpeername()[0]


def check_door(connection: smtplib.SMTP, settings: Settings) -> Iterator[Finding]:
    """Check TLS, mail for others' domains and mail for unknown addresses. Sends no mail."""
    if connection.sock is not None and hasattr(connection.sock, "version"):
        yield well("mail server", f"It speaks TLS ({connection.sock.version()}).")
    else:
        yield note("mail server", "It offers no STARTTLS: mail comes in as if on postcards.", "Give it a certificate.")
    nobody = f"mv-0nobody@{settings.mail_domain}"
    if _takes(connection, ELSEWHERE):
        told = "It takes mail for others' domains from here."
        yield note("mail server", told, "If it does so from elsewhere, too, it is an open relay: see its mynetworks.")
    else:
        yield well("mail server", "It takes no mail for others' domains.")
    if _takes(connection, nobody):
        told = f"It takes mail to addresses of {settings.mail_domain} that nobody has, and must send it back later."
        yield note(
            "mail server", told, "Let it ask Wardroom first: reject_unverified_recipient, as in deploy/postfix/."
        )
    else:
        yield well("mail server", f"It takes no mail to addresses of {settings.mail_domain} that nobody has.")


def _takes(connection: smtplib.SMTP, recipient: str) -> bool:
    connection.mail("")
    code, _ = connection.rcpt(recipient)
    with suppress(smtplib.SMTPException):
        connection.rset()
    return code < 400
