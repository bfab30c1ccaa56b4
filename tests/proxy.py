"""A reverse proxy as small as can be: each request on a connection of its own, led to a port by its path."""

import contextlib
import re
import socket
import threading
from collections.abc import Mapping
from typing import Final, Self

LARGEST_HEAD: Final = 65536
CONNECTION: Final = re.compile(rb"\r\nconnection:[^\r]*", re.IGNORECASE)


class Proxy:
    """Listens on a port, and leads each request to the port of the longest prefix of its path."""

    def __init__(self, port: int, ports: Mapping[bytes, int]) -> None:
        self.ports = dict(sorted(ports.items(), key=lambda one: -len(one[0])))
        self.listening = socket.create_server(("127.0.0.1", port), backlog=128)

    def __enter__(self) -> Self:
        threading.Thread(target=self._accept, daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        with contextlib.suppress(OSError):
            self.listening.shutdown(socket.SHUT_RDWR)
        self.listening.close()

    def _accept(self) -> None:
        with contextlib.suppress(OSError):
            while True:
                asking, _ = self.listening.accept()
                threading.Thread(target=self._serve, args=(asking,), daemon=True).start()

    def _serve(self, asking: socket.socket) -> None:
        """Pass one request on, and its answer back as it comes; where nobody answers, the connection ends."""
        with asking, contextlib.suppress(OSError):
            head = b""
            while b"\r\n\r\n" not in head and len(head) < LARGEST_HEAD:
                if not (part := asking.recv(65536)):
                    return
                head += part
            path = head.split(b" ", 2)[1]
            port = next(port for prefix, port in self.ports.items() if path.startswith(prefix))
            with socket.create_connection(("127.0.0.1", port)) as asked:
                asked.sendall(CONNECTION.sub(b"", head, count=1).replace(b"\r\n", b"\r\nConnection: close\r\n", 1))
                threading.Thread(target=_pass_on, args=(asking, asked), daemon=True).start()
                _pass_on(asked, asking)


def _pass_on(source: socket.socket, target: socket.socket) -> None:
    with contextlib.suppress(OSError):
        while part := source.recv(65536):
            target.sendall(part)
    with contextlib.suppress(OSError):
        target.shutdown(socket.SHUT_RDWR)
