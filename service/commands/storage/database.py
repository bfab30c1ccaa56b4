"""What whoever runs PostgreSQL needs to know of ours."""

import os

import click

from service.commands.terminal.exits import Failure

NO_ROLES = "The database is a SQLite file, {}: it has no roles. They are for WARDROOM_DATABASE_URL=postgresql://…"
NO_OWNER = (
    "WARDROOM_DATABASE_OWNER_URL is not set: give the role that owns the tables there, and in WARDROOM_DATABASE_URL "
    "another one, whom the service logs in as."
)


@click.group()
def database() -> None:
    """The database that the service stands on."""


@database.command()
def sql() -> None:
    """Print commands for psql that make the roles and the database of the settings; run them as a superuser.

    \b
    wardroom database sql | sudo -u postgres psql

    One role owns the tables and migrates (WARDROOM_DATABASE_OWNER_URL), the service logs in as another that may not
    change events (WARDROOM_DATABASE_URL). What is there is left as it is but for passwords.

    Example: wardroom database sql (docs/hosting.md)
    """
    from config.settings import BadSetting, load
    from service.store.structure import roles

    try:
        settings = load(needs_key=False)
    except BadSetting as bad:
        raise Failure(os.EX_CONFIG, str(bad)) from bad
    if settings.sqlite:
        raise Failure(os.EX_CONFIG, NO_ROLES.format(settings.database_url.removeprefix("sqlite:///")))
    if not settings.database_owner_url:
        raise Failure(os.EX_CONFIG, NO_OWNER)
    try:
        click.echo(roles.script(settings.database_url, settings.database_owner_url), nl=False)
    except roles.BadRoles as bad:
        raise Failure(os.EX_CONFIG, str(bad)) from bad
