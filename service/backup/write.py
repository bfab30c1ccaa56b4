"""Writing a backup: everything as it was at one moment, while the service goes on."""

import hashlib
import shutil
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import msgspec

from config.release import release
from service.backup import contents
from service.backup.archive import ArchiveWriter, Sink
from service.backup.contents import Digests, End, Lines, LogHeadTold, Manifest, TableTold
from service.container import Services
from service.integrity.key_rotation import PLACES
from service.kernel import clock
from service.kernel.encryption import KEY_ID_BYTES
from service.privacy import erasure_journal
from service.store.database import Connection, Database
from service.store.event_store import house_log
from service.store.structure import migrate, sqlite_copy, table_rows
from service.store.structure.table_rows import CannotCopy, TableShape

SEALED: Final = {("games", "state"), ("leaves", "sealed"), ("messages", "body")} | {
    (place.column.table.name, place.column.name) for place in PLACES
}
"""Table and column of all that is sealed."""
EMPTY: Final = "There is nothing to back up: the database is empty. `wardroom migrate` makes its tables."
Told = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class Written:
    """A backup that was written: its manifest, its end, and its size in bytes."""

    manifest: Manifest
    end: End
    size: int


def write(services: Services, sink: Sink, *, with_key: bool, folder: Path, told: Told = lambda line: None) -> Written:
    """Write a backup of a database to a sink. `folder` has room for a copy of a SQLite file.

    Raises CannotCopy, OSError where there is no room.
    """
    with _at_one_moment(services.database, folder, told) as connection:
        return _Writer(services, connection, sink, told).write(_files(services, with_key=with_key))


@contextmanager
def _at_one_moment(database: Database, folder: Path, told: Told) -> Iterator[Connection]:
    """A connection that sees one moment for as long as it takes, and holds nobody up."""
    if not database.is_sqlite:
        with database.long_snapshot() as connection:
            yield connection
        return
    path = Path(database.engine.url.database or "")
    if not path.exists():
        raise CannotCopy(EMPTY)
    size = path.stat().st_size
    require_room(folder, size + size // 4)
    with tempfile.TemporaryDirectory(prefix=".wardroom-backup-", dir=folder) as inside:
        told(f"Copying {_megabytes(size)} as they are now …")
        sqlite_copy.copy(database, Path(inside) / "copy.sqlite")
        copied = Database(f"sqlite:///{inside}/copy.sqlite", durable=False)
        try:
            with copied.snapshot() as connection:
                yield connection
        finally:
            copied.close()


def require_room(folder: Path, size: int) -> None:
    """Raise OSError where a folder has not so many bytes left."""
    free = shutil.disk_usage(folder).free
    if free < size:
        raise OSError(f"{folder} has {_megabytes(free)} free, and about {_megabytes(size)} are needed")


def _files(services: Services, *, with_key: bool) -> dict[str, bytes]:
    """The files beside the database that belong to it, by their names in a backup."""
    found = {}
    journal = erasure_journal.path(services.settings.data_dir)
    if journal.is_file():
        found[contents.ERASED] = journal.read_bytes()
    if with_key:
        found[contents.KEY] = f"{services.settings.secret_key}\n".encode()
        if old := services.settings.secret_keys_old:
            found[contents.OLD_KEYS] = f"{','.join(old)}\n".encode()
    return found


class _Writer:
    def __init__(self, services: Services, connection: Connection, sink: Sink, told: Told) -> None:
        self._services, self._connection, self._sink, self._told = services, connection, sink, told
        self._seals = {services.sealer.current: None}  # in order

    def write(self, files: dict[str, bytes]) -> Written:
        manifest = self._manifest(tuple(files))
        at = clock.from_text(manifest.taken_at) // clock.SECOND
        archive = ArchiveWriter(self._sink, at)
        head = msgspec.json.format(msgspec.json.encode(manifest), indent=1)
        archive.add(contents.MANIFEST, head)
        for name, content in files.items():
            archive.add(name, content)
        tables = {shape.name: self._table(archive, shape) for shape in manifest.tables}
        seals = tuple(key.hex() for key in self._seals if key in self._services.sealer.masters)
        digests = {name: hashlib.sha256(content).hexdigest() for name, content in files.items()}
        end = self._end(Digests(hashlib.sha256(head).hexdigest(), seals, tables, digests))
        archive.add(contents.END, msgspec.json.format(msgspec.json.encode(end), indent=1))
        archive.end()
        return Written(manifest, end, archive.size)

    def _manifest(self, files: Sequence[str]) -> Manifest:
        connection, settings = self._connection, self._services.settings
        schema = migrate.revision_of(connection)
        if schema is None:
            raise CannotCopy(EMPTY)
        if not migrate.is_known(schema):
            raise CannotCopy(
                f"The database is at {schema}, which this release does not know: "
                "back it up with the release that runs it."
            )
        shapes = table_rows.shapes(connection)
        head = house_log.latest(connection) if any(shape.name == "log_heads" for shape in shapes) else None
        return Manifest(
            format=contents.FORMAT,
            number=contents.NUMBER,
            release=release().version,
            schema=schema,
            database="SQLite" if self._services.database.is_sqlite else "PostgreSQL",
            base_url=settings.base_url,
            taken_at=clock.text(self._services.database.clock.now(connection)),
            tables=tuple(shapes),
            last_numbers=table_rows.last_numbers(connection),
            log_head=None if head is None else LogHeadTold(head.size, head.time, head.root),
            files=tuple(files),
        )

    def _table(self, archive: ArchiveWriter, shape: TableShape) -> TableTold:
        lines, digest, count = Lines(shape), hashlib.sha256(), 0
        rows = self._noting_seals(shape, table_rows.rows(self._connection, shape))
        for number, (rows_in_it, part) in enumerate(lines.write(rows), 1):
            archive.add(contents.part_name(shape.name, number), part)
            digest.update(part)
            count += rows_in_it
            if number % 16 == 0:
                self._told(f"{shape.name}: {count} rows")
        return TableTold(count, digest.hexdigest())

    def _noting_seals(self, shape: TableShape, rows: Iterator[tuple[Any, ...]]) -> Iterator[tuple[Any, ...]]:
        """The rows, while it is noted under which keys something in them is sealed."""
        sealed = [place for place, column in enumerate(shape.columns) if (shape.name, column.name) in SEALED]
        if not sealed:
            yield from rows
            return
        for row in rows:
            for place in sealed:
                if row[place]:
                    self._seals.setdefault(row[place][:KEY_ID_BYTES])
            yield row

    def _end(self, digests: Digests) -> End:
        signer = self._services.signer
        return End(digests, signer.key_id, signer.sign(contents.message(digests)))


def _megabytes(size: int) -> str:
    return f"{max(1, round(size / 1e6))} MB"
