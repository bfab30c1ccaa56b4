"""Ids and keys that nobody can guess."""

import hashlib
import secrets
from typing import Final

ALPHABET: Final = "0123456789abcdefghjkmnpqrstvwxyz"
"""Base 32 without i, l, o and u: it survives being read aloud, and mail clients that fold case (OUT-21)."""


def _random(length: int) -> str:
    return "".join([ALPHABET[byte & 31] for byte in secrets.token_bytes(length)])


def new_game_id() -> str:
    """50 random bits: k7x2m9qd4t."""
    return _random(10)


def new_player_id() -> str:
    """An opaque id: nothing in it tells who it is."""
    return "p_" + _random(12)


def new_cause() -> str:
    """The id of a request, for the events it causes: made here, never a client's text (Q-6)."""
    return _random(16)


def new_nonce() -> str:
    """A nonce the server makes for a sitter who brought none: 16 random bytes in hex (DESIGN 4)."""
    return secrets.token_hex(16)


def new_line_id() -> int:
    """The id of a line of table talk: random, so that nobody can count the lines that others say. Below 10^12."""
    return (int.from_bytes(secrets.token_bytes(5), "big") >> 1) + 1


def new_token() -> str:
    """A key to the API: 256 random bits (S-21)."""
    return "wr_" + secrets.token_urlsafe(32)


def new_code() -> str:
    """A one-time code: 40 random bits, readable aloud (S-20)."""
    return _random(8)


def new_request() -> str:
    """The secret of who asked for a code: 128 random bits, fit for a URL (S-20)."""
    return secrets.token_urlsafe(16)


def new_link() -> str:
    """The secret of a link that signs in: 256 random bits, fit for a URL."""
    return secrets.token_urlsafe(32)


def digest(secret: str) -> bytes:
    """The SHA-256 of a token, a code, a link or a request, which is all that is kept of it."""
    return digest_of_bytes(secret.encode())


def digest_of_bytes(secret: bytes) -> bytes:
    """The SHA-256 of a secret that is no text."""
    return hashlib.sha256(secret).digest()
