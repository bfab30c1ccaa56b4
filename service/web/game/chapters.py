"""The story of the game by chapters, as its reader may know it."""

from dataclasses import dataclass

from service.games.reader_view import ReaderView, Told


@dataclass(frozen=True, slots=True)
class Chapter:
    """A part of the story that tells anything."""

    heading: str
    told: list[Told]


def chapters_of(view: ReaderView) -> list[Chapter]:
    """Return all chapters so far."""
    found = [
        Chapter(view.words(part.heading), [view.tell(line) for line in part.lines if line.text]) for part in view.story
    ]
    return [chapter for chapter in found if chapter.told]
