"""Whether anybody takes mail that comes in, and only mail to addresses of ours."""

import smtplib
from collections.abc import Iterator
from typing import Final

from config.readers import Listener
from service.container import Services
from service.kernel.clock import SECOND
from service.mail import addresses
from service.mail.finding import Finding, broken, note, well
from service.store.running.heartbeats import last_beat

ELSEWHERE: Final = "nobody@others.invalid"
"""An address of no domain that is anybody's (RFC 2606)."""
IMAP_LATE: Final = 300 * SECOND
PATIENCE: Final = 10
START: Final = "Start the process `mail` (or `wardroom serve`), or set WARDROOM_MAIL_IN to where it listens."


def check_intake(services: Services) -> Iterator[Finding]:
    """Look at every way in that the settings name."""
    settings = services.settings
    if settings.mail_in is not None:
        yield from _listener(services, settings.mail_in)
    if settings.imap_url is not None:
        yield _mailbox(services)
    if settings.mail_in is None and settings.imap_url is None:
        told = "WARDROOM_MAIL_IN is off and there is no WARDROOM_IMAP_URL: only `wardroom mail ingest` brings mail in."
        yield note("intake", told, "If your mail server runs that, all is well.")


def _listener(services: Services, listener: Listener) -> Iterator[Finding]:
    where = f"{'LMTP' if listener.lmtp else 'SMTP'} on {listener.host}:{listener.port}"
    try:
        with (smtplib.LMTP if listener.lmtp else smtplib.SMTP)(
            listener.host, listener.port, timeout=PATIENCE
        ) as connection:
            connection.ehlo()
            known, foreign = (_code(connection, address) for address in (_known(services), ELSEWHERE))
    except (OSError, smtplib.SMTPException) as error:
        yield broken("intake", f"Nothing answers by {where} ({type(error).__name__}).", START)
        return
    if known >= 400:
        told = f"What listens by {where} does not know our addresses ({known})."
        yield broken("intake", told, "Is it Wardroom, with the same WARDROOM_MAIL_DOMAIN and WARDROOM_SECRET_KEY?")
    else:
        yield well("intake", f"Wardroom takes mail by {where}.")
    if foreign < 400:
        told = f"What listens by {where} takes mail for others' domains: it is an open relay."
        yield broken("intake", told, "Close it at once: it is not Wardroom, or something stands before it.")


def _known(services: Services) -> str:
    with services.database.read() as connection:
        now = services.database.clock.now(connection)
    return addresses.full(services.settings, addresses.make_probe(services.settings, services.entropy, now))


def _code(connection: smtplib.SMTP, recipient: str) -> int:
    """What is said to a recipient; no mail is sent."""
    connection.mail("")
    code, _ = connection.rcpt(recipient)
    connection.rset()
    return code


def _mailbox(services: Services) -> Finding:
    with services.database.read() as connection:
        now, looked = services.database.clock.now(connection), last_beat(connection, "imap")
    if looked is None or now - looked > IMAP_LATE:
        since = "yet" if looked is None else f"for {(now - looked) // SECOND // 60} minutes"
        remedy = "Start a worker (or `wardroom serve`); its log says if the mailbox does not let it in."
        return broken("intake", f"Nobody has looked into the IMAP mailbox {since}.", remedy)
    return well("intake", f"The IMAP mailbox was looked into {(now - looked) // SECOND} s ago.")
