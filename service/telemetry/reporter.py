"""The thread by which a process writes down, every few seconds, what it has counted and how it is (decision 0102).

What cannot be written now, the database being away, is written later: counting goes on meanwhile.
"""

import os
import resource
import secrets
import threading
import time
from pathlib import Path
from typing import Final

from service.kernel.clock import SECOND
from service.kernel.measures import MICROS, Measures
from service.store.database import Connection, Database
from service.store.running import measurements
from service.store.running.measurements import Report

EVERY: Final = 15.0
"""Seconds between two reports."""
FORGOTTEN: Final = 86_400 * SECOND
"""After which a process that did not say farewell is forgotten; until then it counts as one that is missing."""
SELF: Final = Path("/proc/self")


class Reporter:
    """Reports for one process. Until it is started nothing is written, so commands leave no trace."""

    def __init__(self, database: Database, measures: Measures) -> None:
        self.database, self.measures = database, measures
        self.role = ""
        self._process = ""
        self._cpu = 0
        self._started_at = time.time()
        self._ended = threading.Event()
        self._thread: threading.Thread | None = None
        self._lock = threading.Lock()

    def start(self, role: str) -> None:
        """Begin to report as this role. To be called where the process serves, so after a fork."""
        self.role, self._process = role, secrets.token_hex(8)
        self._cpu, self._started_at = 0, time.time()
        self._ended, self._lock = threading.Event(), threading.Lock()
        self._thread = threading.Thread(target=self._run, name="reporter", daemon=True)
        self._thread.start()

    def stop(self) -> None:
        """Write what is left, and say farewell."""
        if self._thread is not None and not self._ended.is_set():
            self._ended.set()
            self.report(last=True)

    def report(self, *, last: bool = False) -> bool:
        """Write down what was counted since the last report. Whether that could be done."""
        with self._lock:
            said = self._look()
            taken = self.measures.take()
            try:
                with self.database.write() as tx:
                    measurements.add(self.database, tx, taken)
                    self._say(tx, said, last=last)
            except Exception:  # whatever is wrong: the thread outlives it, and nothing is lost
                self.measures.give_back(taken)
                return False
            return True

    def _say(self, tx: Connection, said: Report, *, last: bool) -> None:
        if last:
            measurements.forget(tx, self._process)
        elif self.role:
            now = self.database.clock.now(tx)
            measurements.report(tx, self._process, self.role, said, now)
            measurements.forget_silent(tx, now - FORGOTTEN)

    def _look(self) -> Report:
        """How this process is just now, before a connection is taken for saying so."""
        used = resource.getrusage(resource.RUSAGE_SELF)
        cpu = round((used.ru_utime + used.ru_stime) * MICROS)
        if self.role:
            self.measures.count("wardroom_process_cpu_seconds", self.role, by=cpu - self._cpu)
            self.measures.count("wardroom_database_waits", self.role, by=self.database.take_waits())
            self._cpu = cpu
        pool = self.database.pool_status()
        return Report(_resident(), _open_files(), self._started_at, *pool)

    def _run(self) -> None:
        while True:
            self.report()
            if self._ended.wait(EVERY):
                return


def _resident() -> int:
    """Bytes of memory that this process holds; 0 where the system does not tell."""
    try:
        return int((SELF / "statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    except (OSError, IndexError, ValueError):
        return 0


def _open_files() -> int:
    """How many files and connections it has open; 0 where the system does not tell."""
    try:
        return len(os.listdir(SELF / "fd"))  # noqa: PTH208 - names are enough
    except OSError:
        return 0
