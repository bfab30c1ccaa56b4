"""All numbers of a game that is over: what the API's document, the tables and the page are made of."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from domain.engine.game import Event, Seat
from domain.engine.sentences import Sentence, row, say, say_n
from domain.engine.statistics import BidValue, Facts, LeadChange, Row, Score, Statistics, lead_changes
from domain.table.evolve import taken_back
from service.container import Services
from service.games.seat_names import shown_names
from service.games.statistics.chances import Chances, chances
from service.games.statistics.clock_facts import ClockFacts, clock_facts
from service.store.database import Connection
from service.store.event_store.streams import Head


@dataclass(frozen=True, slots=True)
class Standing:
    """How one seat came out: its place, from 1, its score, and what that is made of."""

    rank: int
    seat: Seat
    has_won: bool
    score: int
    lines: list[Score]


@dataclass(frozen=True, slots=True)
class GameNumbers:
    """A game in numbers; `names` are what to call each seat. Empty lists of a game that never began."""

    head: Head
    statistics: Statistics[Any]
    names: Sequence[str]
    rows: list[Row]
    standings: list[Standing]
    """The winners first; none of a game that ended without a result."""
    bids: list[BidValue]
    lead: list[LeadChange]
    chances: Chances | None
    clock: list[ClockFacts]


def numbers(services: Services, connection: Connection, head: Head, count: Statistics[Any]) -> GameNumbers:
    """The numbers of a game that is over, as `count` counts its rules; what was taken back does not count.

    Nothing of it is known to anybody before the end: see that the game is over.
    """
    events = list(services.streams.facts_seen(connection, head.game, head.rules, None, after=0, upto=head.version))
    names = shown_names(connection, head)
    if head.table.game is None:
        return GameNumbers(head, count, names, [], [], [], [], None, [])
    rules, gone = head.rules, taken_back(events)
    facts: list[tuple[int, Event]] = [
        (version, event)
        for version, event in enumerate(events, 1)
        if version - 1 not in gone and type(event) in rules.decider.evolve
    ]

    def first() -> Any:
        return rules.decider.initial(len(head.table.chairs), head.table.options)

    rows = count.rows(first(), [event for _, event in facts])
    return GameNumbers(
        head=head,
        statistics=count,
        names=names,
        rows=rows,
        standings=standings(head, count, facts),
        bids=count.bids(first(), facts),
        lead=lead_changes(count, rules.decider.evolve, first(), facts),
        chances=chances(connection, head.game),
        clock=clock_facts(rules, services.streams.history(connection, head.game, rules, head.version)),
    )


def standings(head: Head, count: Statistics[Any], facts: Facts) -> list[Standing]:
    """Return the winners first, then by score; equal scores share a place. Empty for a game without a result."""
    result = head.table.result
    if result is None:
        return []
    lines, scores, winners = count.scores(head.table.game, facts), result.scores, result.winners

    def key(seat: Seat) -> tuple[bool, int]:
        return seat not in winners, -scores[seat]

    order = sorted(range(len(scores)), key=key)
    places = [key(seat) for seat in order]
    return [
        Standing(
            places.index(key(seat)) + 1,
            seat,
            seat in winners,
            scores[seat],
            [line for line in lines if line.seat == seat],
        )
        for seat in order
    ]


def is_tied(standings: Sequence[Standing]) -> bool:
    """Return whether somebody has as many points as a winner and has not won."""
    best = {standing.score for standing in standings if standing.has_won}
    return any(standing.score in best and not standing.has_won for standing in standings)


def tie_text(standings: Sequence[Standing]) -> str:
    """Say that a tie for victory was broken or shared; "" for neither."""
    if sum(standing.has_won for standing in standings) > 1:
        return say("They share the victory: no tie-breaker tells them apart.")
    return say("The scores were level: a tie-breaker of the rules decided.") if is_tied(standings) else ""


def lead_text(change: LeadChange, names: Sequence[str]) -> Sentence:
    """Say who took the lead from whom."""
    new, old = (row([names[seat] for seat in seats], say(" and ")) for seats in (change.after, change.before))
    if not change.before:
        return say_n("{players} is ahead first.", "{players} are ahead first.", len(change.after), players=new)
    return say_n(
        "{players} takes the lead from {others}.", "{players} take the lead from {others}.", len(change.after),
        players=new, others=old,
    )  # fmt: skip
