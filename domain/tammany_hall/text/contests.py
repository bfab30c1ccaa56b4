"""Ward elections and the mayor's election, as tables for people."""

from collections.abc import Iterator, Mapping, Sequence

from domain.engine.contests import Contest, Entry, Outcome, Pieces
from domain.engine.game import Event, Seat
from domain.engine.presentation import Names
from domain.engine.sentences import Sentence, one_of, row, say, say_n
from domain.engine.statistics import BidValue
from domain.tammany_hall.rules import events as fact
from domain.tammany_hall.rules.bid_values import Election, election_values, lead
from domain.tammany_hall.rules.board import COLOURS, Colour
from domain.tammany_hall.rules.mayor import ward_points
from domain.tammany_hall.rules.words import favor_chips
from domain.tammany_hall.text.story import mayor


def contests(facts: Sequence[tuple[int, Event]], after: int, seat: Seat | None, names: Names) -> list[Contest]:
    """Return the elections after an event for a seat, without wards where at most one player stood."""
    found: list[Contest] = []
    for version, event in facts:
        if version <= after:
            continue
        match event:
            case fact.BidsRevealed() | fact.WardResolved() if len(event.votes) > 1:
                found.append(_ward(version, event, seat, names))
            case fact.MayorElected():
                found.append(_mayor(version, event, seat, names))
    return found


def _ward(version: int, event: Election, seat: Seat | None, names: Names) -> Contest:
    values = list(election_values(version, 0, event))
    bids = event.bids if isinstance(event, fact.BidsRevealed) else {}
    own = next((value for value in values if value.seat == seat and bids), None)
    return Contest(
        version=version,
        news=say("Ward {ward}: the bids are open", ward=event.ward) if bids else say("Ward {ward}", ward=event.ward),
        heading=_result(event, seat, names),
        unit=say("votes"),
        entries=tuple(_candidate(event, bids, value, names) for value in values),
        winner=event.winner,
        outcomes=(*_paid(own, bids), *_prize(event, seat, names), _leaving(event, names)),
        was_sealed=bool(bids),
    )


def _result(event: Election, seat: Seat | None, names: Names) -> Sentence:
    if event.winner is None:
        return say("Ward {ward}: a tie, nobody wins", ward=event.ward)
    ahead = lead(event, event.winner)
    if event.winner == seat:
        return say_n(
            "You win ward {ward} by {count} vote", "You win ward {ward} by {count} votes", ahead, ward=event.ward
        )
    return say_n(
        "{player} wins ward {ward} by {count} vote", "{player} wins ward {ward} by {count} votes", ahead,
        player=names[event.winner], ward=event.ward,
    )  # fmt: skip


def _candidate(event: Election, bids: Mapping[str, Mapping[Colour, int]], value: BidValue, names: Names) -> Entry:
    votes, bid = event.votes[str(value.seat)], bids.get(str(value.seat))
    note = "" if value.bid else say("cannot bid") if bid is None else say("no chips")
    bosses = _bosses(value.seat, votes - value.bid, names)
    return Entry(value.seat, (*bosses, *_chips(bid or {})), note, votes)


def _bosses(seat: Seat, count: int, names: Names) -> Iterator[Pieces]:
    if count:
        name = say_n("{count} boss of {player}", "{count} bosses of {player}", count, player=names[seat])
        yield Pieces("boss", count, name, owner=seat)


def _chips(bid: Mapping[Colour, int]) -> Iterator[Pieces]:
    for colour in COLOURS:
        if count := bid.get(colour, 0):
            yield Pieces("chip", count, favor_chips(colour, count), colour)


def _paid(own: BidValue | None, bids: Mapping[str, Mapping[Colour, int]]) -> Iterator[Outcome]:
    """Yield what the reader paid, and what would have been enough (TH-9.10, TH-9.11)."""
    if own is not None:
        paid = tuple(_chips(bids.get(str(own.seat), {})))
        texts = [text for text in ("" if paid else say("no chips."), _enough(own)) if text]
        yield Outcome(say("You paid"), paid, row(texts, " "))


def _enough(own: BidValue) -> str:
    if own.short:
        return say_n("{count} more would have won.", "{count} more would have won.", own.short)
    if not own.paid:
        return ""
    if not own.wasted:
        return say("Not one too many.")
    if not own.needed:
        return say("You would have won without a chip.")
    return say_n("{count} would have been enough.", "{count} would have been enough.", own.needed)


def _prize(event: Election, seat: Seat | None, names: Names) -> Iterator[Outcome]:
    """Yield what the winner gets: points, and the bonus of the ward (TH-9.14, TH-9.15, TH-11.1)."""
    if event.winner is None:
        return
    gets = say("You get") if event.winner == seat else say("{player} gets", player=names[event.winner])
    points = say("{count} VP", count=ward_points(event.ward))
    match event.bonus:
        case "cube":
            yield Outcome(gets, text=say("{points} and an immigrant from the bag.", points=points))
        case "favor":
            yield Outcome(gets, text=say("{points} and a favor chip.", points=points))
        case None:
            yield Outcome(gets, text=row([points, "."]))


def _leaving(event: Election, names: Names) -> Outcome:
    pieces = [piece for seat, count in event.removed.items() for piece in _bosses(int(seat), count, names)]
    stays = say("All bosses leave.") if event.winner is None else say("One boss stays.")
    return Outcome(say("Leaving"), tuple(pieces), stays)


def _mayor(version: int, event: fact.MayorElected, seat: Seat | None, names: Names) -> Contest:
    if event.mayor is None:
        heading = say("There is no mayor")
    elif event.mayor == seat:
        heading = say("You are mayor")
    else:
        heading = say("{player} is mayor", player=names[event.mayor])
    order = sorted(range(len(names)), key=lambda other: -len(event.won.get(str(other), ())))
    return Contest(
        version=version,
        news=say("The mayor is elected"),
        heading=heading,
        unit=say("VP"),
        entries=tuple(_term(event, other) for other in order),
        winner=event.mayor,
        outcomes=(Outcome(say("Mayor"), text=mayor(event, names)),),
    )


def _term(event: fact.MayorElected, seat: Seat) -> Entry:
    """Return the wards that a seat won, with their points and those of the office (TH-11.1)."""
    wards = event.won.get(str(seat), [])
    won = say_n("ward {wards}", "wards {wards}", len(wards), wards=one_of(wards)) if wards else say("no ward")
    office = event.mayor_points if seat == event.mayor else 0
    note = say("{wards}; mayor +{points}", wards=won, points=office) if office else won
    return Entry(seat, (), note, event.points.get(str(seat), 0) + office)
