"""Provably fair draws: nobody can choose them, and after the game everybody can check them.

The server commits to a seed before anybody sits down; every seat adds a nonce; the key of all draws is made of both.
"""

import hashlib
import hmac
from collections.abc import Iterator, Sequence
from typing import Final, TypeVar

from domain.engine.canonical import canonical

T = TypeVar("T")
WORD: Final = 2**64


def commitment(seed: bytes) -> str:
    """What is published of a 32-byte seed when a game opens: its SHA-256 in hex."""
    return hashlib.sha256(seed).hexdigest()


def draw_key(seed: bytes, nonces: Sequence[str]) -> bytes:
    """The key of a game's draws: HMAC-SHA-256 of the nonces in seat order, keyed with the seed."""
    return hmac.digest(seed, canonical(list(nonces)), "sha256")


def thought_seed(key: bytes, seat: int, version: int) -> bytes:
    """The seed of what a bot thinks about since event `version`: 32 bytes that tell nothing of the game's draws."""
    return hmac.digest(key, f"bot:{seat}:{version}".encode(), "sha256")


class Dice:
    """Draw number `index` of a game. The same key, index and label always give the same result."""

    def __init__(self, key: bytes, index: int) -> None:
        self.key = key
        self.index = index

    def words(self, label: str) -> Iterator[int]:
        """The 64-bit big-endian words of this draw, four from each block."""
        block = 0
        while True:
            digest = hmac.digest(self.key, f"{label}:{self.index}:{block}".encode(), "sha256")
            for start in range(0, 32, 8):
                yield int.from_bytes(digest[start : start + 8], "big")
            block += 1

    def below(self, label: str, n: int) -> int:
        """An integer from 0 to n-1, each equally likely."""
        return _below(self.words(label), n)

    def sample(self, label: str, items: Sequence[T], k: int) -> list[T]:
        """k of the items without replacement, every ordered choice equally likely; k = len(items) is a shuffle."""
        words = self.words(label)
        pool = list(items)
        for j in range(k):
            other = j + _below(words, len(pool) - j)
            pool[j], pool[other] = pool[other], pool[j]
        return pool[:k]


def _below(words: Iterator[int], n: int) -> int:
    limit = WORD - WORD % n
    return next(word for word in words if word < limit) % n
