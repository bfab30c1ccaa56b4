"""Legal actions: the candidates that `decide` accepts, or a sample of them where they are many."""

from domain.engine.game import Action, Seat
from domain.engine.legal import Legal, legal_among
from domain.tammany_hall.rules.candidates import MOST_BIDS, bid_count, considered
from domain.tammany_hall.rules.decide import decide
from domain.tammany_hall.rules.state import State


def legal_actions(state: State, seat: Seat) -> Legal[Action]:
    """What the seat may do now, found from a blind state of its own; a sample where bids are too many."""
    complete = state.phase != "bid" or bid_count(state, seat) <= MOST_BIDS
    return Legal(list(legal_among(decide, state, seat, considered(state, seat))), complete)
