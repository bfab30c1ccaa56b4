"""Whether a database has the schema of this code. Asked when a process starts, so without alembic: that loads slowly.

A release that finds a newer database learns from the table `schema_releases` which release that needs: whatever
migrates writes it there.
"""

import fcntl
import os
import re
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import IO, Final

import sqlalchemy as sa
from sqlalchemy import Connection

from service.kernel import private_files
from service.store import releases
from service.store.connection import core_of
from service.store.database import MIGRATION, Database
from service.store.errors import DriverError
from service.store.releases import Release
from service.store.rows import SchemaReleaseRow

VERSIONS: Final = Path(__file__).parents[1] / "migrations" / "versions"
_LINK: Final = re.compile(r'^(?:down_)?revision = (?:None|"([0-9]{4})")', re.MULTILINE)


def chain(folder: Path) -> list[str]:
    """Return the revisions of a folder in the order of their chain, read without running them."""
    found = (_LINK.findall(path.read_text(encoding="utf-8")) for path in folder.glob("[0-9]*.py"))
    after = {down: revision for revision, down in found}
    revisions = [after[""]]
    while revisions[-1] in after:
        revisions.append(after[revisions[-1]])
    return revisions


KNOWN: Final[Sequence[str]] = chain(VERSIONS)
"""The revisions of this code, the oldest first. Their numbers say who has made them, not always in which order."""
NEWEST: Final = KNOWN[-1]
kept: Final = SchemaReleaseRow.__table__  # type: ignore[attr-defined]
_AT: Final = sa.text("SELECT version_num FROM alembic_version")


class WrongSchema(Exception):
    """The database is not of this code's schema. The sentence says which release, or which command, mends that."""


class InUse(Exception):
    """A migration works on the SQLite file, or, for a migration, a process does."""


def require_or_exit(database: Database) -> None:
    """End a process that cannot serve from its database as it is, with a sentence: by 78, which no restart mends."""
    try:
        require(database)
    except (WrongSchema, InUse) as wrong:
        print(wrong, file=sys.stderr)  # noqa: T201 - before there is a log, for whoever started it
        raise SystemExit(os.EX_CONFIG if isinstance(wrong, WrongSchema) else os.EX_TEMPFAIL) from None


def require(database: Database) -> None:
    """Raise WrongSchema unless the database has the schema of this code, or does not answer: processes wait for one.

    Keeps no connection, for a process that forks; holds a SQLite file as in use until the process ends.
    """
    try:
        with database.read() as connection:
            sentence = fault(connection)
    except DriverError:
        return
    finally:
        database.engine.dispose()
    if sentence is not None:
        raise WrongSchema(sentence)
    hold(database)


def fault(connection: Connection) -> str | None:
    """The sentence about a schema that is not this code's, None where it is."""
    at = revision(connection)
    if at == NEWEST:
        return None
    if at is None:
        return "The database is empty: run `wardroom migrate`."
    if at in KNOWN:
        then, now = release_of(at).version, releases.CURRENT.version
        return (
            f"The database is at {at}, as Wardroom {then} has it, and Wardroom {now} works with {NEWEST}: stop every "
            "process of Wardroom, then run `wardroom migrate`. A backup before it is made by the release that was "
            "installed until now."
        )
    return newer(connection, at)


def newer(connection: Connection, at: str) -> str:
    """The sentence about a database that a later release has migrated."""
    row = connection.execute(sa.select(kept.c.release).where(kept.c.revision == at)).first()
    needed = f"Wardroom {row[0]}" if row else "the release that migrated it"
    here = releases.CURRENT.version
    return (
        f"The database is at {at}, and Wardroom {here} knows nothing after {NEWEST}: install {needed}, or a later one. "
        f"To stay with {here}, go back with that one: `wardroom migrate --to {here}`."
    )


def is_before(revision: str, other: str) -> bool:
    """Whether one revision of this code lies before another."""
    return KNOWN.index(revision) < KNOWN.index(other)


def upto(revision: str) -> Sequence[str]:
    """The revisions up to this one."""
    return KNOWN[: KNOWN.index(revision) + 1]


def release_of(revision: str) -> Release:
    """The first release that works with a database at this revision, or that has passed it by."""
    return next(each for each in releases.RELEASES if each.revision is None or not is_before(each.revision, revision))


def revision(connection: Connection) -> str | None:
    """The revision a database is at, None for an empty one."""
    if not sa.inspect(core_of(connection)).has_table("alembic_version"):
        return None
    found: str | None = connection.execute(_AT).scalar()
    return found


def known(connection: Connection) -> str | None:
    """The revision a database is at, None for an empty one. Raises WrongSchema for one of a later release."""
    at = revision(connection)
    if at is not None and at not in KNOWN:
        raise WrongSchema(newer(connection, at))
    return at


def note(tx: Connection, revisions: Sequence[str], at: int) -> None:
    """Write down which release brought these revisions, and forget those that the database is not at any more."""
    tx.execute(sa.delete(kept).where(kept.c.revision.not_in(revisions)))
    there = set(tx.execute(sa.select(kept.c.revision)).scalars())
    rows = [
        {"revision": revision, "release": release_of(revision).version, "at": at}
        for revision in revisions
        if revision not in there
    ]
    if rows:
        tx.execute(sa.insert(kept), rows)


# -- who works on it


def hold(database: Database) -> None:
    """Hold a SQLite file as in use while this process and its children live. Raises InUse while it is migrated."""
    path = beside(database, "in-use")
    if path is None or database.in_use is not None:
        return
    file = open(path, "a", opener=private_files.opener)  # noqa: SIM115 - held to the end
    if not _lock(file, fcntl.LOCK_SH):
        file.close()
        raise InUse("The database is being migrated: start when that is over.")
    database.in_use = file


def hold_alone(database: Database) -> IO[str] | None:
    """Hold a SQLite file as nobody else does: what is answered must be closed. Raises InUse where a process has it."""
    path = beside(database, "in-use")
    if path is None:
        return None
    file = open(path, "a", opener=private_files.opener)  # noqa: SIM115 - held by the caller
    if not _lock(file, fcntl.LOCK_EX):
        file.close()
        raise InUse(f"some process has {path.with_suffix('').name} open")
    return file


def beside(database: Database, name: str) -> Path | None:
    """A file beside a SQLite file; None where there is no such file."""
    path = database.engine.url.database if database.is_sqlite else None
    return Path(f"{path}.{name}") if path and path != ":memory:" else None


def sessions(connection: Connection) -> Iterator[str]:
    """Return the processes of Wardroom that are connected to a PostgreSQL database, except migrations, by name."""
    asked = sa.text(
        "SELECT application_name, pid FROM pg_stat_activity WHERE datname = current_database()"
        " AND pid <> pg_backend_pid() AND application_name LIKE 'wardroom %' AND application_name <> :migration"
        " ORDER BY pid"
    )
    for name, pid in connection.execute(asked, {"migration": MIGRATION}):
        yield f"{name} (session {pid} of PostgreSQL)"


def _lock(file: IO[str], how: int) -> bool:
    try:
        fcntl.flock(file, how | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True
