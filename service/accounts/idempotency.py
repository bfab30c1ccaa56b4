"""The same request twice is one act: answers kept under a player's Idempotency-Key, in the act's own transaction."""

import hashlib
import re
from dataclasses import dataclass
from typing import Any, Final

import msgspec

from service.kernel.encryption import Sealer, Unreadable
from service.store.database import Connection, Database
from service.store.running import idempotency
from service.store.running.idempotency import KeptAnswer

SHORTENED: Final = "This was done. What was answered then named somebody who is gone: read the game again."
KEY: Final = re.compile(r"[\x21-\x7e]{1,128}")


class KeyReused(Exception):
    """The key was used with another request."""


class Answer(msgspec.Struct, frozen=True):
    """An answer to a request: status, headers, body."""

    status: int
    headers: list[tuple[str, str]]
    body: bytes


@dataclass(frozen=True, slots=True)
class Claim:
    """A player's key and the request it stands for."""

    player: str
    key: str
    fingerprint: str


def claim(player: str, key: str, method: str, path: str, body: bytes) -> Claim:
    """The claim of one request. Raises ValueError for what is no key."""
    if not KEY.fullmatch(key):
        raise ValueError("An Idempotency-Key is 1 to 128 visible ASCII characters.")
    kept = hashlib.sha256(f"{method} {path}\n{key}".encode()).hexdigest()
    return Claim(player, kept, hashlib.sha256(body).hexdigest())


def replay(database: Database, sealer: Sealer, tx: Connection, wanted: Claim) -> Answer | None:
    """The answer this key already has; None, and the key is ours until the transaction ends.

    On PostgreSQL a twin waits here for the first to commit. Raises KeyReused.
    """
    if idempotency.take(database, tx, wanted.player, wanted.key, wanted.fingerprint):
        return None
    kept = idempotency.of_key(tx, wanted.player, wanted.key)
    assert kept is not None
    if kept.fingerprint != wanted.fingerprint:
        raise KeyReused
    return _open(sealer, kept)


def keep(sealer: Sealer, tx: Connection, wanted: Claim, answer: Answer) -> None:
    """Keep the answer under its key."""
    sealed = sealer.seal("idempotency", wanted.key, msgspec.msgpack.encode(answer))
    idempotency.keep(tx, wanted.player, wanted.key, answer.status, sealed)


def shorten(sealer: Sealer, tx: Connection, kept: KeptAnswer, *, naming: bytes) -> None:
    """Reduce an answer that has these bytes in it to the fact that it was given, and where the game stood then."""
    try:
        answer = _open(sealer, kept)
    except Unreadable:
        return
    if naming not in answer.body:
        return
    document: Any = msgspec.json.decode(answer.body)
    known = document if isinstance(document, dict) else {}
    place = {name: known[name] for name in ("id", "version", "hash") if name in known}
    body = msgspec.json.encode(place | {"detail": SHORTENED})
    keep(sealer, tx, Claim(kept.player_id, kept.key, kept.fingerprint), Answer(answer.status, answer.headers, body))


def _open(sealer: Sealer, kept: KeptAnswer) -> Answer:
    assert kept.answer is not None
    return msgspec.msgpack.decode(sealer.open("idempotency", kept.key, kept.answer), type=Answer)
