"""Ids and keys that nobody can guess."""

import hashlib
from base64 import urlsafe_b64encode
from typing import Final

from service.kernel.entropy import Entropy

ALPHABET: Final = "0123456789abcdefghjkmnpqrstvwxyz"
"""Base 32 without i, l, o and u: it survives being read aloud, and mail clients that fold case (OUT-21)."""


def _random(entropy: Entropy, length: int) -> str:
    return "".join([ALPHABET[byte & 31] for byte in entropy.token_bytes(length)])


def _urlsafe(entropy: Entropy, length: int) -> str:
    return urlsafe_b64encode(entropy.token_bytes(length)).rstrip(b"=").decode()


def new_game_id(entropy: Entropy) -> str:
    """50 random bits: k7x2m9qd4t."""
    return _random(entropy, 10)


def new_player_id(entropy: Entropy) -> str:
    """An opaque id: nothing in it tells who it is."""
    return "p_" + _random(entropy, 12)


def new_cause(entropy: Entropy) -> str:
    """The id of a request, for the events it causes: made here, never a client's text (Q-6)."""
    return _random(entropy, 16)


def new_nonce(entropy: Entropy) -> str:
    """A nonce the server makes for a sitter who brought none: 16 random bytes in hex (DESIGN 4)."""
    return entropy.seed(16).hex()


def new_form_key(entropy: Entropy) -> str:
    """An idempotency key for a form: 128 random bits in hex."""
    return entropy.token_bytes(16).hex()


def new_lease(entropy: Entropy) -> str:
    """An id for a lease, which tells its holder from others: 64 random bits in hex."""
    return entropy.token_bytes(8).hex()


def new_form_secret(entropy: Entropy) -> str:
    """A secret for the forms of a browser that is not signed in: 128 random bits, fit for a URL."""
    return _urlsafe(entropy, 16)


def new_line_id(entropy: Entropy) -> int:
    """The id of a line of table talk: random, so that nobody can count the lines that others say. Below 10^12."""
    return (int.from_bytes(entropy.token_bytes(5), "big") >> 1) + 1


def new_token(entropy: Entropy) -> str:
    """A key to the API: 256 random bits (S-21)."""
    return "wr_" + _urlsafe(entropy, 32)


def new_code(entropy: Entropy) -> str:
    """A one-time code: 40 random bits, readable aloud (S-20)."""
    return _random(entropy, 8)


def new_request(entropy: Entropy) -> str:
    """The secret of who asked for a code: 128 random bits, fit for a URL (S-20)."""
    return _urlsafe(entropy, 16)


def new_link(entropy: Entropy) -> str:
    """The secret of a link that signs in: 256 random bits, fit for a URL."""
    return _urlsafe(entropy, 32)


def digest(secret: str) -> bytes:
    """The SHA-256 of a token, a code, a link or a request, which is all that is kept of it."""
    return digest_of_bytes(secret.encode())


def digest_of_bytes(secret: bytes) -> bytes:
    """The SHA-256 of a secret that is no text."""
    return hashlib.sha256(secret).digest()
