"""What one cube more or less in a ward is worth: for the leaders, and for whose chips then count (TH-9.6, TH-10)."""

from typing import Final

from domain.tammany_hall.rules.state import State
from domain.tammany_hall.search.outlook import FAVORS, Outlook, WardOutlook, favor_weights

LEADER_CUBE: Final = 0.35
"""What a cube in a ward surely won is worth: a part of the three chips of a leader."""


def cube_worth(state: State, seen: Outlook, ward: WardOutlook, colour: int) -> float:
    """What one more cube of a colour in a ward is worth."""
    worth = LEADER_CUBE * (ward.weights[seen.seat] - ward.feared) / ward.total
    if ward.colours >> colour & 1:
        return worth
    return worth + _other_colours(state, seen, ward, ward.colours | 1 << colour)


def loss_worth(state: State, seen: Outlook, ward: WardOutlook, colour: int) -> float:
    """What it is worth that a cube of a colour leaves a ward."""
    worth = -LEADER_CUBE * (ward.weights[seen.seat] - ward.feared) / ward.total
    if state.wards[ward.number].cubes[colour] > 1:
        return worth
    return worth + _other_colours(state, seen, ward, ward.colours & ~(1 << colour))


def _other_colours(state: State, seen: Outlook, ward: WardOutlook, colours: int) -> float:
    """What it is worth that chips of these colours count in a ward, and no others."""
    favors = seen.favors.get(colours)
    if favors is None:
        favors = seen.favors[colours] = favor_weights(state, colours, FAVORS[seen.years_left])
    held, seat = seen.favors[ward.colours], seen.seat
    weights = [weight * new / old for weight, new, old in zip(ward.weights, favors, held, strict=True)]
    total = ward.total - sum(ward.weights) + sum(weights)
    fear = sum(weight * fear for weight, fear in zip(weights, seen.fears, strict=True))
    gain = weights[seat] / total - ward.weights[seat] / ward.total
    return ward.worth * (gain + ward.feared / ward.total - fear / total)
