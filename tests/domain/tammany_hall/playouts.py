"""Whole games played at random, the same ones in every run, kept step by step."""

import random
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache

from domain.engine.game import CHANCE, Action, Event
from domain.tammany_hall import TAMMANY_HALL
from domain.tammany_hall.rules.state import State
from tests.domain.tammany_hall.scenario import Dice

VARIANTS: tuple[tuple[int, dict[str, str]], ...] = (
    (3, {}),
    (4, {}),
    (5, {}),
    (3, {"leader-zero": "all", "chip-supply": "25", "holdover-vp": "0"}),
    (4, {"lock-scope": "placement-only", "ward-bonus": "mandatory", "final-tie": "mayor-wins"}),
    (5, {"second-slander-presence": "not-required", "sealed-bid": "final", "end-zero": "all", "chip-supply": "25"}),
)


@dataclass(frozen=True)
class Step:
    """One thing that happened: who acted, None where the rules went on by themselves, and what it made true."""

    before: State
    seat: int | None
    action: Action | None
    facts: list[Event]
    after: State


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
        """Positions in which a seat must act, with each seat that must; one of so many."""
        asked = [step.before for step in self.steps if step.seat is not None and step.seat != CHANCE]
        for state in asked[::every]:
            for seat in sorted(TAMMANY_HALL.decider.awaiting(state)):
                yield state, seat


def playout(players: int, options: Mapping[str, str], seed: int) -> Playout:
    """Play a game: a kind of action at random, then one of that kind."""
    chooser, dice = random.Random(seed), Dice(seed=seed)
    state, steps = TAMMANY_HALL.decider.initial(players, options), []
    while True:
        seat: int | None = None
        action: Action | None = None
        facts = TAMMANY_HALL.decider.proceed(state)
        if not facts and not (awaited := sorted(TAMMANY_HALL.decider.awaiting(state))):
            return Playout(players, options, steps)
        if not facts and awaited == [CHANCE]:
            seat, action = CHANCE, TAMMANY_HALL.decider.chance(state, dice)
            dice.index += 1
        elif not facts:
            again = sorted(state.bids) if chooser.random() < 0.2 else []  # somebody thinks better of a bid
            seat = chooser.choice(again or awaited)
            legal = TAMMANY_HALL.decider.legal_actions(state, seat).actions
            if not legal:  # sealed-bid=final
                continue
            kind = chooser.choice(sorted({type(it).__name__ for it in legal}))
            action = chooser.choice([it for it in legal if type(it).__name__ == kind])
        if action is not None:
            facts = TAMMANY_HALL.decider.decide(state, seat, action)
        after = TAMMANY_HALL.decider.fold(state, facts)
        steps.append(Step(state, seat, action, facts, after))
        state = after


@cache
def playouts() -> tuple[Playout, ...]:
    """One game of each kind of VARIANTS."""
    return tuple(playout(players, options, seed) for seed, (players, options) in enumerate(VARIANTS))
