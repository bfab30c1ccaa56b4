"""Questions the rules ask of a position: what is open, available, usable, due."""

from collections.abc import Sequence

from domain.engine.game import CHANCE, Seat
from domain.engine.refusals import require
from domain.engine.sentences import one_of
from domain.tammany_hall.rules.board import CUBE_WARDS, NEIGHBOURS, PAWNS_A_PLAYER, ZONE_YEARS, Bonus, Colour
from domain.tammany_hall.rules.options import option
from domain.tammany_hall.rules.state import State, Ward


def term(state: State) -> int:
    """Term 1 to 4 (TH-4.1)."""
    return (state.year + 3) // 4


def is_active(ward: Ward) -> bool:
    """A ward is active when it holds a cube (TH-4.3)."""
    return any(ward.cubes)


def is_open(ward: Ward) -> bool:
    """A ward is open when it is active and not locked (TH-4.5)."""
    return not ward.locked and any(ward.cubes)


def available(state: State, seat: Seat) -> int:
    """How many pawns a seat can still place (TH-2.5)."""
    on_wards = sum([ward.bosses[seat] for ward in state.wards.values()])
    return PAWNS_A_PLAYER - 1 - (state.players[seat].office is not None) - on_wards


def clockwise(state: State, first: Seat) -> list[Seat]:
    """All seats, clockwise from `first` (TH-1.5)."""
    seats = len(state.players)
    return [(first + step) % seats for step in range(seats)]


def candidates(ward: Ward) -> list[Seat]:
    """The seats with a pawn in the ward (TH-9.3)."""
    return [seat for seat, bosses in enumerate(ward.bosses) if bosses]


def usable(state: State, number: int, seat: Seat) -> list[int]:
    """By colour, the chips of a seat that count in this ward's election (TH-9.6)."""
    return [
        chips if cubes else 0 for chips, cubes in zip(state.players[seat].chips, state.wards[number].cubes, strict=True)
    ]


def bidders(state: State, number: int) -> list[Seat]:
    """The seats a ward election asks for a bid (TH-9.7), whether or not they have handed one in; [] asks nobody."""
    seats = candidates(state.wards[number])
    return [seat for seat in seats if any(usable(state, number, seat))] if len(seats) > 1 else []


def owing(state: State) -> list[Seat]:
    """The seats that still owe a bid for the ward being bid for."""
    return [seat for seat in bidders(state, bidding_ward(state)) if seat not in state.bids]


def bidding_ward(state: State) -> int:
    """The ward being bid for, or whose bonus is being chosen."""
    assert state.ward is not None, "an election without a ward"
    return state.ward


def bonus_kind(number: int) -> Bonus:
    """What the winner of ward 1, 2, 4 or 7 is offered: "cube" or "favor" (TH-9.14, TH-9.15)."""
    return "cube" if number in CUBE_WARDS else "favor"


def zones_due(state: State) -> list[int]:
    """The zones that come into play now: the year has come, the box is still full (TH-3.6)."""
    years = ZONE_YEARS[len(state.players)]
    return [zone for zone, year in years.items() if year <= state.year and any(state.boxes.get(zone, ()))]


def garden_to_fill(state: State) -> bool:
    """The Castle Garden is empty and the bag is not (TH-5.1, TH-5.4)."""
    return not any(state.garden) and any(state.bag)


def draw_due(state: State) -> str | None:
    """The label of the draw that comes next, if chance has to act now."""
    match state.phase:
        case "first-player" if state.first is None:
            return "first-player"
        case "year" if due := zones_due(state):
            return f"zone-{due[0]}"
        case "garden" if garden_to_fill(state):
            return "garden"
        case _:
            return None


def awaiting(state: State) -> frozenset[Seat]:
    """Who must act: a seat, all seats that owe a bid, or CHANCE; nobody when the game is over (TH-16.1)."""
    match state.phase:
        case "turn" if state.seat is not None:
            return frozenset({state.seat})
        case "bid":
            return frozenset(owing(state))
        case "bonus":
            return frozenset({state.won[bidding_ward(state)]})
        case "assign" if state.mayor is not None:
            return frozenset({state.mayor})
        case _:
            return frozenset({CHANCE}) if draw_due(state) else frozenset()


def decision(state: State) -> str:
    """What is asked, as a token: the same token means the same decision."""
    match state.phase:
        case "turn":
            return f"turn-{state.year}-{state.seat}"
        case "bid" | "bonus" | "election":
            return f"{state.phase}-{state.year}-{state.ward}"
        case "garden" | "ended":
            return f"{state.phase}-{state.year}-{state.seat}"
        case "year":
            return f"year-{state.year}-{draw_due(state)}"
        case "over" | "first-player":
            return state.phase
        case _:
            return f"{state.phase}-{state.year}"


def by_colour(counts: Sequence[int]) -> dict[Colour, int]:
    """A colour table with all four colours."""
    irish, english, german, italian = counts
    return {"irish": irish, "english": english, "german": german, "italian": italian}


def require_active(state: State, number: int) -> None:
    """Refuse a ward of a zone that is not in play (TH-4.3)."""
    require(
        number in state.wards and is_active(state.wards[number]),
        "inactive-ward",
        "TH-4.3",
        "Ward {ward} is not in play yet.",
        ward=number,
    )


def require_open(state: State, number: int, rule: str = "TH-7.11") -> None:
    """Refuse a ward nothing can be put into: inactive, then locked (TH-4.5)."""
    if number in state.wards and is_open(state.wards[number]):
        return
    require_active(state, number)
    require(
        not state.wards[number].locked,
        "locked-ward",
        rule,
        "Ward {ward} is locked until the end of this term's election.",
        ward=number,
    )


def locks_seal(state: State) -> bool:
    """A lock seals a ward against everything (TH-7.11), not only against placing (variant of TH-17.1, 1)."""
    return option(state, "lock-scope") == "sealed"


def require_touchable(state: State, number: int) -> None:
    """Refuse a ward from which nothing may be taken: inactive, or locked (TH-7.11)."""
    if locks_seal(state):
        require_open(state, number)
    else:
        require_active(state, number)


def require_adjacent(origin: int, to: int) -> None:
    """Refuse wards without a common border line (TH-3.2)."""
    require(
        to in NEIGHBOURS[origin],
        "not-adjacent",
        "TH-3.2",
        "Ward {to} does not border on ward {origin}; its neighbours are {wards}.",
        to=to,
        origin=origin,
        wards=lambda: one_of(sorted(NEIGHBOURS[origin])),
    )
