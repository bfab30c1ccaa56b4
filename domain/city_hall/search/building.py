"""Where to place what: what each Permit on each empty space is worth to a seat, in votes."""

from collections.abc import Sequence

from domain.city_hall.rules.actions import Placement, Zone
from domain.city_hall.rules.pieces import INDEX, PERMITS, Land, Permit
from domain.city_hall.rules.stars import star_value
from domain.city_hall.rules.taxes import FACTORY, TOWER
from domain.city_hall.search.outlook import Outlook
from domain.city_hall.search.worth import climb, kind_worth, star_worth
from domain.city_hall.search.worths import WORTHS


def placed_worth(outlook: Outlook, seat: int, permit: Permit, land: Land) -> float:
    """Votes for a Permit on a space: stars, approval, income, an Endorsement; a rival's gains are losses."""
    state, board, permits, seats = outlook.state, outlook.board, outlook.permits, outlook.seats
    standing = seats[seat]
    permits[land] = permit
    own = star_value(board, permits, land) or 0
    others = 0
    steps = buildings = 0
    lost = 0.0
    for near in board.neighbours[land]:
        kind = permits.get(near)
        if kind is None:
            continue
        space = state.lands[near]
        if kind == "park":
            if permit != "park":
                if space.owner == seat:
                    steps += 1
                elif space.owner is not None:
                    lost += climb(outlook, seats[space.owner], 1)
            continue
        buildings += 1
        change = (star_value(board, permits, near) or 0) - (space.stars or 0)
        if change and space.owner == seat:
            own += change
        else:
            others += change
    del permits[land]
    if permit == "park":
        steps = buildings // 2
    worth = star_worth(outlook, standing) * (own - WORTHS.spoil * outlook.rivalry * others) - outlook.rivalry * lost
    if steps:
        worth += climb(outlook, standing, steps)
    if permit == "park":
        worth += WORTHS.garden * outlook.left * sum(near not in permits for near in board.neighbours[land])
    elif permit == "tower":
        worth += WORTHS.income * TOWER * min(3, outlook.left)
    elif permit == "factory":
        worth += WORTHS.income * FACTORY * min(3, outlook.left)
    return worth + WORTHS.built * min(1.0, outlook.left) + kind_worth(outlook, seat, INDEX[permit])


def held_worth(outlook: Outlook, permit: Permit) -> float:
    """Votes for a Permit that stays in hand."""
    return float(getattr(WORTHS, permit)) * min(1.0, outlook.left / 2)


def placements(outlook: Outlook, seat: int, permits: Sequence[Permit]) -> list[tuple[float, Permit, Land]]:
    """All places for each of these kinds, the best first."""
    empty = outlook.seats[seat].empty
    found = [(placed_worth(outlook, seat, permit, land), permit, land) for permit in permits for land in empty]
    found.sort(key=lambda place: -place[0])
    return found


def zonings(outlook: Outlook, seat: int, most: int) -> list[tuple[float, Zone]]:
    """Choices of the Zoning Board with their worth, some of each kind (CH-8.17)."""
    revealed, hand = outlook.state.revealed, outlook.seats[seat].hand or [0, 0, 0, 0]
    own = [permit for permit in PERMITS if hand[INDEX[permit]]]
    shown = [permit for permit in PERMITS if permit in revealed]
    places = placements(outlook, seat, list(dict.fromkeys([*shown, *own])))
    found = [_taken(outlook, list(revealed))]
    for worth, permit, land in places[: most + 2]:
        build = [Placement(permit, land)]
        if permit in revealed and not hand[INDEX[permit]]:
            found.append((worth, Zone([permit], build)))
        elif shown:
            best = max(shown, key=lambda kind: held_worth(outlook, kind))
            found.append((worth + held_worth(outlook, best) - held_worth(outlook, permit), Zone([best], build)))
    found += _pairs(outlook, hand, [place for place in places if hand[INDEX[place[1]]]][: most + 2])
    return found


def _taken(outlook: Outlook, revealed: list[Permit]) -> tuple[float, Zone]:
    """Choice A: the two that are worth most in hand."""
    chosen = sorted(revealed, key=lambda kind: -held_worth(outlook, kind))[:2]
    return sum(held_worth(outlook, kind) for kind in chosen), Zone(sorted(chosen, key=PERMITS.index))


def _pairs(outlook: Outlook, hand: list[int], places: list[tuple[float, Permit, Land]]) -> list[tuple[float, Zone]]:
    """Choice C: two from the hand, the second one where the first is not."""
    found = []
    for number, (worth, permit, land) in enumerate(places):
        for gain, other, where in places[number + 1 :]:
            if where == land or (permit == other and hand[INDEX[permit]] < 2):
                continue
            both = [Placement(permit, land), Placement(other, where)]
            if permit == "park":
                both.reverse()  # a Park counts the Buildings there are (CH-10.1)
            lost = held_worth(outlook, permit) + held_worth(outlook, other)
            found.append((worth + gain - lost, Zone([], both)))
    return found
