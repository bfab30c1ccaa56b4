"""The draws of Tammany Hall, with the labels and orders of the fairness contract."""

from domain.engine.game import Dice
from domain.tammany_hall.rules.actions import ChanceAction
from domain.tammany_hall.rules.castle_garden import fill_garden
from domain.tammany_hall.rules.position import draw_due
from domain.tammany_hall.rules.setup import deal_zone, draw_first_player
from domain.tammany_hall.rules.state import State


def chance(state: State, dice: Dice) -> ChanceAction:
    """The draw a state that awaits CHANCE calls for, made with these dice. Raises ValueError where none is due."""
    match draw_due(state):
        case None:
            raise ValueError("nothing is to be drawn")
        case "first-player":
            return draw_first_player(state, dice)
        case "garden":
            return fill_garden(state, dice)
        case _:
            return deal_zone(state, dice)
