"""A position: a game that can be played on, copied and asked, without a table, a history or a server.

position = Position.new("tammany-hall", seats=4, rng=Random(1))
while position.awaiting:
    position.push(position.sample_action(rng))
print(position.result())
"""

from collections.abc import Mapping
from random import Random
from typing import Any

from domain.engine.game import CHANCE, Action, Dice, Seat, View
from domain.engine.refusals import RuleViolation
from domain.engine.ruleset import Ruleset
from domain.engine.sentences import say
from domain.rulesets import ruleset
from domain.search.advance import RandomDice, make, settle


class Position:
    """One position of a game, as everybody together knows it, or as one `seat` does.

    `push` changes it; `copy` first where it is wanted again. What is drawn comes from `dice`.
    """

    def __init__(self, rules: Ruleset[Any, Any, Any], state: Any, dice: Dice, seat: Seat | None = None) -> None:
        self.rules = rules
        self.state = state
        self.dice = dice
        self.seat = seat
        """Whose knowledge this is; None where nothing is hidden."""
        if seat is None:
            settle(rules.decider, state, dice)

    @classmethod
    def new(cls, kind: str, seats: int, options: Mapping[str, str] | None = None, *, rng: Random) -> "Position":
        """The first position. Raises KeyError for an unknown kind, ValueError for such seats or variants."""
        rules = ruleset(kind)
        return cls(rules, rules.decider.initial(seats, options or {}), RandomDice(rng))

    @property
    def kind(self) -> str:
        """Which game: "tammany-hall"."""
        return self.rules.kind

    @property
    def awaiting(self) -> frozenset[Seat]:
        """The seats that may act now; more than one where answers are sealed; none when the game is over."""
        return self.rules.decider.awaiting(self.state) - {CHANCE}

    def copy(self) -> "Position":
        """Another one that shares nothing with it but its dice."""
        return Position._of(self.rules, self.rules.decider.copy(self.state), self.dice, self.seat)

    def legal(self, seat: Seat | None = None) -> list[Action]:
        """What a seat (the first awaited one) may do; a sample where there is too much of it to be listed.

        A seat that is not awaited may have something to do, too: replace its sealed bid.
        """
        seat = self._whose(seat)
        return list(self.rules.decider.legal_actions(self._known(seat), seat).actions)

    def sample_action(self, rng: Random, seat: Seat | None = None) -> Action:
        """A legal action of an awaited seat by chance, found without listing all; every kind of action comes up."""
        seat = self._whose(seat)
        if seat not in self.awaiting:
            raise _not_asked()
        action: Action = self.rules.decider.sample(self._known(seat), seat, rng)
        return action

    def push(self, action: Action | str, seat: Seat | None = None) -> None:
        """Play an action, or lines of the notation, of a seat (the first awaited one), and what follows them.

        Raises RuleViolation or OrderNotUnderstood, and changes nothing then: of several lines, all or none are played.
        ValueError for a position with hidden parts: deal them first, with `sample_hidden`.
        """
        if self.seat is not None:
            raise ValueError("what one seat knows cannot be played on: ask sample_hidden() for a whole position")
        seat, decider = self._whose(seat), self.rules.decider
        orders = self.parse(action) if isinstance(action, str) else [action]
        state = self.state if len(orders) == 1 else decider.copy(self.state)
        make(decider, state, seat, tuple(orders), self.dice)
        self.state = state

    def blind(self, seat: Seat) -> "Position":
        """The same, as one seat knows it."""
        return Position._of(self.rules, self.rules.decider.blind(self.state, seat), self.dice, seat)

    def sample_hidden(self, rng: Random) -> "Position":
        """A whole position that the seat could be in: all it cannot know dealt by chance, with draws of their own.

        Raises LookupError for a game that nobody has told how."""
        if self.seat is None:
            return self.copy()
        guidance = self.rules.guidance
        if guidance is None:
            raise LookupError(f"{self.kind} has no guidance: nobody knows how to deal what is hidden in it")
        return Position(self.rules, guidance.sample_hidden(self.state, self.seat, rng), RandomDice(rng))

    def result(self) -> dict[str, Any] | None:
        """{"winners": [seats], "scores": [by seat]} once the game is over."""
        return self.rules.decider.result(self.state)

    def view(self, seat: Seat | None = None) -> View:
        """What a seat (None: anybody) may see, as a JSON document."""
        return self.rules.decider.view(self.state, seat)

    def write(self, action: Action) -> str:
        """An action as a line of the notation."""
        return self.rules.notation.write(action)

    def parse(self, text: str) -> list[Action]:
        """The actions of a text, one a line, seats by their pawns. Raises OrderNotUnderstood."""
        return self.rules.notation.parse(text, self.rules.notation.pawns[: self.seats])

    @property
    def seats(self) -> int:
        """How many play."""
        return len(self.state.players)

    @classmethod
    def _of(cls, rules: Ruleset[Any, Any, Any], state: Any, dice: Dice, seat: Seat | None) -> "Position":
        made = cls.__new__(cls)
        made.rules, made.state, made.dice, made.seat = rules, state, dice, seat
        return made

    def _known(self, seat: Seat) -> Any:
        return self.rules.decider.blind(self.state, seat) if self.seat is None else self.state

    def _whose(self, seat: Seat | None) -> Seat:
        """Whom a question is about. Raises ValueError for a seat that this position knows nothing of."""
        if seat is None and self.seat is None and not self.awaiting:
            raise _not_asked()
        if seat is None:
            return min(self.awaiting) if self.seat is None else self.seat
        if self.seat not in (None, seat):
            raise ValueError(f"this is what seat {self.seat} knows: nobody can tell from it what seat {seat} may do")
        if seat not in range(self.seats):
            raise ValueError(f"there is no seat {seat}: they are numbered from 0 to {self.seats - 1}")
        return seat


def _not_asked() -> RuleViolation:
    return RuleViolation("not-your-turn", "DESIGN-2", say("Nobody asks this seat anything now."))
