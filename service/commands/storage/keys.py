"""The public keys this host has signed with."""

import os

import click

from service.commands.terminal import facts
from service.commands.terminal.exits import Failure
from service.commands.terminal.opening import open_services


@click.command()
@facts.json_option
def keys(as_json: bool) -> None:
    """Print the public keys that checkpoints are signed with, oldest first: id, since when, key, and what vouches.

    Example: wardroom keys (docs/operations.md)
    """
    from service.store.event_store import checkpoints

    with open_services() as services:
        listed = checkpoints.published(services.database, services.signer)
        for key in [] if as_json else listed:
            vouched = f"  endorsed by {key['endorsement']['key']}" if key["endorsement"] else ""
            present = "  signs now" if key["id"] == services.signer.key_id else ""
            click.echo(f"{key['id']}  {key['since']}  {key['public']}{vouched}{present}")
    if as_json:
        rows = [key | {"signs_now": key["id"] == services.signer.key_id} for key in listed]
        facts.show_list(rows, (), as_json=True)
    if services.signer.key_id not in {key["id"] for key in listed}:
        raise Failure(
            os.EX_CONFIG, f"The present key, {services.signer.key_id}, is none of these. {checkpoints.StrangeKey()}"
        )
