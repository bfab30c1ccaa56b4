"""The options of commands by which the operator acts, and the act itself, with its line in the journal."""

import getpass
import os
import sys
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Final, TypeVar

import click

from service.commands.terminal.exits import Failure

if TYPE_CHECKING:
    from service.container import Services
    from service.operator.journal import Deed
    from service.store.database import Connection
    from service.store.running.operator_acts import Act

F = TypeVar("F", bound=Callable[..., Any])
why_option: Final = click.option("--why", required=True, metavar="REASON", help="Players are told, in these words.")
as_option: Final = click.option("--as", "operator", metavar="NAME", help="Who acts, for the journal; else who you are.")
yes_option: Final = click.option("--yes", is_flag=True, help="Do not ask.")


def acts(command: F) -> F:
    """Give a command --why, --as and --yes."""
    return why_option(as_option(yes_option(command)))


def act(
    services: "Services", operator: str | None, why: str, do: "Callable[[Connection], Deed]", *, rehearse: bool = False
) -> "Act":
    """Do something in one transaction with its line in the journal; with `rehearse` nothing of it lasts.

    Raises Failure in a sentence.
    """
    from domain.engine.refusals import RuleViolation
    from service.operator.journal import BadName, BadReason, operator_of
    from service.operator.journal import act as written

    try:
        return written(services, operator_of(operator or login(), why), do, rehearse=rehearse)
    except (BadName, BadReason) as bad:
        raise Failure(os.EX_USAGE, str(bad)) from bad
    except ValueError as wrong:
        raise Failure(os.EX_DATAERR, str(wrong)) from wrong
    except RuleViolation as refused:
        raise Failure(os.EX_DATAERR, str(refused.message)) from refused


def login() -> str:
    """Who runs this, also by sudo; the number of a user who has no name, as in a container."""
    try:
        return os.environ.get("SUDO_USER") or getpass.getuser()
    except (KeyError, OSError):
        return f"user {os.getuid()}"


def confirm(question: str, yes: bool, typed: str = "") -> None:
    """Ask, unless --yes was given; what cannot be taken back is `typed` in answer.

    Raises Failure where nobody is there to answer, Abort for a no.
    """
    if yes:
        return
    if not sys.stdin.isatty():
        raise Failure(os.EX_USAGE, "Nothing was done: there is nobody to ask, so say --yes.")
    if not typed:
        click.confirm(question, abort=True, err=True)
    elif click.prompt(f"{question}: type {typed}", err=True, default="", show_default=False).strip() != typed:
        raise click.Abort
