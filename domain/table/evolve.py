"""How facts change a table: one handler an event, and the fold over a whole stream."""

from bisect import bisect_left
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from typing import Any, Final

from domain.engine.game import NOBODY, Event, Seat
from domain.engine.ruleset import Ruleset
from domain.table import events as e
from domain.table.state import Chair, Filed, Proposal, Result, Table

Rules = Ruleset[Any, Any, Any]


def copy(table: Table, rules: Rules) -> Table:
    """A table of its own: nothing that is changed in it is shared."""
    return Table(
        table.ruleset,
        table.host,
        table.status,
        table.version,
        [Chair(c.player, c.bot, c.nonce, c.vacant, c.strikes, c.bank) for c in table.chairs],
        table.options,
        table.clock,
        table.public,
        table.seed,
        table.draws,
        dict(table.unopened),
        dict(table.orders),
        dict(table.unfit),
        table.proposal,
        table.resigned,
        table.paused,
        table.late,
        table.result,
        None if table.game is None else rules.decider.copy(table.game),
    )


def blind(table: Table, rules: Rules, seat: Seat | None) -> Table:
    """A copy without what `seat` (None: a spectator) may not know."""
    seen = copy(table, rules)
    if table.status in ("open", "running"):
        seen.seed = None
        seen.orders = {s: filed if s == seat else Filed(filed.version, None) for s, filed in table.orders.items()}
        seen.unfit = {
            s: (dropped, filed if s == seat else Filed(filed.version, None))
            for s, (dropped, filed) in table.unfit.items()
        }
    if seen.game is not None:
        seen.game = rules.decider.blind(table.game, seat)
    return seen


def fold(table: Table, rules: Rules, events: Iterable[Event]) -> Table:
    """`table` after `events`. The table given is left as it was.

    Where one of the events goes back to an earlier one, `table` must be that of an empty stream.
    """
    table = copy(table, rules)
    of_the_game, marks_of = rules.decider.evolve.get, _MARKS.get
    events = list(events)
    undone = taken_back(events)
    for number, event in enumerate(events):  # what `apply` does, without a call for each event: this is replay
        kind = type(event)
        table.version += 1
        handler = of_the_game(kind)
        if handler is None:
            HANDLERS[kind](table, rules, event)
        elif undone and number in undone:
            table.draws += "draw" in _marks_of(kind)
            continue
        else:
            handler(table.game, event)
        marks = marks_of(kind)
        if marks:
            _mark(table, event, marks)
        elif marks is None:
            _mark(table, event, _marks_of(kind))
    return table


def apply(table: Table, rules: Rules, event: Event, past: "Sequence[Event] | Table" = ()) -> None:
    """One fact, on a table that the caller owns.

    Of a fact that goes back, `past` are all events before it, or the table they had made when it was there before.
    """
    table.version += 1
    kind = type(event)
    handler = rules.decider.evolve.get(kind)
    if handler is None:
        HANDLERS[kind](table, rules, event)
    else:
        handler(table.game, event)
    _mark(table, event, _marks_of(kind))
    if isinstance(event, e.Rewound):
        then = past if isinstance(past, Table) else fold(Table(), rules, past[: event.to])
        table.game = None if then.game is None else rules.decider.copy(then.game)
        table.unopened = dict(then.unopened)


def taken_back(events: Sequence[Event]) -> frozenset[int]:
    """Which of the events of a stream, counted from 0, were undone: one look at each, however often it goes back."""
    if e.Rewound not in map(type, events):
        return frozenset()
    line: list[int] = []
    for number, event in enumerate(events):
        if isinstance(event, e.Rewound):
            del line[bisect_left(line, event.to) :]
        line.append(number)
    return frozenset(range(len(events))) - frozenset(line)


def _marks_of(kind: type[Event]) -> tuple[str, ...]:
    """What a kind of event does to the table besides its handler; () for most."""
    marks = _MARKS.get(kind)
    if marks is None:
        draws = ("draw",) if "draw" in kind.__struct_fields__ else ()
        opens = ("opens",) if kind.OPENS else ()
        shuts = () if kind.LASTS else (owner for owner in kind.SEALED.values() if owner != NOBODY)
        marks = (*draws, *opens, *shuts)
        _MARKS[kind] = marks
    return marks


def _mark(table: Table, event: Event, marks: tuple[str, ...]) -> None:
    """Count a draw, note a leaf that is shut, or that all are open."""
    for mark in marks:
        if mark == "draw":
            table.draws += 1
        elif mark == "opens":
            table.unopened.clear()
        else:
            table.unopened[getattr(event, mark)] = table.version


_MARKS: Final[dict[type[Event], tuple[str, ...]]] = {}


def _opened(table: Table, rules: Rules, event: e.GameOpened) -> None:
    table.ruleset = event.ruleset
    table.host = event.host
    table.options = event.options
    table.clock = event.clock
    table.public = event.public
    table.seed = event.seed
    table.chairs = [Chair() for _ in range(event.seats)]


def _seat_taken(table: Table, rules: Rules, event: e.SeatTaken) -> None:
    table.chairs[event.seat] = Chair(event.player, event.bot, event.nonce)


def _seat_left(table: Table, rules: Rules, event: e.SeatLeft) -> None:
    table.chairs[event.seat] = Chair()
    table.host = event.host


def _started(table: Table, rules: Rules, event: e.GameStarted) -> None:
    table.chairs = [table.chairs[seat] for seat in event.seats]
    table.status = "running"
    table.game = rules.decider.initial(len(event.seats), table.options)


def _expired(table: Table, rules: Rules, event: e.TurnExpired) -> None:
    table.chairs[event.seat].strikes = event.strikes


def _strikes_cleared(table: Table, rules: Rules, event: e.StrikesCleared) -> None:
    table.chairs[event.seat].strikes = 0


def _caretaker_acted(table: Table, rules: Rules, event: e.CaretakerActed) -> None:
    """The facts that follow say what it did."""


def _vacated(table: Table, rules: Rules, event: e.SeatVacated) -> None:
    chair = table.chairs[event.seat]
    chair.vacant, chair.bot = True, None
    if event.reason == "resigned" and chair.player is not None:
        table.resigned |= {chair.player}


def _taken_over(table: Table, rules: Rules, event: e.SeatTakenOver) -> None:
    chair = table.chairs[event.seat]
    if chair.player != event.player:
        table.unfit.pop(event.seat, None)
    chair.player, chair.vacant, chair.strikes = event.player, False, 0


def _taken_by_bot(table: Table, rules: Rules, event: e.SeatTakenByBot) -> None:
    """The seat is nobody's any more: who had left it is told so, and may sit down where the bot is sent away."""
    chair = table.chairs[event.seat]
    table.unfit.pop(event.seat, None)
    chair.player, chair.bot, chair.vacant, chair.strikes = None, event.bot, False, 0


def _orders_filed(table: Table, rules: Rules, event: e.OrdersFiled) -> None:
    table.orders[event.seat] = Filed(table.version, event.orders)
    table.unfit.pop(event.seat, None)


def _orders_followed(table: Table, rules: Rules, event: e.OrdersFollowed) -> None:
    """The facts that follow say what they ordered."""


def _orders_dropped(table: Table, rules: Rules, event: e.OrdersDropped) -> None:
    filed = table.orders.pop(event.seat)
    if event.reason == "unfit":
        table.unfit[event.seat] = table.version, filed


def _rewind_proposed(table: Table, rules: Rules, event: e.RewindProposed) -> None:
    table.proposal = Proposal(event.seat, "rewind", event.asked, table.version, event.to, event.reason)


def _clock_proposed(table: Table, rules: Rules, event: e.ClockProposed) -> None:
    table.proposal = Proposal(event.seat, event.what, event.asked, table.version, seconds=event.seconds)


def _answered(table: Table, rules: Rules, event: e.RewindAnswered | e.ClockAnswered) -> None:
    if table.proposal is not None and event.agrees:
        table.proposal = replace(table.proposal, agreed=(*table.proposal.agreed, event.seat))


def _rewound(table: Table, rules: Rules, event: e.Rewound) -> None:
    """The game is what it was; seats, orders, clock, banks and the count of draws are what they have become.

    Orders of other seats that were dropped since, as they did not fit what is undone now, stand again.
    """
    for seat, (dropped, filed) in list(table.unfit.items()):
        if dropped > event.to:
            del table.unfit[seat]
            if seat != event.seat:
                table.orders[seat] = filed
    if table.proposal is not None and table.proposal.what == "rewind":
        table.proposal = None


def _proposal_dropped(table: Table, rules: Rules, event: e.ProposalDropped) -> None:
    table.proposal = None


def _paused(table: Table, rules: Rules, event: e.ClockPaused) -> None:
    table.paused, table.late = True, event.seat
    _clock_settled(table)


def _resumed(table: Table, rules: Rules, event: e.ClockResumed) -> None:
    table.paused, table.late = False, None
    _clock_settled(table)


def _extended(table: Table, rules: Rules, event: e.TimeExtended) -> None:
    """What the operator gives settles no wish for a pause; more time that a table agrees on was what it wished for."""
    if table.proposal is not None and table.proposal.what == "extend":
        _clock_settled(table)


def _clock_settled(table: Table) -> None:
    """What was proposed about the clock is done, or idle; a wish to go back still waits for its answers."""
    if table.proposal is not None and table.proposal.what != "rewind":
        table.proposal = None


def _deadline_moved(table: Table, rules: Rules, event: e.DeadlineMoved) -> None:
    """Deadlines are folded by `domain.table.clock`."""


def _bank_changed(table: Table, rules: Rules, event: e.BankChanged) -> None:
    table.chairs[event.seat].bank = event.left


def _finished(table: Table, rules: Rules, event: e.GameFinished) -> None:
    table.status, table.proposal = "finished", None
    table.result = Result(event.winners, event.scores, event.reason == "resigned")


def _abandoned(table: Table, rules: Rules, event: e.GameAbandoned) -> None:
    table.status, table.proposal = "abandoned", None


def _seed_revealed(table: Table, rules: Rules, event: e.SeedRevealed) -> None:
    table.seed = event.seed


HANDLERS: Final[dict[type[Event], Callable[[Table, Rules, Any], None]]] = {
    e.GameOpened: _opened,
    e.SeatTaken: _seat_taken,
    e.SeatLeft: _seat_left,
    e.GameStarted: _started,
    e.TurnExpired: _expired,
    e.StrikesCleared: _strikes_cleared,
    e.CaretakerActed: _caretaker_acted,
    e.SeatVacated: _vacated,
    e.SeatTakenOver: _taken_over,
    e.SeatTakenByBot: _taken_by_bot,
    e.OrdersFiled: _orders_filed,
    e.OrdersFollowed: _orders_followed,
    e.OrdersDropped: _orders_dropped,
    e.RewindProposed: _rewind_proposed,
    e.RewindAnswered: _answered,
    e.Rewound: _rewound,
    e.ClockProposed: _clock_proposed,
    e.ClockAnswered: _answered,
    e.ProposalDropped: _proposal_dropped,
    e.ClockPaused: _paused,
    e.ClockResumed: _resumed,
    e.TimeExtended: _extended,
    e.DeadlineMoved: _deadline_moved,
    e.BankChanged: _bank_changed,
    e.GameFinished: _finished,
    e.GameAbandoned: _abandoned,
    e.SeedRevealed: _seed_revealed,
}
