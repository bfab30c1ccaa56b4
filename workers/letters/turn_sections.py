"""Sections that many letters about a game share: the story, the position, orders ahead, the clock."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import Final

from domain.engine.game import Event, Seat
from domain.engine.sentences import Sentence, say, say_n, typed
from domain.table.events import GameStarted, OrdersDropped
from domain.table.standing_orders import why_unfit
from service.games.history_queries import past
from service.games.standing_orders import document
from workers.letters.board_picture import draw_board
from workers.letters.clock_text import deadline_lines
from workers.letters.letter_view import LetterView
from workers.letters.numbered_options import Option, listed
from workers.letters.sections import Board, Clock, DroppedOrders, Guide, Options, Paragraph, Section, Story

SINCE_YOUR_MOVE: Final = say("Since your last move:")
SINCE_YOU_SAT_DOWN: Final = say("Since you sat down:")
WHAT_CAME: Final = say("Result:")
DROPPED: Final = say("What you had ordered ahead could not be followed and is dropped.")
WITHDRAWN: Final = say("What you had ordered ahead is withdrawn.")
STANDING: Final = say("You have standing orders.")
UNFIT: Final = say("They did not fit what was asked.")
ORDERS: Final = typed("orders")
AHEAD: Final = say(
    "What you are asked next can be answered ahead, all in one mail: write “{orders}” and below it one order a "
    "line; “{help}” has the words.",
    orders=ORDERS, help=typed("help"),
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Dropped:
    """Dropped orders in the notation, and the sentence that says why."""

    lines: list[str]
    why: str


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
    told = view.sentences(events, gifts=True)
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
    lines = _standing_lines(view)
    if lines is None or not (always or view.guide):
        return []
    standing = say_n(
        "Your standing orders: {count} line; write “{orders}” to see it.",
        "Your standing orders: {count} lines; write “{orders}” to see them.",
        lines, orders=ORDERS,
    )  # fmt: skip
    return [Paragraph([standing if lines else AHEAD])]


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
    return [Paragraph([STANDING], wrap=False)] if _standing_lines(view) else []


def find_dropped_orders(view: LetterView, events: Sequence[Event]) -> Dropped | None:
    """Return the reader's standing orders that the last of these events dropped, since they did not fit.

    `events` are the last ones before the letter. Returns None if new orders have been given by then.
    """
    head, seat = view.head, view.seat
    if seat is None or seat in head.table.orders:
        return None
    first = head.version - len(events) + 1
    unfit = [version for version, event in enumerate(events, first) if _is_unfit(event, seat)]
    then = past(view.services, view.connection, head, seat, unfit[-1] - 1) if unfit else None
    if then is None:
        return None
    orders = then.table.orders[seat].orders or {}
    why = view.words(why_unfit(head.rules, then.table.game, seat, orders) or UNFIT)
    return Dropped(document(then, seat)["text"].splitlines(), why)


def _is_unfit(event: Event, seat: Seat) -> bool:
    return isinstance(event, OrdersDropped) and event.seat == seat and event.reason == "unfit"


def _standing_lines(view: LetterView) -> int | None:
    """Return how many lines of the reader's orders can still be carried out; None if nothing can be ordered."""
    if view.seat is None or view.head.rules.standing_orders is None or view.head.table.status != "running":
        return None
    return len(document(view.head, view.seat)["live"].splitlines())
