"""Deadlines as they were told: with the event of a version, or at a moment when it was the newest."""

from collections.abc import Iterable
from typing import Any

from service.kernel.clock import text
from service.store import checkpoints, deadline_moves
from service.store.database import Connection
from service.store.deadline_moves import DeadlineMove
from service.store.streams import Head


def deadlines_told(connection: Connection, head: Head, at: int | None = None) -> list[dict[str, Any]]:
    """The deadlines at a past head: as they were told with its event, or at a moment since, in microseconds.

    Nobody was told anything of a version in the midst of a request: of such a one it is what was told last.
    """
    version, deadlines = checkpoints.deadlines_upto(connection, head.game, head.version)
    if at is None and version == head.version:
        return deadlines
    moves = deadline_moves.of_game(connection, head.game, head.last_at if at is None else at)
    return [deadline | {"due": _moved(deadline, moves)} for deadline in deadlines]


def _moved(deadline: dict[str, Any], moves: Iterable[DeadlineMove]) -> str | None:
    """Where these moves have led a deadline. Those that were made before it was told begin elsewhere."""
    due: str | None = deadline["due"]
    for move in moves:
        if (move.seat, move.since, text(move.was)) == (deadline["seat"], deadline["since"], due):
            due = text(move.due)
    return due
