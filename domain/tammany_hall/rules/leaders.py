"""Immigrant leaders: who holds most cubes of a colour takes three chips of it (TH-10)."""

from domain.engine.game import Event, Seat
from domain.tammany_hall.rules.board import COLOURS, INDEX, Colour
from domain.tammany_hall.rules.events import LeadersAwarded, evolves
from domain.tammany_hall.rules.options import option
from domain.tammany_hall.rules.position import clockwise
from domain.tammany_hall.rules.state import State

AWARD = 3


def award_leaders(state: State) -> list[Event]:
    """The leaders of every colour and the chips they take (TH-10.1 to TH-10.6)."""
    leaders: dict[Colour, list[Seat]] = {}
    cubes: dict[Colour, int] = {}
    chips: dict[Colour, dict[str, int]] = {}
    for colour, index in INDEX.items():
        counts = cubes_won(state, index)
        most = max(counts)
        leads = most > 0 or option(state, "leader-zero") == "all"
        leaders[colour] = [seat for seat, count in enumerate(counts) if count == most] if leads else []
        cubes[colour] = most
        chips[colour] = {str(seat): taken for seat, taken in _shares(state, index, leaders[colour]).items() if taken}
    return [LeadersAwarded(leaders, cubes, chips)]


def cubes_won(state: State, colour: int) -> list[int]:
    """By seat, the cubes of a colour in the wards won in this election (TH-10.1)."""
    counts = [0] * len(state.players)
    for number, winner in state.won.items():
        counts[winner] += state.wards[number].cubes[colour]
    return counts


def _shares(state: State, colour: int, leaders: list[Seat]) -> dict[Seat, int]:
    """Three chips for each leader, or one each in turn while the supply lasts (TH-10.5)."""
    assert state.first is not None, "an election before a first player"
    supply = state.supply[colour]
    in_turn = [seat for seat in clockwise(state, state.first) if seat in leaders]
    shares = dict.fromkeys(sorted(leaders), 0)
    for seat in (in_turn * AWARD)[:supply]:
        shares[seat] += 1
    return shares


@evolves(LeadersAwarded)
def leaders_awarded(state: State, event: LeadersAwarded) -> None:
    """The chips are with the leaders, who show in the leader boxes until the next election (TH-10.7)."""
    for colour, shares in event.chips.items():
        index = INDEX[colour]
        for seat, chips in shares.items():
            state.players[int(seat)].chips[index] += chips
            state.supply[index] -= chips
    state.leaders = [event.leaders[colour] for colour in COLOURS]
    state.ward = None
    state.phase = "mayor"
