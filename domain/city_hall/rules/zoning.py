"""The Zoning Board's action: taking and placing Permits (CH-8.17 to CH-8.20)."""

from collections import Counter
from collections.abc import Sequence
from functools import partial

from domain.city_hall.rules.actions import Placement, Zone
from domain.city_hall.rules.events import PermitBuilt, ZoningChosen, evolves
from domain.city_hall.rules.options import option
from domain.city_hall.rules.pieces import INDEX, Land, Permit, in_order
from domain.city_hall.rules.position import (
    board_of,
    gain_permit,
    hand_of,
    last_space,
    own_lands,
    permits_on,
    require_own_empty,
)
from domain.city_hall.rules.stars import approval_steps, changed_stars
from domain.city_hall.rules.state import Laid, State
from domain.city_hall.rules.words import WORDS, listed, permits_named
from domain.engine.game import Event, Seat
from domain.engine.refusals import require
from domain.engine.sentences import Sentence, say


def fits_a_choice(state: State, action: Zone) -> bool:
    """Whether so many taken and so many placed is A, B or C (CH-16.4)."""
    match len(action.take), len(action.build):
        case (taken, 0):
            return taken == min(2, len(state.revealed))
        case (1, 1) | (0, 2):
            return True
        case (0, 1):
            return option(state, "zoning-build") == "one-or-two"
        case _:
            return False


def decide_zone(state: State, seat: Seat, action: Zone) -> list[Event]:
    """Decide the Zoning Board: A, B or C, and the order of what goes below the deck. Raises RuleViolation."""
    require(
        fits_a_choice(state, action),
        "bad-zoning-choice",
        "CH-8.17",
        "Revealed: {permits}. {choices}",
        permits=lambda: permits_named(state.revealed),
        choices=partial(_choices, state),
    )
    rest = _require_revealed(state, action.take)
    _require_buildable(state, seat, action)
    under = rest if action.under is None else list(action.under)
    require(
        Counter(under) == Counter(rest),
        "bad-under",
        "CH-8.20",
        "What goes below the deck is {permits}; name just that, the first nearest to the top.",
        permits=partial(permits_named, rest),
    )
    chosen = ZoningChosen(seat, list(action.take), in_order(rest), under)
    return [chosen, *_built(state, seat, action.build)]


def _choices(state: State) -> Sentence:
    """What can be chosen, in words."""
    either = option(state, "zoning-build") == "one-or-two"
    own = say("build one or two from your hand") if either else say("build two from your hand")
    match len(state.revealed):
        case 0:
            return say("Zone none; or {own}.", own=own)
        case 1:
            return say("Take the revealed Permit; or take it and build one; or {own}.", own=own)
        case _:
            return say("Take two; or take one and build one; or {own}.", own=own)


def _require_revealed(state: State, taken: list[Permit]) -> list[Permit]:
    """What is left of the revealed Permits, in their order, when these are taken."""
    rest = state.revealed.copy()
    for permit in taken:
        require(
            permit in rest,
            "permit-not-revealed",
            "CH-8.17",
            "There is no {permit} to take; revealed and not taken yet: {permits}.",
            permit=WORDS[permit],
            permits=partial(permits_named, rest),
        )
        rest.remove(permit)
    return rest


def _require_buildable(state: State, seat: Seat, action: Zone) -> None:
    """Refuse Permits that are not in hand, and spaces that are not the seat's or not empty."""
    hand = hand_of(state, seat).copy()
    for permit in action.take:
        hand[INDEX[permit]] += 1
    used: list[Land] = []
    for placement in action.build:
        permit, land = placement.permit, placement.land
        require(
            hand[INDEX[permit]],
            "not-in-hand",
            "CH-8.17",
            "You have no {permit} to build then; you have {hand}.",
            permit=WORDS[permit],
            hand=partial(listed, hand),
        )
        require_own_empty(state, seat, land, "CH-8.15")
        own = partial(own_lands, state, seat)
        require(land not in used, "land-not-empty", "CH-8.15", "{land} is named twice; {own}.", land=land, own=own)
        hand[INDEX[permit]] -= 1
        used.append(land)


def _built(state: State, seat: Seat, placements: list[Placement]) -> list[Event]:
    """Each Permit placed, settled completely before the next (CH-8.19)."""
    board, permits = board_of(state), permits_on(state)
    star_token, last = state.star_token, last_space(state)
    approval = [player.approval for player in state.players]
    facts: list[Event] = []
    for placement in placements:
        permit, land = placement.permit, placement.land
        stars = changed_stars(board, permits, permit, land)
        before = approval.copy()
        for owner in approval_steps(state, board, seat, permits, permit, land):
            approval[owner] = _advanced(state, approval[owner])
        star_token = min(last, star_token + 1)
        moved = {str(owner): space for owner, space in enumerate(approval) if space != before[owner]}
        facts.append(PermitBuilt(seat, permit, land, stars, moved, star_token))
        permits = {**permits, land: permit}
    return facts


def _advanced(state: State, space: int) -> int:
    """Return the approval space after one advance that a Park brings (CH-10.5)."""
    ratings, last = board_of(state).ratings, last_space(state)
    if option(state, "park-approval") == "one-space":
        return min(last, space + 1)
    higher = (other for other in range(space + 1, last + 1) if ratings[other - 1] > ratings[space - 1])
    return next(higher, last)


@evolves(ZoningChosen)
def zoning_chosen(state: State, event: ZoningChosen) -> None:
    """The Permits are in hand, the rest below the deck; an order of equal cards is no secret."""
    for permit in event.taken:
        gain_permit(state.players[event.seat], permit, 1)
    if len(set(event.rest)) < 2:
        state.bottom += [Laid(permit) for permit in event.rest]
    else:
        under: Sequence[Permit | None] = event.under or [None] * len(event.rest)
        state.bottom += [Laid(permit, event.seat) for permit in under]
    state.revealed = []
    state.phase = "ended"


@evolves(PermitBuilt)
def permit_built(state: State, event: PermitBuilt) -> None:
    """The Permit stands, and all that follows from it is done."""
    gain_permit(state.players[event.seat], event.permit, -1)
    state.lands[event.land].permit = event.permit
    for land, value in event.stars.items():
        state.lands[land].stars = value
    for seat, space in event.approval.items():
        state.players[int(seat)].approval = space
    state.star_token = event.star_token
