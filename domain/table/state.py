"""One correspondence game around any ruleset: who sits where, and the ruleset's own state."""

from dataclasses import dataclass, field
from typing import Any, Literal

from domain.engine.bots import Bot
from domain.engine.game import Seat
from domain.engine.refusals import require

Reason = Literal["slip", "misread", "lapse", "agreed"]
"""Why a game goes back: a slip of the hand, rules or position misread, a deadline missed, or as the table likes."""
Status = Literal["open", "running", "finished", "abandoned"]


@dataclass(slots=True)
class Chair:
    """One seat: empty while `player` is None, no bot plays it, and it is not vacant."""

    player: str | None = None  # opaque id
    bot: Bot | None = None
    nonce: str = ""
    vacant: bool = False  # the caretaker plays it
    strikes: int = 0  # deadlines missed in a row
    bank: int | None = None  # seconds left in its time bank; None: all of it

    @property
    def taken(self) -> bool:
        return self.player is not None or self.bot is not None or self.vacant

    @property
    def manned(self) -> bool:
        """Whether a person plays it, who owes answers in time, and can be asked to agree."""
        return self.player is not None and self.bot is None and not self.vacant

    @property
    def thinks(self) -> bool:
        """Whether a bot plays it that takes its time: it is awaited as a person is, and owes no deadline."""
        return self.bot is not None and self.bot.thinks and not self.vacant

    @property
    def automatic(self) -> bool:
        """Whether it is played by the caretaker's policy, at once."""
        return self.vacant or (self.bot is not None and not self.bot.thinks)


@dataclass(frozen=True, slots=True)
class Filed:
    """Standing orders of a seat: the event that filed them, and what they say; None: not for these eyes."""

    version: int
    orders: dict[str, Any] | None


@dataclass(frozen=True, slots=True)
class Result:
    """The end of a finished game: its winners, the scores by seat, and whether players had resigned."""

    winners: list[Seat]
    scores: list[int]
    resigned: bool


@dataclass(frozen=True, slots=True)
class Proposal:
    """What a seat asks others to agree to, and who has."""

    seat: Seat
    what: Literal["rewind", "pause", "resume", "extend"]
    asked: list[Seat]
    version: int  # the event that proposed it
    to: int = 0  # rewind: the event after which the game shall stand
    reason: Reason = "agreed"
    seconds: int = 0
    agreed: tuple[Seat, ...] = ()


@dataclass(slots=True)
class Table:
    """A game and its seats. `version` counts the events folded into it."""

    ruleset: str = ""
    host: str = ""  # the player who may start it
    status: Status = "open"
    version: int = 0
    chairs: list[Chair] = field(default_factory=list)
    options: dict[str, str] = field(default_factory=dict)
    clock: dict[str, Any] = field(default_factory=dict)  # the policy of DESIGN 7
    public: bool = True
    seed: str | None = None  # hex; a secret of the server until the end
    draws: int = 0  # how many were made: the index of the next
    unopened: dict[int, int] = field(default_factory=dict)  # by seat: the version of the leaf it sealed last
    orders: dict[int, Filed] = field(default_factory=dict)  # by seat
    unfit: dict[int, tuple[int, Filed]] = field(default_factory=dict)  # by seat: orders dropped as such, and the event
    proposal: Proposal | None = None
    resigned: frozenset[str] = frozenset()  # players, by id, who resigned
    paused: bool = False  # nobody's time runs
    late: Seat | None = None  # whose answer it waits for, where it was stopped by a deadline
    result: Result | None = None
    game: Any = None  # the ruleset's state, from the start on

    def seat_of(self, player: str | None) -> Seat | None:
        """The seat a player sits on or has left to the caretaker, or None; nobody has none, though one be free."""
        if player is None:
            return None
        return next((seat for seat, chair in enumerate(self.chairs) if chair.player == player), None)

    def eyes_of(self, player: str | None) -> Seat | None:
        """Return the seat whose secrets a player may see. A player who has resigned sees what everybody sees."""
        seat = self.seat_of(player)
        gone = seat is not None and self.chairs[seat].vacant and player in self.resigned
        return None if gone else seat


def require_running(table: Table) -> None:
    """Refuse what needs a game under way. Raises RuleViolation."""
    require(table.status != "open", "not-started", "DESIGN-2", "The game has not started: seats are still free.")
    require(table.status == "running", "game-over", "DESIGN-2", "The game is over.")


def require_played(table: Table, seat: Seat) -> None:
    """Refuse what the former player of a vacant seat asks for; one who resigned cannot take it back.

    Raises RuleViolation.
    """
    chair = table.chairs[seat]
    gone = chair.vacant and chair.player in table.resigned
    require(not gone, "player-resigned", "DESIGN-8", "You resigned from this game: its seats are for others.")
    vacant = chair.vacant
    require(not vacant, "seat-vacant", "DESIGN-7", "The caretaker is playing for you: take your seat back first.")
