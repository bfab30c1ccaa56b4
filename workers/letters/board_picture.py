"""The board as a picture in a mail: of what the reader's seat sees, and nothing else (OUT-02, OUT-30)."""

from domain.engine.sentences import say
from service import pictures
from service.games.shared_pictures import shared_png
from service.pictures.people import people
from service.web.sample import sample_view
from workers.letters.letter_view import LetterView
from workers.letters.sections import Picture, Standing


def draw_board(view: LetterView) -> Picture | None:
    """The picture of a letter; None where nothing is on the board yet, or nobody draws this game."""
    kind = view.head.rules.kind
    if view.document is None or not pictures.has_drawing(kind):
        return None
    svg = pictures.board_svg(kind, view.document, view.title, view.words)
    png = shared_png(view.services, view.head.game, view.seat, svg)
    standings = [
        Standing(person.mark, person.fill.light, person.ink.light, name, view.words(points))
        for person, name, points in zip(
            people(view.document, view.head.rules.notation.pawns),
            view.names,
            pictures.captions_of(kind).points(view.document),
            strict=True,
        )
    ]
    return Picture(png, pictures.alt_text(kind, view.document, view.words), standings)


def draw_sample(view: LetterView) -> Picture | None:
    """Draw a sample position of the game, for a reader who may never have seen it; None if there is none."""
    kind = view.head.rules.kind
    position = sample_view(kind)
    if position is None:
        return None
    svg = pictures.board_svg(kind, position, view.title, view.words)
    png = shared_png(view.services, view.head.game, None, svg)
    return Picture(png, view.words(say("The board in the middle of a game of {title}.", title=view.title)))
