"""The way of a move: play what a seat orders, then settle what follows until a person must act.

`play` goes no further than what the seat itself could foresee: no draw is made and nothing sealed is opened before
the whole list of orders is accepted, so that no refusal can tell what lies ahead (S-06, T-66).
"""

from collections.abc import Iterable
from typing import Any, Final

from domain.engine.draws import Dice, draw_key
from domain.engine.game import CHANCE, Action, Seat
from domain.engine.refusals import RuleViolation, require
from domain.engine.sentences import say
from domain.table.events import (
    CaretakerActed,
    ClockPaused,
    ClockResumed,
    GameAbandoned,
    GameFinished,
    OrdersFollowed,
    SeatVacated,
    SeedRevealed,
    StrikesCleared,
    TurnExpired,
)
from domain.table.evolve import Rules
from domain.table.proposals import drop_rewind, persons, settle_clock
from domain.table.record import CLOCK, Actor, Record, seat_actor
from domain.table.standing_orders import follow_orders
from domain.table.state import Table, require_running

END: Final = "end"
"""The order, in any game, that ends a turn of several orders."""
LONGEST_CARETAKING = 64
"""Orders a caretaker may need for one decision; reaching it is a bug, not a state of a game."""


def play(record: Record, seat: Seat, actions: Iterable[Action], *, ends: bool = False) -> None:
    """Play one seat's orders, all or none; `ends` also ends the turn if nothing else is left (IN-10c).

    Raises RuleViolation for the first order that the rules forbid.
    """
    require_running(record.table)
    foreseeable = True
    for action in actions:
        foreseeable = act(record, seat, action, foreseeable=foreseeable)
    if ends and foreseeable and (end := only_end(record.rules, record.table, seat)) is not None:
        act(record, seat, end)
    acted(record, seat)


def only_end(rules: Rules, table: Table, seat: Seat) -> Action | None:
    """Find the action that ends a seat's turn, if it is the only legal one. Returns None otherwise."""
    if table.status != "running" or seat not in rules.decider.awaiting(table.game):
        return None
    legal = rules.decider.legal_actions(rules.decider.blind(table.game, seat), seat)
    is_end = legal.complete and [rules.notation.write(action) for action in legal.actions] == [END]
    return legal.actions[0] if is_end else None


def act(record: Record, seat: Seat, action: Action, *, foreseeable: bool = True) -> bool:
    """One action of a seat, and what it foresees of what follows. Whether it can foresee the next decision.

    Raises RuleViolation, also where the action comes after something that was not `foreseeable`.
    """
    rules, actor = record.rules, seat_actor(seat)
    if not foreseeable:
        raise RuleViolation(
            "wrong-phase",
            "DESIGN-2",
            say(
                "“{order}” comes after something nobody can foresee: send what comes before it first.",
                order=rules.notation.write(action),
            ),
        )
    record.add(actor, *rules.decider.decide(record.table.game, seat, action), text=rules.notation.write(action))
    return _foreseeable_steps(record, actor)


def acted(record: Record, seat: Seat) -> None:
    """A seat has answered by itself, or its standing orders have: it is late no more, and nobody goes back."""
    actor = seat_actor(seat)
    if record.table.chairs[seat].strikes:
        record.add(actor, StrikesCleared(seat))
    drop_rewind(record, actor)
    if record.table.late == seat:
        record.add(CLOCK, ClockResumed("acted"))


def _foreseeable_steps(record: Record, actor: Actor) -> bool:
    """What follows by rule, up to the first draw or opening. Whether the game stands at neither."""
    table, rules = record.table, record.rules
    while facts := rules.decider.proceed(table.game):
        if facts[0].OPENS:
            return False
        record.add(actor, *facts)
    return CHANCE not in rules.decider.awaiting(table.game) and bool(rules.decider.awaiting(table.game))


def settle(record: Record, actor: Actor) -> None:
    """All that follows at once: forced steps, openings, draws, caretakers, standing orders, the end.

    A bot that thinks is waited for as a person is. A game that no person plays any more is abandoned, whoever is asked;
    one that is over all the same keeps its result.
    """
    table, rules = record.table, record.rules
    while table.status == "running":
        waits = rules.decider.awaiting(table.game)
        if facts := rules.decider.proceed(table.game):
            record.add(actor, *facts)
        elif CHANCE in waits:
            _draw(record)
        elif not waits:
            _finish(record, actor)
        elif not persons(table):
            abandon(record, CLOCK, "nobody-left")
        elif (seat := next((s for s in sorted(waits) if table.chairs[s].automatic), None)) is not None:
            _play_automatic(record, seat)
        elif not any(_follow(record, seat) for seat in sorted(waits)):
            return


def _follow(record: Record, seat: Seat) -> bool:
    """Whether a seat's standing orders acted, or were dropped."""
    number = len(record.facts)
    if not follow_orders(record, seat):
        return False
    if isinstance(record.facts[number].event, OrdersFollowed):
        acted(record, seat)
    return True


def expire(record: Record, seat: Seat) -> None:
    """A deadline has passed: the caretaker plays the smallest legal move; after the last strike the seat is vacant.

    At a table whose policy is to wait, the clock stops instead until the seat acts, or has no strike left.
    """
    table, rules = record.table, record.rules
    require_running(table)
    owes = table.chairs[seat].manned and seat in rules.decider.awaiting(table.game)
    require(owes, "not-your-turn", "DESIGN-7", "This seat has nothing to answer now.")
    strikes = table.chairs[seat].strikes + 1
    last = strikes >= table.clock.get("strikes", 2)
    record.add(CLOCK, TurnExpired(seat, rules.decider.decision(table.game), strikes))
    if table.clock.get("on_timeout") == "pause" and not last:
        record.add(CLOCK, ClockPaused("timeout", 0, seat))
        return
    record.add(CLOCK, CaretakerActed(seat, "expired"))
    caretake(record, seat, CLOCK)
    drop_rewind(record, CLOCK)
    if last:
        record.add(CLOCK, SeatVacated(seat))
        settle_clock(record, CLOCK)


def end_when_alone(record: Record, actor: Actor) -> None:
    """End the game if a single person and no bot is left: that person wins, with the scores as they stand."""
    table = record.table
    left = persons(table)
    if table.status == "running" and len(left) == 1 and all(chair.bot is None for chair in table.chairs):
        scores = record.rules.decider.scores(table.game)
        record.add(actor, GameFinished(left, scores, "resigned"), SeedRevealed(_seed(table)))


def abandon(record: Record, actor: Actor, reason: Any) -> None:
    """End a game without a result; its seed is revealed, so what was drawn can still be checked."""
    record.add(actor, GameAbandoned(reason), SeedRevealed(_seed(record.table)))


def _draw(record: Record) -> None:
    table, rules = record.table, record.rules
    dice = Dice(draw_key(bytes.fromhex(_seed(table)), [chair.nonce for chair in table.chairs]), table.draws)
    action = rules.decider.chance(table.game, dice)
    record.add({"chance": table.draws}, *rules.decider.decide(table.game, CHANCE, action))


def _play_automatic(record: Record, seat: Seat) -> None:
    if record.table.chairs[seat].bot is not None:
        return caretake(record, seat, seat_actor(seat))
    record.add(CLOCK, CaretakerActed(seat, "vacant"))
    return caretake(record, seat, CLOCK)


def caretake(record: Record, seat: Seat, actor: Actor) -> None:
    """The caretaker's orders for one decision, found from what the seat may see (S-08)."""
    table, rules = record.table, record.rules
    decision = rules.decider.decision(table.game)
    for _ in range(LONGEST_CARETAKING):
        action = rules.decider.caretaker(rules.decider.blind(table.game, seat), seat)
        record.add(actor, *rules.decider.decide(table.game, seat, action), text=rules.notation.write(action))
        if not _foreseeable_steps(record, actor):
            return
        if seat not in rules.decider.awaiting(table.game) or rules.decider.decision(table.game) != decision:
            return
    raise AssertionError(f"the caretaker of {rules.kind} does not come to an end")


def _finish(record: Record, actor: Actor) -> None:
    result = record.rules.decider.result(record.table.game)
    if result is None:
        raise AssertionError(f"{record.rules.kind} awaits nobody and is not over")
    record.add(actor, GameFinished(result["winners"], result["scores"]), SeedRevealed(_seed(record.table)))


def _seed(table: Table) -> str:
    if table.seed is None:
        raise AssertionError("a blind table cannot draw")
    return table.seed
