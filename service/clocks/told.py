"""Deadlines as they were told: with the event of a version, or at a moment when it was the newest."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from domain.engine.game import Seat
from service.kernel.clock import from_text, text
from service.store.clocks import deadline_moves
from service.store.clocks.deadline_moves import DeadlineMove
from service.store.database import Connection
from service.store.event_store import checkpoints
from service.store.event_store.streams import Head


def deadlines_told(connection: Connection, head: Head, at: int | None = None) -> list[dict[str, Any]]:
    """The deadlines at a past head: as they were told with its event, or at a moment since, in microseconds.

    Nobody was told anything of a version in the midst of a request: of such a one it is what was told last.
    """
    version, deadlines = checkpoints.deadlines_upto(connection, head.game, head.version)
    if at is None and version == head.version:
        return deadlines
    moves = deadline_moves.of_game(connection, head.game, head.last_at if at is None else at)
    return [
        deadline | {"due": follow_moves(moves, deadline["seat"], deadline["since"], deadline["due"])}
        for deadline in deadlines
    ]


def follow_moves(moves: Iterable[DeadlineMove], seat: Seat, since: int, due: str | None) -> str | None:
    """Where moves have led a deadline that was told. Those that were made before it was told begin elsewhere."""
    for move in moves:
        if (move.seat, move.since, text(move.was)) == (seat, since, due):
            due = text(move.due)
    return due


@dataclass(frozen=True, slots=True)
class LastTold:
    """The last deadline told of an answer: the event it was told with, when it was, and until when that stood."""

    version: int
    due: int
    until: int


def last_told(connection: Connection, head: Head, seat: Seat, since: int) -> LastTold | None:
    """The last deadline that was told of what a seat owed since an event, where moves have led it.

    None where no deadline was: the clock stood all along.
    """
    moves, until = deadline_moves.of_game(connection, head.game, head.now), head.now
    for kept in checkpoints.deadlines_since(connection, head.game, since):
        for deadline in kept.deadlines:
            if (deadline["seat"], deadline["since"]) == (seat, since) and deadline["due"] is not None:
                due = follow_moves(moves, seat, since, deadline["due"])
                return LastTold(kept.version, from_text(due or ""), until)
        until = kept.at
    return None
