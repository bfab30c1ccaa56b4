"""What of a ballot can still come to pass."""

from typing import Final

import msgspec

from domain.engine.game import Seat
from domain.tammany_hall.ballot.ballot import Ballot, about
from domain.tammany_hall.rules.board import CHIP_WARDS, CUBE_WARDS, ELECTION_ORDER, LAST_YEAR
from domain.tammany_hall.rules.position import clockwise, term
from domain.tammany_hall.rules.state import State

BONUS_WARDS: Final = CUBE_WARDS | CHIP_WARDS
OVER: Final = frozenset({"scoring", "over"})
COUNTED: Final = OVER | {"leaders", "mayor", "assign", "term"}
"""The phases in which all wards of a term have been decided."""


def live(state: State, seat: Seat, ballot: Ballot) -> Ballot | None:
    """The lines about what a seat can still be asked for; None where there are none."""
    turns = _has_turn_left(state, seat)
    still = Ballot(pass_slander=ballot.pass_slander and turns, end_when_placed=ballot.end_when_placed and turns)
    if ballot.term == term(state) and state.phase not in OVER:
        still = _of_the_election(state, seat, ballot, still)
    return None if still == Ballot() else still


def _of_the_election(state: State, seat: Seat, ballot: Ballot, still: Ballot) -> Ballot:
    """What lives of a ballot for the election of this term, with what lives besides."""
    wards = _undecided(state)
    own_bonus = [state.ward] if state.phase == "bonus" and state.ward and state.won[state.ward] == seat else []
    prizes = [ward for ward in (*own_bonus, *wards) if ward in BONUS_WARDS]
    bids = [line for line in ballot.bids if any(line in about(ward, ballot.bids) for ward in wards)]
    bonuses = [line for line in ballot.bonuses if any(line in about(ward, ballot.bonuses) for ward in prizes)]
    assign = ballot.assign if state.phase != "assign" or state.mayor == seat else None
    if not (bids or bonuses or assign):
        return still
    keep = [line for line in ballot.keep if bids and line.ward in wards]
    return msgspec.structs.replace(still, term=ballot.term, bids=bids, keep=keep, bonuses=bonuses, assign=assign)


def _has_turn_left(state: State, seat: Seat) -> bool:
    """Whether a seat has a turn now or one to come."""
    if state.year < LAST_YEAR:
        return True
    match state.phase:
        case "year":
            return True
        case "garden" | "turn" | "ended":
            assert state.first is not None
            assert state.seat is not None
            order = clockwise(state, state.first)
            return order.index(seat) >= order.index(state.seat) + (state.phase == "ended")
        case _:
            return False


def _undecided(state: State) -> tuple[int, ...]:
    """The wards whose bids have not been opened in this term, in election order."""
    if state.phase in COUNTED:
        return ()
    if state.ward is None:
        return ELECTION_ORDER
    return ELECTION_ORDER[ELECTION_ORDER.index(state.ward) + (state.phase != "bid") :]
