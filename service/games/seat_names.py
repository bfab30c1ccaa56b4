"""The names of the seats of a table: as people typed them, in sentences, and in the notation."""

from typing import Literal

from domain.engine.bots import Bot
from domain.table.state import Chair
from service.accounts.names import former_player, handles
from service.store import players
from service.store.database import Connection
from service.store.streams import Head


def notation_names(connection: Connection, head: Head) -> list[str]:
    """What to call each seat in the notation of this table."""
    return handles(display_names(connection, head), head.rules)


def handles_by_pawn(connection: Connection, head: Head) -> dict[str, str]:
    """What to type for each player, by the pawn of the seat: for lines of the notation that people read."""
    names = display_names(connection, head)
    typed = zip(head.rules.notation.pawns, handles(names, head.rules), names, strict=False)
    return {pawn: handle for pawn, handle, name in typed if name}


def display_names(connection: Connection, head: Head) -> list[str | None]:
    """The players' names by seat; None for a bot, an empty seat, or a former player."""
    known = {row[0]: row[1] for row in players.sitting(connection, game=head.game)}
    return [known.get(seat) for seat in range(len(head.table.chairs))]


def seat_status(player: str | None, bot: Bot | None, vacant: bool) -> Literal["bot", "vacant", "empty", "taken"]:
    """Who plays a seat, if anybody."""
    if bot is not None:
        return "bot"
    return "vacant" if vacant else "empty" if player is None else "taken"


def chair_status(chair: Chair) -> Literal["bot", "vacant", "empty", "taken"]:
    """Who plays the seat of a table."""
    return seat_status(chair.player, chair.bot, chair.vacant)


def shown_names(connection: Connection, head: Head) -> list[str]:
    """What to call each seat in sentences: its player's name, a former player by their pawn, else its pawn."""
    return [
        name or (former_player(head.rules, seat) if chair.player else head.rules.notation.pawns[seat].capitalize())
        for seat, (name, chair) in enumerate(zip(display_names(connection, head), head.table.chairs, strict=True))
    ]


def names_by_pawn(connection: Connection, head: Head) -> dict[str, str]:
    """The players' names by the pawns of their seats, for sentences about people in which nothing is to be typed."""
    pawns, names = head.rules.notation.pawns, display_names(connection, head)
    return {pawn: name for pawn, name in zip(pawns, names, strict=False) if name}
