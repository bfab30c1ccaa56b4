"""A finished game in numbers: which of them are drawn, and what people call them."""

from typing import Final

from domain.city_hall.rules.bid_values import bid_values
from domain.city_hall.rules.events import MayorElected, TurnEnded
from domain.city_hall.rules.position import board_of
from domain.city_hall.rules.state import State
from domain.city_hall.rules.statistics import COLUMNS, poll, rows
from domain.city_hall.text.drawing import endorsement_names
from domain.engine.sentences import say
from domain.engine.statistics import Chart, Facts, Score, Statistics

CHARTS: Final = (
    Chart("points", "poll", say("Votes, had the election been held then"), say("votes")),
    Chart("money", "money", say("Money at the end of each round"), say("dollars")),
    Chart("influence", "influence", say("Influence at the end of each round"), say("Influence")),
    Chart("approval", "approval", say("Approval Rating Track at the end of each round"), say("space")),
    Chart("population", "population", say("Population at the end of each round"), say("Population")),
)
BID_TERMS: Final = {
    "bid": say("the Influence bid; by the activator, what keeping the Office cost"),
    "most": say("the Influence that this player held"),
    "paid": say("Influence paid: all bids but the one that is taken return (CH-7.9)"),
    "needed": say(
        "the least that would have won, against the bids of the others: a match of the highest where a bid was taken, "
        "more than the activator could pay where the Office was kept (CH-7.9)"
    ),
    "wasted": say("Influence paid beyond that"),
    "short": say("how much more that is than was bid; 0 for a match that was not taken"),
}


def scores(state: State, facts: Facts) -> list[Score]:
    """Return the votes of every seat: rating times Population, and each Endorsement (CH-12.1)."""
    result = state.result
    if result is None:
        return []
    board, names, found = board_of(state), endorsement_names(), list[Score]()
    for seat, player in enumerate(state.players):
        made_of = f"{board.ratings[player.approval - 1]} × {player.population}"
        found.append(Score(seat, say("Approval Rating × Population"), result.base_votes[seat], made_of))
    for card in board.endorsements:
        seat_with_most = result.endorsements[card.id]
        if seat_with_most is not None:
            found.append(Score(seat_with_most, names.get(card.id, card.name), card.votes))
    return found


STATISTICS: Final[Statistics[State]] = Statistics(
    unit="round",
    columns=COLUMNS,
    rows=rows,
    period_name=say("Round"),
    charts=CHARTS,
    scores=scores,
    tie_rule="CH-12.6",
    tie_break=say("In a tie the player who comes first in the turn order wins."),
    bids=bid_values,
    bid_terms=BID_TERMS,
    bid_unit=say("Influence"),
    standing=poll,
    standing_name=say("votes, had the election been held then"),
    moments=frozenset({TurnEnded, MayorElected}),
    period=lambda state: state.round,
)
