"""Dealing what a seat cannot know: the Permits in hands and below the deck, money and Influence of the others."""

from collections.abc import Iterator
from random import Random
from typing import Final

from domain.city_hall.rules.board import COUNTS
from domain.city_hall.rules.copying import copy
from domain.city_hall.rules.pieces import INDEX, PARK, PERMITS, Permit
from domain.city_hall.rules.position import must_return
from domain.city_hall.rules.setup import INFLUENCE, MONEY
from domain.city_hall.rules.state import Laid, State
from domain.engine.game import Seat

TRIES: Final = 30
"""Deals that are thrown away because somebody could not have that; then any is taken."""


def sample_hidden(blind: State, seat: Seat, rng: Random) -> State:
    """A whole state that the seat could be in."""
    state = copy(blind)
    if state.phase == "over":
        return state
    for number, player in enumerate(state.players):
        if player.money is None:
            player.money = _money(state, rng)
        if player.influence is None:
            player.influence = max(_influence(state, rng), _laid(state, number))
    _deal_permits(state, rng)
    return state


def _laid(state: State, seat: Seat) -> int:
    """What a seat holds at least: its bid lies on the table (CH-7.7)."""
    return max((amount or 0 for bidder, amount in state.bids if bidder == seat), default=0)


def _money(state: State, rng: Random) -> int:
    if state.round == 0:
        return MONEY + 5 * rng.randint(0, 3) * (state.step >= len(state.players))
    return max(0, round(rng.gauss(16 + 2 * min(state.round, 8), 12)))


def _influence(state: State, rng: Random) -> int:
    if state.round == 0:
        return INFLUENCE
    return max(0, round(rng.gauss(4, 2.5)))


def _deal_permits(state: State, rng: Random) -> None:
    """Deal the cards that nobody sees among the hands and the places below the deck that hide one."""
    pool = _pool(state)
    hands = [number for number, player in enumerate(state.players) if player.hand is None]
    places = [number for number, card in enumerate(state.bottom) if card.permit is None]
    if not pool:
        return
    for _ in range(TRIES):
        rng.shuffle(pool)
        if _fits(state, pool, hands, places):
            break
    cards = iter(pool)
    for place in places:
        state.bottom[place] = Laid(next(cards), state.bottom[place].by)
    for number in hands:
        hand = [0, 0, 0, 0]
        for _ in range(state.players[number].hand_count):
            hand[INDEX[next(cards)]] += 1
        state.players[number].hand = hand


def _pool(state: State) -> list[Permit]:
    """All Permits less those that are seen somewhere (CH-22.2)."""
    left = [COUNTS[permit] - state.unknown[INDEX[permit]] for permit in PERMITS]
    for space in state.lands.values():
        if space.permit is not None:
            left[INDEX[space.permit]] -= 1
    for permit in _seen(state):
        left[INDEX[permit]] -= 1
    for player in state.players:
        for index, count in enumerate(player.hand or ()):
            left[index] -= count
    return [permit for permit, count in zip(PERMITS, left, strict=True) for _ in range(count)]


def _seen(state: State) -> Iterator[Permit]:
    yield from state.revealed
    yield from (card.permit for card in state.bottom if card.permit is not None)


def _fits(state: State, pool: list[Permit], hands: list[int], places: list[int]) -> bool:
    """Whether this deal could be: nobody returned a Park, or what stands on the board (CH-5.1)."""
    if not must_return(state) or not sum(state.unknown):
        return True
    return all(pool[number] != PARK for number, place in enumerate(places) if place < len(state.players))
