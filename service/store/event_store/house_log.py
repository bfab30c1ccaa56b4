"""The house log: games that were opened and ended, in a list that only grows, and its signed heads."""

from collections.abc import Collection, Iterator, Sequence
from typing import Any, Final

import msgspec
import sqlalchemy as sa
from sqlalchemy import bindparam

from domain.audit.house_log import ENDED, OPENED, LogEntry, LogHead
from domain.audit.merkle import Subtree, grown, hash_within, root_of
from service.kernel import clock
from service.store import records
from service.store.connection import Connection
from service.store.database import Database, upsert
from service.store.event_store.stream_rows import events, games
from service.store.rows import LogEntryRow, LogHeadRow, UnloggedRow
from service.store.statements import Statement

_unlogged: Final = UnloggedRow.__table__  # type: ignore[attr-defined]
log_entries: Final = LogEntryRow.__table__  # type: ignore[attr-defined]
log_heads: Final = LogHeadRow.__table__  # type: ignore[attr-defined]
_told: Final = Statement(
    sa.delete(_unlogged).where(
        _unlogged.c.game_id == bindparam("game", type_=sa.String),
        _unlogged.c.what == bindparam("what", type_=sa.String),
    )
)
_OVER: Final = games.c.status.not_in(("open", "running"))
LOCK: Final = 0x77617264726F6F6D
"""Of the log, on PostgreSQL: who appends is alone."""


class LogRow(msgspec.Struct, frozen=True):
    """What an entry tells, in the units of its columns."""

    what: str
    game_id: str
    version: int
    hash: str
    at: int


class _HeadRow(msgspec.Struct, frozen=True):
    size: int
    at: int
    root: str
    key: str
    signature: str
    peaks: bytes


def lock(tx: Connection) -> bool:
    """Be the one who appends until the transaction ends; False where somebody else is."""
    if tx.dialect.name != "postgresql":
        return True
    alone: bool = tx.execute(sa.select(sa.func.pg_try_advisory_xact_lock(LOCK))).scalar_one()
    return alone


def tell(database: Database, tx: Connection, game: str, what: str) -> None:
    """Note that a game was opened or ended, for the log. A guest's game is not noted, and twice is once."""
    found = sa.select(games.c.id, sa.literal(what)).where(games.c.id == game, ~games.c.guest)
    tx.execute(upsert(database, _unlogged).from_select(["game_id", "what"], found).on_conflict_do_nothing())


def tell_again(database: Database, tx: Connection, these: Collection[str]) -> None:
    """Note again that these games were opened or ended, unless the log says so already."""
    for kind, holds in ((OPENED, sa.true()), (ENDED, _OVER)):
        entry = sa.exists().where(log_entries.c.game_id == games.c.id, log_entries.c.what == kind)
        these_kept = games.c.id.in_(these), ~games.c.guest
        missing = sa.select(games.c.id, sa.literal(kind)).where(*these_kept, holds, ~entry)
        tx.execute(upsert(database, _unlogged).from_select(["game_id", "what"], missing).on_conflict_do_nothing())


def waiting(connection: Connection, most: int) -> list[LogRow]:
    """Up to `most` openings and ends that are not in the log, by time, game and kind."""

    def unlogged(what: str, *told: Any) -> sa.Select[Any]:
        entry = sa.exists().where(log_entries.c.game_id == games.c.id, log_entries.c.what == what)
        found: sa.Select[Any] = sa.select(sa.literal(what), games.c.id, *told)
        return found.join(_unlogged, _unlogged.c.game_id == games.c.id).where(_unlogged.c.what == what, ~entry)

    first = sa.and_(events.c.game_id == games.c.id, events.c.version == 1)
    opened = unlogged(OPENED, sa.literal(1), events.c.hash, games.c.created_at).join(events, first)
    ended = unlogged(ENDED, games.c.version, games.c.hash, games.c.last_at).where(_OVER, games.c.halted_at.is_(None))
    found: list[LogRow] = []
    for statement, at in ((opened, games.c.created_at), (ended, games.c.last_at)):
        found += records.every(connection, LogRow, statement.order_by(at, games.c.id).limit(most))
    return sorted(found, key=lambda row: (row.at, row.game_id, row.version))[:most]


def append(tx: Connection, rows: Sequence[LogRow], now: int, sign: Any) -> LogHead:
    """Append these and sign the head; `sign` gives key and signature of a message."""
    before = _last(tx)
    size, peaks = (0, b"") if before is None else (before.size, before.peaks)
    found = [
        {"number": number, "leaf": entry_of(row).leaf(), **msgspec.structs.asdict(row)}
        for number, row in enumerate(rows, size)
    ]
    tx.execute(sa.insert(log_entries), found)
    for row in rows:
        _told(tx, game=row.game_id, what=row.what)
    subtrees = grown(_parts(peaks), size, [row["leaf"] for row in found])
    at = now if before is None else max(now, before.at)
    head = LogHead(size + len(found), clock.text(at), root_of(subtrees).hex())
    key, signature = sign(head.message())
    kept = {"size": head.size, "at": at, "root": head.root, "key": key, "signature": signature}
    tx.execute(sa.insert(log_heads).values(**kept, peaks=b"".join(subtrees)))
    return LogHead(head.size, head.time, head.root, key, signature)


def latest(connection: Connection) -> LogHead | None:
    """The newest signed head; None before the first."""
    row = _last(connection)
    return None if row is None else _head_of(row)


def heads(connection: Connection) -> list[LogHead]:
    """Every signed head, by size."""
    found = sa.select(*records.columns(_HeadRow, log_heads)).order_by(log_heads.c.size)
    return [_head_of(row) for row in records.every(connection, _HeadRow, found)]


def entries(connection: Connection) -> Iterator[LogEntry]:
    """Every entry as its columns tell it, in their order."""
    found = sa.select(*records.columns(LogRow, log_entries)).order_by(log_entries.c.number)
    for row in connection.execute(found):
        yield entry_of(LogRow(*row))


def proof(connection: Connection, subtrees: Sequence[Subtree]) -> list[bytes]:
    """The hashes of these subtrees: each from the last head that was signed within it, and from the entries since.

    So one is made of some thirty rows of a hundred thousand, and of AT_ONCE entries for each subtree at the most.
    """
    sizes = _sizes_within(connection, subtrees)
    last = sa.select(log_heads.c.size, log_heads.c.peaks).where(log_heads.c.size.in_(sizes))
    peaks = {size: _parts(bytes(kept)) for size, kept in connection.execute(last)}
    return [
        hash_within(subtree, size, peaks.get(size, ()), _leaves(connection, size, subtree[1]))
        for subtree, size in zip(subtrees, sizes, strict=True)
    ]


def _sizes_within(connection: Connection, subtrees: Sequence[Subtree]) -> list[int]:
    """For each subtree the size of the last head that ends in it, before its end; its begin where there is none."""
    if not subtrees:
        return []
    size = log_heads.c.size
    last = [sa.select(sa.func.max(size)).where(size > begin, size < end).scalar_subquery() for begin, end in subtrees]
    found = connection.execute(sa.select(*last)).one()
    return [begin if newest is None else newest for newest, (begin, _) in zip(found, subtrees, strict=True)]


def _leaves(connection: Connection, begin: int, end: int) -> list[bytes]:
    within = (log_entries.c.number >= begin, log_entries.c.number < end)
    found = sa.select(log_entries.c.leaf).where(*within).order_by(log_entries.c.number)
    return [bytes(leaf) for leaf in connection.execute(found).scalars()]


def places(connection: Connection, game: str, hashes: Sequence[str], size: int) -> list[tuple[int, LogEntry]]:
    """The entries of these events of a game among the first so many, with their places."""
    mine = (log_entries.c.game_id == game, log_entries.c.hash.in_(hashes), log_entries.c.number < size)
    found = sa.select(log_entries.c.number, *records.columns(LogRow, log_entries)).where(*mine)
    rows = connection.execute(found.order_by(log_entries.c.number)).all()
    return [(row[0], entry_of(LogRow(*row[1:]))) for row in rows]


class Known(msgspec.Struct, frozen=True):
    """What the log is compared with: the first and the last event of a game, as its rows have them."""

    id: str
    version: int
    hash: str
    status: str
    created_at: int
    last_at: int
    first: str | None


def known(connection: Connection) -> dict[str, Known]:
    """Return every game by its id. Games of guests are not in the log."""
    first = sa.and_(events.c.game_id == games.c.id, events.c.version == 1)
    found = (
        sa.select(
            games.c.id,
            games.c.version,
            games.c.hash,
            games.c.status,
            games.c.created_at,
            games.c.last_at,
            events.c.hash,
        )
        .outerjoin(events, first)
        .where(~games.c.guest)
    )
    return {row[0]: Known(*row) for row in connection.execute(found)}


def entry_of(row: LogRow) -> LogEntry:
    """A row as the entry that is hashed."""
    return LogEntry(row.what, row.game_id, row.version, row.hash, clock.text(row.at))  # type: ignore[arg-type]


_newest: Final = Statement(
    sa.select(*records.columns(_HeadRow, log_heads)).order_by(log_heads.c.size.desc()).limit(sa.literal_column("1"))
)


def _last(connection: Connection) -> _HeadRow | None:
    row = _newest(connection).fetchone()
    return None if row is None else _HeadRow(*row)


def _head_of(row: _HeadRow) -> LogHead:
    return LogHead(row.size, clock.text(row.at), row.root, row.key, row.signature)


def _parts(peaks: bytes) -> list[bytes]:
    return [peaks[at : at + 32] for at in range(0, len(peaks), 32)]
