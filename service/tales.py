"""The table's events in sentences, for mails and histories; the game's own are told by its ruleset."""

from collections.abc import Callable, Sequence
from typing import Any, Final

from domain.decider import Event
from domain.table import events as e
from domain.table.evolve import Rules

_TOLD: Final[dict[type[Event], Callable[[Any, Sequence[str]], str]]] = {
    e.SeatTaken: lambda event, names: f"{names[event.seat]} sits down.",
    e.GameStarted: lambda event, names: "The game begins.",
    e.TurnExpired: lambda event, names: f"{names[event.seat]} let the deadline pass: the caretaker plays for them.",
    e.CaretakerActed: lambda event, names: (
        f"The caretaker plays for the empty seat of {names[event.seat]}." if event.reason == "vacant" else ""
    ),
    e.SeatVacated: lambda event, names: f"The seat of {names[event.seat]} is vacant: anybody may take it over.",
    e.SeatTakenOver: lambda event, names: f"{names[event.seat]} plays on at seat {event.seat}.",
    e.GameFinished: lambda event, names: _finished(event, names),
    e.GameAbandoned: lambda event, names: "The game ended without a result: nobody was left to play it.",
}


def tell(rules: Rules, event: Event, names: Sequence[str]) -> str:
    """One sentence on an event of any kind; "" where there is nothing to tell."""
    if type(event) in rules.evolve:
        return rules.tell(event, names)
    told = _TOLD.get(type(event))
    return told(event, names) if told else ""


def _finished(event: e.GameFinished, names: Sequence[str]) -> str:
    scores = ", ".join(f"{names[seat]} {score}" for seat, score in enumerate(event.scores))
    winners = " and ".join(names[seat] for seat in event.winners)
    return f"The game is over ({scores}): {winners} {'wins' if len(event.winners) == 1 else 'share the victory'}."
