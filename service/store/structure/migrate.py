"""Bringing a database to the schema of this code, or back to an earlier one; one migration works at a time."""

import fcntl
import os
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final, TypeVar

import sqlalchemy as sa
from alembic import command
from alembic.autogenerate import compare_metadata
from alembic.config import Config
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Engine, text
from sqlmodel import SQLModel

from service.store.connection import Connection, core_of
from service.store.database import Database
from service.store.migrations.indexes import IN_ONE
from service.store.structure import schema

Result = TypeVar("Result")
FOLDER: Final = Path(__file__).parents[1] / "migrations"
LOCK: Final = int.from_bytes(b"wardroom", "big", signed=True)
"""PostgreSQL's advisory lock of whoever migrates, in each database its own."""
POLL: Final = 0.1
"""Seconds between two looks at a lock that another migration holds. To wait inside the database would take a snapshot
there, for whose end an index that is built concurrently waits: neither would go on."""


def upgrade(database: Database, revision: str = "head", waits: Callable[[], None] = lambda: None) -> None:
    """Migrate up to `revision`; `waits` is called once where another migration is under way, for whose end it waits."""
    _run(database, command.upgrade, revision, waits)


def downgrade(database: Database, revision: str, waits: Callable[[], None] = lambda: None) -> None:
    """Migrate down to `revision`; "base" leaves nothing."""
    _run(database, command.downgrade, revision, waits)


def run_on(tx: Connection, revision: str, *, down: bool = False) -> None:
    """Migrate up, or down, to `revision` within a transaction, which is still open afterwards."""
    config = _config()
    config.attributes |= {"connection": core_of(tx), IN_ONE: True}
    (command.downgrade if down else command.upgrade)(config, revision)


def current(engine: Engine) -> str | None:
    """The revision a database is at, None for an empty one."""
    with engine.connect() as connection:
        return revision_of(connection)


def revision_of(connection: sa.Connection) -> str | None:
    """The same as a connection sees it."""
    return MigrationContext.configure(core_of(connection)).get_current_revision()


def is_known(revision: str) -> bool:
    """Whether this code knows a revision: else it is of a newer release."""
    return revision in schema.KNOWN


def is_behind(revision: str, at: str | None) -> bool:
    """Whether a revision lies before the one a database is at."""
    return at is not None and schema.is_before(revision, at)


def latest() -> str | None:
    """The newest revision this code knows."""
    return scripts().get_current_head()


def scripts() -> ScriptDirectory:
    """The migrations, as alembic reads them."""
    return ScriptDirectory(str(FOLDER))


def differences(engine: Engine) -> list[object]:
    """How the tables differ from the models: [] after `upgrade`."""
    with engine.connect() as connection:
        return list(compare_metadata(MigrationContext.configure(connection), SQLModel.metadata))


def as_owner(database: Database, what: Callable[[Connection], Result]) -> Result:
    """Do something in a transaction of the role that owns the tables."""
    engine = database.owner_engine()
    try:
        with engine.begin() as core:
            return what(Connection.of(core, readonly=False))
    finally:
        engine.dispose()


@contextmanager
def alone(database: Database, engine: Engine, waits: Callable[[], None]) -> Iterator[None]:
    """The only migration of this database at a time; whoever holds the lock and dies lets it go."""
    path = database.engine.url.database if database.is_sqlite else None
    if path and path != ":memory:":
        folder = os.open(Path(path).absolute().parent, os.O_RDONLY)
        try:
            _poll(lambda: _is_locked(folder), waits)
            yield
        finally:
            os.close(folder)
    elif database.is_sqlite:
        yield
    else:
        with engine.connect().execution_options(isolation_level="AUTOCOMMIT") as connection:
            asked = text("SELECT pg_try_advisory_lock(:lock)")
            _poll(lambda: bool(connection.execute(asked, {"lock": LOCK}).scalar()), waits)
            yield
            connection.execute(text("SELECT pg_advisory_unlock(:lock)"), {"lock": LOCK})


def _poll(is_held: Callable[[], bool], waits: Callable[[], None]) -> None:
    if is_held():
        return
    waits()
    while not is_held():
        time.sleep(POLL)


def _is_locked(folder: int) -> bool:
    try:
        fcntl.flock(folder, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


def _run(database: Database, what: Any, revision: str, waits: Callable[[], None]) -> None:
    config = _config()
    engine = database.owner_engine()
    try:
        with alone(database, engine, waits), engine.connect() as connection:
            config.attributes["connection"] = connection
            what(config, revision)
            connection.commit()
            _note(database, connection)
    finally:
        engine.dispose()


def _config() -> Config:
    config = Config()
    config.set_main_option("script_location", str(FOLDER).replace("%", "%%"))
    return config


def _note(database: Database, connection: sa.Connection) -> None:
    """Write down which release brought what the database is at."""
    at = schema.revision(connection)
    connection.rollback()
    if at is not None:
        with connection.begin():
            schema.note(connection, schema.upto(at), database.clock.now(connection))
