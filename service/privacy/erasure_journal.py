"""A list of the erased, kept outside the database: ids and times, which name nobody.

A database that is restored from a backup has everybody again; by this file the erased are erased again.
"""

import os
from pathlib import Path
from typing import Final

from service.kernel import clock
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


def read(folder: Path) -> list[str]:
    """The ids of everybody who was erased, the first first."""
    try:
        lines = path(folder).read_text(errors="replace").splitlines()
    except OSError:
        return []
    return list(dict.fromkeys(line.split()[0] for line in lines if line.strip()))
