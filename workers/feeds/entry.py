"""An entry of a player's feed: what a letter tells in its headline, and what all may know that happened.

A feed is fetched by whatever server its reader trusts, so it holds less than a letter: no position, no hand, no bids,
nothing that only one seat may see.
"""

from dataclasses import replace
from typing import Final

from service.container import Services
from service.store.database import Connection
from service.store.outgoing.deliveries import Delivery
from service.store.outgoing.feed_entries import EntryText
from workers.kinds.registry import kind_of
from workers.letters.content import GameContent
from workers.letters.letter_data import Superseded
from workers.letters.letter_view import LetterRequest, LetterView
from workers.letters.reader import whoever_asked

MOST_LINES: Final = 40
TELL_STORY: Final = frozenset({"your-turn", "deadline-passed", "game-over", "taken-back"})
"""The kinds whose letters tell what happened since the reader's last move."""


def compose(services: Services, connection: Connection, delivery: Delivery) -> EntryText:
    """What a notice that is still true tells in a feed, in its owner's language. Raises Superseded."""
    notice = delivery.notice()
    kind = kind_of(notice)
    asked = kind.still_true(services, connection, notice)
    reader = whoever_asked(services, connection, notice)
    content = kind.content(LetterRequest(services, connection, notice, reader, asked))
    if not isinstance(content, GameContent):
        raise Superseded("it is about no game")
    view = content.view
    told = _happened(view) if notice.kind in TELL_STORY and not reader.secret_free else []
    return EntryText(content.in_short, told)


def _happened(view: LetterView) -> list[str]:
    """Return what everybody may know of what happened since the owner's last move, in sentences."""
    lines = replace(view, seat=None).lines(view.acted_at())
    passing = view.head.rules.presentation.narrative.passing
    told = [view.words(line.text) for line in lines if line.text and type(line.event) not in passing]
    return told[-MOST_LINES:]
