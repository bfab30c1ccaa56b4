"""Copies of a state: a whole one for fold, and one without what a seat may not know."""

from domain.engine.game import Seat
from domain.tammany_hall.rules.state import Player, State, Ward


def copy(state: State) -> State:
    """A copy that shares nothing a handler changes."""
    return State(
        state.options,
        [
            Player(player.chips[:], player.slander, player.slandered, player.vp, player.office)
            for player in state.players
        ],
        {number: Ward(ward.cubes[:], ward.bosses[:], ward.locked) for number, ward in state.wards.items()},
        state.bag[:],
        state.garden[:],
        state.supply[:],
        {zone: box[:] for zone, box in state.boxes.items()},
        state.leaders,  # handlers replace the lists from here on, and never change them
        state.phase,
        state.year,
        state.first,
        state.mayor,
        state.seat,
        state.placed,
        state.office_used,
        state.locks_left,
        state.ward,
        dict(state.bids),
        dict(state.won),
        state.winners,
        state.lines,
    )


def blind(state: State, seat: Seat | None) -> State:
    """A copy in which the other seats' bids are known to be made, and no more (TH-14.1)."""
    seen = copy(state)
    seen.bids = {bidder: chips if bidder == seat else None for bidder, chips in state.bids.items()}
    return seen
