"""What was made at some cost of a game that is over, kept beside it; and the digest of all rows it was made of."""

import hashlib
import zlib
from typing import Final

import sqlalchemy as sa
from sqlalchemy import bindparam

from service.store.connection import Connection
from service.store.database import Database, upsert
from service.store.event_store.checkpoints import checkpoints, signing_keys
from service.store.event_store.stream_rows import GAME, events, games, leaves
from service.store.outgoing.deliveries import deliveries, notices
from service.store.rows import ProofRow
from service.store.statements import Statement

proofs: Final = ProofRow.__table__  # type: ignore[attr-defined]


def _of_game(table: sa.Table, names: str, *order: str) -> Statement:
    found = sa.select(*(table.c[name] for name in names.split())).where(table.c.game_id == GAME)
    return Statement(found.order_by(*(table.c[name] for name in order)))


_EVIDENCE: Final = (
    Statement(sa.select(games.c.ruleset, games.c.version, games.c.hash, games.c.halted).where(games.c.id == GAME)),
    _of_game(events, "version type body hash", "version"),
    _of_game(leaves, "version number owner opened sealed", "version", "number"),
    _of_game(checkpoints, "version at hash key signature", "version"),
    _of_game(notices, "id recipient kind version created_at", "id"),
    _of_game(deliveries, "id notice_id channel state done_at", "id"),
)
"""All rows that an audit or a bundle of a game tells of."""
_kept: Final = Statement(
    sa.select(proofs.c.content).where(
        proofs.c.game_id == GAME,
        proofs.c.what == bindparam("what", type_=sa.String),
        proofs.c.digest == bindparam("digest", type_=sa.String),
    )
)


def evidence(connection: Connection, game: str) -> str:
    """SHA-256, hex, of all rows that an audit or a bundle of a game tells of: one changed byte is another digest."""
    digest = hashlib.sha256()
    for statement in _EVIDENCE:
        for row in statement(connection, game=game).fetchall():
            digest.update(repr(tuple(row)).encode(errors="surrogateescape") + b"\n")
        digest.update(b"\n")
    keys = sa.select(signing_keys).order_by(signing_keys.c.since, signing_keys.c.id)
    digest.update(repr([tuple(row) for row in connection.execute(keys)]).encode())
    return digest.hexdigest()


def kept(connection: Connection, game: str, what: str, digest: str) -> bytes | None:
    """What was made of a game of these very rows; None where nothing was, or rows have changed since."""
    row = _kept(connection, game=game, what=what, digest=digest).fetchone()
    return None if row is None else zlib.decompress(row[0])


def keep(database: Database, tx: Connection, game: str, what: str, digest: str, content: bytes) -> None:
    """Keep what was made, in place of what was made of other rows."""
    row = {"game_id": game, "what": what, "digest": digest, "content": zlib.compress(content)}
    anew = {name: row[name] for name in ("digest", "content")}
    tx.execute(
        upsert(database, proofs).values(row).on_conflict_do_update(index_elements=["game_id", "what"], set_=anew)
    )
