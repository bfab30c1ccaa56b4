"""The best slander of a turn, if one pays (TH-8)."""

from domain.engine.game import Action
from domain.tammany_hall.rules.actions import OfficeFavor, Place, Settle, Slander
from domain.tammany_hall.rules.board import COLOURS, INDEX, NEIGHBOURS, WardNumber
from domain.tammany_hall.rules.options import option
from domain.tammany_hall.rules.position import locks_seal
from domain.tammany_hall.rules.state import State
from domain.tammany_hall.search import judgement as judge
from domain.tammany_hall.search.outlook import Outlook, WardOutlook


def slander(
    state: State,
    seen: Outlook,
    placement: Place | Settle | None,
    office: tuple[float, Action] | None,
    chips: list[float],
) -> tuple[float, Slander | None]:
    """The best slander after a placement and a favor taken, and what it is worth after its price; or (0, None)."""
    player = state.players[seen.seat]
    if state.year <= 4 or player.slandered or not player.slander:
        return 0.0, None
    held = list(player.chips)
    if office is not None and isinstance(office[1], OfficeFavor):
        held[INDEX[office[1].favor]] += 1
    bosses: dict[int, int] = {}
    cube: tuple[int, int] | None = None
    if isinstance(placement, Place):
        for number in placement.wards:
            bosses[number] = bosses.get(number, 0) + 1
    elif placement is not None:
        bosses[placement.boss] = 1
        cube = placement.ward, INDEX[placement.cube]
        held[cube[1]] += state.supply[cube[1]] > 0
    if not any(held):
        return 0.0, None
    sealed = locks_seal(state)
    anywhere = option(state, "second-slander-presence") == "not-required"
    steps: dict[tuple[int, int], list[tuple[float, WardNumber, bool]]] = {}
    for ward in seen.wards:
        if ward.locked and sealed:
            continue
        own = ward.bosses[seen.seat] + bosses.get(ward.number, 0)
        if not own and not anywhere:
            continue
        for target, count in enumerate(ward.bosses):
            if not count or target == seen.seat:
                continue
            gain = drive_out_worth(seen, ward, target, own)
            if gain <= 0:
                continue
            for colour in range(4):
                present = ward.colours >> colour & 1 or cube == (ward.number, colour)
                if held[colour] and present:
                    steps.setdefault((target, colour), []).append((gain, ward.number, own > 0))
    best: tuple[float, Slander | None] = (0.0, None)
    for (target, colour), choices in steps.items():
        price = judge.UNUSED + judge.LATER[seen.years_left] + chips[colour]
        for gain, number, own in choices:
            if not own:
                continue
            if gain - price > best[0]:
                best = gain - price, Slander(target, number, COLOURS[colour])
            if held[colour] < 3:
                continue
            for other, second, _ in choices:
                worth = gain + other - price - 2 * chips[colour]
                if second in NEIGHBOURS[number] and worth > best[0]:
                    best = worth, Slander(target, number, COLOURS[colour], second)
    return best


def drive_out_worth(seen: Outlook, ward: WardOutlook, target: int, own: int) -> float:
    """What it is worth that a rival's boss leaves a ward, the seat having so many bosses there."""
    powers, favors = judge.BOSSES[seen.place], seen.favors[ward.colours]
    weights = ward.weights[:]
    if own:
        weights[seen.seat] = powers[own] * favors[seen.seat]
    before, count = seen.value(ward, weights), ward.bosses[target]
    weights[target] = (powers[count - 1] if count > 1 else seen.entry[target]) * favors[target]
    return seen.value(ward, weights) - before
