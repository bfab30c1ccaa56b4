"""A public key of DKIM (RFC 6376): from the file that opendkim-genkey or openssl wrote, or from a DNS record."""

import base64
import binascii
import re
from dataclasses import dataclass
from typing import Final

from cryptography.exceptions import UnsupportedAlgorithm
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
from cryptography.hazmat.primitives.asymmetric.rsa import RSAPublicKey
from cryptography.hazmat.primitives.serialization import (
    Encoding,
    PublicFormat,
    load_der_public_key,
    load_pem_public_key,
)  # fmt: skip

from service.mail.records.tags import tags

ED25519_BYTES: Final = 32


class NoKey(Exception):
    """Text that is no public key of DKIM; the message is a sentence that says what it is instead."""


@dataclass(frozen=True, slots=True)
class PublicKey:
    """A key as its record has it: the kind, the base64 of `p=`, and the length in bits."""

    kind: str  # rsa or ed25519
    encoded: str
    bits: int

    def record(self) -> str:
        """The text of the DNS record."""
        return f"v=DKIM1; k={self.kind}; p={self.encoded}"


def read_file(text: str) -> PublicKey:
    """The key in a file: PEM, a record, or the zone file's line that opendkim-genkey writes. Raises NoKey."""
    if "PRIVATE KEY" in text:
        raise NoKey("It is a private key, which belongs to the mail server alone: give the public one, a .txt or .pem.")
    if "BEGIN PUBLIC KEY" in text:
        try:
            return _of(load_pem_public_key(text.encode()))
        except (ValueError, UnsupportedAlgorithm) as error:
            raise NoKey("It begins like a public key, and cannot be read: is it whole?") from error
    quoted = re.findall(r'"((?:[^"\\]|\\.)*)"', text)
    return from_record("".join(quoted).replace("\\;", ";") if quoted else text)


def from_record(text: str) -> PublicKey:
    """The key of a DNS record. Raises NoKey."""
    found = tags(text)
    if found is None or "p" not in found:
        raise NoKey("It holds no `p=`, which is the key.")
    if not found["p"]:
        raise NoKey("Its `p=` is empty, which says that the key is revoked.")
    kind = found.get("k", "rsa").lower()
    try:
        data = base64.b64decode(found["p"], validate=True)
        key = Ed25519PublicKey.from_public_bytes(data) if kind == "ed25519" else load_der_public_key(data)
        return _of(key)
    except (binascii.Error, ValueError, UnsupportedAlgorithm) as error:
        raise NoKey(
            "Its `p=` is no key: most likely it was cut off, for one text holds 255 characters. "
            "Most forms take it as several texts in quotes, some want it whole and cut it themselves."
        ) from error


def _of(key: object) -> PublicKey:
    if isinstance(key, RSAPublicKey):
        data = key.public_bytes(Encoding.DER, PublicFormat.SubjectPublicKeyInfo)
        return PublicKey("rsa", base64.b64encode(data).decode(), key.key_size)
    if isinstance(key, Ed25519PublicKey):
        data = key.public_bytes(Encoding.Raw, PublicFormat.Raw)
        return PublicKey("ed25519", base64.b64encode(data).decode(), 8 * ED25519_BYTES)
    raise NoKey("DKIM knows keys of RSA and Ed25519; this is neither.")
