"""The public keys this host has signed with."""

import click

from service.commands.opening import open_services


@click.command()
def keys() -> None:
    """Print the public keys that checkpoints are signed with, oldest first: id, since when, key, and what vouches."""
    from service.store.event_store import checkpoints

    with open_services() as services:
        listed = checkpoints.published(services.database, services.signer)
        for key in listed:
            vouched = f"  endorsed by {key['endorsement']['key']}" if key["endorsement"] else ""
            present = "  signs now" if key["id"] == services.signer.key_id else ""
            click.echo(f"{key['id']}  {key['since']}  {key['public']}{vouched}{present}")
    if services.signer.key_id not in {key["id"] for key in listed}:
        raise click.ClickException(
            f"The present key, {services.signer.key_id}, is none of these. {checkpoints.StrangeKey()}"
        )
