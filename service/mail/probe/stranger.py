"""Bringing a mail of ours to our own mail server as a stranger would: at its port 25, from its public address.

A mail server does not judge what this machine hands it to send. So the signed probe that came back is brought again
to where other domains bring their mail, and gets the verdicts that they would give.
"""

import re
import smtplib
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass

from config.settings import Settings
from service.mail.finding import Finding, note, well
from service.mail.probe.intake import ELSEWHERE
from service.mail.probe.message import RESULTS, Probe, forged
from service.mail.records.plan import Plan
from service.mail.smtp_session import set_timeout

LEFT_OUT = re.compile(rb"(?:Return-Path|Delivered-To|X-Original-To|Envelope-To|Received):", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Door:
    """Where strangers bring mail: a host and a port."""

    host: str
    port: int

    def __str__(self) -> str:
        return f"{self.host}:{self.port}"


def again(probe: Probe, raw: bytes, sender: str, recipient: str, authserv_id: str) -> Probe:
    """The mail as it was signed, to bring it once more: what was written on its way taken off, our forgery put on."""
    fields = re.split(rb"\r?\n(?![ \t])", re.split(rb"\r?\n\r?\n", raw, maxsplit=1)[0])
    verdicts = f"{RESULTS}:".lower().encode()
    kept = [field for field in fields if not LEFT_OUT.match(field) and not field.lower().startswith(verdicts)]
    head = forged(authserv_id, probe.mark) + b"\r\n".join(kept) + b"\r\n\r\n"
    body = re.split(rb"\r?\n\r?\n", raw, maxsplit=1)[-1]
    return Probe(sender, recipient, head + body, probe.mark)


def connect(door: Door, plan: Plan, settings: Settings) -> smtplib.SMTP:
    """A connection as other mail servers make it. Raises what smtplib raises."""
    connection = smtplib.SMTP(door.host, door.port, plan.host, timeout=settings.smtp_connect_timeout)
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


def check_door(connection: smtplib.SMTP, settings: Settings) -> Iterator[Finding]:
    """What it says of TLS, of others' domains, and of addresses that nobody has; no mail is sent."""
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
