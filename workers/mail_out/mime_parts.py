"""The parts of a letter as bytes (RFC 2045, 2046, 2387): a text, the same in HTML with its pictures, files.

Written as the standard library writes them, which first makes a tree of messages, and then their lines.
"""

import base64
import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from email.quoprimime import body_encode
from typing import Final

END: Final = b"\r\n"
LINE: Final = 78
VERSION: Final = "MIME-Version: 1.0"


@dataclass(frozen=True, slots=True)
class Attached:
    """A part besides the text: inline in the HTML by its content id, or a file; its name is in plain letters."""

    maintype: str
    subtype: str
    data: bytes
    filename: str
    content_id: str = ""


@dataclass(frozen=True, slots=True)
class Part:
    """A part: its headers but those of MIME itself, and its bytes, or the parts in it, of some kind."""

    headers: Sequence[str]
    body: bytes = b""
    kind: str = ""
    parts: Sequence["Part"] = ()


def write(text: str, html: str, attached: Sequence[Attached], seed: str) -> bytes:
    """The headers of MIME and the body of a letter; what separates its parts comes from the seed."""
    images = [_attached(part, "inline") for part in attached if part.content_id]
    files = [_attached(part, "attachment") for part in attached if not part.content_id]
    letter = _text("html", html, [] if images else [VERSION])
    if images:
        letter = Part([VERSION], kind="related", parts=[letter, *images])
    both = Part([], kind="alternative", parts=[_text("plain", text, []), letter])
    whole = Part([], kind="mixed", parts=[both, *files]) if files else both
    return END.join([VERSION.encode(), *_lines(whole, boundaries(seed))])


def _text(subtype: str, content: str, headers: Sequence[str]) -> Part:
    """A text in lines that any mail server takes, quoted-printable; it ends in a line's end."""
    lines = content.encode().splitlines() or [b""]
    body = body_encode(b"".join(line + b"\n" for line in lines).decode("latin-1"), LINE)
    of = [f'Content-Type: text/{subtype}; charset="utf-8"', "Content-Transfer-Encoding: quoted-printable", *headers]
    return Part(of, body.encode().replace(b"\n", END))


def _attached(part: Attached, disposition: str) -> Part:
    charset = '; charset="utf-8"' if part.maintype == "text" else ""
    named = [f"Content-ID: <{part.content_id}>"] if part.content_id else []
    return Part(
        [
            f"Content-Type: {part.maintype}/{part.subtype}{charset}",
            "Content-Transfer-Encoding: base64",
            f'Content-Disposition: {disposition}; filename="{part.filename}"',
            *named,
            VERSION,
        ],
        base64.encodebytes(part.data).replace(b"\n", END),
    )


def boundaries(seed: str) -> Iterator[str]:
    """What separates the parts of a letter, from the outermost inwards."""
    number = 0
    while True:
        yield "=_" + hashlib.sha256(f"{seed}{number or ''}".encode()).hexdigest()[:32]
        number += 1


def _lines(part: Part, left: Iterator[str]) -> Iterator[bytes]:
    """A part in pieces between which a line ends."""
    if not part.parts:
        yield from (header.encode() for header in part.headers)
        yield b""
        yield part.body
        return
    boundary = next(left)
    opening = f"Content-Type: multipart/{part.kind};"
    fits = len(opening) + len(f' boundary="{boundary}"') <= LINE
    yield from (header.encode() for header in part.headers)
    yield f'{opening}{" " if fits else END.decode() + " "}boundary="{boundary}"'.encode()
    yield b""
    for inner in part.parts:
        yield f"--{boundary}".encode()
        yield from _lines(inner, left)
    yield f"--{boundary}--".encode()
    yield b""
