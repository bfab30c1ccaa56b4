"""A finished game in numbers: which of them are drawn, and what people call them."""

from typing import Final

from domain.engine.sentences import Sentence, row, say
from domain.engine.statistics import Chart, Facts, Score, Statistics
from domain.tammany_hall.rules.bid_values import bid_values
from domain.tammany_hall.rules.events import GameScored, MayorElected
from domain.tammany_hall.rules.position import term
from domain.tammany_hall.rules.state import State
from domain.tammany_hall.rules.statistics import COLUMNS, rows
from domain.tammany_hall.rules.words import PEOPLE

CHARTS: Final = (
    Chart("points", "vp", say("Victory points after each election"), say("victory points")),
    Chart("votes", "votes", say("Votes in the elections of each term"), say("votes"), "bars"),
    Chart("chips", "chips", say("Favor chips after each election"), say("chips")),
    Chart("wards", "wards", say("Wards won in each election"), say("wards"), "bars"),
)
BID_TERMS: Final = {
    "bid": say("chips bid, beside the ward bosses that stood there"),
    "most": say("the most usable chips that this player could have bid"),
    "paid": say("chips that went to the supply: winners and losers pay alike (TH-9.11)"),
    "needed": say("the fewest chips that would have won, against the bids of the others (TH-9.10)"),
    "wasted": say("chips paid beyond those; in vain, where the ward was not won"),
    "short": say("how many chips more would have won"),
}


def scores(state: State, facts: Facts) -> list[Score]:
    """Return the final points of every seat (TH-13), those of the elections by what they were for (TH-11)."""
    elections = [event for _, event in facts if isinstance(event, MayorElected)]
    seats = range(len(state.players))
    wards = [sum(election.points.get(str(seat), 0) for election in elections) for seat in seats]
    mayors = [sum(election.mayor_points for election in elections if election.mayor == seat) for seat in seats]
    found = [
        *(Score(seat, say("Wards won"), wards[seat]) for seat in seats),
        *(Score(seat, say("Elected mayor"), mayors[seat]) for seat in seats),
        *(
            Score(int(line["seat"]), _end(str(line["for"])), int(line["vp"]))
            for line in state.lines
            if line["for"] != "elections"
        ),
    ]
    return [line for line in found if line.points]


def _end(what: str) -> Sentence:
    """What points of the final scoring are for (TH-13.2, TH-13.4)."""
    if what == "slander":
        return say("Slander chips left")
    return say("Most favor chips: {people}", people=row([PEOPLE[what]]))


STATISTICS: Final[Statistics[State]] = Statistics(
    unit="term",
    columns=COLUMNS,
    rows=rows,
    period_name=say("Term"),
    charts=CHARTS,
    scores=scores,
    tie_rule="TH-13.6",
    tie_break=say("In a tie the most chips win, then the most Irish, English, German, Italian chips, then the mayor."),
    bids=bid_values,
    bid_terms=BID_TERMS,
    bid_unit=say("chips"),
    standing=lambda state: [player.vp for player in state.players],
    standing_name=say("victory points"),
    moments=frozenset({MayorElected, GameScored}),
    period=term,
)
