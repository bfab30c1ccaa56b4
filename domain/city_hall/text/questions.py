"""What the game asks of a player, said to them in one line: for lists of what waits."""

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
