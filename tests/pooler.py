"""A stand-in for PgBouncer in session mode: it refuses parameters of the start as PgBouncer does by default."""

import contextlib
import socket
import struct
import threading
from typing import Self

from tests.ports import free_port

KNOWN = {"user", "database", "application_name", "client_encoding", "datestyle", "timezone", "replication"}
SSL, GSS = 80877103, 80877104


class Pooler:
    """A listener on `port` that leads each client to a server of its own, at a Unix socket."""

    def __init__(self, server: str) -> None:
        self.server, self.port = server, free_port()
        self.refused: list[str] = []
        self._listening = socket.create_server(("127.0.0.1", self.port))

    def __enter__(self) -> Self:
        threading.Thread(target=self._accept, daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        self._listening.close()

    def _accept(self) -> None:
        with contextlib.suppress(OSError):
            while True:
                client, _ = self._listening.accept()
                threading.Thread(target=self._serve, args=(client,), daemon=True).start()

    def _serve(self, client: socket.socket) -> None:
        with client, contextlib.suppress(OSError), client.makefile("rb") as reader:
            while True:
                size, code = struct.unpack("!ii", reader.read(8))
                start = reader.read(size - 8)
                if code not in (SSL, GSS):
                    break
                client.sendall(b"N")
            names = {name.decode() for name in start.split(b"\0")[:-2:2]}
            for name in names - KNOWN:
                self.refused.append(name)
                said = f"SFATAL\0C08P01\0Munsupported startup parameter: {name}\0\0".encode()
                client.sendall(b"E" + struct.pack("!i", len(said) + 4) + said)
                return
            with socket.socket(socket.AF_UNIX) as server:
                server.connect(self.server)
                server.sendall(struct.pack("!ii", size, code) + start)
                back = threading.Thread(target=_pass_on, args=(server, client), daemon=True)
                back.start()
                while data := reader.read1(65536):
                    server.sendall(data)
                server.shutdown(socket.SHUT_WR)
                back.join(60)


def _pass_on(source: socket.socket, to: socket.socket) -> None:
    with contextlib.suppress(OSError):
        while data := source.recv(65536):
            to.sendall(data)
