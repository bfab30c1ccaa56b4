"""The notice that a player's answering address in a game has changed."""

from domain.engine.sentences import say
from service.container import Services
from service.store.database import Connection
from service.store.outgoing.notice import Notice
from workers.kinds.kind import GameKind
from workers.letters.claims import table_of_player
from workers.letters.content import GameContent
from workers.letters.letter_view import LetterView
from workers.letters.turn_sections import orders_in_short, turn_sections


def still_true(services: Services, connection: Connection, notice: Notice) -> None:
    """Check that the game is not over, and the player's still."""
    table_of_player(services, connection, notice, "open", "running")


def tell(view: LetterView) -> GameContent:
    events = view.events_after(view.acted_at())
    headline = say("Your reply address in {title} has changed: use the one of this mail.", title=view.called)
    return GameContent(view, headline, turn_sections(view, events), orders_in_short(view, events))


KIND = GameKind("fresh", say("new reply address"), still_true, tell)
