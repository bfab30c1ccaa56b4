"""Bringing the database to the schema of this release, or back to that of an earlier one."""

import os
from collections.abc import Sequence
from typing import TYPE_CHECKING

import click

from service.commands.terminal.exits import Failure
from service.commands.terminal.opening import STOP, open_services

if TYPE_CHECKING:
    from service.store.database import Database
    from service.store.structure.schema_steps import Step


@click.command()
@click.argument("revision", required=False)
@click.option("--to", "release", metavar="RELEASE", help="To the schema of this release, back if it is an earlier one.")
@click.option("--back", is_flag=True, help="Back by one release.")
@click.option("--dry-run", is_flag=True, help="Print the steps, and what going back would lose; change nothing.")
@click.option("--accept-loss", is_flag=True, help="Go back although something is lost.")
def migrate(revision: str | None, release: str | None, back: bool, dry_run: bool, accept_loss: bool) -> None:
    """Bring the database to the schema of this release (or up to REVISION), and make triggers again that are missing.

    Stop all processes and make a backup before. Going back says what it would lose, and does it only with
    --accept-loss; before you start the earlier release, install it. Two migrations at once are safe: one waits.

    Example: wardroom migrate --back --dry-run. See "Upgrade" in docs/hosting.md.
    """
    if sum((revision is not None, release is not None, back)) > 1:
        raise click.UsageError("Give one of REVISION, --to and --back.")
    from service.store.structure import migrate as migrations
    from service.store.structure import schema

    with open_services(migrates=False) as services:
        database = services.database
        at = migrations.as_owner(database, schema.known)
        target = _target(at, revision, release, back)
        steps = _steps(database, at, target, told=dry_run)
        if dry_run:
            return
        if any(step.back for step in steps):
            _go_back(database, steps, at, target, accept_loss)
        else:
            _go(database, at, target)
            _guard(database)
        click.echo(f"The database is at {migrations.as_owner(database, schema.revision)}.", err=True)


def _target(at: str | None, revision: str | None, release: str | None, back: bool) -> str:
    from service.store import releases
    from service.store.structure import schema

    if revision is not None and revision != "head":
        return _forward(at, revision)
    wanted = releases.CURRENT
    if release is not None:
        found = releases.called(release)
        if found is None:
            known = ", ".join(each.version for each in releases.RELEASES)
            raise click.UsageError(f"This Wardroom knows no release {release}; it knows {known}.")
        wanted = found
    if back:
        if at is None:
            raise click.UsageError("The database is empty: there is nothing to go back from.")
        now = schema.release_of(at)
        earlier = releases.before(now)
        if earlier is None:
            raise click.UsageError(f"The database is as Wardroom {now.version} has it, and that was the first release.")
        wanted = earlier
    return wanted.revision or schema.NEWEST


def _forward(at: str | None, revision: str) -> str:
    from service.store.structure import schema

    if revision not in schema.KNOWN:
        raise click.UsageError(f"There is no migration {revision}: the newest is {schema.NEWEST}.")
    if at is not None and schema.is_before(revision, at):
        raise click.UsageError(
            f"The database is at {at}, and {revision} is older: a revision is a way forward only. To go back, use "
            "--back or --to RELEASE."
        )
    return revision


def _steps(database: "Database", at: str | None, target: str, *, told: bool) -> Sequence["Step"]:
    """The steps to take, printed where that is wanted."""
    from service.store.structure import migrate as migrations
    from service.store.structure import schema_steps

    try:
        steps = migrations.as_owner(database, lambda connection: schema_steps.plan(connection, at, target))
    except schema_steps.Unsaid as unsaid:
        raise Failure(
            os.EX_SOFTWARE,
            f"Migration {unsaid} does not say what going back loses: restore the backup that was made before.",
        ) from None
    if told:
        for line in _told(database, steps, at, target):
            click.echo(line)
    return steps


def _told(database: "Database", steps: Sequence["Step"], at: str | None, target: str) -> list[str]:
    if not steps:
        return [f"The database is at {at} already: there is nothing to do."]
    lines = [STOP, f"From {at or 'nothing'} to {target}, in {len(steps)} steps:"]
    lines += [line for step in steps for line in step.lines()]
    return lines + [f"  lost: {loss}" for loss in _unreadable(database, steps, target)]


def _unreadable(database: "Database", steps: Sequence["Step"], target: str) -> list[str]:
    """What an earlier release cannot do with the games that are there."""
    from service.store.structure import migrate as migrations
    from service.store.structure import schema, schema_steps

    if not any(step.back for step in steps):
        return []
    release = schema.release_of(target)
    games = migrations.as_owner(database, lambda connection: schema_steps.unreadable(connection, release))
    if not games:
        return []
    few = ", ".join(games[:5]) + (" …" if len(games) > 5 else "")
    return [
        f"{len(games)} games that Wardroom {release.version} cannot read ({few}): they stand still until you come back "
        "to this release"
    ]


def _go_back(database: "Database", steps: Sequence["Step"], at: str | None, target: str, accepted: bool) -> None:
    from service.store import releases
    from service.store.structure import schema

    losses = [loss for step in steps for loss in step.losses] + _unreadable(database, steps, target)
    for loss in losses:
        click.echo(f"lost: {loss}", err=True)
    if losses and not accepted:
        raise Failure(
            os.EX_DATAERR,
            "Nothing was changed. Going back would lose this: say --accept-loss, or restore the backup that was made "
            "before the upgrade.",
        )
    _go(database, at, target)
    release = schema.release_of(target)
    click.echo(
        f"Install Wardroom {release.version} now: {releases.CURRENT.version} does not start on this database.", err=True
    )


def _go(database: "Database", at: str | None, target: str) -> None:
    from service.store.structure import schema_steps

    schema_steps.go(
        database, at, target, lambda: click.echo("Another migration is under way: this one waits.", err=True)
    )


def _guard(database: "Database") -> None:
    """Make the triggers and grants again that are missing."""
    from service.store.structure import guards, roles, schema
    from service.store.structure import migrate as migrations

    if migrations.as_owner(database, schema.revision) == schema.NEWEST:
        for name in migrations.as_owner(database, guards.make_again):
            click.echo(f"The trigger {name} was missing, changed or off, and was made again.", err=True)
        for name in migrations.as_owner(database, roles.grant_again):
            click.echo(f"The service may use {name} now, as it must.", err=True)
