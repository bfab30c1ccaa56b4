"""The order of a letter's HTML, for a phone: what can be answered first, then what happened, words of the board last.

The text part keeps the order its kind of notice lists, which is read from the top to the bottom.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from workers.letters.sections import Board, Guide, Options, Section, Story

NEWS: Final = (Story, Board)
"""What is told and shown, below what can be answered."""


@dataclass(frozen=True, slots=True)
class BoardTable:
    """The position in words, where the HTML shows it as a picture further up."""

    text: str
    macro: str = "BoardTable"


def in_html_order(sections: Sequence[Section]) -> list[Section]:
    """Sections as HTML has them: options stand above the first news, the table of the position below all else.

    A guide goes with the options where they leave out a kind of order that it names, else below the picture.
    """
    answers = [section for section in sections if isinstance(section, Options | Guide)]
    if not any(isinstance(section, NEWS) for section in sections):
        return list(sections)
    first = [section for section in answers if isinstance(section, Options) or not _has_all(answers, section)]
    later = [section for section in answers if section not in first]
    return [*_placed(sections, first, later), *_tables(sections)]


def _placed(sections: Sequence[Section], first: Sequence[Section], later: Sequence[Section]) -> Iterator[Section]:
    news = [place for place, section in enumerate(sections) if isinstance(section, NEWS)]
    for place, section in enumerate(sections):
        if place == news[0]:
            yield from first
        if not isinstance(section, Options | Guide):
            yield section
        if place == news[-1]:
            yield from later


def _tables(sections: Sequence[Section]) -> list[Section]:
    return [BoardTable(section.text) for section in sections if isinstance(section, Board)]


def _has_all(answers: Sequence[Section], guide: Section) -> bool:
    """Whether the options hold every kind of order that a guide names."""
    options = [section for section in answers if isinstance(section, Options)]
    offered = {option.text.split()[0] for section in options for option in section.actions if option is not None}
    return isinstance(guide, Guide) and set(guide.verbs) <= offered
