"""What happened, in a sentence for people: for mails, pages and the history of a game.

Amounts are told as they move (CH-14.4), and never what anybody has (CH-14.5).
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from domain.city_hall import events as fact
from domain.city_hall.words import PERMITS, TITLES, Land, Permit, one_of
from domain.decider import Event

Names = Sequence[str]
PRICE_OF: Final = {0: "for nothing", 10: "for $10", 30: "for $30"}
TIMES: Final = {"plain": "", "double": "twice ", "triple": "three times "}
KINDS: Final = {"housing": "Housing", "tower": "Tower", "factory": "Factory", "park": "Park"}


def tell(event: Event, names: Names) -> str:
    """One event as a sentence or a few; "" where there is nothing to tell. Of what is sealed, only that it was done."""
    teller = TELLERS.get(type(event))
    return teller(event, names) if teller else ""


def _board_laid(event: fact.BoardLaid, names: Names) -> str:
    return (
        f"City Hall opens: everybody has ${event.money}, {event.influence} Influence and the Permits "
        f"{_permits([permit for permit in PERMITS if event.hand[permit]])}; "
        f"the Star Token stands on space {event.star_token}."
    )


def _turn_order_drawn(event: fact.TurnOrderDrawn, names: Names) -> str:
    order = ", ".join(names[seat] for seat in event.result)
    return f"The turn order is drawn: {order}. {names[event.last]}, the last, takes {event.influence} more Influence."


def _land_drawn(event: fact.LandDrawn, names: Names) -> str:
    return f"{event.result} is drawn from the Land deck and is available."


def _land_drafted(event: fact.LandDrafted, names: Names) -> str:
    money = f" and takes the ${event.money} on it" if event.money else ""
    return f"{names[event.seat]} drafts {event.land}{money}."


def _money_laid(event: fact.MoneyLaid, names: Names) -> str:
    by_dollars = [
        f"${dollars} on {one_of([land for land, laid in event.lands.items() if laid == dollars])}"
        for dollars in dict.fromkeys(event.lands.values())
    ]
    return f"The bank puts {one_of(by_dollars)}."


def _permit_returned(event: fact.PermitReturned, names: Names) -> str:
    return f"{names[event.seat]} returns a Permit, unseen, to the bottom of the deck."


def _building_founded(event: fact.BuildingFounded, names: Names) -> str:
    return f"{names[event.seat]} builds {_a(event.permit)} on {event.land}.{_stars(event.stars)}"


def _deputy_moved_up(event: fact.DeputyMovedUp, names: Names) -> str:
    order = ", ".join(names[seat] for seat in event.turn_order)
    return f"{names[event.seat]}, Deputy Mayor, moves to the first position: the turn order is {order}."


def _round_began(event: fact.RoundBegan, names: Names) -> str:
    begins = f"Round {event.round}{', the final round,' if event.final else ''} begins"
    if not event.income:
        return f"{begins}; {names[event.schedule[0]]} is first to activate an Office."
    offices = [TITLES[office] for office in event.neglect]
    neglect = f", and 1 goes on each Office that was not used, {one_of(offices)}" if offices else ""
    seven = " All seven Offices will be activated in it." if event.final else ""
    return (
        f"{begins}: everybody takes {event.income} Influence{neglect}.{seven} "
        f"{names[event.schedule[0]]} is first to activate an Office."
    )


def _office_activated(event: fact.OfficeActivated, names: Names) -> str:
    takes = f" and takes the {event.influence} Influence on it" if event.influence else ""
    return f"{names[event.seat]} puts a Staffer on the {TITLES[event.office]}{takes}."


def _land_searched(event: fact.LandSearched, names: Names) -> str:
    return f"{names[event.seat]} pays {event.influence} Influence for a search: {event.land} is available."


def _permits_revealed(event: fact.PermitsRevealed, names: Names) -> str:
    return f"Revealed from the Permit deck: {_permits(event.result)}."


def _bid_made(event: fact.BidMade, names: Names) -> str:
    return f"{names[event.seat]} bids {event.influence}."


def _bid_passed(event: fact.BidPassed, names: Names) -> str:
    return f"{names[event.seat]} passes."


def _office_kept(event: fact.OfficeKept, names: Names) -> str:
    price = f"pays {event.influence} Influence to the bank" if event.influence else "pays nothing, as the bid was 0"
    return f"{names[event.seat]} keeps the Office and {price}."


def _bid_accepted(event: fact.BidAccepted, names: Names) -> str:
    price = f"takes {event.influence} Influence for it" if event.influence else "takes nothing, as the bid was 0"
    return f"{names[event.seat]} accepts the bid of {names[event.bidder]} and {price}."


def _office_controlled(event: fact.OfficeControlled, names: Names) -> str:
    follows = "" if event.acts else " and will be first in the turn order"
    return f"{names[event.seat]} controls the {TITLES[event.office]}{follows}."


def _taxes_collected(event: fact.TaxesCollected, names: Names) -> str:
    what = "" if event.times == "plain" else f", {TIMES[event.times]}${event.income}"
    falls = f", and goes down to approval space {event.approval}" if event.times == "triple" else ""
    return f"{names[event.seat]} collects ${event.money} in taxes{what}{falls}."


def _campaign_run(event: fact.CampaignRun, names: Names) -> str:
    if not event.spaces:
        return f"{names[event.seat]} does not campaign."
    price = PRICE_OF.get(event.money, f"for ${event.money}")
    return f"{names[event.seat]} campaigns {price} and stands on approval space {event.approval}."


def _land_bought(event: fact.LandBought, names: Names) -> str:
    price = f"pays ${event.paid}" if event.paid or not event.received else f"receives ${event.received}"
    return f"{names[event.seat]} buys {event.land} and {price}."


def _nothing_bought(event: fact.NothingBought, names: Names) -> str:
    return f"{names[event.seat]} buys no land."


def _influence_lobbied(event: fact.InfluenceLobbied, names: Names) -> str:
    deals = [
        f"buys {count} for ${event.paid // event.bought * count}"
        if verb == "buy"
        else f"sells {count} for ${event.received // event.sold * count}"
        for clause in event.steps
        for verb, count in clause.items()
    ]
    return f"{names[event.seat]} takes {event.taken} Influence{''.join(f', {deal}' for deal in deals)}."


def _zoning_chosen(event: fact.ZoningChosen, names: Names) -> str:
    takes = f"takes {_permits(event.taken)}" if event.taken else "takes no Permit"
    if not event.rest:
        return f"{names[event.seat]} {takes}."
    order = f", in an order only {names[event.seat]} knows" if len(set(event.rest)) > 1 else ""
    verb = "goes" if len(event.rest) == 1 else "go"
    return f"{names[event.seat]} {takes}; {_permits(event.rest)} {verb} below the deck{order}."


def _permit_built(event: fact.PermitBuilt, names: Names) -> str:
    moved = [f"{names[int(seat)]} on approval space {space}" for seat, space in event.approval.items()]
    parks = f" The Parks bring approval: {one_of(moved)}." if moved else ""
    return (
        f"{names[event.seat]} builds {_a(event.permit)} on {event.land}.{_stars(event.stars)}{parks} "
        f"The Star Token is on space {event.star_token}."
    )


def _stars_counted(event: fact.StarsCounted, names: Names) -> str:
    bonus = {"none": "", "plus3": ", with 3 more for the control", "double": ", doubled for the control"}[event.bonus]
    once_more = "The stars are counted once more"
    who = once_more if event.seat is None else f"{names[event.seat]} has the stars counted{bonus}"
    counts = [
        f"{name} {total} (Population +{gain}, now {population})"
        for name, total, gain, population in zip(names, event.totals, event.gains, event.population, strict=False)
    ]
    return f"{who}: {'; '.join(counts)}."


def _turn_ended(event: fact.TurnEnded, names: Names) -> str:
    if event.following is None:
        return "The round is over."
    return f"It is {names[event.following]}'s turn to activate an Office."


def _mayor_elected(event: fact.MayorElected, names: Names) -> str:
    seats = sorted(range(len(event.votes)), key=lambda seat: -event.votes[seat])
    votes = [f"{names[seat]} {event.votes[seat]}" for seat in seats]
    won = [f"{names[seat]} {list(event.endorsements.values()).count(seat)}" for seat in seats]
    tied = event.votes.count(max(event.votes)) > 1
    reason = ", who stands first of the tied on the Turn Order Track," if tied else ""
    return (
        f"The election is held. Votes: {', '.join(votes)}; Endorsements won: {', '.join(won)}. "
        f"{names[event.mayor]}{reason} is elected Mayor."
    )


def _a(permit: Permit) -> str:
    return KINDS[permit] if permit == "housing" else f"a {KINDS[permit]}"


def _permits(permits: Sequence[Permit]) -> str:
    return one_of([KINDS[permit] for permit in permits])


def _stars(stars: Mapping[Land, int]) -> str:
    if not stars:
        return ""
    return f" Star Values: {one_of([f'{land} {value}' for land, value in stars.items()])}."


TELLERS: Final[dict[type[Event], Callable[[Any, Names], str]]] = {
    fact.BoardLaid: _board_laid,
    fact.TurnOrderDrawn: _turn_order_drawn,
    fact.LandDrawn: _land_drawn,
    fact.LandDrafted: _land_drafted,
    fact.MoneyLaid: _money_laid,
    fact.PermitReturned: _permit_returned,
    fact.BuildingFounded: _building_founded,
    fact.DeputyMovedUp: _deputy_moved_up,
    fact.RoundBegan: _round_began,
    fact.OfficeActivated: _office_activated,
    fact.LandSearched: _land_searched,
    fact.PermitsRevealed: _permits_revealed,
    fact.BidMade: _bid_made,
    fact.BidPassed: _bid_passed,
    fact.OfficeKept: _office_kept,
    fact.BidAccepted: _bid_accepted,
    fact.OfficeControlled: _office_controlled,
    fact.TaxesCollected: _taxes_collected,
    fact.CampaignRun: _campaign_run,
    fact.LandBought: _land_bought,
    fact.NothingBought: _nothing_bought,
    fact.InfluenceLobbied: _influence_lobbied,
    fact.ZoningChosen: _zoning_chosen,
    fact.PermitBuilt: _permit_built,
    fact.StarsCounted: _stars_counted,
    fact.TurnEnded: _turn_ended,
    fact.MayorElected: _mayor_elected,
}
