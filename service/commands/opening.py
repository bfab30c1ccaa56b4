"""The service for one command, with the faults of its settings and its database said in a sentence."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from service.container import Services


@contextmanager
def open_services(*, migrates: bool = True, makes_key: bool = True) -> Iterator["Services"]:
    """The service for one command; its settings' faults are said in a sentence.

    A SQLite file is made and migrated where it must be, a missing secret key made, unless told not to.
    """
    from config.logging import configure
    from config.settings import BadSetting, load
    from service.container import assemble
    from service.store.structure import migrate

    os.environ.setdefault("WARDROOM_LOG_LEVEL", "warning")
    try:
        settings = load(makes_key=makes_key)
    except BadSetting as bad:
        raise click.ClickException(str(bad)) from bad
    make_folder(settings.data_dir)
    configure(settings, "ext://sys.stderr")
    services = assemble(settings)
    try:
        with database_faults():
            if settings.sqlite and migrates:
                migrate.upgrade(services.database)
            yield services
    finally:
        services.database.close()


def make_folder(path: Path) -> None:
    """Make the data folder. Raises ClickException where it cannot be."""
    try:
        path.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError as error:
        raise click.ClickException(f"WARDROOM_DATA_DIR is {path}, which cannot be made: {error.strerror}.") from error


@contextmanager
def database_faults() -> Iterator[None]:
    """Say in a sentence what a database does to a command; its own words may hold secrets."""
    from alembic.util import CommandError

    from service.store.errors import DriverError

    try:
        yield
    except CommandError as error:
        raise click.ClickException(f"The database cannot be migrated: {error}.") from error
    except DriverError as error:
        said = f"The database cannot be used ({type(error).__name__})"
        message = f"{said}: check WARDROOM_DATABASE_URL, and whether `wardroom migrate` was run."
        raise click.ClickException(message) from error
