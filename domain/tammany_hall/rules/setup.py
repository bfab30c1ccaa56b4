"""The start: supplies, boxes and bag (TH-3.4, TH-3.5), the first player and the zones (TH-3.6 to TH-3.8)."""

from collections.abc import Mapping

from domain.engine.game import Dice, Draw, Event, Seat
from domain.engine.refusals import require
from domain.tammany_hall.rules.actions import DealZone, DrawFirstPlayer
from domain.tammany_hall.rules.board import (
    BOXES,
    COLOURS,
    CUBES_A_COLOUR,
    ELECTION_ORDER,
    INDEX,
    LOCKS,
    SLANDER_CHIPS,
    TAMMANY_HALL,
    ZONES,
    Colour,
)
from domain.tammany_hall.rules.events import FirstPlayerDrawn, ZoneOpened, evolves
from domain.tammany_hall.rules.options import OPTIONS
from domain.tammany_hall.rules.position import draw_due, zones_due
from domain.tammany_hall.rules.state import Player, State, Ward

SEATS = range(3, 6)


def initial(seats: int, options: Mapping[str, str]) -> State:
    """The first state: the boxes are packed, the rest of the cubes is in the bag, nobody has anything (TH-3.5).

    Raises ValueError for a number of players or a variant there is not.
    """
    if seats not in SEATS:
        raise ValueError(f"Tammany Hall is for 3 to 5 players, not {seats}")
    for name, value in options.items():
        if value not in OPTIONS.get(name, ()):
            raise ValueError(f"Tammany Hall has no variant {name}={value}")
    chosen = {name: options.get(name, values[0]) for name, values in OPTIONS.items()}
    return State(
        options=chosen,
        players=[Player(chips=[0, 0, 0, 0], slander=SLANDER_CHIPS) for _ in range(seats)],
        wards={number: Ward(cubes=[0, 0, 0, 0], bosses=[0] * seats) for number in ELECTION_ORDER},
        bag=[CUBES_A_COLOUR - sum(box[colour] for box in BOXES.values()) for colour in range(len(COLOURS))],
        garden=[0, 0, 0, 0],
        supply=[int(chosen["chip-supply"])] * len(COLOURS),
        boxes={zone: list(box) for zone, box in BOXES.items()},
        leaders=[[], [], [], []],
        locks_left=LOCKS,
    )


def draw_first_player(state: State, dice: Dice) -> DrawFirstPlayer:
    """Draw the first player of term 1, every seat equally likely (TH-3.8)."""
    label = "first-player"
    return DrawFirstPlayer(Draw(label, dice.index), dice.below(label, len(state.players)))


def deal_zone(state: State, dice: Dice) -> DealZone:
    """Deal the box of the zone that comes into play, one cube to each ward, ward 14 an irish one (TH-3.7)."""
    zone = zones_due(state)[0]
    label = f"zone-{zone}"
    box = state.boxes[zone][:]
    wards = [ward for ward in ZONES[zone] if ward != TAMMANY_HALL]
    dealt: dict[str, Colour] = {}
    if TAMMANY_HALL in ZONES[zone]:
        box[INDEX["irish"]] -= 1
        dealt[str(TAMMANY_HALL)] = "irish"
    cubes = [colour for colour, count in zip(COLOURS, box, strict=True) for _ in range(count)]
    draw = Draw(label, dice.index)
    dealt |= zip(map(str, wards), dice.sample(label, cubes, len(cubes)), strict=True)
    return DealZone(draw, zone, {str(ward): dealt[str(ward)] for ward in ZONES[zone]})


def decide_first_player(state: State, seat: Seat, action: DrawFirstPlayer) -> list[Event]:
    """Decide the draw of the first player (TH-3.8). Raises RuleViolation."""
    require(0 <= action.result < len(state.players), "bad-draw", "TH-3.8", "The draw names a seat nobody sits on.")
    return [FirstPlayerDrawn(action.draw, action.result)]


def decide_zone(state: State, seat: Seat, action: DealZone) -> list[Event]:
    """Decide how a box was dealt (TH-3.7). Raises RuleViolation."""
    require(draw_due(state) == f"zone-{action.zone}", "bad-draw", "TH-3.6", "That zone does not come into play now.")
    wards = {str(ward) for ward in ZONES[action.zone]}
    dealt = list(action.result.values())
    require(
        action.result.keys() == wards and [dealt.count(colour) for colour in COLOURS] == state.boxes[action.zone],
        "bad-draw",
        "TH-3.7",
        "The cubes dealt are not those of the setup box, one to each ward.",
    )
    hall = action.result.get(str(TAMMANY_HALL), "irish")
    require(hall == "irish", "bad-draw", "TH-3.7", "Ward 14 always gets an Irish cube.")
    return [ZoneOpened(action.draw, action.zone, action.result)]


@evolves(FirstPlayerDrawn)
def first_player_drawn(state: State, event: FirstPlayerDrawn) -> None:
    """Somebody is first."""
    state.first = event.result


@evolves(ZoneOpened)
def zone_opened(state: State, event: ZoneOpened) -> None:
    """The box is empty, its cubes lie in the wards."""
    box = state.boxes[event.zone]
    for ward, colour in event.result.items():
        state.wards[int(ward)].cubes[INDEX[colour]] += 1
        box[INDEX[colour]] -= 1
