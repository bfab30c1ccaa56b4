"""How facts change a table: one handler an event, and the fold over a whole stream."""

from collections.abc import Callable, Iterable
from typing import Any, Final

from domain.decider import NOBODY, Decider, Event, Seat
from domain.table import events as e
from domain.table.state import Chair, Table

Rules = Decider[Any, Any, Any]


def copy(table: Table, rules: Rules) -> Table:
    """A table of its own: nothing that is changed in it is shared."""
    return Table(
        table.ruleset,
        table.host,
        table.status,
        table.version,
        [Chair(c.player, c.bot, c.nonce, c.vacant, c.strikes) for c in table.chairs],
        table.options,
        table.clock,
        table.public,
        table.seed,
        table.draws,
        dict(table.unopened),
        None if table.game is None else rules.copy(table.game),
    )


def blind(table: Table, rules: Rules, seat: Seat | None) -> Table:
    """A copy without what `seat` (None: a spectator) may not know."""
    seen = copy(table, rules)
    if table.status in ("open", "running"):
        seen.seed = None
    if seen.game is not None:
        seen.game = rules.blind(table.game, seat)
    return seen


def fold(table: Table, rules: Rules, events: Iterable[Event]) -> Table:
    """`table` after `events`. The table given is left as it was."""
    table = copy(table, rules)
    of_the_game, marks_of = rules.evolve, _MARKS.get
    for event in events:  # what `apply` does, without a call for each event: this is replay
        table.version += 1
        kind = type(event)
        handler = of_the_game.get(kind)
        if handler is None:
            HANDLERS[kind](table, rules, event)
        else:
            handler(table.game, event)
        marks = marks_of(kind)
        if marks != ():
            _mark(table, event, _marks_of(kind) if marks is None else marks)
    return table


def apply(table: Table, rules: Rules, event: Event) -> None:
    """One fact, on a table that the caller owns."""
    table.version += 1
    kind = type(event)
    handler = rules.evolve.get(kind)
    if handler is None:
        HANDLERS[kind](table, rules, event)
    else:
        handler(table.game, event)
    _mark(table, event, _marks_of(kind))


def _marks_of(kind: type[Event]) -> tuple[str, ...]:
    """What a kind of event does to the table besides its handler; () for most."""
    marks = _MARKS.get(kind)
    if marks is None:
        draws = ("draw",) if "draw" in kind.__struct_fields__ else ()
        opens = ("opens",) if kind.OPENS else ()
        marks = (*draws, *opens, *(owner for owner in kind.SEALED.values() if owner != NOBODY))
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
    table.game = rules.initial(len(event.seats), table.options)


def _expired(table: Table, rules: Rules, event: e.TurnExpired) -> None:
    table.chairs[event.seat].strikes = event.strikes


def _strikes_cleared(table: Table, rules: Rules, event: e.StrikesCleared) -> None:
    table.chairs[event.seat].strikes = 0


def _caretaker_acted(table: Table, rules: Rules, event: e.CaretakerActed) -> None:
    """The facts that follow say what it did."""


def _vacated(table: Table, rules: Rules, event: e.SeatVacated) -> None:
    table.chairs[event.seat].vacant = True


def _taken_over(table: Table, rules: Rules, event: e.SeatTakenOver) -> None:
    chair = table.chairs[event.seat]
    chair.player, chair.vacant, chair.strikes = event.player, False, 0


def _finished(table: Table, rules: Rules, event: e.GameFinished) -> None:
    table.status = "finished"


def _abandoned(table: Table, rules: Rules, event: e.GameAbandoned) -> None:
    table.status = "abandoned"


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
    e.GameFinished: _finished,
    e.GameAbandoned: _abandoned,
    e.SeedRevealed: _seed_revealed,
}
