"""How a guest who was invited by mail sits down: the same in an invitation and in an answer."""

from domain.engine.sentences import say
from workers.letters.game_view import GameView
from workers.letters.sections import Paragraph, Section, Typing


def how_to_sit_down(view: GameView, *, after: bool) -> list[Section]:
    """What to type to sit down, and in text an empty line `after` it."""
    form = f"{view.shown('join')} {view.words(say('YOUR NAME'))}"
    how = say("To sit down, answer this mail with yes, or with one line and your name:")
    return [Paragraph([how], after=True, wrap=False), Typing(form, "join ", after=after)]
