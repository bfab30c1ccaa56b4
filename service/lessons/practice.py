"""A table for practice: the real rules and nobody's clock. It lies in no database; playing on makes another one."""

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from random import Random
from typing import Any, Final

import msgspec

from domain.engine.draws import Dice, draw_key
from domain.engine.game import CHANCE, Action, Event, Seat
from domain.engine.refusals import OrderNotUnderstood
from domain.engine.sentences import say
from domain.table.evolve import Rules
from domain.table.play import play
from domain.table.record import Fact, Record, seat_actor
from domain.table.state import Chair, Table
from domain.table.undo import Past
from service.accounts.names import handles

EMPTY: Final = say("The draft is empty: choose what to do, or write it.")
LEARNER: Final = "learner"
"""The player at every seat: nobody is kept."""
MOST_PLAYS: Final = 400
"""By others in a row; reaching it is a bug, not a state of a game."""
Draws = Mapping[str, Sequence[Any]]


@dataclass(frozen=True, slots=True)
class Practice:
    """A game under way, with all that has happened since it was set up."""

    rules: Rules
    names: Sequence[str]
    """What to call each seat, in sentences."""
    table: Table
    """Nobody changes it."""
    draws: Draws
    """How the next draws come out, by label; the others are made as ever."""
    past: tuple[Past, ...] = ()

    @property
    def version(self) -> int:
        """The number of the last event."""
        return self.table.version

    @property
    def awaited(self) -> frozenset[Seat]:
        """Who must act."""
        return self.rules.decider.awaiting(self.table.game)

    @property
    def decision(self) -> str:
        """What they are asked."""
        return self.rules.decider.decision(self.table.game)

    @property
    def typed_names(self) -> list[str]:
        """What to type for each seat."""
        return handles(list(self.names), self.rules)

    def view(self, seat: Seat | None) -> dict[str, Any]:
        """What a seat may see."""
        decider = self.rules.decider
        return decider.view(decider.blind(self.table.game, seat), seat)

    def actions(self, lines: Sequence[str]) -> list[Action]:
        """Lines of the notation as actions. Raises OrderNotUnderstood."""
        names = self.typed_names
        found = [action for line in lines for action in self.rules.notation.parse(line, names)]
        if not found:
            raise OrderNotUnderstood("bad-syntax", "DESIGN-8", "", EMPTY)
        return found

    def played(self, seat: Seat, actions: Sequence[Action]) -> "Practice":
        """The table after these actions of a seat, and all that follows by rule and by chance.

        Raises RuleViolation for the first that the rules forbid.
        """
        record = Record(self.table, self.rules)
        play(record, seat, actions)
        return self._settled(record, seat)

    def quickly_played(self, seat: Seat) -> "Practice":
        """The table after a sensible move of a seat, found at once from what it sees, always the same one."""
        rng = Random(f"{self.rules.kind} {seat} {self.version}")  # noqa: S311
        decider, guidance = self.rules.decider, self.rules.guidance
        blind = decider.blind(self.table.game, seat)
        if guidance is None:
            return self.played(seat, [decider.caretaker(blind, seat)])
        return self.played(seat, guidance.quick_move(guidance.sample_hidden(blind, seat, rng), seat, rng))

    def _settled(self, record: Record, seat: Seat) -> "Practice":
        """What has followed by rule and chance, until somebody must act or the game is over."""
        decider, draws = self.rules.decider, {label: list(results) for label, results in self.draws.items()}
        for _ in range(MOST_PLAYS):
            if facts := decider.proceed(record.table.game):
                record.add(seat_actor(seat), *facts)
            elif CHANCE in decider.awaiting(record.table.game):
                _draw(record, draws)
            else:
                past = (*self.past, *_history(record.facts, self.version))
                return replace(self, table=record.table, draws=draws, past=past)
        raise AssertionError(f"{self.rules.kind} does not come to rest")


def practice(rules: Rules, game: Any, names: Sequence[str], *, seed: str = "", draws: Draws | None = None) -> Practice:
    """A table at this state of a game, played on by rule and by chance until somebody must act."""
    chairs = [Chair(LEARNER, nonce=f"practice-{seat}") for seat in range(len(names))]
    secret = hashlib.sha256(seed.encode()).hexdigest()
    table = Table(rules.kind, LEARNER, "running", 0, chairs, seed=secret, game=game)
    fresh = Practice(rules, names, table, draws or {})
    return fresh._settled(Record(table, rules), 0)


def fits(view: Mapping[str, Any], wanted: Mapping[str, Any]) -> bool:
    """Whether a view has these values."""
    return all(view.get(field) == value for field, value in wanted.items())


def _draw(record: Record, draws: dict[str, list[Any]]) -> None:
    """Draw what the game waits for: as it is told to come out, else as the seed has it."""
    table, decider = record.table, record.rules.decider
    key = draw_key(bytes.fromhex(table.seed or ""), [chair.nonce for chair in table.chairs])
    action = decider.chance(table.game, Dice(key, table.draws))
    told = draws.get(action.draw.label)
    if told:
        action = msgspec.structs.replace(action, result=told.pop(0))
    record.add({"chance": table.draws}, *decider.decide(table.game, CHANCE, action))


def _history(facts: Sequence[Fact], after: int) -> list[Past]:
    """The facts of one move as a history has them."""
    return [
        Past(version, fact.actor, f"{after}", fact.event, bool(fact.text))
        for version, fact in enumerate(facts, after + 1)
    ]


def own_facts(history: Sequence[Past], seat: Seat) -> list[Event]:
    """What a seat's own orders made true."""
    return [entry.event for entry in history if entry.actor == seat_actor(seat)]
