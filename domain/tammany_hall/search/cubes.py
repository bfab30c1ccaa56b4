"""What one cube more or less in a ward is worth: for the leaders, and for whose chips then count (TH-9.6, TH-10)."""

from operator import mul

from domain.tammany_hall.rules.state import State
from domain.tammany_hall.search.outlook import Outlook
from domain.tammany_hall.search.weighing import WardOutlook, favor_weights


def cube_worth(state: State, seen: Outlook, ward: WardOutlook, colour: int) -> float:
    """What one more cube of a colour in a ward is worth."""
    worth = leader_worth(seen, ward, colour)
    if ward.colours >> colour & 1:
        return worth
    return worth + _other_colours(state, seen, ward, ward.colours | 1 << colour)


def loss_worth(state: State, seen: Outlook, ward: WardOutlook, colour: int) -> float:
    """What it is worth that a cube of a colour leaves a ward."""
    worth = -leader_worth(seen, ward, colour)
    if ward.cubes[colour] > 1:
        return worth
    return worth + _other_colours(state, seen, ward, ward.colours & ~(1 << colour))


def leader_worth(seen: Outlook, ward: WardOutlook, colour: int) -> float:
    """What one cube of a colour in a ward does to the race for its leader."""
    leads = seen.races.leads[colour]
    feared: float = sum(map(mul, map(mul, leads, seen.fears), ward.weights))
    return (leads[seen.seat] * ward.weights[seen.seat] - feared) / ward.total


def _other_colours(state: State, seen: Outlook, ward: WardOutlook, colours: int) -> float:
    """What it is worth that chips of these colours count in a ward, and no others."""
    favors = seen.favors.get(colours)
    if favors is None:
        favors = seen.favors[colours] = favor_weights(state, colours, seen.place)
    held = seen.favors[ward.colours]
    weights = [weight * new / old for weight, new, old in zip(ward.weights, favors, held, strict=True)]
    return seen.value(ward, weights) - ward.now
