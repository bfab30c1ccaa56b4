"""Who calls: push services are told by a key of ours, made from the same secrets as the seals (RFC 8292, ES256).

A browser takes calls under the key alone that it was entered with. So earlier keys go on signing for the devices that
know them, as long as their secrets are at hand.
"""

import base64
from collections.abc import Mapping
from typing import Final

import msgspec
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.utils import decode_dss_signature
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

from service.kernel.encryption import Sealer

INFO: Final = b"wardroom-vapid-v1"
ORDER: Final = 0xFFFFFFFF00000000FFFFFFFFFFFFFFFFBCE6FAADA7179E84F3B9CAC2FC632551
"""Of P-256."""
CURVE: Final = ec.SECP256R1()
LIFE: Final = 12 * 3600
"""Seconds that a token is good for: push services take a day at most (section 2)."""


class Vapid:
    """The keys whose secrets are at hand; `public` is the present one, as browsers are given it."""

    def __init__(self, sealer: Sealer) -> None:
        made = [_private(master) for master in sealer.masters.values()]
        self._keys: Mapping[str, ec.EllipticCurvePrivateKey] = {to_text(point(key.public_key())): key for key in made}
        self.public = next(iter(self._keys))

    def at_hand(self, public: str) -> bool:
        """Whether calls can be signed by this key."""
        return public in self._keys

    def authorization(self, public: str, origin: str, contact: str, now: int) -> str:
        """The header that says who calls a push service at an origin, at a time in seconds since 1970.

        Raises KeyError where the secret of the key is not at hand.
        """
        claims = {"aud": origin, "exp": now + LIFE, "sub": contact}
        parts = [to_text(msgspec.json.encode(part)) for part in ({"typ": "JWT", "alg": "ES256"}, claims)]
        signed = ".".join(parts)
        r, s = decode_dss_signature(self._keys[public].sign(signed.encode(), ec.ECDSA(SHA256())))
        return f"vapid t={signed}.{to_text(r.to_bytes(32) + s.to_bytes(32))}, k={public}"


def point(key: ec.EllipticCurvePublicKey) -> bytes:
    """A public key as 65 bytes, uncompressed."""
    return key.public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)


def to_text(data: bytes) -> str:
    """Base64url without padding (RFC 7515)."""
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def from_text(text: str) -> bytes:
    """The bytes of base64url, padded or not. Raises ValueError."""
    try:
        return base64.b64decode(text.rstrip("=") + "=" * (-len(text.rstrip("=")) % 4), b"-_", validate=True)
    except ValueError as error:
        raise ValueError("no base64url") from error


def _private(master: bytes) -> ec.EllipticCurvePrivateKey:
    """A key for ever the same: 48 bytes make it as good as even over all keys (FIPS 186-5, A.2.1)."""
    drawn = int.from_bytes(HKDF(SHA256(), 48, salt=None, info=INFO).derive(master))
    return ec.derive_private_key(1 + drawn % (ORDER - 1), CURVE)
