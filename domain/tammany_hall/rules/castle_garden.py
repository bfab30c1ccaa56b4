"""The Castle Garden: filled at the start of a turn, returned before an election (TH-5)."""

from domain.engine.game import Dice, Draw, Event, Seat
from domain.engine.refusals import require
from domain.tammany_hall.rules.actions import FillGarden
from domain.tammany_hall.rules.board import COLOURS, INDEX, Colour
from domain.tammany_hall.rules.events import GardenFilled, GardenReturned, evolves
from domain.tammany_hall.rules.position import by_colour
from domain.tammany_hall.rules.state import State

LABEL = "garden"


def cubes_to_draw(state: State) -> int:
    """Players + 2, or all the bag still has (TH-5.1, TH-5.3)."""
    return min(len(state.players) + 2, sum(state.bag))


def fill_garden(state: State, dice: Dice) -> FillGarden:
    """Draw cubes from the bag, every cube equally likely (TH-5.1)."""
    bag = [colour for colour, count in zip(COLOURS, state.bag, strict=True) for _ in range(count)]
    draw = Draw(LABEL, dice.index)
    drawn: list[Colour] = dice.sample(LABEL, bag, cubes_to_draw(state))
    return FillGarden(draw, {colour: drawn.count(colour) for colour in COLOURS})


def decide_garden(state: State, seat: Seat, action: FillGarden) -> list[Event]:
    """Decide what was drawn into the Castle Garden (TH-5.1). Raises RuleViolation."""
    drawn = action.result
    require(
        drawn.keys() == INDEX.keys()
        and all(0 <= drawn[colour] <= state.bag[index] for colour, index in INDEX.items())
        and sum(drawn.values()) == cubes_to_draw(state),
        "bad-draw",
        "TH-5.1",
        "The cubes drawn are not in the bag, or not as many as are due.",
    )
    return [GardenFilled(action.draw, by_colour([drawn[colour] for colour in COLOURS]))]


def return_garden(state: State) -> list[Event]:
    """All cubes of the Castle Garden go back into the bag (TH-5.5)."""
    return [GardenReturned(by_colour(state.garden))]


@evolves(GardenFilled)
def garden_filled(state: State, event: GardenFilled) -> None:
    """The cubes are in the garden, and the turn goes on."""
    for colour, count in event.result.items():
        state.garden[INDEX[colour]] += count
        state.bag[INDEX[colour]] -= count
    state.phase = "turn"


@evolves(GardenReturned)
def garden_returned(state: State, event: GardenReturned) -> None:
    """The cubes are in the bag, and an election begins."""
    for colour, count in event.cubes.items():
        state.garden[INDEX[colour]] -= count
        state.bag[INDEX[colour]] += count
    state.phase = "election"
    state.seat = None
    state.ward = None
    state.won = {}
