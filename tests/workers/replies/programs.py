"""What mail programs make of a reply: its plain text, its HTML, our mail quoted below or above it."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from html import escape
from typing import Final

CODE: Final = "k7x2"
OURS: Final = "Wardroom <game@in.wardroom.example>"


@dataclass(frozen=True)
class Tongue:
    """What mail programs say in a language."""

    wrote: str
    labels: tuple[str, str, str, str]
    phone: str
    samsung: str
    forwarded: str


TONGUES: Final[Mapping[str, Tongue]] = {
    "en": Tongue(
        "On Tue, 4 Mar 2031 at 12:00, {who} wrote:", ("From", "Sent", "To", "Subject"), "Sent from my iPhone",
        "Sent from my Galaxy", "Get Outlook for iOS<https://aka.ms/o0ukef>",
    ),
    "de": Tongue(
        "Am Di., 4. März 2031 um 12:00 Uhr schrieb {who}:", ("Von", "Gesendet", "An", "Betreff"),
        "Von meinem iPhone gesendet", "Von meinem Galaxy gesendet", "Outlook für iOS beziehen<https://aka.ms/o0ukef>",
    ),
    "fr": Tongue(
        "Le mar. 4 mars 2031 à 12:00, {who} a écrit :", ("De", "Envoyé", "À", "Objet"), "Envoyé de mon iPhone",
        "Envoyé depuis mon appareil Galaxy", "Obtenez Outlook pour iOS<https://aka.ms/o0ukef>",
    ),
}  # fmt: skip


@dataclass(frozen=True)
class Draft:
    """A reply as it was typed, the mail it answers, and the language of the program."""

    text: str
    letter: str
    tongue: Tongue

    @property
    def wrote(self) -> str:
        return self.tongue.wrote.format(who=OURS)

    @property
    def quoted(self) -> str:
        return "\n".join(f"> {line}".rstrip() for line in self.letter.split("\n"))

    @property
    def headers(self) -> str:
        """The block of headers that Outlook puts above the mail it answers."""
        values = (OURS, "Dienstag, 4. März 2031 12:00", "Alice <alice@people.example>", "[Tammany #1234] Alice, Bob")
        return "\n".join(f"{label}: {value}" for label, value in zip(self.tongue.labels, values, strict=True))

    @property
    def old(self) -> str:
        """The mail that is answered, as HTML."""
        return "".join(f"<p>{escape(line)}</p>" for line in self.letter.split("\n") if line)


def plain(draft: Draft) -> bytes:
    return _text(f"{draft.text}\n")


def mutt(draft: Draft) -> bytes:
    return _text(f"{draft.text}\n\n{draft.wrote}\n{draft.quoted}\n")


def below_the_quotation(draft: Draft) -> bytes:
    return _text(f"{draft.wrote}\n{draft.quoted}\n\n{draft.text}\n")


def gmail(draft: Draft) -> bytes:
    lines = "".join(f"<div>{_html(line) or '<br>'}</div>" for line in draft.text.split("\n"))
    html = (
        f'<div dir="ltr">{lines}</div><br><div class="gmail_quote"><div dir="ltr" class="gmail_attr">'
        f'{escape(draft.wrote)}<br></div><blockquote class="gmail_quote" style="border-left:1px solid">{draft.old}'
        "</blockquote></div>"
    )
    return _both(f"{draft.text}\n\n{draft.wrote}\n\n{draft.quoted}\n", html)


def gmail_on_a_phone(draft: Draft) -> bytes:
    """HTML alone."""
    lines = "".join(f'<div dir="auto">{_html(line) or "<br>"}</div>' for line in draft.text.split("\n"))
    return _rich(
        f'{lines}<br><div class="gmail_quote"><div dir="ltr" class="gmail_attr">{escape(draft.wrote)}<br></div>'
        f'<blockquote class="gmail_quote">{draft.old}</blockquote></div>'
    )


def outlook(draft: Draft) -> bytes:
    """A paragraph a line; the plain text has an empty line between any two."""
    lines = "".join(
        f"<p class=MsoNormal>{_html(line) or '<o:p>&nbsp;</o:p>'}<o:p></o:p></p>" for line in draft.text.split("\n")
    )
    html = (
        f"<html><body><div class=WordSection1>{lines}<p class=MsoNormal><o:p>&nbsp;</o:p></p><div style='border:none;"
        f"border-top:solid #E1E1E1 1.0pt'><p class=MsoNormal>{_html(draft.headers)}</p></div>{draft.old}</div>"
        "</body></html>"
    )
    spaced = "\n\n".join(line or " " for line in draft.text.split("\n"))
    return _both(f"{spaced}\n\n \n\n{draft.headers}\n\n{draft.letter}\n", html)


def outlook_on_a_phone(draft: Draft) -> bytes:
    lines = "".join(f'<div dir="auto">{_html(line) or "<br>"}</div>' for line in draft.text.split("\n"))
    html = (
        f'<html><body>{lines}<div id="ms-outlook-mobile-signature"><br>{escape(draft.tongue.forwarded)}</div>'
        f'<hr style="display:inline-block;width:98%"><div id="divRplyFwdMsg">{_html(draft.headers)}</div>{draft.old}'
        "</body></html>"
    )
    rule = "_" * 32
    return _both(f"{draft.text}\n\n{draft.tongue.forwarded}\n{rule}\n{draft.headers}\n\n{draft.letter}\n", html)


def apple_mail(draft: Draft) -> bytes:
    html = (
        '<html><body style="overflow-wrap: break-word;">'
        + "<br>".join(map(_html, draft.text.split("\n")))
        + f'<br><div><br><blockquote type="cite"><div>{escape(draft.wrote)}</div><br>{draft.old}</blockquote></div>'
        + "</body></html>"
    )
    return _both(f"{draft.text}\n\n> {draft.wrote}\n> \n{draft.quoted}\n", html)


def iphone(draft: Draft) -> bytes:
    return _text(f"{draft.text}\n\n{draft.tongue.phone}\n\n> {draft.wrote}\n> \n{draft.quoted}\n")


def samsung(draft: Draft) -> bytes:
    old = f"-------- Original message --------\n{draft.headers}\n\n{draft.letter}"
    lines = "".join(f'<div dir="auto">{_html(line) or "<br>"}</div>' for line in draft.text.split("\n"))
    html = (
        f'{lines}<div><br></div><div id="composer_signature"><div dir="auto">{draft.tongue.samsung}</div></div>'
        f"<div>-------- Original message --------</div><div>{_html(draft.headers)}</div>{draft.old}"
    )
    return _both(f"{draft.text}\n\n{draft.tongue.samsung}\n\n{old}\n", html)


def thunderbird(draft: Draft) -> bytes:
    """Paragraphs, with an empty line between any two in the plain text, which is flowed."""
    lines = "".join(f"<p>{_html(line)}</p>" for line in draft.text.split("\n") if line.strip())
    html = (
        f'<html><body>{lines}<div class="moz-cite-prefix">{escape(draft.wrote)}<br></div>'
        f'<blockquote type="cite" cite="mid:1@x">{draft.old}</blockquote></body></html>'
    )
    spaced = "\n\n".join(line for line in draft.text.split("\n") if line.strip())
    return _both(f"{spaced}\n\n{draft.wrote}\n{draft.quoted}\n", html, flowed=True)


def thunderbird_below(draft: Draft) -> bytes:
    return _text(
        f"{draft.wrote}\n{draft.quoted}\n\n{draft.text}\n\n-- \nAlice Liddell\nTel. 030 1234567\n", flowed=True
    )


PROGRAMS: Final[tuple[Callable[[Draft], bytes], ...]] = (
    plain, mutt, gmail, iphone, outlook, apple_mail, thunderbird, gmail_on_a_phone, below_the_quotation,
    outlook_on_a_phone, samsung, thunderbird_below,
)  # fmt: skip
HEAD: Final = (
    "From: Alice Liddell <alice@people.example>\nTo: <mv-1@in.wardroom.example>\nSubject: Re: [Tammany #1234]\n"
    "Message-ID: <1@people.example>\nMIME-Version: 1.0\n"
)


def _html(text: str) -> str:
    return escape(text).replace("\n", "<br>")


def _text(text: str, *, flowed: bool = False) -> bytes:
    return f"{HEAD}Content-Type: text/plain; charset=utf-8{'; format=flowed' if flowed else ''}\n\n{text}".encode()


def _rich(html: str) -> bytes:
    return f"{HEAD}Content-Type: text/html; charset=utf-8\n\n{html}".encode()


def _both(text: str, html: str, *, flowed: bool = False) -> bytes:
    kind = f"text/plain; charset=utf-8{'; format=flowed' if flowed else ''}"
    return (
        f"{HEAD}Content-Type: multipart/alternative; boundary=b\n\n--b\nContent-Type: {kind}\n\n{text}\n--b\n"
        f"Content-Type: text/html; charset=utf-8\n\n{html}\n--b--\n"
    ).encode()
