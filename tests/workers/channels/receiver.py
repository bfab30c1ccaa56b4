"""A receiver of webhooks for tests, which answers with any bytes it is told to, under a certificate of its own."""

import contextlib
import socket
import ssl
import threading
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from functools import cache
from ipaddress import ip_address
from pathlib import Path

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

Script = Callable[[socket.socket], None]
OK = b"HTTP/1.1 204 No Content\r\n\r\n"


class Authority:
    """A certificate authority, and what a client must trust to believe it."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.key = ec.generate_private_key(ec.SECP256R1())
        self.name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "Wardroom tests")])
        self.certificate = self._signed(self.name, self.key.public_key(), x509.BasicConstraints(True, None))

    def trusted(self) -> ssl.SSLContext:
        """A client's context that trusts this authority and no other."""
        pem = self.certificate.public_bytes(serialization.Encoding.PEM).decode()
        context = ssl.create_default_context(cadata=pem)
        context.minimum_version = ssl.TLSVersion.TLSv1_2
        return context

    def serving(self, host: str, *, expired: bool = False) -> ssl.SSLContext:
        """A server's context with a certificate for a host."""
        key = ec.generate_private_key(ec.SECP256R1())
        try:
            alternative: x509.GeneralName = x509.IPAddress(ip_address(host))
        except ValueError:
            alternative = x509.DNSName(host)
        subject = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, host)])
        names = x509.SubjectAlternativeName([alternative])
        certificate = self._signed(subject, key.public_key(), names, expired=expired)
        file = self.folder / f"{host.replace(':', '-')}-{expired}.pem"
        private = key.private_bytes(
            serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
        )
        file.write_bytes(private + certificate.public_bytes(serialization.Encoding.PEM))
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(file)
        return context

    def _signed(
        self,
        subject: x509.Name,
        key: ec.EllipticCurvePublicKey,
        extension: x509.ExtensionType,
        *,
        expired: bool = False,
    ) -> x509.Certificate:
        now = datetime.now(UTC)
        return (
            x509.CertificateBuilder()
            .subject_name(subject)
            .issuer_name(self.name)
            .public_key(key)
            .serial_number(x509.random_serial_number())
            .not_valid_before(now - timedelta(days=2))
            .not_valid_after(now - timedelta(days=1) if expired else now + timedelta(days=1))
            .add_extension(extension, critical=False)
            .sign(self.key, hashes.SHA256())
        )


@cache
def authority(folder: Path) -> Authority:
    """One authority a folder."""
    return Authority(folder)


class Receiver:
    """A server on 127.0.0.1. Every connection is heard up to the end of its request, then answered by the script."""

    def __init__(self, script: Script | bytes = OK, tls: ssl.SSLContext | None = None, wire: bool = False) -> None:
        self.script = script
        self.tls = tls
        self.wire = wire  # the script has the bare connection, before TLS and any request
        self.requests: list[bytes] = []
        self.asked_for: list[str | None] = []  # the names in the clients' TLS
        self.listening = socket.create_server(("127.0.0.1", 0))
        self.port: int = self.listening.getsockname()[1]
        self.done = threading.Event()
        self.thread = threading.Thread(target=self._serve, daemon=True)
        if tls is not None:
            tls.sni_callback = lambda _sock, name, _context: self.asked_for.append(name)

    def _serve(self) -> None:
        while True:
            try:
                connection, _ = self.listening.accept()
            except OSError:
                return
            threading.Thread(target=self._one, args=(connection,), daemon=True).start()

    def _one(self, connection: socket.socket) -> None:
        connection.settimeout(20)
        with contextlib.suppress(OSError), connection:
            if self.wire:
                assert callable(self.script)
                return self.script(connection)
            talking = self.tls.wrap_socket(connection, server_side=True) if self.tls else connection
            with contextlib.suppress(OSError), talking:
                self.requests.append(_request(talking))
                if callable(self.script):
                    self.script(talking)
                else:
                    talking.sendall(self.script)
        return None

    def close(self) -> None:
        self.done.set()
        self.listening.close()


@contextlib.contextmanager
def receiver(
    script: Script | bytes = OK, tls: ssl.SSLContext | None = None, *, wire: bool = False
) -> Iterator[Receiver]:
    """A receiver that serves while the block lasts."""
    made = Receiver(script, tls, wire)
    made.thread.start()
    try:
        yield made
    finally:
        made.close()


def _request(connection: socket.socket) -> bytes:
    """A request to its end."""
    data = b""
    while b"\r\n\r\n" not in data:
        data += _some(connection)
    head, _, body = data.partition(b"\r\n\r\n")
    length = next(
        int(line.split(b":")[1]) for line in head.split(b"\r\n") if line.lower().startswith(b"content-length")
    )
    while len(body) < length:
        body += _some(connection)
    return head + b"\r\n\r\n" + body


def _some(connection: socket.socket) -> bytes:
    data = connection.recv(65_536)
    if not data:
        raise ConnectionError
    return data


def headers_of(request: bytes) -> dict[str, str]:
    """A request's headers, by their names in lower case."""
    lines = request.partition(b"\r\n\r\n")[0].decode().split("\r\n")[1:]
    return {name.lower(): value.strip() for name, _, value in (line.partition(":") for line in lines)}
