"""Reading a backup: every byte of it is held against its digests before anybody believes a row."""

import hashlib
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any, Final

import msgspec

from service.backup import contents
from service.backup.archive import ArchiveReader, NotABackup
from service.backup.contents import Digests, End, Lines, Manifest, TableTold
from service.kernel import clock
from service.store.structure.table_rows import TableShape

NAME: Final = re.compile("[a-z][a-z_0-9]{0,59}")


@dataclass(frozen=True, slots=True)
class Backup:
    """A backup that was read from its first byte to its last, and is whole."""

    path: Path
    manifest: Manifest
    files: dict[str, bytes]
    end: End
    unpacked: int

    def digest_of_end(self) -> str:
        """What tells it from every other backup: the SHA-256 of its digests."""
        return hashlib.sha256(contents.message(self.end.digests)).hexdigest()


class BackupReader:
    """Reads a backup once, in its order. Raises NotABackup for whatever was not written so."""

    def __init__(self, file: IO[bytes]) -> None:
        self._archive = ArchiveReader(file)
        self._members = self._archive.members()
        name, head = next(self._members, ("", b""))
        if name != contents.MANIFEST:
            raise NotABackup("It does not begin with a manifest: it is no backup of Wardroom.")
        self.manifest = _manifest(head)
        self._manifest_digest = hashlib.sha256(head).hexdigest()
        self._tables: dict[str, TableTold] = {}
        self._next = next(self._members, None)
        self.files = {name: self._take(name) for name in self.manifest.files}

    def tables(self) -> Iterator[tuple[TableShape, Iterator[Sequence[Any]]]]:
        """Each table with its rows, all of which must be read before the next."""
        for shape in self.manifest.tables:
            yield shape, self._rows(shape)

    def end(self) -> End:
        """What the last part says, which fits all that was read."""
        found = self._take(contents.END)
        if self._next is not None:
            raise NotABackup(f"It has a part that does not belong there: {self._next[0]!r}.")
        try:
            end = msgspec.json.decode(found, type=End)
        except msgspec.DecodeError as error:
            raise NotABackup("Its end cannot be read.") from error
        self._compare(end.digests)
        return end

    @property
    def unpacked(self) -> int:
        """Bytes that were unpacked."""
        return self._archive.unpacked

    def _rows(self, shape: TableShape) -> Iterator[Sequence[Any]]:
        lines, digest, rows, number = Lines(shape), hashlib.sha256(), 0, 1
        while self._next is not None and self._next[0] == contents.part_name(shape.name, number):
            part = self._next[1]
            digest.update(part)
            for row in lines.read(part):
                yield row
                rows += 1
            self._next = next(self._members, None)
            number += 1
        self._tables[shape.name] = TableTold(rows, digest.hexdigest())

    def _take(self, name: str) -> bytes:
        """The part that must come now."""
        if self._next is None:
            raise NotABackup(f"It is not whole: {name!r} is missing.")
        if self._next[0] != name:
            raise NotABackup(f"It has {self._next[0]!r} where {name!r} must be.")
        found = self._next[1]
        self._next = next(self._members, None)
        return found

    def _compare(self, digests: Digests) -> None:
        if digests.manifest != self._manifest_digest:
            raise NotABackup("Its manifest is not the one that was written.")
        files = {name: hashlib.sha256(content).hexdigest() for name, content in self.files.items()}
        if wrong := _first_other(files, digests.files):
            raise NotABackup(f"{wrong!r} is not as it was written.")
        if wrong := _first_other(self._tables, digests.tables):
            raise NotABackup(f"The table {wrong} is not as it was written: rows were changed, added or lost.")


def look_through(path: Path) -> Backup:
    """Read a backup from front to end. Raises NotABackup, OSError."""
    with path.open("rb") as file:
        reader = BackupReader(file)
        for _, rows in reader.tables():
            for _ in rows:
                pass
        end = reader.end()
    return Backup(path, reader.manifest, reader.files, end, reader.unpacked)


def _manifest(head: bytes) -> Manifest:
    try:
        said = msgspec.json.decode(head, type=dict[str, Any])
        if said.get("format") != contents.FORMAT:
            raise NotABackup("Its manifest is none of a backup of Wardroom.")
        if said.get("number") != contents.NUMBER:
            raise NotABackup("Its format is of a later release than this one: restore it with that, or a later one.")
        manifest = msgspec.json.decode(head, type=Manifest)
    except msgspec.DecodeError as error:
        raise NotABackup("Its manifest cannot be read.") from error
    names = [shape.name for shape in manifest.tables]
    columns = [column for shape in manifest.tables for column in shape.columns]
    well = names == sorted(set(names)) and {*manifest.last_numbers} <= {*names}
    well &= list(manifest.files) == [name for name in contents.FILES if name in manifest.files]
    well &= all(NAME.fullmatch(name) for name in (*names, *(column.name for column in columns)))
    well &= all(column.kind in contents.TYPES for column in columns)
    well &= all(0 <= number < 1 << 62 for number in manifest.last_numbers.values())
    try:
        clock.from_text(manifest.taken_at)
    except ValueError:
        well = False
    if not well:
        raise NotABackup("Its manifest names what no backup has.")
    return manifest


def _first_other(found: dict[str, Any], told: dict[str, Any]) -> str | None:
    """The first name by which two mappings are not the same."""
    return next((name for name in sorted({*found, *told}) if found.get(name) != told.get(name)), None)
