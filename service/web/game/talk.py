"""The talk at the table, as its reader's seat may read it."""

from dataclasses import dataclass

from domain.engine.game import Seat
from service.games import chat
from service.games.chat import Line
from service.games.reader_view import ReaderView

MOST = 50
LONGEST = chat.LONGEST


@dataclass(frozen=True, slots=True)
class Said:
    """One line: who said it, to whom ("" for the whole table), what or the mark in its place, when others see it."""

    id: int
    name: str
    to: str
    text: str
    at: int
    muted: bool
    hidden: str


@dataclass(frozen=True, slots=True)
class Talk:
    """What was said, the reader's own lines that wait, and to whom the reader may speak."""

    lines: list[Said]
    waiting: list[Said]
    hearers: list[tuple[Seat, str]]


def talk_of(view: ReaderView) -> Talk | None:
    """The talk; None for a spectator, who neither hears nor says anything."""
    if view.seat is None:
        return None
    found = chat.messages(view.services, view.connection, view.head, view.seat, limit=MOST)
    while found.after is not None:  # the newest page
        found = chat.messages(view.services, view.connection, view.head, view.seat, after=found.after, limit=MOST)
    chairs = view.head.table.chairs
    hearers = [
        (seat, view.names[seat])
        for seat, chair in enumerate(chairs)
        if chair.player is not None and not chair.bot and seat != view.seat
    ]
    return Talk([_said(view, line) for line in found.lines], [_said(view, line) for line in found.waiting], hearers)


def _said(view: ReaderView, line: Line) -> Said:
    to = "" if line.to is None else view.names[line.to]
    hidden = view.words(line.hidden) if line.hidden else ""
    return Said(line.id, line.name, to, line.text, line.shown_at, line.muted, hidden)
