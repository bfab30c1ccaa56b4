"""Invitations to a table that waits for players: who is invited, how many, and who is written to."""

from collections.abc import Mapping, Sequence
from typing import Final

from domain.engine.refusals import require
from service.container import Services
from service.games.commit import notice
from service.mail.invitations import declined_by, require_few
from service.store.database import Connection
from service.store.event_store.streams import Head
from service.store.games import invitations
from service.store.games.invitations import KnownBy
from service.store.outgoing import outbox
from service.store.people import avoided

MOST_INVITATIONS: Final = 20
"""To one table."""
BY_OPERATOR: Final = "operator."
"""How what tells invitations apart begins, where the operator of the service invites and not the host."""


def require_may_invite(
    services: Services, tx: Connection, host: str, keys: Sequence[str], already: Sequence[str] = ()
) -> None:
    """Refuse with RuleViolation more invitations than a table, or than a host, may have (RATE-09)."""
    most = len(keys) + len(already) <= MOST_INVITATIONS
    require(most, "too-many-invitations", "DESIGN-8", "Invite at most 20 people.")
    require_few(services, tx, host, keys)


def called_guests(connection: Connection, head: Head, player: str | None) -> list[str]:
    """Return the name that a player sees for each invited guest who has not sat down, or "".

    The host sees the address they typed, or the name of a person they asked again. Nobody else sees who is invited.
    """
    waiting = invitations.waiting(connection, head.game)
    if player is None or player != head.table.host:
        return [""] * len(waiting)
    return [{"address": guest.key, "name": guest.name or "", "": ""}[guest.known_by] for guest in waiting]


def ask_to_begin(tx: Connection, head: Head) -> None:
    """Ask the host once whether to begin: all invited people sit there, and seats are still free."""
    host = head.table.host
    question = notice(head, host, "begin", str(head.version), head.table.seat_of(host))
    if all_are_here(tx, head) and outbox.state_of(tx, question) is None:
        outbox.put(tx, [question])


def all_are_here(connection: Connection, head: Head) -> bool:
    """Return whether people were invited to a table that has not begun, and all of them sit there."""
    invited = head.table.status == "open" and bool(invitations.of_game(connection, head.game))
    return invited and not invitations.waiting(connection, head.game)


def send_invitations(tx: Connection, head: Head, guests: Mapping[str, KnownBy], which: str) -> None:
    """Invite folded addresses to a table. The values say how the host knows each guest.

    `which` tells these invitations from earlier ones to the same people. Those who want no invitations of this host may
    sit down, but are not written to. Nor are those whom the host has blocked or who have blocked the host; they count
    as invited all the same, for their host is not to know.
    """
    if not guests:
        return
    keys = [*guests]
    invitations.add(tx, head.game, guests)
    unwanted = declined_by(tx, head.table.host, keys)
    apart = avoided.addresses_apart(tx, head.table.host, keys)
    asked = [notice(head, key, "invitation", which, None) for key in keys if key not in unwanted]
    outbox.put(tx, [row | {"state": "superseded"} if row["recipient"] in apart else row for row in asked])
