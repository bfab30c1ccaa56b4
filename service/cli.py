"""The `wardroom` command. Data goes to standard output, messages to standard error."""

import os
import sys
from typing import TYPE_CHECKING, Any, Final, NoReturn, TextIO

import click

from service.commands.bots.analyse import analyse
from service.commands.bots.arena.command import arena
from service.commands.bots.fit import fit
from service.commands.bots.play import play
from service.commands.health.doctor import doctor
from service.commands.opening import open_services
from service.commands.operating.people import erase, token
from service.commands.storage.keys import keys
from service.commands.verification.history import export, verify
from service.commands.verification.log_check import verify_log
from service.commands.verification.replay import replay

if TYPE_CHECKING:
    from domain.engine.notation import ScriptFormat


STATES: Final = (
    "received", "applied", "answered", "rejected", "stale", "late", "held", "confirmed", "refused", "shelved",
    "duplicate", "ignored", "bounce", "quarantined",
)  # fmt: skip
"""What can have become of a mail that came in (`service.store.rows.InboundRow`)."""


@click.group(context_settings={"help_option_names": ["-h", "--help"]})
def main() -> None:
    """Political board games by correspondence."""


@main.command(context_settings={"ignore_unknown_options": True, "help_option_names": []})
@click.argument("words", nargs=-1, type=click.UNPROCESSED)
def serve(words: tuple[str, ...]) -> None:
    """Serve API, pages, clock and mail in one process (--host, --port)."""
    os.execv(sys.executable, [sys.executable, "-m", "workers.processes.embedded", *words])  # noqa: S606 - our own program


@main.command()
@click.argument("revision", default="head")
def migrate(revision: str) -> None:
    """Bring the database to the schema of this code (or up to REVISION), and make triggers again that are missing."""
    from service.store.structure import guards
    from service.store.structure import migrate as migrations

    with open_services(migrates=False) as services:
        at = migrations.current(services.database.engine)
        if migrations.is_behind(revision, at):
            raise click.ClickException(
                f"The database is at {at}, and {revision} is older: migrate goes forward only. To go back, restore the "
                "backup that was made before."
            )
        migrations.upgrade(services.database, revision)
        if migrations.current(services.database.engine) == migrations.latest():
            for name in migrations.as_owner(services.database, guards.make_again):
                click.echo(f"The trigger {name} was missing, changed or off, and was made again.", err=True)
        click.echo(f"The database is at {migrations.current(services.database.engine)}.", err=True)


@main.group(invoke_without_command=True)
@click.pass_context
def clock(context: click.Context) -> None:
    """Show how deadlines stand: when they were last looked at, and whether anything holds them. Exit 1 if so."""
    if context.invoked_subcommand is not None:
        return
    from service.clocks import outages

    with open_services() as services, services.database.read() as connection:
        found = outages.status(services.database, connection)
    for line in outages.lines(found):
        click.echo(line)
    if found.held is not None:
        sys.exit(1)


@clock.command()
def accept() -> None:
    """Believe the time as it is, and decide deadlines again, whether a jump held them or their number.

    After a jump, clocks that run get it back. Where unusually many deadlines would pass at once, they pass now.
    """
    from service.clocks import outages

    said = {
        outages.HELD: "The time is believed: deadlines are decided again.",
        outages.FLOODED: "The deadlines that are due are decided now, however many they are.",
        None: "Nothing was held.",
    }

    with open_services() as services, services.database.write() as tx:
        held = outages.accept(services.database, tx)
    click.echo(said[held], err=True)


@main.group()
def mail() -> None:
    """Mail that comes in: hand it over, look at it, try it again. Mail that goes out: let it go now."""


class BadUsage(click.UsageError):
    """A mistake in the words of a command that a mail server runs."""

    exit_code = os.EX_USAGE


class ForMailServers(click.Command):
    """A command that a mail server runs, which reads its exit code."""

    def make_context(self, *args: Any, **more: Any) -> click.Context:
        """Read the words."""
        try:
            return super().make_context(*args, **more)
        except click.UsageError as error:
            raise BadUsage(error.message, error.ctx) from error


@mail.command(cls=ForMailServers)
@click.option("--to", "recipient", envvar=["ORIGINAL_RECIPIENT", "RECIPIENT"], help="Address the mail came to.")
@click.option("--from", "sender", envvar="SENDER", default="", help="Sender of the envelope; nothing for a bounce.")
def ingest(recipient: str | None, sender: str) -> None:
    """Take one message from standard input, as a mail server's pipe hands it over.

    Without --to and --from, the variables ORIGINAL_RECIPIENT or RECIPIENT and SENDER say whose it is. Exit 0: it is
    stored. 64: wrong usage. 65: empty or too large. 67: no such address. 75: not now, try again later.
    """
    if not recipient:
        _end(os.EX_USAGE, "Whom is it for? Give --to ADDRESS, or RECIPIENT in the environment.")
    from service.mail import inbox

    raw = sys.stdin.buffer.read(inbox.LARGEST + 1)
    if not raw.strip():
        _end(os.EX_DATAERR, "There is no mail on standard input.")
    try:
        with open_services() as services:
            inbox.accept(services, inbox.InboundMail(raw, recipient, sender.strip("<>"), "stdin"))
    except inbox.NotAccepted as refused:
        _end({552: os.EX_DATAERR, 452: os.EX_TEMPFAIL}.get(refused.code, os.EX_NOUSER), refused.text)
    except click.ClickException as fault:  # settings or database: the mail server keeps the mail meanwhile
        _end(os.EX_TEMPFAIL, fault.message)
    except Exception as error:
        _end(os.EX_TEMPFAIL, f"It cannot be stored now ({type(error).__name__}).")


def _end(status: int, sentence: str) -> NoReturn:
    click.echo(sentence, err=True)
    sys.exit(status)


@mail.command("list")
@click.option("--state", type=click.Choice(STATES), metavar="STATE", help=f"Only these: {', '.join(STATES)}.")
@click.option("--limit", type=click.IntRange(1, 1000), default=20, show_default=True, help="How many, newest first.")
def list_mails(state: str | None, limit: int) -> None:
    """Show what came in last: number, time, way, state, addresses (masked), reason; and if none goes out, that."""
    from service.mail import outgoing, quarantine

    with open_services() as services, services.database.read() as connection:
        trouble = outgoing.line(outgoing.status(services, connection))
        rows = quarantine.latest(connection, state=state, limit=limit)
    if trouble is not None:
        click.echo(trouble, err=True)
    for row in rows:
        click.echo(quarantine.line(row))
    if not rows:
        click.echo("No mail came in yet." if state is None else f"No mail is {state}.", err=True)


@mail.command()
@click.argument("number", type=click.IntRange(1))
def retry(number: int) -> None:
    """Let quarantined mail NUMBER be read again, after what stood in its way was mended."""
    from service.mail import quarantine

    with open_services() as services:
        try:
            with services.database.write() as tx:
                quarantine.retry(services, tx, number)
        except quarantine.NoRetry as none:
            raise click.ClickException(str(none)) from none
        services.wakeup.wake()  # after the commit
    click.echo(f"Mail {number} will be read again.", err=True)


@mail.command()
def flush() -> None:
    """Let all mail go now that waits for the mail server, after it was mended: no probe, no pause.

    Mail that waits for another reason goes on waiting: a night, too many mails in a day, a game that is stopped.
    """
    from service.mail import outgoing

    with open_services() as services, services.database.write() as tx:
        due = outgoing.flush(services, tx)
    click.echo(f"{due} mails are due, and are tried now." if due else "No mail is due.", err=True)


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
    from domain.audit.verify_history import read_game
    from domain.history.envelope import BrokenHistory

    try:
        kind, events, over = read_game(file)
    except BrokenHistory as broken:
        raise click.ClickException(f"This history is broken: {broken}.") from broken
    if not over:
        raise click.ClickException("The game is not over: parts of its history are sealed until then.")
    from domain.rulesets import ruleset

    rules = ruleset(kind)
    own = [event for event in events if type(event) in rules.decider.evolve]
    click.echo(_script_format(kind).write(own, rules.notation.pawns), nl=False)


def _script_format(kind: str) -> "ScriptFormat":
    from domain.rulesets import RULESETS

    found = RULESETS[kind].notation.script if kind in RULESETS else None
    if found is None:
        known = ", ".join(name for name, rules in RULESETS.items() if rules.notation.script is not None)
        raise click.ClickException(f"{kind} has no script format; there is one for {known}.")
    return found


@main.command()
@click.argument("ruleset", default="tammany-hall")
@click.option("--seed", default=1, show_default=True, help="What the players' choices are made from.")
@click.option("--keep", is_flag=True, help="Keep the data folder and say where it is.")
def demo(ruleset: str, seed: int, keep: bool) -> None:
    """Play a whole game over HTTP with mail, a player who falls silent, and a final audit; in under two minutes."""
    try:
        from service.commands.bots.demo import Failed, play
    except ModuleNotFoundError as missing:
        raise click.ClickException(f"The demo needs {missing.name}: pip install {missing.name}") from missing
    try:
        play(ruleset, seed, keep=keep)
    except Failed as failed:
        raise click.ClickException(str(failed)) from failed


main.add_command(arena)
main.add_command(analyse)
main.add_command(doctor)
main.add_command(export)
main.add_command(fit)
main.add_command(keys)
main.add_command(play)
main.add_command(replay)
main.add_command(token)
main.add_command(erase)
main.add_command(verify)
main.add_command(verify_log)


if __name__ == "__main__":
    main(prog_name="wardroom")
