"""The house log that somebody saved, checked anywhere without a server (docs/audit/log.md)."""

import email
import email.policy
import json
import os
import sys
from typing import TYPE_CHECKING, Any, BinaryIO

import click

from service.commands.terminal import facts
from service.commands.terminal.exits import VERDICT, Failure

if TYPE_CHECKING:
    from domain.audit.house_log import LogHead


@click.command("verify-log")
@click.argument("file", type=click.File("rb"))
@click.option("--head", "kept", multiple=True, type=click.File("rb"), metavar="MAIL", help="A head you kept before.")
@click.option("--keys", "noted", type=click.File("rb"), help="The host's keys, as /.well-known/wardroom-keys had them.")
@facts.document_option
def verify_log(file: BinaryIO, kept: tuple[BinaryIO, ...], noted: BinaryIO | None, as_json: bool) -> None:
    """Check that a house log has only grown since a head you kept.

    FILE is /.well-known/wardroom-log?from=SIZE as the host answered it, SIZE that of your head; a head is a saved mail,
    or an earlier answer. Exit 0 if it holds, 1 if not.

    Example: wardroom verify-log log.json --head mail.eml (docs/audit/log.md)
    """
    from domain.audit.bundle.schema import read_keys
    from domain.audit.bundle.verify import ids
    from domain.audit.house_log import check_log, read_log_head
    from service.kernel.signing import genuine

    try:
        log = json.loads(file.read())
        checks = list(
            check_log(
                log,
                read_log_head(log),
                [_head(mail) for mail in kept],
                None if noted is None else ids(read_keys(noted.read())),
                genuine,
            )
        )
    except (ValueError, RecursionError) as error:
        raise Failure(os.EX_DATAERR, f"This is no log, or no head: {error}.") from error
    broken = any(verdict == "broken" for verdict, _ in checks)
    listed = [{"verdict": verdict, "sentence": f"{sentence}"} for verdict, sentence in checks]
    lines = (f"{verdict:9} {sentence}" for verdict, sentence in checks)
    facts.show({"ok": not broken, "checks": listed}, lines, as_json=as_json)
    if broken:
        click.echo("This log is broken.", err=True)
        sys.exit(VERDICT)


def _head(file: BinaryIO) -> "LogHead":
    """The head in a saved mail, or in an earlier answer. Raises ValueError."""
    from domain.audit.house_log import HEADER, read_log_head, read_log_header

    content = file.read()
    if content.lstrip().startswith(b"{"):
        return read_log_head(json.loads(content))
    mail: Any = email.message_from_bytes(content, policy=email.policy.default)
    headers = [header for part in mail.walk() for header in part.get_all(HEADER, [])]
    return read_log_header(str(headers[0]) if headers else "")
