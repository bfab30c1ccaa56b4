"""What can happen to a table, whatever is played at it. Stored as "table.<name>"."""

from collections.abc import Mapping
from typing import Any, ClassVar, Final, Literal

from domain.decider import NOBODY, Event, Seat


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
    bot: bool = False


class SeatLeft(Event, frozen=True):
    """A player stood up before the start; `host` is who may start the game from now on."""

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
    """A seat missed its last deadline: the caretaker goes on playing until somebody takes it over."""

    seat: Seat


class SeatTakenOver(Event, frozen=True):
    """A vacant seat has a player again: its owner, or another."""

    seat: Seat
    player: str


class GameFinished(Event, frozen=True):
    """The game is over."""

    winners: list[Seat]
    scores: list[int]


class GameAbandoned(Event, frozen=True):
    """The game ended without a result: nobody is left to play it."""

    reason: Literal["nobody-left", "closed"]


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
    "game-finished": GameFinished,
    "game-abandoned": GameAbandoned,
    "seed-revealed": SeedRevealed,
}
