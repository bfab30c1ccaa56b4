"""Features of a position of Tammany Hall: what tells who stands well, the same numbers for every seat."""

from typing import Final

from domain.engine.game import Seat
from domain.tammany_hall.rules.board import ELECTION_ORDER, TAMMANY_HALL
from domain.tammany_hall.rules.position import term
from domain.tammany_hall.rules.state import State
from domain.tammany_hall.search.choices import OFFICE_POWER
from domain.tammany_hall.search.outlook import outlook

NAMES: Final = (
    "points", "points ahead", "wards", "wards ahead", "cubes", "chips", "colours", "bosses", "mayor", "office",
    "slander",
)  # fmt: skip
ELECTING: Final = frozenset({"election", "bid", "bonus", "leaders", "mayor"})


def features(state: State, seat: Seat) -> list[float]:
    """How the seat stands, mostly against the mean of the others, about -1 to 1; in the order of `NAMES`."""
    rivals = [rival for rival in range(len(state.players)) if rival != seat]
    player, others = state.players[seat], [state.players[rival] for rival in rivals]
    wards, cubes = ward_shares(state)
    chips = [sum(it.chips) for it in others]
    bosses = [sum(ward.bosses[rival] for ward in state.wards.values()) for rival in range(len(state.players))]
    few = 1 / len(rivals)
    return [
        (player.vp - few * sum(it.vp for it in others)) / 20,
        (player.vp - max(it.vp for it in others)) / 20,
        (wards[seat] - few * sum(wards[rival] for rival in rivals)) / 5,
        (wards[seat] - max(wards[rival] for rival in rivals)) / 5,
        (cubes[seat] - few * sum(cubes[rival] for rival in rivals)) / 8,
        (sum(player.chips) - few * sum(chips)) / 8,
        colours_led(state, seat) / 4,
        (bosses[seat] - few * sum(bosses[rival] for rival in rivals)) / 5,
        float(state.mayor == seat),
        OFFICE_POWER[player.office],
        (player.slander - few * sum(it.slander for it in others)) / 2,
    ]


def ward_shares(state: State) -> tuple[list[float], list[float]]:
    """By seat, the wards of the coming election by chances, ward 14 twice (TH-11.1), and the cubes in them."""
    seen = outlook(state, 0)
    wards, cubes = [0.0] * len(state.players), [0.0] * len(state.players)
    over = resolved(state)
    for ward in seen.wards:
        points = 1 + (ward.number == TAMMANY_HALL)
        living = sum(state.wards[ward.number].cubes)
        if ward.number in over:
            winner = state.won.get(ward.number)
            if winner is not None:
                wards[winner] += points
                cubes[winner] += living
            continue
        for seat, weight in enumerate(ward.weights):
            share = weight / ward.total
            wards[seat] += points * share
            cubes[seat] += living * share
    return wards, cubes


def resolved(state: State) -> frozenset[int]:
    """The wards whose election is over, while one is held."""
    if state.phase not in ELECTING:
        return frozenset()
    if state.phase in ("leaders", "mayor"):
        return frozenset(ELECTION_ORDER)
    if state.ward is None:
        return frozenset()
    return frozenset(ELECTION_ORDER[: ELECTION_ORDER.index(state.ward) + (state.phase != "bid")])


def colours_led(state: State, seat: Seat) -> float:
    """In how many colours the seat has most chips (TH-13.2), one alone at the top more than one of two."""
    led = 0.0
    for colour, held in enumerate(state.players[seat].chips):
        best = max(player.chips[colour] for rival, player in enumerate(state.players) if rival != seat)
        led += (held > best) + 0.5 * (0 < held == best)
    return led


def stage(state: State) -> str:
    """The term: which weights hold."""
    return str(term(state))
