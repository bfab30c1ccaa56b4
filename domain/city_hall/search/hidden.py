"""Dealing what a seat cannot know: money and Influence of the others, their hands, and cards below the deck (CH-14.3).

A state remembers no history, so amounts come from what players had in games that bots played, by round; where the
rules alone fix them, in the opening, they are exact.
"""

from random import Random
from typing import Final

from domain.city_hall.rules.copying import copy
from domain.city_hall.rules.position import picks
from domain.city_hall.rules.setup import EXTRA, INFLUENCE, MONEY
from domain.city_hall.rules.state import State
from domain.city_hall.search.dealing import deal_permits
from domain.engine.game import Seat

LAID: Final = 10
"""Dollars that each pick of the draft lays on the two other spaces (CH-4.4)."""
COIN: Final = 5
MONEY_SPREAD: Final = 0.65
INFLUENCE_SPREAD: Final = 0.4
"""Of a mean, how far amounts lie from it."""
GROWTH: Final = {2: 0.8, 3: 1.2, 4: 1.2}
"""By how much the Influence of a player grows in a round, by players."""


def sample_hidden(blind: State, seat: Seat, rng: Random) -> State:
    """A whole state that the seat could be in: nothing it sees is changed."""
    state = copy(blind)
    if state.phase == "over" or state.board is None:
        return state
    _deal_money(state, rng)
    for number, player in enumerate(state.players):
        if player.influence is None:
            player.influence = _influence(state, number, rng)
    deal_permits(state, rng)
    return state


def opening(state: State) -> bool:
    """Whether nobody has paid or earned anything since the draft."""
    return state.round == 0 or (state.round == 1 and state.turn == 0)


def typical_money(state: State) -> float:
    """What a player has on average."""
    return 17 + max(0, state.round - 6)


def typical_influence(state: State) -> float:
    """What a player has on average."""
    return INFLUENCE + GROWTH[len(state.players)] * max(0, state.round - 1)


def _deal_money(state: State, rng: Random) -> None:
    secret = [number for number, player in enumerate(state.players) if player.money is None]
    if secret and opening(state):
        _deal_drafted(state, secret, rng)
    for number in secret:
        if state.players[number].money is None:
            state.players[number].money = round(_around(typical_money(state), MONEY_SPREAD, rng))


def _deal_drafted(state: State, secret: list[Seat], rng: Random) -> None:
    """All that was laid in the draft and lies there no more was taken by somebody who picked (CH-4.3, CH-4.4)."""
    done, seats = min(state.step, picks(state)), len(state.players)
    taken = LAID * done - sum(space.money for space in state.lands.values())
    taken -= sum(player.money - MONEY for player in state.players if player.money is not None)
    for number in secret:
        state.players[number].money = MONEY
    turns = [state.turn_order[pick % seats] for pick in range(done)]
    picked = [number for number in turns if number in secret]
    for _ in range(taken // COIN if picked else 0):
        player = state.players[rng.choice(picked)]
        player.money = (player.money or 0) + COIN


def _influence(state: State, seat: Seat, rng: Random) -> int:
    """At least the own bid on the table (CH-7.6, CH-7.7)."""
    if opening(state) and (state.phase != "resolve"):
        return INFLUENCE + EXTRA * (seat == state.turn_order[-1] if state.turn_order else 0)
    laid = max((amount or 0 for bidder, amount in state.bids if bidder == seat), default=0)
    return max(laid, round(_around(typical_influence(state), INFLUENCE_SPREAD, rng)))


def _around(mean: float, spread: float, rng: Random) -> float:
    """A positive amount, by a gamma distribution."""
    return rng.gammavariate(1 / spread**2, mean * spread**2)
