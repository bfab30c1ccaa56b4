"""Invite more people to a table, decline an invitation, rename the table."""

from collections.abc import Sequence

from domain.engine.refusals import require
from service.accounts.names import email_key
from service.container import Services
from service.games.inviting import ask_to_begin, require_may_invite, send_invitations
from service.games.play import enter
from service.mail.invitations import decline as refuse_all
from service.store.database import Connection
from service.store.event_store.streams import Head
from service.store.games import game_rows, invitations
from service.store.people import players


def invite(services: Services, tx: Connection, game: str, host: str, addresses: Sequence[str]) -> int:
    """Invite more addresses to a table, for its host; how many had not been invited yet.

    Raises NoSuchGame, RuleViolation.
    """
    head = enter(services, tx, game, host)
    table = head.table
    require(table.status == "open", "already-started", "DESIGN-8", "The game has begun: nobody can be invited now.")
    require(host == table.host, "not-host", "DESIGN-8", "Only the host of the table can invite people to it.")
    already = invitations.of_game(tx, game)
    keys = [key for key in dict.fromkeys(map(email_key, addresses)) if key not in already]
    players.lock(tx, host)  # one table at a time
    require_may_invite(services, tx, host, keys, already)
    send_invitations(tx, head, dict.fromkeys(keys, invitations.ADDRESS), str(head.now))
    return len(keys)


def decline(services: Services, tx: Connection, game: str, player: str, *, never_again: bool) -> None:
    """Give an invitation back; with `never_again` none of this host is sent any more. Nothing for who has none."""
    key = players.email_key_of(tx, player)
    if key is None or not invitations.is_invited(tx, game, key):
        return
    head = enter(services, tx, game, player)
    if never_again:
        refuse_all(services.database, tx, game, key, head.table.host)
    else:
        invitations.take_back(tx, game, key)
    ask_to_begin(tx, head)


def rename(services: Services, tx: Connection, game: str, host: str, name: str | None) -> Head:
    """Rename a table for its host; None gives back the name it has of itself. Raises NoSuchGame, RuleViolation."""
    head = enter(services, tx, game, host)
    require(host == head.table.host, "not-host", "DESIGN-8", "Only the host of the table can rename it.")
    game_rows.rename(tx, head.game, name)
    head.name = name
    return head
