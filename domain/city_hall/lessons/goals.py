"""What a step of a lesson may ask for, by name."""

from typing import Final

from domain.city_hall.rules.events import (
    BidAccepted,
    BidMade,
    BidPassed,
    BuildingFounded,
    LandDrafted,
    OfficeActivated,
    OfficeKept,
    TaxesCollected,
)
from domain.city_hall.rules.state import State
from domain.engine.lessons import Attempt, Goals

GOALS: Final = Goals()


@GOALS
def drafted(attempt: Attempt[State]) -> bool:
    """A space was drafted."""
    return attempt.did(LandDrafted)


@GOALS
def drafted_with_money(attempt: Attempt[State]) -> bool:
    """A space was drafted on which money lay."""
    return any(fact.money > 0 for fact in attempt.facts if isinstance(fact, LandDrafted))


@GOALS
def built(attempt: Attempt[State]) -> bool:
    """The first Building was placed."""
    return attempt.did(BuildingFounded)


@GOALS
def activated_tax(attempt: Attempt[State]) -> bool:
    """The Tax Assessor was activated."""
    return any(fact.office == "tax" for fact in attempt.facts if isinstance(fact, OfficeActivated))


@GOALS
def activated(attempt: Attempt[State]) -> bool:
    """An Office was activated."""
    return attempt.did(OfficeActivated)


@GOALS
def decided(attempt: Attempt[State]) -> bool:
    """The learner's Office was kept, or a bid for it accepted."""
    return attempt.did(OfficeKept) or attempt.did(BidAccepted)


@GOALS
def taxed(attempt: Attempt[State]) -> bool:
    """Taxes were collected."""
    return attempt.did(TaxesCollected)


@GOALS
def answered(attempt: Attempt[State]) -> bool:
    """A bid was made, or passed on."""
    return attempt.did(BidMade) or attempt.did(BidPassed)


@GOALS
def bid_some(attempt: Attempt[State]) -> bool:
    """At least 1 Influence was bid."""
    return any(fact.influence > 0 for fact in attempt.facts if isinstance(fact, BidMade))
