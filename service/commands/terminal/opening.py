"""The service for one command, with the faults of its settings and its database said in a sentence."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Final

from service.commands.terminal.exits import Failure
from service.kernel.late import late

if TYPE_CHECKING:
    import alembic.util as migrations

    from service.container import Services
else:
    migrations = late("alembic.util")

DAMAGED: Final = (
    "The database file is damaged; SQLite says “{}”. Stop the service, move the file aside, and put the last backup "
    "back: `wardroom restore FILE` (docs/backup.md)."
)
STOP: Final = (
    "Stop every process of Wardroom first: web, worker, bots, beat, news, mail, or the one of `wardroom serve`."
)


@contextmanager
def open_services(*, migrates: bool = True, makes_key: bool = True) -> Iterator["Services"]:
    """The service for one command; its settings' faults are said in a sentence.

    A SQLite file and a missing secret key are made where there are none, and the schema must be this code's, unless
    told not to look.
    """
    from config.logging import configure
    from config.settings import BadSetting, load
    from service.container import assemble

    os.environ.setdefault("WARDROOM_LOG_LEVEL", "warning")
    try:
        settings = load(makes_key=makes_key)
    except BadSetting as bad:
        raise Failure(os.EX_CONFIG, str(bad)) from bad
    make_folder(settings.data_dir)
    configure(settings, "ext://sys.stderr")
    services = assemble(settings)
    try:
        with database_faults():
            if migrates:
                _require_schema(services)
            yield services
    finally:
        services.database.close()


def _require_schema(services: "Services") -> None:
    """Make the tables of a SQLite file that has none. Raises WrongSchema for a schema that is not this code's."""
    from service.store.structure import schema

    with services.database.read() as connection:
        sentence = schema.fault(connection)
        empty = sentence is not None and schema.revision(connection) is None
    if empty and services.settings.sqlite:
        from service.store.structure import migrate

        migrate.upgrade(services.database)
    elif sentence is not None:
        raise schema.WrongSchema(sentence)


def make_folder(path: Path) -> None:
    """Make the data folder. Raises Failure where it cannot be."""
    try:
        path.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError as error:
        code = os.EX_NOPERM if isinstance(error, PermissionError) else os.EX_CANTCREAT
        raise Failure(code, f"WARDROOM_DATA_DIR is {path}, which cannot be made: {error.strerror}.") from error


@contextmanager
def database_faults() -> Iterator[None]:
    """Say in a sentence what a database does to a command; its own words may hold secrets."""
    from service.store.errors import DriverError, PoolTimeout
    from service.store.event_store.checkpoints import StrangeKey
    from service.store.structure.schema import InUse, WrongSchema

    try:
        yield
    except WrongSchema as error:
        raise Failure(os.EX_CONFIG, str(error)) from error
    except InUse as error:
        raise Failure(os.EX_TEMPFAIL, f"Somebody else works on the database: {error}. {STOP}") from error
    except StrangeKey as error:
        raise Failure(os.EX_CONFIG, str(error)) from error
    except (DriverError, PoolTimeout) as error:
        raise _database_failure(error) from error
    except migrations.CommandError as error:  # looked at last: it loads alembic
        raise Failure(os.EX_CONFIG, f"The database cannot be migrated: {error}.") from error


def _database_failure(error: Exception) -> Failure:
    from service.store import errors

    said = f"The database cannot be used ({type(error).__name__})"
    if errors.is_damaged(error):
        return Failure(os.EX_DATAERR, DAMAGED.format(errors.words(error)))
    if errors.is_unmigrated(error):
        return Failure(os.EX_CONFIG, f"{said}: it lacks what this version needs. Run `wardroom migrate`.")
    if errors.is_forbidden(error):
        told = (
            "check its owner and WARDROOM_DATABASE_URL, and run this as the user the service runs as. With PostgreSQL "
            "`wardroom migrate` and restore want WARDROOM_DATABASE_OWNER_URL, too (`wardroom database sql`)."
        )
        return Failure(os.EX_NOPERM, f"{said}: this is not permitted; {told}")
    if errors.is_full(error):
        return Failure(os.EX_IOERR, f"{said}: its disk is full. Make room, then try again.")
    if errors.is_busy(error):
        return Failure(os.EX_TEMPFAIL, f"{said}: another process holds it. Try again in a minute.")
    cause = errors.words(error)
    told = "check WARDROOM_DATABASE_URL, and whether `wardroom migrate` was run."
    return Failure(os.EX_UNAVAILABLE, f"{said}: {f'“{cause}”; ' if cause else ''}{told}")


def require_sound(services: "Services") -> None:
    """Raise Failure if the SQLite file is damaged: who plays on spoils what could still be saved."""
    if damage := services.database.find_damage():
        raise Failure(os.EX_DATAERR, DAMAGED.format(damage))
