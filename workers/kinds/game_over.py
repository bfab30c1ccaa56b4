"""The notice that a game is over."""

from domain.engine.sentences import say
from service.games import analyses
from workers.kinds.kind import GameKind
from workers.letters.claims import always
from workers.letters.content import GameContent
from workers.letters.game_view import GameView
from workers.letters.sections import Audit, Paragraph, Section
from workers.letters.turn_sections import SINCE_YOUR_MOVE, dropped_section, orders_in_short, position, story_section


def tell(view: GameView) -> GameContent:
    events = view.events_after(view.last_move())
    sections = [
        *dropped_section(view, events),
        *story_section(view, events, SINCE_YOUR_MOVE),
        *position(view),
        *_analysis(view),
        Audit(),
    ]
    headline = say("Your game of {title} is over.", title=view.title)
    return GameContent(view, headline, sections, orders_in_short(view, events))


def _analysis(view: GameView) -> list[Section]:
    """Where it can be read what else could have been done."""
    if not analyses.can_be_analysed(view.head):
        return []
    where = (say("look at your decisions"), f"{view.link}/analysis")
    return [Paragraph([say("What else could you have done? A bot says so, decision by decision:")], where, before=True)]


KIND = GameKind("game-over", say("the game is over"), always, tell)
