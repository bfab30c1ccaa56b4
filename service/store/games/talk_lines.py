"""Table talk: one row a line, with its text sealed; a line that was taken back stays without its text."""

from collections.abc import Sequence
from typing import Any, Final

import msgspec
import sqlalchemy as sa

from domain.engine.game import Seat
from service.kernel.encryption import KEY_ID_BYTES
from service.store.connection import Connection
from service.store.outgoing.outbox import outbox
from service.store.people.players import players
from service.store.rows import DeliveryRow, MessageRow, OperatorReasonRow

messages: Final = MessageRow.__table__  # type: ignore[attr-defined]
_deliveries: Final = DeliveryRow.__table__  # type: ignore[attr-defined]
_reasons: Final = OperatorReasonRow.__table__  # type: ignore[attr-defined]
KIND: Final = "talk"
"""The kind of notice that tells a line."""


class TalkLine(msgspec.Struct, frozen=True):
    """A row of the table, with the name of its author; times in microseconds."""

    id: int
    game_id: str
    seat: Seat
    player_id: str
    to_seat: Seat | None
    body: bytes
    created_at: int
    shown_at: int
    hidden_by: int | None  # the operator's act
    name: str
    why: str | None  # it was hidden; None also where the reason was erased


_COLUMNS: Final = [*(messages.c[name] for name in TalkLine.__struct_fields__[:-2]), players.c.name, _reasons.c.why]


def add(tx: Connection, **values: Any) -> None:
    """Keep a line."""
    tx.execute(sa.insert(messages).values(**values))


def cancel(tx: Connection, line: int, now: int) -> None:
    """Take a line back, and its text with it."""
    tx.execute(sa.update(messages).where(messages.c.id == line).values(cancelled_at=now, body=b""))


def hide(tx: Connection, game: str, line: int, act: int | None) -> None:
    """Hide a line by an act of the operator's, or show it again; mails that wait to tell of it are written anew."""
    tx.execute(sa.update(messages).where(messages.c.id == line).values(hidden_by=act))
    waiting = (_deliveries.c.game_id == game, _deliveries.c.kind == KIND, _deliveries.c.state == "queued")
    tx.execute(sa.update(_deliveries).where(*waiting).values(body=None))


def by_id(connection: Connection, game: str, line: int) -> TalkLine | None:
    """A line of a game that was not taken back."""
    return _first(connection, _standing(game).where(messages.c.id == line))


def own(connection: Connection, game: str, player: str, line: int) -> TalkLine | None:
    """A line of this player that was not taken back."""
    return _first(connection, _standing(game).where(messages.c.player_id == player, messages.c.id == line))


def last_waiting(connection: Connection, game: str, player: str, now: int) -> TalkLine | None:
    """The last line of a player that nobody else sees yet."""
    mine = _standing(game).where(messages.c.player_id == player, messages.c.shown_at > now)
    return _first(connection, mine.order_by(messages.c.shown_at.desc()).limit(1))


def waiting(connection: Connection, game: str, player: str | None, now: int) -> list[TalkLine]:
    """The lines of a player that nobody else sees yet, in their order."""
    mine = _standing(game).where(messages.c.shown_at > now, messages.c.player_id == player)
    return _listed(connection, mine.order_by(messages.c.shown_at))


def shown_to(connection: Connection, game: str, seat: Seat, now: int, after: int, most: int) -> list[TalkLine]:
    """Up to `most` lines that a seat may read and that were shown after the time `after`, in their order."""
    found = _shown_to(game, seat, now).where(messages.c.shown_at > after)
    return _listed(connection, found.order_by(messages.c.shown_at).limit(most))


def one_shown_to(connection: Connection, game: str, seat: Seat, now: int, line: int) -> TalkLine | None:
    """A line, if a seat may read it and it is shown."""
    return _first(connection, _shown_to(game, seat, now).where(messages.c.id == line))


def told_near(connection: Connection, game: str, recipient: str, first: int, last: int) -> list[TalkLine]:
    """The lines shown in a span of time of which there are notices to this reader, in their order."""
    to_reader = sa.and_(
        outbox.c.recipient == recipient,
        outbox.c.game_id == game,
        outbox.c.kind == KIND,
        outbox.c.decision == sa.cast(messages.c.id, sa.String),
    )
    near = messages.c.shown_at.between(first, last)
    return _listed(connection, _standing(game).join(outbox, to_reader).where(near).order_by(messages.c.shown_at))


def shown_ids(game: str, now: int) -> sa.Select[Any]:
    """Selects the ids, as notices have them, of the lines of a game that others see."""
    shown = (messages.c.game_id == game, messages.c.cancelled_at.is_(None), messages.c.shown_at <= now)
    return sa.select(sa.cast(messages.c.id, sa.String)).where(*shown)


def last_shown(connection: Connection, game: str) -> int:
    """When the last line of a game is shown; 0 where there is none."""
    last = sa.select(sa.func.max(messages.c.shown_at)).where(
        messages.c.game_id == game, messages.c.cancelled_at.is_(None)
    )
    return connection.execute(last).scalar() or 0


def said_at(connection: Connection, game: str, player: str, since: int, place: int) -> int | None:
    """When a player said the line that has so many later ones since a time, those taken back too; None for none."""
    mine = (messages.c.player_id == player, messages.c.game_id == game, messages.c.created_at > since)
    found = sa.select(messages.c.created_at).where(*mine).order_by(messages.c.created_at.desc())
    at: int | None = connection.execute(found.offset(place).limit(1)).scalar()
    return at


def delete_of(tx: Connection, player: str) -> int:
    """Delete every line of a player. How many."""
    return tx.execute(sa.delete(messages).where(messages.c.player_id == player)).rowcount


def hold_sealed_under(tx: Connection, keys: Sequence[bytes], most: int) -> list[tuple[str, int, bytes]]:
    """Up to `most` lines whose text is under one of these keys, locked: game, id, text."""
    key = sa.func.substr(messages.c.body, 1, KEY_ID_BYTES, type_=sa.LargeBinary)
    columns = (messages.c.game_id, messages.c.id, messages.c.body)
    old = sa.select(*columns).where(messages.c.cancelled_at.is_(None), key.in_(keys)).limit(most).with_for_update()
    return [(row[0], row[1], row[2]) for row in tx.execute(old).all()]


def set_body(tx: Connection, line: int, body: bytes) -> int:
    """Put another sealed text in the place of a line's. How many rows there were."""
    return tx.execute(sa.update(messages).where(messages.c.id == line).values(body=body)).rowcount


def _standing(game: str) -> sa.Select[Any]:
    """The lines of a game that were not taken back, with the names of their authors."""
    named = sa.select(*_COLUMNS).join(players, players.c.id == messages.c.player_id)
    named = named.outerjoin(_reasons, _reasons.c.number == messages.c.hidden_by)
    return named.where(messages.c.game_id == game, messages.c.cancelled_at.is_(None))


def _shown_to(game: str, seat: Seat, now: int) -> sa.Select[Any]:
    readable = sa.or_(messages.c.to_seat.is_(None), messages.c.to_seat == seat, messages.c.seat == seat)
    return _standing(game).where(messages.c.shown_at <= now, readable)


def _listed(connection: Connection, found: sa.Select[Any]) -> list[TalkLine]:
    return [TalkLine(*row) for row in connection.execute(found)]


def _first(connection: Connection, found: sa.Select[Any]) -> TalkLine | None:
    return next(iter(_listed(connection, found)), None)
