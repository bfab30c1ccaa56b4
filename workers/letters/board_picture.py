"""The board as a picture in a mail: of what the reader's seat sees, and nothing else (OUT-02, OUT-30)."""

from service import pictures
from service.games.shared_pictures import shared_png
from workers.letters.game_view import GameView
from workers.letters.sections import Picture


def draw_board(view: GameView) -> Picture | None:
    """The picture of a letter; None where nothing is on the board yet, or nobody draws this game."""
    kind = view.head.rules.kind
    if view.document is None or not pictures.has_drawing(kind):
        return None
    svg = pictures.board_svg(kind, view.document, view.title, view.words)
    png = shared_png(view.services, view.head.game, view.seat, svg)
    return Picture(png, pictures.alt_text(kind, view.document, view.words))
