"""The `wardroom` command. Data goes to standard output, messages to standard error."""

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, TextIO

import click

if TYPE_CHECKING:
    from domain.decider import ScriptFormat
    from service.wardroom import Wardroom


@click.group(context_settings={"help_option_names": ["-h", "--help"]})
def main() -> None:
    """Political board games by correspondence."""


@contextmanager
def opened() -> Iterator["Wardroom"]:
    """The service for one command; its settings' faults are said in a sentence."""
    from config.logging import configure
    from config.settings import BadSetting, load
    from service.store import migrate
    from service.wardroom import assemble

    os.environ.setdefault("WARDROOM_LOG_LEVEL", "warning")
    try:
        settings = load()
    except BadSetting as bad:
        raise click.ClickException(str(bad)) from bad
    make_folder(settings.data_dir)
    configure(settings, "ext://sys.stderr")
    room = assemble(settings)
    try:
        with database_faults():
            if settings.sqlite:
                migrate.upgrade(room.database)
            yield room
    finally:
        room.database.close()


def make_folder(path: Path) -> None:
    """Make the data folder. Raises ClickException where it cannot be."""
    try:
        path.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise click.ClickException(f"WARDROOM_DATA_DIR is {path}, which cannot be made: {error.strerror}.") from error


@contextmanager
def database_faults() -> Iterator[None]:
    """Say in a sentence what a database does to a command; its own words may hold secrets."""
    from alembic.util import CommandError
    from sqlalchemy.exc import DBAPIError

    try:
        yield
    except CommandError as error:
        raise click.ClickException(f"The database cannot be migrated: {error}.") from error
    except DBAPIError as error:
        said = f"The database cannot be used ({type(error).__name__})"
        message = f"{said}: check WARDROOM_DATABASE_URL, and whether `wardroom migrate` was run."
        raise click.ClickException(message) from error


@main.command(context_settings={"ignore_unknown_options": True, "help_option_names": []})
@click.argument("words", nargs=-1, type=click.UNPROCESSED)
def serve(words: tuple[str, ...]) -> None:
    """Serve API, pages, clock and mail in one process (--host, --port)."""
    os.execv(sys.executable, [sys.executable, "-m", "workers.embedded", *words])  # noqa: S606 - our own program


@main.command()
@click.argument("email")
@click.option("--name", help="Name of the player, if one must be made.")
def token(email: str, name: str | None) -> None:
    """Print a token for EMAIL, whose player is made if needed."""
    from service import players
    from service.names import clean_email, clean_name

    try:
        email, name = clean_email(email), clean_name(name) if name is not None else None
    except ValueError as error:
        raise click.ClickException(str(error)) from error
    with opened() as room, room.database.write() as tx:
        click.echo(players.token_for(room, tx, email, name))


@main.command()
@click.argument("game")
def export(game: str) -> None:
    """Print the history of GAME as NDJSON; secrets stay sealed until the game is over."""
    from service import chronicle
    from service.store.streams import NoSuchGame

    with opened() as room, room.database.read() as connection:
        try:
            head = room.streams.head(connection, game)
        except NoSuchGame as error:
            raise click.ClickException(f"There is no game {game}.") from error
        for line in chronicle.export(room, connection, head, None):
            sys.stdout.buffer.write(line)


@main.command()
@click.argument("file", type=click.File("rb"))
def verify(file: Any) -> None:
    """Check an exported history, offline: chain, commitments, draws. Exit 0 if it holds, 1 if not."""
    from domain.audit import audit

    report = audit(file)
    for what, verdict, sentence in report.checks:
        click.echo(f"{verdict:9} {what}: {sentence}")
    if not report.ok:
        click.echo("This history is broken.", err=True)
        sys.exit(1)
    click.echo(f"verified  game {report.game}, {report.events} events, hash {report.hash}")


@main.command()
@click.argument("revision", default="head")
def migrate(revision: str) -> None:
    """Bring the database to the schema of this code (or up to REVISION)."""
    from service.store import migrate as migrations

    with opened() as room:
        migrations.upgrade(room.database, revision)
        click.echo(f"The database is at {migrations.current(room.database.engine)}.", err=True)


@main.command()
def doctor() -> None:
    """Check configuration and services, and say what to mend. Exit 1 if something must be."""
    from service.doctor import examine

    with opened() as room:
        findings = examine(room)
    for finding in findings:
        click.echo(f"{finding.mark:7} {finding.what}: {finding.sentence}")
    if any(finding.mark == "broken" for finding in findings):
        sys.exit(1)


@main.group()
def script() -> None:
    """Games as texts, for rulesets that have a script format: play one, or write one from an export."""


@script.command("play")
@click.argument("ruleset")
@click.argument("file", type=click.File())
def play_script(ruleset: str, file: TextIO) -> None:
    """Play the script in FILE by RULESET and print the state document it leads to, as JSON."""
    import json

    try:
        click.echo(json.dumps(_script_format(ruleset).play(file.read()), indent=2))
    except ValueError as error:
        raise click.ClickException(str(error)) from error


@script.command("write")
@click.argument("file", type=click.File("rb"))
def write_script(file: Any) -> None:
    """Print the script of a finished game, from its export in FILE."""
    from domain.audit import read_game
    from domain.envelope import BrokenHistory

    try:
        kind, events, over = read_game(file)
    except BrokenHistory as broken:
        raise click.ClickException(f"This history is broken: {broken}.") from broken
    if not over:
        raise click.ClickException("The game is not over: parts of its history are sealed until then.")
    from domain.rulesets import ruleset

    rules = ruleset(kind)
    own = [event for event in events if type(event) in rules.evolve]
    click.echo(_script_format(kind).write(own, rules.pawns), nl=False)


def _script_format(kind: str) -> "ScriptFormat":
    from domain.rulesets import RULESETS

    found = RULESETS[kind].script if kind in RULESETS else None
    if found is None:
        known = ", ".join(name for name, rules in RULESETS.items() if rules.script is not None)
        raise click.ClickException(f"{kind} has no script format; there is one for {known}.")
    return found


@main.command()
@click.argument("ruleset", default="tammany-hall")
@click.option("--seed", default=1, show_default=True, help="What the players' choices are made from.")
@click.option("--keep", is_flag=True, help="Keep the data folder and say where it is.")
def demo(ruleset: str, seed: int, keep: bool) -> None:
    """Play a whole game over HTTP with mail, a player who falls silent, and a final audit; in under two minutes."""
    from service.demo import Failed, play

    try:
        play(ruleset, seed, keep=keep)
    except Failed as failed:
        raise click.ClickException(str(failed)) from failed


if __name__ == "__main__":
    main(prog_name="wardroom")
