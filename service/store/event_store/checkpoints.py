"""Checkpoints of every append, and the keys that signed them: written with the append, never changed."""

from collections.abc import Sequence
from contextlib import suppress
from typing import Any, Final, Literal

import msgspec
import sqlalchemy as sa
from sqlalchemy import bindparam

from domain.audit.checkpoints import Checkpoint, Signed
from service.kernel import clock
from service.kernel.encryption import KEY_ID_BYTES
from service.kernel.signing import Signer
from service.store import records
from service.store.connection import Connection
from service.store.database import Database, upsert
from service.store.event_store.stream_rows import GAME, games, leaves
from service.store.event_store.streams import Head, Streams
from service.store.rows import CheckpointRow, SigningKeyRow
from service.store.statements import Statement

checkpoints: Final = CheckpointRow.__table__  # type: ignore[attr-defined]
signing_keys: Final = SigningKeyRow.__table__  # type: ignore[attr-defined]


class StoredCheckpoint(msgspec.Struct, frozen=True):
    """The head as it was after one append, signed."""

    game_id: str
    version: int
    at: int
    hash: str
    key: str
    signature: str


class SigningKey(msgspec.Struct, frozen=True):
    """A public key that this service has signed with, and the signature of an earlier one that vouches for it."""

    id: str
    public: str
    since: int
    endorser: str | None
    endorsement: str | None


class Unsigned(Exception):
    """No checkpoint was kept of an event, and nothing that was signed since vouches for it: it is not signed now."""

    def __init__(self, game: str, version: int) -> None:
        super().__init__(f"event {version} of game {game} was not signed when it was made, and cannot be now")
        self.version = version


class StrangeKey(Exception):
    """This database was sealed under another key: with the one at hand nothing is sealed or signed in it."""

    def __init__(self) -> None:
        super().__init__(
            "This database was sealed under another key: set WARDROOM_SECRET_KEY to that secret again, "
            "or WARDROOM_SECRET_KEYS_OLD to it where a new one is to follow it."
        )


_keep: Final = Statement(sa.insert(checkpoints))
_at: Final = Statement(
    sa.select(checkpoints).where(
        checkpoints.c.game_id == GAME, checkpoints.c.version == bindparam("upto", type_=sa.Integer)
    )
)

_after: Final = Statement(
    sa.select(checkpoints)
    .where(checkpoints.c.game_id == GAME, checkpoints.c.version > bindparam("upto", type_=sa.Integer))
    .order_by(checkpoints.c.version)
)


def keep(connection: Connection, signer: Signer, head: Head) -> None:
    """Sign the head just reached, and keep that. Answers nothing: it may stand in a batch."""
    made = signer.sign_checkpoint(Checkpoint(head.game, head.version, head.hash, clock.text(head.last_at)))
    _keep(
        connection,
        game_id=head.game,
        version=head.version,
        at=head.last_at,
        hash=head.hash,
        key=made.key,
        signature=made.signature,
    )


def kept(connection: Connection, game: str, version: int) -> Signed | None:
    """The checkpoint that was kept of an event; None where none was: it ended no append, or is older than that."""
    row = _at(connection, game=game, upto=version).fetchone()
    return None if row is None else _signed(row)


def of_game(connection: Connection, game: str, upto: int) -> list[Signed]:
    """The checkpoints kept of a game up to event `upto`, by version."""
    mine = (checkpoints.c.game_id == game, checkpoints.c.version <= upto)
    return [_signed(row) for row in connection.execute(sa.select(checkpoints).where(*mine).order_by("version"))]


def checkpoint(connection: Connection, streams: Streams, signer: Signer, game: str, version: int) -> Signed:
    """The signed checkpoint of an event that is there: the one kept, else one made now.

    What was not signed when it came about is signed only where one kept later vouches for it, or where the game is
    older than all keys: else whoever has the database would have the signatures, too. Raises Unsigned.
    """
    found = kept(connection, game, version)
    if found is not None:
        return found
    ensure_listed(streams.database, connection, signer)
    later = map(_signed, _after(connection, game=game, upto=version).fetchall())
    sound = next((signed.checkpoint for signed in later if signer.made(signed)), None)
    links = streams.links(connection, game, version, version if sound is None else sound.version)
    if not links or (is_owed(connection, game, links[0].at) if sound is None else links[-1].hash != sound.hash):
        raise Unsigned(game, version)
    return signer.sign_checkpoint(Checkpoint(game, version, links[0].hash, links[0].at))


def is_owed(connection: Connection, game: str, at: str) -> bool:
    """Whether a game has a checkpoint kept, or must have, if it got an event at this time."""
    some = connection.execute(sa.select(checkpoints.c.version).where(checkpoints.c.game_id == game).limit(1)).first()
    since = connection.execute(sa.select(sa.func.min(signing_keys.c.since))).scalar()
    return some is not None or (since is not None and at >= clock.text(since + EARLIER))


def _signed(row: Any) -> Signed:
    return Signed(Checkpoint(row[0], row[1], row[3], clock.text(row[2])), row[4], row[5])


# -- keys

SEALED: Final = (games.c.state, leaves.c.sealed)
"""What tells under which keys a database is."""
EARLIER: Final = 60 * clock.SECOND
"""A key is good from a little before it is listed: a move that began earlier may be signed with it as well."""


def list_key(database: Database, tx: Connection, signer: Signer, now: int) -> None:
    """Put the present key into the list before it signs what is kept; once a process, whoever comes first.

    Raises StrangeKey.
    """
    if database.listed == signer.key_id:
        return
    if _is_listed(tx, signer):
        database.listed = None if tx is database.listing else signer.key_id
        return
    if not _may_sign(tx, signer):
        raise StrangeKey
    _list(database, tx, signer, now)


def _list(database: Database, tx: Connection, signer: Signer, now: int) -> None:
    entry = msgspec.structs.asdict(_entry(tx, signer, now - EARLIER))
    tx.execute(upsert(database, signing_keys).values(entry).on_conflict_do_nothing())
    database.listing = tx


def ensure_listed(database: Database, connection: Connection, signer: Signer) -> None:
    """Put the present key into the list if it is not there, also where it was once: a restore may have lost it.

    A connection that only reads stays as it is: another one writes. Raises StrangeKey for a key that no earlier one
    vouches for, where there are some: such a one is listed with what it appends, or never.
    """
    if _is_listed(connection, signer):
        return
    database.listed = None
    if not _may_sign(connection, signer) or unvouched(connection, signer):
        raise StrangeKey
    if not connection.readonly:
        _list(database, connection, signer, database.clock.now(connection))
        return
    with database.write() as tx:
        list_key(database, tx, signer, database.clock.now(tx))


def require_known(connection: Connection, signer: Signer) -> None:
    """Raise StrangeKey unless the present key is in the list, or may be put there by what it appends."""
    if not _is_listed(connection, signer) and not _may_sign(connection, signer):
        raise StrangeKey


def _may_sign(connection: Connection, signer: Signer) -> bool:
    """Whether a key that is not listed belongs here: an earlier one vouches for it, or it opens what is sealed."""
    is_new = not any(_some_sealed(connection, column) for column in SEALED)  # first: another process may begin it now
    earlier = connection.execute(sa.select(signing_keys.c.id)).scalars().all()
    if any(signer.at_hand(key) for key in earlier):
        return True
    if any(_some_sealed(connection, column, signer.seals) for column in SEALED):
        return True
    return is_new and not earlier


def _some_sealed(connection: Connection, column: sa.Column[Any], under: Sequence[bytes] | None = None) -> bool:
    """Whether anything is sealed in a column, under one of these secrets."""
    begins = sa.func.substr(column, 1, KEY_ID_BYTES, type_=sa.LargeBinary)
    this = column.is_not(None) if under is None else begins.in_(under)
    return (
        connection.execute(sa.select(sa.literal(1)).select_from(column.table).where(this).limit(1)).first() is not None
    )


def published(database: Database, signer: Signer) -> list[dict[str, Any]]:
    """The public keys ever used, the present one among them if it belongs here, oldest first: format section 9."""
    with database.read() as connection:
        with suppress(StrangeKey):
            ensure_listed(database, connection, signer)
        return keys(connection)


def keys(connection: Connection) -> list[dict[str, Any]]:
    """The public keys in the list, oldest first."""
    return [_document(key) for key in _by_age(connection)]


def unvouched(connection: Connection, signer: Signer) -> Literal["now", "for good"] | None:
    """Whether no earlier key vouches for the present one though there are some: for good, or as long as it has not
    signed and the secrets of all of them are missing."""
    listed = _by_age(connection)
    present = next((key for key in listed if key.id == signer.key_id), None)
    if present is None:
        return "now" if listed and not any(signer.at_hand(key.id) for key in listed) else None
    return None if present.endorsement is not None or present == listed[0] else "for good"


def _by_age(connection: Connection) -> Sequence[SigningKey]:
    found = sa.select(*records.columns(SigningKey, signing_keys))
    return records.every(connection, SigningKey, found.order_by(signing_keys.c.since, signing_keys.c.id))


def _is_listed(connection: Connection, signer: Signer) -> bool:
    found = sa.select(signing_keys.c.id).where(signing_keys.c.id == signer.key_id)
    return connection.execute(found).first() is not None


def _entry(tx: Connection, signer: Signer, at: int) -> SigningKey:
    """The present key, younger than all before it, endorsed by the newest one whose secret is at hand."""
    listed = _by_age(tx)
    since = max([at, *(key.since + 1 for key in listed)])
    endorser = next((key.id for key in reversed(listed) if signer.at_hand(key.id)), None)
    endorsement = endorser and signer.endorse(endorser, clock.text(since))
    return SigningKey(signer.key_id, signer.public, since, endorser, endorsement)


def _document(key: SigningKey) -> dict[str, Any]:
    vouched = key.endorsement and {"key": key.endorser, "signature": key.endorsement}
    return {"endorsement": vouched, "id": key.id, "public": key.public, "since": clock.text(key.since)}
