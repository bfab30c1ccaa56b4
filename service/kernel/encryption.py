"""Secrets at rest: AES-256-GCM under a key of each game's own, derived from a master key that lives in the environment.

Hashes and commitments are made of plain text, so rotating keys touches none of them (S-30).
"""

import hashlib
from collections.abc import Sequence
from functools import lru_cache
from typing import Final

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF

from service.kernel.entropy import Entropy

NONCE_BYTES: Final = 12
KEY_ID_BYTES: Final = 8
LEAF_BLOCK: Final = 512
"""Leaves are padded to this size, so that a row's length tells nothing of its contents (S-12)."""


class Unreadable(Exception):
    """Sealed data that no key at hand opens: a key is missing, or the data was changed."""


class Sealer:
    """Seals and opens data of games. The first secret is used for sealing; all of them are tried by id for opening."""

    def __init__(self, secrets: Sequence[str], entropy: Entropy | None = None) -> None:
        self._entropy = entropy or Entropy()
        masters = [hashlib.sha256(b"wardroom-master-v1\n" + secret.encode()).digest() for secret in secrets]
        self.masters = {hashlib.sha256(b"wardroom-key-id\n" + m).digest()[:KEY_ID_BYTES]: m for m in masters}
        self.current = next(iter(self.masters))
        self._cipher = lru_cache(512)(self._derive)

    def seal(self, scope: str, context: str, plain: bytes) -> bytes:
        """Key id, nonce and ciphertext. `scope` chooses the key (a game's id), `context` binds the place."""
        nonce = self._entropy.salt(NONCE_BYTES)
        return self.current + nonce + self._cipher(self.current, scope).encrypt(nonce, plain, context.encode())

    def open(self, scope: str, context: str, sealed: bytes) -> bytes:
        """Open a value that was sealed for this scope and context. Raises Unreadable."""
        key_id, nonce = sealed[:KEY_ID_BYTES], sealed[KEY_ID_BYTES : KEY_ID_BYTES + NONCE_BYTES]
        if key_id not in self.masters:
            raise Unreadable(
                f"no key with the id {key_id.hex()}: set WARDROOM_SECRET_KEYS_OLD to the key it was made with"
            )
        try:
            return self._cipher(key_id, scope).decrypt(nonce, sealed[KEY_ID_BYTES + NONCE_BYTES :], context.encode())
        except (InvalidTag, ValueError) as error:  # ValueError: cut short in the nonce
            raise Unreadable("sealed data was changed, or belongs elsewhere") from error

    def is_current(self, sealed: bytes) -> bool:
        """Whether it was sealed under the key now in use; if not, rotation seals it again."""
        return sealed[:KEY_ID_BYTES] == self.current

    def _derive(self, key_id: bytes, scope: str) -> AESGCM:
        info = b"wardroom-game-v1\n" + scope.encode()
        return AESGCM(HKDF(SHA256(), 32, salt=None, info=info).derive(self.masters[key_id]))


def pad(plain: bytes, block: int = LEAF_BLOCK) -> bytes:
    """Padded to a multiple of `block`, at least one byte longer."""
    return plain + b"\x80" + bytes(-(len(plain) + 1) % block)


def unpad(padded: bytes) -> bytes:
    """The bytes that `pad` was given."""
    return padded[: padded.rindex(b"\x80")]
