"""`wardroom backup`: everything in one file."""

import json
import os
import shutil
import signal
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import click

from service.commands.terminal.exits import Failure, unwritable
from service.commands.terminal.opening import open_services, require_sound

if TYPE_CHECKING:
    from service.backup.write import Written

STANDARD_OUTPUT: Final = Path("-")
NAMED: Final = "wardroom-%Y%m%dT%H%M%SZ.tar.gz"
"""What a backup is called in a folder: its time, in UTC."""


@click.command()
@click.argument("file", metavar="FILE|FOLDER", type=click.Path(path_type=Path, allow_dash=True))
@click.option("--force", is_flag=True, help="Put it in the place of a FILE that is there.")
@click.option(
    "--days", type=click.IntRange(1, 36_500), help="Afterwards delete backups in FOLDER older than so many days."
)
@click.option("--with-key", is_flag=True, help="Put the secret key in, too: who has FILE then can read everything.")
@click.option("--json", "as_json", is_flag=True, help="Print what was written as one JSON object.")
@click.option("--quiet", is_flag=True, help="Say nothing while it goes well.")
def backup(file: Path, force: bool, days: int | None, with_key: bool, as_json: bool, quiet: bool) -> None:
    """Write everything to FILE, as it is at one moment, while the service goes on. "-" is standard output.

    FILE is there whole or not at all, for its owner alone; in a FOLDER it is named by the time. `wardroom restore` puts
    it back, into SQLite or PostgreSQL, whichever it came from.

    Example: wardroom backup /var/backups/wardroom --days 30 (docs/backup.md)
    """
    folder = file if file != STANDARD_OUTPUT and file.is_dir() else None
    if file == STANDARD_OUTPUT and (as_json or sys.stdout.isatty()):
        raise click.UsageError("Send standard output to a file or a program, without --json.")
    if days is not None and folder is None:
        raise click.UsageError("--days goes with a FOLDER: what lies in it by other names is never deleted.")
    if folder is not None:
        file = folder / datetime.now(UTC).strftime(NAMED)
    if file != STANDARD_OUTPUT and file.exists() and not file.is_file():
        raise Failure(os.EX_CANTCREAT, f"{file} is no file: name another, or - for standard output.")
    if file != STANDARD_OUTPUT and file.exists() and not force:
        raise Failure(os.EX_CANTCREAT, f"{file} is there already: name another file, or say --force.")
    with _stoppable():
        written = _write(file, force=force, with_key=with_key, quiet=quiet)
    gone = [] if folder is None or days is None else _delete_older(folder, file, days)
    if as_json:
        click.echo(json.dumps(_document(file, written), indent=2, sort_keys=True))
    if not quiet:
        for line in (*_lines(file, written), *(f"{old} was deleted." for old in gone)):
            click.echo(line, err=True)


@contextmanager
def _stoppable() -> Iterator[None]:
    """Let SIGTERM end a backup as Ctrl-C does, so that nothing of it is left."""
    before = signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)


def _write(file: Path, *, force: bool, with_key: bool, quiet: bool) -> "Written":
    from service.backup.whole_file import whole_file
    from service.backup.write import write
    from service.store.structure.table_rows import CannotCopy

    told = (lambda line: None) if quiet else (lambda line: click.echo(line, err=True))
    with open_services(migrates=False, makes_key=False) as services:
        require_sound(services)
        try:
            if file == STANDARD_OUTPUT:
                folder = services.settings.data_dir
                written = write(services, sys.stdout.buffer, with_key=with_key, folder=folder, told=told)
                sys.stdout.buffer.flush()
            else:
                with whole_file(file, overwrites=force) as sink:
                    written = write(services, sink, with_key=with_key, folder=file.resolve().parent, told=told)
        except CannotCopy as cannot:
            raise Failure(os.EX_DATAERR, str(cannot)) from cannot
        except FileExistsError as there:
            raise Failure(os.EX_CANTCREAT, f"{file} is there already: name another file, or say --force.") from there
        except BrokenPipeError:
            raise  # who reads standard output has left
        except OSError as error:
            if error.errno is None:
                raise Failure(os.EX_IOERR, f"{file} cannot be written: {error}.") from error
            raise unwritable(file, error) from error
        _note(services)
    return written


def _delete_older(folder: Path, newest: Path, days: int) -> list[Path]:
    """Delete the backups in a folder that are older than so many days by their names, never the newest. Which.

    What a run has left that was killed goes after a day.
    """
    gone, last = [], datetime.now(UTC) - timedelta(days=days)
    for left in folder.glob(".wardroom-*"):
        if left.stat().st_mtime < time.time() - 86_400:
            shutil.rmtree(left, ignore_errors=True) if left.is_dir() else left.unlink(missing_ok=True)
    for path in sorted(folder.glob("wardroom-*.tar.gz")):
        with suppress(ValueError):  # by its name it is no backup of ours
            if path != newest and datetime.strptime(path.name, NAMED).replace(tzinfo=UTC) < last:
                path.unlink()
                gone.append(path)
    return gone


def _note(services: Any) -> None:
    """Leave a sign of life, for `doctor` and /metrics; that it cannot be left makes no backup bad."""
    from service.store.errors import DatabaseError
    from service.store.running.heartbeats import BACKUP, beat

    with suppress(DatabaseError), services.database.write() as tx:
        beat(services.database, tx, BACKUP)


def _lines(file: Path, written: "Written") -> list[str]:
    manifest, digests = written.manifest, written.end.digests
    rows = sum(table.rows for table in digests.tables.values())
    where = "standard output" if file == STANDARD_OUTPUT else file
    told = [
        f"{where}: {digests.tables['games'].rows} games with {digests.tables['events'].rows} events, {rows} rows, "
        f"{written.size} bytes, as of {manifest.taken_at}."
    ]
    if manifest.has_key:
        told.append("The secret key is inside: who has this file can read every bid and mail. Keep it like the key.")
    else:
        ids = ", ".join(digests.seals)
        told.append(f"The secret key is not inside, and without it nothing can be restored: keep a copy apart ({ids}).")
    return told


def _document(file: Path, written: "Written") -> dict[str, Any]:
    manifest, digests = written.manifest, written.end.digests
    return {
        "file": str(file),
        "bytes": written.size,
        "taken_at": manifest.taken_at,
        "release": manifest.release,
        "schema": manifest.schema,
        "database": manifest.database,
        "with_key": manifest.has_key,
        "seals": list(digests.seals),
        "rows": {name: table.rows for name, table in digests.tables.items()},
    }
