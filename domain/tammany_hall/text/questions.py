"""What the game asks of a player, said to them in one line: for lists of what waits."""

from domain.engine.game import View
from domain.engine.sentences import Sentence, say


def asks(view: View) -> Sentence:
    """What is to be decided now (TH-16.1)."""
    match view["phase"]:
        case "bid" if view["bidding"]:
            return say("Seal your bid for ward {ward}", ward=view["bidding"]["ward"])
        case "bonus" if view["bonus"]:
            if view["bonus"]["kind"] == "cube":
                return say("You won ward {ward}: place a cube from the bag", ward=view["bonus"]["ward"])
            return say("You won ward {ward}: take a favor chip", ward=view["bonus"]["ward"])
        case "assign":
            return say("You are mayor: give out the offices")
        case _:
            return say("Take your turn of year {year}", year=view["year"])
