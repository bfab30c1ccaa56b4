"""What a notice is about: its claim, checked against the game as it is now, and the facts its letter needs."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Final

import sqlalchemy as sa
from sqlalchemy import Connection, RowMapping

from domain.decider import Event, Seat
from domain.table.evolve import blind
from domain.table.state import Table
from service.chronicle import past
from service.games import display_names, invitations
from service.mutes import is_muted
from service.names import handles
from service.players import codes
from service.positions import state_document
from service.store.decisions import decisions
from service.store.outbox import outbox
from service.store.players import players
from service.store.streams import Head
from service.tales import tell
from service.wardroom import Wardroom

Row = Mapping[str, Any]


class Superseded(Exception):
    """The claim of a notice is not true any more, or its reader wants no mail: it is not sent."""


@dataclass(frozen=True, slots=True)
class Reader:
    """Who a letter goes to."""

    email: str
    name: str
    timezone: str
    player: str | None


@dataclass(frozen=True, slots=True)
class Facts:
    """What a letter about a game tells, as its reader's seat may see it at the version the notice is about."""

    head: Head  # whose table is what the seat may know
    seat: Seat | None
    names: list[str]  # for sentences
    players: list[str]  # who sits there, for the subject
    story: list[str]
    board: str
    guide: list[tuple[str, str]]
    decision: RowMapping | None
    previous: str | None  # the Message-ID of the mail before it in this thread


def reader_of(connection: Connection, row: Row) -> Reader:
    """Who a notice is for. Raises Superseded for who is gone or wants no mail."""
    if "@" in row["recipient"]:
        return Reader(row["recipient"], "", "UTC", None)
    player = connection.execute(sa.select(players).where(players.c.id == row["recipient"])).mappings().first()
    if player is None:
        raise Superseded("the player is gone")
    if row["kind"] != "code" and not player["mail"]:
        raise Superseded("the player wants no mail")
    if row["game_id"] and is_muted(connection, player["id"], row["game_id"]):
        raise Superseded("the player wants no mail about this game")
    return Reader(player["email"], player["name"], player["timezone"], player["id"])


def check_claim(room: Wardroom, connection: Connection, row: Row) -> RowMapping | None:
    """The decision a notice is about, if it is about one. Raises Superseded where its claim is not true (RATE-04)."""
    return CLAIMS[row["kind"]](room, connection, row)


def _owed(room: Wardroom, connection: Connection, row: Row) -> RowMapping:
    since = int(row["decision"].partition(".")[0])
    found = sa.select(decisions).where(decisions.c.game_id == row["game_id"], decisions.c.seat == row["seat"])
    decision = connection.execute(found).mappings().first()
    if decision is None or decision["since"] != since:
        raise Superseded("the answer was given")
    if row["kind"] != "undeliverable" and decision["player_id"] != row["recipient"]:
        raise Superseded("the seat has another player")
    return decision


def _reminder(room: Wardroom, connection: Connection, row: Row) -> RowMapping:
    decision = _owed(room, connection, row)
    if decision["due_at"] is None or decision["due_at"] <= room.database.clock.now(connection):
        raise Superseded("the deadline has passed")
    return decision


def _code(room: Wardroom, connection: Connection, row: Row) -> None:
    code = connection.execute(sa.select(codes).where(codes.c.id == int(row["decision"]))).mappings().first()
    if code is None or code["used"] or code["expires_at"] <= room.database.clock.now(connection):
        raise Superseded("the code is used or too old")


def _invitation(room: Wardroom, connection: Connection, row: Row) -> None:
    table = room.streams.head(connection, row["game_id"]).table
    if table.status != "open" or all(chair.taken for chair in table.chairs):
        raise Superseded("no seat is free any more")
    invited = sa.select(invitations.c.game_id).where(
        invitations.c.game_id == row["game_id"], invitations.c.email_key == row["recipient"]
    )
    if connection.execute(invited).first() is None:
        raise Superseded("the invitation was taken back")
    guest = connection.execute(sa.select(players.c.id).where(players.c.email_key == row["recipient"])).scalar()
    if guest is not None and table.seat_of(guest) is not None:
        raise Superseded("the guest sits there already")


def _always(room: Wardroom, connection: Connection, row: Row) -> None:
    """What has happened stays true."""


CLAIMS: Final[dict[str, Callable[[Wardroom, Connection, Row], RowMapping | None]]] = {
    "your-turn": _owed,
    "reminder": _reminder,
    "undeliverable": _owed,
    "code": _code,
    "invitation": _invitation,
    "deadline-passed": _always,
    "game-over": _always,
}


def facts_of(room: Wardroom, connection: Connection, row: Row, decision: RowMapping | None) -> Facts:
    """The facts a letter about a game needs, from the view of its reader's seat alone (OUT-30)."""
    now = room.streams.head(connection, row["game_id"])
    seat = row["seat"] if row["kind"] != "undeliverable" else None
    head = past(room, connection, now, seat, row["version"] or now.version) or now
    seen: Table = blind(head.table, head.rules, seat)
    named = display_names(connection, now)
    pawns = [pawn.capitalize() for pawn in head.rules.pawns]
    names = [name or pawns[place] for place, name in enumerate(named)]
    events: Iterable[Event] = ()
    if seat is not None and seen.status != "open":
        after = _last_seen(room, connection, row, seat, head.version)
        events = tuple(room.streams.facts_seen(connection, head.game, head.rules, seat, after=after, upto=head.version))
    document = state_document(seen, head, seat, named)
    asked = seat is not None and decision is not None and seen.status == "running"
    return Facts(
        head=Head(head.game, head.version, head.hash, head.last_at, head.now, seen, head.history),
        seat=seat,
        names=handles(named, head.rules),
        players=names,
        story=[sentence for event in events if (sentence := tell(head.rules, event, names))],
        board=head.rules.board(document) if document else "",
        guide=head.rules.guide(seen.game, seat) if asked and seat is not None else [],
        decision=decision,
        previous=_previous(connection, row),
    )


def _last_seen(room: Wardroom, connection: Connection, row: Row, seat: Seat, upto: int) -> int:
    """The last event this seat knew of: its own last act, or for a passed deadline what came before it."""
    if row["kind"] == "deadline-passed":
        return max(0, int(row["decision"]) - 1)
    return room.streams.last_act(connection, row["game_id"], seat, upto)


def _previous(connection: Connection, row: Row) -> str | None:
    """The mail before it that was out when this notice was made: the same one at every attempt (T-51)."""
    found = (
        sa.select(outbox.c.message_id)
        .where(outbox.c.recipient == row["recipient"], outbox.c.game_id == row["game_id"])
        .where(outbox.c.state == "sent", outbox.c.id < row["id"], outbox.c.done_at <= row["created_at"])
        .order_by(outbox.c.id.desc())
        .limit(1)
    )
    return connection.execute(found).scalar() if row["game_id"] else None
