"""The auction: what to bid, and whether to keep an Office or accept a bid, from what it is worth to each (CH-7)."""

from domain.city_hall.rules.pieces import Office
from domain.city_hall.search.offices import gain_of, population_gains, relative
from domain.city_hall.search.outlook import Outlook
from domain.city_hall.search.worth import influence_worth
from domain.city_hall.search.worths import WORTHS


def prizes(outlook: Outlook, office: Office, seats: list[int]) -> dict[int, float]:
    """What each of these seats gains in votes if it controls an Office, against nobody's controlling it."""
    if office == "health":
        return _prizes_of_health(outlook, seats)
    return {seat: gain_of(outlook, seat, office) for seat in seats}


def _prizes_of_health(outlook: Outlook, seats: list[int]) -> dict[int, float]:
    """The bonus alone: the stars are counted whoever controls it."""
    plain = [standing.stars for standing in outlook.seats]
    base = population_gains(outlook, plain)
    found = {}
    for seat in seats:
        totals = plain.copy()
        totals[seat] = max(totals[seat] + 3, totals[seat] * 2)
        gains = [gain - before for gain, before in zip(population_gains(outlook, totals), base, strict=True)]
        found[seat] = relative(outlook, seat, gains)
    return found


def price(outlook: Outlook, seat: int, amount: int) -> float:
    """Votes that so much Influence paid costs a seat."""
    held = outlook.seats[seat].influence
    return influence_worth(outlook, held) - influence_worth(outlook, max(0, held - amount))


def proceeds(outlook: Outlook, seat: int, amount: int) -> float:
    """Votes that so much Influence received is worth to a seat."""
    held = outlook.seats[seat].influence
    return influence_worth(outlook, held + amount) - influence_worth(outlook, held)


def kept(outlook: Outlook, prize: dict[int, float], activator: int, amount: int) -> float:
    """What keeping for so much is worth to the activator, in votes."""
    return prize[activator] - price(outlook, activator, amount)


def accepted(outlook: Outlook, prize: dict[int, float], activator: int, bidder: int, amount: int) -> float:
    """What accepting a bid is worth to the activator, in votes: the bidder's gain is in part a loss."""
    gain = prize[bidder] - price(outlook, bidder, amount)
    return proceeds(outlook, activator, amount) - outlook.rivalry * gain


def bid_values(
    outlook: Outlook, prize: dict[int, float], seat: int, activator: int, high: tuple[int, int] | None, amounts: range
) -> list[tuple[float, int | None]]:
    """What passing (None) and each of these bids is worth to a bidder, if the activator answers well."""
    found: list[tuple[float, int | None]] = [(_if_passed(outlook, prize, seat, activator, high), None)]
    for amount in amounts:
        payable = outlook.seats[activator].influence >= amount
        keep = kept(outlook, prize, activator, amount) if payable else -1e9
        accept = accepted(outlook, prize, activator, seat, amount)
        kept_for_me = -outlook.rivalry * keep
        won = prize[seat] - price(outlook, seat, amount) - outlook.rivalry * proceeds(outlook, activator, amount)
        sure = max(0.0, min(1.0, 0.5 + (accept - keep) / WORTHS.chance)) if payable else 1.0
        if high is not None and amount == high[1]:
            sure *= 0.5
        found.append((sure * won + (1 - sure) * kept_for_me if payable else won, amount))
    return found


def _if_passed(
    outlook: Outlook, prize: dict[int, float], seat: int, activator: int, high: tuple[int, int] | None
) -> float:
    """What becomes of it without a bid of this seat: the activator keeps it, or the high bidder has it."""
    if high is None:
        return -outlook.rivalry * prize[activator]
    bidder, amount = high
    payable = outlook.seats[activator].influence >= amount
    keep = kept(outlook, prize, activator, amount) if payable else -1e9
    if keep >= accepted(outlook, prize, activator, bidder, amount):
        return -outlook.rivalry * keep
    return -outlook.rivalry * (prize[bidder] - price(outlook, bidder, amount) + proceeds(outlook, activator, amount))


def activation_value(outlook: Outlook, seat: int, office: Office) -> float:
    """What activating an Office is worth, in votes: what lies on it, and the auction among all who want it."""
    others = [other for other in range(len(outlook.seats)) if other != seat]
    prize = prizes(outlook, office, [seat, *others])
    lying = outlook.state.offices[office].influence
    total = proceeds(outlook, seat, lying)
    if office == "health":
        total += relative(outlook, seat, population_gains(outlook, [standing.stars for standing in outlook.seats]))
    rival = max(others, key=lambda other: prize[other])
    if prize[rival] <= 0:
        return total + prize[seat]
    unit = max(0.5, proceeds(outlook, seat, 1))
    wanted = (prize[seat] + outlook.rivalry * prize[rival]) / (2 + outlook.rivalry) / unit
    amount = int(max(0, min(outlook.seats[rival].influence, wanted)))
    payable = outlook.seats[seat].influence + lying >= amount
    keep = prize[seat] - price(outlook, seat, amount) if payable else -1e9
    return total + max(keep, accepted(outlook, prize, seat, rival, amount))
