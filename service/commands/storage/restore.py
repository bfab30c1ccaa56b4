"""`wardroom restore`: everything back from one file."""

import json
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import click

from service.commands.operating.acting import login
from service.commands.terminal.exits import Failure, unreadable
from service.commands.terminal.opening import make_folder, open_services

if TYPE_CHECKING:
    from service.backup.read import Backup
    from service.backup.restore import Restored
    from service.container import Services
    from service.operator.journal import Operator

SHOWN: Final = 20
"""Games that are named one by one."""


@click.command()
@click.argument("file", required=False, type=click.Path(path_type=Path, dir_okay=False))
@click.option("--check", is_flag=True, help="Only say whether FILE is whole, and what is in it; restore nothing.")
@click.option("--recovered", is_flag=True, help="Without FILE: the database came back by other means; put it right.")
@click.option("--sign-out", is_flag=True, help="End all sessions and keys of players: for when somebody broke in.")
@click.option("--why", default="", metavar="REASON", help="Players of games that run are told, in these words.")
@click.option("--nothing-lost", is_flag=True, help="Tell no players: the service was stopped since FILE was written.")
@click.option("--json", "as_json", is_flag=True, help="Print what was restored as one JSON object.")
def restore(
    file: Path | None, check: bool, recovered: bool, sign_out: bool, why: str, nothing_lost: bool, as_json: bool
) -> None:
    """Fill an empty database from the backup in FILE: all of it, or nothing. Stop the service first.

    FILE is read to its end and held against its digests before a row is written; then every history, checkpoint and
    seal is looked at. A backup of SQLite can be restored into PostgreSQL, and the other way round.
    Example: wardroom restore /var/backups/wardroom.tar.gz (docs/backup.md)
    """
    if recovered:
        if file is not None or check or as_json or nothing_lost:
            raise click.UsageError("--recovered goes without FILE, --check, --nothing-lost and --json.")
        _recover(_operator(why), sign_out=sign_out)
        return
    if file is None:
        raise click.UsageError(
            "Name the FILE of a backup; or say --recovered, where the database came back without one."
        )
    backup = _look_through(file)
    if check:
        _show(backup, as_json=as_json)
        return
    done = _restore(backup, None if nothing_lost else _operator(why), sign_out=sign_out)
    if as_json:
        click.echo(json.dumps(_document(backup, done), indent=2, sort_keys=True))
        return
    for line in _lines(backup, done, sign_out=sign_out):
        click.echo(line)


def _look_through(file: Path) -> "Backup":
    from service.backup.archive import NotABackup
    from service.backup.read import look_through

    if not file.is_file():
        raise Failure(
            os.EX_NOINPUT, f"{file} is not there, or is no file: a backup is read twice, so it can be no pipe."
        )
    try:
        return look_through(file)
    except NotABackup as damaged:
        raise Failure(os.EX_DATAERR, f"{file} cannot be restored, and nothing was changed. {damaged}") from damaged
    except OSError as error:
        raise unreadable(file, error) from error


def _operator(why: str) -> "Operator":
    """Who restores, and the reason that players are told, if there is one."""
    from service.operator.journal import BadReason, Operator, operator_of

    try:
        return operator_of(login(), why) if why.strip() else Operator(login(), "")
    except BadReason as bad:
        raise Failure(os.EX_USAGE, str(bad)) from bad


def _restore(backup: "Backup", operator: "Operator | None", *, sign_out: bool) -> "Restored":
    from service.backup.archive import NotABackup
    from service.backup.restore import NotRestored, restore
    from service.store.errors import DriverError, sqlstate

    with _services(backup) as services:
        try:
            return restore(
                services, backup, sign_out=sign_out, operator=operator, told=lambda line: click.echo(line, err=True)
            )
        except NotRestored as refused:
            raise Failure(refused.code, str(refused)) from refused
        except NotABackup as damaged:
            sentence = f"{backup.path} cannot be restored, and nothing was changed. {damaged}"
            raise Failure(os.EX_DATAERR, sentence) from damaged
        except DriverError as error:
            if sqlstate(error) == "42501":
                sentence = "The role may not make tables: restore as the one that migrates. Nothing was changed."
                raise Failure(os.EX_NOPERM, sentence) from error
            raise
        except OSError as error:
            place = f"{error.filename}: " if error.filename else ""
            sentence = f"It cannot be restored: {place}{error.strerror or error}. Nothing was changed."
            raise Failure(os.EX_IOERR, sentence) from error


@contextmanager
def _services(backup: "Backup") -> Iterator["Services"]:
    """The service, where there is a key."""
    from config.settings import NoKey

    _bring_key(backup)
    try:
        with open_services(migrates=False, makes_key=False) as services:
            yield services
    except Failure as error:
        if not isinstance(error.__cause__, NoKey):
            raise
        seal = backup.end.digests.seals[0]
        sentence = (
            f"The secret key is not here, and not in the backup: put the copy of the key {seal} where it was, or set"
        )
        raise Failure(os.EX_CONFIG, f"{sentence} WARDROOM_SECRET_KEY.") from error


def _bring_key(backup: "Backup") -> None:
    """Put the key that is inside where the service looks for it, if it has none."""
    from config.settings import BadSetting, NoKey, load
    from service.backup.restore import keep_key, keys_inside

    if not backup.manifest.has_key:
        return
    try:
        load(makes_key=False)
    except NoKey:
        folder = load(needs_key=False).data_dir
        make_folder(folder)
        keep_key(folder / "secret-key", keys_inside(backup)[0])
    except BadSetting:  # which is said where the service is opened
        return


def _recover(operator: "Operator", *, sign_out: bool) -> None:
    from service.backup.restore import NotRestored, recover

    with open_services(migrates=False, makes_key=False) as services:
        try:
            done = recover(services, operator=operator, sign_out=sign_out)
        except NotRestored as refused:
            raise Failure(refused.code, str(refused)) from refused
    click.echo("The database is put right: mailed codes are void, and no number of the lost time is used again.")
    for game in done.games:
        if game.stopped is not None:
            click.echo(f"Game {game.id} is stopped: {game.stopped}")
    if done.erased:
        click.echo(f"{done.erased} people who were erased had come back, and are erased again.")
    click.echo("Run `wardroom doctor --audit`, then start the service: clocks get back the time that was lost.")


def _show(backup: "Backup", *, as_json: bool) -> None:
    """Say what is in a backup that is whole."""
    manifest, digests = backup.manifest, backup.end.digests
    rows = {name: table.rows for name, table in digests.tables.items()}
    if as_json:
        said = {"file": str(backup.path), "taken_at": manifest.taken_at, "release": manifest.release}
        said |= {"schema": manifest.schema, "database": manifest.database, "base_url": manifest.base_url}
        click.echo(
            json.dumps({**said, "seals": list(digests.seals), "with_key": manifest.has_key, "rows": rows}, indent=2)
        )
        return
    counts = f"{rows.get('games', 0)} games with {rows.get('events', 0)} events of {manifest.base_url}"
    by = f"by release {manifest.release} at schema {manifest.schema} on {manifest.database}"
    click.echo(f"{backup.path} is whole: {counts}, as of {manifest.taken_at}, {by}.")
    key = "is inside" if manifest.has_key else "is not inside"
    click.echo(f"The secret key {key}; it is sealed under {', '.join(digests.seals)}.")


def _lines(backup: "Backup", done: "Restored", *, sign_out: bool) -> list[str]:
    from service.kernel.clock import text

    running = [game for game in done.games if game.status in ("open", "running")]
    told = [
        f"Restored: {len(done.games)} games with {done.events} events, {len(running)} of them open or running, as "
        f"they were at {backup.manifest.taken_at}."
    ]
    if done.games:
        last = max(done.games, key=lambda game: (game.last_at, game.id))
        told.append(
            f"The last event is {last.version} of game {last.id}, of {text(last.last_at)}: what came later is lost."
        )
    told += [f"  {game.id} up to event {game.version}, of {text(game.last_at)}" for game in running[:SHOWN]]
    if len(running) > SHOWN:
        told.append(f"  and {len(running) - SHOWN} more")
    told += [f"Game {game.id} is stopped: {game.stopped}" for game in done.games if game.stopped is not None]
    told += [f"Found: {finding.line()}" for finding in done.findings if finding.left and not finding.game]
    if done.erased:
        told.append(f"{done.erased} people who were erased had come back, and are erased again.")
    if sign_out:
        told.append(f"{done.signed_out} sessions and keys were ended.")
    told.append("Run `wardroom doctor --audit`, then start the service: clocks get back the time since the backup.")
    return told


def _document(backup: "Backup", done: "Restored") -> dict[str, Any]:
    from service.kernel.clock import text

    return {
        "taken_at": backup.manifest.taken_at,
        "digest": backup.digest_of_end(),
        "events": done.events,
        "erased_again": done.erased,
        "signed_out": done.signed_out,
        "findings": [finding.document() for finding in done.findings],
        "games": [
            {"id": game.id, "version": game.version, "hash": game.hash, "status": game.status,
             "last_at": text(game.last_at), "stopped": game.stopped}
            for game in done.games
        ],
    }  # fmt: skip
