"""Weights: what the bosses and usable chips of each seat promise in each ward, sharper the nearer the election."""

from dataclasses import dataclass

from domain.engine.game import Seat
from domain.tammany_hall.rules.board import WardNumber
from domain.tammany_hall.rules.state import State
from domain.tammany_hall.search import judgement as judge


@dataclass(slots=True)
class WardOutlook:
    """One active ward: how each seat weighs in it, and what winning it is worth to the seat that asks."""

    number: WardNumber
    colours: int
    """Those that live there, as bits in colour order."""
    cubes: list[int]
    bosses: list[int]
    locked: bool
    weights: list[float]
    total: float
    worth: float = 0.0
    rest: float = 0.0
    """The weights of the rivals together."""
    feared: float = 0.0
    """The same, each by how much it is feared."""
    first: float = 0.0
    second: float = 0.0
    """The two greatest weights of rivals."""
    now: float = 0.0
    """What the ward is worth to the seat that asks, as it stands."""

    def share(self, seat: Seat) -> float:
        """A seat's chance of the ward."""
        return self.weights[seat] / self.total


def nearness(state: State) -> tuple[int, int, list[float]]:
    """How near the election is, as a place in SPREAD and in years; by seat, the weight of having no boss in a ward."""
    left = 3 - (state.year - 1) % 4
    if state.phase in ("assign", "term"):
        left = 3
    to_move = seats_to_move(state)
    place = judge.LAST_YEAR + left if left else len(to_move)
    return place, left, [judge.ENTRY[left] if left or seat in to_move else 0.0 for seat in range(len(state.players))]


def weighed(state: State, place: int, entry: list[float]) -> tuple[list[WardOutlook], dict[int, list[float]]]:
    """The active wards with the weights of all seats, and the weights of chips by the colours that live there."""
    powers, favors, wards = judge.BOSSES[place], dict[int, list[float]](), []
    for number, ward in state.wards.items():
        irish, english, german, italian = ward.cubes
        colours = (irish > 0) | (english > 0) << 1 | (german > 0) << 2 | (italian > 0) << 3
        if not colours:
            continue
        held = favors.get(colours)
        if held is None:
            held = favors[colours] = favor_weights(state, colours, place)
        weights = [
            (powers[count] if count else nothing) * favor
            for count, favor, nothing in zip(ward.bosses, held, entry, strict=True)
        ]
        wards.append(
            WardOutlook(number, colours, ward.cubes, ward.bosses, ward.locked, weights, whole(weights))  # type: ignore[arg-type]
        )
    return wards, favors


def whole(weights: list[float]) -> float:
    """All weights with that of nobody, the greater the closer the first two are."""
    return sum(weights) + judge.NOBODY + judge.TIE * sorted(weights)[-2]


def favor_weights(state: State, colours: int, place: int) -> list[float]:
    """By seat, the weight of the chips that count where these colours live (TH-9.6)."""
    table, weights = judge.FAVORS[place], []
    for player in state.players:
        irish, english, german, italian = player.chips
        usable = irish if colours & 1 else 0
        if colours & 2:
            usable += english
        if colours & 4:
            usable += german
        if colours & 8:
            usable += italian
        weights.append(table[usable])
    return weights


def seats_to_move(state: State) -> frozenset[Seat]:
    """The seats whose turn of this year is still to come, after the one that is taken now."""
    if state.seat is None or state.first is None or state.phase not in ("garden", "turn", "ended"):
        return frozenset()
    seats = len(state.players)
    moved = (state.seat - state.first) % seats
    return frozenset(seat for seat in range(seats) if (seat - state.first) % seats > moved)
