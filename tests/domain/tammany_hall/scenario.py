"""Positions in words, and the record of what is played in them.

    given(position(year=5, turn="red", wards={8: "1 german | red 1 yellow 1"}, chips={"red": "1 german"}))
        .refuses("red", "slander yellow 8 irish", "colour-not-in-ward")
        .when("red", "slander yellow 8 german", "place 3 14", "end")
        .see(wards={8: "1 german | red 1"}, active="yellow")

Records never change: `when` returns a new one, so a position can be played on in several ways.
"""

import copy
import random
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import pytest

from domain.engine.game import CHANCE, Action, Event
from domain.engine.refusals import OrderNotUnderstood, RuleViolation
from domain.tammany_hall import TAMMANY_HALL
from domain.tammany_hall.lessons.position import position
from domain.tammany_hall.rules.state import State
from tests.domain.tammany_hall.words import DEAL_A, PAWNS, compared

__all__ = ["DEAL_A", "Dice", "Record", "given", "position"]


@dataclass
class Dice:
    """Draws that come out as `script` says, by label, and else as the seed has it. Keeps what it was asked for."""

    script: dict[str, list[str]] = field(default_factory=dict)
    seed: int = 0
    index: int = 0
    asked: list[tuple[Any, ...]] = field(default_factory=list)

    def below(self, label: str, n: int) -> int:
        self.asked.append((label, n))
        if self.script.get(label):
            return PAWNS.index(self.script[label].pop(0))
        return random.Random(f"{self.seed} {label} {self.index}").randrange(n)

    def sample(self, label: str, items: Sequence[Any], k: int) -> list[Any]:
        self.asked.append((label, list(items), k))
        if not self.script.get(label):
            return random.Random(f"{self.seed} {label} {self.index}").sample(list(items), k)
        words = self.script[label].pop(0).split()
        if words[0].isdigit():
            words = [word for n, word in zip(words[::2], words[1::2], strict=True) for _ in range(int(n))]
        assert len(words) == k, f"{label}: {k} are drawn, not {words}"
        assert all(words.count(word) <= list(items).count(word) for word in words), f"{label}: {words} of {items}"
        return words


@dataclass(frozen=True)
class Record:
    """A game as it was played up to here: the state, and the facts recorded since `given` and by the last line."""

    state: State
    dice: Dice
    facts: tuple[Event, ...] = ()
    last: tuple[Event, ...] = ()

    @property
    def view(self) -> dict[str, Any]:
        """What a spectator sees."""
        return TAMMANY_HALL.decider.view(self.state, None)

    def draws(self, **script: str) -> "Record":
        """Say how draws to come will come out, by label: `garden="2 irish 3 german"`, `zone_2="irish german ..."`."""
        rigged = copy.deepcopy(self.dice)
        for label, result in script.items():
            rigged.script.setdefault(label.replace("_", "-"), []).append(result)
        return replace(self, dice=rigged)

    def when(self, pawn: str, *lines: str | Action) -> "Record":
        """The player sends lines, and after each the game goes on by itself until somebody must act again."""
        record = self
        for line in lines:
            record = record.playing(record.decided(pawn, line))
        return record

    def idle(self, year: int, pawn: str = "") -> "Record":
        """Caretakers play for everybody until it is this player's turn in this year, or that year's first turn."""
        record = self
        while record.view["phase"] != "over":
            (seat, *_) = record.view["active"]
            if (record.view["year"], record.view["phase"]) == (year, "turn") and pawn in ("", PAWNS[seat]):
                break
            record = record.when(PAWNS[seat], TAMMANY_HALL.decider.caretaker(record.state, seat))
        return record

    def decided(self, pawn: str, line: str | Action) -> list[Event]:
        """The facts of one line, or its refusal."""
        names = PAWNS[: len(self.state.players)]
        (order,) = [line] if isinstance(line, Action) else TAMMANY_HALL.notation.parse(line, names)
        return TAMMANY_HALL.decider.decide(self.state, PAWNS.index(pawn), order)

    def playing(self, facts: list[Event]) -> "Record":
        """The record after these facts and all that follows by rule and by chance."""
        untouched, dice, told = copy.deepcopy(self.state), copy.deepcopy(self.dice), list(facts)
        state = TAMMANY_HALL.decider.fold(self.state, facts)
        while True:
            facts = TAMMANY_HALL.decider.proceed(state)
            if not facts and CHANCE not in TAMMANY_HALL.decider.awaiting(state):
                break
            if not facts:
                facts = TAMMANY_HALL.decider.decide(state, CHANCE, TAMMANY_HALL.decider.chance(state, dice))
                dice.index += 1
            state = TAMMANY_HALL.decider.fold(state, facts)
            told += facts
        assert self.state == untouched, "a state was changed that others see"
        return Record(state, dice, (*self.facts, *told), tuple(told))

    def refused(self, pawn: str, line: str | Action, code: str) -> "Record":
        """The line is refused for this reason, and nothing has changed (TH-1.1)."""
        before = copy.deepcopy(self.state)
        with pytest.raises((RuleViolation, OrderNotUnderstood)) as refused:
            self.decided(pawn, line)
        assert refused.value.code == code, f"{line}: {refused.value.code}: {refused.value.message}"
        assert self.state == before, "a refused line changed something"
        return self

    def then(self, *facts: Event) -> "Record":
        """The last line recorded these facts, before anything else."""
        assert self.last[: len(facts)] == facts
        return self

    def see(self, **expected: Any) -> "Record":
        """What the public summary says, in words; of `bag` and `supply` only the colours named."""
        pairs = {name: compared(self.view, name, value) for name, value in expected.items()}
        assert {name: seen for name, (_, seen) in pairs.items()} == {name: told for name, (told, _) in pairs.items()}
        return self


def given(state: State, *, seed: int = 0, **draws: str) -> Record:
    """A position, played on by itself until somebody must act; `draws` as for `Record.draws`."""
    return Record(TAMMANY_HALL.decider.copy(state), Dice(seed=seed)).draws(**draws).playing([])
