"""The table's events in sentences, for mails and histories; the game's own are told by its ruleset."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from domain.engine.bots import Bot
from domain.engine.game import Event, Seat
from domain.engine.sentences import Sentence, row, say, say_n
from domain.table import events as e
from domain.table.evolve import Rules
from domain.table.state import Reason
from domain.table.undo import KEPT
from service.games.seat_names import bot_name
from service.languages.time_text import exact_words
from service.store.event_store.stream_reader import undone_by

WHY: Final[Mapping[Reason, Sentence]] = {
    "slip": say("It was a slip."),
    "misread": say("The rules or the position had been misread."),
    "lapse": say("A deadline had been missed."),
    "agreed": say("The table wants it."),
}
"""Why a game goes back."""
WOULD_BE_UNDONE: Final = say("This would be undone:")
WAS_UNDONE: Final = say("This is undone:")
_TOLD: Final[dict[type[Event], Callable[[Any, Sequence[str]], str]]] = {
    e.SeatTaken: lambda event, names: say("{player} sits down.", player=names[event.seat]),
    e.GameStarted: lambda event, names: say("The game begins."),
    e.TurnExpired: lambda event, names: say("{player} let the deadline pass.", player=names[event.seat]),
    e.CaretakerActed: lambda event, names: (
        say("The caretaker plays for the empty seat of {player}.", player=names[event.seat])
        if event.reason == "vacant"
        else say("The caretaker plays for {player}.", player=names[event.seat])
    ),
    e.SeatVacated: lambda event, names: (
        say("{player} resigns.", player=names[event.seat])
        if event.reason == "resigned"
        else say("The seat of {player} is vacant: anyone may take it over.", player=names[event.seat])
    ),
    e.SeatTakenOver: lambda event, names: say("{player} is back.", player=names[event.seat]),
    e.OrdersFiled: lambda event, names: say("{player} orders ahead.", player=names[event.seat]),
    e.OrdersFollowed: lambda event, names: say(
        "The standing orders of {player} are carried out.", player=names[event.seat]
    ),
    e.OrdersDropped: lambda event, names: _dropped(event, names),
    e.RewindProposed: lambda event, names: say(
        "{player} asks {others} to go back to version {to}. {why}",
        player=names[event.seat],
        others=everybody(event.asked, names),
        to=event.to,
        why=WHY[event.reason],
    ),
    e.RewindAnswered: lambda event, names: _answered(event, names),
    e.Rewound: lambda event, names: _rewound(event, names),
    e.ClockProposed: lambda event, names: _clock_proposed(event, names),
    e.ClockAnswered: lambda event, names: _answered(event, names),
    e.ProposalDropped: lambda event, names: _proposal_dropped(event, names),
    e.ClockPaused: lambda event, names: _paused(event, names),
    e.ClockResumed: lambda event, names: say("The clock is running again."),
    e.TimeExtended: lambda event, names: (
        say("Everyone who has to answer now has {span} more.", span=exact_words(event.seconds))
        if event.seat is None
        else say(
            "The operator of this service gives {player} {span} more.",
            player=names[event.seat],
            span=exact_words(event.seconds),
        )
    ),
    e.GameFinished: lambda event, names: _finished(event, names),
    e.GameAbandoned: lambda event, names: (
        say("The operator of this service has ended the game, without a result.")
        if event.reason == "operator"
        else say("The game ended without a result: nobody was left to play it.")
    ),
}


def tell(rules: Rules, event: Event, names: Sequence[str]) -> str:
    """One sentence on an event of any kind; "" where there is nothing to tell."""
    if type(event) in rules.decider.evolve:
        return rules.presentation.tell(event, names)
    match event:
        case e.SeatTaken(seat=seat, bot=Bot() as bot):
            return say("{player} sits down.", player=bot_name(rules, seat, bot))
        case e.SeatTakenByBot(seat=seat, bot=bot):
            return say("The host calls {bot} to the table.", bot=bot_name(rules, seat, bot))
    told = _TOLD.get(type(event))
    return told(event, names) if told else ""


def gift(rules: Rules, event: Event, seat: Seat | None) -> str:
    """Say what an event gives to the seat that reads it; "" for nothing."""
    return "" if seat is None or type(event) not in rules.decider.evolve else rules.presentation.gives(event, seat)


def _with_gift(rules: Rules, event: Event, names: Sequence[str], seat: Seat | None) -> str:
    text, given = tell(rules, event, names), gift(rules, event, seat)
    return row([text, given], " ") if text and given else text


def story(
    rules: Rules, events: Sequence[Event], first: int, rewinds: Sequence[tuple[int, int]], names: Sequence[str],
    seat: Seat | None = None,
) -> list[str]:  # fmt: skip
    """Return a sentence on each of these events, said to a seat. The first is number `first`.

    What was taken back is marked.
    """
    implied = rules.presentation.narrative.implied
    told = [
        (
            _with_gift(rules, event, names, seat),
            type(event) not in KEPT and undone_by(rewinds, version) is not None,
        )
        for version, event in enumerate(events, first)
        if not _follows(implied.get(type(event)), events[version - first + 1 :])
    ]
    return [say("{sentence} (Taken back.)", sentence=tale) if undone else tale for tale, undone in told if tale]


def _follows(kind: type[Event] | None, events: Sequence[Event]) -> bool:
    return kind is not None and any(type(event) is kind for event in events)


def _paused(event: e.ClockPaused, names: Sequence[str]) -> str:
    if event.seat is not None:
        return say("The clock is stopped until {player} answers.", player=names[event.seat])
    if not event.seconds:
        return say("The operator of this service has stopped the clock.")
    return say("The clock is stopped for {span} at most.", span=exact_words(event.seconds))


def _dropped(event: e.OrdersDropped, names: Sequence[str]) -> str:
    player = names[event.seat]
    match event.reason:
        case "withdrawn":
            return say("{player} withdraws what they had ordered ahead.", player=player)
        case "unfit":
            return say("What {player} had ordered ahead did not fit and is dropped.", player=player)
        case "taken-back" | "taken-over":
            return say("What {player} had ordered ahead is dropped.", player=player)


def _answered(event: e.RewindAnswered | e.ClockAnswered, names: Sequence[str]) -> str:
    player = names[event.seat]
    return say("{player} agrees.", player=player) if event.agrees else say("{player} refuses.", player=player)


def _rewound(event: e.Rewound, names: Sequence[str]) -> str:
    player, why = names[event.seat], WHY[event.reason]
    if not event.agreed:
        return say("{player} undoes what came after version {to}. {why}", player=player, to=event.to, why=why)
    return say(
        "The game goes back to version {to}, as {player} asked; {others} agreed. {why}",
        player=player, to=event.to, others=everybody(event.agreed, names), why=why,
    )  # fmt: skip


def _clock_proposed(event: e.ClockProposed, names: Sequence[str]) -> str:
    player, span = names[event.seat], exact_words(event.seconds)
    match event.what:
        case "pause":
            return say("{player} asks to stop the clock for {span} at most.", player=player, span=span)
        case "resume":
            return say("{player} asks to restart the clock.", player=player)
        case "extend":
            return say("{player} asks for {span} more for everyone who still has to answer.", player=player, span=span)


def _proposal_dropped(event: e.ProposalDropped, names: Sequence[str]) -> str:
    player = names[event.seat]
    match event.reason:
        case "refused":
            return say("What {player} asked for is off the table.", player=player)
        case "withdrawn":
            return say("{player} withdraws the proposal.", player=player)
        case "played-on":
            return say("The game goes on, so what {player} asked for is off the table.", player=player)


def everybody(seats: Sequence[Seat], names: Sequence[str]) -> Sentence:
    """These players, one after the other: they are few."""
    return row([names[seat] for seat in seats], say(" and "))


def _finished(event: e.GameFinished, names: Sequence[str]) -> str:
    if event.reason == "resigned":
        return say(
            "The game is over ({scores}): all others have resigned or left, and {winner} wins.",
            scores=_scores(event, names),
            winner=names[event.winners[0]],
        )
    return say_n(
        "The game is over ({scores}): {winners} wins.",
        "The game is over ({scores}): {winners} share the victory.",
        len(event.winners),
        scores=_scores(event, names),
        winners=row([names[seat] for seat in event.winners], say(" and ")),
    )


def _scores(event: e.GameFinished, names: Sequence[str]) -> str:
    return ", ".join(f"{names[seat]} {score}" for seat, score in enumerate(event.scores))
