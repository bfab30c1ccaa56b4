"""The file of finished tables of an arena: one record a line, appended, so that an arena can be taken up again."""

import hashlib
from collections.abc import Iterator
from importlib import resources
from pathlib import Path

import msgspec

import domain
from domain.search.standing import Record


class NoRecords(Exception):
    """A file that is no file of records. The message says what to do."""


def code_digest(kind: str) -> str:
    """A digest of the code that plays a game: its rules, its guidance, the search, and what all games are made with."""
    whole = hashlib.sha256()
    root = resources.files(domain)
    with resources.as_file(root) as folder:
        for room in ("engine", "search", f"{kind.replace('-', '_')}/rules", f"{kind.replace('-', '_')}/search"):
            for path in sorted((folder / room).rglob("*")):
                if path.suffix in (".py", ".toml"):
                    whole.update(f"{path.relative_to(folder)}\n".encode() + path.read_bytes())
    return whole.hexdigest()[:16]


def read_records(path: Path | None) -> list[Record]:
    """The records of a file, none where there is none yet. A last line that was cut short is taken away.

    Raises NoRecords where the file holds something else.
    """
    if path is None or not path.exists():
        return []
    content = path.read_bytes()
    whole = content[: content.rfind(b"\n") + 1]
    if len(whole) < len(content):
        if content.startswith(b"{"):
            path.write_bytes(whole)
        else:
            raise NoRecords(f"{path} holds no records of tables: name another file.")
    return list(_decoded(path, whole))


def _decoded(path: Path, content: bytes) -> Iterator[Record]:
    decoder = msgspec.json.Decoder(Record)
    for number, line in enumerate(content.splitlines(), 1):
        try:
            yield decoder.decode(line)
        except msgspec.DecodeError as error:
            raise NoRecords(f"Line {number} of {path} is no record of a table: name another file.") from error


def append(path: Path | None, record: Record) -> None:
    """Write one record at the end of the file, where there is one."""
    if path is not None:
        with path.open("ab") as file:
            file.write(msgspec.json.encode(record) + b"\n")
