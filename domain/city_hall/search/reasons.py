"""Why somebody would make a move, in a sentence."""

from domain.city_hall.rules.state import State
from domain.engine.game import Action, Seat
from domain.engine.guidance import Move
from domain.engine.sentences import Sentence, say


def reason(state: State, seat: Seat, move: Move[Action]) -> Sentence:
    """From what the seat knows."""
    return say("Of the moves that were weighed, none promises more votes.")
