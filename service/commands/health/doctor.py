"""Looking at the service, and at every row of every game."""

import json
import os
import re
import sys
import time
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from typing import TYPE_CHECKING, Any, Final

import click

from service.commands.health.doctor_mail import MailOptions, examine_mail, mail_options
from service.commands.terminal import completion, facts
from service.commands.terminal.exits import VERDICT, Failure
from service.commands.terminal.opening import open_services

if TYPE_CHECKING:
    from service.container import Services
    from service.integrity.audit import Audited
    from service.integrity.checks.findings import Finding

DIGITS: Final = re.compile("[0-9]+")
TOLD_EVERY: Final = 2.0
"""Seconds between two signs of progress."""
UNWATCHED: Final = (
    "whether and when a mail was sent, and what mail servers said about it",
    "notices and mails that were deleted, except those that ask for an answer still owed",
    "when a queued mail, a reminder or a deadline is handled next, its lease and its number of attempts",
    "deadlines that passed, and why a deadline was moved, once the answer is given",
    "a game all of whose rows were put back to an earlier state: the receipts in mails show it",
    "games that were opened or ended in the last seconds, until the house log lists them",
    "since when the first key is listed, within the time before it signed anything",
    "profiles, tokens, codes, table talk, inbound mail, webhooks and settings: nothing signs them",
)
"""The limits of an audit, which compares rows alone; printed after its findings."""


@click.command()
@click.option("--audit", "rows", is_flag=True, help="Compare every row of every game with the game's history.")
@click.option(
    "--game",
    "games",
    multiple=True,
    metavar="ID",
    shell_complete=completion.games,
    help="With --audit: only this game; may be repeated.",
)
@click.option("--dry-run", is_flag=True, help="With --audit: change nothing, neither mend nor stop nor let go on.")
@click.option("--json", "as_json", is_flag=True, help="For programs: one JSON document.")
@click.option("--mail", "by_mail", is_flag=True, help="Send a mail to itself, and judge it when it comes back.")
@mail_options
def doctor(rows: bool, games: tuple[str, ...], dry_run: bool, as_json: bool, by_mail: bool, **mail: Any) -> None:
    """Check configuration and services, and say what to mend. Exit 1 if something must be.

    With --audit, compare triggers, histories, checkpoints and all that is computed from histories. What is computed is
    made anew; a game whose history does not hold is stopped, and one that was stopped and holds again goes on, its
    clocks set back. Exit 1 if anything is left.

    With --mail, send a mail to itself: out through the mail server, back through the intake. Judge the verdicts that
    the mail server wrote into it (SPF, DKIM, DMARC), its signature and its body.

    Example: wardroom doctor --mail (docs/hosting.md)
    """
    _require_sense(mail, rows=rows, by_mail=by_mail, of_rows=bool(games or dry_run))
    try:
        with open_services(migrates=rows, makes_key=False) as services:
            if by_mail:
                well = examine_mail(services, MailOptions(as_json=as_json, **mail))
            else:
                look = _audit if rows else _examine
                well = look(services, games, mend=not dry_run, as_json=as_json)
    except Failure as fault:  # what keeps it from looking must be mended, too
        code = os.EX_NOINPUT if fault.exit_code == os.EX_NOINPUT else VERDICT
        raise Failure(code, fault.message) from fault
    if not well:
        sys.exit(VERDICT)


def _require_sense(mail: dict[str, Any], *, rows: bool, by_mail: bool, of_rows: bool) -> None:
    """Raises UsageError for options that do not go together."""
    if of_rows and not rows:
        raise click.UsageError("--game and --dry-run go with --audit.")
    if rows and by_mail:
        raise click.UsageError("--audit and --mail are two things: run one after the other.")
    if any(mail.values()) and not by_mail:
        given = next(name for name, value in mail.items() if value)
        raise click.UsageError(f"--{given} goes with --mail.")


def _examine(services: "Services", games: Sequence[str], *, mend: bool, as_json: bool) -> bool:
    from service.commands.health import monitoring_checks
    from service.commands.health.diagnosis import examine

    findings = [*examine(services), *monitoring_checks.examine(services.settings)]
    document = {
        "findings": [{"mark": finding.mark, "what": finding.what, "sentence": finding.sentence} for finding in findings]
    }
    lines = (f"{finding.mark:7} {finding.what}: {finding.sentence}" for finding in findings)
    facts.show(document, lines, as_json=as_json)
    return all(finding.mark != "broken" for finding in findings)


def _audit(services: "Services", games: Sequence[str], *, mend: bool, as_json: bool) -> bool:
    from service.integrity import audit

    with services.database.read() as connection:
        house = [] if games else audit.audit_house(connection, services)
        known = audit.game_ids(connection)
    if unknown := sorted(set(games) - set(known)):
        raise Failure(os.EX_NOINPUT, f"There is no game {unknown[0]}.")
    done = list(_each(services, games or known, mend=mend))
    found = [*house, *(finding for audited in done for finding in audited.findings)]
    if as_json:
        document = {
            "games": len(done),
            "events": sum(audited.events for audited in done),
            "findings": [finding.document() for finding in found],
            "halted": {audited.game: audited.halted for audited in done if audited.halted is not None},
            "released": [audited.game for audited in done if audited.released],
            "unwatched": list(UNWATCHED),
        }
        click.echo(json.dumps(document, indent=2, sort_keys=True))
    else:
        for line in _lines(found, done, mend=mend):
            click.echo(line)
        for sentence in UNWATCHED:
            click.echo(f"not watched: {sentence}")
    return not any(finding.left for finding in found)


def _each(services: "Services", games: Sequence[str], *, mend: bool) -> Iterator["Audited"]:
    """Audit these games one after the other, and say how far it is."""
    from service.integrity import audit
    from service.store.event_store import audits, house_log

    last = time.monotonic()
    for number, game in enumerate(games):
        if time.monotonic() - last > TOLD_EVERY:
            click.echo(f"{number} of {len(games)} games", err=True)
            last = time.monotonic()
        yield audit.audit_game(services, game, mend=mend, release=mend, thorough=True)
        if mend:
            with services.database.write() as tx:
                audits.note(tx, game, services.database.clock.now(tx))
                house_log.tell_again(services.database, tx, [game])


def _lines(found: Iterable["Finding"], done: Sequence["Audited"], *, mend: bool) -> Iterator[str]:
    """The findings, game by game, and what came of it."""
    by_game = sorted(found, key=lambda finding: finding.game)
    for game, findings in groupby(by_game, key=lambda finding: finding.game):
        yield f"game {game}" if game else "the database"
        for finding, alike in _by_kind(findings):
            mark = "broken" if finding.left else "mended" if finding.mended else "note"
            yield f"  {mark:7} {finding.line()}{f' And {alike} more like it.' if alike else ''}"
    for audited in done:
        if audited.released:
            yield f"Game {audited.game} holds again, and goes on: its clocks got back the time it stood."
        elif audited.halted is not None:
            yield f"Game {audited.game} is stopped: restore what was changed from a backup, then audit it again."
    left = sum(finding.left for finding in by_game)
    mended = sum(finding.mended for finding in by_game)
    events = sum(audited.events for audited in done)
    looked = f"{len(done)} games with {events} events were looked at"
    if not by_game:
        yield f"{looked}: everything follows from the histories, and they hold."
    elif mend:
        yield f"{looked}: {mended} things were mended, {left} are left."
    else:
        yield f"{looked}: {left} things are not as they should be; nothing was changed."


def _by_kind(findings: Iterable["Finding"]) -> Iterator[tuple["Finding", int]]:
    """The first of each kind, and how many more are like it: one rewritten event spoils all that follow."""
    kinds: dict[tuple[str, ...], list[Finding]] = {}
    for finding in findings:
        kind = (finding.weight, finding.table, finding.column, DIGITS.sub("", finding.sentence), f"{finding.mended}")
        kinds.setdefault(kind, []).append(finding)
    yield from ((alike[0], len(alike) - 1) for alike in kinds.values())
