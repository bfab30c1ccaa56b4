"""Work that costs much, for each caller one at a time: in this process, and in all others on the same database."""

import fcntl
import hashlib
import os
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import IO, Final

import sqlalchemy as sa

from service.kernel import private_files
from service.store.connection import Connection
from service.store.database import Database

PLACES: Final = 2**30
_busy: Final[set[tuple[str, str]]] = set()
_lock: Final = threading.Lock()
_files: Final[dict[tuple[int, str], IO[str]]] = {}
"""Kept open by process and path: closing one would let go of every byte that its process holds of the file."""


class TooManyAtOnce(Exception):
    """This caller has something of the kind made already."""


@contextmanager
def one_at_a_time(database: Database, connection: Connection, caller: str) -> Iterator[None]:
    """Hold the caller's turn, by a lock that ends with its holder. Raises TooManyAtOnce where it is taken."""
    mine = (database.url, caller)
    with _lock:
        if mine in _busy:
            raise TooManyAtOnce
        _busy.add(mine)
    try:
        place = int.from_bytes(hashlib.sha256(f"turn of {caller}".encode()).digest()[:8], "big")
        with _held(database, connection, place):
            yield
    finally:
        with _lock:
            _busy.discard(mine)


@contextmanager
def _held(database: Database, connection: Connection, place: int) -> Iterator[None]:
    if not database.is_sqlite:
        key = place - 2**63
        if not connection.execute(sa.select(sa.func.pg_try_advisory_lock(key))).scalar_one():
            raise TooManyAtOnce
        try:
            yield
        finally:
            connection.execute(sa.select(sa.func.pg_advisory_unlock(key)))
        return
    path = database.engine.url.database
    if not path or path == ":memory:":
        yield
        return
    file = _file(path)
    try:
        fcntl.lockf(file, fcntl.LOCK_EX | fcntl.LOCK_NB, 1, place % PLACES)
    except OSError as error:
        raise TooManyAtOnce from error
    try:
        yield
    finally:
        fcntl.lockf(file, fcntl.LOCK_UN, 1, place % PLACES)


def _file(path: str) -> IO[str]:
    """The ticket of those who write to a database: POSIX locks of its bytes are nothing to the flock of the whole."""
    mine = (os.getpid(), path)
    with _lock:
        if mine not in _files:
            _files[mine] = open(f"{path}.ticket", "a", opener=private_files.opener)  # noqa: SIM115 - never closed
        return _files[mine]
