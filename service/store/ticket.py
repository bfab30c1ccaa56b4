"""The queue of those who write to a SQLite file: without it SQLite lets some of them starve (T-22)."""

import fcntl
import os
import threading
from collections.abc import Callable
from pathlib import Path
from typing import IO

from service.kernel import private_files


class Ticket:
    """A queue for writers: threads of this process by a lock, processes by flock on a file beside the database.

    `let_go` is called before somebody waits: who stands in the queue has no connection that others could use.
    """

    def __init__(self, path: str | None, let_go: Callable[[], None]) -> None:
        self.let_go = let_go
        self.path = Path(f"{path}.ticket") if path and path != ":memory:" else None
        self.lock = threading.Lock()
        self.file: IO[str] | None = None
        self.pid = 0

    def __enter__(self) -> None:
        if not self.lock.acquire(blocking=False):
            self.let_go()
            self.lock.acquire()
        if self.path is None:
            return
        try:
            if self.file is None or self.pid != os.getpid():  # a lock shared with the parent would be no lock
                self.file, self.pid = open(self.path, "w", opener=private_files.opener), os.getpid()
            try:
                fcntl.flock(self.file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                self.let_go()
                fcntl.flock(self.file, fcntl.LOCK_EX)
        except BaseException:
            self.lock.release()
            raise

    def __exit__(self, *_: object) -> None:
        if self.file is not None:
            fcntl.flock(self.file, fcntl.LOCK_UN)
        self.lock.release()

    def close(self) -> None:
        """Let go of the file; the next to enter opens it again."""
        with self.lock:
            if self.file is not None:
                self.file.close()
                self.file = None
