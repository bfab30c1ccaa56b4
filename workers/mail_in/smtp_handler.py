"""What is answered at each command of an SMTP or LMTP session.

What is answered with 250 is committed (IN-02); what is no address of ours is refused in the session (IN-30), so that
no mail about it need ever be written. One recipient a transaction: each mail has one verdict, in LMTP too (IN-29).
"""

import asyncio
import contextvars
import ipaddress
import re
import time
from collections import OrderedDict
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any, Final

import structlog
from aiosmtpd.smtp import SMTP, Envelope, Session

from service.container import Services
from service.kernel.fault_points import reach
from service.mail import addresses, inbox
from service.mail.inbox import InboundMail, NotAccepted

log = structlog.get_logger("wardroom.listener")
THREADS: Final = 8
"""Mails that wait for the database at the same time."""
JUNK: Final = 20
"""Unknown recipients of one client within WINDOW seconds; those after it wait TARPIT seconds for a 450."""
WINDOW: Final = 600
TARPIT: Final = 2.0
CLIENTS: Final = 1024
"""Clients whose unknown recipients are counted; the one not heard of for longest is forgotten first."""
LONGEST_LINE: Final = 65_536
"""Bytes of a line that is taken: RFC 5321 says 1000, and a player whose mail is odd is to hear of it by our answer."""

STORED: Final = "250 2.0.0 Stored."
KNOWN: Final = "250 2.1.5 Known."
RECIPIENTS: Final = 20
"""Recipients of ours that one mail by SMTP may have, as a reply to all does; LMTP wants a verdict for each."""
FROM_IS_NOT_READ: Final = "Nobody reads this address: write to the Reply-To address of our newest mail instead."
ONE_RECIPIENT: Final = "452 4.5.3 One recipient at a time: send it to the others again."
NOT_NOW: Final = "451 4.3.0 It cannot be stored now: try again later."
SLOW_DOWN: Final = "450 4.7.1 Too many unknown addresses: try again later."
BARE: Final = "554 5.6.0 This mail has a bare CR or LF, which no mail may have (RFC 5321 2.3.8)."
TOO_LARGE: Final = f"552 5.3.4 {inbox.TOO_LARGE}"
LINE_TOO_LONG: Final = f"554 5.6.0 This mail has a line of more than {LONGEST_LINE} bytes: send it as plain text."
IN_OUR_WORDS: Final = {
    "552 Error: message size exceeds fixed maximum message size": TOO_LARGE,
    "552 Error: Too much mail data": TOO_LARGE,
    "500 Line too long (see RFC5321 4.5.3.1.6)": LINE_TOO_LONG,
}
"""Replies of aiosmtpd that a player may read in a bounce, and ours."""
ENHANCED: Final = {"221": "2.0.0", "250": "2.0.0", "252": "2.1.5", "500": "5.5.2", "502": "5.5.1", "503": "5.5.1"}
"""The enhanced codes (RFC 2034) of replies that aiosmtpd gives without one; 5.5.4 for those not here."""
CODES: Final = "250 ENHANCEDSTATUSCODES"
_WITHOUT: Final = re.compile(r"(2(?!20)\d\d|[45]\d\d) (?!\d\.\d+\.\d+ )(.*)", re.DOTALL)
_STRAY: Final = re.compile(rb"\r(?!\n)|(?<!\r)\n")


class Junk:
    """Counts the unknown recipients of each client, in bounded memory."""

    def __init__(self, now: Callable[[], float] = time.monotonic) -> None:
        self.now = now
        self.seen: OrderedDict[str, tuple[float, int]] = OrderedDict()

    def another(self, client: str) -> int:
        """Count one more of this client. How many that is within the window."""
        now = self.now()
        began, count = self.seen.pop(client, (now, 0))
        if now - began >= WINDOW:
            began, count = now, 0
        self.seen[client] = (began, count + 1)
        while len(self.seen) > CLIENTS:
            self.seen.popitem(last=False)
        return count + 1


class Desk:
    """The verdicts. aiosmtpd calls the methods that begin with `handle`."""

    def __init__(self, services: Services, source: str) -> None:
        self.services = services
        self.source = source  # smtp or lmtp
        self.junk = Junk()
        self.pool = ThreadPoolExecutor(THREADS, thread_name_prefix="mail-in")

    async def handle_EHLO(
        self, _server: SMTP, session: Session, _envelope: Envelope, name: str, replies: list[str]
    ) -> list[str]:
        """Say that replies have enhanced codes."""
        session.host_name = name
        return [*replies[:-1], f"250-{replies[-1][4:]}", CODES]

    async def handle_RCPT(
        self, _server: SMTP, session: Session, envelope: Envelope, recipient: str, _options: list[str]
    ) -> str:
        """Take one recipient who is known. Junk is told by its shape and MAC, without the database (IN-30)."""
        if envelope.rcpt_tos and (self.source == "lmtp" or len(envelope.rcpt_tos) >= RECIPIENTS):
            return ONE_RECIPIENT
        if recipient.casefold() == "postmaster":  # without a domain (RFC 5321 4.5.1)
            recipient = addresses.full(self.services.settings, "postmaster")
        try:
            if addresses.read(self.services.settings, recipient) is None:
                ours = recipient.casefold() == self.services.settings.mail_from.casefold()
                raise NotAccepted(550, "5.1.1", FROM_IS_NOT_READ if ours else inbox.NO_SUCH_ADDRESS)
            await self._in_thread(self._check, recipient)
        except NotAccepted as refused:
            return await self._refuse(session, recipient, refused)
        except Exception as error:  # whatever ails the database, the sender shall try again
            log.warning("recipient not checked", error=type(error).__name__)
            return NOT_NOW
        if recipient not in envelope.rcpt_tos:
            envelope.rcpt_tos.append(recipient)
        return KNOWN

    async def handle_DATA(self, _server: SMTP, session: Session, envelope: Envelope) -> str:
        """Store one mail: 250 when it is committed, 451 where the database is in trouble (IN-02)."""
        raw = bytes(envelope.original_content or b"")
        if _STRAY.search(raw):  # a second mail may hide behind it (T-54)
            log.warning("mail refused", why="a bare CR or LF", client=client_of(session))
            return BARE
        sender = (envelope.mail_from or "").strip("<>")  # aiosmtpd's null sender is <>
        trust = self._trust(session)
        mails = [InboundMail(raw, recipient, sender, self.source, trust) for recipient in envelope.rcpt_tos]
        try:
            for mail in mails:
                await self._in_thread(self._accept, mail)
        except NotAccepted as refused:
            return said(refused)
        except Exception as error:
            log.exception("mail not stored", error=type(error).__name__)
            return NOT_NOW
        return STORED

    async def _refuse(self, session: Session, recipient: str, refused: NotAccepted) -> str:
        """Say no; to a client that tries many, slowly and without a verdict. Known recipients are never held up."""
        client = client_of(session)
        count = self.junk.another(client)
        if count <= JUNK:
            log.info("recipient refused", address=addresses.mask(recipient), client=client, count=count)
            return said(refused)
        if count == JUNK + 1:
            log.warning("many unknown recipients", address=addresses.mask(recipient), client=client, count=count)
        await asyncio.sleep(TARPIT)
        return SLOW_DOWN

    def _check(self, recipient: str) -> None:
        with self.services.database.read() as connection:
            inbox.check_recipient(self.services, connection, recipient)

    def _accept(self, mail: InboundMail) -> None:
        reach("received")
        number = inbox.accept(self.services, mail)
        reach("stored")
        log.info("mail in", mail=number, source=mail.source, size=len(mail.raw))

    def _trust(self, session: Session) -> str:
        """Where no mail ever leaves the machine, only the person at it can send from it."""
        return "pass" if self.services.settings.smtp_url is None and is_loopback(client_of(session)) else ""

    async def _in_thread(self, call: Callable[..., None], *given: Any) -> None:
        await asyncio.get_running_loop().run_in_executor(self.pool, contextvars.copy_context().run, call, *given)


def said(refused: NotAccepted) -> str:
    """A refusal as one line of a reply."""
    return f"{refused.code} {refused.enhanced} {refused.text}"


def in_our_words(line: str) -> str:
    """A line of a reply with an enhanced code; all but the last of several are left as they are, and the greeting."""
    line = IN_OUR_WORDS.get(line, line)
    found = None if line == CODES else _WITHOUT.fullmatch(line)
    return f"{found[1]} {ENHANCED.get(found[1], '5.5.4')} {found[2]}" if found else line


def client_of(session: Session) -> str:
    """The address of whoever is connected."""
    peer = session.peer
    return str(peer[0]) if isinstance(peer, tuple) else ""


def is_loopback(address: str) -> bool:
    """Whether an address is of this machine alone."""
    try:
        found = ipaddress.ip_address(address)
    except ValueError:
        return False
    mapped = found.ipv4_mapped if isinstance(found, ipaddress.IPv6Address) else None
    return (mapped or found).is_loopback
