"""Twins: two positions of a game that differ only in what one reader may not see, drawn by Hypothesis.

Each ruleset says in `Secrets` what is hidden in it. The laws in `test_twins.py` and the pictures use the same twins.
"""

from collections import defaultdict
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from random import Random
from typing import Any, NamedTuple

import msgspec
from hypothesis import strategies as st

from domain.city_hall import CITY_HALL
from domain.city_hall.rules.actions import Build, Zone
from domain.city_hall.rules.state import Laid
from domain.city_hall.rules.state import State as City
from domain.engine.choices import ask
from domain.engine.game import CHANCE, Action, Seat
from domain.engine.ruleset import Ruleset
from domain.tammany_hall import TAMMANY_HALL
from domain.tammany_hall.rules.actions import Bid
from domain.tammany_hall.rules.state import State as Hall
from tests.domain.city_hall import playouts as city_hall
from tests.domain.city_hall.words import PERMITS
from tests.domain.tammany_hall import playouts as tammany_hall

READERS = ("Ann", "Ben", "Cat", "Dan", "Eve")


class Twins(NamedTuple):
    """Two states that must look the same to `reader` (None: a spectator)."""

    one: Any
    other: Any
    reader: Seat | None


@dataclass(frozen=True)
class Secrets:
    """What players of one ruleset hide from each other."""

    rules: Ruleset[Any, Any, Any]
    playouts: Callable[[], Any]
    hide: Callable[[Any, Seat | None, Random], None]
    """Change everything in a state that the reader may not see."""
    vary: Callable[[Any, Seat, Action, Random], Action]
    """An action that others cannot tell from the one given; the same action if there is none."""
    lines: str
    """Orders in notation, legal and illegal, with semicolons between them."""


def hide_bids(state: Hall, reader: Seat | None, random: Random) -> None:
    """Give each rival another sealed bid (TH-14.1)."""
    for seat in state.bids:
        if seat != reader:
            before = state.bids[seat]
            while state.bids[seat] == before:
                state.bids[seat] = [random.randint(0, max(1, chips)) for chips in state.players[seat].chips]


def vary_bid(state: Hall, seat: Seat, action: Action, random: Random) -> Action:
    """Return another legal bid of the seat."""
    if not isinstance(action, Bid):
        return action
    return random.choice([it for it in TAMMANY_HALL.decider.legal_actions(state, seat).actions if isinstance(it, Bid)])


def hide_holdings(state: City, reader: Seat | None, random: Random) -> None:
    """Give rivals other money, Influence and Permits, and lay other cards below the deck (CH-14.3)."""
    bids = dict(state.bids)
    for seat, player in enumerate(state.players):
        if seat == reader:
            continue
        if state.options.get("holdings") != "open":
            player.money, player.influence = random.randint(0, 60), (bids.get(seat) or 0) + random.randint(0, 60)
        player.hand = [0, 0, 0, 0]
        for _ in range(player.hand_count):
            player.hand[random.randrange(4)] += 1
    state.bottom = [
        card if card.by in (None, reader) else Laid(random.choice(PERMITS), card.by) for card in state.bottom
    ]


def vary_permit(state: City, seat: Seat, action: Action, random: Random) -> Action:
    """Return the same action with another Permit returned, or another order below the deck (CH-14.4)."""
    if isinstance(action, Build) and action.returned is not None:
        legal = CITY_HALL.decider.legal_actions(state, seat).actions
        return random.choice([it for it in legal if (it.permit, it.land) == (action.permit, action.land)])
    return city_hall.spelled_out(random, state, action) if isinstance(action, Zone) else action


GAMES = (
    Secrets(
        TAMMANY_HALL, tammany_hall.playouts, hide_bids, vary_bid,
        "bid none; bid irish 1; bid english 2 german 1; bid ward 14 none; bid irish 99; place 1 1; place 12 1; end; "
        "slander red 1 irish; slander yellow 4 german then 5; bonus pass; bonus cube irish 1; bid greek 1",
    ),
    Secrets(
        CITY_HALL, city_hall.playouts, hide_holdings, vary_permit,
        "draft Q1; build housing Q1 return tower; build tower B2; activate tax; activate surveyor search Q1; bid 0; "
        "bid 9; bid 9999; pass; keep; accept red; accept blue; tax triple; campaign 30; buy Q1; buy none; "
        "lobby buy 9 sell 99; zone none; zone take park park; zone build park B2 tower B3; health plus3; zone take x",
    ),
)  # fmt: skip


@cache
def secret_positions(number: int) -> list[list[tuple[Any, Seat | None]]]:
    """Every position of the random games, with each reader from whom something is hidden in it.

    They are grouped by game, phase, and whether the reader is awaited or has bid: rare situations are drawn as often.
    """
    game, groups = GAMES[number], defaultdict(list)
    for place, played in enumerate(game.playouts()):
        for state in [step.before for step in played.steps if step.before.phase not in ("over", "setup")]:
            awaited = game.rules.decider.awaiting(state)
            for reader in (None, *range(played.players)):
                if disguise(game, state, reader, Random(0)) != state:
                    groups[place, state.phase, reader in awaited, reader in dict(state.bids)].append((state, reader))
    return list(groups.values())


@cache
def secret_actions(number: int) -> list[tuple[Any, Seat, Action]]:
    """Every action of the random games that has a variant which looks the same to the other players."""
    game = GAMES[number]
    return [
        (step.before, step.seat, step.action)
        for played in game.playouts()
        for step in played.steps
        if step.seat not in (None, CHANCE)
        if game.vary(step.before, step.seat, step.action, Random(0)) != step.action
    ]


def disguise(game: Secrets, state: Any, reader: Seat | None, random: Random) -> Any:
    """Return the state with everything changed that the reader may not see."""
    other = game.rules.decider.copy(state)
    game.hide(other, reader, random)
    return other


@st.composite
def positions(draw: st.DrawFn, number: int) -> Twins:
    """Draw a reached position, a reader, and the same position with other secrets."""
    state, reader = draw(st.sampled_from(draw(st.sampled_from(secret_positions(number)))))
    return Twins(state, disguise(GAMES[number], state, reader, Random(draw(st.integers(0, 999)))), reader)


def look(rules: Ruleset[Any, Any, Any], state: Any, reader: Seat | None) -> dict[str, Any]:
    """Return everything a reader can see of a position, and what a seat may do in it."""
    decider, presentation = rules.decider, rules.presentation
    view = decider.view(state, reader)
    names = READERS[: len(state.players)]
    seen = {
        "view": repr(view),
        "blind": msgspec.json.encode(decider.blind(state, reader)),
        "awaiting": decider.awaiting(state),
        "decision": decider.decision(state),
        "board": presentation.board(view),
        "asks": presentation.asks(view),
    }
    if reader is None:
        return seen
    return seen | {
        "legal actions": decider.legal_actions(state, reader),
        "guide": presentation.guide(state, reader),
        "choices": presentation.choices and ask(presentation.choices(state, reader, names)),
        "caretaker": decider.caretaker(state, reader) if reader in decider.awaiting(state) else None,
    }
