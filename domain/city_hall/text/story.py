"""What happened, in a sentence for people: for mails, pages and the history of a game.

Amounts are told as they move (CH-14.4), and never what anybody has (CH-14.5).
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from domain.city_hall.rules import events as fact
from domain.city_hall.rules.pieces import PERMITS, Land, Permit
from domain.city_hall.rules.words import BUILT, DOES, KINDS, THE_OFFICES, TITLES, amount_of_influence, clauses
from domain.engine.game import Event, Seat
from domain.engine.presentation import Names, Narrative, teller
from domain.engine.sentences import Sentence, one_of, row, say, say_n


def tell_with_sealed(event: Event, names: Names) -> str:
    """A Permit that was returned, and the order of Permits below the deck, where they are known."""
    match event:
        case fact.PermitReturned(seat=seat, permit=permit) if permit is not None:
            return say("{name} returns {permit} to the bottom of the deck.", name=names[seat], permit=KINDS[permit])
        case fact.ZoningChosen(under=[_, _, *_] as under) if len(set(under)) > 1:
            goes = say("{permits} go below the deck, in this order from the top down", permits=_permits(under))
            return row([clauses([_takes(event, names), goes]), "."])
        case _:
            return ""


def chapter(event: Event) -> tuple[str, str] | None:
    """Each round is a part, and so is the election."""
    match event:
        case fact.RoundBegan(round=number, final=False):
            return say("Round {round}", round=number), ""
        case fact.RoundBegan(round=number, final=True):
            return say("Round {round}, the final round", round=number), ""
        case fact.MayorElected():
            return say("The election"), ""
        case _:
            return None


def _board_laid(event: fact.BoardLaid, names: Names) -> Sentence:
    return say(
        "City Hall opens: everyone has ${money}, {influence} and the Permits {permits}; the "
        "Star Token is on space {space}.",
        money=event.money,
        influence=amount_of_influence(event.influence),
        permits=_permits([permit for permit in PERMITS if event.hand[permit]]),
        space=event.star_token,
    )


def _turn_order_drawn(event: fact.TurnOrderDrawn, names: Names) -> Sentence:
    return say(
        "The turn order is drawn: {order}. {name}, in last place, takes {influence} extra Influence.",
        order=_order(event.result, names),
        name=names[event.last],
        influence=event.influence,
    )


def _land_drawn(event: fact.LandDrawn, names: Names) -> Sentence:
    return say("{land} is drawn from the Land deck and is available.", land=event.result)


def _land_drafted(event: fact.LandDrafted, names: Names) -> Sentence:
    name, land, money = names[event.seat], event.land, event.money
    if not money:
        return say("{name} drafts {land}.", name=name, land=land)
    return say("{name} drafts {land} and takes the ${money} on it.", name=name, land=land, money=money)


def _money_laid(event: fact.MoneyLaid, names: Names) -> Sentence:
    sums = [
        say(
            "${money} on {lands}",
            money=dollars,
            lands=one_of([land for land, laid in event.lands.items() if laid == dollars]),
        )
        for dollars in dict.fromkeys(event.lands.values())
    ]
    return say("The bank puts {sums}.", sums=one_of(sums))


def _permit_returned(event: fact.PermitReturned, names: Names) -> Sentence:
    return say("{name} returns a Permit, unseen, to the bottom of the deck.", name=names[event.seat])


def _building_founded(event: fact.BuildingFounded, names: Names) -> Sentence:
    return _together(_builds(names[event.seat], event.permit, event.land), _stars(event.stars))


def _deputy_moved_up(event: fact.DeputyMovedUp, names: Names) -> Sentence:
    return say(
        "{name}, Deputy Mayor, moves to the first position: the turn order is {order}.",
        name=names[event.seat],
        order=_order(event.turn_order, names),
    )


def _round_began(event: fact.RoundBegan, names: Names) -> Sentence:
    number, first = event.round, names[event.schedule[0]]
    if event.final:
        begins = say("Round {round}, the final round, begins", round=number)
    else:
        begins = say("Round {round} begins", round=number)
    if not event.income:
        return say("{begins}; {name} is first to activate an Office.", begins=begins, name=first)
    offices = [TITLES[office] for office in event.neglect]
    if offices:
        takes = say(
            "{begins}: everyone takes {influence}, and 1 goes on each Office that was not used, {offices}.",
            begins=begins,
            influence=amount_of_influence(event.income),
            offices=one_of(offices),
        )
    else:
        takes = say("{begins}: everyone takes {influence}.", begins=begins, influence=amount_of_influence(event.income))
    seven = say("All seven Offices will be activated in it.") if event.final else ""
    return _together(takes, seven, say("{name} is first to activate an Office.", name=first))


def _office_activated(event: fact.OfficeActivated, names: Names) -> Sentence:
    name, office, influence = names[event.seat], THE_OFFICES[event.office], event.influence
    if not influence:
        return say("{name} puts a Staffer on {office}.", name=name, office=office)
    return say(
        "{name} puts a Staffer on {office} and takes the {influence} Influence on it.",
        name=name,
        office=office,
        influence=influence,
    )


def _land_searched(event: fact.LandSearched, names: Names) -> Sentence:
    return say(
        "{name} pays {influence} for a search: {land} is available.",
        name=names[event.seat],
        influence=amount_of_influence(event.influence),
        land=event.land,
    )


def _permits_revealed(event: fact.PermitsRevealed, names: Names) -> Sentence:
    return say("Revealed from the Permit deck: {permits}.", permits=_permits(event.result))


def _bid_made(event: fact.BidMade, names: Names) -> Sentence:
    return say("{name} bids {influence}.", name=names[event.seat], influence=event.influence)


def _bid_passed(event: fact.BidPassed, names: Names) -> Sentence:
    return say("{name} passes.", name=names[event.seat])


def _office_kept(event: fact.OfficeKept, names: Names) -> Sentence:
    name, influence = names[event.seat], event.influence
    if not influence:
        return say("{name} keeps the Office and pays nothing, as the bid was 0.", name=name)
    return say(
        "{name} keeps the Office and pays {influence} to the bank.", name=name, influence=amount_of_influence(influence)
    )


def _bid_accepted(event: fact.BidAccepted, names: Names) -> Sentence:
    name, bidder, influence = names[event.seat], names[event.bidder], event.influence
    if not influence:
        return say("{name} accepts the bid of {bidder} and takes nothing, as the bid was 0.", name=name, bidder=bidder)
    return say(
        "{name} accepts the bid of {bidder} and takes {influence} for it.",
        name=name,
        bidder=bidder,
        influence=amount_of_influence(influence),
    )


def _office_controlled(event: fact.OfficeControlled, names: Names) -> Sentence:
    name, office = names[event.seat], THE_OFFICES[event.office]
    if event.acts:
        return say("{name} controls {office}.", name=name, office=office)
    return say("{name} controls {office} and will be first in the turn order.", name=name, office=office)


def gives(event: Event, seat: Seat) -> str:
    """Say to a seat that it controls an Office, and the use of it (CH-8)."""
    if not isinstance(event, fact.OfficeControlled) or event.seat != seat:
        return ""
    return say("It is yours: {does}.", does=DOES[event.office])


def _taxes_collected(event: fact.TaxesCollected, names: Names) -> Sentence:
    values: dict[str, Any] = {"name": names[event.seat], "money": event.money, "income": event.income}
    match event.times:
        case "plain":
            return say("{name} collects ${money} in taxes.", **values)
        case "double":
            return say("{name} collects ${money} in taxes, twice ${income}.", **values)
        case "triple":
            return say(
                "{name} collects ${money} in taxes, three times ${income}, and goes down to approval space {space}.",
                space=event.approval,
                **values,
            )


def _campaign_run(event: fact.CampaignRun, names: Names) -> Sentence:
    name, money, space = names[event.seat], event.money, event.approval
    if not event.spaces:
        return say("{name} does not campaign.", name=name)
    if not money:
        return say("{name} campaigns for nothing and stands on approval space {space}.", name=name, space=space)
    return say(
        "{name} campaigns for ${money} and stands on approval space {space}.", name=name, money=money, space=space
    )


def _land_bought(event: fact.LandBought, names: Names) -> Sentence:
    name, land = names[event.seat], event.land
    if event.paid or not event.received:
        return say("{name} buys {land} and pays ${money}.", name=name, land=land, money=event.paid)
    return say("{name} buys {land} and receives ${money}.", name=name, land=land, money=event.received)


def _nothing_bought(event: fact.NothingBought, names: Names) -> Sentence:
    return say("{name} buys no land.", name=names[event.seat])


def _influence_lobbied(event: fact.InfluenceLobbied, names: Names) -> Sentence:
    name, taken = names[event.seat], event.taken
    deals = [
        say("buys {count} for ${money}", count=count, money=event.paid // event.bought * count)
        if verb == "buy"
        else say("sells {count} for ${money}", count=count, money=event.received // event.sold * count)
        for clause in event.steps
        for verb, count in clause.items()
    ]
    if not deals:
        return say("{name} takes {influence}.", name=name, influence=amount_of_influence(taken))
    return say(
        "{name} takes {influence}, {deals}.", name=name, influence=amount_of_influence(taken), deals=row(deals, ", ")
    )


def _zoning_chosen(event: fact.ZoningChosen, names: Names) -> Sentence:
    name, rest, takes = names[event.seat], event.rest, _takes(event, names)
    if not rest:
        return row([takes, "."])
    permits = _permits(rest)
    if len(set(rest)) > 1:
        goes = say("{permits} go below the deck, in an order only {name} knows", permits=permits, name=name)
    else:
        goes = say_n("{permits} goes below the deck", "{permits} go below the deck", len(rest), permits=permits)
    return row([clauses([takes, goes]), "."])


def _takes(event: fact.ZoningChosen, names: Names) -> Sentence:
    if not event.taken:
        return say("{name} takes no Permit", name=names[event.seat])
    return say("{name} takes {permits}", name=names[event.seat], permits=_permits(event.taken))


def _permit_built(event: fact.PermitBuilt, names: Names) -> Sentence:
    moved = [
        say("{name} on approval space {space}", name=names[int(seat)], space=space)
        for seat, space in event.approval.items()
    ]
    return _together(
        _builds(names[event.seat], event.permit, event.land),
        _stars(event.stars),
        say("The Parks bring approval: {moved}.", moved=one_of(moved)) if moved else "",
        say("The Star Token is on space {space}.", space=event.star_token),
    )


def _stars_counted(event: fact.StarsCounted, names: Names) -> Sentence:
    counts = clauses(
        [
            say(
                "{name} {total} (Population +{gain}, now {population})",
                name=name,
                total=total,
                gain=gain,
                population=population,
            )
            if gain
            else row([name, " ", total])
            for name, total, gain, population in zip(names, event.totals, event.gains, event.population, strict=False)
        ]
    )
    if event.seat is None:
        return say("The stars are counted once more: {counts}.", counts=counts)
    name = names[event.seat]
    match event.bonus:
        case "none":
            return say("{name} has the stars counted: {counts}.", name=name, counts=counts)
        case "plus3":
            return say("{name} has the stars counted, with 3 more for the control: {counts}.", name=name, counts=counts)
        case "double":
            return say("{name} has the stars counted, doubled for the control: {counts}.", name=name, counts=counts)


def _turn_ended(event: fact.TurnEnded, names: Names) -> Sentence:
    if event.following is None:
        return say("The round is over.")
    return say("It is {name}'s turn to activate an Office.", name=names[event.following])


def _mayor_elected(event: fact.MayorElected, names: Names) -> Sentence:
    seats = sorted(range(len(event.votes)), key=lambda seat: -event.votes[seat])
    votes = [f"{names[seat]} {event.votes[seat]}" for seat in seats]
    won = [f"{names[seat]} {list(event.endorsements.values()).count(seat)}" for seat in seats]
    result = say(
        "The election is held. Votes: {votes}; Endorsements won: {won}.", votes=", ".join(votes), won=", ".join(won)
    )
    mayor = names[event.mayor]
    if event.votes.count(max(event.votes)) == 1:
        return _together(result, say("{name} is elected Mayor.", name=mayor))
    tied = say("{name}, first of the tied on the Turn Order Track, is elected Mayor.", name=mayor)
    return _together(result, tied)


def _together(*sentences: str) -> Sentence:
    """Sentences one after the other, those that say nothing left out."""
    return row([sentence for sentence in sentences if sentence], " ")


def _order(seats: Sequence[int], names: Names) -> str:
    return ", ".join(names[seat] for seat in seats)


def _builds(name: str, permit: Permit, land: Land) -> Sentence:
    return say("{name} builds {permit} on {land}.", name=name, permit=BUILT[permit], land=land)


def _permits(permits: Sequence[Permit]) -> Sentence:
    return one_of([KINDS[permit] for permit in permits])


def _stars(stars: Mapping[Land, int]) -> str:
    if not stars:
        return ""
    return say("Star Values: {values}.", values=one_of([f"{land} {value}" for land, value in stars.items()]))


TELLERS: Final[dict[type[Event], Callable[[Any, Names], Sentence]]] = {
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
tell: Final = teller(TELLERS)
"""One event as a sentence or a few; "" where there is nothing to tell. Of what is sealed, only that it was done."""
NARRATIVE: Final = Narrative(
    chapter=chapter,
    scenes=frozenset(
        {
            fact.BoardLaid, fact.TurnOrderDrawn, fact.LandDrafted, fact.PermitReturned, fact.RoundBegan,
            fact.OfficeActivated, fact.StarsCounted, fact.DeputyMovedUp, fact.MayorElected,
        }
    ),
    passing=frozenset({fact.TurnEnded}),
    tell_with_sealed=tell_with_sealed,
)  # fmt: skip
