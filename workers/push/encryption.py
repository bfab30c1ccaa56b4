"""A message that only one browser can read: Web Push encryption (RFC 8291) in one record of aes128gcm (RFC 8188)."""

import os
from typing import Final

from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF

from service.kernel.vapid import CURVE, point

RECORD: Final = 4096
"""Bytes of a record, and all that push services must take (RFC 8030, 7.2)."""
BLOCK: Final = 512
"""Messages are padded to this size, so that their length tells a push service nothing."""
LAST: Final = b"\x02"


def encrypt(
    plain: bytes, p256dh: bytes, auth: bytes, *, key: ec.EllipticCurvePrivateKey | None = None, salt: bytes = b"",
    block: int = BLOCK,
) -> bytes:  # fmt: skip
    """The body of a push message for a browser's keys; key and salt are its own, but in tests."""
    key, salt = key or ec.generate_private_key(CURVE), salt or os.urandom(16)
    ours, theirs = point(key.public_key()), ec.EllipticCurvePublicKey.from_encoded_point(CURVE, p256dh)
    secret = _derive(key.exchange(ec.ECDH(), theirs), auth, b"WebPush: info\0" + p256dh + ours, 32)
    cipher = AESGCM(_derive(secret, salt, b"Content-Encoding: aes128gcm\0", 16))
    padded = plain + LAST
    padded += bytes(-len(padded) % block)
    record = cipher.encrypt(_derive(secret, salt, b"Content-Encoding: nonce\0", 12), padded, None)
    return salt + RECORD.to_bytes(4) + bytes([len(ours)]) + ours + record


def _derive(secret: bytes, salt: bytes, info: bytes, length: int) -> bytes:
    return HKDF(SHA256(), length, salt=salt, info=info).derive(secret)
