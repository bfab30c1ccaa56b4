"""What people and the clock asked of a table, told from the first event of each request, and done again."""

from collections.abc import Callable, Iterator, Mapping
from itertools import takewhile
from typing import Any, Final

import msgspec

from domain.audit.clock import SECOND, length
from domain.audit.comparison import Compared, Entry, Unseen
from domain.engine.bots import Bot
from domain.engine.game import Action, Seat
from domain.engine.refusals import OrderNotUnderstood, require
from domain.engine.sentences import say
from domain.table import events as e
from domain.table import operating
from domain.table.consent import answer, propose_clock, reopen, resume, take_back, withdraw
from domain.table.play import expire, play, settle
from domain.table.record import CLOCK, OPERATOR, Record, seat_actor
from domain.table.seating import (
    Nonce,
    Terms,
    give_up,
    leave,
    open_table,
    put_bot,
    remove_bot,
    resign,
    sit,
    sit_bot,
    start,
)
from domain.table.standing_orders import file_orders, form_of, withdraw_orders
from domain.table.state import Reason, Table
from domain.table.undo import undoing

MOST_BEFORE: Final = 2
"""Events that can come before the one that vacates a seat: its orders and its proposal dropped."""
NO_NONCE: Final = Nonce("", by_player=False)


def again(record: Compared, entry: Entry) -> None:
    """Do a request again, of which `entry` is the first event.

    Raises Departed, Cut, Unseen, RuleViolation, OrderNotUnderstood, and for forged entries whatever the rules raise.
    """
    began, kind = record.place, type(entry.event)
    if kind in record.rules.decider.evolve:
        _played(record, entry)
    elif entry.actor == OPERATOR:
        _operated(record, entry)
    elif (vacated := _given_up(record, entry)) is not None:
        stand_up = resign if vacated.reason == "resigned" else give_up
        stand_up(record, str(record.table.chairs[vacated.seat].player))
        settle(record, record.facts[-1].actor)
    elif kind in REQUESTS:
        REQUESTS[kind](record, entry, entry.event)
    while began < record.place and (bank := record.peek()) is not None and _is_bank(record, bank, entry.cause):
        record.take()
    if record.place == began:
        raise record.departed()


def _operated(record: Compared, entry: Entry) -> None:
    """What the operator of the service did."""
    match entry.event:
        case e.GameAbandoned():
            return operating.end(record)
        case e.SeatVacated(seat=seat) | e.SeatLeft(seat=seat):
            operating.vacate(record, seat)
        case e.ClockPaused(seconds=seconds):
            operating.pause(record, seconds)
        case e.ClockResumed():
            operating.go_on(record)
        case e.TimeExtended(seconds=seconds, seat=seat):
            operating.extend(record, seconds, seat)
        case _:
            raise record.departed()
    return settle(record, CLOCK)


def _given_up(record: Compared, entry: Entry) -> e.SeatVacated | None:
    """Find the event that vacates the player's own seat in this request; dropped orders and proposals come first."""
    if not isinstance(entry.event, e.SeatVacated | e.OrdersDropped | e.ProposalDropped):
        return None
    for ahead in range(MOST_BEFORE + 1):
        after = record.peek(ahead)
        if after is None or after.cause != entry.cause:
            return None
        if isinstance(after.event, e.SeatVacated) and after.actor == seat_actor(after.event.seat):
            return after.event
    return None


def _is_bank(record: Compared, entry: Entry, cause: str) -> bool:
    """What the clock took from a time bank, or put back: how much it took, the times tell, and no rule."""
    match entry.event:
        case e.BankChanged(seat=seat, left=left) if entry.cause == cause and entry.actor == CLOCK:
            return 0 <= seat < len(record.table.chairs) and 0 <= left <= _most_in_bank(record, seat, cause)
    return False


def _most_in_bank(record: Compared, seat: Seat, cause: str) -> int:
    """Seconds that can be in a bank after a request: an increment more than before, or, who went back, as much as then;
    -1 where there is no bank, or this request has told of it."""
    full, more = (length(record.table.clock.get(name, "PT0S")) // SECOND for name in ("bank", "increment"))
    chair = record.table.chairs[seat]
    for past in takewhile(lambda past: past.cause == cause, reversed(record.past)):
        match past.event:
            case e.BankChanged(seat=told) if told == seat:
                return -1
            case e.Rewound(to=to):
                chair, more = record.then(to).chairs[seat], 0
    return min(full, more + (full if chair.bank is None else chair.bank)) if full else -1


def _opened(record: Compared, entry: Entry, event: e.GameOpened) -> None:
    if record.table.version:
        raise record.departed()
    table = Record(Table(), record.rules)
    open_table(table, event.host, Terms(event.seats, event.options, event.clock, event.public), bytes(32))
    made = table.facts[0]
    kept = {"seed": event.seed, "seed_commitment": event.seed_commitment}  # the draws tell whether they are right
    record.add(made.actor, msgspec.structs.replace(made.event, **kept))


def _seat_taken(record: Compared, entry: Entry, event: e.SeatTaken) -> None:
    if event.bot is not None:
        _bot_seated(record, entry, event, event.bot)
    else:
        sit(record, str(event.player), Nonce(event.nonce, event.nonce_by == "player"))
        settle(record, seat_actor(event.seat))


def _bot_seated(record: Compared, entry: Entry, event: e.SeatTaken, bot: Bot) -> None:
    """A bot that came with the table, or one that the host called later; then the host acts, not seat 0."""
    if entry.cause == record.past[0].cause:
        sit_bot(record, bot, event.nonce)
        settle(record, seat_actor(0))
    else:
        put_bot(record, record.table.host, event.seat, bot, event.nonce)
        settle(record, entry.actor)


def _taken_by_bot(record: Compared, entry: Entry, event: e.SeatTakenByBot) -> None:
    put_bot(record, record.table.host, event.seat, event.bot, "")
    settle(record, entry.actor)


def _vacated(record: Compared, entry: Entry, event: e.SeatVacated) -> None:
    remove_bot(record, record.table.host, event.seat)
    settle(record, entry.actor)


def _taken_over(record: Compared, entry: Entry, event: e.SeatTakenOver) -> None:
    require(record.table.status == "running", "not-started", "DESIGN-2", "No seat is vacant before the start.")
    sit(record, event.player, NO_NONCE)
    settle(record, seat_actor(event.seat))


def _seat_left(record: Compared, entry: Entry, event: e.SeatLeft) -> None:
    chair = record.table.chairs[event.seat]
    if chair.bot is not None:
        remove_bot(record, record.table.host, event.seat)
    else:
        leave(record, str(chair.player))


def _started(record: Compared, entry: Entry, event: e.GameStarted) -> None:
    start(record, str(entry.actor.get("host")))
    settle(record, entry.actor)


def _played(record: Compared, entry: Entry) -> None:
    """A player's orders; and standing orders that came with them."""
    seat = entry.actor.get("seat")
    if seat is None or not (entry.text or entry.shut) or not _plays(record, seat):
        raise record.departed()
    play(record, seat, _actions(record, entry.cause, seat))
    filed = record.peek()
    if filed is not None and filed.cause == entry.cause and filed.actor == entry.actor:
        match filed.event:
            case e.OrdersFiled():
                return _orders_filed(record, filed, filed.event)
            case e.OrdersDropped(reason="withdrawn"):
                return _orders_dropped(record, filed, filed.event)
    return settle(record, seat_actor(seat))


def _plays(record: Compared, seat: Seat) -> bool:
    """Whether somebody plays this seat, or a bot that thinks."""
    chairs = record.table.chairs
    return 0 <= seat < len(chairs) and not chairs[seat].automatic


def _is_persons(record: Compared, seat: Seat) -> bool:
    return _plays(record, seat) and record.table.chairs[seat].manned


def _actions(record: Compared, cause: str, seat: Seat) -> Iterator[Action]:
    """What the seat ordered in this request, as long as what comes next records an order of its own."""
    while (entry := record.peek()) is not None:
        own = (
            entry.cause == cause
            and entry.actor == seat_actor(seat)
            and type(entry.event) in record.rules.decider.evolve
        )
        if not own or not (entry.text or entry.shut):
            return
        if entry.shut:
            raise Unseen
        actions = record.rules.notation.parse(entry.text, record.names())
        if len(actions) != 1:
            raise OrderNotUnderstood("bad-syntax", "DESIGN-3", entry.text, say("One event records one order."))
        yield actions[0]


def _expired(record: Compared, entry: Entry, event: e.TurnExpired) -> None:
    if not _is_persons(record, event.seat):
        raise record.departed()
    expire(record, event.seat)
    settle(record, CLOCK)


def _orders_filed(record: Compared, entry: Entry, event: e.OrdersFiled) -> None:
    if entry.shut:
        raise Unseen
    if event.orders is None or not _is_persons(record, event.seat):
        raise record.departed()
    file_orders(record, event.seat, msgspec.convert(event.orders, form_of(record.rules).form))
    settle(record, seat_actor(event.seat))


def _orders_dropped(record: Compared, entry: Entry, event: e.OrdersDropped) -> None:
    after = record.peek(1)
    match event.reason:
        case "withdrawn":
            withdraw_orders(record, event.seat)
            settle(record, seat_actor(event.seat))
        case "taken-over" if after is not None and isinstance(after.event, e.SeatTakenOver):
            _taken_over(record, after, after.event)
        case "taken-back" if after is not None and isinstance(after.event, e.Rewound):
            _rewound(record, after, after.event)


def _rewind_proposed(record: Compared, entry: Entry, event: e.RewindProposed) -> None:
    _go_back(record, event.seat, event.to, event.reason)


def _rewound(record: Compared, entry: Entry, event: e.Rewound) -> None:
    _go_back(record, event.seat, event.to, event.reason)


def _go_back(record: Compared, seat: Seat, to: int, reason: Reason) -> None:
    meant = undoing(record.past, record.table, seat, to)
    take_back(record, seat, meant, reason, record.then(to))


def _rewind_answered(record: Compared, entry: Entry, event: e.RewindAnswered) -> None:
    agreed = answer(record, event.seat, "rewind", event.agrees)
    if agreed is not None:
        undoing(record.past, record.table, agreed.seat, agreed.to)
        reopen(record, agreed.seat, agreed.to, agreed.reason, record.then(agreed.to), agreed.agreed)


def _clock_proposed(record: Compared, entry: Entry, event: e.ClockProposed) -> None:
    propose_clock(record, event.seat, event.what, event.seconds)


def _clock_answered(record: Compared, entry: Entry, event: e.ClockAnswered) -> None:
    answer(record, event.seat, "clock", event.agrees)


def _proposal_dropped(record: Compared, entry: Entry, event: e.ProposalDropped) -> None:
    proposal = record.table.proposal
    if event.reason == "withdrawn":
        withdraw(record, event.seat, "rewind" if proposal is None or proposal.what == "rewind" else "clock")
    elif event.reason == "played-on":
        for after in filter(None, (record.peek(1), record.peek(2))):
            if isinstance(after.event, e.Rewound):
                return _rewound(record, after, after.event)
    return None


def _resumed(record: Compared, entry: Entry, event: e.ClockResumed) -> None:
    table, host = record.table, {"host": record.table.host}
    if event.reason in ("over", "host") and (event.reason == "host") == (table.late is not None):
        resume(record, CLOCK if event.reason == "over" else host, event.reason)


def _deadline_moved(record: Compared, entry: Entry, event: e.DeadlineMoved) -> None:
    """Deadlines moved and nothing else: why and how far is for `domain.audit.clock` to check."""
    if record.table.status == "running":
        record.add(CLOCK, event)


REQUESTS: Final[Mapping[type[Any], Callable[[Compared, Entry, Any], None]]] = {
    e.GameOpened: _opened,
    e.SeatTaken: _seat_taken,
    e.SeatLeft: _seat_left,
    e.GameStarted: _started,
    e.SeatTakenOver: _taken_over,
    e.SeatTakenByBot: _taken_by_bot,
    e.SeatVacated: _vacated,
    e.TurnExpired: _expired,
    e.OrdersFiled: _orders_filed,
    e.OrdersDropped: _orders_dropped,
    e.RewindProposed: _rewind_proposed,
    e.RewindAnswered: _rewind_answered,
    e.Rewound: _rewound,
    e.ClockProposed: _clock_proposed,
    e.ClockAnswered: _clock_answered,
    e.ProposalDropped: _proposal_dropped,
    e.ClockResumed: _resumed,
    e.DeadlineMoved: _deadline_moved,
}
"""By the event a request begins with; the game's own begin with a player's order. The others begin none."""
