"""The seats: who sits there, who is waited for, whose seat is vacant."""

from dataclasses import dataclass

from domain.engine.bots import Bot
from domain.engine.game import Seat
from domain.engine.sentences import capital, typed
from domain.table.state import Chair
from service import pictures
from service.games.reader_view import ReaderView


@dataclass(frozen=True, slots=True)
class SeatLine:
    """One seat as the page lists it."""

    seat: int
    name: str
    pawn: str
    is_mine: bool
    is_awaited: bool
    bot: Bot | None
    is_thinking: bool
    is_vacant: bool
    strikes: int
    may_call: bool
    """Whether the reader may let a bot play it."""
    may_free: bool
    """Whether the reader may send its bot away."""


def seats_of(view: ReaderView) -> list[SeatLine]:
    """All seats in their order; none where the tables of the position tell of them all that there is to tell."""
    chairs = view.head.table.chairs
    if pictures.has_drawing(view.kind) and not any(chair.bot or chair.vacant or chair.strikes for chair in chairs):
        return []
    is_host = view.is_host and not view.is_over and not view.is_guest
    return [_line(view, seat, chair, is_host) for seat, chair in enumerate(chairs)]


def _line(view: ReaderView, seat: Seat, chair: Chair, is_host: bool) -> SeatLine:
    pawn = typed(view.head.rules.notation.pawns[seat])
    asked = seat in view.awaited
    return SeatLine(
        seat=seat,
        name=view.names[seat] if chair.bot is None else view.words(capital(pawn)),
        pawn=view.words(pawn),
        is_mine=seat == view.seat,
        is_awaited=asked,
        bot=chair.bot,
        is_thinking=asked and chair.thinks,
        is_vacant=chair.vacant,
        strikes=chair.strikes,
        may_call=is_host and chair.vacant and seat != view.seat,
        may_free=is_host and chair.bot is not None,
    )
