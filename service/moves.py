"""Making a record last: events, head, seats, who owes what, and whom to tell, in one transaction."""

from collections.abc import Iterator
from typing import Any, Final

import sqlalchemy as sa
from sqlalchemy import Connection, bindparam

from domain.decider import Seat
from domain.history import Stored
from domain.table import events as e
from domain.table.record import Record
from domain.table.state import Chair, Table
from service.deadlines import policy
from service.ids import new_cause
from service.store import decisions, outbox
from service.store.database import Statement
from service.store.rows import SeatRow
from service.store.streams import Head
from service.wardroom import Wardroom

seats: Final = SeatRow.__table__  # type: ignore[attr-defined]
_clear_seats: Final = Statement(sa.delete(seats).where(seats.c.game_id == bindparam("game", type_=sa.String)))
_insert_seat: Final = Statement(sa.insert(seats))


def commit(room: Wardroom, tx: Connection, head: Head, record: Record) -> list[Stored]:
    """Append a record to the stream it began at, and all that goes with it. `head` moves along."""
    before, after = head.table, record.table
    first = head.version + 1
    with room.database.together(tx):
        stored = room.streams.append(tx, head, record.facts, after, new_cause())
        _project_seats(tx, head.game, before, after)
        outbox.put(tx, [*_follow_decisions(tx, head, before), *_consequences(head, record, first)])
    return stored


def _project_seats(tx: Connection, game: str, before: Table, after: Table) -> None:
    if [_seen(chair) for chair in before.chairs] == [_seen(chair) for chair in after.chairs]:
        return
    _clear_seats(tx, game=game)
    _insert_seat.each(
        tx,
        [
            {"game_id": game, "seat": n, "player_id": c.player, "bot": c.bot, "vacant": c.vacant, "strikes": c.strikes}
            for n, c in enumerate(after.chairs)
        ],
    )


def _seen(chair: Chair) -> tuple[Any, ...]:
    return chair.player, chair.bot, chair.vacant, chair.strikes


def _follow_decisions(tx: Connection, head: Head, before: Table) -> Iterator[dict[str, Any]]:
    """Bring the decisions up to date; a your-turn notice for each that begins."""
    was, now = decisions.asked(before, head.rules), decisions.asked(head.table, head.rules)
    ended = [seat for seat in sorted(was) if now.get(seat) != was[seat]]
    begun = [seat for seat in sorted(now) if was.get(seat) != now[seat]]
    if len(ended) == len(begun) == 1:
        decisions.hand_over(tx, head.game, ended[0], **_decision(head, begun[0], now[begun[0]]))
    else:
        for seat in ended:
            decisions.drop(tx, head.game, seat)
        for seat in begun:
            decisions.add(tx, game_id=head.game, **_decision(head, seat, now[seat]))
    for seat in begun:
        yield notice(head, head.table.chairs[seat].player, "your-turn", str(head.version), seat)


def _decision(head: Head, seat: Seat, decision: str) -> dict[str, Any]:
    """What a seat owes from now on."""
    clock = policy(head.table.clock)
    due = clock.due(head.last_at)
    return {
        "seat": seat,
        "decision": decision,
        "since": head.version,
        "player_id": head.table.chairs[seat].player,
        "began_at": head.last_at,
        "due_at": due,
        "acts_at": due + clock.grace,
        "remind_at": clock.next_reminder(due, head.last_at),
    }


def _consequences(head: Head, record: Record, first: int) -> Iterator[dict[str, Any]]:
    """Notices of what happened besides turns: a deadline passed, the game over."""
    chairs = record.table.chairs
    for version, fact in enumerate(record.facts, first):
        if isinstance(fact.event, e.TurnExpired):
            seat = fact.event.seat
            yield notice(head, chairs[seat].player, "deadline-passed", str(version), seat)
        elif isinstance(fact.event, e.GameFinished | e.GameAbandoned):
            for seat, chair in enumerate(chairs):
                if chair.player:
                    yield notice(head, chair.player, "game-over", "end", seat)


def notice(head: Head, player: str | None, kind: str, decision: str, seat: int | None) -> dict[str, Any]:
    """An outbox row about a game."""
    return {
        "recipient": player,
        "game_id": head.game,
        "kind": kind,
        "decision": decision,
        "seat": seat,
        "version": head.version,
        "created_at": head.last_at,
    }
