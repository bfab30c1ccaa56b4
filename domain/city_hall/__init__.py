"""City Hall, a game of New York politics for 2 to 4 players, as a ruleset; rules: docs and CH-numbers."""

from typing import Any, Final

from domain.city_hall.lessons.goals import GOALS
from domain.city_hall.lessons.position import position
from domain.city_hall.proxy.filing import check, live
from domain.city_hall.proxy.notation import PROXIES_HELP, PROXY_FORMS, parse_proxies, write_proxies
from domain.city_hall.proxy.proxies import Proxies, follow
from domain.city_hall.rules.actions import ACTIONS
from domain.city_hall.rules.board import printed
from domain.city_hall.rules.caretaker import caretaker
from domain.city_hall.rules.chance import chance
from domain.city_hall.rules.copying import blind, copy
from domain.city_hall.rules.decide import decide
from domain.city_hall.rules.document import StateDocument
from domain.city_hall.rules.election import count_votes
from domain.city_hall.rules.events import EVENTS, EVOLVE
from domain.city_hall.rules.legal import legal_actions
from domain.city_hall.rules.options import OPTIONS
from domain.city_hall.rules.pieces import PAWNS
from domain.city_hall.rules.position import awaiting, decision
from domain.city_hall.rules.referee import proceed
from domain.city_hall.rules.sampling import sample
from domain.city_hall.rules.setup import SEATS, initial
from domain.city_hall.rules.state import State
from domain.city_hall.rules.view import reveal, view
from domain.city_hall.search.guidance import GUIDANCE
from domain.city_hall.text.choices import questions
from domain.city_hall.text.consequences import consequences
from domain.city_hall.text.contests import contests
from domain.city_hall.text.drawing import board
from domain.city_hall.text.guide import asks, guide, question
from domain.city_hall.text.notation import FORMS, HELP, RESERVED, TERMS, parse, read_bid, write
from domain.city_hall.text.numbers import STATISTICS
from domain.city_hall.text.script import script_document, write_script
from domain.city_hall.text.story import NARRATIVE, gives, tell
from domain.city_hall.text.variants import VARIANTS
from domain.engine.decider import Decider
from domain.engine.game import Action, Event
from domain.engine.lessons import Lessons
from domain.engine.notation import Notation, ScriptFormat
from domain.engine.presentation import Presentation
from domain.engine.ruleset import Ruleset
from domain.engine.sentences import say
from domain.engine.standing_orders import StandingOrders


def result(state: State) -> dict[str, Any] | None:
    """The Mayor, and the votes by seat, once the game is over."""
    if state.result is None:
        return None
    return {"winners": [state.result.mayor], "scores": list(state.result.votes)}


def scores(state: State) -> list[int]:
    """Return the votes by seat if the election were held now (CH-12.1); before the board is laid, nobody has any."""
    return count_votes(state)[2] if state.board else [0] * len(state.players)


ORDERS: Final[StandingOrders[State, Proxies]] = StandingOrders(
    form=Proxies,
    parse=parse_proxies,
    write=write_proxies,
    check=check,
    follow=follow,
    live=live,
    help=PROXIES_HELP,
    verbs=frozenset(PROXY_FORMS),
)
CITY_HALL: Final[Ruleset[State, Action, Event]] = Ruleset(
    kind="city-hall",
    seats=SEATS,
    options=OPTIONS,
    later_options=frozenset({"park-approval"}),
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
        script=ScriptFormat(script_document, write_script),
    ),
    presentation=Presentation(
        title="City Hall",
        about=say("City Hall is a game of auctions for the offices of a city."),
        author="Michael R. Keller",
        description=say(
            "You want to be Mayor of New York: so buy land, build housing, factories, towers and parks, and court the "
            "voters. The seven Offices do the work, and each use of one is up for auction: whoever puts a Staffer on "
            "an Office keeps it at a price, or takes the Influence of the highest bidder instead. In the end "
            "population times approval makes votes."
        ),
        first_move=say(
            "Everybody begins with two spaces of land, drafted in turn. Choose one of the spaces on offer: it costs "
            "nothing, and the money that lies on it is yours. A Building in Manhattan counts one star more, and stars "
            "bring people."
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
        stage=lambda view: ("round", view["round"], 0),
        narrative=NARRATIVE,
        statistics=STATISTICS,
        printed=printed(),
    ),
    standing_orders=ORDERS,
    guidance=GUIDANCE,
    lessons=Lessons(position, GOALS),
)
