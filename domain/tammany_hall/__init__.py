"""Tammany Hall, a game of New York politics for 3 to 5 players, as a ruleset; rules: docs and TH-numbers."""

from typing import Any, Final

from domain.engine.bidding import Bidding
from domain.engine.decider import Decider
from domain.engine.game import Action, Event
from domain.engine.lessons import Lessons
from domain.engine.notation import Notation
from domain.engine.presentation import Presentation
from domain.engine.ruleset import Ruleset
from domain.engine.sentences import say
from domain.engine.standing_orders import StandingOrders
from domain.tammany_hall.ballot.ballot import Ballot
from domain.tammany_hall.ballot.filing import check
from domain.tammany_hall.ballot.following import follow
from domain.tammany_hall.ballot.forms import FORMS as BALLOT_FORMS
from domain.tammany_hall.ballot.notation import HELP as BALLOT_HELP
from domain.tammany_hall.ballot.notation import parse as parse_ballot
from domain.tammany_hall.ballot.notation import write as write_ballot
from domain.tammany_hall.ballot.pending import live
from domain.tammany_hall.lessons.goals import GOALS
from domain.tammany_hall.lessons.position import position
from domain.tammany_hall.rules.actions import ACTIONS, Bid
from domain.tammany_hall.rules.board import ELECTION_ORDER, LAST_YEAR, NEIGHBOURS, PAWNS, ZONES
from domain.tammany_hall.rules.caretaker import caretaker
from domain.tammany_hall.rules.chance import chance
from domain.tammany_hall.rules.copying import blind, copy
from domain.tammany_hall.rules.decide import decide
from domain.tammany_hall.rules.document import StateDocument
from domain.tammany_hall.rules.events import EVENTS, EVOLVE
from domain.tammany_hall.rules.forms import FORMS
from domain.tammany_hall.rules.legal import legal_actions
from domain.tammany_hall.rules.options import OPTIONS
from domain.tammany_hall.rules.position import awaiting, decision
from domain.tammany_hall.rules.referee import proceed
from domain.tammany_hall.rules.sampling import sample
from domain.tammany_hall.rules.setup import SEATS, initial
from domain.tammany_hall.rules.state import State
from domain.tammany_hall.rules.view import reveal, view
from domain.tammany_hall.search.guidance import GUIDANCE
from domain.tammany_hall.text.choices import questions
from domain.tammany_hall.text.consequences import consequences
from domain.tammany_hall.text.contests import contests
from domain.tammany_hall.text.drawing import board
from domain.tammany_hall.text.guide import asks, guide, question
from domain.tammany_hall.text.notation import HELP, RESERVED, TERMS, parse, read_bid, write
from domain.tammany_hall.text.numbers import STATISTICS
from domain.tammany_hall.text.story import NARRATIVE, gives, tell
from domain.tammany_hall.text.variants import VARIANTS


def result(state: State) -> dict[str, Any] | None:
    """The winners and the points by seat, once the game is over."""
    if state.phase != "over":
        return None
    return {"winners": list(state.winners), "scores": scores(state)}


def scores(state: State) -> list[int]:
    """Return the Victory Points by seat as they stand."""
    return [player.vp for player in state.players]


ORDERS: Final[StandingOrders[State, Ballot]] = StandingOrders(
    form=Ballot,
    parse=parse_ballot,
    write=write_ballot,
    check=check,
    follow=follow,
    live=live,
    help=BALLOT_HELP,
    verbs=frozenset(BALLOT_FORMS),
)
BIDDING: Final[Bidding[Action]] = Bidding(
    winner=lambda event: event.winner,
    prize=lambda event: say("ward {ward}", ward=event.ward),
    price=lambda bid: sum(bid.chips.values()) if isinstance(bid, Bid) else 0,
)
TAMMANY_HALL: Final[Ruleset[State, Action, Event]] = Ruleset(
    kind="tammany-hall",
    seats=SEATS,
    options=OPTIONS,
    later_options=frozenset({"final-tie"}),
    decider=Decider(
        state=State,
        actions=ACTIONS,
        events=EVENTS,
        initial=initial,
        decide=decide,
        proceed=proceed,
        chance=chance,
        evolve=EVOLVE,
        copy=copy,
        blind=blind,
        awaiting=awaiting,
        decision=decision,
        view=view,
        document=StateDocument,
        legal_actions=legal_actions,
        sample=sample,
        caretaker=caretaker,
        result=result,
        scores=scores,
        reveal=reveal,
    ),
    notation=Notation(
        pawns=PAWNS,
        verbs=frozenset(FORMS),
        parse=parse,
        write=write,
        read_bid=read_bid,
        terms=TERMS,
        reserved=RESERVED,
        help=HELP,
    ),
    presentation=Presentation(
        title="Tammany Hall",
        about=say("Tammany Hall is a game of ward politics in New York, with sealed bids."),
        author="Doug Eckhart",
        description=say(
            "New York in the 1850s. Ships bring immigrants to Castle Garden, and whoever finds them a home in one of "
            "the wards may count on their favor. Place your ward bosses, drive out those of your rivals by slander, "
            "and every four years let sealed bids decide each ward. Who wins most of them is mayor, and has to give "
            "the offices to the very people who want to be next."
        ),
        first_move=say(
            "The cubes in Castle Garden are immigrants. Give one of them a home in a ward and place one of your ward "
            "bosses, there or in another ward: you get a favor chip of the same colour. Or place two ward bosses and "
            "settle nobody. At the end of year 4 the wards are put to the vote, and a chip is a vote wherever a cube "
            "of its colour lives."
        ),
        asks=asks,
        question=question,
        consequences=consequences,
        gives=gives,
        contests=contests,
        variants=VARIANTS,
        tell=tell,
        board=board,
        guide=guide,
        choices=questions,
        stage=lambda view: ("year", view["year"], LAST_YEAR),
        narrative=NARRATIVE,
        statistics=STATISTICS,
        printed={
            "wards": {str(ward): sorted(NEIGHBOURS[ward]) for ward in ELECTION_ORDER},
            "zones": {str(zone): list(wards) for zone, wards in ZONES.items()},
        },
    ),
    standing_orders=ORDERS,
    guidance=GUIDANCE,
    bidding=BIDDING,
    lessons=Lessons(position, GOALS),
)
