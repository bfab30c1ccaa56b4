"""The parts of a backup: a manifest, which is the first, files, the rows of tables, and an end, which is the last."""

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Final

import msgspec

from service.backup.archive import LARGEST, NotABackup
from service.store.structure.table_rows import CannotCopy, TableShape

FORMAT: Final = "wardroom-backup"
NUMBER: Final = 1
"""Of the format."""
MANIFEST: Final = "manifest.json"
END: Final = "end.json"
ERASED: Final = "files/erased"
KEY: Final = "key/secret-key"
OLD_KEYS: Final = "key/secret-keys-old"
FILES: Final = (ERASED, KEY, OLD_KEYS)
"""Parts that are files, in their order; those that are there."""
PART: Final = 1 << 20
"""Bytes after which a new part of a table begins."""
TYPES: Final[dict[str, type]] = {"boolean": bool, "integer": int, "bytes": bytes, "text": str}
SIGNED: Final = b"wardroom-backup-v1\n"


class LogHeadTold(msgspec.Struct, frozen=True):
    """The house log as it was."""

    size: int
    time: str
    root: str


class Manifest(msgspec.Struct, frozen=True, kw_only=True):
    """What a backup says about itself before it begins."""

    format: str
    number: int
    release: str
    schema: str
    database: str
    base_url: str
    taken_at: str
    tables: tuple[TableShape, ...]
    last_numbers: dict[str, int]
    log_head: LogHeadTold | None
    files: tuple[str, ...]

    @property
    def has_key(self) -> bool:
        """Whether the secret key is in it."""
        return KEY in self.files


class TableTold(msgspec.Struct, frozen=True):
    """A table: how many rows it has, and the SHA-256 of all its parts, one behind the other."""

    rows: int
    digest: str


class Digests(msgspec.Struct, frozen=True):
    """What was in a backup, by whoever wrote it: SHA-256 in hex. `seals` are the ids of the secrets that something in
    it is sealed under, the present one first."""

    manifest: str
    seals: tuple[str, ...]
    tables: dict[str, TableTold]
    files: dict[str, str]


class End(msgspec.Struct, frozen=True):
    """The last part: the digests, and the service's signature of them."""

    digests: Digests
    key: str
    signature: str


def message(digests: Digests) -> bytes:
    """What is signed."""
    return SIGNED + msgspec.json.encode(digests, order="sorted")


def part_name(table: str, number: int) -> str:
    """The name of a part of a table."""
    return f"tables/{table}/{number:06}.ndjson"


def table_of(name: str) -> tuple[str, int] | None:
    """The table and the number that a name tells; None for what is no part of a table."""
    found = re.fullmatch(r"tables/([a-z_]{1,60})/([0-9]{6})\.ndjson", name)
    return (found[1], int(found[2])) if found else None


class Lines:
    """Rows of one table as lines of JSON, and back. Bytes are base64."""

    def __init__(self, shape: TableShape) -> None:
        self.name = shape.name
        kinds = [TYPES[column.kind] for column in shape.columns]
        fields = [kind | None if column.null else kind for kind, column in zip(kinds, shape.columns, strict=True)]
        self._may = [{kind, type(None)} for kind in kinds]
        self._known: set[tuple[type, ...]] = set()
        self._decoder = msgspec.json.Decoder(tuple[tuple(fields)])  # type: ignore[misc]

    def write(self, rows: Iterable[Sequence[Any]]) -> Iterator[tuple[int, bytes]]:
        """Parts: how many rows, and their lines. Raises CannotCopy for a value that its column cannot have."""
        lines: list[bytes] = []
        size = 0
        for row in rows:
            self._require_kinds(row)
            lines.append(msgspec.json.encode(row))
            size += len(lines[-1]) + 1
            if size >= PART:
                yield len(lines), self._joined(lines)
                lines, size = [], 0
        if lines:
            yield len(lines), self._joined(lines)

    def read(self, part: bytes) -> Iterator[Sequence[Any]]:
        """The rows in a part. Raises NotABackup."""
        if not part.endswith(b"\n"):
            raise NotABackup(f"A part of the table {self.name} does not end with its last row.")
        try:
            yield from map(self._decoder.decode, part[:-1].split(b"\n"))
        except msgspec.DecodeError as error:
            raise NotABackup(f"A row of the table {self.name} cannot be read.") from error

    def _require_kinds(self, row: Sequence[Any]) -> None:
        found = tuple(map(type, row))
        if found not in self._known:
            if any(kind not in may for kind, may in zip(found, self._may, strict=True)):
                raise CannotCopy(f"A row of the table {self.name} has a value of another kind than its column.")
            self._known.add(found)

    def _joined(self, lines: list[bytes]) -> bytes:
        part = b"\n".join(lines) + b"\n"
        if len(part) > LARGEST:
            raise CannotCopy(f"A row of the table {self.name} is larger than any backup could hold.")
        return part
