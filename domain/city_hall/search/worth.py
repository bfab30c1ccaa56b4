"""What things are worth, in votes at the election: approval, money, Influence, stars, land, Endorsements."""

from typing import Final

from domain.city_hall.rules.pieces import Land
from domain.city_hall.search.outlook import BOROUGH_NUMBER, Outlook, Standing
from domain.city_hall.search.worths import WORTHS

LAST: Final = 10
SLOPE: Final = 4 / 9
"""Points of rating for a space of approval, over the whole track."""
ENDORSED: Final = 10.0


def expected_approval(outlook: Outlook, standing: Standing) -> float:
    """The approval space to be expected at the election."""
    paid = WORTHS.climb_money * min(standing.money, 60) * min(1, outlook.left + 0.3)
    return min(LAST, standing.approval + WORTHS.climb_round * outlook.left + paid)


def rating_at(outlook: Outlook, space: float) -> float:
    """The rating of a space: as printed in the final round, else smooth."""
    if outlook.state.final:
        return outlook.board.ratings[int(space) - 1]
    return 1 + SLOPE * (space - 1)


def expected_rating(outlook: Outlook, standing: Standing) -> float:
    """The rating to be expected at the election: what one more Population is worth."""
    return 1 + SLOPE * (expected_approval(outlook, standing) - 1)


def climb(outlook: Outlook, standing: Standing, steps: int) -> float:
    """Votes that so many spaces up (or down) the Approval Rating Track bring."""
    here = standing.approval
    there = max(1, min(LAST, here + steps))
    smooth = SLOPE * (there - here)
    if not outlook.state.final:
        return WORTHS.climb * smooth * standing.due
    ratings = outlook.board.ratings
    return (0.75 * (ratings[there - 1] - ratings[here - 1]) + 0.25 * smooth) * standing.due


def money_worth(outlook: Outlook, standing: Standing, money: float) -> float:
    """Votes that so much money may become: by campaigns, by land, and by being the most on Wall Street."""
    room = LAST - standing.approval
    space = SLOPE * standing.due * (1.0 if outlook.state.final else WORTHS.climb)
    if outlook.state.final:
        open_campaign = outlook.state.offices["campaign"].staffer is None or outlook.state.office == "campaign"
        use = 0.6 if open_campaign else 0.0
        wall = WORTHS.wall_final * min(money, 90)
    else:
        use = WORTHS.campaigns
        wall = WORTHS.wall * min(money, 120)
    first = min(money, 10) / 10 if room > 1 else 0.0
    second = min(max(money - 10, 0), 20) / 20 if room > 2 else 0.0
    more = min(max(money - 30, 0), 60) / 60 * min(1.5, outlook.left)
    return use * space * (first + WORTHS.second * second + WORTHS.more * more) + wall


def influence_worth(outlook: Outlook, influence: float) -> float:
    """Votes that so much Influence may become."""
    state = outlook.state
    share = WORTHS.spent + 0.5 * (len(state.schedule) - state.turn) / 7 if state.final else 1.0
    first, then = min(influence, WORTHS.full), max(influence - WORTHS.full, 0)
    return share * outlook.plenty * WORTHS.influence * (first + 0.5 * then)


def star_worth(outlook: Outlook, standing: Standing) -> float:
    """Votes for one more star."""
    return (WORTHS.star * (len(outlook.seats) - 1) + 0.12) * outlook.healths * expected_rating(outlook, standing)


def most_worth(outlook: Outlook, own: int, rivals: list[int]) -> float:
    """Votes for one more of what an Endorsement counts: less surely while much can happen."""
    best = max(rivals)
    sure = 1.0 if outlook.state.final else WORTHS.sure
    if own == best:
        return ENDORSED * sure
    if own == best - 1:
        return ENDORSED * sure * outlook.rivalry * (rivals.count(best) == 1)
    return ENDORSED * (0.1 if outlook.state.final else WORTHS.near) * (abs(own - best) <= 2)


def kind_worth(outlook: Outlook, seat: int, kind: int) -> float:
    """Votes for the Endorsement of one more Permit of a kind."""
    seats = outlook.seats
    return most_worth(
        outlook,
        seats[seat].kinds[kind],
        [standing.kinds[kind] for other, standing in enumerate(seats) if other != seat],
    )


def land_worth(outlook: Outlook, seat: int, land: Land) -> float:
    """Votes that a space may bring to a seat: a place to build on, and one more in its borough."""
    borough = BOROUGH_NUMBER[outlook.board.borough_of[land]]
    seats = outlook.seats
    standing = seats[seat]
    rivals = [other.boroughs[borough] for number, other in enumerate(seats) if number != seat]
    worth = most_worth(outlook, standing.boroughs[borough], rivals)
    building = WORTHS.site * min(1.0, outlook.left / 2.5) / (1 + WORTHS.crowd * len(standing.empty))
    return worth + building * star_worth(outlook, standing) * site(outlook, seat, land)


def site(outlook: Outlook, seat: int, land: Land) -> float:
    """How many stars a Building may have on a space, its own neighbours counted double."""
    state, permits = outlook.state, outlook.permits
    found = 1.2 * outlook.board.boroughs[outlook.board.borough_of[land]].star_bonus + 1.0
    for other in outlook.board.neighbours[land]:
        permit = permits.get(other)
        if permit is None:
            found += 0.25 if state.lands[other].owner == seat else 0.08
        elif permit != "factory":
            found += 1.0 if state.lands[other].owner == seat else 0.4
    return found
