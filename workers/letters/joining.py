"""How a guest who was invited by mail sits down: the same in an invitation and in an answer."""

from typing import Final

from domain.engine.sentences import Sentence, say
from workers.letters.letter_view import LetterView
from workers.letters.sections import Paragraph, Section, Typing

YES_OR_LINE: Final = say("To sit down, answer this mail with yes, or with one line and your name:")


def how_to_sit_down(view: LetterView, how: Sentence = YES_OR_LINE) -> list[Section]:
    """Return what to type to sit down, below the words `how`."""
    form = f"{view.shown('join')} {view.words(say('YOUR NAME'))}"
    return [Paragraph([how], wrap=False), Typing(form, "join ")]
