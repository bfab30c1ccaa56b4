"""The two decks (CH-3.2, CH-3.3). No order of them exists: cards are drawn one by one, each as likely as any other.

The Permit deck is a part of unknown order, and below it the cards that went there in a known one (CH-5.1, CH-8.20).
"""

from collections import Counter
from typing import Final

from domain.city_hall.rules.actions import DrawLand, DrawPermits
from domain.city_hall.rules.events import LandDrawn, PermitsRevealed, evolves
from domain.city_hall.rules.pieces import INDEX, PERMITS, Permit
from domain.city_hall.rules.position import lands_in_deck
from domain.city_hall.rules.state import State
from domain.engine.game import Dice, Draw, Event, Seat
from domain.engine.refusals import require

LAND: Final = "land"
PERMIT: Final = "permits"


def unknown_permits(state: State) -> list[Permit]:
    """The cards of unknown order, by kind."""
    return [permit for permit, count in zip(PERMITS, state.unknown, strict=True) for _ in range(count)]


def draw_land(state: State, dice: Dice) -> DrawLand:
    """Draw one card of the Land deck."""
    deck = lands_in_deck(state)
    return DrawLand(Draw(LAND, dice.index), deck[dice.below(LAND, len(deck))])


def draw_permits(state: State, dice: Dice) -> DrawPermits:
    """Draw as many as are due from the part of unknown order; where that runs out, the cards below it follow.

    Raises ValueError on a blind state, which may not know those.
    """
    unknown = unknown_permits(state)
    drawn: list[Permit] = dice.sample(PERMIT, unknown, min(state.permits_due, len(unknown)))
    for card in state.bottom[: state.permits_due - len(drawn)]:
        if card.permit is None:
            raise ValueError("a blind state does not know the bottom of the Permit deck")
        drawn.append(card.permit)
    return DrawPermits(Draw(PERMIT, dice.index), drawn)


def decide_land(state: State, seat: Seat, action: DrawLand) -> list[Event]:
    """Decide which Land card was drawn: one that is in the deck (CH-4.5, CH-8.9). Raises RuleViolation."""
    in_deck = state.lands[action.result].state == "deck"
    require(in_deck, "bad-draw", "CH-3.3", "{land} is not in the Land deck.", land=action.result)
    return [LandDrawn(action.draw, action.result)]


def decide_permits(state: State, seat: Seat, action: DrawPermits) -> list[Event]:
    """Decide which Permits were revealed: as many as are due, and from the top (CH-8.16). Raises RuleViolation."""
    drawn = min(state.permits_due, sum(state.unknown))
    below = [card.permit for card in state.bottom[: state.permits_due - drawn]]
    require(
        len(action.result) == state.permits_due
        and not Counter(action.result[:drawn]) - Counter(unknown_permits(state))
        and list(action.result[drawn:]) == below,
        "bad-draw",
        "CH-8.16",
        "The Permits revealed are not the top of the deck, or not as many as are due.",
    )
    return [PermitsRevealed(action.draw, list(action.result), bottom=len(below))]


@evolves(LandDrawn)
def land_drawn(state: State, event: LandDrawn) -> None:
    """The space is available, with nothing on it."""
    state.lands[event.result].state = "available"
    state.lands_due -= 1


@evolves(PermitsRevealed)
def permits_revealed(state: State, event: PermitsRevealed) -> None:
    """The Permits lie open for everybody (CH-8.14)."""
    for permit in event.result[: len(event.result) - event.bottom]:
        state.unknown[INDEX[permit]] -= 1
    state.bottom = state.bottom[event.bottom :]
    state.revealed = list(event.result)
    state.permits_due = 0
