"""A copy of a SQLite file that is in use, as it was at one moment."""

import contextlib
import os
import sqlite3
from collections.abc import Callable
from pathlib import Path
from typing import Final

from service.store.database import Database

PAGES: Final = 2000
"""Pages that are copied at once: nobody can commit meanwhile."""
PATIENCE: Final = 3
"""So often a copy begins anew since somebody wrote; then writers wait until it is done."""


def copy(database: Database, to: Path, told: Callable[[int, int], None] = lambda done, of: None) -> None:
    """Copy the file while others write, at first without holding anybody up. `told` hears of pages done, of all.

    Raises FileExistsError, and sqlite3.Error as where the disk is full.
    """
    os.close(os.open(to, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))
    with (
        database.read() as connection,
        contextlib.closing(sqlite3.connect(to)) as target,
        contextlib.ExitStack() as held,
    ):
        target.execute("PRAGMA journal_mode=OFF")
        target.execute("PRAGMA synchronous=OFF")
        driver = connection.driver
        driver.backup(target, pages=PAGES, progress=_Watch(database, held, told), sleep=0.05)


class _Watch:
    """Counts how often a copy had to begin anew, and keeps writers waiting when it was too often."""

    def __init__(self, database: Database, held: contextlib.ExitStack, told: Callable[[int, int], None]) -> None:
        self._database, self._held, self._told = database, held, told
        self._left: int | None = None
        self._again = 0

    def __call__(self, _: int, left: int, pages: int) -> None:
        if self._left is not None and left > self._left:
            self._again += 1
            if self._again == PATIENCE:
                self._held.enter_context(self._database.alone())
        self._left = left
        self._told(pages - left, pages)
