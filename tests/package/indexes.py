"""Where packages come from that do not come from the internet: a mirror of the index, and a proxy that leads to it."""

import contextlib
import html
import http.server
import re
import select
import socket
import socketserver
import ssl
import threading
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path
from typing import Any, ClassVar, Final

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec

NAME: Final = "mirror.example"
"""Of the mirror that only the proxy finds: no DNS knows it."""


def lay_out(wheels: Path, folder: Path) -> None:
    """The files as a simple index (PEP 503): a page for each package."""
    for wheel in wheels.glob("*.whl"):
        name = re.sub(r"[-_.]+", "-", wheel.name.partition("-")[0]).lower()
        page = folder / "simple" / name / "index.html"
        page.parent.mkdir(parents=True, exist_ok=True)
        (page.parent / wheel.name).symlink_to(wheel)
        with page.open("a", encoding="utf-8") as links:
            links.write(f'<!doctype html><a href="{html.escape(wheel.name)}">{html.escape(wheel.name)}</a>\n')


class Quiet(http.server.SimpleHTTPRequestHandler):
    """Serves files and keeps no log of it."""

    def log_message(self, *_: Any) -> None:
        """Say nothing."""


@contextlib.contextmanager
def mirror(folder: Path, certificate: Path | None = None) -> Iterator[int]:
    """A server of the index, with TLS where there is a certificate. Its port."""
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=folder)) as server:
        if certificate is not None:
            context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
            context.load_cert_chain(certificate)
            server.socket = context.wrap_socket(server.socket, server_side=True)
        yield from served(server)


@contextlib.contextmanager
def proxy(name: str, port: int) -> Iterator[tuple[int, list[str]]]:
    """A proxy that knows one name, and where it is. Its port, and what it was asked for."""
    asked: list[str] = []

    class Tunnel(socketserver.StreamRequestHandler):
        wanted: ClassVar = f"{name}:443"

        def handle(self) -> None:
            """Connect whoever asks for that name (RFC 9110, 9.3.6), and pass on what both say."""
            request = self.rfile.readline().decode()
            while self.rfile.readline().strip():
                pass
            asked.append(request.strip())
            if request.split()[:2] != ["CONNECT", self.wanted]:
                self.wfile.write(b"HTTP/1.1 403 Forbidden\r\n\r\n")
                return
            with socket.create_connection(("127.0.0.1", port)) as there:
                self.wfile.write(b"HTTP/1.1 200 OK\r\n\r\n")
                both = {self.connection: there, there: self.connection}
                while True:
                    for side in select.select([*both], [], [])[0]:
                        data = side.recv(65536)
                        if not data:
                            return
                        both[side].sendall(data)

    socketserver.ThreadingTCPServer.daemon_threads = True
    with socketserver.ThreadingTCPServer(("127.0.0.1", 0), Tunnel) as server:
        for port_of_proxy in served(server):
            yield port_of_proxy, asked


def served(server: socketserver.TCPServer) -> Iterator[int]:
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield server.server_address[1]
    finally:
        server.shutdown()
        thread.join()


def certificate(name: str, folder: Path) -> Path:
    """A key and a certificate for a name, signed by itself, in one file."""
    key = ec.generate_private_key(ec.SECP256R1())
    subject, now = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, name)]), datetime.now(UTC)
    made = (
        x509.CertificateBuilder().subject_name(subject).issuer_name(subject).public_key(key.public_key())
        .serial_number(1).not_valid_before(now - timedelta(days=1)).not_valid_after(now + timedelta(days=1))
        .add_extension(x509.SubjectAlternativeName([x509.DNSName(name)]), critical=False)
        .add_extension(x509.BasicConstraints(ca=True, path_length=None), critical=True)
        .sign(key, hashes.SHA256())
    )  # fmt: skip
    pem = serialization.Encoding.PEM
    secret = key.private_bytes(pem, serialization.PrivateFormat.PKCS8, serialization.NoEncryption())
    file = folder / "certificate.pem"
    file.write_bytes(secret + made.public_bytes(pem))
    return file
