"""The notice to a player whose seat had fallen vacant that a bot or another player has taken it."""

from domain.engine.sentences import Sentence, say
from domain.table.events import SeatTakenByBot, SeatTakenOver
from service.container import Services
from service.store.database import Connection
from service.store.outgoing.notice import Notice
from workers.kinds.kind import GameKind
from workers.letters.claims import GAME_OVER, event_at
from workers.letters.content import GameContent
from workers.letters.letter_data import Asked, Superseded
from workers.letters.letter_view import LetterView
from workers.letters.sections import paragraphs


def still_true(services: Services, connection: Connection, notice: Notice) -> Asked | None:
    """Check that the game runs, and that the player has not sat down again."""
    table = services.streams.head(connection, notice.game_id).table
    if table.status != "running":
        raise Superseded(GAME_OVER)
    event = event_at(services, connection, notice.game_id, notice.number)
    if not isinstance(event, SeatTakenByBot | SeatTakenOver):
        raise Superseded("nobody took the seat")
    if table.seat_of(notice.recipient) is not None:
        raise Superseded("the player sits at the table again")
    return None


def tell(view: LetterView) -> GameContent:
    event = event_at(view.services, view.connection, view.head.game, view.notice.number)
    headline = say("Your seat in {title} was taken over.", title=view.called)
    sections = paragraphs([view.words(_who(event)), view.words(NOTHING_TO_DO)])
    return GameContent(view, headline, sections, sections)


NOTHING_TO_DO = say("Your seat had fallen vacant, as your deadlines passed. You need not do anything.")


def _who(event: object) -> Sentence:
    if isinstance(event, SeatTakenByBot):
        return say("The host gave it to a bot. You can sit down again if the bot is sent away.")
    return say("Another player plays it from now on.")


KIND = GameKind("seat-taken", say("your seat was taken over"), still_true, tell)
