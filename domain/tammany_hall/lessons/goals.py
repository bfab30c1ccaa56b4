"""What a step of a lesson may ask for, by name."""

from typing import Final

from domain.engine.lessons import Attempt, Goals
from domain.tammany_hall.rules.events import (
    BidSealed,
    BonusCubePlaced,
    BonusFavorTaken,
    BossesPlaced,
    ImmigrantSettled,
    OfficesAssigned,
    TurnEnded,
)
from domain.tammany_hall.rules.position import usable
from domain.tammany_hall.rules.state import State, Ward

GOALS: Final = Goals()


@GOALS
def settled(attempt: Attempt[State]) -> bool:
    """An immigrant was settled, and a boss placed with it."""
    return attempt.did(ImmigrantSettled)


@GOALS
def settled_at_home(attempt: Attempt[State]) -> bool:
    """An immigrant was settled in a ward where one of the learner's bosses stands."""
    seat, wards = attempt.seat, attempt.after.wards
    return any(wards[fact.ward].bosses[seat] > 0 for fact in attempt.facts if isinstance(fact, ImmigrantSettled))


@GOALS
def placed_alone(attempt: Attempt[State]) -> bool:
    """Two bosses were placed where no rival stands."""
    wards = attempt.after.wards
    return any(
        len(fact.wards) == 2 and not any(_strongest_rival(wards[ward], attempt.seat) for ward in fact.wards)
        for fact in attempt.facts
        if isinstance(fact, BossesPlaced)
    )


@GOALS
def ahead(attempt: Attempt[State]) -> bool:
    """The learner has more bosses than any rival in a ward that somebody else wants, too."""
    seat, wards = attempt.seat, attempt.after.wards.values()
    return bool(attempt.facts) and any(ward.bosses[seat] > _strongest_rival(ward, seat) > 0 for ward in wards)


@GOALS
def ended(attempt: Attempt[State]) -> bool:
    """The turn was ended."""
    return attempt.did(TurnEnded)


@GOALS
def bid_to_win(attempt: Attempt[State]) -> bool:
    """A bid was sealed that no rival can reach; or any, where none could be sure to win."""
    before, seat = attempt.before, attempt.seat
    for fact in attempt.facts:
        if isinstance(fact, BidSealed):
            bosses = before.wards[fact.ward].bosses
            most = {
                rival: bosses[rival] + sum(usable(before, fact.ward, rival))
                for rival in range(len(bosses))
                if bosses[rival]
            }
            own, rivals = most.pop(seat), max(most.values(), default=0)
            return own <= rivals or bosses[seat] + sum((fact.chips or {}).values()) > rivals
    return False


@GOALS
def sealed(attempt: Attempt[State]) -> bool:
    """A bid was sealed, be it of nothing."""
    return attempt.did(BidSealed)


@GOALS
def took_bonus(attempt: Attempt[State]) -> bool:
    """The bonus of a ward was taken."""
    return attempt.did(BonusCubePlaced) or attempt.did(BonusFavorTaken)


@GOALS
def assigned(attempt: Attempt[State]) -> bool:
    """The offices were given away."""
    return attempt.did(OfficesAssigned)


def _strongest_rival(ward: Ward, seat: int) -> int:
    return max(bosses for rival, bosses in enumerate(ward.bosses) if rival != seat)
