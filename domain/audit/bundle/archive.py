"""The archive of an audit bundle: a ZIP file every byte of which follows from the files in it (format.md 2)."""

from collections.abc import Iterator, Mapping
from io import BytesIO
from typing import Final
from zipfile import ZipFile, ZipInfo

MANIFEST: Final = "manifest.json"
SIGNATURE: Final = "signature.json"
README: Final = "README.txt"
EVENTS: Final = "events.ndjson"
RULES: Final = "rules.json"
DRAWS: Final = "draws.json"
NOTICES: Final = "notices.json"
CHECKPOINTS: Final = "checkpoints.json"
KEYS: Final = "keys.json"
DIGESTED: Final = (README, EVENTS, RULES, DRAWS, NOTICES, CHECKPOINTS, KEYS)
FILES: Final = (MANIFEST, SIGNATURE, *DIGESTED)
"""In their order in the archive."""
LOCAL: Final = b"PK\x03\x04"
CENTRAL: Final = b"PK\x01\x02"
LOCAL_BYTES: Final = 30
"""Bytes of a local header before the name of its file."""
CENTRAL_BYTES: Final = 46
"""Bytes of a directory's entry before the name of its file."""
_SIZES_AT: Final = 18
"""Where a local header says the size of its file, twice."""
_UNIX: Final = 3
_DATE: Final = (1980, 1, 1, 0, 0, 0)
_ATTRIBUTES: Final = 0o600 << 16


class NoArchive(ValueError):
    """Bytes in which the files of a bundle cannot be found; the message says which, and where they were looked for."""


def archive(files: Mapping[str, bytes]) -> bytes:
    """The archive of these files, one for each of FILES."""
    written = BytesIO()
    with ZipFile(written, "w") as packed:  # stored, not compressed
        for name in FILES:
            info = ZipInfo(name, _DATE)
            info.create_system, info.external_attr = _UNIX, _ATTRIBUTES
            packed.writestr(info, files[name])
    return written.getvalue()


def unpack(data: bytes) -> dict[str, bytes]:
    """The files of an archive, also of one that was changed, as long as they can be found. Raises NoArchive."""
    files: dict[str, bytes] = {}
    at = 0
    for place, name in enumerate(FILES):
        start = at + LOCAL_BYTES + len(name)
        following = FILES[place + 1].encode() if place + 1 < len(FILES) else b""
        at = _end_of(data, at, start, following)
        if at < 0:
            raise NoArchive(f"{name} cannot be found at byte {start - LOCAL_BYTES - len(name)}")
        files[name] = data[start:at]
    return files


def faults(data: bytes, files: Mapping[str, bytes]) -> Iterator[str]:
    """Where an archive is not the one of these files, which were found in it: the part, and the first byte of it."""
    at = 0
    for name, part in _parts(files):
        found = data[at : at + len(part)]
        if found != part:
            differs = next((n for n, (a, b) in enumerate(zip(found, part, strict=False)) if a != b), len(found))
            yield f"{name} is not what it must be at byte {at + differs}"
        at += len(part)
    if len(data) > at:
        yield f"{len(data) - at} bytes too many follow from byte {at} on"


def _parts(files: Mapping[str, bytes]) -> Iterator[tuple[str, bytes]]:
    """The parts of an archive one after the other, each with a name for people."""
    data, at = archive(files), 0
    for name in FILES:
        content = at + LOCAL_BYTES + len(name)
        yield f"the header of {name}, with the checksum of its content,", data[at:content]
        yield name, files[name]
        at = content + len(files[name])
    for name in FILES:
        end = at + CENTRAL_BYTES + len(name)
        yield f"the directory's entry of {name}", data[at:end]
        at = end
    yield "the end of the directory", data[at:]


def _end_of(data: bytes, header: int, start: int, following: bytes) -> int:
    """Where the content that starts at `start` ends: where either of its sizes says, if the next header stands there.

    -1 where neither does: no single change makes both wrong.
    """
    if start > len(data):
        return -1
    magic = LOCAL if following else CENTRAL
    for at in (header + _SIZES_AT, header + _SIZES_AT + 4):
        end = start + int.from_bytes(data[at : at + 4], "little")
        name_at = end + (LOCAL_BYTES if following else CENTRAL_BYTES)
        if data[end : end + 4] == magic or data.startswith(following or MANIFEST.encode(), name_at):
            return end
    return -1
