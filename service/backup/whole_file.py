"""A file that is there whole or not at all."""

import errno
import os
import secrets
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO, Final

from service.kernel import private_files

NO_LINKS: Final = (errno.EPERM, errno.EOPNOTSUPP, errno.ENOSYS)
"""What file systems say that know no second name of a file, as those of memory sticks."""


@contextmanager
def whole_file(path: Path, *, overwrites: bool) -> Iterator[IO[bytes]]:
    """A file to write to, for its owner alone; it has its name, and is on disk, once the block has ended well.

    Raises FileExistsError, before and after.
    """
    if path.exists() and not overwrites:
        raise FileExistsError(path)
    part = path.with_name(f".{path.name}.{secrets.token_hex(4)}.part")
    try:
        with open(part, "xb", opener=private_files.opener) as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        if overwrites:
            part.replace(path)
        else:
            _name(part, path)
        sync_folder(path.parent)
    finally:
        with suppress(FileNotFoundError):
            part.unlink()


def _name(part: Path, path: Path) -> None:
    """Give a file its name, unless something has that name."""
    try:
        os.link(part, path)  # which, other than a renaming, never overwrites
    except OSError as error:
        if error.errno not in NO_LINKS:
            raise
        if path.exists():
            raise FileExistsError(path) from error
        part.replace(path)


def sync_folder(folder: Path) -> None:
    """Have the names in a folder on disk."""
    opened = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(opened)
    finally:
        os.close(opened)
