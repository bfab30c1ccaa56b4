"""The notice that standing orders were dropped, for they did not fit what was asked."""

from collections.abc import Iterator
from typing import Final

from domain.engine.sentences import say
from service.container import Services
from service.kernel.clock import SECOND
from service.notify.waits import TOLD_BY_ANOTHER
from service.store.database import Connection
from service.store.outgoing.notice import Notice
from service.store.outgoing.outbox import notice_of
from workers.kinds.kind import GameKind, Wait
from workers.letters.claims import still_asked, table_of_player
from workers.letters.content import GameContent
from workers.letters.letter_data import Asked, Superseded
from workers.letters.letter_view import LetterRequest, LetterView
from workers.letters.turn_sections import orders_in_short, turn_sections

SOON: Final = 20 * SECOND
"""When what waits for another letter is looked at again."""


def still_true(services: Services, connection: Connection, notice: Notice) -> Asked | None:
    """Check that no orders stand again, and that the letter that asks has not told of it."""
    table = table_of_player(services, connection, notice)
    if notice.seat in table.orders:
        raise Superseded("orders stand")
    asks = letter_that_asks(connection, notice)
    if asks is not None and asks[0] == "sent":
        raise Superseded("the letter that asks tells of it")
    return still_asked(connection, notice)


def waits(request: LetterRequest, now: int) -> Iterator[Wait]:
    """The letter that asks, where it is about to be sent: it may tell of it."""
    asks = letter_that_asks(request.connection, request.notice)
    if asks is not None and asks[0] == "queued":
        yield Wait(max(asks[2], now) + SOON, TOLD_BY_ANOTHER)


def letter_that_asks(connection: Connection, notice: Notice) -> tuple[str, int | None, int] | None:
    """The letter that asks what dropped orders did not fit: its state, when settled, not before when it is sent."""
    return notice_of(connection, notice.recipient, notice.game_id, notice.version)


def tell(view: LetterView) -> GameContent:
    events = view.events_after(view.acted_at())
    headline = say("Your standing orders in {title} were dropped.", title=view.called)
    return GameContent(view, headline, turn_sections(view, events), orders_in_short(view, events))


KIND = GameKind("orders-dropped", say("your standing orders"), still_true, tell, waits=waits)
