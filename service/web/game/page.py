"""The page of a running or finished game, put together from its parts."""

from dataclasses import dataclass

from flask import render_template

from domain.engine.game import Seat
from service.deadlines.explanation.page import Page as ClockPage
from service.kernel.ids import new_nonce
from service.store.database import Connection
from service.store.event_store.streams import Head
from service.web.game.board import board_of
from service.web.game.chapters import chapters_of
from service.web.game.consent import consent_of
from service.web.game.draft import LONGEST, NOTHING, Refusal, Sent, tray_of
from service.web.game.recent import done_at, recent_of, steps_since
from service.web.game.seats import seats_of
from service.web.game.status import status_of
from service.web.game.talk import LONGEST as LONGEST_LINE
from service.web.game.talk import talk_of
from service.web.game.view import GameView
from service.web.http.language import language
from service.web.http.session import member, services


@dataclass(frozen=True, slots=True)
class Answer:
    """What the page says besides how the game stands: it answers a form."""

    sent: Sent = NOTHING
    refusal: Refusal | None = None
    """Of the draft."""
    trouble: str = ""
    """Of another form: why nothing was done."""
    done: int = 0
    """The version at which the reader did something just now."""
    stale: int = 0
    """The version that the reader had seen, where the game has moved on since."""
    line: str = ""
    """A line of talk that was not said."""


def view_of(connection: Connection, head: Head, seat: Seat | None) -> GameView:
    """A game as whoever looks sees it."""
    return GameView(services(), connection, head, seat, member(), language())


def game_page(view: GameView, answer: Answer = Answer()) -> str:
    """The page as HTML."""
    tray = tray_of(view, answer.sent, answer.refusal)
    return render_template(
        "game/page.html",
        view=view,
        answer=answer,
        status=status_of(view),
        done=done_at(view, answer.done) if answer.done else None,
        moved_on=steps_since(view, answer.stale) if answer.stale else [],
        recent=recent_of(view),
        board=board_of(view, tray),
        tray=tray,
        longest=LONGEST,
        longest_line=LONGEST_LINE,
        seats=seats_of(view),
        chapters=chapters_of(view),
        talk=talk_of(view),
        consent=consent_of(view),
        clock=ClockPage(view.services, view.connection, view.head.game, view.player.id).document(),
        new_key=new_nonce(),
    )
