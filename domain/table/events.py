"""What can happen to a table, whatever is played at it. Stored as "table.<name>"."""

from collections.abc import Mapping
from typing import Any, ClassVar, Final, Literal

from domain.engine.bots import Bot
from domain.engine.game import NOBODY, Event, Seat
from domain.table.state import Reason


class GameOpened(Event, frozen=True):
    """A table stands open, under these terms; the seed of its draws is fixed and committed to (DESIGN 4)."""

    SEALED: ClassVar[Mapping[str, str]] = {"seed": NOBODY}

    ruleset: str
    seats: int
    options: dict[str, str]
    clock: dict[str, Any]
    public: bool
    host: str
    seed_commitment: str
    seed: str | None = None


class SeatTaken(Event, frozen=True):
    """A player, or a bot, sat down and added a nonce to the draws."""

    seat: Seat
    player: str | None
    nonce: str
    nonce_by: Literal["player", "server"]
    bot: Bot | None = None


class SeatLeft(Event, frozen=True):
    """A player stood up before the start, or the host sent a bot away; `host` may start the game from now on."""

    seat: Seat
    host: str


class GameStarted(Event, frozen=True):
    """The game begins. `seats` are the chairs that play, by their old numbers, in their new order."""

    seats: list[Seat]


class TurnExpired(Event, frozen=True):
    """A deadline passed without an answer; `strikes` in a row now."""

    seat: Seat
    decision: str
    strikes: int


class StrikesCleared(Event, frozen=True):
    """A player who had let deadlines pass has acted again."""

    seat: Seat


class CaretakerActed(Event, frozen=True):
    """The caretaker plays for a seat: the facts that follow are its smallest legal move."""

    seat: Seat
    reason: Literal["expired", "vacant"]


class SeatVacated(Event, frozen=True):
    """A seat that nobody plays any more: its last deadline was missed, its player resigned or was erased, the host
    sent its bot away, or the operator freed it.

    The caretaker plays it until somebody takes it over. A player who resigned cannot sit down at this table again.
    """

    seat: Seat
    reason: Literal["resigned"] | None = None


class SeatTakenOver(Event, frozen=True):
    """A vacant seat has a player again: its owner, or another."""

    seat: Seat
    player: str


class SeatTakenByBot(Event, frozen=True):
    """The host gives a vacant seat of a running game to a bot, or the seat of a bot to another."""

    seat: Seat
    bot: Bot


class OrdersFiled(Event, frozen=True):
    """A seat has filed standing orders, in place of those it had: that it did is public, what they are is not."""

    SEALED: ClassVar[Mapping[str, str]] = {"orders": "seat"}
    LASTS: ClassVar[bool] = True

    seat: Seat
    orders: dict[str, Any] | None = None


class OrdersFollowed(Event, frozen=True):
    """The facts that follow are what a seat's standing orders say, those filed with event `filed`."""

    seat: Seat
    filed: int


class OrdersDropped(Event, frozen=True):
    """A seat has no standing orders any more; where they did not fit, the refusal is told to the seat alone."""

    SEALED: ClassVar[Mapping[str, str]] = {"code": "seat", "rule": "seat"}
    LASTS: ClassVar[bool] = True

    seat: Seat
    reason: Literal["withdrawn", "unfit", "taken-back", "taken-over"]
    code: str | None = None
    rule: str | None = None


class RewindProposed(Event, frozen=True):
    """A seat asks those it touches to go back to where the game stood after event `to`."""

    seat: Seat
    to: int
    reason: Reason
    asked: list[Seat]


class RewindAnswered(Event, frozen=True):
    """One of those asked agrees, or does not."""

    seat: Seat
    agrees: bool


class Rewound(Event, frozen=True):
    """The game stands where it stood after event `to`. What came in between stays in the history, undone.

    Draws keep their numbers: one that comes again is another draw. Orders of other seats that were dropped as unfit
    in between stand again, unless new ones were filed.
    """

    to: int
    seat: Seat
    reason: Reason
    agreed: list[Seat]


class ClockProposed(Event, frozen=True):
    """A seat asks the others to stop the clock, for `seconds` at most; to let it run again; or for more time."""

    seat: Seat
    what: Literal["pause", "resume", "extend"]
    seconds: int
    asked: list[Seat]


class ClockAnswered(Event, frozen=True):
    """One of those asked agrees, or does not."""

    seat: Seat
    agrees: bool


class ProposalDropped(Event, frozen=True):
    """What a seat had proposed is not on the table any more."""

    seat: Seat
    reason: Literal["refused", "withdrawn", "played-on"]


class ClockPaused(Event, frozen=True):
    """Nobody's time runs, for `seconds` at most, 0 for until it is resumed: as agreed, because `seat` was late, or by
    the operator."""

    reason: Literal["agreed", "timeout", "operator"]
    seconds: int
    seat: Seat | None = None


class ClockResumed(Event, frozen=True):
    """Time runs again, with what was left of it."""

    reason: Literal["agreed", "over", "acted", "host", "operator"]


class TimeExtended(Event, frozen=True):
    """Every answer owed now is due that much later; with a `seat` that answer alone, by the operator."""

    seconds: int
    seat: Seat | None = None


class DeadlineMoved(Event, frozen=True):
    """Deadlines moved and nothing else happened; the event carries the new ones as `due`.

    `why` is `service` if it was down, its clock was wrong or the game was stopped. It is `player` for leave, or a
    notice that came late or not at all. `outage` is the number of the outage whose time is given back.
    """

    why: Literal["service", "player"]
    outage: int | None = None


class BankChanged(Event, frozen=True):
    """So many seconds are left in a seat's time bank."""

    seat: Seat
    left: int


class GameFinished(Event, frozen=True):
    """The game is over: by its rules, or because all players but one have resigned or left.

    The second has the reason "resigned": that player wins, with the scores as they stood.
    """

    winners: list[Seat]
    scores: list[int]
    reason: Literal["resigned"] | None = None


class GameAbandoned(Event, frozen=True):
    """The game ended without a result: nobody is left to play it, or the operator ended it."""

    reason: Literal["nobody-left", "closed", "operator"]


class SeedRevealed(Event, frozen=True):
    """The seed of all draws, hex: from now on every draw can be checked, and every leaf is open."""

    OPENS: ClassVar[bool] = True

    seed: str


EVENTS: Final[Mapping[str, type[Event]]] = {
    "game-opened": GameOpened,
    "seat-taken": SeatTaken,
    "seat-left": SeatLeft,
    "game-started": GameStarted,
    "turn-expired": TurnExpired,
    "strikes-cleared": StrikesCleared,
    "caretaker-acted": CaretakerActed,
    "seat-vacated": SeatVacated,
    "seat-taken-over": SeatTakenOver,
    "seat-taken-by-bot": SeatTakenByBot,
    "orders-filed": OrdersFiled,
    "orders-followed": OrdersFollowed,
    "orders-dropped": OrdersDropped,
    "rewind-proposed": RewindProposed,
    "rewind-answered": RewindAnswered,
    "rewound": Rewound,
    "clock-proposed": ClockProposed,
    "clock-answered": ClockAnswered,
    "proposal-dropped": ProposalDropped,
    "clock-paused": ClockPaused,
    "clock-resumed": ClockResumed,
    "time-extended": TimeExtended,
    "deadline-moved": DeadlineMoved,
    "bank-changed": BankChanged,
    "game-finished": GameFinished,
    "game-abandoned": GameAbandoned,
    "seed-revealed": SeedRevealed,
}
