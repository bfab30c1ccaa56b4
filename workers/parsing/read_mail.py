"""One incoming mail, read: facts about it and the text in it. Nothing here believes or executes anything."""

import traceback
from pathlib import Path

import msgspec

from service.mail.authentication import AuthenticationResult, authentication_result
from workers.parsing import automatic, cms, flowed, html, limits, mime, openpgp
from workers.parsing.addresses import addresses
from workers.parsing.fields import ids, printable, words
from workers.parsing.limits import Poison, poison
from workers.parsing.mime import Part
from workers.parsing.reports import Report, report

DELIVERED = (
    "x-original-to",
    "x-gm-original-to",
    "delivered-to",
    "x-delivered-to",
    "envelope-to",
    "x-envelope-to",
    "x-rcpt-to",
    "resent-to",
    "resent-cc",
)
"""Headers that tell the envelope's recipient, the surest first (IN-03). Only for mail fetched from a mailbox."""
SIGNING = frozenset({"application/pgp-signature", "application/pkcs7-signature", "application/x-pkcs7-signature"})
ENVELOPES = frozenset({"application/pkcs7-mime", "application/x-pkcs7-mime"})
MAX_RESULTS = 20


class Reading(msgspec.Struct, frozen=True):
    """What an incoming mail says.

    `from_addresses` is empty for an empty From and for a group (IN-28); `author` is what its author calls themselves.
    `automatic` is "" or the reason: own, loop, auto-submitted, report, null-sender, precedence, list, auto-reply,
    robot, calendar, reaction. `text` is the plain body, `html_text` the HTML body as text; line ends are line feeds.
    """

    from_addresses: list[str]
    from_headers: int
    author: str
    sender: str
    recipients: list[str]
    delivered_to: list[str]
    message_id: str
    references: list[str]
    subject: str
    date: str
    automatic: str
    away_hint: bool
    report: Report | None
    authentication: list[AuthenticationResult]
    text: str
    html_text: str
    attachments: list[str]
    encrypted: bool
    signed: bool
    size: int

    @property
    def body(self) -> str:
        """The text that counts: the plain one, or the HTML one where the plain one is blank (IN-06)."""
        return self.text if self.text.strip() else self.html_text


class Bodies(msgspec.Struct, frozen=True):
    """The text bodies of a mail, and whether one wears an OpenPGP armour."""

    text: str
    html_text: str
    encrypted: bool = False
    signed: bool = False


def read(raw: bytes, domain: str) -> Reading:
    """Read one mail; `domain` is ours, to know our own mail by (IN-23).

    Raises Poison, and nothing else whatever the bytes are (IN-04).
    """
    try:
        return _read(raw, domain)
    except Poison as over:
        raise poison(over.limit, automatic_by_headers(raw, domain)) from None
    except MemoryError:
        raise poison("memory", automatic_by_headers(raw, domain)) from None
    except Exception as error:
        raise poison("crash", automatic_by_headers(raw, domain), _where(error)) from error


def automatic_by_headers(raw: bytes, domain: str) -> str:
    """Why a mail is automatic, by its first headers alone: cheap and safe where it cannot be read whole."""
    try:
        return automatic.by_headers(mime.headers(raw), domain)
    except Exception:
        return ""


def _where(error: Exception) -> str:
    """Where reading failed, without a word of the mail."""
    frames = traceback.extract_tb(error.__traceback__)
    return f"{type(error).__name__} in {Path(frames[-1].filename).name}:{frames[-1].lineno}" if frames else ""


def _read(raw: bytes, domain: str) -> Reading:
    outer = mime.parse(raw)
    root = _content(outer)
    senders = [addresses(value) for value in outer.all("from")]
    recipients = [each for name in ("to", "cc") for value in outer.all(name) for each in addresses(value).specs]
    if len(recipients) > limits.RECIPIENTS:
        raise poison("recipients")
    subject = printable(words(outer.header("subject")), 200)
    bodies = _bodies(root)
    seen = bodies.text if bodies.text.strip() else bodies.html_text
    reason = automatic.by_headers(outer.headers, domain) or automatic.by_parts(root)
    mark = ids(outer.all("message-id")[:1])
    sender = addresses(outer.header("sender")).specs
    authors = [spec for each in senders for spec in each.specs]
    return Reading(
        from_addresses=[] if any(each.grouped for each in senders) else authors,
        from_headers=len(senders),
        author=printable(words(outer.header("from").rpartition("<")[0]), 100).strip('" '),
        sender=sender[0] if sender else "",
        recipients=recipients,
        delivered_to=_delivered(outer),
        message_id=mark[0] if mark else "",
        references=ids([*outer.all("references"), *outer.all("in-reply-to")]),
        subject=subject,
        date=printable(outer.header("date"), 100),
        automatic=reason or ("reaction" if automatic.is_reaction(seen) else ""),
        away_hint=automatic.away_hint(subject),
        report=report(root),
        authentication=[authentication_result(each) for each in outer.all("authentication-results")[:MAX_RESULTS]],
        text=bodies.text,
        html_text=bodies.html_text,
        attachments=_attachments(root),
        encrypted=bodies.encrypted or _is_encrypted(root),
        signed=bodies.signed or root is not outer or any(part.kind == "multipart/signed" for part in root.walk()),
        size=len(raw),
    )


def _delivered(root: Part) -> list[str]:
    found = [each for name in DELIVERED for value in root.all(name) for each in addresses(value).specs]
    return list(dict.fromkeys(found))[: limits.RECIPIENTS]


def _content(root: Part) -> Part:
    """The mail inside an opaque S/MIME signature (IN-27), or the mail itself."""
    if root.kind not in ENVELOPES or root.parameters.get("smime-type", "signed-data").lower() != "signed-data":
        return root
    try:
        return mime.parse(cms.content(root.decoded()))
    except cms.NotReadable:
        return root


def _is_encrypted(root: Part) -> bool:
    return any(part.kind == "multipart/encrypted" or part.kind in ENVELOPES for part in root.walk())


def _bodies(root: Part) -> Bodies:
    """The text of a mail: plain and HTML, both of the first part that says anything (IN-06). Raises Poison."""
    plain, rich = _chosen(root)
    text = _plain_text(plain) if plain else ""
    encrypted, signed = openpgp.is_encrypted(text), openpgp.is_signed(text)
    text = _within_limits(openpgp.bare(text))
    if plain and plain.parameters.get("format", "").lower() == "flowed":
        text = flowed.unflow(text, delsp=plain.parameters.get("delsp", "").lower() == "yes")
    return Bodies(text, _rich_text(rich, alone=not text.strip()) if rich else "", encrypted, signed)


def _plain_text(part: Part) -> str:
    """The text of a part. One far too long is refused before it is decoded (T-57)."""
    if len(part.body) > 8 * limits.TEXT:
        raise poison("text")
    return part.text()


def _rich_text(part: Part, *, alone: bool) -> str:
    """HTML as text. Where plain text says it already, what is beyond the limits is cut and not refused."""
    source = part.text()
    whole = html.cut(source)
    if alone and len(whole) < len(source):
        raise poison("text")
    text = html.to_text(whole)
    if alone:
        return _within_limits(text)
    return "\n".join(text[: limits.TEXT].split("\n")[: limits.LINES]).rstrip()


def _within_limits(text: str) -> str:
    text = text.rstrip()
    if len(text) > limits.TEXT:
        raise poison("text")
    if text.count("\n") >= limits.LINES:
        raise poison("lines")
    return text


def _chosen(root: Part) -> tuple[Part | None, Part | None]:
    """The plain and the HTML part to read. HTML that stands apart from the plain text is still compared with it."""
    plain, rich = _first_said(root)
    if plain and not rich:
        rich = next((part for part in root.walk() if part.kind == "text/html" and not _is_attached(part)), None)
    return plain, rich


def _first_said(part: Part) -> tuple[Part | None, Part | None]:
    """The first plain and HTML parts that are one text: alternatives of one another, or alone."""
    if _is_attached(part):
        return None, None
    if part.kind == "text/plain":
        return part, None
    if part.kind == "text/html":
        return None, part
    found = [_first_said(child) for child in part.children]
    if part.kind == "multipart/alternative":
        plain = next((each for each, _ in found if each), None)
        rich = next((each for _, each in reversed(found) if each), None)
        return plain, rich
    said = [each for each in found if any(each)]
    return next((each for each in said if not _is_blank(each)), said[0] if said else (None, None))


def _is_blank(found: tuple[Part | None, Part | None]) -> bool:
    """Whether a plain part says nothing, so that the next one is looked at; HTML is taken to say something."""
    plain, rich = found
    return rich is None and plain is not None and not plain.decoded().strip()


def _is_attached(part: Part) -> bool:
    return part.disposition == "attachment" or (bool(part.name) and not part.children and part.kind != "text/html")


def _attachments(root: Part) -> list[str]:
    """The names of what was attached (IN-25); its kind for what has no name. Pictures within the text do not count."""
    plain, rich = _chosen(root)
    found = []
    for part in root.walk():
        skipped = part is plain or part is rich or part.kind in SIGNING or part.kind in ENVELOPES
        shown_within = bool(part.header("content-id")) and part.disposition != "attachment"
        if part.children or part.kind.startswith("multipart/") or skipped or (shown_within and part is not root):
            continue
        if _is_attached(part) or not part.kind.startswith("text/") or part.kind == "text/calendar":
            found.append(part.name or printable(part.kind, 80))
    return found
