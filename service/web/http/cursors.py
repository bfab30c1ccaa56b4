"""Cursors in the addresses of pages: where a list goes on."""

from service.api.http.answers import read_cursor
from service.api.http.reading import is_id


def place_of(cursor: str) -> tuple[int, str] | None:
    """The time and the game after which a page begins: its beginning for a cursor that is none of ours."""
    try:
        at, game = read_cursor(cursor)
    except (ValueError, TypeError):
        return None
    ours = type(at) is int and 0 <= at < 2**63 and isinstance(game, str)
    return (at, game) if ours and is_id(game) else None
