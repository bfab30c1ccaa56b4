"""The public keys this host has signed with."""

import click

from service.commands.opening import open_services


@click.command()
def keys() -> None:
    """Print the public keys that checkpoints are signed with, oldest first: id, since when, key, and what vouches."""
    from service.store import checkpoints

    with open_services() as services:
        listed = checkpoints.published(services.database, services.signer)
        for one in listed:
            vouched = f"  endorsed by {one['endorsement']['key']}" if one["endorsement"] else ""
            present = "  signs now" if one["id"] == services.signer.key_id else ""
            click.echo(f"{one['id']}  {one['since']}  {one['public']}{vouched}{present}")
    if services.signer.key_id not in {one["id"] for one in listed}:
        raise click.ClickException(
            f"The present key, {services.signer.key_id}, is none of these. {checkpoints.StrangeKey()}"
        )
