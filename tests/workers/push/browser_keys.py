"""A browser's side of Web Push, from the text of RFC 8291, RFC 8188 and RFC 8292 alone: it shares no code with ours.

HKDF is written out over HMAC, and tokens are split and checked by hand.
"""

import base64
import hashlib
import hmac
import json
import os
from dataclasses import dataclass, field
from typing import Any

from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.utils import encode_dss_signature
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat


def b64(data: bytes) -> str:
    return base64.urlsafe_b64encode(data).decode().rstrip("=")


def unb64(text: str) -> bytes:
    return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))


def hkdf(salt: bytes, secret: bytes, info: bytes, length: int) -> bytes:
    """One block of HKDF (RFC 5869), which is all that is asked for."""
    extracted = hmac.digest(salt, secret, hashlib.sha256)
    return hmac.digest(extracted, info + b"\x01", hashlib.sha256)[:length]


@dataclass
class BrowserKeys:
    """The keys of one subscription."""

    private: ec.EllipticCurvePrivateKey = field(default_factory=lambda: ec.generate_private_key(ec.SECP256R1()))
    auth: bytes = field(default_factory=lambda: os.urandom(16))

    @property
    def public(self) -> bytes:
        return self.private.public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)

    def document(self, endpoint: str) -> dict[str, Any]:
        """What PushSubscription.toJSON() gives."""
        return {
            "endpoint": endpoint,
            "expirationTime": None,
            "keys": {"p256dh": b64(self.public), "auth": b64(self.auth)},
        }

    def decrypt(self, body: bytes) -> bytes:
        """The message in a body of Content-Encoding aes128gcm (RFC 8188, 2; RFC 8291, 3)."""
        salt, size, length = body[:16], int.from_bytes(body[16:20]), body[20]
        sender, record = body[21 : 21 + length], body[21 + length :]
        assert length == 65, "the sender's key, uncompressed"
        assert len(record) <= size, "one record"
        public = ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), sender)
        shared = self.private.exchange(ec.ECDH(), public)
        secret = hkdf(self.auth, shared, b"WebPush: info\x00" + self.public + sender, 32)
        key = hkdf(salt, secret, b"Content-Encoding: aes128gcm\x00", 16)
        nonce = hkdf(salt, secret, b"Content-Encoding: nonce\x00", 12)
        padded = AESGCM(key).decrypt(nonce, record, None).rstrip(b"\x00")
        assert padded[-1] == 2, "the last record"
        return padded[:-1]


def authorized(header: str, origin: str, now: float) -> str:
    """The key that signed a header of RFC 8292 for an origin; fails for one that a push service would refuse."""
    scheme, _, rest = header.partition(" ")
    given = dict(part.strip().split("=", 1) for part in rest.split(","))
    assert scheme == "vapid"
    head, claims, signature = given["t"].split(".")
    assert json.loads(unb64(head)) == {"typ": "JWT", "alg": "ES256"}
    told = json.loads(unb64(claims))
    assert told["aud"] == origin
    assert now < told["exp"] <= now + 24 * 3600
    assert told["sub"].startswith(("mailto:", "https:"))
    raw = unb64(signature)
    assert len(raw) == 64
    signed = encode_dss_signature(int.from_bytes(raw[:32]), int.from_bytes(raw[32:]))
    public = ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), unb64(given["k"]))
    public.verify(signed, f"{head}.{claims}".encode(), ec.ECDSA(SHA256()))
    return given["k"]
