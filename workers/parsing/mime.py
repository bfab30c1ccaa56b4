"""The parts of a mail (RFC 2045, RFC 2046), by a splitter of our own.

The standard parser, tried once more behind a cap on parts, fails on 1,000 multiparts within one another (T-58), and
ends the headers at the first line that is no field, so that a second From can hide behind it (IN-28). This one searches
for boundaries on bytes, opens no attached mail, and stops at the first part too many.
"""

import binascii
import re
from dataclasses import dataclass, field
from typing import Final

from workers.parsing import charsets, limits
from workers.parsing.fields import Fields, base64, fields, parameters, printable, words
from workers.parsing.limits import poison

MAX_BOUNDARY: Final = 200
PADDED_BREAK: Final = re.compile(rb"=[ \t]+(?:\n|\Z)")
"""A soft line break with padding that a relay added behind it (RFC 2045 6.7 (3))."""


@dataclass(slots=True)
class Part:
    """One part: its headers, what they say of it, and its body or its parts."""

    headers: Fields
    body: bytes
    kind: str
    parameters: dict[str, str]
    disposition: str
    name: str
    children: list["Part"] = field(default_factory=list)

    def header(self, name: str) -> str:
        """The first header of a name, "" if there is none."""
        return next((value for each, value in self.headers if each == name), "")

    def all(self, name: str) -> list[str]:
        """All headers of a name, top first."""
        return [value for each, value in self.headers if each == name]

    def decoded(self) -> bytes:
        """The body without its transfer encoding; as it stands where the encoding is unknown."""
        match self.header("content-transfer-encoding").strip(" \"'").lower():
            case "base64":
                return base64(self.body)
            case "quoted-printable":
                return binascii.a2b_qp(PADDED_BREAK.sub(b"=\n", self.body))
            case _:
                return self.body

    def text(self) -> str:
        """The body as text (IN-05)."""
        return charsets.decode(self.decoded(), self.parameters.get("charset", ""))

    def walk(self) -> list["Part"]:
        """This part and all within it, in the order of the mail."""
        return [self, *(each for child in self.children for each in child.walk())]


def parse(raw: bytes) -> Part:
    """The parts of a mail. Raises Poison where it has too many, too deep, or with too long headers."""
    if len(raw) > limits.RAW:
        raise poison("size")
    return _Parser().part(_lines(raw), 1, "text/plain")


def headers(raw: bytes) -> Fields:
    """The headers of a mail alone, as many as there is room for: for mails that cannot be read whole."""
    return fields(_split_head(_lines(raw[: limits.HEADERS]))[0])


class _Parser:
    """One mail being split; counts its parts."""

    def __init__(self) -> None:
        self.parts = 0

    def part(self, data: bytes, depth: int, usual: str) -> Part:
        self.parts += 1
        if self.parts > limits.PARTS:
            raise poison("parts")
        if depth > limits.DEPTH + 1:
            raise poison("depth")
        head, body = _split_head(data)
        if len(head) > limits.HEADERS:
            raise poison("headers")
        found = fields(head)
        if head and not found:
            body = data
        part = _described(found, body, usual)
        if part.kind.startswith("multipart/"):
            usual = "message/rfc822" if part.kind == "multipart/digest" else "text/plain"
            boundary = part.parameters.get("boundary", "").rstrip().encode("utf-8", "replace")
            if 0 < len(boundary) <= MAX_BOUNDARY:
                part.children = self.children(body, b"\n--" + boundary, depth, usual)
            part.body = b""
        return part

    def children(self, body: bytes, delimiter: bytes, depth: int, usual: str) -> list[Part]:
        """The parts between delimiter lines; what comes before the first or after the last is nothing."""
        body = b"\n" + body
        children: list[Part] = []
        start = -1
        place = body.find(delimiter)
        while place >= 0:
            end = body.find(b"\n", place + 1)
            end = len(body) if end < 0 else end
            rest = body[place + len(delimiter) : end].strip()
            if rest in (b"", b"--"):
                if start >= 0:
                    children.append(self.part(body[start:place], depth + 1, usual))
                start = end + 1
                if rest:
                    return children
            place = body.find(delimiter, end)
        if start >= 0:
            children.append(self.part(body[start:], depth + 1, usual))
        return children


def _lines(raw: bytes) -> bytes:
    """The mail with LF at the end of its lines. CR alone counts only where there is nothing else: pictures hold it."""
    raw = raw.replace(b"\r\n", b"\n")
    return raw if b"\n" in raw else raw.replace(b"\r", b"\n")


def _split_head(data: bytes) -> tuple[bytes, bytes]:
    """Headers and body; the head ends at the first empty line."""
    if data.startswith(b"\n"):
        return b"", data[1:]
    head, _, body = data.partition(b"\n\n")
    return head, body


def _described(found: Fields, body: bytes, usual: str) -> Part:
    part = Part(found, body, "", {}, "", "")
    kind, part.parameters = parameters(part.header("content-type"))
    part.kind = kind if kind.count("/") == 1 and not kind.startswith("/") and not kind.endswith("/") else usual
    part.disposition, more = parameters(part.header("content-disposition"))
    part.name = _file_name(more.get("filename") or part.parameters.get("name", ""))
    return part


def _file_name(name: str) -> str:
    """A name to show: one line, no folders."""
    shown = printable(words(name), 400).replace("\\", "/").rstrip("/")
    return shown.rpartition("/")[2].strip()[:80].strip()
