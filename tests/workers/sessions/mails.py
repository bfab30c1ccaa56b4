"""Raw mails, as mail programs and robots write them: every byte is chosen here."""

from collections.abc import Callable, Sequence
from email.message import EmailMessage
from email.utils import format_datetime
from functools import cache

from service.kernel.clock import moment
from tests.letters import parsed, text_of
from tests.tables import MX, Tables
from workers.mail_out.letter import Letter

PLAIN = 'text/plain; charset="utf-8"'
Body = bytes | Callable[[Letter], bytes]


@cache
def opened(letter: Letter) -> EmailMessage:
    """A letter, parsed once."""
    return parsed(letter)


def answered_at(letter: Letter) -> str:
    """Where a letter asks to be answered."""
    return str(opened(letter)["Reply-To"].addresses[0].addr_spec)


def raw_mail(
    mail_tables: Tables,
    letter: Letter,
    text: str = "",
    *,
    who: str = "ann",
    sender: str | None = None,
    to: str | None = None,
    auth: str | None = "dmarc=pass",
    subject: str | None = None,
    kind: str = PLAIN,
    body: Body | None = None,
    encoding: str = "8bit",
    quote: int = 3,
    message_id: str = "",
    headers: Sequence[str] = (),
    before: Sequence[str] = (),
) -> bytes:
    """An answer to a letter: the headers, then `text` over the first lines of the letter, or a whole `body`.

    `sender` is the From header, `auth` what our mail server found, `before` stands above it.
    """
    address = f"{who}@people.example"
    found = sender if sender is not None else f"{who.capitalize()} <{address}>"
    lines = list(before)
    if auth is not None:
        domain = found.rpartition("@")[2].rstrip(">") or "people.example"
        lines.append(f"Authentication-Results: {MX}; {auth} header.from={domain}")
    if found:
        lines.append(f"From: {found}")
    lines += [
        f"To: {to or f'<{answered_at(letter)}>'}",
        f"Subject: {subject if subject is not None else 'Re: ' + ' '.join(str(opened(letter)['Subject']).split())}",
        f"Date: {format_datetime(moment(mail_tables.clock.now()))}",
        f"Message-ID: {message_id or f'<m{mail_tables.sent}@people.example>'}",
        f"In-Reply-To: {letter.message_id}",
        *headers,
        "MIME-Version: 1.0",
        f"Content-Type: {kind}",
        f"Content-Transfer-Encoding: {encoding}",
    ]
    if body is None:
        body = (text + quotation(letter, quote)).encode().replace(b"\n", b"\r\n")
    elif not isinstance(body, bytes):
        body = body(letter)
    return "\r\n".join(lines).encode() + b"\r\n\r\n" + body + b"\r\n"


def quotation(letter: Letter, lines: int) -> str:
    """The first lines of our letter as a mail program quotes them; nothing for none."""
    if not lines:
        return ""
    quoted = [f"> {line}".rstrip() for line in text_of(letter).splitlines()[:lines]]
    return "\n".join(["", "", "On Tue, 4 Mar 2031 at 12:00, Tammany Hall <game@play.example> wrote:", *quoted])


def parts(boundary: str, *of: tuple[str, str]) -> bytes:
    """The body of a multipart: (headers, text) each."""
    lines = []
    for headers, text in of:
        lines += [f"--{boundary}", *headers.split("\n"), "", *text.split("\n")]
    return "\r\n".join([*lines, f"--{boundary}--"]).encode()


def report(letter: Letter) -> bytes:
    """A bounce of a letter, for a mailbox there is not (RFC 3464)."""
    return parts(
        "dsn",
        ("Content-Type: text/plain", "Your message could not be delivered."),
        (
            "Content-Type: message/delivery-status",
            f"Reporting-MTA: dns; mx.people.example\n\nFinal-Recipient: rfc822; {letter.to}\nAction: failed\n"
            "Status: 5.1.1\nDiagnostic-Code: smtp; 550 5.1.1 no such mailbox",
        ),
        ("Content-Type: text/rfc822-headers", f"Message-ID: {letter.message_id}"),
    )
