"""The draws of City Hall, with the labels and orders of the fairness contract."""

from domain.city_hall.rules.actions import ChanceAction
from domain.city_hall.rules.decks import draw_land, draw_permits
from domain.city_hall.rules.position import draw_due
from domain.city_hall.rules.setup import draw_turn_order
from domain.city_hall.rules.state import State
from domain.engine.game import Dice


def chance(state: State, dice: Dice) -> ChanceAction:
    """The draw a state that awaits CHANCE calls for, made with these dice. Raises ValueError where none is due."""
    match draw_due(state):
        case "turn-order":
            return draw_turn_order(state, dice)
        case "land":
            return draw_land(state, dice)
        case "permits":
            return draw_permits(state, dice)
        case _:
            raise ValueError("nothing is to be drawn")
