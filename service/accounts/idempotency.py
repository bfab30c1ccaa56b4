"""The same request twice is one act: answers kept under a player's Idempotency-Key, in the act's own transaction."""

import hashlib
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

import msgspec
import sqlalchemy as sa
from sqlalchemy import Connection

from service.container import Services
from service.kernel.encryption import Unreadable
from service.store.database import upsert
from service.store.rows import IdempotencyRow

rows: Final = IdempotencyRow.__table__  # type: ignore[attr-defined]
SHORTENED: Final = "This was done. What was answered then named somebody who is gone: read the game again."
KEY: Final = re.compile(r"[\x21-\x7e]{1,128}")


class KeyReused(Exception):
    """The key was used with another request."""


class Answer(msgspec.Struct, frozen=True):
    """What was answered: status, headers, body."""

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


def replay(services: Services, tx: Connection, wanted: Claim) -> Answer | None:
    """The answer this key already has; None, and the key is ours until the transaction ends.

    On PostgreSQL a twin waits here for the first to commit. Raises KeyReused.
    """
    now = services.database.clock.now(tx)
    ours = (
        upsert(services.database, rows)
        .values(player_id=wanted.player, key=wanted.key, fingerprint=wanted.fingerprint, created_at=now)
        .on_conflict_do_nothing()
        .returning(rows.c.key)
    )
    if tx.execute(ours).first() is not None:
        return None
    row = tx.execute(sa.select(rows).where(*_is(wanted))).mappings().one()
    if row["fingerprint"] != wanted.fingerprint:
        raise KeyReused
    return msgspec.msgpack.decode(services.sealer.open("idempotency", wanted.key, row["answer"]), type=Answer)


def keep(services: Services, tx: Connection, wanted: Claim, answer: Answer) -> None:
    """Keep the answer under its key."""
    sealed = services.sealer.seal("idempotency", wanted.key, msgspec.msgpack.encode(answer))
    tx.execute(sa.update(rows).where(*_is(wanted)).values(status=answer.status, answer=sealed))


def shorten(services: Services, tx: Connection, row: Mapping[str, Any], *, naming: bytes) -> None:
    """Keep of an answer that has these bytes in it only that it was given, and where the game stood then."""
    try:
        answer = msgspec.msgpack.decode(services.sealer.open("idempotency", row["key"], row["answer"]), type=Answer)
    except Unreadable:
        return
    if naming not in answer.body:
        return
    told: Any = msgspec.json.decode(answer.body)
    place = {name: told[name] for name in ("id", "version", "hash") if name in told} if isinstance(told, dict) else {}
    body = msgspec.json.encode(place | {"detail": SHORTENED})
    keep(
        services,
        tx,
        Claim(row["player_id"], row["key"], row["fingerprint"]),
        Answer(answer.status, answer.headers, body),
    )


def _is(wanted: Claim) -> tuple[sa.ColumnElement[bool], ...]:
    return rows.c.player_id == wanted.player, rows.c.key == wanted.key
