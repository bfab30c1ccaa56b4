"""Why somebody would make a move of Tammany Hall, in a sentence for people."""

from domain.engine.game import Action, Seat
from domain.engine.guidance import Move
from domain.engine.sentences import Sentence, say
from domain.tammany_hall.rules.state import State


def reason(state: State, seat: Seat, move: Move[Action]) -> Sentence:
    """Why a seat would make this move, from what it knows."""
    return say("It looks best for the wards of this election.")
