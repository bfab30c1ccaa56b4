"""The file of a backup: a tar in a gzip, written and read from front to end with little memory.

It is a subset of ustar in which every byte of a header is laid down: regular files with short names, mode 0600, one
time for all. So a reader needs no extended header, which could be of any size, and sees every bit that was changed.
"""

import tarfile
import zlib
from collections.abc import Iterator
from typing import IO, Final, Protocol

BLOCK: Final = 512
LARGEST: Final = 64 << 20
"""Bytes that a member may have."""
PIECE: Final = 1 << 18
DENSEST: Final = 900
"""How many times larger than the file its contents may be: rows never are, and the densest deflate is 1032."""
FREE_OF_THAT: Final = 64 << 20
CUT: Final = "It is cut short: its end is missing."
LEVEL: Final = 6


class NotABackup(Exception):
    """A file is no backup, or was damaged. The message is a sentence."""


class Sink(Protocol):
    """Where bytes go: a file, a pipe."""

    def write(self, data: bytes, /) -> object: ...


class ArchiveWriter:
    """Writes members one after the other; `end` when there are no more."""

    def __init__(self, file: Sink, at: int) -> None:
        self.size = 0
        self._file, self._at = file, at
        self._packed = zlib.compressobj(LEVEL, zlib.DEFLATED, 31)

    def add(self, name: str, content: bytes) -> None:
        """Add a member."""
        self._write(_header(name, len(content), self._at) + content + bytes(-len(content) % BLOCK))

    def end(self) -> None:
        """Write what ends a tar, and the rest of what is packed."""
        self._write(bytes(2 * BLOCK))
        self._put(self._packed.flush())

    def _write(self, data: bytes) -> None:
        self._put(self._packed.compress(data))

    def _put(self, data: bytes) -> None:
        if data:
            self._file.write(data)
            self.size += len(data)


class ArchiveReader:
    """Reads members in their order. Raises NotABackup for any byte that no `ArchiveWriter` would have written."""

    def __init__(self, file: IO[bytes]) -> None:
        self.unpacked = 0
        self._file, self._read = file, 0
        self._unpacker = zlib.decompressobj(31)
        self._waiting = b""

    def members(self) -> Iterator[tuple[str, bytes]]:
        """Name and content of each member, to the end of the file."""
        at = None
        while any(block := self._take(BLOCK)):
            name, size, time = _fields(block)
            at = time if at is None else at
            if block != _header(name, size, at):
                raise NotABackup(f"The header of {name!r} was changed, or is of a kind that no backup has.")
            content = self._take(size)
            if any(self._take(-size % BLOCK)):
                raise NotABackup(f"There is something behind {name!r} that belongs to nothing.")
            yield name, content
        if any(self._take(BLOCK)) or self._more(1) or self._unpacker.unused_data or self._file.read(1):
            raise NotABackup("It goes on behind its end.")
        if not self._unpacker.eof:
            raise NotABackup(CUT)

    def _take(self, size: int) -> bytes:
        pieces = []
        while size:
            piece = self._more(size)
            if not piece:
                raise NotABackup(CUT)
            pieces.append(piece)
            size -= len(piece)
        return b"".join(pieces)

    def _more(self, most: int) -> bytes:
        """Up to `most` unpacked bytes; none at the end."""
        while not self._unpacker.eof:
            packed = self._waiting or self._file.read(PIECE)
            self._read += len(packed) if not self._waiting else 0
            try:
                found = self._unpacker.decompress(packed, most)
            except zlib.error as error:
                raise NotABackup("It is no gzip file, or some of its bytes were changed.") from error
            self._waiting = self._unpacker.unconsumed_tail
            self.unpacked += len(found)
            if self.unpacked > FREE_OF_THAT + DENSEST * self._read:
                raise NotABackup(f"It unpacks to more than {DENSEST} times its size, which no backup does.")
            if found:
                return found
            if not packed:
                break
        return b""


def _header(name: str, size: int, at: int) -> bytes:
    member = tarfile.TarInfo(name)
    member.size, member.mtime, member.mode, member.uname, member.gname = size, at, 0o600, "wardroom", "wardroom"
    return member.tobuf(tarfile.USTAR_FORMAT)


def _fields(header: bytes) -> tuple[str, int, int]:
    """Name, size and time as a header has them."""
    try:
        found = tarfile.TarInfo.frombuf(header, "ascii", "strict")
    except (tarfile.HeaderError, UnicodeDecodeError) as error:
        raise NotABackup("It is no tar file, or some of its bytes were changed.") from error
    if not 0 <= found.size <= LARGEST or not 0 <= found.mtime < 1 << 33 or len(found.name) > 100:
        raise NotABackup(f"{found.name[:100]!r} cannot be a part of a backup: its size, time or name is beyond any.")
    return found.name, found.size, int(found.mtime)
