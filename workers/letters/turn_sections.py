"""Sections that many letters about a game share: the story, the position, orders ahead, the clock."""

from collections.abc import Sequence
from functools import partial
from typing import Final

from domain.engine.game import Event
from domain.engine.sentences import Sentence, say
from domain.table.events import GameStarted
from workers.letters.board_picture import draw_board
from workers.letters.clock_text import deadline_lines
from workers.letters.letter_view import LetterView
from workers.letters.numbered_options import Option, listed
from workers.letters.orders_summary import Dropped, describe, find_dropped, standing_lines
from workers.letters.sections import Board, Clock, DroppedOrders, Guide, Options, Paragraph, Section, Story

SINCE_YOUR_MOVE: Final = say("Since your last move:")
SINCE_YOU_SAT_DOWN: Final = say("Since you sat down:")
WHAT_CAME: Final = say("Result:")
DROPPED: Final = say("What you had ordered ahead could not be followed and is dropped.")
WITHDRAWN: Final = say("What you had ordered ahead is withdrawn.")
STANDING: Final = say("You have standing orders.")


def turn_sections(view: LetterView, events: Sequence[Event]) -> list[Section]:
    """Return what most letters tell, first things first: what to answer, until when, what happened, the board."""
    begins = any(isinstance(event, GameStarted) for event in events)
    return [
        *dropped_section(view, events),
        *answers(view),
        *clock(view),
        *story_section(view, events, SINCE_YOU_SAT_DOWN if begins else SINCE_YOUR_MOVE),
        *board(view),
    ]


def dropped_section(view: LetterView, events: Sequence[Event]) -> list[Section]:
    """The reader's standing orders, where these events dropped them."""
    found = find_dropped_orders(view, events)
    return [] if found is None else [DroppedOrders(found.lines, found.why, asked=view.asked is not None)]


def story_section(view: LetterView, events: Sequence[Event], heading: Sentence) -> list[Section]:
    """Return what these events, the latest of the game, tell the reader."""
    told = view.sentences(events)
    return [Story(heading, told)] if told else []


def answers(view: LetterView, *, ahead: bool = True, always: bool = False) -> list[Section]:
    """Return what can be answered now and, with `ahead`, a line on standing orders; that line `always`, if asked."""
    found: list[Section] = []
    if options := view.options:
        found.append(Options(listed(options)))
    if view.guide and not _have_all(options, view.guide_verbs):
        found.append(Guide(view.guide, alone=not options))
    return [*found, *(orders_ahead(view, always=always) if ahead else [])]


def board(view: LetterView, *, again: bool = True) -> list[Section]:
    """Return the position, if it is shown `again`, and the guide if the options above hold all its kinds of orders."""
    found: list[Section] = [Board(view.board, partial(draw_board, view))] if again and view.board else []
    if view.options and view.guide and _have_all(view.options, view.guide_verbs):
        found.append(Guide(view.guide, alone=False))
    return found


def _have_all(options: Sequence[Option], verbs: Sequence[str]) -> bool:
    """Return whether the options hold every kind of order."""
    return set(verbs) <= {option.text.split()[0] for option in options}


def orders_ahead(view: LetterView, *, always: bool = False) -> list[Section]:
    """Return a line on standing orders for a reader who is asked something, or `always`."""
    text = describe(None if view.seat is None else standing_lines(view.head, view.seat))
    return [Paragraph([text])] if text and (always or view.guide) else []


def clock(view: LetterView, *, strikes: bool = True, stopped: bool = True) -> list[Section]:
    """The reader's deadline, as `deadline_lines` has it."""
    lines = list(deadline_lines(view, strikes=strikes, stopped=stopped))
    return [Clock(lines)] if lines else []


def orders_in_short(view: LetterView, events: Sequence[Event] = (), *, withdrawn: bool = False) -> list[Section]:
    """What became of standing orders, without the orders, for a reader who wants no secrets in mails."""
    if find_dropped_orders(view, events) is not None:
        return [Paragraph([DROPPED], wrap=False)]
    if withdrawn:
        return [Paragraph([WITHDRAWN], wrap=False)]
    standing = None if view.seat is None else standing_lines(view.head, view.seat)
    return [Paragraph([STANDING], wrap=False)] if standing else []


def find_dropped_orders(view: LetterView, events: Sequence[Event]) -> Dropped | None:
    """The reader's standing orders, where these events dropped them."""
    if view.seat is None:
        return None
    return find_dropped(view.services, view.connection, view.head, view.seat, events, view.words)
