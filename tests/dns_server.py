"""A DNS server for the drills of mail: it answers by UDP and TCP from its records, and asks nobody else.

with DnsServer({("games.example", "TXT"): ["v=spf1 -all"]}, "203.0.113.53", 53):
    ...
"""

import ipaddress
import socketserver
import struct
import threading
from collections.abc import Mapping, Sequence
from typing import Final, Self

Records = Mapping[tuple[str, str], Sequence[str]]
"""Name and type to the values as a zone file writes them; a TXT is given as its text."""
TYPES: Final = {1: "A", 5: "CNAME", 12: "PTR", 15: "MX", 16: "TXT", 28: "AAAA"}
ANSWERS: Final = 0x8580
"""Flags of an answer: authoritative, recursion desired and available (RFC 1035 4.1.1)."""
TRUNCATED: Final = 0x0200
NO_SUCH_NAME: Final = 3
LARGEST: Final = 512
"""Bytes of the largest answer by UDP; a larger one is asked for by TCP."""
PART: Final = 255
"""Bytes of one string of a TXT record."""


class DnsServer:
    """Two servers in threads, one for each protocol."""

    def __init__(self, records: Records, host: str, port: int) -> None:
        socketserver.TCPServer.allow_reuse_address = True
        self._servers = [
            socketserver.ThreadingUDPServer((host, port), _handler(records, _ByUdp)),
            socketserver.ThreadingTCPServer((host, port), _handler(records, _ByTcp)),
        ]

    def __enter__(self) -> Self:
        for server in self._servers:
            threading.Thread(target=server.serve_forever, daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        for server in self._servers:
            server.shutdown()
            server.server_close()


class _ByUdp(socketserver.BaseRequestHandler):
    records: Records

    def handle(self) -> None:
        query, socket = self.request
        answer = answer_to(query, self.records)
        if len(answer) > LARGEST:
            flags, question = ANSWERS | TRUNCATED, _question(query)[0]
            answer = struct.pack("!2s5H", query[:2], flags, 1, 0, 0, 0) + question
        socket.sendto(answer, self.client_address)


class _ByTcp(socketserver.StreamRequestHandler):
    records: Records

    def handle(self) -> None:
        (length,) = struct.unpack("!H", self.rfile.read(2))
        answer = answer_to(self.rfile.read(length), self.records)
        self.wfile.write(struct.pack("!H", len(answer)) + answer)


def _handler(records: Records, kind: type[socketserver.BaseRequestHandler]) -> type[socketserver.BaseRequestHandler]:
    return type(kind.__name__, (kind,), {"records": records})


def answer_to(query: bytes, records: Records) -> bytes:
    """Return the answer to a query of one question."""
    question, name, kind = _question(query)
    found: list[bytes] = []
    while (alias := records.get((name, "CNAME"))) and kind != "CNAME":
        found.append(_record(name, "CNAME", alias[0]))
        name = alias[0].rstrip(".").lower()
    found += [_record(name, kind, value) for value in records.get((name, kind), ())]
    is_known = any(known == name or known.endswith(f".{name}") for known, _ in records)
    flags = ANSWERS if is_known else ANSWERS | NO_SUCH_NAME
    return struct.pack("!2s5H", query[:2], flags, 1, len(found), 0, 0) + question + b"".join(found)


def _question(query: bytes) -> tuple[bytes, str, str]:
    """Return the question as bytes, its name in lower case, and its type."""
    labels, at = [], 12
    while length := query[at]:
        labels.append(query[at + 1 : at + 1 + length].decode("ascii", "replace"))
        at += 1 + length
    (number,) = struct.unpack("!H", query[at + 1 : at + 3])
    return query[12 : at + 5], ".".join(labels).lower(), TYPES.get(number, str(number))


def _record(name: str, kind: str, value: str) -> bytes:
    number = next(number for number, known in TYPES.items() if known == kind)
    data = _data(kind, value)
    return _name(name) + struct.pack("!HHIH", number, 1, 60, len(data)) + data


def _data(kind: str, value: str) -> bytes:
    """Return the data of a record (RFC 1035 3.3)."""
    match kind:
        case "A" | "AAAA":
            return ipaddress.ip_address(value).packed
        case "MX":
            preference, host = value.split()
            return struct.pack("!H", int(preference)) + _name(host)
        case "TXT":
            text = value.encode()
            parts = [text[at : at + PART] for at in range(0, len(text), PART)] or [b""]
            return b"".join(bytes([len(part)]) + part for part in parts)
        case _:
            return _name(value)


def _name(name: str) -> bytes:
    labels = [label.encode() for label in name.rstrip(".").split(".") if label]
    return b"".join(bytes([len(label)]) + label for label in labels) + b"\0"
