"""The outlook of a position: each seat's chance of each ward, and what one more boss, chip or cube is worth.

A ward's election is lost in the future, so a chance is a share: every seat weighs as much as its bosses and its usable
chips promise, the more sharply the nearer the election (TH-9.10). All worths are victory points of the seat that asks,
what its rivals lose counted in part.
"""

from dataclasses import dataclass
from math import exp
from operator import mul

from domain.engine.game import Seat
from domain.tammany_hall.rules.board import WardNumber
from domain.tammany_hall.rules.state import State
from domain.tammany_hall.search import judgement as judge
from domain.tammany_hall.search.races import Races, races, rough_races


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


@dataclass(slots=True)
class Outlook:
    """A position as one seat sees it."""

    seat: Seat
    place: int
    """How near the election is: a place in SPREAD."""
    years_left: int
    fears: list[float]
    """By seat, what a point that it wins costs the seat that asks."""
    entry: list[float]
    """By seat, the weight of having no boss in a ward."""
    wards: list[WardOutlook]
    favors: dict[int, list[float]]
    """By colours, the weight of each seat's usable chips."""
    races: Races

    def value(self, ward: WardOutlook, weights: list[float]) -> float:
        """What a ward is worth to the seat that asks, by these weights."""
        feared: float = sum(map(mul, weights, self.fears))
        return ward.worth * (weights[self.seat] - feared) / whole(weights)

    def own_value(self, ward: WardOutlook, own: float) -> float:
        """The same, where only the seat's own weight is another."""
        second = ward.first if own >= ward.first else own if own > ward.second else ward.second
        total = ward.rest + own + judge.NOBODY + judge.TIE * second
        return ward.worth * (own - ward.feared) / total

    def boss_worth(self, ward: WardOutlook, more: int) -> float:
        """What so many bosses more in a ward are worth."""
        bosses = ward.bosses[self.seat] + more
        own = judge.BOSSES[self.place][bosses] * self.favors[ward.colours][self.seat]
        return self.own_value(ward, own) - ward.now

    def judge_ward(self, ward: WardOutlook, leads: list[float], worth: float) -> None:
        """Work out what a ward is worth: points, the office of mayor, the leaders of its colours."""
        rivals = ward.weights[: self.seat] + ward.weights[self.seat + 1 :]
        ward.rest, ward.feared = sum(rivals), sum(map(mul, ward.weights, self.fears))
        rivals.sort()
        *_, ward.second, ward.first = rivals
        ward.worth = worth + sum(map(mul, ward.cubes, leads))
        ward.now = self.own_value(ward, ward.weights[self.seat])


def whole(weights: list[float]) -> float:
    """All weights with that of nobody, the greater the closer the first two are."""
    return sum(weights) + judge.NOBODY + judge.TIE * sorted(weights)[-2]


def fears(state: State, seat: Seat) -> list[float]:
    """By seat, what a point won by it costs the seat: most by who leads."""
    shares = [0.0 if rival == seat else exp(player.vp / judge.AHEAD) for rival, player in enumerate(state.players)]
    unit = judge.RIVALRY / sum(shares)
    return [share * unit for share in shares]


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


def outlook(state: State, seat: Seat, rough: bool = False) -> Outlook:
    """The position in the years, before any ward election; roughly, without a look at who is level with whom."""
    place, left, entry = nearness(state)
    wards, favors = weighed(state, place, entry)
    found = Outlook(
        seat,
        place,
        left,
        fears(state, seat),
        entry,
        wards,
        favors,
        rough_races(state) if rough else races(state, wards),
    )
    term = (state.year + 3) // 4
    leads = [found.races.leads[colour][seat] for colour in range(4)]
    apart = judge.KEPT[term] + found.races.mayor[seat]
    for ward in wards:
        found.judge_ward(ward, leads, judge.POINTS[ward.number] + apart)
    return found


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


def seats_to_move(state: State) -> frozenset[Seat]:
    """The seats whose turn of this year is still to come, after the one that is taken now."""
    if state.seat is None or state.first is None or state.phase not in ("garden", "turn", "ended"):
        return frozenset()
    seats = len(state.players)
    moved = (state.seat - state.first) % seats
    return frozenset(seat for seat in range(seats) if (seat - state.first) % seats > moved)
