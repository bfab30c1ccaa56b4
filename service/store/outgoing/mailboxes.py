"""How mail to each address fares: what bounced, which mail makes sure, and whether mail has stopped (RATE-10)."""

from collections.abc import Sequence
from typing import Any, Final

import msgspec
import sqlalchemy as sa
from sqlalchemy import bindparam

from service.store import records
from service.store.connection import Connection
from service.store.database import Database, upsert
from service.store.people.mutes import mutes
from service.store.people.players import players, seats
from service.store.rows import GameRow, MailboxRow
from service.store.statements import Statement

mailboxes: Final = MailboxRow.__table__  # type: ignore[attr-defined]
_games: Final = GameRow.__table__  # type: ignore[attr-defined]
_suppressed: Final = Statement(
    sa.select(mailboxes.c.address).where(
        mailboxes.c.address == bindparam("folded", type_=sa.String), mailboxes.c.suppressed_at.is_not(None)
    )
)


class Mailbox(msgspec.Struct, frozen=True):
    """What is known of an address: the score of its soft bounces, its probe, and whether mail is stopped."""

    address: str
    score: int
    scored_at: int
    probed_at: int | None
    probe: int | None
    suppressed_at: int | None
    reason: str


class Playing(msgspec.Struct, frozen=True):
    """A seat in a running game that another hosts."""

    game: str
    host: str
    version: int
    seat: int


_ALL: Final = sa.select(*records.columns(Mailbox, mailboxes))


def is_suppressed(connection: Connection, address: str) -> bool:
    """Whether mail to a folded address is stopped."""
    return _suppressed(connection, folded=address).fetchone() is not None


def has_reason(connection: Connection, address: str, reason: str) -> bool:
    """Whether this was the last thing that was said of an address."""
    found = sa.select(mailboxes.c.address).where(mailboxes.c.address == address, mailboxes.c.reason == reason)
    return connection.execute(found).first() is not None


def is_probed_by(connection: Connection, notice: int) -> bool:
    """Whether this notice is to find out if mail arrives at an address to which it is not stopped yet."""
    found = sa.select(mailboxes.c.address).where(mailboxes.c.probe == notice, mailboxes.c.suppressed_at.is_(None))
    return connection.execute(found).first() is not None


def of_player(connection: Connection, player: str) -> Mailbox | None:
    """What is known of a player's address."""
    return records.first(connection, Mailbox, _ALL.where(mailboxes.c.address == _address(player)))


def lock(database: Database, tx: Connection, address: str) -> Mailbox:
    """What is known of an address, for nobody else to change until the transaction ends; made if there is nothing."""
    new = upsert(database, mailboxes).values(address=address, score=0, scored_at=0, reason="")
    tx.execute(new.on_conflict_do_nothing(index_elements=["address"]))
    found = records.first(tx, Mailbox, _ALL.where(mailboxes.c.address == address).with_for_update())
    assert found is not None
    return found


def change(tx: Connection, address: str, **values: Any) -> None:
    """Change columns of an address."""
    tx.execute(sa.update(mailboxes).where(mailboxes.c.address == address).values(**values))


def drop_of_player(tx: Connection, player: str, *, unless: str | None = None) -> bool:
    """Forget what is known of a player's address, but not where the reason is `unless`. Whether anything was."""
    theirs = sa.delete(mailboxes).where(mailboxes.c.address == _address(player))
    return tx.execute(theirs if unless is None else theirs.where(mailboxes.c.reason != unless)).rowcount > 0


def drop_quiet(tx: Connection, before: int) -> int:
    """Forget addresses to which mail is not stopped and that had no bounce since this time. How many."""
    quiet = (mailboxes.c.suppressed_at.is_(None), mailboxes.c.scored_at < before)
    return tx.execute(sa.delete(mailboxes).where(*quiet)).rowcount


def suppressed(connection: Connection) -> int:
    """How many addresses mail is stopped to."""
    stopped = sa.select(sa.func.count()).where(mailboxes.c.suppressed_at.is_not(None))
    return connection.execute(stopped).scalar_one()


def unreached_seats(connection: Connection, game: str) -> dict[int, bool]:
    """The seats whose players get no mail about a game, and whether they want none."""
    off = players.c.mail.is_(False) | mutes.c.at.is_not(None)
    found = (
        sa.select(seats.c.seat, off.label("off"))
        .join(players, players.c.id == seats.c.player_id)
        .outerjoin(mutes, (mutes.c.game_id == seats.c.game_id) & (mutes.c.player_id == seats.c.player_id))
        .outerjoin(mailboxes, mailboxes.c.address == players.c.email_key)
        .where(seats.c.game_id == game, off | mailboxes.c.suppressed_at.is_not(None))
    )
    return {seat: bool(unwanted) for seat, unwanted in connection.execute(found)}


def address_at(connection: Connection, game: str, seat: int) -> str | None:
    """The folded address of who sits in a seat; None for a vacant one."""
    here = (seats.c.game_id == game, seats.c.seat == seat, seats.c.vacant.is_(False))
    found = sa.select(players.c.email_key).join(seats, seats.c.player_id == players.c.id).where(*here)
    address: str | None = connection.execute(found).scalar()
    return address


def guests_of_others(connection: Connection, address: str) -> Sequence[Playing]:
    """The seats of an address in running games that others host, by game and seat."""
    playing = (
        sa.select(_games.c.id, _games.c.host, _games.c.version, seats.c.seat)
        .join(seats, seats.c.game_id == _games.c.id)
        .join(players, players.c.id == seats.c.player_id)
        .where(players.c.email_key == address, seats.c.vacant.is_(False))
        .where(_games.c.status == "running", _games.c.host != players.c.id)
        .order_by(_games.c.id, seats.c.seat)
    )
    return records.every(connection, Playing, playing)


def _address(player: str) -> sa.ScalarSelect[str]:
    return sa.select(players.c.email_key).where(players.c.id == player).scalar_subquery()
