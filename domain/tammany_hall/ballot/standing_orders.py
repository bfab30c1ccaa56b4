"""What can be ordered ahead: the ballot of a term's election, and how turns end."""

from typing import Final

from domain.engine.standing_orders import StandingOrders
from domain.tammany_hall.ballot.ballot import Ballot
from domain.tammany_hall.ballot.filing import check
from domain.tammany_hall.ballot.following import follow
from domain.tammany_hall.ballot.forms import FORMS
from domain.tammany_hall.ballot.notation import HELP, parse, write
from domain.tammany_hall.ballot.pending import live
from domain.tammany_hall.rules.state import State

ORDERS: Final[StandingOrders[State, Ballot]] = StandingOrders(
    form=Ballot, parse=parse, write=write, check=check, follow=follow, live=live, help=HELP, verbs=frozenset(FORMS)
)
