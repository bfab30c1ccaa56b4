"""A ballot as it is filed: which election it is for, and what in it could never be followed."""

from typing import Final

import msgspec

from domain.engine.game import Seat
from domain.engine.refusals import require
from domain.engine.sentences import Sentence, one_of, say_in
from domain.tammany_hall.ballot.ballot import LINES, OTHERS, Ballot, Choice, Named, UpTo
from domain.tammany_hall.ballot.forms import END_WHEN_PLACED, UP_TO, WARD_EXACTLY
from domain.tammany_hall.ballot.pending import BONUS_WARDS, OVER, live
from domain.tammany_hall.rules.actions import BonusCube, BonusFavor
from domain.tammany_hall.rules.board import ELECTION_ORDER, LAST_YEAR
from domain.tammany_hall.rules.bonus import decide_bonus_pass, require_chip_ward, require_cube_ward
from domain.tammany_hall.rules.decide import require_players
from domain.tammany_hall.rules.mayor import decide_assign
from domain.tammany_hall.rules.options import option
from domain.tammany_hall.rules.position import term
from domain.tammany_hall.rules.state import State

LAST_TERM: Final = LAST_YEAR // 4


def check(state: State, seat: Seat, ballot: Ballot) -> Ballot:
    """A ballot with the term it is for, its wards in the order of their elections.

    Raises RuleViolation.
    """
    require(state.phase not in OVER, "game-over", "TH-13.1", "The game is over.")
    require(
        ballot != Ballot(term=ballot.term),
        "no-orders",
        "TH-15.1",
        "Write at least one line: {bid}, or {end}.",
        bid=WARD_EXACTLY,
        end=END_WHEN_PLACED,
    )
    now = term(state)
    require(
        ballot.term in (None, now),
        "wrong-term",
        "TH-4.1",
        "This ballot is for the election of term {given}, and this is term {term}.",
        given=ballot.term,
        term=now,
    )
    lines = max(len(ballot.bids), len(ballot.keep), len(ballot.bonuses))
    require(lines <= LINES, "too-many-lines", "TH-15.1", "File at most {count} lines of a kind.", count=LINES)
    _require_bids(state, ballot)
    _require_reserves(state, ballot)
    for line in ballot.bonuses:
        _require_bonus(state, seat, line)
    _require_assignment(state, seat, ballot)
    filed = msgspec.structs.replace(
        ballot,
        term=now if ballot.bids or ballot.bonuses or ballot.assign else None,
        bids=sorted(ballot.bids, key=lambda line: _place(line.ward)),
        keep=sorted(ballot.keep, key=lambda line: _place(line.ward)),
        bonuses=sorted(ballot.bonuses, key=lambda line: _place(line.ward)),
    )
    followed = live(state, seat, filed)
    require(
        followed or now < LAST_TERM,
        "nothing-to-come",
        "TH-13.1",
        "None of this can come up again before the game ends.",
    )
    require(
        followed,
        "nothing-to-come",
        "TH-9.2",
        "None of this can come up again in term {term}; file it when term {next} has begun.",
        term=now,
        next=now + 1,
    )
    return filed


def _place(ward: int | str) -> int:
    """When a ward's turn comes; wards without a name come last."""
    return ELECTION_ORDER.index(ward) if isinstance(ward, int) else len(ELECTION_ORDER)


def _require_bids(state: State, ballot: Ballot) -> None:
    """Refuse a ward with two lines, and what no seat could ever bid (TH-9.8)."""
    wards = [vote.ward for vote in ballot.bids]
    for vote in ballot.bids:
        require(
            wards.count(vote.ward) == 1,
            "ward-twice",
            "TH-9.8",
            "Two lines say what to bid in {ward}; keep only one.",
            ward=_in(vote.ward),
        )
        if isinstance(vote, UpTo):
            once = len(set(vote.colours)) == len(vote.colours)
            require(once, "colour-twice", "TH-9.8", "Name each colour once in {ward}.", ward=_in(vote.ward))
            continue
        require(
            vote.chips or not (vote.if_contested or vote.while_winnable),
            "idle-condition",
            "TH-9.8",
            "A condition needs chips, and none are bid in {ward}.",
            ward=_in(vote.ward),
        )
        _require_chips(state, max(vote.chips.values(), default=0))


def _require_reserves(state: State, ballot: Ballot) -> None:
    """Refuse what cannot be kept, and keeping it from nothing."""
    kept = [(reserve.ward, reserve.colour) for reserve in ballot.keep]
    for reserve in ballot.keep:
        require(
            kept.count((reserve.ward, reserve.colour)) == 1,
            "keep-twice",
            "TH-9.8",
            "Two lines keep chips of one colour for ward {ward}; write one.",
            ward=reserve.ward,
        )
        _require_chips(state, reserve.chips)
    require(
        not kept or any(isinstance(vote, UpTo) for vote in ballot.bids),
        "idle-reserve",
        "TH-9.8",
        "Chips are kept from bids `{up_to}` alone, and your ballot has none.",
        up_to=UP_TO,
    )


def _require_chips(state: State, chips: int) -> None:
    """Refuse more chips of a colour than there are (TH-2.1)."""
    most = int(option(state, "chip-supply"))
    require(chips <= most, "not-enough-chips", "TH-2.1", "There are {count} favor chips of each colour.", count=most)


def _require_bonus(state: State, seat: Seat, line: Choice) -> None:
    """Refuse a bonus that winning the ward does not bring (TH-9.14, TH-9.15)."""
    require(
        line.ward in BONUS_WARDS or line.ward == OTHERS,
        "wrong-bonus",
        "TH-9.13",
        "Winning ward {ward} brings no bonus; wards {wards} do.",
        ward=line.ward,
        wards=one_of(sorted(BONUS_WARDS)),
    )
    if isinstance(line.take, BonusCube | BonusFavor):
        if isinstance(line.ward, int):
            (require_cube_ward if isinstance(line.take, BonusCube) else require_chip_ward)(line.ward)
    else:
        decide_bonus_pass(state, seat, line.take)


def _require_assignment(state: State, seat: Seat, ballot: Ballot) -> None:
    """Refuse offices that this seat could not give as mayor (TH-12.1)."""
    if ballot.assign is None:
        return
    require(term(state) < LAST_TERM, "last-election", "TH-12.5", "After the last election no offices are given.")
    require_players(state, ballot.assign)
    own = seat not in ballot.assign.offices.values()
    require(own, "assign-self", "TH-12.1", "As mayor you cannot give yourself an office.")
    decide_assign(state, seat, ballot.assign)


def _in(ward: Named) -> Sentence:
    if ward == OTHERS:
        return say_in("in …", "the other wards")
    return say_in("in …", "ward {ward}", ward=ward)
