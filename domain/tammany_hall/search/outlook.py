"""The outlook of a position: each seat's chance of each ward, and what one more boss, chip or cube is worth.

A ward's election is lost in the future, so a chance is a share: every seat weighs as much as its bosses and its usable
chips promise, the more sharply the nearer the election (TH-9.10). All worths are victory points of the seat that asks,
what its rivals lose counted in part.
"""

from dataclasses import dataclass
from math import exp
from operator import mul

from domain.engine.game import Seat
from domain.tammany_hall.rules.state import State
from domain.tammany_hall.search import judgement as judge
from domain.tammany_hall.search.races import Races, races, rough_races
from domain.tammany_hall.search.weighing import WardOutlook, nearness, weighed, whole


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


def fears(state: State, seat: Seat) -> list[float]:
    """By seat, what a point won by it costs the seat: most by who leads."""
    shares = [0.0 if rival == seat else exp(player.vp / judge.AHEAD) for rival, player in enumerate(state.players)]
    unit = judge.RIVALRY / sum(shares)
    return [share * unit for share in shares]


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
