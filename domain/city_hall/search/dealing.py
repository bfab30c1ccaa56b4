"""Dealing the Permits that a seat does not see, so that everybody could hold them: all 28 are somewhere (CH-22.2).

Of the starting Housing, Tower and Factory nothing but one returned card ever leaves a player except onto the board
(CH-3.1, CH-5.1): with two players all three are in hand or built, with more the two that were not returned.
"""

from collections.abc import Iterator
from random import Random
from typing import Final

from domain.city_hall.rules.pieces import INDEX, PARK, PERMITS, Permit
from domain.city_hall.rules.position import board_of, must_return
from domain.city_hall.rules.state import Laid, State
from domain.engine.game import Seat

TRIES: Final = 20
"""Deals thrown away because they could not be; after those any deal of the right cards is taken."""
STARTING: Final[tuple[Permit, ...]] = ("housing", "tower", "factory")


class Deal:
    """A deal in the making: how many of each kind are left, and who has what of them."""

    def __init__(self, state: State, pool: list[int]) -> None:
        self.pool = pool.copy()
        self.hands: dict[Seat, list[Permit]] = {
            seat: [] for seat, player in enumerate(state.players) if player.hand is None
        }
        self.below: dict[int, Permit] = {}

    def takes(self, permit: Permit) -> bool:
        """Take a card out of the pool, if it has one."""
        if not self.pool[INDEX[permit]]:
            return False
        self.pool[INDEX[permit]] -= 1
        return True

    def rest(self, rng: Random) -> Iterator[Permit]:
        """The cards nobody has yet, shuffled."""
        cards = [permit for permit in PERMITS for _ in range(self.pool[INDEX[permit]])]
        rng.shuffle(cards)
        return iter(cards)


def deal_permits(state: State, rng: Random) -> None:
    """Fill the hands and the places below the deck that hide a card."""
    hidden = [place for place, card in enumerate(state.bottom) if card.permit is None]
    pool = _unseen(state)
    if not any(pool):
        for player in state.players:
            player.hand = [0, 0, 0, 0] if player.hand is None else player.hand
        return
    for attempt in range(TRIES + 1):
        deal = Deal(state, pool)
        careful = attempt < TRIES
        if careful and not all(_start(state, deal, seat, hidden, rng) for seat in deal.hands):
            continue
        _fill(state, deal, hidden, rng)
        if not careful or _could_be(state, deal, hidden):
            break
    for place, permit in deal.below.items():
        state.bottom[place] = Laid(permit, state.bottom[place].by)
    for seat, cards in deal.hands.items():
        state.players[seat].hand = [cards.count(permit) for permit in PERMITS]


def _unseen(state: State) -> list[int]:
    """All Permits by kind, less those that are seen somewhere."""
    board = board_of(state)
    left = [board.permits[permit].count - state.unknown[INDEX[permit]] for permit in PERMITS]
    seen = [*state.revealed, *(card.permit for card in state.bottom), *(space.permit for space in state.lands.values())]
    for permit in seen:
        if permit is not None:
            left[INDEX[permit]] -= 1
    for player in state.players:
        for index, count in enumerate(player.hand or ()):
            left[index] -= count
    return left


def _start(state: State, deal: Deal, seat: Seat, hidden: list[int], rng: Random) -> bool:
    """Give a seat what it must have kept of its starting Permits, and the deck what it returned of them."""
    built = {space.permit for space in state.lands.values() if space.owner == seat}
    returned = next((place for place in hidden if place in _returns(state) and state.bottom[place].by == seat), None)
    gone = None
    if must_return(state) and (returned is not None or state.round):
        gone = rng.choice(STARTING)
        if returned is not None:
            if not deal.takes(gone):
                return False
            deal.below[returned] = gone
    for permit in STARTING:
        if permit != gone and permit not in built:
            if not deal.takes(permit):
                return False
            deal.hands[seat].append(permit)
    return len(deal.hands[seat]) <= state.players[seat].hand_count


def _returns(state: State) -> range:
    """Where the returned Permits lie: highest below the part of unknown order, as long as that has any (CH-5.3)."""
    return range(len(state.players) if must_return(state) and any(state.unknown) else 0)


def _fill(state: State, deal: Deal, hidden: list[int], rng: Random) -> None:
    cards = deal.rest(rng)
    for place in hidden:
        if place not in deal.below:
            deal.below[place] = next(cards)
    for seat, hand in deal.hands.items():
        while len(hand) < state.players[seat].hand_count:
            hand.append(next(cards))


def _could_be(state: State, deal: Deal, hidden: list[int]) -> bool:
    """Whether nobody returned a Park, and cards that were laid in secret order are of more than one kind (CH-8.20)."""
    returns = _returns(state)
    if any(deal.below[place] == PARK for place in hidden if place in returns):
        return False
    later = [place for place in hidden if place not in returns]
    pairs = [places for places in _runs(state, later) if len(places) in (2, 3)]
    return all(len({deal.below[place] for place in places}) > 1 for places in pairs)


def _runs(state: State, places: list[int]) -> list[list[int]]:
    """Places one after the other whose cards the same seat laid."""
    runs: list[list[int]] = []
    for place in places:
        if runs and runs[-1][-1] == place - 1 and state.bottom[place].by == state.bottom[place - 1].by:
            runs[-1].append(place)
        else:
            runs.append([place])
    return runs
