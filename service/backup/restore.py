"""Restoring a backup into a database in which nothing was played: all of it, or nothing."""

import os
import secrets
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

from service.backup import contents
from service.backup.archive import NotABackup
from service.backup.read import Backup, BackupReader
from service.backup.whole_file import sync_folder, whole_file
from service.backup.write import require_room
from service.clocks import outages
from service.container import Services, assemble
from service.integrity import audit, halt
from service.integrity.checks.findings import STOPS, Finding
from service.kernel import clock
from service.operator import games, journal
from service.operator.journal import Operator
from service.privacy import erase, erasure_journal
from service.store.database import Connection, Database
from service.store.event_store import histories
from service.store.running import heartbeats
from service.store.structure import guards, migrate, restored_rows, roles, table_rows
from service.store.structure.schema import is_before
from service.store.structure.table_rows import TableShape

RUNNING: Final = 60 * clock.SECOND
"""A service that swept so lately may still run."""
RUNNING_GAMES: Final = ("open", "running")
GAP: Final = 1_000_000
"""Numbers that are left out, for rows that were made after the backup: mails in the world bear theirs."""
Told = Callable[[str], None]


class NotRestored(Exception):
    """A backup was not restored, and nothing is changed: a sentence, and the code of sysexits that tells what for."""

    def __init__(self, sentence: str, code: int = os.EX_CONFIG) -> None:
        super().__init__(sentence)
        self.code = code


@dataclass(frozen=True, slots=True)
class GameTold:
    """A game as it was restored."""

    id: str
    version: int
    hash: str
    status: str
    last_at: int
    stopped: str | None


@dataclass(slots=True)
class Restored:
    """A restore that was done: the games, what an audit had to say, and how many were erased again."""

    games: list[GameTold]
    findings: list[Finding]
    events: int
    signed_out: int = 0
    erased: int = 0


def require_key(services: Services, backup: Backup) -> None:
    """Raise NotRestored where a key is not at hand under which the backup is sealed, or it was signed by no other."""
    here = {seal.hex() for seal in services.sealer.masters}
    if missing := [seal for seal in backup.end.digests.seals if seal not in here]:
        raise NotRestored(
            f"The backup is sealed under the key {missing[0]}, and the service has {', '.join(here)}: put the copy of "
            f"that key into {services.settings.data_dir / 'secret-key'} or WARDROOM_SECRET_KEY, an earlier one into "
            "WARDROOM_SECRET_KEYS_OLD."
        )
    if not services.signer.signed(backup.end.key, contents.message(backup.end.digests), backup.end.signature):
        raise NotRestored(
            "The backup is not signed by the service whose keys are in it: somebody else has written it.", os.EX_DATAERR
        )


def restore(
    services: Services,
    backup: Backup,
    *,
    sign_out: bool = False,
    operator: Operator | None = None,
    told: Told = lambda line: None,
) -> Restored:
    """Fill the database of a service from a backup; a key that is inside takes the place of the one in the data folder.

    The players of every game that runs are told by the operator; without one nobody is, for nothing was lost.
    Raises NotRestored, NotABackup, DriverError, OSError.
    """
    schema = backup.manifest.schema
    if not migrate.is_known(schema):
        raise NotRestored(
            f"The backup was written by release {backup.manifest.release} at schema {schema}, which this release does "
            "not know: restore it with that release, or a later one."
        )
    folder = services.settings.data_dir
    with _with_key(services, backup) as (keyed, keep_key):
        require_key(keyed, backup)
        erasure_journal.require_usable(folder)
        erasure_journal.merge(folder, backup.files.get(contents.ERASED, b""))
        with _target(keyed, schema, backup.unpacked) as (into, tx):
            _load(tx, backup, told)
            migrate.run_on(tx, "head")
            roles.grant_again(tx)
            taken = clock.from_text(backup.manifest.taken_at)
            _leave_signs(into, tx, taken)
            heartbeats.beat(into.database, tx, heartbeats.BACKUP, taken)
            signed_out = restored_rows.end_sign_ins(tx, everybody=sign_out)
            erased = _begin_erasures(into, tx, folder)
            table_rows.gather_statistics(tx)
            done = _verified(into, tx, told)
            if operator is not None:
                _tell_players(into, tx, operator, taken)
            keep_key()
        done.signed_out, done.erased = signed_out, erased
        _end_erasures(keyed, folder)
    return done


def recover(
    services: Services, *, operator: Operator, sign_out: bool = False, told: Told = lambda line: None
) -> Restored:
    """Put a database right that was brought back to an earlier moment by other means; games that do not hold are
    stopped first, so that the others can be told. Raises NotRestored.
    """

    erasure_journal.require_usable(services.settings.data_dir)

    def put_right(tx: Connection) -> Restored:
        _require_stopped(services.database, tx)
        swept = heartbeats.last_beat(tx, outages.SWEEP) or services.database.clock.now(tx)
        _leave_signs(services, tx, swept)
        for table, number in table_rows.last_numbers(tx).items():
            table_rows.go_on_counting(tx, table, number + GAP)
        signed_out = restored_rows.end_sign_ins(tx, everybody=sign_out)
        erased = _begin_erasures(services, tx, services.settings.data_dir)
        done = _verified(services, tx, told)
        done.signed_out, done.erased = signed_out, erased
        _tell_players(services, tx, operator, swept)
        return done

    if services.database.is_sqlite:
        with services.database.write() as tx:
            done = put_right(tx)
    else:
        done = migrate.as_owner(services.database, put_right)
    _end_erasures(services, services.settings.data_dir)
    return done


def _begin_erasures(services: Services, tx: Connection, folder: Path) -> int:
    """Delete the people whom the journal lists as erased. Returns the number of them that had come back."""
    return sum(erase.begin_again(services, tx, player) for player in erasure_journal.read(folder))


def _end_erasures(services: Services, folder: Path) -> None:
    """Give up the seats of the erased, a transaction each. The sweep finishes what a crash leaves undone."""
    for player in erasure_journal.read(folder):
        erase.erase(services, player, again=True)


# The key


@contextmanager
def _with_key(services: Services, backup: Backup) -> Iterator[tuple[Services, Callable[[], None]]]:
    """The service with the keys that are inside, where it has others, and what puts the present one into its file."""
    if not backup.manifest.has_key or {seal.hex() for seal in services.sealer.masters} >= {*backup.end.digests.seals}:
        yield services, lambda: None
        return
    path, (key, *old) = services.settings.data_dir / "secret-key", keys_inside(backup)
    if not path.is_file() or path.read_text(errors="replace").strip() != services.settings.secret_key:
        raise NotRestored(
            "The secret key that is set is not the one in the backup: set WARDROOM_SECRET_KEY to what "
            f"`tar -xzOf {backup.path} {contents.KEY}` prints, and WARDROOM_SECRET_KEYS_OLD to {contents.OLD_KEYS} if "
            "there is one."
        )
    settings = replace(services.settings, secret_key=key, secret_keys_old=(*services.settings.secret_keys_old, *old))
    keyed = assemble(settings, clock=services.database.clock)
    try:
        yield keyed, lambda: keep_key(path, key)
    finally:
        keyed.database.close()


def keys_inside(backup: Backup) -> list[str]:
    """The secret keys in a backup, the present one first."""
    inside = ",".join(backup.files.get(name, b"").decode() for name in (contents.KEY, contents.OLD_KEYS))
    return [key.strip() for key in inside.split(",") if key.strip()]


def keep_key(path: Path, key: str) -> None:
    """Put a key into its file; one that was there stays beside it."""
    if path.exists():
        path.replace(path.with_name(f"{path.name}.before-restore"))
    with whole_file(path, overwrites=False) as file:
        file.write(f"{key}\n".encode())


# Where it goes


@contextmanager
def _target(services: Services, schema: str, size: int) -> Iterator[tuple[Services, Connection]]:
    """An empty database at a revision, in one transaction; it takes the place of the present one if all goes well."""
    database = services.database
    if not database.is_sqlite or Path(database.engine.url.database or "").exists():
        with database.read() as connection:
            _require_unused(database, connection)
    if database.is_sqlite:
        with _new_file(services, schema, size) as target:
            yield target
        return
    engine = database.owner_engine()
    try:
        with engine.begin() as core:
            tx = Connection.of(core, readonly=False)
            restored_rows.keep_others_out(tx)
            _require_unused(database, tx)
            at = migrate.revision_of(tx)
            if at != schema:
                migrate.run_on(tx, schema, down=at is not None and is_before(schema, at))
            _clear(tx)
            yield services, tx
    finally:
        engine.dispose()


@contextmanager
def _new_file(services: Services, schema: str, size: int) -> Iterator[tuple[Services, Connection]]:
    """A new SQLite file beside the present one, which takes its place when it is complete and on disk."""
    path = Path(services.database.engine.url.database or "")
    require_room(path.parent, 2 * size)
    new = path.with_name(f".{path.name}.{secrets.token_hex(4)}.restored")
    made = assemble(
        replace(services.settings, database_url=f"sqlite:///{new}"), clock=services.database.clock, durable=False
    )
    try:
        migrate.upgrade(made.database, schema)
        with made.database.write() as tx:
            _clear(tx)
            yield made, tx
        made.database.close()
        with new.open("rb") as file:
            os.fsync(file.fileno())
        services.database.close()
        with services.database.alone():
            if path.exists():
                with services.database.read() as connection:
                    _require_unused(services.database, connection)  # somebody else may have been quicker
                services.database.engine.dispose()
            for beside in ("-wal", "-shm", "-journal"):  # what was left of the old one would spoil the new one
                with suppress(FileNotFoundError):
                    path.with_name(f"{path.name}{beside}").unlink()
            new.replace(path)
        sync_folder(path.parent)
    finally:
        made.database.close()
        for left in path.parent.glob(f"{new.name}*"):
            left.unlink()


def _clear(tx: Connection) -> None:
    """Take out what a migration itself has put in."""
    for shape in table_rows.shapes(tx):
        if not table_rows.is_empty(tx, shape.name):
            table_rows.clear(tx, shape.name)


def _require_unused(database: Database, connection: Connection) -> None:
    """Raise NotRestored unless nothing was played in a database, and nobody works on it."""
    at, found = migrate.revision_of(connection), table_rows.names(connection)
    if at is None and found:
        raise NotRestored(f"The database has tables of something else, such as {found[0]}: name an empty one.")
    if at is not None and not migrate.is_known(at):
        raise NotRestored(f"The database is at {at}, of a later release: name an empty one.")
    for name in ("games", "players", *(() if database.is_sqlite else guards.KEYS)):
        if name in found and not table_rows.is_empty(connection, name):
            raise NotRestored(
                f"The database is used: there are rows in {name}. Name an empty one, or one that was just migrated; "
                "nothing was changed.",
                os.EX_CANTCREAT,
            )
    if "heartbeats" in found:
        _require_stopped(database, connection)


def _require_stopped(database: Database, connection: Connection) -> None:
    """Raise NotRestored where somebody swept just now."""
    swept = heartbeats.last_beat(connection, outages.SWEEP)
    if swept is not None and database.clock.now(connection) - swept < RUNNING:
        raise NotRestored("The service runs on this database: stop all its processes, and wait for a minute.")


# What goes in


def _load(tx: Connection, backup: Backup, told: Told) -> None:
    """Put every row in."""
    here = {shape.name: shape for shape in table_rows.shapes(tx)}
    with backup.path.open("rb") as file:
        reader = BackupReader(file)
        _require_same(here, {shape.name: shape for shape in reader.manifest.tables})
        for shape, rows in reader.tables():
            count = backup.end.digests.tables[shape.name].rows
            if count:
                told(f"{shape.name}: {count} rows")
            table_rows.put(tx, shape, rows)
        if reader.end() != backup.end:
            raise NotABackup("It was changed while it was read.")
    for table in table_rows.last_numbers(tx):
        table_rows.go_on_counting(tx, table, backup.manifest.last_numbers.get(table, 0) + GAP)


def _require_same(here: Mapping[str, TableShape], there: Mapping[str, TableShape]) -> None:
    """Raise NotABackup where the tables of a backup are not those of its revision."""
    for name in sorted({*here, *there}):
        known, told = here.get(name), there.get(name)
        if known is None or told is None or _kinds(known) != _kinds(told):
            raise NotABackup(f"Its table {name} is not as its release has it.")


def _kinds(shape: TableShape) -> set[tuple[str, str]]:
    return {(column.name, column.kind) for column in shape.columns}


def _leave_signs(services: Services, tx: Connection, taken: int) -> None:
    """Leave the signs of life that a restored database needs: when it was, and since when clocks are to be credited."""
    heartbeats.beat(services.database, tx, heartbeats.RESTORED)
    if heartbeats.last_beat(tx, outages.SWEEP) is None:
        heartbeats.beat(services.database, tx, outages.SWEEP, taken)


def _tell_players(services: Services, tx: Connection, operator: Operator, taken: int) -> None:
    """Tell everybody at a table that runs, or waits, that it is as it was then: in its story, and by mail."""
    for row in histories.overview(tx):
        game = GameTold(*row)
        if game.status in RUNNING_GAMES and game.stopped is None:
            journal.write(services, tx, operator, games.tell_restored(services, tx, game.id, taken))


# Whether it holds


def _verified(services: Services, tx: Connection, told: Told) -> Restored:
    """Look at every history, and stop the games that do not hold."""
    done = Restored([], audit.audit_house(tx, services), 0)
    for number, game in enumerate(audit.game_ids(tx), 1):
        found = audit.audit_history(services, tx, game)
        done.findings += found
        if broken := next((finding for finding in found if finding.weight == STOPS), None):
            halt.halt(services.database, tx, game, broken.reason())
        if number % 200 == 0:
            told(f"{number} games hold")
    done.games = [GameTold(*row) for row in histories.overview(tx)]
    done.events = sum(game.version for game in done.games)
    return done
