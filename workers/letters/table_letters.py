"""Letters about the table: their common form, and the texts that several of them share."""

from collections.abc import Sequence
from dataclasses import dataclass

from domain.engine.sentences import Sentence
from service.games.event_text import WAS_UNDONE
from workers.letters.content import GameContent
from workers.letters.letter_view import LetterView
from workers.letters.sections import Choices, Section, Story, paragraphs
from workers.letters.turn_sections import answers, board, clock, orders_in_short


@dataclass(frozen=True, slots=True)
class TableNews:
    """News of a table: a headline and sentences for everybody, what is undone as the reader may see it, answers."""

    headline: Sentence
    sentences: Sequence[str]
    heading: Sentence = WAS_UNDONE
    undone: Sequence[str] = ()
    answers: Sequence[tuple[str, str]] = ()

    def sections(self, *, secret_free: bool) -> list[Section]:
        """The news as a letter has them; what is undone may be secret."""
        told = paragraphs(self.sentences)
        if self.undone and not secret_free:
            told.append(Story(self.heading, self.undone))
        if self.answers:
            told.append(Choices(self.answers))
        return told


def table_content(view: LetterView, news: TableNews, *, stopped: bool = True) -> GameContent:
    """The letter of news of a table; without `stopped` they say themselves that the clock stands."""
    sections = [
        *news.sections(secret_free=False),
        *answers(view),
        *clock(view, stopped=stopped),
        *board(view),
    ]
    return GameContent(
        view, news.headline, sections, [*orders_in_short(view), *news.sections(secret_free=True)]
    )  # fmt: skip
