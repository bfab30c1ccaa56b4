"""Positions in words, and the record of what is played in them.

    given(position(money={"ann": 12}, lands={"B1": "$15", "Q8": "$5"}), lands="M2")
        .takes("Ann", "surveyor")
        .refuses("Ann", "buy M2", "not-enough-money")
        .when("Ann", "buy B1")
        .see(money={"ann": 7}, available={"Q8": 10, "M2": 5}, active="ben")

Records never change: `when` returns a new one, so a position can be played on in several ways.
"""

import copy
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import pytest

from domain.city_hall import CITY_HALL
from domain.city_hall.lessons.position import position
from domain.city_hall.rules.state import State
from domain.city_hall.rules.view import document
from domain.engine.game import CHANCE, Action, Event
from domain.engine.refusals import OrderNotUnderstood, RuleViolation
from tests.domain.city_hall.dice import Dice
from tests.domain.city_hall.words import NAMES, compared, in_deck

__all__ = ["Dice", "Record", "given", "opened", "position"]


def opened(
    players: int, *, seed: int = 0, order: str = "", lands: str = "", permits: str = "", **options: str
) -> "Record":
    """A new game at its first decision; the turn order is that of the seats unless another is told."""
    seats = [NAMES.index(name) for name in order.split()] or list(range(players))
    dice = Dice(lands.split(), permits.split(), seats, seed)
    chosen = {name.replace("_", "-"): value for name, value in options.items()}
    return Record(CITY_HALL.decider.initial(players, chosen), dice, NAMES[:players]).playing([])


def given(state: State, names: Sequence[str] = NAMES, *, lands: str = "", permits: str = "", seed: int = 0) -> "Record":
    """A position, played on by itself until somebody must act; `lands` and `permits` are drawn next."""
    dice = Dice(lands.split(), permits.split(), seed=seed)
    return Record(CITY_HALL.decider.copy(state), dice, names[: len(state.players)]).playing([])


@dataclass(frozen=True)
class Record:
    """A game as it was played up to here: the state, and the facts recorded since `given` and by the last line."""

    state: State
    dice: Dice
    names: Sequence[str] = NAMES
    facts: tuple[Event, ...] = ()
    last: tuple[Event, ...] = ()

    @property
    def document(self) -> dict[str, Any]:
        """The whole position, nothing hidden."""
        return document(self.state)

    def view(self, name: str | None = None) -> dict[str, Any]:
        """What a player sees, or a spectator."""
        return CITY_HALL.decider.view(self.state, None if name is None else self.seat(name))

    def seat(self, name: str) -> int:
        return self.names.index(name.lower())

    def draws(self, *, lands: str = "", permits: str = "") -> "Record":
        """Say how draws to come will come out."""
        rigged = replace(copy.deepcopy(self.dice), lands=lands.split(), permits=permits.split())
        return replace(self, dice=rigged)

    def when(self, name: str, *lines: str | Action) -> "Record":
        """The player sends lines, and after each the game goes on by itself until somebody must act again."""
        record = self
        for line in lines:
            record = record.playing(record.decided(name, line))
        return record

    def takes(self, name: str, office: str, *lines: str) -> "Record":
        """The player activates an Office ("surveyor", "surveyor search B5"), all pass; then lines of the action."""
        record = self.when(name, f"activate {office}")
        while record.document["phase"] == "bid":
            record = record.when(record.names[record.document["active"][0]], "pass")
        return record.when(name, *lines)

    def idle(self, until: int, name: str = "") -> "Record":
        """Caretakers play for everybody until this player, or whoever is first, must activate in round `until`."""
        record = self
        while (seen := record.document)["phase"] != "over":
            (seat,) = seen["active"]
            if (seen["round"], seen["phase"]) == (until, "activate") and name.lower() in ("", record.names[seat]):
                break
            record = record.when(record.names[seat], CITY_HALL.decider.caretaker(record.state, seat))
        return record

    def idle_turn(self) -> "Record":
        """Caretakers complete what the Office in process still asks for."""
        record = self
        while (seen := record.document)["phase"] in ("bid", "decide", "resolve"):
            (seat,) = seen["active"]
            record = record.when(record.names[seat], CITY_HALL.decider.caretaker(record.state, seat))
        return record

    def decided(self, name: str, line: str | Action) -> list[Event]:
        """The facts of one line, or its refusal."""
        (order,) = [line] if isinstance(line, Action) else CITY_HALL.notation.parse(line, self.names)
        return CITY_HALL.decider.decide(self.state, self.seat(name), order)

    def playing(self, facts: list[Event]) -> "Record":
        """The record after these facts and all that follows by rule and by chance."""
        untouched, dice, told = copy.deepcopy(self.state), copy.deepcopy(self.dice), list(facts)
        state = CITY_HALL.decider.fold(self.state, facts)
        while True:
            facts = CITY_HALL.decider.proceed(state)
            if not facts and CHANCE not in CITY_HALL.decider.awaiting(state):
                break
            if not facts:
                dice.deck = in_deck(CITY_HALL.decider.view(state, None))
                facts = CITY_HALL.decider.decide(state, CHANCE, CITY_HALL.decider.chance(state, dice))
                dice.index += 1
            state = CITY_HALL.decider.fold(state, facts)
            told += facts
        assert self.state == untouched, "a state was changed that others see"
        return Record(state, dice, self.names, (*self.facts, *told), tuple(told))

    def refused(self, name: str, line: str | Action, code: str) -> "Record":
        """The line is refused for this reason, and nothing has changed (CH-1.1)."""
        before = copy.deepcopy(self.state)
        with pytest.raises((RuleViolation, OrderNotUnderstood)) as refused:
            self.decided(name, line)
        assert refused.value.code == code, f"{line}: {refused.value.code}: {refused.value.message}"
        assert self.state == before, "a refused line changed something"
        return self

    def legal(self, name: str) -> list[str]:
        """What the player may do, as lines; a player to accept is a pawn."""
        offer = CITY_HALL.decider.legal_actions(self.state, self.seat(name))
        return sorted(CITY_HALL.notation.write(action) for action in offer.actions)

    def offers(self, name: str, *lines: str) -> "Record":
        """These are the legal actions, and no others."""
        told = sorted(CITY_HALL.notation.write(*CITY_HALL.notation.parse(line, self.names)) for line in lines)
        assert self.legal(name) == told
        return self

    def see(self, **expected: Any) -> "Record":
        """What the whole document says, in words."""
        seen = self.document
        pairs = {name: compared(seen, self.names, name, value) for name, value in expected.items()}
        assert {name: it for name, (_, it) in pairs.items()} == {name: told for name, (told, _) in pairs.items()}
        return self
