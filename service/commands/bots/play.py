"""`wardroom play`: a game against bots that has begun, and the link that leads to it; for a server of one's own."""

import os
import socket
import sys
from typing import TYPE_CHECKING, Final

import click

from domain.engine.bots import TEMPERS, Bot
from domain.rulesets import RULESETS
from service.commands.terminal.exits import Failure
from service.commands.terminal.opening import open_services
from service.kernel import own_modules

if TYPE_CHECKING:
    from service.container import Services

REAL: Final = (
    "Mail of this server goes out to people, so whoever plays here signs in at {base}/sign-in. There a table against "
    "bots is at {base}/tables/new?against=bots."
)


@click.command()
@click.argument("ruleset", default="tammany-hall")
@click.option("--strength", type=click.IntRange(1, 3), default=1, show_default=True, help="Of the bots.")
@click.option("--bots", type=click.IntRange(1), help="How many of them; left out, two if the game allows it.")
@click.option("--email", default="player@example.org", show_default=True, help="Whose game it is, made if needed.")
def play(ruleset: str, strength: int, bots: int | None, email: str) -> None:
    """Begin a game against bots and print the link to it; where no server answers yet, serve it, too.

    Example: wardroom play city-hall --strength 2 (docs/operations.md)
    """
    from service.accounts.names import normalise_email
    from service.games.bots import seats_of_first_game

    if ruleset not in RULESETS:
        raise Failure(os.EX_USAGE, f"There is no ruleset {ruleset}: there is {', '.join(RULESETS)}.")
    try:
        email = normalise_email(email)
    except ValueError as error:
        raise Failure(os.EX_DATAERR, str(error)) from error
    with open_services() as services:
        settings = services.settings
        if settings.smtp_url is not None:
            raise Failure(os.EX_CONFIG, REAL.format(base=settings.base_url))
        link = _begin(services, ruleset, strength, bots or seats_of_first_game(RULESETS[ruleset]) - 1, email)
    title = RULESETS[ruleset].presentation.title
    served = _answers(settings.host, settings.port)
    when = "Within ten minutes, open" if served else "When it is served (see below), and within ten minutes, open"
    click.echo(f"{title} against bots of strength {strength} has begun. {when}:\n\n    {link}\n")
    sys.stdout.flush()
    if not served:
        program = own_modules.command("workers.processes.embedded")
        os.execve(program[0], program, own_modules.extended(os.environ))  # noqa: S606 - our own program


def _begin(services: "Services", kind: str, strength: int, count: int, email: str) -> str:
    """Open the table and make a link that signs in and leads there."""
    from domain.engine.refusals import RuleViolation
    from service.accounts import people, sign_in
    from service.clocks.presets import PRESETS, RELAXED
    from service.games.play import open_game

    opponents = [Bot(strength, TEMPERS[place % len(TEMPERS)]) for place in range(count)]  # type: ignore[arg-type]
    terms = {"options": {}, "clock": PRESETS[RELAXED].clock, "public": False, "invite": [], "nonce": None}
    with services.database.write() as tx:
        player = people.welcome(services, tx, email, email.partition("@")[0].capitalize())
        try:
            opened = open_game(services, tx, player, kind=kind, seats=count + 1, bots=opponents, **terms)  # type: ignore[arg-type]
        except RuleViolation as refused:
            raise Failure(os.EX_DATAERR, str(refused.message)) from refused
        link = sign_in.link_for(services, tx, email)
    return f"{services.settings.base_url}/sign-in/{link}?next=/g/{opened.head.game}"


def _answers(host: str, port: int) -> bool:
    """Whether a server listens there."""
    try:
        with socket.create_connection((host, port), timeout=2):
            return True
    except OSError:
        return False
