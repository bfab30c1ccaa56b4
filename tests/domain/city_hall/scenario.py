"""Positions in words, and the record of what is played in them.

    given(position(money={"ann": 12}, lands={"B1": "$15", "Q8": "$5"}), lands="M2")
        .takes("Ann", "surveyor")
        .refuses("Ann", "buy M2", "not-enough-money")
        .when("Ann", "buy B1")
        .see(money={"ann": 7}, available={"Q8": 10, "M2": 5}, active="ben")

Records never change: `when` returns a new one, so a position can be played on in several ways.
"""

import copy
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import pytest

from domain.city_hall import CITY_HALL
from domain.city_hall.rules.state import Player, Space, State
from domain.city_hall.rules.view import document
from domain.engine.game import CHANCE, Action, Event
from domain.engine.refusals import OrderNotUnderstood, RuleViolation
from tests.domain.city_hall.dice import Dice
from tests.domain.city_hall.words import (
    ACTIVATIONS,
    COUNTS,
    NAMES,
    PERMITS,
    SPACES,
    STAR_START,
    by_seat,
    compared,
    in_deck,
    space,
    star_value,
    table,
)

__all__ = ["Dice", "Record", "given", "opened", "position"]


def position(
    players: int = 3,
    phase: str = "activate",
    *,
    names: Sequence[str] = NAMES,
    order: str = "",
    used: str = "",
    final: bool = False,
    lands: Mapping[str, str] | None = None,
    deck: str | None = None,
    permits: str | None = None,
    hands: Mapping[str, str] | None = None,
    money: Any = 10,
    influence: Any = 3,
    approval: Any = 1,
    population: Any = 1,
    star: int | None = None,
    offices: Mapping[str, int] | None = None,
    deputy: str | None = None,
    **options: str,
) -> State:
    """The position CH-21 describes, except for what is said; variants as `health_ties="next-only"`.

    `used` are the Offices activated in this round, in that order; who comes next must act. What `lands` leaves out
    lies in the deck, or belongs to the first player where `deck` says what lies there. `permits` are those of the
    deck, in no known order; by default what is nowhere else.
    """
    names = names[:players]
    state = CITY_HALL.decider.initial(players, {name.replace("_", "-"): value for name, value in options.items()})
    state = CITY_HALL.decider.fold(state, CITY_HALL.decider.proceed(state))
    places = dict.fromkeys(SPACES, "deck") | dict(lands or {})
    if deck is not None:
        places |= {where: f"{names[0]}" for where in SPACES if where not in (lands or {}) and where not in deck.split()}
    board = {where: space(text, names) for where, text in places.items()}
    built = {where: it["permit"] for where, it in board.items() if it["permit"]}
    for where, it in board.items():
        state.lands[where] = Space(**it, stars=star_value(where, built))
    held = dict.fromkeys(names, "housing tower factory" if phase == "build" else "") | dict(hands or {})
    columns = [by_seat(money, names, 10), by_seat(influence, names, 3), by_seat(approval, names, 1)]
    rows = zip(*columns, by_seat(population, names, 1), strict=True)
    state.players = [
        Player(row[0], row[1], list(table(held[name]).values()), len(held[name].split()), row[2], row[3])
        for name, row in zip(names, rows, strict=True)
    ]
    out = table(" ".join([*held.values(), *built.values()]))
    state.unknown = [COUNTS[kind] - out[kind] if permits is None else permits.split().count(kind) for kind in PERMITS]
    assert min(state.unknown) >= 0, "more Permits than there are"
    state.turn_order = [names.index(name) for name in order.split()] or list(range(players))
    block = 2 if players == 2 else 1
    around = [seat for seat in state.turn_order for _ in range(block)] * 7
    state.star_token = star or STAR_START[players]
    state.phase = phase
    if phase == "build":
        state.step = players * (3 if players == 2 else 2)
        return state
    state.round, state.final = 1, final
    state.schedule = around[: 7 if final else ACTIVATIONS[players]]
    state.turn = len(used.split())
    for office, count in (offices or {}).items():
        state.offices[office].influence = count
    for office, seat in zip(used.split(), state.schedule, strict=False):
        state.offices[office].staffer = seat
    state.deputy = None if deputy is None else names.index(deputy)
    return state


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
