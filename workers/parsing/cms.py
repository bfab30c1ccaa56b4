"""What an opaque S/MIME signature holds (RFC 5652): the signed mail inside `application/pkcs7-mime`.

The signature is not checked: authority comes from the address token and our own server's verdict, as for every mail.
"""

from typing import Final, NamedTuple

SIGNED_DATA: Final = bytes.fromhex("2a864886f70d010702")
CONSTRUCTED: Final = 0x20
SEQUENCE: Final = 0x30
OCTETS: Final = 0x04
DEPTH: Final = 8


class NotReadable(Exception):
    """These bytes are no signed data with its content inside."""


class Element(NamedTuple):
    """One BER element: its tag, where its content starts and ends, and where the next element starts."""

    tag: int
    start: int
    end: int
    next: int


def content(data: bytes) -> bytes:
    """The mail that was signed. Raises NotReadable."""
    try:
        kind, wrapped = _children(data, _expect(data, 0, SEQUENCE))[:2]
        if data[kind.start : kind.end] != SIGNED_DATA:
            raise NotReadable
        signed = _expect(data, wrapped.start, SEQUENCE)
        enclosed = _children(data, signed)[2]
        inner = _children(data, enclosed)[1]
        return _octets(data, _read(data, inner.start, 0), 0)
    except (IndexError, ValueError) as error:
        raise NotReadable from error


def _expect(data: bytes, place: int, tag: int) -> Element:
    element = _read(data, place, 0)
    if element.tag != tag:
        raise NotReadable
    return element


def _read(data: bytes, place: int, depth: int) -> Element:
    """The element at a place. One of indefinite length is walked to its end."""
    tag, length = data[place], data[place + 1]
    start = place + 2
    if length == 0x80:
        if depth > DEPTH:
            raise NotReadable
        inside = start
        while data[inside : inside + 2] != b"\0\0":
            inside = _read(data, inside, depth + 1).next
        return Element(tag, start, inside, inside + 2)
    if length > 0x80:
        size = length & 0x7F
        if size > 4:
            raise NotReadable
        length = int.from_bytes(data[start : start + size], "big")
        start += size
    if start + length > len(data):
        raise NotReadable
    return Element(tag, start, start + length, start + length)


def _children(data: bytes, parent: Element) -> list[Element]:
    children: list[Element] = []
    place = parent.start
    while place < parent.end and len(children) < 64:
        children.append(_read(data, place, 0))
        place = children[-1].next
    return children


def _octets(data: bytes, element: Element, depth: int) -> bytes:
    """The bytes of an octet string, put together where it is given in segments."""
    if element.tag == OCTETS:
        return data[element.start : element.end]
    if element.tag != OCTETS | CONSTRUCTED or depth > DEPTH:
        raise NotReadable
    pieces = []
    place = element.start
    while place < element.end:
        segment = _read(data, place, 0)
        pieces.append(_octets(data, segment, depth + 1))
        place = segment.next
    return b"".join(pieces)
