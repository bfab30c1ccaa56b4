"""Bundles of whole games to check and to spoil, made without a service: a few players, a host with a key, notices."""

from collections.abc import Sequence
from functools import cache
from typing import Any

import msgspec
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from domain.audit.bundle.write import Beside, bundle
from domain.audit.checkpoints import Checkpoint
from domain.audit.signing_keys import endorsement_message, key_id
from service.kernel.signing import genuine as really_genuine
from tests.domain.table.gamebook import Game

genuine = cache(really_genuine)
"""Checks of the same bytes recur in these tests, and each takes a while."""
SINCE = "2026-11-01T00:00:00.000000Z"


class Host:
    """Somebody with a signing key, and another from which it was taken over."""

    def __init__(self, name: str, *, earlier: "Host | None" = None) -> None:
        self.private = Ed25519PrivateKey.from_private_bytes(name.encode().ljust(32, b"."))
        self.public = self.private.public_key().public_bytes_raw().hex()
        self.id = key_id(self.public)
        self.earlier = earlier

    def sign(self, message: bytes) -> str:
        return self.private.sign(message).hex()

    def keys(self) -> list[dict[str, Any]]:
        own: dict[str, Any] = {"id": self.id, "public": self.public, "since": SINCE, "endorsement": None}
        if self.earlier is None:
            return [own]
        own["endorsement"] = {"key": self.earlier.id, "signature": self.earlier.sign(endorsement_message(own))}
        return [*self.earlier.keys(), own]

    def checkpoint(self, entry: dict[str, Any]) -> dict[str, Any]:
        point = Checkpoint(entry["game"], entry["version"], entry["hash"], entry["at"])
        shown = {"game": point.game, "hash": point.hash, "time": point.time, "version": point.version}
        return {**shown, "key": self.id, "signature": self.sign(point.message())}

    def bundles(
        self, entries: Sequence[dict[str, Any]], ends: Sequence[int], reader: int | None = None, **beside: Any
    ) -> bytes:
        """The bundle of a history; `ends` are the events that were signed when they were made."""
        kept = {
            "notices": notices(entries, ends),
            "checkpoints": [self.checkpoint(entries[end - 1]) for end in ends],
            "keys": self.keys(),
            **beside,
        }
        return bundle(entries, reader, Beside(**kept), self.id, self.sign)


HOST = Host("host", earlier=Host("host of old"))


def entries_of(game: Game, seat: int | None = None) -> list[dict[str, Any]]:
    """The events of a game as a seat sees them, in export form."""
    return [msgspec.json.decode(line) for line in game.export(seat)[:-1]]


def notices(entries: Sequence[dict[str, Any]], ends: Sequence[int]) -> list[dict[str, Any]]:
    """Make a notice for each event that ended a request."""
    told = [(entries[end - 1]["at"], end) for end in ends]
    return [
        {"kind": "your-turn", "queued": at, "seat": 0, "sent": at, "state": "sent", "version": end}
        for at, end in sorted(told)
    ]


def bundled(game: Game, seat: int | None = None, host: Host = HOST, **beside: Any) -> bytes:
    """The bundle of a game for a seat."""
    over = game.table.status in ("finished", "abandoned")
    own = {} if over else {"notices": []}
    return host.bundles(entries_of(game, seat), [end for end in game.ends if end], seat, **(own | beside))
