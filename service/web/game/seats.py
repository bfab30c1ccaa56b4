"""The seats: who sits there, who is waited for, whose seat is vacant."""

from dataclasses import dataclass

from domain.engine.sentences import typed
from service import pictures
from service.web.game.view import GameView


@dataclass(frozen=True, slots=True)
class SeatLine:
    """One seat as the page lists it."""

    seat: int
    name: str
    pawn: str
    is_mine: bool
    is_awaited: bool
    is_bot: bool
    is_vacant: bool
    strikes: int


def seats_of(view: GameView) -> list[SeatLine]:
    """All seats in their order; none where the tables of the position tell of them all that there is to tell."""
    chairs = view.head.table.chairs
    if pictures.has_drawing(view.kind) and not any(chair.bot or chair.vacant or chair.strikes for chair in chairs):
        return []
    pawns = view.head.rules.notation.pawns
    return [
        SeatLine(
            seat, view.names[seat], view.words(typed(pawns[seat])), seat == view.seat, seat in view.awaited,
            chair.bot is not None, chair.vacant, chair.strikes,
        )
        for seat, chair in enumerate(chairs)
    ]  # fmt: skip
