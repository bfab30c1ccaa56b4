"""Auctions of Offices and counts of stars, as tables for people."""

from collections.abc import Iterator, Sequence

from domain.city_hall.rules import events as fact
from domain.city_hall.rules.words import THE_OFFICES, TITLES, amount_of_influence
from domain.engine.contests import Contest, Entry, Outcome, Pieces
from domain.engine.game import Event, Seat
from domain.engine.presentation import Names
from domain.engine.sentences import say, say_n

Answer = fact.BidMade | fact.BidPassed
Decision = fact.OfficeKept | fact.BidAccepted


def contests(facts: Sequence[tuple[int, Event]], after: int, seat: Seat | None, names: Names) -> list[Contest]:
    """Return the auctions with a bid that were decided, and the counts of stars, after an event (CH-7.6, CH-8.21)."""
    found: list[Contest] = []
    activated: fact.OfficeActivated | None = None
    answers: list[Answer] = []
    decision: Decision | None = None
    for version, event in facts:
        match event:
            case fact.OfficeActivated():
                activated, answers, decision = event, [], None
            case fact.BidMade() | fact.BidPassed():
                answers.append(event)
            case fact.OfficeKept() | fact.BidAccepted():
                decision = event
            case fact.OfficeControlled() if version > after and activated is not None and decision is not None:
                found.append(_auction(version, event, activated.seat, answers, decision, seat, names))
            case fact.StarsCounted() if version > after:
                found.append(_stars(version, event, names))
    return found


def _auction(
    version: int,
    event: fact.OfficeControlled,
    activator: Seat,
    answers: Sequence[Answer],
    decision: Decision,
    seat: Seat | None,
    names: Names,
) -> Contest:
    office = THE_OFFICES[event.office]
    heading = say("{player} controls {office}", player=names[event.seat], office=office)
    return Contest(
        version=version,
        news=say("{office}: the auction is decided", office=TITLES[event.office]),
        heading=say("You control {office}", office=office) if event.seat == seat else heading,
        unit=say("Influence"),
        entries=(*map(_bidder, answers), Entry(activator, (), _choice(decision, names), None)),
        winner=event.seat,
        outcomes=tuple(_paid(decision, activator, seat, names)),
    )


def _bidder(answer: Answer) -> Entry:
    if isinstance(answer, fact.BidPassed):
        return Entry(answer.seat, (), say("passes"), None)
    return Entry(answer.seat, tuple(_influence(answer.influence)), "", answer.influence)


def _choice(decision: Decision, names: Names) -> str:
    """Say what the activator did with the answers (CH-7.9)."""
    match decision:
        case fact.OfficeKept():
            return say("keeps the Office")
        case fact.BidAccepted(bidder=bidder):
            return say("accepts the bid of {bidder}", bidder=names[bidder])


def _paid(decision: Decision, activator: Seat, seat: Seat | None, names: Names) -> Iterator[Outcome]:
    payer = decision.bidder if isinstance(decision, fact.BidAccepted) else activator
    paid = say("You pay") if payer == seat else say("{player} pays", player=names[payer])
    to = say("to the bank.") if isinstance(decision, fact.OfficeKept) else say("to {player}.", player=names[activator])
    pieces = tuple(_influence(decision.influence))
    yield Outcome(paid, pieces, to if pieces else say("nothing, as the bid was 0."))


def _influence(count: int) -> Iterator[Pieces]:
    if count:
        yield Pieces("influence", count, amount_of_influence(count))


def _stars(version: int, event: fact.StarsCounted, names: Names) -> Contest:
    order = sorted(range(len(names)), key=lambda seat: -event.totals[seat])
    return Contest(
        version=version,
        news=say("The stars are counted"),
        heading=say("The stars are counted"),
        unit=say("Population"),
        entries=tuple(_counted(event, seat) for seat in order),
        winner=None,
    )


def _counted(event: fact.StarsCounted, seat: Seat) -> Entry:
    """Return the stars of a seat, the people they bring, and its Population after them (CH-8.21)."""
    total, gain = event.totals[seat], event.gains[seat]
    stars = (Pieces("star", total, say_n("{count} star", "{count} stars", total)),) if total else ()
    return Entry(seat, stars, say("Population +{gain}", gain=gain), event.population[seat])
