"""A list of the erased, kept outside the database: ids and times, which name nobody.

A database that is restored from a backup has everybody again; by this file the erased are erased again.
"""

import os
from pathlib import Path
from typing import Final

from service.kernel import clock, private_files
from service.kernel.log import log

NAME: Final = "erased"
LOG: Final = "wardroom.erasure"


def path(folder: Path) -> Path:
    """The file in the data folder: one line for each, "ID TIME"."""
    return folder / NAME


def add(folder: Path, player: str, at: int) -> None:
    """Note an erasure; on disk when this returns. The same twice is the same."""
    if player in read(folder):
        return
    try:
        path(folder).parent.mkdir(parents=True, exist_ok=True)
        file = os.open(path(folder), os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
        try:
            os.write(file, f"{player} {clock.text(at)}\n".encode())
            os.fsync(file)
        finally:
            os.close(file)
    except OSError as error:  # it is no reason to keep what somebody wants gone
        log(LOG, "error", "an erasure could not be noted in the journal", player=player, error=type(error).__name__)


def require_usable(folder: Path) -> None:
    """See that the journal can be read and written, if there is one. Raises OSError."""
    if path(folder).exists():
        path(folder).open("r+").close()


def merge(folder: Path, journal: bytes) -> None:
    """Add the lines of another journal that this one does not have; on disk when this returns. Raises OSError."""
    known = set(read(folder))
    lines = [line for line in journal.decode(errors="replace").splitlines() if line.strip()]
    if missing := [line for line in lines if line.split()[0] not in known]:
        with open(path(folder), "a", opener=private_files.opener) as file:
            file.write("".join(f"{line}\n" for line in missing))
            file.flush()
            os.fsync(file.fileno())


def read(folder: Path) -> list[str]:
    """The ids of everybody who was erased, the first first. Raises OSError for a journal that cannot be read."""
    try:
        lines = path(folder).read_text(errors="replace").splitlines()
    except FileNotFoundError:
        return []
    return list(dict.fromkeys(line.split()[0] for line in lines if line.strip()))
