"""The secret address of a player's feeds: what waits for them, what happened, and their deadlines, for other programs.

One secret opens a feed of news and a calendar, to read and for nothing else. It is shown once; only its digest is kept.
"""

from typing import Final

from service.accounts.people import FOR_EVER
from service.container import Services
from service.kernel.ids import digest, new_player_id, new_token
from service.store.database import Connection
from service.store.outgoing import feed_entries
from service.store.people import tokens
from service.store.people.tokens import FEED, Bearer, Token

ADDRESS: Final = "{base}/feeds/{secret}.{form}"


def addresses(services: Services, secret: str) -> dict[str, str]:
    """Where the feeds of a secret are, by their form."""
    base = services.settings.base_url
    return {form: ADDRESS.format(base=base, secret=secret, form=form) for form in ("atom", "ics")}


def renew(services: Services, tx: Connection, player: str) -> str:
    """A new secret for a player's feeds, in the place of the one before: the old address is dead from now on.

    The first one begins with what waits for them now.
    """
    now = services.database.clock.now(tx)
    is_first = tokens.end(tx, player, kind=FEED) == 0
    secret = new_token(services.entropy)
    tokens.add(tx, player, "t_" + new_player_id(services.entropy)[2:], digest(secret), FEED, "", now)
    if is_first:
        feed_entries.tell_what_waits(tx, player)
    return secret


def of_player(connection: Connection, player: str) -> Token | None:
    """When a player's feeds were made, and used last; None where there are none."""
    return next((token for token in tokens.of_player(connection, player) if token.kind == FEED), None)


def reader(connection: Connection, secret: str) -> Bearer | None:
    """Whose feeds a secret opens; None for one that is none, or no more."""
    return tokens.holder(connection, digest(secret), FEED, FOR_EVER)


def end(tx: Connection, player: str) -> bool:
    """End a player's feeds, and forget what they told. False where there were none."""
    feed_entries.forget_player(tx, player)
    return tokens.end(tx, player, kind=FEED) > 0
