"""Whether notices are still true: what several kinds ask of the game as it is now (RATE-04)."""

from collections.abc import Callable
from typing import Final

from domain.engine.game import Event
from domain.table.state import Table
from service.container import Services
from service.store.clocks.decisions import Decision, of_seat
from service.store.database import Connection
from service.store.outgoing.notice import Notice
from workers.letters.letter_data import Asked, Superseded

StillTrue = Callable[[Services, Connection, Notice], Asked | None]
"""Checks a notice against the game as it is now: the decision it asks for, None for none. Raises Superseded."""
GAME_OVER: Final = "the game is over"
OTHER_PLAYER: Final = "the seat has another player"


def always(services: Services, connection: Connection, notice: Notice) -> None:
    """Check a notice of what has happened: it stays true."""


def owed(services: Services, connection: Connection, notice: Notice) -> Asked:
    """Check that the answer a notice asks for is owed still, and by its recipient."""
    decision = open_decision(connection, notice)
    require_player(decision, notice)
    return asked_of(decision)


def open_decision(connection: Connection, notice: Notice) -> Decision:
    """What a notice is about, if it is owed still. Raises Superseded."""
    decision = of_seat(connection, notice.game_id, notice.seat)
    if decision is None or decision.since != notice.number:
        raise Superseded("the answer was given")
    return decision


def require_player(decision: Decision, notice: Notice) -> None:
    """Raise Superseded where another than the recipient of a notice owes the answer."""
    if decision.player_id != notice.recipient:
        raise Superseded(OTHER_PLAYER)


def asked_of(decision: Decision, send_at: int = 0) -> Asked:
    """A decision as a letter asks for it."""
    return Asked(
        decision.decision, decision.since, decision.due_at, decision.began_at, send_at, decision.bank_from
    )  # fmt: skip


def still_asked(connection: Connection, notice: Notice) -> Asked | None:
    """What was asked of the seat when the notice was made, if it is still."""
    decision = of_seat(connection, notice.game_id, notice.seat)
    return None if decision is None or decision.since > notice.version else asked_of(decision)


def table_of_player(services: Services, connection: Connection, notice: Notice, *statuses: str) -> Table:
    """The table of a notice, in one of these states, by default running, with its recipient at the seat.

    Raises Superseded where it is not so.
    """
    table = services.streams.head(connection, notice.game_id).table
    if table.status not in (statuses or ("running",)):
        raise Superseded(GAME_OVER)
    if notice.seat is None or table.chairs[notice.seat].player != notice.recipient:
        raise Superseded(OTHER_PLAYER)
    return table


def seated(services: Services, connection: Connection, notice: Notice) -> Asked | None:
    """Check that the game runs and the recipient plays the seat of a notice."""
    table_of_player(services, connection, notice)
    return still_asked(connection, notice)


def event_at(services: Services, connection: Connection, game: str, version: int) -> Event:
    """One event of a game as everybody may see it."""
    rules = services.streams.head(connection, game).rules
    return next(services.streams.facts_seen(connection, game, rules, None, after=version - 1, upto=version))
