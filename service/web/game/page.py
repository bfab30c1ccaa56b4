"""The page of a running or finished game, put together from its parts."""

from dataclasses import dataclass, replace
from typing import Final

from flask import render_template, request

from domain.engine.game import Seat
from service.deadlines.explain import Page as ClockPage
from service.games import notes
from service.games.reader_view import ReaderView
from service.kernel.ids import new_form_key
from service.store.database import Connection
from service.store.event_store.streams import Head
from service.web.game.board import board_of
from service.web.game.consent import consent_of
from service.web.game.draft import LONGEST, NOTHING, Refusal, Sent, Tray, left_of, tray_of
from service.web.game.ending import ending_of
from service.web.game.recent import contests_of, done_at, recent_of, steps_since
from service.web.game.seats import seats_of
from service.web.game.status import status_of
from service.web.game.talk import LONGEST as LONGEST_LINE
from service.web.game.talk import talk_of
from service.web.http.language import language
from service.web.http.session import cookie_name, services, viewer
from service.web.share.preview import Preview, preview_of

HAND: Final = "hand"
"""The purpose of the cookie that says on which side the board is, in windows with columns."""


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
    note: str | None = None
    """A note to oneself that was not kept."""


def view_of(connection: Connection, head: Head, seat: Seat | None) -> ReaderView:
    """Return a game as the viewer of the page sees it."""
    player = viewer()
    if player is None:
        return ReaderView(services(), connection, head, seat, language())
    return ReaderView(services(), connection, head, seat, language(), player.id, player.timezone, player.is_guest)


def share_of(view: ReaderView, version: int | None = None) -> Preview | None:
    """What a link to the page shows elsewhere, at a version; for strangers, who see a public game as those do who are
    sent the link."""
    if view.player is not None:
        return None
    return preview_of(view.services, view.connection, view.head, view.language, version)


def game_page(view: ReaderView, answer: Answer = Answer()) -> str:
    """Return the page as HTML, with the draft that was sent, else the one that the reader left."""
    if answer.sent == NOTHING and (left := left_of(view)) != NOTHING:
        stale = left.version if left.version is not None and left.version < view.head.version else 0
        answer = replace(answer, sent=left, stale=stale)
    return page_with(view, answer, tray_of(view, answer.sent, answer.refusal))


def page_with(view: ReaderView, answer: Answer, tray: Tray | None) -> str:
    """Return the page as HTML, with this tray."""
    recent = recent_of(view)
    return render_template(
        "game/page.html",
        view=view,
        answer=answer,
        status=status_of(view),
        done=done_at(view, answer.done) if answer.done else None,
        moved_on=steps_since(view, answer.stale) if answer.stale else [],
        recent=recent,
        contests=contests_of(view, recent),
        board=board_of(view, tray),
        ending=ending_of(view) if view.is_over else None,
        tray=tray,
        longest=LONGEST,
        longest_line=LONGEST_LINE,
        seats=seats_of(view),
        talk=None if view.is_guest else talk_of(view),
        note=_note_of(view),
        longest_note=notes.LONGEST,
        consent=consent_of(view),
        clock=ClockPage(
            view.services, view.connection, view.head.game, view.player, view.language, view.past
        ).document(),
        new_key=new_form_key(view.services.entropy),
        share=share_of(view),
        is_left_handed=view.player is not None and request.cookies.get(cookie_name(HAND)) == "left",
    )


def _note_of(view: ReaderView) -> notes.Note | None:
    """The reader's own note; None for somebody who is not signed in."""
    if view.player is None:
        return None
    return notes.read(view.services, view.connection, view.head.game, view.player)
