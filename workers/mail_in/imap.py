"""Mail comes in from an IMAP mailbox that is looked into every minute, where no mail server can bring it.

A mail is stored first and marked as seen afterwards (T-53). A crash in between brings it again: the second is settled
as a duplicate by its Message-ID and text (IN-17). A mail for none of our addresses is marked and counted, and never
answered (IN-30). Of a mail that is too large the headers are stored, so that its player hears of it (IN-01).
"""

import contextlib
import imaplib
import re
import ssl
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from email.message import Message
from email.parser import BytesHeaderParser
from email.policy import compat32
from itertools import islice
from typing import Any, Final

import structlog
from imap_tools import BaseMailBox, ImapToolsError, MailBox, MailBoxUnencrypted

from config.readers import ImapServer
from service.container import Services
from service.kernel.clock import SECOND
from service.kernel.fault_points import reach
from service.mail import addresses, inbox
from service.mail.inbox import InboundMail, NotAccepted
from service.store.errors import DatabaseError, DataError, IntegrityError
from service.store.running.heartbeats import beat, last_beat
from workers.loop import Loop
from workers.mail_in.sources import HEADERS_ONLY

log = structlog.get_logger("wardroom.imap")
BEAT: Final = "imap"
"""The heartbeat: when the last complete look began, so whatever was in the mailbox by then is with us (IN-20)."""
EVERY: Final = 60
"""Seconds between two looks."""
TIMEOUT: Final = 20
"""Seconds to wait for the mailbox's answer to a command."""
UNSURE: Final = 3600 * SECOND
"""How far back a mail may have come in where no look was complete yet."""
MOST_ROUNDS: Final = 5
"""Rounds in which one mail may fail; in the next it is left, marked as seen and flagged, for the operator."""
MOST_FAILING: Final = 1000
"""Failing mails that are counted at the same time; the others' turn comes when these are done with."""
HEADERS: Final = 262_144
"""Bytes of headers in which a recipient is looked for, and of those kept of a mail that is too large."""
LEFT_OUT: Final = b"The text of this mail was left out: it is too large.\r\n"
RECIPIENTS: Final = 200
"""Addresses in them that are looked at (IN-01)."""
DELIVERED: Final = ("X-Gm-Original-To", "Delivered-To", "X-Original-To", "Envelope-To")
"""What mail servers write when they deliver, in the order in which it is believed (IN-03)."""
WRITTEN: Final = ("Resent-To", "Resent-Cc", "To", "Cc")
"""What the sender wrote."""
_ADDRESS: Final = re.compile(r"[^\s<>()\[\],;:\"\\@]{1,128}@[^\s<>()\[\],;:\"\\@]{1,253}")
_SIZE: Final = re.compile(rb"RFC822\.SIZE (\d{1,18})")


class Away(Exception):
    """The mailbox does not answer as it should: look again later."""


Failing = dict[str, int]
"""In how many rounds each mail failed, by its UID."""
_failing: Final[Failing] = {}
"""Those of this process, whose mailbox is one."""


@dataclass(slots=True)
class Round:
    """One look: what it goes by, and what it counts."""

    services: Services
    mailbox: BaseMailBox
    since: int  # no mail it finds came in before this
    failing: Failing
    tally: Counter[str] = field(default_factory=Counter)


def look(
    services: Services,
    server: ImapServer,
    *,
    seconds: float = 40.0,
    failing: Failing | None = None,
) -> int:
    """Fetch what is unseen, for so many seconds. How many mails were stored; a mailbox that is away is one log line.

    `failing` is kept from look to look.
    """
    with services.database.read() as connection:
        began = services.database.clock.now(connection)
        looked = last_beat(connection, BEAT)
    since = began - UNSURE if looked is None else looked
    tally: Counter[str] = Counter()
    try:
        with _log_in(server) as mailbox:
            this = Round(services, mailbox, since, {} if failing is None else failing, tally)
            complete = _fetch(this, time.monotonic() + seconds)
    except (Away, ImapToolsError, imaplib.IMAP4.error, OSError) as error:
        log.warning("mailbox away", error=type(error).__name__)
        complete = False
    if tally:
        log.info("mail fetched", **tally)
    if complete:
        with services.database.write() as tx:
            beat(services.database, tx, BEAT, began)
    return tally["stored"] + tally["too_large"]


def look_if_due(services: Services, patience: float = EVERY) -> int:
    """Look, where mail comes in by IMAP and no complete look began within so many seconds."""
    server = services.settings.imap_url
    if server is None:
        return 0
    with services.database.read() as connection:
        looked = last_beat(connection, BEAT)
        if looked is not None and services.database.clock.now(connection) - looked < patience * SECOND:
            return 0
    return look(services, server, failing=_failing)


def poller(services: Services, patience: float = EVERY) -> Loop:
    """A thread that looks every minute where nobody else did so for `patience` seconds, if there is a mailbox."""
    enabled = services.settings.imap_url is not None
    return Loop("imap", lambda: look_if_due(services, patience), EVERY, enabled=enabled)


@contextlib.contextmanager
def _log_in(server: ImapServer) -> Iterator[BaseMailBox]:
    """The folder of the mailbox: by TLS with a certificate that is checked, else with STARTTLS where it is offered."""
    mailbox: BaseMailBox
    if server.tls:
        mailbox = MailBox(server.host, server.port, TIMEOUT, ssl_context=ssl.create_default_context())
    else:
        mailbox = MailBoxUnencrypted(server.host, server.port, TIMEOUT)
    try:
        if not server.tls and "STARTTLS" in mailbox.client.capabilities:
            mailbox.client.starttls()
        login = mailbox.login if f"{server.user}{server.password}".isascii() else mailbox.login_utf8
        login(server.user, server.password, initial_folder=server.folder)
        yield mailbox
    finally:
        with contextlib.suppress(ImapToolsError, imaplib.IMAP4.error, OSError):
            mailbox.logout()
        with contextlib.suppress(OSError):
            mailbox.client.shutdown()


def _fetch(this: Round, end: float) -> bool:
    """Bring in what is unseen, oldest first. Whether nothing of it is left behind that may still come (IN-20)."""
    complete = True
    uids = sorted(this.mailbox.uids("UNSEEN", charset=None), key=int)
    for gone in this.failing.keys() - set(uids):
        del this.failing[gone]
    for uid in uids:
        if time.monotonic() > end:
            return False
        if this.failing.get(uid, 0) >= MOST_ROUNDS:
            _give_up(this, uid)
            continue
        try:
            this.tally[_take(this, uid)] += 1
        except (Away, imaplib.IMAP4.error, OSError):
            _count(this.failing, uid)
            raise
        except Exception as error:  # it stays unseen, and is no obstacle to the others
            log.exception("mail not stored", error=type(error).__name__)
            if not _is_trouble(error):
                _count(this.failing, uid)
            complete = False
            continue
        _mark(this.mailbox, uid, r"(\Seen)")
        reach("seen")
    return complete


def _count(failing: Failing, uid: str) -> None:
    if uid in failing or len(failing) < MOST_FAILING:
        failing[uid] = failing.get(uid, 0) + 1


def _is_trouble(error: Exception) -> bool:
    """Whether it is the database that ails, and not the mail: then no mail is ever given up (IN-02)."""
    return isinstance(error, DatabaseError) and not isinstance(error, DataError | IntegrityError)


def _give_up(this: Round, uid: str) -> None:
    """Leave a mail that fails in every round, or no deadline would ever be decided. Unseen again, it is tried again."""
    _mark(this.mailbox, uid, r"(\Seen \Flagged)")
    del this.failing[uid]
    this.tally["given_up"] += 1
    log.error("a mail could not be stored: it is left in the mailbox, flagged", uid=uid, rounds=MOST_ROUNDS)


def _mark(mailbox: BaseMailBox, uid: str, flags: str) -> None:
    _data_of(mailbox.client.uid("STORE", uid, "+FLAGS.SILENT", flags))


def _take(this: Round, uid: str) -> str:
    """Store one mail, whose size is asked for before it is fetched. What became of it: a word to count."""
    client = this.mailbox.client
    about = _flat(_data_of(client.uid("FETCH", uid, "(RFC822.SIZE INTERNALDATE)")))
    size = _SIZE.search(about)
    if size is None:
        raise LookupError("the mailbox does not say how large it is")
    whole = int(size[1]) <= inbox.LARGEST
    wanted = "(BODY.PEEK[])" if whole else f"(BODY.PEEK[HEADER]<0.{HEADERS}>)"
    parts = _data_of(client.uid("FETCH", uid, wanted))
    raw = next((bytes(part[1]) for part in parts if isinstance(part, tuple)), None)
    if raw is None:
        raise LookupError("the mailbox does not hand it over")
    headers, outcome, came = headers_of(raw), "for_nobody", _came(this, about)
    if not whole:
        raw = raw.rstrip(b"\r\n") + b"\r\n\r\n" + LEFT_OUT
    for recipient in recipients_of(this.services, headers):
        mail = InboundMail(raw, recipient, sender_of(headers), "imap" if whole else HEADERS_ONLY, received_at=came)
        with contextlib.suppress(NotAccepted):
            inbox.accept(this.services, mail)
            reach("stored")
            outcome = "stored" if whole else "too_large"
    return outcome


def _came(this: Round, about: bytes) -> int | None:
    """When the mailbox got a mail, by the server's INTERNALDATE (RFC 3501 2.3.3), never by what the mail says (IN-19).

    Not before the last complete look, which would have found it, nor later than now. None where the server does not
    tell.
    """
    try:
        told = imaplib.Internaldate2tuple(about)
        came = None if told is None else int(time.mktime(told)) * SECOND
    except (KeyError, ValueError, OverflowError, OSError):
        came = None
    return None if came is None else max(this.since, came)


def headers_of(raw: bytes) -> Message:
    """The headers of a mail, as far as they can be read."""
    head = re.split(rb"\r?\n\r?\n", raw[:HEADERS], maxsplit=1)[0]
    return BytesHeaderParser(policy=compat32).parsebytes(head + b"\r\n\r\n")


def recipients_of(services: Services, headers: Message) -> list[str]:
    """Our address the mail was delivered to; where no server wrote it down, all of ours it was written to (IN-03).

    Those may be of two games: then both hold it, as if it had come twice by SMTP (IN-29).
    """
    return _ours(services, headers, DELIVERED)[:1] or _ours(services, headers, WRITTEN)


def sender_of(headers: Message) -> str:
    """The sender of the envelope, which the last mail server wrote down: "" for the null sender; else who wrote."""
    for name in ("Return-Path", "Sender", "From"):
        for text in _texts(headers, name):
            return next(_named(text), "")
    return ""


def _ours(services: Services, headers: Message, names: Sequence[str]) -> list[str]:
    named = (found for name in names for text in _texts(headers, name) for found in _named(text))
    return [
        found
        for found in dict.fromkeys(islice(named, RECIPIENTS))
        if addresses.read(services.settings, found) is not None
    ]


def _texts(headers: Message, name: str) -> list[str]:
    """What headers of this name say; nothing where they cannot be read (IN-04)."""
    try:
        return [str(value) for value in headers.get_all(name, [])]
    except Exception:
        return []


def _named(text: str) -> Iterator[str]:
    return (found[0] for found in _ADDRESS.finditer(text))


def _data_of(answer: tuple[str, list[Any]]) -> list[Any]:
    """The data of an answer. Raises Away unless it is OK."""
    status, data = answer
    if status != "OK":
        raise Away(status)
    return data


def _flat(parts: list[Any]) -> bytes:
    return b" ".join(part[0] if isinstance(part, tuple) else part for part in parts if part)
