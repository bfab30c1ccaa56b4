"""What a position of Tammany Hall comes to, in sentences: for the head of the picture and for who cannot see it."""

from collections.abc import Sequence

from domain.engine.game import View
from domain.engine.sentences import Sentence, one_of, row, say, say_n
from service.pictures.people import Person


def when(view: View) -> Sentence:
    """How far the game is."""
    return say("Year {year} of 16 · Term {term} of 4", year=view["year"], term=view["term"])


def asked(view: View, people: Sequence[Person]) -> list[Sentence]:
    """What the game waits for, and what the seat to move can still do this turn."""
    match view["phase"]:
        case "over":
            return [_end(view, people)]
        case "bid" if view["bidding"]:
            return [_bids(view, people)]
        case "bonus" if view["bonus"]:
            winner, ward = people[view["bonus"]["seat"]].short, view["bonus"]["ward"]
            if view["bonus"]["kind"] == "cube":
                return [say("{name} won ward {ward} and may place a cube from the bag", name=winner, ward=ward)]
            return [say("{name} won ward {ward} and may take a favor chip", name=winner, ward=ward)]
        case "assign" if view["assignment"]:
            return [say("{name} is mayor and gives out the offices", name=people[view["assignment"]["mayor"]].short)]
        case "turn" if view["turn"]:
            return [say("{name} is to move", name=people[view["turn"]["seat"]].short), _still_open(view)]
        case _:
            return [say("The game goes on by itself: a draw is made")]


def _end(view: View, people: Sequence[Person]) -> Sentence:
    names = one_of([people[seat].short for seat in view["winners"]])
    points = view["seats"][view["winners"][0]]["vp"]
    if len(view["winners"]) > 1:
        return say("The game is over: {names} share the victory with {vp} VP", names=names, vp=points)
    return say("The game is over: {name} wins with {vp} VP", name=names, vp=points)


def _bids(view: View, people: Sequence[Person]) -> Sentence:
    names = one_of([people[seat].short for seat in view["bidding"]["owes"]])
    return say("Sealed bids for ward {ward}, still to come from {names}", ward=view["bidding"]["ward"], names=names)


def _still_open(view: View) -> Sentence:
    seat, turn = view["seats"][view["turn"]["seat"]], view["turn"]
    still = []
    if not turn["placed"] and seat["bosses_left"]:
        still.append(say("placement"))
    if seat["office"] not in (None, "mayor") and not turn["office_used"]:
        still.append(say("office"))
    if view["term"] > 1 and not seat["slandered"]:
        still.append(say("slander"))
    if not still:
        return say("Nothing left but to end the turn")
    return say("Still open this turn: {parts}", parts=row(still, ", "))


def points(view: View) -> list[Sentence]:
    """What each seat has, in short."""
    return [say("{vp} VP", vp=seat["vp"]) for seat in view["seats"]]


def lead(view: View, people: Sequence[Person]) -> Sentence:
    """Who has the most victory points."""
    most = max(seat["vp"] for seat in view["seats"])
    if not most:
        return say("Nobody has victory points yet")
    best = [person.short for person, seat in zip(people, view["seats"], strict=True) if seat["vp"] == most]
    return say_n("{names} leads with {vp} VP", "{names} lead with {vp} VP", len(best), names=one_of(best), vp=most)
