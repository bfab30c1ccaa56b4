"""The history of a game as a file: written here, and checked anywhere without a server."""

import email
import email.policy
import os
import re
import sys
from collections.abc import Iterator, Sequence
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO, Final

import click

from service.commands.terminal import completion, facts
from service.commands.terminal.exits import VERDICT, Failure, unwritable
from service.commands.terminal.opening import open_services

if TYPE_CHECKING:
    from domain.audit.receipts import Witness
    from domain.audit.verify_history import Report

NUMBERS: Final = re.compile("[0-9]+")
NOT_SEEN = (
    "that the host did not foresee draws, or read what it keeps sealed",
    "that no longer history exists: ask others for their receipts",
    "that mail it says was sent was sent",
)
"""Attacks that no check of a file can show (docs/audit/format.md, section 10)."""


@click.command()
@click.argument("game", shell_complete=completion.games)
@click.option("--bundle", is_flag=True, help="An audit bundle: all that is needed to check the game, signed.")
@click.option("--output", type=click.Path(dir_okay=False, writable=True, path_type=Path), help="Write to this file.")
def export(game: str, bundle: bool, output: Path | None) -> None:
    """Print the history of GAME as NDJSON; secrets stay sealed until the game is over.

    Example: wardroom export k7x2m9qd4t --bundle --output game.zip (docs/audit/format.md)
    """
    if bundle and (output is None or str(output) == "-") and is_terminal():
        raise click.UsageError("A bundle is no text: give --output FILE, or send it into a file with > FILE.")
    with open_services() as services:
        content = _export(services, game, bundle)
    if output is None or str(output) == "-":
        sys.stdout.buffer.write(content)
        return
    try:
        output.write_bytes(content)
    except OSError as error:
        raise unwritable(output, error) from error


def is_terminal() -> bool:
    """Whether what is printed is shown to somebody."""
    return sys.stdout.isatty()


def _export(services: Any, game: str, bundle: bool) -> bytes:

    from service.games import history_queries
    from service.integrity import export_bundle
    from service.store.errors import DatabaseError
    from service.store.event_store.checkpoints import StrangeKey, require_known
    from service.store.event_store.streams import NoSuchGame

    with services.database.read() as connection:
        try:
            head = services.streams.head(connection, game)
            if bundle:
                return export_bundle.make(services, connection, head, None)
            return b"".join(history_queries.export(services, connection, head, None))
        except NoSuchGame as error:
            raise Failure(os.EX_NOINPUT, f"There is no game {game}.") from error
        except (StrangeKey, DatabaseError):  # what opened the service says them
            raise
        except Exception as error:  # records that were changed may say anything
            require_known(connection, services.signer)
            told = f"The records of game {game} are damaged, and cannot be told: see `wardroom doctor --audit`."
            raise Failure(os.EX_DATAERR, told) from error


@click.command()
@click.argument("file", type=click.File("rb"))
@click.option("--receipt", "kept", multiple=True, metavar="CODE|MAIL", help="A receipt, or the file of a saved mail.")
@click.option("--keys", "noted", type=click.File("rb"), help="The host's keys, as /.well-known/wardroom-keys had them.")
@facts.document_option
def verify(file: BinaryIO, kept: Sequence[str], noted: BinaryIO | None, as_json: bool) -> None:
    """Check an audit bundle or an exported history, offline: chain, commitments, draws, rules.

    FILE is - for standard input. Exit 0 if it holds, 1 if not.

    Example: wardroom verify game.zip (docs/checking.md)
    """
    from domain.audit.bundle.schema import read_keys
    from domain.audit.bundle.verify import check, check_export, is_bundle
    from service.kernel.signing import genuine

    witnesses = [witness for report in kept for witness in _witnesses(report)]
    try:
        keys = None if noted is None else read_keys(noted.read())
    except ValueError as error:
        raise Failure(os.EX_DATAERR, f"--keys: {error}") from error
    content = file.read()
    if is_bundle(content):
        report = check(content, genuine, witnesses=witnesses, noted=keys)
    else:
        report = check_export(list(BytesIO(content)), genuine, witnesses=witnesses, noted=keys)
    if as_json:
        facts.show(_document(report), (), as_json=True)
        sys.exit(0 if report.ok else VERDICT)
    _tell(report)


def _document(report: "Report") -> dict[str, Any]:
    return {
        "ok": report.ok,
        "game": report.game,
        "events": report.events,
        "hash": report.hash,
        "checks": [
            {"subject": subject, "verdict": verdict, "sentence": f"{sentence}"}
            for subject, verdict, sentence in report.checks
        ],
        "unchecked": list(NOT_SEEN),
    }


def _tell(report: "Report") -> None:
    for (subject, verdict, sentence), alike in _by_kind(report.checks):
        like = f" And {alike} more like it." if alike else ""
        click.echo(facts.printable(f"{verdict:9} {subject}: {sentence}{like}"))
    for sentence in NOT_SEEN:
        click.echo(f"unchecked {sentence}.")
    if not report.ok:
        click.echo("This history is broken.", err=True)
        sys.exit(VERDICT)
    click.echo(facts.printable(f"verified  game {report.game}, {report.events} events, hash {report.hash}"))


def _by_kind(checks: Sequence[tuple[str, str, str]]) -> Iterator[tuple[tuple[str, str, str], int]]:
    """Checks, of those that are broken the first of each kind, and how many more are like it."""
    kinds: dict[tuple[str, ...], list[tuple[str, str, str]]] = {}
    for number, check in enumerate(checks):
        alike = check[1] == "broken" and not check[0].startswith("receipt")  # what somebody kept is told one by one
        kinds.setdefault((check[0], NUMBERS.sub("", check[2]) if alike else f"{number}"), []).append(check)
    yield from ((found[0], len(found) - 1) for found in kinds.values())


def _witnesses(kept: str) -> "list[Witness]":
    """The receipts somebody has kept: a receipt, or all that the headers of a saved mail tell."""
    from domain.audit.receipts import Witness

    path = Path(kept)
    try:
        if path.is_file():
            return _read_mail(path)
    except OSError as error:
        told = f"{kept[:40]} can be read neither as a receipt nor as a file: {error.strerror}."
        raise Failure(os.EX_NOINPUT, f"--receipt: {told}") from error
    try:
        return [Witness.of_receipt(kept)]
    except ValueError as error:
        hint = f" There is no file {kept}, either." if "/" in kept or "." in kept else ""
        raise Failure(os.EX_DATAERR, f"--receipt: {error}{hint}") from error


def _read_mail(path: Path) -> "list[Witness]":
    from domain.audit.checkpoints import HEADER, read_header
    from domain.audit.receipts import Witness

    try:
        mail = email.message_from_bytes(path.read_bytes(), policy=email.policy.default)
        # also in a mail that was forwarded
        headers = [header for part in mail.walk() for header in part.get_all(HEADER, [])]
        found = [Witness.of_mail(f"the mail {path.name}", read_header(str(header))) for header in headers]
    except RecursionError as error:
        told = f"{path} is no mail that can be read: its parts lie too deep in one another."
        raise Failure(os.EX_DATAERR, f"--receipt: {told}") from error
    except (ValueError, LookupError, TypeError, AttributeError) as error:
        raise Failure(os.EX_DATAERR, f"--receipt: {path}: {error}") from error
    if not found:
        told = f"{path} has no header {HEADER}: save the mail with all its headers, or copy the receipt at its end."
        raise Failure(os.EX_DATAERR, f"--receipt: {told}")
    return found
