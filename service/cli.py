"""The `wardroom` command. Data goes to standard output, messages to standard error."""

import os
import sys
from typing import TYPE_CHECKING, Any, Final, TextIO

import click

from service.commands.bots.analyse import analyse
from service.commands.bots.arena.command import arena
from service.commands.bots.fit import fit
from service.commands.bots.play import play
from service.commands.health.doctor import doctor
from service.commands.health.healthcheck import healthcheck
from service.commands.operating.deadline import deadline
from service.commands.operating.games import games
from service.commands.operating.journal import journal
from service.commands.operating.people import erase, token
from service.commands.operating.players import players
from service.commands.operating.queue import flush as flush_queue
from service.commands.operating.queue import queue
from service.commands.operating.seats import seats
from service.commands.operating.stats import stats
from service.commands.operating.talk import talk
from service.commands.storage.backup import backup
from service.commands.storage.database import database
from service.commands.storage.keys import keys
from service.commands.storage.migrate import migrate
from service.commands.storage.restore import restore
from service.commands.terminal import facts
from service.commands.terminal.exits import VERDICT, CommandLine, Failure, ends_with
from service.commands.terminal.opening import open_services
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


def _show_version(context: click.Context, parameter: click.Parameter, wanted: bool) -> None:
    if wanted:
        from config.release import release

        click.echo(release())
        context.exit()


@click.group(cls=CommandLine, context_settings={"help_option_names": ["-h", "--help"]})
@click.option(
    "--version", is_flag=True, is_eager=True, expose_value=False, callback=_show_version, help="Release and commit."
)
def main() -> None:
    """Political board games by correspondence."""


@main.command(context_settings={"ignore_unknown_options": True, "help_option_names": []})
@click.argument("words", nargs=-1, type=click.UNPROCESSED)
def serve(words: tuple[str, ...]) -> None:
    """Serve API, pages, clock and mail in one process (--host, --port)."""
    from service.kernel import own_modules

    program = own_modules.command("workers.processes.embedded", *words)
    os.execve(program[0], program, own_modules.extended(os.environ))  # noqa: S606 - our own program


@main.group(invoke_without_command=True)
@facts.document_option
@click.pass_context
def clock(context: click.Context, as_json: bool) -> None:
    """Show how deadlines stand: when they were last looked at, and whether anything holds them. Exit 1 if so.

    Example: wardroom clock (docs/operations.md)
    """
    if context.invoked_subcommand is not None:
        return
    from service.clocks import outages

    with open_services() as services, services.database.read() as connection:
        found = outages.status(services.database, connection)
    document = {
        "now": facts.time_of(found.now),
        "swept": facts.time_of(found.swept),
        "held": facts.time_of(found.held),
        "flooded": facts.time_of(found.flooded),
    }
    facts.show(document, outages.lines(found), as_json=as_json)
    if found.held is not None:
        sys.exit(VERDICT)


@clock.command()
def accept() -> None:
    """Believe the time as it is, and decide deadlines again, whether a jump held them or their number.

    After a jump, clocks that run get it back. Where unusually many deadlines would pass at once, they pass now.

    Example: wardroom clock accept (docs/operations.md)
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


@mail.command()
@click.option("--to", "recipient", envvar=["ORIGINAL_RECIPIENT", "RECIPIENT"], help="Address the mail came to.")
@click.option("--from", "sender", envvar="SENDER", default="", help="Sender of the envelope; nothing for a bounce.")
def ingest(recipient: str | None, sender: str) -> None:
    """Take one message from standard input, as a mail server's pipe hands it over.

    Without --to and --from, the variables ORIGINAL_RECIPIENT or RECIPIENT and SENDER say whose it is. Exit 0: it is
    stored. 64: wrong usage. 65: empty or too large. 67: no such address. 75: not now, try again later.

    Example: wardroom mail ingest --to ADDRESS --from SENDER < message (docs/operations.md)
    """
    if not recipient:
        ends_with(os.EX_USAGE, "Whom is it for? Give --to ADDRESS, or RECIPIENT in the environment.")
    from service.mail import inbox

    raw = sys.stdin.buffer.read(inbox.LARGEST + 1)
    if not raw.strip():
        ends_with(os.EX_DATAERR, "There is no mail on standard input.")
    try:
        with open_services() as services:
            inbox.accept(services, inbox.InboundMail(raw, recipient, sender.strip("<>"), "stdin"))
    except inbox.NotAccepted as refused:
        ends_with({552: os.EX_DATAERR, 452: os.EX_TEMPFAIL}.get(refused.code, os.EX_NOUSER), refused.text)
    except Failure as fault:  # settings or database: the mail server keeps the mail meanwhile
        ends_with(os.EX_TEMPFAIL, fault.message)
    except Exception as error:
        ends_with(os.EX_TEMPFAIL, f"It cannot be stored now ({type(error).__name__}).")


@mail.command("list")
@click.option("--state", type=click.Choice(STATES), metavar="STATE", help=f"Only these: {', '.join(STATES)}.")
@click.option("--limit", type=click.IntRange(1, 1000), default=20, show_default=True, help="How many, newest first.")
@facts.json_option
def list_mails(state: str | None, limit: int, as_json: bool) -> None:
    """Show what came in last: number, time, way, state, addresses (masked), reason; and if none goes out, that.

    Example: wardroom mail list --state quarantined (docs/operations.md)
    """
    from service.mail import outgoing, quarantine

    with open_services() as services, services.database.read() as connection:
        trouble = outgoing.line(outgoing.status(services, connection))
        rows = quarantine.latest(connection, state=state, limit=limit)
    if trouble is not None:
        click.echo(trouble, err=True)
    if as_json:
        return facts.show_list(map(quarantine.fact, rows), (), as_json=True)
    for row in rows:
        click.echo(quarantine.line(row))
    if not rows:
        click.echo("No mail came in yet." if state is None else f"No mail is {state}.", err=True)
    return None


@mail.command()
@click.argument("number", type=click.IntRange(1))
def retry(number: int) -> None:
    """Let quarantined mail NUMBER be read again, after what stood in its way was mended.

    Example: wardroom mail retry 17 (docs/operations.md)
    """
    from service.mail import quarantine

    with open_services() as services:
        try:
            with services.database.write() as tx:
                quarantine.retry(services, tx, number)
        except quarantine.NoRetry as none:
            code = os.EX_NOINPUT if isinstance(none, quarantine.NoSuchMail) else os.EX_DATAERR
            raise Failure(code, str(none)) from none
        services.wakeup.wake()  # after the commit
    click.echo(f"Mail {number} will be read again.", err=True)


@mail.command()
def flush() -> None:
    """Let all mail go now that waits for the mail server: `wardroom queue flush --channel mail`.

    Example: wardroom mail flush (docs/operations.md)
    """
    flush_queue(["mail"])


@main.group()
def script() -> None:
    """Games as texts, for rulesets that have a script format: play one, or write one from an export."""


@script.command("play")
@click.argument("ruleset")
@click.argument("file", type=click.File())
def play_script(ruleset: str, file: TextIO) -> None:
    """Play the script in FILE by RULESET and print the state document it leads to, as JSON.

    Example: wardroom script play city-hall game.txt (docs/programs.md)
    """
    import json

    try:
        click.echo(json.dumps(_script_format(ruleset).play(file.read()), indent=2))
    except ValueError as error:
        raise Failure(os.EX_DATAERR, str(error)) from error


@script.command("write")
@click.argument("file", type=click.File("rb"))
def write_script(file: Any) -> None:
    """Print the script of a finished game, from its export in FILE.

    Example: wardroom script write game.ndjson (docs/programs.md)
    """
    from domain.audit.verify_history import read_game
    from domain.history.envelope import BrokenHistory

    try:
        kind, events, over = read_game(file)
    except BrokenHistory as broken:
        raise Failure(os.EX_DATAERR, f"This history is broken: {broken}.") from broken
    if not over:
        raise Failure(os.EX_DATAERR, "The game is not over: parts of its history are sealed until then.")
    from domain.rulesets import ruleset

    rules = ruleset(kind)
    own = [event for event in events if type(event) in rules.decider.evolve]
    click.echo(_script_format(kind).write(own, rules.notation.pawns), nl=False)


def _script_format(kind: str) -> "ScriptFormat":
    from domain.rulesets import RULESETS

    found = RULESETS[kind].notation.script if kind in RULESETS else None
    if found is None:
        known = ", ".join(name for name, rules in RULESETS.items() if rules.notation.script is not None)
        raise Failure(os.EX_DATAERR, f"{kind} has no script format; there is one for {known}.")
    return found


@main.command()
@click.argument("ruleset", default="tammany-hall")
@click.option("--seed", default=1, show_default=True, help="What the players' choices are made from.")
@click.option("--keep", is_flag=True, help="Keep the data folder and say where it is.")
def demo(ruleset: str, seed: int, keep: bool) -> None:
    """Play a whole game over HTTP with mail, a player who falls silent, and a final audit; in under two minutes.

    Example: wardroom demo city-hall (docs/operations.md)
    """
    try:
        from service.commands.bots.demo import Failed, play
    except ModuleNotFoundError as missing:
        raise Failure(os.EX_UNAVAILABLE, f"The demo needs {missing.name}: pip install {missing.name}") from missing
    try:
        play(ruleset, seed, keep=keep)
    except Failed as failed:
        raise Failure(os.EX_SOFTWARE, str(failed)) from failed


main.add_command(arena)
main.add_command(analyse)
main.add_command(backup)
main.add_command(database)
main.add_command(deadline)
main.add_command(doctor)
main.add_command(export)
main.add_command(fit)
main.add_command(games)
main.add_command(healthcheck)
main.add_command(journal)
main.add_command(keys)
main.add_command(migrate)
main.add_command(play)
main.add_command(players)
main.add_command(queue)
main.add_command(replay)
main.add_command(restore)
main.add_command(seats)
main.add_command(stats)
main.add_command(talk)
main.add_command(token)
main.add_command(erase)
main.add_command(verify)
main.add_command(verify_log)


if __name__ == "__main__":
    main(prog_name="wardroom")
