"""A DNS server for tests, which knows the records it is given and asks nobody else.

with DnsServer({("games.example", "TXT"): ["v=spf1 -all"]}) as server:
    Resolver(server.address).txt("games.example")
"""

import selectors
import socket
import struct
import threading
from collections.abc import Mapping, Sequence
from typing import Final, Self

import dns.flags
import dns.message
import dns.rcode
import dns.rdatatype
import dns.rrset

Records = Mapping[tuple[str, str], Sequence[str]]
"""Name and type to the records as a zone file writes them; a TXT is given as its text."""
SILENT: Final = "silent"
"""In place of records: this name is never answered."""
FAILING: Final = "failing"
"""In place of records: this name is answered with SERVFAIL."""


class DnsServer:
    """Answers by UDP and TCP on a free port of 127.0.0.1; `records` may be changed while it runs."""

    def __init__(self, records: Records, host: str = "127.0.0.1", port: int = 0) -> None:
        self.records = dict(records)
        self.asked: list[tuple[str, str]] = []
        self._udp, self._tcp = _bound(host, port)
        self._end, self._ended = socket.socketpair()
        self._thread = threading.Thread(target=self._serve, daemon=True)

    @property
    def address(self) -> tuple[str, int]:
        host, port = self._udp.getsockname()
        return host, port

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._end.close()
        self._thread.join(60)
        for each in (self._udp, self._tcp, self._ended):
            each.close()

    def _serve(self) -> None:
        with selectors.DefaultSelector() as ready:
            for each in (self._udp, self._tcp, self._ended):
                ready.register(each, selectors.EVENT_READ)
            while True:
                for key, _ in ready.select():
                    if key.fileobj is self._ended:
                        return
                    (self._by_udp if key.fileobj is self._udp else self._by_tcp)()

    def _by_udp(self) -> None:
        data, client = self._udp.recvfrom(4096)
        query = dns.message.from_wire(data)
        answer = self.answer(query)
        if answer is None:
            return
        wire = answer.to_wire(max_size=65535)
        if len(wire) > (query.payload if query.edns >= 0 else 512):
            answer = dns.message.make_response(query)
            answer.flags |= dns.flags.TC
            wire = answer.to_wire()
        self._udp.sendto(wire, client)

    def _by_tcp(self) -> None:
        connection, _ = self._tcp.accept()
        with connection:
            (length,) = struct.unpack("!H", connection.recv(2, socket.MSG_WAITALL))
            answer = self.answer(dns.message.from_wire(connection.recv(length, socket.MSG_WAITALL)))
            if answer is not None:
                wire = answer.to_wire(max_size=65535)
                connection.sendall(struct.pack("!H", len(wire)) + wire)

    def answer(self, query: dns.message.Message) -> dns.message.Message | None:
        """What is answered; None for silence."""
        (question,) = query.question
        name, kind = question.name.to_text(omit_final_dot=True).lower(), dns.rdatatype.to_text(question.rdtype)
        self.asked.append((name, kind))
        response = dns.message.make_response(query)
        response.flags |= dns.flags.RA
        for _ in range(8):
            found = self.records.get((name, kind), ())
            if found in (SILENT, FAILING):
                response.set_rcode(dns.rcode.SERVFAIL)
                return None if found == SILENT else response
            alias = self.records.get((name, "CNAME"), ()) if kind != "CNAME" else ()
            if found or not alias:
                break
            response.answer.append(dns.rrset.from_text(f"{name}.", 60, "IN", "CNAME", *alias))
            name = alias[0].rstrip(".").lower()
        if found:
            values = [quoted(value) if kind == "TXT" else value for value in found]
            response.answer.append(dns.rrset.from_text(f"{name}.", 60, "IN", kind, *values))
        elif not any(known == name or known.endswith(f".{name}") for known, _ in self.records):
            response.set_rcode(dns.rcode.NXDOMAIN)
        return response


def _bound(host: str, port: int) -> tuple[socket.socket, socket.socket]:
    """A socket of each kind on one port: that of the first may be taken for the second, then another is tried."""
    for _ in range(50):
        udp, tcp = socket.socket(socket.AF_INET, socket.SOCK_DGRAM), socket.socket()
        tcp.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            udp.bind((host, port))
            tcp.bind(udp.getsockname())
        except OSError:
            udp.close()
            tcp.close()
            continue
        tcp.listen(5)
        return udp, tcp
    raise OSError(f"port {port} of {host} is not free")


def quoted(text: str) -> str:
    """A TXT record as a zone file writes it: in parts of at most 255 bytes."""
    parts = [text[at : at + 255] for at in range(0, len(text), 255)] or [""]
    return " ".join('"' + part.replace("\\", "\\\\").replace('"', '\\"') + '"' for part in parts)
