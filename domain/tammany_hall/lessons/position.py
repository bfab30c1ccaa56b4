"""Positions in words, for lessons, worked examples and tests."""

from collections.abc import Mapping

from domain.tammany_hall.lessons.words import table, ward
from domain.tammany_hall.rules.board import BOXES, COLOURS, CUBES_A_COLOUR, LOCKS, PAWNS, ZONE_YEARS, ZONES
from domain.tammany_hall.rules.setup import initial
from domain.tammany_hall.rules.state import Phase, Player, State


def position(
    players: int = 5,
    year: int = 1,
    turn: str | None = None,
    phase: Phase = "turn",
    *,
    first: str = "red",
    wards: Mapping[int, str] | Mapping[str, str] | None = None,
    chips: Mapping[str, str] | None = None,
    slander: Mapping[str, int] | None = None,
    slandered: str = "",
    vp: Mapping[str, int] | None = None,
    offices: Mapping[str, str] | None = None,
    mayor: str | None = None,
    garden: str = "",
    bag: str | None = None,
    supply: str | None = None,
    placed: bool = False,
    **options: str,
) -> State:
    """The position the worked examples begin with, layout A, except for what is said; variants as `leader_zero="all"`.

    `phase="election"` begins one, "scoring" ends the game, "assign" asks the mayor. Raises ValueError for more cubes
    or chips than there are.
    """
    seats = {pawn: seat for seat, pawn in enumerate(PAWNS[:players])}
    offices = dict(offices or {})
    state = initial(players, {name.replace("_", "-"): value for name, value in options.items()})
    closed = [zone for zone, opens in ZONE_YEARS[players].items() if opens > year]
    state.boxes = {zone: list(BOXES[zone]) if zone in closed else [0] * 4 for zone in ZONES}
    known = {int(number): text for number, text in (wards or {}).items()}
    for zone, numbers in ZONES.items():
        told = {number: known.get(number, "" if zone in closed else "...") for number in numbers}
        state.wards |= {number: ward(text, number, players) for number, text in told.items()}
    state.players = [
        Player(
            chips=table((chips or {}).get(pawn, "")),
            slander=(slander or {}).get(pawn, 3),
            slandered=pawn in slandered.split(),
            vp=(vp or {}).get(pawn, 0),
            office=offices.get(pawn),
        )
        for pawn in seats
    ]
    mayor = mayor or next((pawn for pawn, office in offices.items() if office == "mayor"), None)
    state.mayor = seats[mayor] if mayor else None
    state.garden = table(garden)
    elsewhere = [state.garden, *state.boxes.values(), *(place.cubes for place in state.wards.values())]
    left = [CUBES_A_COLOUR - sum(counts) for counts in zip(*elsewhere, strict=True)]
    state.bag = left if bag is None else table(bag)
    held = [sum(player.chips[colour] for player in state.players) for colour in range(len(COLOURS))]
    rest = [full - out for full, out in zip(state.supply, held, strict=True)]
    state.supply = rest if supply is None else table(supply)
    state.phase, state.year, state.first, state.placed = phase, year, seats[first], placed
    state.seat = None if turn is None else seats[turn]
    state.locks_left = LOCKS - sum(place.locked for place in state.wards.values())
    if min([*state.bag, *state.supply]) < 0:
        raise ValueError("more cubes or chips than there are")
    return state
