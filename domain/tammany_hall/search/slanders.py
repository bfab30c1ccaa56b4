"""The best slander of a turn, after its placement and a favor taken (TH-8, TH-4.7)."""

from collections.abc import Iterator
from dataclasses import dataclass

from domain.engine.game import Action
from domain.tammany_hall.rules.actions import OfficeFavor, Place, Settle, Slander
from domain.tammany_hall.rules.board import COLOURS, INDEX, NEIGHBOURS, WardNumber
from domain.tammany_hall.rules.options import option
from domain.tammany_hall.rules.position import locks_seal
from domain.tammany_hall.rules.slander import BOTH_STEPS
from domain.tammany_hall.rules.state import State
from domain.tammany_hall.search import judgement as judge
from domain.tammany_hall.search.outlook import Outlook
from domain.tammany_hall.search.weighing import WardOutlook


@dataclass(slots=True)
class Means:
    """What a seat has for a slander: chips by colour, bosses placed in this turn by ward, the cube settled."""

    chips: list[int]
    bosses: dict[int, int]
    cube: tuple[int, int] | None


@dataclass(slots=True, frozen=True)
class Step:
    """One step that could be taken, and what it is worth; a first one only with a boss of one's own."""

    target: int
    colour: int
    ward: WardNumber
    gain: float
    first: bool


def slander(
    state: State,
    seen: Outlook,
    placement: Place | Settle | None,
    office: Action | None,
    chips: list[float],
    least: float = 0.0,
) -> tuple[float, Slander | None]:
    """The best slander, and what it is worth after its price; (0, None) where none is worth more than `least`."""
    player = state.players[seen.seat]
    if state.year <= 4 or player.slandered or not player.slander:
        return 0.0, None
    means = means_after(state, seen, placement, office)
    found = list(steps(state, seen, means)) if any(means.chips) else []
    price = judge.UNUSED + judge.LATER[seen.years_left]
    best: tuple[float, Slander | None] = (least, None)
    for step in found:
        if not step.first:
            continue
        worth, name = step.gain - price - chips[step.colour], COLOURS[step.colour]
        if worth > best[0]:
            best = worth, Slander(step.target, step.ward, name)
        if means.chips[step.colour] >= BOTH_STEPS:
            for then in found:
                more = worth + then.gain - 2 * chips[step.colour]
                if more > best[0] and follows(step, then):
                    best = more, Slander(step.target, step.ward, name, then.ward)
    return (0.0, None) if best[1] is None else best


def follows(step: Step, then: Step) -> bool:
    """Whether a step may be the second after this one: same victim, same colour, next door (TH-8.4)."""
    return then.target == step.target and then.colour == step.colour and then.ward in NEIGHBOURS[step.ward]


def means_after(state: State, seen: Outlook, placement: Place | Settle | None, office: Action | None) -> Means:
    """What the seat has after a placement and a favor taken."""
    means = Means(list(state.players[seen.seat].chips), {}, None)
    if isinstance(office, OfficeFavor):
        means.chips[INDEX[office.favor]] += 1
    if isinstance(placement, Place):
        for number in placement.wards:
            means.bosses[number] = means.bosses.get(number, 0) + 1
    elif placement is not None:
        colour = INDEX[placement.cube]
        means.bosses[placement.boss] = 1
        means.cube = placement.ward, colour
        means.chips[colour] += state.supply[colour] > 0
    return means


def steps(state: State, seen: Outlook, means: Means) -> Iterator[Step]:
    """The steps that could be taken and do the seat any good (TH-8.3, TH-8.4)."""
    sealed = locks_seal(state)
    anywhere = option(state, "second-slander-presence") == "not-required"
    for ward in seen.wards:
        own = ward.bosses[seen.seat] + means.bosses.get(ward.number, 0)
        if (ward.locked and sealed) or not (own or anywhere):
            continue
        for target, count in enumerate(ward.bosses):
            if not count or target == seen.seat or (gain := drive_out_worth(seen, ward, target, own)) <= 0:
                continue
            for colour, held in enumerate(means.chips):
                if held and (ward.cubes[colour] or means.cube == (ward.number, colour)):
                    yield Step(target, colour, ward.number, gain, own > 0)


def drive_out_worth(seen: Outlook, ward: WardOutlook, target: int, own: int) -> float:
    """What it is worth that a rival's boss leaves a ward, the seat having so many bosses there."""
    powers, favors = judge.BOSSES[seen.place], seen.favors[ward.colours]
    weights = ward.weights[:]
    if own:
        weights[seen.seat] = powers[own] * favors[seen.seat]
    before, count = seen.value(ward, weights), ward.bosses[target]
    weights[target] = (powers[count - 1] if count > 1 else seen.entry[target]) * favors[target]
    return seen.value(ward, weights) - before
