"""The notice to a player who takes over a seat, or returns to it: how things stand, and how to play on."""

from domain.engine.sentences import say
from workers.kinds.kind import GameKind
from workers.letters.claims import seated
from workers.letters.content import GameContent
from workers.letters.letter_view import LetterView
from workers.letters.seat_summary import summarize_seat
from workers.letters.sections import paragraphs
from workers.letters.turn_sections import answers, board, clock, dropped_section, orders_in_short, story_section


def tell(view: LetterView) -> GameContent:
    events = view.events_after(view.acted_at(view.notice.number - 1))
    summary = summarize_seat(view, events)
    sections = [
        *paragraphs(summary.sentences),
        *dropped_section(view, events),
        *answers(view, always=bool(summary.sentences)),
        *clock(view),
        *story_section(view, events[summary.former :], summary.heading),
        *board(view),
    ]
    headline = say("You have a seat in {title}.", title=view.called)
    return GameContent(view, headline, sections, orders_in_short(view, events))


KIND = GameKind("brief", say("your seat"), seated, tell)
