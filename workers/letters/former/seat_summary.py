"""What a player is told who takes over a seat, or comes back to it: how things stand, and how to play on."""

from collections.abc import Iterator, Mapping, Sequence

import sqlalchemy as sa
from sqlalchemy import Connection

from config.durations import parse_duration
from domain.engine.game import Event, Seat
from domain.engine.sentences import say, typed
from domain.table.events import OrdersDropped, SeatTakenOver
from service.clocks.policy import DEFAULTS
from service.container import Services
from service.games.history_queries import past
from service.kernel.clock import SECOND, micros
from service.languages.time_text import ReaderLocale, left_words
from service.store.decisions import decisions
from service.store.streams import Head

Due = Mapping[Seat, int | None]


def takes_over(events: Sequence[Event], seat: Seat) -> bool:
    """Whether somebody takes over a seat by these events."""
    return any(isinstance(event, SeatTakenOver) and event.seat == seat for event in events)


def before_them(services: Services, connection: Connection, head: Head, seat: Seat, events: Sequence[Event]) -> int:
    """How many of the events, the last ones before `head`, are of the player before them; 0 for an owner come back."""
    place = max(place for place, event in enumerate(events) if takes_over([event], seat))
    then = past(services, connection, head, seat, head.version - len(events) + place)
    return 0 if then is None or then.table.chairs[seat].player == head.table.chairs[seat].player else place


def brief(
    connection: Connection, head: Head, seat: Seat, events: Sequence[Event], names: Sequence[str], locale: ReaderLocale
) -> list[str]:
    """Sentences for the player on a seat; `events` are those since somebody played it last."""
    rows = sa.select(decisions.c.seat, decisions.c.due_at).where(decisions.c.game_id == head.game)
    due = {row.seat: row.due_at for row in connection.execute(rows.order_by(decisions.c.seat))}
    said = [
        say("You play {pawn}.", pawn=typed(head.rules.notation.pawns[seat])),
        *_turns(due, seat, names, locale),
        *_clock(head, seat),
        *_orders(events, seat),
    ]
    if seat not in due:
        said.append(say("As soon as you are asked, a mail says what you can do; to play, answer it."))
    how = say("“{help}” explains all you can write, “{history}” shows what happened.",
              help=typed("help"), history=typed("history"))  # fmt: skip
    said.append(how)
    return [locale.words(sentence) for sentence in said]


def _turns(due: Due, seat: Seat, names: Sequence[str], locale: ReaderLocale) -> Iterator[str]:
    """Who is to answer, and until when; no deadline where the clock is stopped."""
    for one, at in due.items():
        if at is None:
            yield say("{player} is to answer, and the clock is stopped.", player=names[one])
        elif one == seat:
            yield say("You are to answer, by {due}.", due=locale.when(at))
        else:
            yield say("{player} is to answer, by {due}.", player=names[one], due=locale.when(at))


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
