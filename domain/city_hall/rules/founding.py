"""The initial Buildings (CH-5, CH-13.2)."""

from functools import partial

from domain.city_hall.rules.actions import Build
from domain.city_hall.rules.events import BuildingFounded, PermitReturned, evolves
from domain.city_hall.rules.pieces import INDEX, PARK, Permit
from domain.city_hall.rules.position import (
    board_of,
    gain_permit,
    hand_of,
    must_return,
    permits_on,
    picks,
    require_own_empty,
)
from domain.city_hall.rules.stars import changed_stars
from domain.city_hall.rules.state import Laid, State
from domain.city_hall.rules.words import WORDS, form, listed
from domain.engine.game import Event, Seat
from domain.engine.refusals import require


def foundations(state: State) -> int:
    """How many initial Buildings there are: one each, two each with two players."""
    return len(state.players) * (1 if must_return(state) else 2)


def decide_build(state: State, seat: Seat, action: Build) -> list[Event]:
    """Decide an initial Building and what is returned (CH-5.1). Raises RuleViolation."""
    hand = hand_of(state, seat)
    require(
        action.permit != PARK, "not-a-building", "CH-5.1", "A Park is not a Building; build one of your other Permits."
    )
    require(
        hand[INDEX[action.permit]],
        "not-in-hand",
        "CH-5.1",
        "You have no {permit} in hand; you have {hand}.",
        permit=WORDS[action.permit],
        hand=partial(listed, hand),
    )
    require_own_empty(state, seat, action.land, "CH-5.1")
    last = state.step + 1 == picks(state) + foundations(state)
    stars = changed_stars(board_of(state), permits_on(state), action.permit, action.land)
    founded = BuildingFounded(seat, action.permit, action.land, stars, last)
    if not must_return(state):
        require(action.returned is None, "return-forbidden", "CH-13.2", "With two players no Permit is returned.")
        return [founded]
    left = hand.copy()
    left[INDEX[action.permit]] -= 1
    if action.returned is None:
        example = form(f"build {action.permit} {action.land} return {_first(left)}")
        require(
            False,
            "return-required",
            "CH-5.1",
            "Say which of your other Permits you return: {example}.",
            example=example,
        )
        return []
    require(
        left[INDEX[action.returned]],
        "not-in-hand",
        "CH-5.1",
        "You have no other {permit} to return; you have {hand} left.",
        permit=WORDS[action.returned],
        hand=partial(listed, left),
    )
    return [PermitReturned(seat, action.returned), founded]


def _first(counts: list[int]) -> Permit:
    return next(permit for permit, index in INDEX.items() if counts[index])


@evolves(PermitReturned)
def permit_returned(state: State, event: PermitReturned) -> None:
    """The card is the last of the deck."""
    gain_permit(state.players[event.seat], event.permit, -1)
    state.bottom.append(Laid(event.permit, event.seat))


@evolves(BuildingFounded)
def building_founded(state: State, event: BuildingFounded) -> None:
    """The Building stands. The Star Token does not move (CH-5.2)."""
    gain_permit(state.players[event.seat], event.permit, -1)
    state.lands[event.land].permit = event.permit
    for land, value in event.stars.items():
        state.lands[land].stars = value
    state.step += 1
    state.phase = "round-over" if event.last else "build"
