"""What the game asks of a player, said to them in one line: for lists of what waits, and by name for headlines."""

from domain.city_hall.rules.words import THE_OFFICES
from domain.engine.game import View
from domain.engine.sentences import Sentence, say


def asks(view: View) -> Sentence:
    """What is to be decided now (CH-18.1)."""
    office = THE_OFFICES.get(view["office"], say("an Office"))
    match view["phase"]:
        case "draft":
            return say("Draft a space")
        case "build":
            return say("Place an initial Building")
        case "activate":
            return say("Put a Staffer on an Office")
        case "bid":
            return say("Bid on {office}, or pass", office=office)
        case "decide":
            return say("Keep {office}, or accept a bid", office=office)
        case _:
            return say("Use {office}", office=office)


def question(view: View, player: str) -> Sentence:
    """Return what a player decides now, as a question to them by name (CH-18.1)."""
    office = THE_OFFICES.get(view["office"], say("an Office"))
    match view["phase"]:
        case "draft":
            return say("{player}, which space do you draft?", player=player)
        case "build":
            return say("{player}, where does your initial Building go?", player=player)
        case "activate":
            return say("{player}, which Office does your Staffer activate?", player=player)
        case "bid":
            return say("{player}, what do you bid for {office}?", player=player, office=office)
        case "decide":
            return say("{player}, do you keep {office}?", player=player, office=office)
        case _:
            return say("{player}, how do you use {office}?", player=player, office=office)
