"""The source of everything that nobody may guess. Other code never calls `secrets` (`tests/test_entropy.py`)."""

import os
import secrets


class Entropy:
    """The randomness of the operating system, by what it is used for, so that a stand-in can keep the uses apart."""

    def token_bytes(self, count: int) -> bytes:
        """Return bytes for ids, tokens and codes."""
        return secrets.token_bytes(count)

    def seed(self, count: int) -> bytes:
        """Return bytes that decide the draws of a game: its seed, and the nonces of its players."""
        return secrets.token_bytes(count)

    def salt(self, count: int) -> bytes:
        """Return bytes that only hide or separate: salts of commitments, nonces of encryption."""
        return os.urandom(count)
