"""The notice that a game is over."""

from domain.engine.sentences import say
from workers.kinds.kind import GameKind
from workers.letters.claims import always
from workers.letters.content import GameContent
from workers.letters.game_view import GameView
from workers.letters.sections import Audit
from workers.letters.turn_sections import SINCE_YOUR_MOVE, dropped_section, orders_in_short, position, story_section


def tell(view: GameView) -> GameContent:
    events = view.events_after(view.last_move())
    sections = [
        *dropped_section(view, events),
        *story_section(view, events, SINCE_YOUR_MOVE),
        *position(view),
        Audit(),
    ]
    headline = say("Your game of {title} is over.", title=view.title)
    return GameContent(view, headline, sections, orders_in_short(view, events))


KIND = GameKind("game-over", say("the game is over"), always, tell)
