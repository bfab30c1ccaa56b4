"""Pennies with guidance: a game small enough for a search to see to its end."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from random import Random

import pytest

from domain.engine.bidding import Bidding
from domain.engine.game import Seat
from domain.engine.guidance import Guidance, Move
from domain.engine.sentences import say
from domain.history.codec import history
from domain.rulesets import RULESETS
from domain.search.strengths import Effort
from domain.table.evolve import Rules
from tests.domain.table import pennies as p

EFFORT = Effort(simulations=40, width=4, horizons=9)


def sample_hidden(blind: p.State, seat: Seat, rng: Random) -> p.State:
    state = p.copy(blind)
    state.hands = {one: rng.randrange(4) if hand is None else hand for one, hand in blind.hands.items()}
    state.notes = {one: note or "" for one, note in blind.notes.items()}
    return state


def candidates(state: p.State, seat: Seat, rng: Random, most: int) -> list[Move[p.Action]]:
    return [(p.Hide(pennies),) for pennies in range(4)] if state.phase == "hide" else [(p.Take(),), (p.Nod(), p.Take())]


GUIDED: Rules = replace(
    p.PENNIES,
    guidance=Guidance(
        sample_hidden=sample_hidden,
        candidates=candidates,
        quick_move=lambda state, seat, rng: rng.choice(candidates(state, seat, rng, 4)),
        features=lambda state: [
            [(score + (seat == state.caller) * state.pot) / 5] for seat, score in enumerate(state.scores)
        ],
        names=["pennies"],
        weights={"1": [1.0]},
        stage=lambda state: "1",
        horizon=lambda state: 1,
        sealed=lambda state: state.phase == "hide",
        leans=lambda before, after, seat, temper: 0.0,
        reason=lambda state, seat, move: say("{count} pennies are enough.", count=getattr(move[0], "pennies", 0)),
    ),
    bidding=Bidding(
        winner=lambda event: event.caller,
        prize=lambda event: say("the pot"),
        price=lambda action: action.pennies,
    ),
)


@contextmanager
def guided_pennies() -> Iterator[None]:
    """Within the block, Pennies can be thought about."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(RULESETS, GUIDED.kind, GUIDED)  # type: ignore[arg-type]
        history.cache_clear()
        yield
    history.cache_clear()
