"""What the action of an Office is worth to a seat, in votes, and how it is best carried out."""

from domain.city_hall.rules.actions import Buy, Campaign, Clause, Health, Lobby, Tax
from domain.city_hall.rules.available import available_lands
from domain.city_hall.rules.campaign import ADVANCE
from domain.city_hall.rules.health import PLUS, gains
from domain.city_hall.rules.lobbyist import BUY, SELL
from domain.city_hall.rules.options import option
from domain.city_hall.rules.pieces import Office
from domain.city_hall.rules.surveyor import PRICE
from domain.city_hall.search.building import zonings
from domain.city_hall.search.outlook import Outlook
from domain.city_hall.search.worth import (
    climb,
    expected_rating,
    influence_worth,
    land_worth,
    money_worth,
)
from domain.city_hall.search.worths import WORTHS
from domain.engine.game import Action

Scored = list[tuple[float, Action]]


def taxes(outlook: Outlook, seat: int) -> Scored:
    """Plain, double or triple income (CH-8.3)."""
    standing = outlook.seats[seat]
    money, income = standing.money, standing.income
    before = money_worth(outlook, standing, money)
    found: Scored = [(money_worth(outlook, standing, money + income) - before, Tax())]
    if standing.approval == 1:
        found.append((money_worth(outlook, standing, money + 2 * income) - before, Tax("double")))
    else:
        gain = money_worth(outlook, standing, money + 3 * income) - before
        found.append((gain + climb(outlook, standing, -1), Tax("triple")))
    return found


def campaigns(outlook: Outlook, seat: int) -> Scored:
    """One, two or three spaces (CH-8.4)."""
    standing = outlook.seats[seat]
    money = standing.money
    before = money_worth(outlook, standing, money)
    found: Scored = [
        (climb(outlook, standing, ADVANCE[pay]) - before + money_worth(outlook, standing, money - pay), Campaign(pay))
        for pay in (0, 10, 30)
        if pay <= money
    ]
    if option(outlook.state, "campaign") == "optional":
        found.append((0.0, Campaign("none")))
    return found


def lobbies(outlook: Outlook, seat: int) -> Scored:
    """Influence for the rating; then some bought, or some sold (CH-8.7)."""
    standing = outlook.seats[seat]
    held = standing.influence + outlook.board.ratings[standing.approval - 1]
    money, before = standing.money, influence_worth(outlook, standing.influence)
    worth = money_worth(outlook, standing, money)
    found: Scored = [(influence_worth(outlook, held) - before, Lobby())]
    for count in (1, 2, 3, 5):
        clauses: list[tuple[int, int, Clause]] = []
        if count * BUY <= money:
            clauses.append((held + count, money - count * BUY, {"buy": count}))
        if count <= held:
            clauses.append((held - count, money + count * SELL, {"sell": count}))
        for cards, left, clause in clauses:
            gain = influence_worth(outlook, cards) - before + money_worth(outlook, standing, left) - worth
            found.append((gain, Lobby([clause])))
    return found


def purchases(outlook: Outlook, seat: int) -> Scored:
    """An available space that can be paid, or none (CH-8.11)."""
    state, standing = outlook.state, outlook.seats[seat]
    money = standing.money
    before = money_worth(outlook, standing, money)
    found: Scored = [(0.0, Buy(None))]
    for land in available_lands(state):
        left = money - PRICE + state.lands[land].money
        if left >= 0:
            worth = land_worth(outlook, seat, land) + money_worth(outlook, standing, left) - before
            found.append((worth, Buy(land)))
    return found


def counts_of_stars(outlook: Outlook, seat: int) -> Scored:
    """The Health Commissioner with each bonus: own Population, less what rivals gain by it (CH-8.22)."""
    found: Scored = []
    for bonus in ("plus3", "double", "none"):
        if bonus == "none" and option(outlook.state, "health-bonus") == "mandatory":
            continue
        totals = bonus_totals(outlook, seat, bonus)
        found.append((relative(outlook, seat, population_gains(outlook, totals)), Health(bonus)))
    return found


def bonus_totals(outlook: Outlook, seat: int, bonus: str) -> list[int]:
    """The stars of everybody, the controller's with a bonus (CH-8.22)."""
    totals = [standing.stars for standing in outlook.seats]
    totals[seat] = totals[seat] + PLUS if bonus == "plus3" else totals[seat] * (2 if bonus == "double" else 1)
    return totals


def population_gains(outlook: Outlook, totals: list[int]) -> list[float]:
    """Votes by seat for the Population these totals bring."""
    gained = gains(outlook.state, totals)
    return [gain * expected_rating(outlook, standing) for gain, standing in zip(gained, outlook.seats, strict=True)]


def relative(outlook: Outlook, seat: int, gains: list[float]) -> float:
    """An own gain less the mean gain of the rivals."""
    return gains[seat] - outlook.rivalry * (sum(gains) - gains[seat])


def resolutions(outlook: Outlook, seat: int, office: Office, most: int = 3) -> Scored:
    """What can be done with an Office, with its worth in votes."""
    match office:
        case "tax":
            return taxes(outlook, seat)
        case "campaign":
            return campaigns(outlook, seat)
        case "lobbyist":
            return lobbies(outlook, seat)
        case "surveyor":
            return purchases(outlook, seat)
        case "zoning":
            return list(zonings(outlook, seat, most))
        case "health":
            return counts_of_stars(outlook, seat)
        case _:
            return []


def gain_of(outlook: Outlook, seat: int, office: Office) -> float:
    """What a seat gains by controlling an Office now, in votes."""
    if office == "deputy":
        first = outlook.state.turn_order[0] == seat
        return (1.0 if outlook.state.final else WORTHS.first) * (0.3 if first else 1.0)
    if office == "zoning" and not outlook.state.revealed:
        return _zoning_ahead(outlook, seat)
    if office == "surveyor" and outlook.state.office is None:
        return max(2.0 * (outlook.left > 0), max(purchases(outlook, seat), key=lambda choice: choice[0])[0])
    return max(resolutions(outlook, seat, office, 1), key=lambda choice: choice[0])[0]


def _zoning_ahead(outlook: Outlook, seat: int) -> float:
    """The Zoning Board before its cards are revealed."""
    standing = outlook.seats[seat]
    if not standing.empty:
        return 4.0 * min(1.0, outlook.left / 2)
    found = max(zonings(outlook, seat, 1), key=lambda choice: choice[0])[0]
    return max(found, WORTHS.zoning if outlook.left > 0 else 0.6 * WORTHS.zoning)
