"""The summary for a player who takes over a seat or returns to it: how things stand, and how to play on."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from config.durations import parse_duration
from domain.engine.game import Event, Seat
from domain.engine.sentences import Sentence, say, typed
from domain.table.events import OrdersDropped, SeatTakenOver
from service.clocks.policy import DEFAULTS
from service.games.history_queries import past
from service.kernel.clock import SECOND, micros
from service.languages.time_text import ReaderLocale, left_words
from service.store.clocks import decisions
from service.store.event_store.streams import Head
from workers.letters.letter_view import LetterView
from workers.letters.turn_sections import SINCE_YOU_SAT_DOWN, WHAT_CAME

Due = Mapping[Seat, int | None]
SINCE_SEAT_PLAYED: Final = say("Since a move was last made from your seat:")


@dataclass(frozen=True, slots=True)
class SeatSummary:
    """Sentences for the player on a seat, and which events their first letter tells."""

    sentences: Sequence[str] = ()
    former: int = 0  # events before they sat down, which are not told; 0 for an owner who came back
    heading: Sentence = WHAT_CAME  # of the events that are told


def summarize_seat(view: LetterView, events: Sequence[Event]) -> SeatSummary:
    """How things stand for the reader; `events` are those since somebody played the seat last.

    Nothing where nobody takes over the reader's seat by these events.
    """
    seat = view.seat
    if seat is None or not any(_takes_over(event, seat) for event in events):
        return SeatSummary()
    due = {owed.seat: owed.due_at for owed in decisions.owed(view.connection, view.head.game)}
    sentences = [
        say("You play {pawn}.", pawn=typed(view.head.rules.notation.pawns[seat])),
        *_turns(due, seat, view.names, view.locale),
        *_clock(view.head, seat),
        *_orders(events, seat),
    ]
    if seat not in due:
        sentences.append(say("As soon as you are asked, a mail says what you can do; to play, answer it."))
    how = say("“{help}” explains all you can write, “{history}” shows what happened.",
              help=typed("help"), history=typed("history"))  # fmt: skip
    spoken = [view.words(sentence) for sentence in (*sentences, how)]
    former = _count_former(view, seat, events)
    return SeatSummary(spoken, former, SINCE_YOU_SAT_DOWN if former else SINCE_SEAT_PLAYED)


def _takes_over(event: Event, seat: Seat) -> bool:
    return isinstance(event, SeatTakenOver) and event.seat == seat


def _count_former(view: LetterView, seat: Seat, events: Sequence[Event]) -> int:
    """How many of the events, the last ones before the letter's, are of the player before the reader."""
    place = max(place for place, event in enumerate(events) if _takes_over(event, seat))
    head = view.head
    then = past(view.services, view.connection, head, seat, head.version - len(events) + place)
    return 0 if then is None or then.table.chairs[seat].player == head.table.chairs[seat].player else place


def _turns(due: Due, seat: Seat, names: Sequence[str], locale: ReaderLocale) -> Iterator[str]:
    """The players who are to answer, and until when; no deadline where the clock is stopped."""
    for other, at in due.items():
        if at is None:
            yield say("{player} has to answer, and the clock is stopped.", player=names[other])
        elif other == seat:
            yield say("You have to answer by {due}.", due=locale.when(at))
        else:
            yield say("{player} has to answer by {due}.", player=names[other], due=locale.when(at))


def _clock(head: Head, seat: Seat) -> Iterator[str]:
    clock, chair = {**DEFAULTS, **head.table.clock}, head.table.chairs[seat]
    yield say("Time for a move: {time}.", time=left_words(micros(parse_duration(clock["per_move"]))))
    bank = micros(parse_duration(clock["bank"]))
    left = bank if chair.bank is None else chair.bank * SECOND
    if left:
        yield say("In your time bank, for when that is not enough: {time}.", time=left_words(left))
    elif bank:
        yield say("Your time bank is used up.")
    yield say("No missed deadline counts against you.")


def _orders(events: Sequence[Event], seat: Seat) -> Iterator[str]:
    dropped = [event for event in events if isinstance(event, OrdersDropped) and event.seat == seat]
    if dropped and dropped[-1].reason == "taken-over":
        yield say("What the player before you had ordered ahead is withdrawn.")
