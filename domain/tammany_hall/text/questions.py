"""What the game asks of a player, said to them in one line: for lists of what waits, and by name for headlines."""

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


def question(view: View, player: str) -> Sentence:
    """Return what a player decides now, as a question to them by name (TH-16.1)."""
    match view["phase"]:
        case "bid" if view["bidding"]:
            ward = view["bidding"]["ward"]
            return say("{player}, what do you bid for ward {ward}?", player=player, ward=ward)
        case "bonus" if view["bonus"]:
            ward = view["bonus"]["ward"]
            if view["bonus"]["kind"] == "cube":
                return say("{player}, you won ward {ward}. Which cube do you place?", player=player, ward=ward)
            return say("{player}, you won ward {ward}. Which favor chip do you take?", player=player, ward=ward)
        case "assign":
            return say("{player}, who gets which office?", player=player)
        case "turn" if view["turn"] and view["turn"]["placed"]:
            return say("{player}, what else do you do this turn?", player=player)
        case _:
            return say("{player}, where do your bosses go?", player=player)
