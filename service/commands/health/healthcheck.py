"""Whether a process of this machine answers: for the runner of containers, which restarts what does not."""

import os
import socket
import sys
from typing import TYPE_CHECKING, Final

import click

from service.commands.terminal.exits import VERDICT, Failure

if TYPE_CHECKING:
    from config.settings import Settings

SECONDS: Final = 3
PROCESSES: Final = ("web", "news", "mail")


@click.command()
@click.argument("process", type=click.Choice(PROCESSES), default="web")
def healthcheck(process: str) -> None:
    """Ask PROCESS (web, news or mail; web if none is named) on this machine whether it answers. Exit 1 if it does not.

    Whether the service can work is another question: /readyz answers it, and `wardroom doctor`.

    Example: wardroom healthcheck mail. See "Containers" in docs/hosting.md.
    """
    from config.settings import BadSetting, load

    try:
        place, path = _place(load(makes_key=False), process)
    except BadSetting as bad:
        raise Failure(os.EX_CONFIG, str(bad)) from bad
    try:
        said = _first_line(place, path)
    except OSError as error:
        said = f"nothing ({type(error).__name__})"
    if not said.startswith(("HTTP/1.1 200", "HTTP/1.0 200", "220 ")):
        click.echo(f"{process} does not answer at {place[0]}:{place[1]}: {said}", err=True)
        sys.exit(VERDICT)


def _place(settings: "Settings", process: str) -> tuple[tuple[str, int], str]:
    """Where a process listens, and what to ask of it by HTTP; "" for a mail server, which speaks first."""
    if process == "web":
        return (_near(settings.host), settings.port), "/healthz"
    given = settings.news if process == "news" else settings.mail_in
    if given is None:
        raise Failure(os.EX_CONFIG, f"WARDROOM_{'NEWS' if process == 'news' else 'MAIL_IN'} is off: nothing listens.")
    host, port = given if isinstance(given, tuple) else (given.host, given.port)
    return (_near(host), port), "/news/health" if process == "news" else ""


def _near(host: str) -> str:
    """A host as a program on the same machine reaches it."""
    return {"0.0.0.0": "127.0.0.1", "::": "::1"}.get(host, host)  # noqa: S104 - what is listened on, not by us


def _first_line(place: tuple[str, int], path: str) -> str:
    with socket.create_connection(place, SECONDS) as connection:
        if path:
            connection.sendall(f"GET {path} HTTP/1.1\r\nHost: {place[0]}\r\nConnection: close\r\n\r\n".encode("ascii"))
        return connection.makefile("r", encoding="latin-1").readline(200).strip()
