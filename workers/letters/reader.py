"""The reader of a letter: found for each notice anew, for wishes and addresses change."""

from collections.abc import Callable
from typing import Final

from service.container import Services
from service.mail import deliverability
from service.mail.unsubscribes import is_muted
from service.store.database import Connection
from service.store.outgoing.notice import Notice
from service.store.people import players
from service.store.people.players import Player
from workers.letters.letter_data import Reader, Superseded

FindReader = Callable[[Services, Connection, Notice], Reader]
"""Finds the reader of a notice. Raises Superseded where it must not go to them."""
NO_MAIL: Final = "the player wants no mail"


def by_wish(services: Services, connection: Connection, notice: Notice) -> Reader:
    """The reader of a notice that players can turn off, and that a dead mailbox stops."""
    player = _reachable(connection, notice)
    if player is not None and not player.mail:
        raise Superseded(NO_MAIL)
    to_player = player is not None and not notice.is_to_address
    if to_player and notice.game_id and is_muted(connection, notice.recipient, notice.game_id):
        raise Superseded("the player wants no mail about this game")
    return reader_of(notice, player)


def who_wrote(services: Services, connection: Connection, notice: Notice) -> Reader:
    """The reader of an answer to their own mail: only a dead mailbox stops it."""
    return reader_of(notice, _reachable(connection, notice))


def whoever_asked(services: Services, connection: Connection, notice: Notice) -> Reader:
    """The reader of a mail that was asked for just now, or that finds out whether mail arrives: nothing stops it."""
    return reader_of(notice, _player(connection, notice))


def called_player(connection: Connection, notice: Notice) -> Player:
    """The player whose device is called for a notice, whether mail reaches them or not. Raises Superseded."""
    player = _player(connection, notice)
    if notice.game_id and is_muted(connection, player.id, notice.game_id):
        raise Superseded("the player wants to hear nothing of this game")
    return player


def _reachable(connection: Connection, notice: Notice) -> Player | None:
    """The player a notice goes to, None for a stranger. Raises Superseded where mail does not arrive."""
    if notice.is_to_address:
        if deliverability.is_suppressed(connection, notice.recipient):
            raise Superseded("mail to this address does not arrive")
        return players.by_email_key(connection, notice.recipient)
    player = _player(connection, notice)
    if deliverability.is_suppressed(connection, player.email_key):
        raise Superseded("mail to this player does not arrive")
    return player


def _player(connection: Connection, notice: Notice) -> Player:
    player = players.by_id(connection, notice.recipient)
    if player is None:
        raise Superseded("the player is gone")
    if player.is_guest:
        raise Superseded("the player is a guest, who has no address")
    return player


def reader_of(notice: Notice, player: Player | None) -> Reader:
    """A player as a reader; a guest where the notice is for an address, even one of a player (OUT-37)."""
    if player is None:
        return Reader(notice.recipient, "", "UTC", None)
    return Reader(
        player.email, player.name, player.timezone, None if notice.is_to_address else player.id, player.language,
        player.secret_free, player.new_subjects, player.calendar, player.wakes_at, player.quiet_turns,
    )  # fmt: skip
