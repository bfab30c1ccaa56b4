"""Whole games played at random by players who build and campaign, the same ones in every run, kept step by step."""

import random
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import Any

import msgspec

from domain.city_hall import CITY_HALL
from domain.city_hall.rules.actions import Lobby, Zone
from domain.city_hall.rules.state import State
from domain.engine.game import CHANCE, Action, Event
from tests.domain.city_hall.scenario import Dice

VARIANTS: tuple[tuple[int, dict[str, str]], ...] = (
    (2, {}),
    (3, {}),
    (4, {}),
    (2, {"zero-bid": "refused", "holdings": "open", "zoning-build": "one-or-two"}),
    (3, {"health-ties": "next-only", "health-bonus": "mandatory", "campaign": "optional"}),
    (
        4,
        {
            "zero-stars": "ignored",
            "park-approval": "next-rating",
            "health-ties": "next-only",
            "zoning-build": "one-or-two",
        },
    ),
)
PATIENCE = 8
"""The round from which everybody campaigns and builds, so that the game ends."""


@dataclass(frozen=True)
class Step:
    """One thing that happened: who acted, None where the rules went on by themselves, and what it made true."""

    before: State
    seat: int | None
    action: Action | None
    facts: list[Event]
    after: State


@dataclass(frozen=True)
class Move:
    """A player's action, with all that followed up to the next decision."""

    before: State
    seat: int
    action: Any
    facts: list[Event] = field(default_factory=list)
    after: State | None = None


@dataclass(frozen=True)
class Playout:
    """A whole game."""

    players: int
    options: Mapping[str, str]
    steps: list[Step]

    @property
    def start(self) -> State:
        return self.steps[0].before

    @property
    def end(self) -> State:
        return self.steps[-1].after

    @property
    def facts(self) -> list[Event]:
        return [fact for step in self.steps for fact in step.facts]

    def decisions(self, every: int = 1) -> Iterator[tuple[State, int]]:
        """Positions in which a seat must act, with that seat; one of so many."""
        asked = [(step.before, step.seat) for step in self.steps if step.seat is not None and step.seat != CHANCE]
        yield from asked[::every]

    def moves(self) -> Iterator[Move]:
        """Every action of a player, with all that followed."""
        move: Move | None = None
        for step in self.steps:
            if step.seat is not None and step.seat != CHANCE:
                if move is not None:
                    yield move
                move = Move(step.before, step.seat, step.action, list(step.facts), step.after)
            elif move is not None:
                move = Move(move.before, move.seat, move.action, move.facts + step.facts, step.after)
        if move is not None:
            yield move


def choose(chooser: random.Random, state: State, seat: int) -> Action:
    """An action at random; more and more often one that brings the end nearer."""
    legal = CITY_HALL.decider.legal_actions(state, seat).actions
    if state.phase == "activate":
        eager = [it for it in legal if it.office in ("zoning", "campaign")]
        if eager and chooser.random() < (0.95 if state.round >= PATIENCE else 0.4):
            legal = eager
        plain = [it for it in legal if it.search is None]
        legal = plain if plain and chooser.random() < 0.7 else legal
    if state.phase == "bid" and chooser.random() < 0.5:
        legal = [it for it in legal if CITY_HALL.notation.write(it) == "pass"] or legal
    if state.phase == "bid":
        legal = legal[:3] + legal[-1:]
    if state.phase == "resolve" and state.office == "campaign" and state.round >= PATIENCE:
        legal = [max(legal, key=lambda it: (it.pay != "none", it.pay if it.pay != "none" else 0))]
    if state.phase == "resolve" and state.office == "zoning" and state.round >= PATIENCE:
        legal = [it for it in legal if it.build] or legal
    if state.phase == "resolve" and state.office == "zoning":
        shape = chooser.choice(sorted({(len(it.take), len(it.build)) for it in legal}))
        legal = [it for it in legal if (len(it.take), len(it.build)) == shape]
    action = chooser.choice(legal)
    if isinstance(action, Zone) and chooser.random() < 0.5:
        return spelled_out(chooser, state, action)
    if isinstance(action, Lobby) and chooser.random() < 0.5:
        return Lobby([{"sell": 1}, {"buy": 1}]) if state.players[seat].money >= 3 else action
    return action


def spelled_out(chooser: random.Random, state: State, action: Zone) -> Zone:
    """The same choice with an order at random for what goes below the deck."""
    rest = state.revealed.copy()
    for permit in action.take:
        rest.remove(permit)
    chooser.shuffle(rest)
    return msgspec.structs.replace(action, under=rest or None)


def playout(players: int, options: Mapping[str, str], seed: int) -> Playout:
    """Play a game to its end."""
    chooser, dice = random.Random(seed), Dice(seed=seed)
    state, steps = CITY_HALL.decider.initial(players, options), []
    while len(steps) < 5000:
        seat: int | None = None
        action: Action | None = None
        facts = CITY_HALL.decider.proceed(state)
        if not facts and not (awaited := sorted(CITY_HALL.decider.awaiting(state))):
            return Playout(players, options, steps)
        if not facts:
            (seat,) = awaited
            action = CITY_HALL.decider.chance(state, dice) if seat == CHANCE else choose(chooser, state, seat)
            dice.index += seat == CHANCE
            facts = CITY_HALL.decider.decide(state, seat, action)
        after = CITY_HALL.decider.fold(state, facts)
        steps.append(Step(state, seat, action, facts, after))
        state = after
    raise AssertionError(f"the game does not end: {players} players, {options}, seed {seed}")


@cache
def playouts() -> tuple[Playout, ...]:
    """One game of each kind of VARIANTS."""
    return tuple(playout(players, options, seed) for seed, (players, options) in enumerate(VARIANTS))
