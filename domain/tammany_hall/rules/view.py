"""What a seat may see, as the summary document of TH-16.3: built up from nothing, never cut down."""

from collections.abc import Collection
from typing import Any, Final

from domain.engine.game import CHANCE, Seat, View
from domain.tammany_hall.rules.board import COLOURS, PAWNS, ZONE_OF
from domain.tammany_hall.rules.position import (
    available,
    awaiting,
    bidders,
    bidding_ward,
    bonus_kind,
    by_colour,
    candidates,
    is_active,
    owing,
    term,
    usable,
)
from domain.tammany_hall.rules.state import State

SHOWN: Final[dict[str, str]] = {
    "election": "bid", "bid": "bid", "bonus": "bonus", "over": "over",
    "leaders": "assign", "mayor": "assign", "assign": "assign", "term": "assign", "scoring": "assign",
}  # fmt: skip
"""The five words of TH-16.1 for the phases of a game; what is not here belongs to a turn."""


def view(state: State, seat: Seat | None) -> View:
    """What `seat` may see (None: a spectator). Of a sealed bid, others see only that it was made (TH-14.1)."""
    in_wards = state.phase in ("election", "bid", "bonus")
    return {
        "players": len(state.players),
        "year": state.year,
        "term": term(state),
        "phase": SHOWN.get(state.phase, "turn"),
        "active": sorted(awaiting(state) - {CHANCE}),
        "first": state.first,
        "mayor": state.mayor,
        "ward": state.ward if in_wards else None,
        "turn": _turn(state),
        "locks_left": state.locks_left,
        "wards": {str(number): _ward(state, number) for number in state.wards},
        "seats": [_seat(state, number) for number in range(len(state.players))],
        "leaders": {colour: sorted(seats) for colour, seats in zip(COLOURS, state.leaders, strict=True)},
        "garden": by_colour(state.garden),
        "bag": by_colour(state.bag),
        "chip_supply": by_colour(state.supply),
        "boxes": {str(zone): by_colour(box) for zone, box in state.boxes.items()},
        "winners": list(state.winners),
        "bidding": _bidding(state, seat),
        "bonus": _bonus(state),
        "assignment": _assignment(state),
        "scoring": [dict(line) for line in state.lines],
    }


def reveal(state: State, seats: Collection[Seat]) -> View:
    """What a spectator sees who looks at the sealed bids of these seats, too, when the game is over."""
    shown = view(state, None)
    if shown["bidding"] is not None:
        bids = {seat: by_colour(bid) for seat, bid in state.bids.items() if seat in seats and bid is not None}
        shown["bidding"]["bids"] = bids
    return shown


def _turn(state: State) -> dict[str, Any] | None:
    if state.phase != "turn":
        return None
    return {"seat": state.seat, "placed": state.placed, "office_used": state.office_used}


def _ward(state: State, number: int) -> dict[str, Any]:
    ward = state.wards[number]
    return {
        "zone": ZONE_OF[number],
        "active": is_active(ward),
        "cubes": by_colour(ward.cubes),
        "bosses": list(ward.bosses),
        "locked": ward.locked,
    }


def _seat(state: State, seat: Seat) -> dict[str, Any]:
    player = state.players[seat]
    return {
        "name": PAWNS[seat],
        "pawn": PAWNS[seat],
        "chips": by_colour(player.chips),
        "slander": player.slander,
        "slandered": player.slandered,
        "vp": player.vp,
        "office": player.office,
        "bosses_left": available(state, seat),
    }


def _bidding(state: State, reader: Seat | None) -> dict[str, Any] | None:
    """The announcement of TH-9.5, who has handed in, and the reader's own bid and no other."""
    if state.phase != "bid":
        return None
    number = bidding_ward(state)
    asked = bidders(state, number)
    own = state.bids.get(reader) if reader in asked else None
    return {
        "ward": number,
        "candidates": [
            {
                "seat": seat,
                "bosses": state.wards[number].bosses[seat],
                "usable": by_colour(usable(state, number, seat)),
            }
            for seat in candidates(state.wards[number])
        ],
        "owes": owing(state),
        "handed_in": sorted(state.bids),
        "own": None if own is None else by_colour(own),
    }


def _bonus(state: State) -> dict[str, Any] | None:
    if state.phase != "bonus":
        return None
    number = bidding_ward(state)
    return {"ward": number, "kind": bonus_kind(number), "seat": state.won[number]}


def _assignment(state: State) -> dict[str, Any] | None:
    if state.phase != "assign":
        return None
    return {"mayor": state.mayor, "others": [seat for seat in range(len(state.players)) if seat != state.mayor]}
