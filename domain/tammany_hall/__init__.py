"""Tammany Hall, a game of New York politics for 3 to 5 players, as a Decider; rules: docs and TH-numbers."""

from typing import Any, Final

from domain.engine.decider import Action, Decider, Event
from domain.tammany_hall.actions import ACTIONS
from domain.tammany_hall.board import ELECTION_ORDER, LAST_YEAR, NEIGHBOURS, PAWNS, ZONES
from domain.tammany_hall.caretaker import caretaker
from domain.tammany_hall.chance import chance
from domain.tammany_hall.copying import blind, copy
from domain.tammany_hall.decide import decide
from domain.tammany_hall.drawing import board
from domain.tammany_hall.events import EVENTS, EVOLVE
from domain.tammany_hall.forms import FORMS
from domain.tammany_hall.guide import guide
from domain.tammany_hall.legal import legal_actions
from domain.tammany_hall.notation import HELP, RESERVED, parse, read_bid, write
from domain.tammany_hall.options import OPTIONS
from domain.tammany_hall.orders import ORDERS
from domain.tammany_hall.position import awaiting, decision
from domain.tammany_hall.referee import proceed
from domain.tammany_hall.setup import SEATS, initial
from domain.tammany_hall.state import State
from domain.tammany_hall.statistics import STATISTICS
from domain.tammany_hall.story import NARRATIVE, tell
from domain.tammany_hall.view import view


def result(state: State) -> dict[str, Any] | None:
    """The winners and the points by seat, once the game is over."""
    if state.phase != "over":
        return None
    return {"winners": list(state.winners), "scores": [player.vp for player in state.players]}


TAMMANY_HALL: Final[Decider[State, Action, Event]] = Decider(
    kind="tammany-hall",
    title="Tammany Hall",
    seats=SEATS,
    options=OPTIONS,
    pawns=PAWNS,
    reserved=RESERVED,
    verbs=frozenset(FORMS),
    notation=HELP,
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
    legal_actions=legal_actions,
    caretaker=caretaker,
    result=result,
    read_bid=read_bid,
    parse=parse,
    write=write,
    tell=tell,
    narrative=NARRATIVE,
    statistics=STATISTICS,
    board=board,
    guide=guide,
    orders=ORDERS,
    stage=lambda view: ("year", view["year"], LAST_YEAR),
    printed={
        "wards": {str(ward): sorted(NEIGHBOURS[ward]) for ward in ELECTION_ORDER},
        "zones": {str(zone): list(wards) for zone, wards in ZONES.items()},
    },
)
