"""The table's events in sentences, for mails and histories; the game's own are told by its ruleset."""

from collections.abc import Callable, Sequence
from typing import Any, Final

from domain.decider import Event
from domain.sentences import row, say, say_n
from domain.table import events as e
from domain.table.evolve import Rules

_TOLD: Final[dict[type[Event], Callable[[Any, Sequence[str]], str]]] = {
    e.SeatTaken: lambda event, names: say("{player} sits down.", player=names[event.seat]),
    e.GameStarted: lambda event, names: say("The game begins."),
    e.TurnExpired: lambda event, names: say(
        "{player} let the deadline pass: the caretaker plays for them.", player=names[event.seat]
    ),
    e.CaretakerActed: lambda event, names: (
        say("The caretaker plays for the empty seat of {player}.", player=names[event.seat])
        if event.reason == "vacant"
        else ""
    ),
    e.SeatVacated: lambda event, names: say(
        "The seat of {player} is vacant: anybody may take it over.", player=names[event.seat]
    ),
    e.SeatTakenOver: lambda event, names: say(
        "{player} plays on at seat {seat}.", player=names[event.seat], seat=event.seat
    ),
    e.GameFinished: lambda event, names: _finished(event, names),
    e.GameAbandoned: lambda event, names: say("The game ended without a result: nobody was left to play it."),
}


def tell(rules: Rules, event: Event, names: Sequence[str]) -> str:
    """One sentence on an event of any kind; "" where there is nothing to tell."""
    if type(event) in rules.evolve:
        return rules.tell(event, names)
    told = _TOLD.get(type(event))
    return told(event, names) if told else ""


def _finished(event: e.GameFinished, names: Sequence[str]) -> str:
    return say_n(
        "The game is over ({scores}): {winners} wins.",
        "The game is over ({scores}): {winners} share the victory.",
        len(event.winners),
        scores=", ".join(f"{names[seat]} {score}" for seat, score in enumerate(event.scores)),
        winners=row([names[seat] for seat in event.winners], say(" and ")),
    )
