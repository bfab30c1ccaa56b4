"""What going back would undo: whether a seat may do so at once, whom else it touches, and what forbids it.

Free while nothing was revealed and nobody else acted; else by the consent of the seats it touches. Never across the
opening of what was sealed, nor into a branch that was undone, nor into the midst of an act; a draw that is undone is
made anew, with a new number (Q-12).
"""

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, Final

from domain.engine.game import Event, Seat
from domain.engine.refusals import RuleViolation, require
from domain.engine.sentences import say
from domain.table import events as e
from domain.table.record import Due, acting, is_drawn, is_of_one
from domain.table.state import Table

RULE: Final = "Q-12"
MOST_IN_A_ROW: Final = 3
"""How often a seat may go back freely before another acts: each time others may have been told of it."""
NOT_OF_THE_GAME: Final = (
    e.OrdersFiled, e.OrdersDropped, e.RewindProposed, e.RewindAnswered, e.ClockProposed, e.ClockAnswered,
    e.ProposalDropped, e.ClockPaused, e.ClockResumed, e.TimeExtended, e.DeadlineMoved, e.BankChanged, e.StrikesCleared,
    e.SeatVacated, e.SeatTakenOver, e.SeatTakenByBot,
)  # fmt: skip
"""What going back leaves as it is."""
KEPT: Final = (*NOT_OF_THE_GAME, e.Rewound)
"""The same, with going back itself."""
_INTRODUCE: Final = (e.OrdersFollowed, e.CaretakerActed)
"""What says of the facts after it who made them true."""


@dataclass(frozen=True, slots=True)
class Past:
    """One event of the history: who made it true, the request that caused it, and whether an action begins with it.

    What an action seals is in its first event.
    """

    version: int
    actor: dict[str, Any]
    cause: str
    event: Event
    action: bool = False
    text: str = ""
    """The action in notation, unless it is sealed."""
    at: str = ""
    """When it was recorded, in RFC 3339 UTC."""
    due: Due | None = None
    """The deadlines that it carries."""


@dataclass(frozen=True, slots=True)
class Undoing:
    """What going back to event `to` means: free or not, the seats it touches besides the one that asks, the events
    that would be undone, and whether a draw is among them."""

    to: int
    free: bool
    touched: frozenset[Seat]
    undone: tuple[int, ...]
    drawn: bool = False


def last_act(past: Sequence[Past], seat: Seat) -> int:
    """The event before the last thing a seat did in the game: a request, or what its standing orders did.

    Raises RuleViolation where there is none.
    """
    line = present_line(past)
    others = {entry.cause for entry in line if isinstance(entry.event, e.GameStarted | e.Rewound)}
    mine = [entry for entry in line if entry.actor == {"seat": seat} and entry.cause not in others]
    acts = [entry for entry in mine if not isinstance(entry.event, NOT_OF_THE_GAME) and entry.version > _began(past)]
    if not acts:
        raise RuleViolation("nothing-to-undo", RULE, say("You have done nothing yet that could be undone."))
    request = [entry for entry in mine if entry.cause == acts[-1].cause]
    followed = [entry for entry in request if isinstance(entry.event, e.OrdersFollowed)]
    return (followed[-1] if followed else request[0]).version - 1


def last_lapse(past: Sequence[Past], seat: Seat) -> int:
    """The event before the last deadline that a seat let pass. Raises RuleViolation where there is none."""
    line = present_line(past)
    passed = [entry for entry in line if isinstance(entry.event, e.TurnExpired) and entry.event.seat == seat]
    if not passed:
        raise RuleViolation("nothing-to-undo", RULE, say("You have missed no deadline that could be undone."))
    return passed[-1].version - 1


def present_line(past: Sequence[Past]) -> list[Past]:
    """The history without the branches that were undone."""
    line: list[Past] = []
    for entry in past:
        if isinstance(entry.event, e.Rewound):
            del line[bisect_right(line, entry.event.to, key=lambda kept: kept.version) :]
        line.append(entry)
    return line


def undoing(past: Sequence[Past], table: Table, seat: Seat, to: int) -> Undoing:
    """What it means for a seat to go back to event `to`. Raises RuleViolation where nobody could."""
    require(table.status == "running", "game-over", "DESIGN-2", "Only a game in progress can be taken back.")
    line = present_line(past)
    stands = to in _places(line, _began(past))
    no_place = say(
        "The game cannot go back to version {to}: name the last version of something that still stands.", to=to
    )
    require(stands, "bad-version", RULE, no_place)
    undone = undone_since(line, to)
    require(undone, "nothing-to-undo", RULE, "Nothing has happened since then.")
    opened = any(entry.event.OPENS for entry in undone)
    require(not opened, "seal-opened", RULE, "Sealed bids were opened since then: what was seen cannot be unseen.")
    told = [(entry.actor, entry.event) for entry in undone]
    drawn, acted = is_drawn(told), acting(told)
    clock = any("clock" in entry.actor for entry in undone)
    answered = not acted.isdisjoint(_of_bots(past, table, to))  # what a bot did is as good as drawn
    unsure = drawn or clock or answered
    everybody = frozenset(range(len(table.chairs)))
    touched = (everybody if unsure else frozenset(acted)) - {seat}
    free = is_of_one(told, seat) and not answered and _in_a_row(past, seat) < MOST_IN_A_ROW
    return Undoing(to, free, touched or everybody - {seat}, tuple(entry.version for entry in undone), drawn)


def undone_since(line: Sequence[Past], to: int) -> list[Past]:
    """The events of a line that going back to `to` undoes."""
    return [entry for entry in line if entry.version > to and not isinstance(entry.event, KEPT)]


def _began(past: Sequence[Past]) -> int:
    return next((entry.version for entry in past if isinstance(entry.event, e.GameStarted)), len(past))


def _places(line: Sequence[Past], began: int) -> set[int]:
    """The events after which nothing is half done: the next one begins a request or an act."""
    return {
        before.version
        for before, after in pairwise(line)
        if before.version >= began
        and not isinstance(before.event, _INTRODUCE)
        and (before.cause != after.cause or after.action or isinstance(after.event, _INTRODUCE))
    }


def _of_bots(past: Sequence[Past], table: Table, to: int) -> set[Seat]:
    """The seats at which a bot thinks, or that the host gave to a bot or took from one after event `to`.

    Whose bot answered after `to` is among them, whoever plays there by now.
    """
    seats = {seat for seat, chair in enumerate(table.chairs) if chair.thinks}
    for entry in past[bisect_right(past, to, key=lambda entry: entry.version) :]:
        match entry.event:
            case e.SeatTakenByBot(seat=seat):
                seats.add(seat)
            case e.SeatVacated(seat=seat) if "host" in entry.actor:
                seats.add(seat)
    return seats


def _in_a_row(past: Sequence[Past], seat: Seat) -> int:
    """How often this seat has gone back since another seat acted."""
    times = 0
    for entry in reversed(past):
        if isinstance(entry.event, e.Rewound):
            if entry.event.seat != seat or entry.event.agreed:
                break
            times += 1
        elif "seat" in entry.actor and entry.actor["seat"] != seat and not isinstance(entry.event, NOT_OF_THE_GAME):
            break
    return times
