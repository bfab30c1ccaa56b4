"""Bringing a database to the schema of this code, and telling whether it is there."""

from collections.abc import Callable
from pathlib import Path
from typing import Final, TypeVar

from alembic import command
from alembic.autogenerate import compare_metadata
from alembic.config import Config
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Connection, Engine
from sqlmodel import SQLModel

from service.store.database import Database

Result = TypeVar("Result")
FOLDER: Final = Path(__file__).parent / "migrations"


def upgrade(database: Database, revision: str = "head") -> None:
    """Migrate up to `revision`."""
    _run(database, command.upgrade, revision)


def downgrade(database: Database, revision: str) -> None:
    """Migrate down to `revision`; "base" leaves nothing."""
    _run(database, command.downgrade, revision)


def current(engine: Engine) -> str | None:
    """The revision a database is at, None for an empty one."""
    with engine.connect() as connection:
        return MigrationContext.configure(connection).get_current_revision()


def latest() -> str | None:
    """The newest revision this code knows."""
    return ScriptDirectory(str(FOLDER)).get_current_head()


def is_behind(revision: str, at: str | None) -> bool:
    """Whether a revision lies before the one a database is at. Raises CommandError for one that nobody knows."""
    scripts = ScriptDirectory(str(FOLDER))
    wanted = scripts.get_revision(revision)
    known = {script.revision for script in scripts.walk_revisions("base", at)} if at else set()
    return wanted is not None and wanted.revision in known - {at}


def differences(engine: Engine) -> list[object]:
    """How the tables differ from the models: [] after `upgrade`."""
    with engine.connect() as connection:
        return list(compare_metadata(MigrationContext.configure(connection), SQLModel.metadata))


def as_owner(database: Database, what: Callable[[Connection], Result]) -> Result:
    """Do something in a transaction of the role that owns the tables."""
    engine = database.owner_engine()
    try:
        with engine.begin() as connection:
            return what(connection)
    finally:
        engine.dispose()


def _run(database: Database, what: object, revision: str) -> None:
    config = Config()
    config.set_main_option("script_location", str(FOLDER).replace("%", "%%"))
    engine = database.owner_engine()
    try:
        with engine.connect() as connection:
            config.attributes["connection"] = connection
            what(config, revision)  # type: ignore[operator]
            connection.commit()
    finally:
        engine.dispose()
