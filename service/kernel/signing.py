"""Signatures of the host: Ed25519, by keys made from the same secrets as the seals, the present one signing.

What is signed is said in docs/audit/format.md, sections 3, 8 and 9.
"""

from collections.abc import Mapping
from typing import Final

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF

from domain.audit.checkpoints import Checkpoint, Signed
from domain.audit.signing_keys import endorsement_message, key_id
from service.kernel.encryption import Sealer

INFO: Final = b"wardroom-signing-v1"
FIELD: Final = 2**255 - 19
EIGHTH: Final = 0x05FC536D880238B13933C6D305ACDFD5F098EFF289F4C345B027B2C28F95E826
"""The y of a point of order 8."""
SMALL: Final = frozenset((0, 1, FIELD - 1, EIGHTH, FIELD - EIGHTH))
"""The y of all points whose order divides 8: under such a key one signature fits every message."""


class Signer:
    """The signing keys whose secrets are at hand. `key_id` and `public` are those of the present one, in hex; `seals`
    are the ids of the secrets, with which all begins that is sealed under them."""

    def __init__(self, sealer: Sealer) -> None:
        made = [_private(master) for master in sealer.masters.values()]
        self.seals = tuple(sealer.masters)
        self._keys: Mapping[str, Ed25519PrivateKey] = {key_id(_public(key)): key for key in made}
        self.key_id = next(iter(self._keys))
        self.public = _public(self._keys[self.key_id])

    def sign(self, message: bytes) -> str:
        """The present key's signature, in hex."""
        return self._keys[self.key_id].sign(message).hex()

    def sign_checkpoint(self, checkpoint: Checkpoint) -> Signed:
        """A checkpoint under the present key."""
        return Signed(checkpoint, self.key_id, self.sign(checkpoint.message()))

    def made(self, signed: Signed) -> bool:
        """Whether this is a signature of a key at hand."""
        made = self._keys.get(signed.key)
        return made is not None and made.sign(signed.checkpoint.message()).hex() == signed.signature

    def signed(self, key: str, message: bytes, signature: str) -> bool:
        """Whether this is the signature of a key at hand."""
        return self.at_hand(key) and self._keys[key].sign(message).hex() == signature

    def at_hand(self, key: str) -> bool:
        """Whether the secret of a key is at hand."""
        return key in self._keys

    def endorse(self, endorser: str, since: str) -> str:
        """An earlier key's signature of the present one, in hex. Raises KeyError where its secret is not at hand."""
        present = {"id": self.key_id, "public": self.public, "since": since}
        return self._keys[endorser].sign(endorsement_message(present)).hex()


def genuine(public: str, message: bytes, signature: str) -> bool:
    """Whether a signature of a message is that of a public key; all in hex but the message."""
    try:
        if not _is_key(bytes.fromhex(public)):
            return False
        Ed25519PublicKey.from_public_bytes(bytes.fromhex(public)).verify(bytes.fromhex(signature), message)
    except (InvalidSignature, ValueError):
        return False
    return True


def _is_key(public: bytes) -> bool:
    """Whether a public key has its one encoding, and is no point of small order."""
    y = int.from_bytes(public, "little") & (1 << 255) - 1
    return y < FIELD and y not in SMALL


def _private(master: bytes) -> Ed25519PrivateKey:
    return Ed25519PrivateKey.from_private_bytes(HKDF(SHA256(), 32, salt=None, info=INFO).derive(master))


def _public(private: Ed25519PrivateKey) -> str:
    return private.public_key().public_bytes_raw().hex()
